"""Significant events read from a store: the last ones, those since a time, or whatever has come since a look."""

from collections.abc import Collection, Iterator, Mapping
from itertools import islice
from typing import Final, NamedTuple

from punto.errors import Corrupt
from punto.record.entries import does_not_read, end_of, entries_of, pages
from punto.record.significant.event import EventKind, SignificantEvent
from punto.record.significant.sources import STREAMS, STREAMS_OF, event_of
from punto.store import Entry, Store

# Events are written soon after they happen, and while the store was away somewhat later.
_LATE_MS: Final = 24 * 3_600_000
# So many entries of a stream are looked at, at once, for what has come.
_AT_ONCE: Final = 500

__all__ = ["STREAMS", "EventsSince", "events_after", "last_events"]


class EventsSince(NamedTuple):
    """What has come since a look, the first thing first, and how far each stream was read.

    *faults* says of streams why they were read no further.
    """

    events: list[SignificantEvent]
    ends: dict[str, int]
    faults: tuple[str, ...] = ()


def last_events(
    store: Store,
    kinds: Collection[EventKind] = (),
    since_ms: int = 0,
    most: int | None = None,
    *,
    strict: bool = True,
) -> list[SignificantEvent]:
    """The last events of these kinds, or of all, that have happened since a time; the newest comes last.

    Unless it is *strict*, a stream that does not read is left out.
    """
    wanted = set(kinds or EventKind)
    streams = [stream for stream in STREAMS if any(stream in STREAMS_OF[kind] for kind in wanted)]
    found: list[SignificantEvent] = []
    for stream in streams:
        try:
            found += _of_stream(store, stream, wanted, since_ms, most)
        except Corrupt:
            if strict:
                raise
    found.sort(key=lambda event: (event.at_ms, event.stream, event.version))
    return found if most is None else found[max(0, len(found) - most) :]


def events_after(store: Store, ends: Mapping[str, int]) -> EventsSince:
    """The events that have come since each stream ended there; one that is not named is read from its first entry.

    A stream that does not read holds up none of the others.
    """
    found, now, faults = [], {}, []
    for stream in STREAMS:
        after = now[stream] = ends.get(stream, 0)
        try:
            for entry in islice(entries_of(store, stream, after), _AT_ONCE):
                event = _read(entry)
                found += [event] if event is not None else []
                now[stream] = entry.version
        except Corrupt as error:
            faults.append(error.message)
    found.sort(key=lambda event: (event.at_ms, event.stream, event.version))
    return EventsSince(found, now, tuple(faults))


def _of_stream(
    store: Store, stream: str, wanted: set[EventKind], since_ms: int, most: int | None
) -> Iterator[SignificantEvent]:
    """The events of one stream, read backwards as far as need be; what is not wanted any more is left out later."""
    end = end_of(store, stream)
    found: list[SignificantEvent] = []
    before = end
    for after in pages(end):
        page = [*islice(entries_of(store, stream, after), before - after)]
        before = after
        events = [event for event in map(_read, page) if event is not None]
        found = [each for each in events if each.kind in wanted and each.at_ms >= since_ms] + found
        if most is not None and len(found) >= most:
            break
        if events and max(each.at_ms for each in events) < since_ms - _LATE_MS:
            break
    yield from found


def _read(entry: Entry) -> SignificantEvent | None:
    try:
        return event_of(entry)
    except ValueError as error:
        raise does_not_read(entry, error) from None
