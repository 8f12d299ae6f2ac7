"""Snapshots of a history that was given up by a decision: each of them is blanked, and worked out anew.

A copy that was restored may still lie under snapshots of what was played after it. Nothing leads to those any more.
"""

from collections.abc import Iterator
from contextlib import suppress

from punto.errors import PuntoError, StreamStopped
from punto.floor.acceptedids import names_of
from punto.floor.handler import TABLE
from punto.floor.history import History
from punto.floor.tickets import TICKETS
from punto.store.contract import Snapshot

# What nobody reads: it carries no stamp.
_BLANK = Snapshot(0, b"", b"")


def forget_given_up(history: History) -> None:
    """Blank the snapshots that are of no place which the believed history leads through."""
    seen = {*history.coverage.streams(TABLE), *(each for each in history.seen if each.startswith(TABLE))}
    seen.update(name for name, _ in history.store.streams(TABLE))
    for stream in (*sorted(seen), TICKETS):
        for name in _given_up(history, stream):
            with suppress(PuntoError):  # the decision is durable; a table whose snapshot stays is stopped, and says so
                history.store.keep(name, _BLANK)


def _given_up(history: History, stream: str) -> Iterator[str]:
    """The names of the snapshots of a stream that were given up."""
    kept = history.store.snapshot(stream)
    if kept is not None and not _leads_through(history, stream, kept):
        yield stream
    end = history.end(stream).version
    for name in names_of(stream.removeprefix(TABLE)) if stream.startswith(TABLE) else ():
        ids = history.store.snapshot(name)
        if ids is not None and (history.lack or ids.version > end):
            yield name


def _leads_through(history: History, stream: str, kept: Snapshot) -> bool:
    """Whether a snapshot is of a place in the believed history; a stream that is damaged stays as it is."""
    try:
        entry = next(history.coverage.read(stream, kept.version - 1, kept.version), None)
    except StreamStopped:
        return True
    return entry is not None and entry.hash == kept.hash
