"""Sealing: once a gaming day is over and a checkpoint covers it, the floor seals it.

To work out a seal is to read the whole day, so it is done away from the thread that writes; only the seal itself is
written there.
"""

from datetime import timedelta

from punto.floor.history import History
from punto.ledger.periods import begins_ms, period_of
from punto.proof.headlog import CHECKPOINTS, read_sequenced
from punto.proof.notes import Checkpoint
from punto.proof.seals import SEALS, Seal, ends_at, read_seal, sealed_stream, write_seal


class NotCovered(Exception):
    """No checkpoint covers the whole day yet: a sign between two rooms, never shown to a person."""


def seal_of(history: History, at_ms: int) -> tuple[int, bytes] | None:
    """The seal of the gaming day that ended last, and how many seals come before it.

    None where the day is sealed already, or nothing happened in it; `NotCovered` where no checkpoint covers it yet.
    """
    today = period_of(at_ms).day
    until_ms, day = begins_ms(today), str(today - timedelta(days=1))
    sealed, since_ms, count = _sealed(history)
    last = history.last(CHECKPOINTS)
    if since_ms >= until_ms:
        return None
    if last is None:
        raise NotCovered("no checkpoint was taken yet")
    coverage = history.coverage
    heads = coverage.believed_heads()
    believed = {name: coverage.end(name) for name in coverage.streams() if name != SEALS}
    ends, numbers = ends_at(history.store, heads, believed, until_ms)
    sequenced = read_sequenced(last.body)
    moved = {name: end for name, end in sorted(ends.items()) if end.version > sealed.get(name, 0)}
    if not moved:
        return None
    if any(number > max(1, sequenced.took.get(stream, 0)) for stream, number in numbers.items()):
        raise NotCovered(f"the last checkpoint does not cover all of {day}")
    checkpoint = Checkpoint.parse(sequenced.note.rpartition("\n\n")[0] + "\n")
    streams = {
        name: sealed_stream(name, sealed.get(name, 0) + 1, coverage.read(name, sealed.get(name, 0), end.version))
        for name, end in moved.items()
    }
    seal = Seal(day, at_ms, since_ms, until_ms, last.version, checkpoint.size, checkpoint.root, streams)
    return count, write_seal(seal)


def _sealed(history: History) -> tuple[dict[str, int], int, int]:
    """How far each stream is sealed, until when, and by how many seals."""
    sealed: dict[str, int] = {}
    until_ms = count = 0
    for entry in history.read(SEALS):
        seal = read_seal(entry.body)
        sealed |= {name: stream.last for name, stream in seal.streams.items()}
        until_ms, count = seal.until_ms, entry.version
    return sealed, until_ms, count
