"""Tests mirror the package: what `src/punto/x` holds is tried in `tests/x`."""
