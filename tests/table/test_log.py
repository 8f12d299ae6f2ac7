"""A table's log and its snapshots, as bytes."""

import pytest
from tests.table.desk import DEALER, START_MS, Desk

from punto.errors import Corrupt
from punto.table import AnyEvent, Table, evolve
from punto.table import commands as do
from punto.table.log import ENCODER, Logged, fold, read, read_state, write_state

NO_EVENTS = pytest.mark.parametrize("body", [b"", b"{", b"[]", b'{"at_ms":1}', b"\xff"])


def played() -> tuple[Table, list[AnyEvent]]:
    """A table at which bets were opened and closed, and the events since it was opened."""
    desk = Desk()
    before = desk.table
    events = [event for kind in (do.LoadShoe, do.OpenBets, do.CloseBets) for event in desk(kind)]
    return before, events


def bodies_of(events: list[AnyEvent]) -> list[bytes]:
    return [ENCODER.encode(Logged(START_MS, DEALER, "c", event)) for event in events]


def test_a_log_that_is_read_again_gives_the_same_events_and_the_same_table() -> None:
    before, events = played()
    after = before
    for event in events:
        after = evolve(after, event)
    bodies = bodies_of(events)
    assert [read(body).event for body in bodies] == events
    assert fold(bodies, before) == after != before


@NO_EVENTS
def test_what_is_no_event_is_damage(body: bytes) -> None:
    before, events = played()
    with pytest.raises(Corrupt):
        read(body)
    with pytest.raises(Corrupt):
        fold([*bodies_of(events), body], before)


def test_a_snapshot_gives_the_table_back() -> None:
    table, _ = played()
    assert read_state(write_state(table)) == table


@pytest.mark.parametrize("body", [b"", b"{", b"[]", b"\xff", b'{"round":"one"}'])
def test_a_snapshot_that_does_not_read_or_is_of_another_make_is_none(body: bytes) -> None:
    make, colon, state = write_state(Table()).partition(b":")
    assert read_state(make + colon + body) is None
    assert read_state(b"another make" + colon + state) is None
