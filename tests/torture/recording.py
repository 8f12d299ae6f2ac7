"""A recording: everything that a floor under load asks of the disk, with questions and answers in between, in order."""

from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

from punto.floor.keys import Keys
from punto.store import SqliteStore, sqlite
from tests.torture.adapter import recorded
from tests.torture.disk import Change
from tests.torture.journal import Line
from tests.torture.worker import STORE, begin

Step = Change | Line


@dataclass(frozen=True)
class Plan:
    """How a recording is made: how often the store is opened, played on and closed, and how often it checkpoints."""

    seed: str
    lives: int = 2
    groups: int = 60
    checkpoint_pages: int = 200
    # Of SQLite; as the store has it, unless another is planted.
    synchronous: str = ""


@dataclass(frozen=True)
class Recording:
    """The disk at first, and all steps since."""

    keys: Keys
    files: dict[str, bytes]
    steps: list[Step]


def record(folder: Path, plan: Plan) -> Recording:
    """Play, and record it."""
    path = folder / STORE
    SqliteStore(path).close()
    keys = Keys.from_secret(plan.seed.encode())
    recording = Recording(keys, {STORE: path.read_bytes()}, [])
    # Checkpoints come every 40 MB otherwise: too seldom to be hit.
    with recorded(recording.steps.append), patch.object(sqlite, "_CHECKPOINT_PAGES", plan.checkpoint_pages):
        for life in range(plan.lives):
            store = SqliteStore(path, synchronous=plan.synchronous) if plan.synchronous else SqliteStore(path)
            clerk, evening = begin(store, keys, f"r{life}", f"{plan.seed} {life}", recording.steps.append)
            for _ in range(plan.groups):
                clerk.give(evening.group())
            store.close()
    return recording
