"""Significant events: starts and stops, authority, clocks, audits and the like, read from the streams that have them.

The journal has what no other stream has. Accounts, refusals, tickets, keys and decisions have streams of their own that
are read here beside it. Nothing is written twice.
"""

from punto.record.significant.event import EventKind, Severity, SignificantEvent
from punto.record.significant.reading import STREAMS, EventsSince, events_after, last_events
from punto.record.significant.sources import unwritten

__all__ = [
    "STREAMS",
    "EventKind",
    "EventsSince",
    "Severity",
    "SignificantEvent",
    "events_after",
    "last_events",
    "unwritten",
]
