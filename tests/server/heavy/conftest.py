from pathlib import Path

import pytest


@pytest.fixture(autouse=True)
def _chores_are_found(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONPATH", str(Path(__file__).parents[3]))
