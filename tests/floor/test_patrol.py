"""The patrol: damage long before the end of a stream is found while the floor is open."""

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import KEYS, START_MS, House
from tests.store.places import Place

from punto.floor.history import History
from punto.floor.patrol import Patrol
from punto.floor.repairing import survey
from punto.store import Entry

STORES = pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)


def played(place: Place) -> str:
    """A record with some rounds in it, whose floor is closed; the stream of its heads."""
    house = House(place.open()).open()
    for _ in range(3):
        house.round("T2")
    house.floor.keep_all()
    place.close()
    return Attacker(place.url).heads()


def gone_round(history: History, entries: int) -> list[str]:
    """The streams that are stopped after a round."""
    patrol = Patrol(history.store, history.coverage)
    for _ in range(10_000):
        if patrol.step(entries):
            return sorted(history.coverage.stopped)
    raise AssertionError("the round never ends")


@STORES
@pytest.mark.parametrize("entries", [1, 7, 10_000])
def test_a_round_over_a_whole_record_stops_nothing_and_the_next_one_is_the_same(place: Place, entries: int) -> None:
    played(place)
    history = History(place.open(), KEYS)
    assert gone_round(history, entries) == gone_round(history, entries) == []


@STORES
@pytest.mark.parametrize("stream", ["wallet/bob", "table/T2", "heads"])
@pytest.mark.parametrize("column", ["body", "hash"])
def test_damage_in_the_middle_of_a_stream_is_found(place: Place, stream: str, column: str) -> None:
    heads = played(place)
    stream = heads if stream == "heads" else stream
    attacker = Attacker(place.url)
    attacker.run(f"UPDATE entries SET {column} = ? WHERE stream = ? AND version = 3", b"\0" * 32, stream)  # noqa: S608
    history = History(place.open(), KEYS)
    history.watch_all()
    assert not history.coverage.stopped, "its end is whole, and nobody looks further"
    assert gone_round(history, 10) == [stream]
    assert "signed" in history.coverage.stopped[stream].message


@STORES
def test_what_is_written_while_the_patrol_goes_round_does_not_disturb_it(place: Place) -> None:
    house = House(place.open()).open()
    patrol = Patrol(house.store, house.floor.history.coverage)
    over = False
    while not over:
        over = patrol.step(60)
        house.floor.note([("security", b"{}")], {}, START_MS)
    house.round("T2")
    assert gone_round(house.floor.history, 100) == []


@STORES
def test_a_repair_names_damage_in_the_middle_of_the_heads(place: Place) -> None:
    heads = played(place)
    Attacker(place.url).run("UPDATE entries SET body = ? WHERE stream = ? AND version = 4", b"\0", heads)
    [wrong] = survey(place.open(), KEYS).wrong
    assert (wrong.stream, wrong.fault) == (heads, "head 4 is not the one that was signed")


@STORES
@pytest.mark.parametrize("version", [0, -1])
def test_a_row_that_nobody_reads_is_found_by_the_database_s_own_check(place: Place, version: int) -> None:
    played(place)
    Attacker(place.url).insert(Entry("table/T1", version, None, b"{}", bytes(32)))
    [fault] = place.open().faults()
    assert (fault.hidden, fault.said) == (True, f"'table/T1': an entry of version {version}, which no stream has")
