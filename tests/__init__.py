"""Tests mirror the package: `src/punto/x/y.py` is tried by `tests/x/test_y.py`."""
