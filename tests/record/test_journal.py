"""The journal in the audit: it reads to the letter, people who cause events were there, and tables say the same."""

import json
from typing import Any

import msgspec
import pytest
from tests.record.forgery import Forgery
from tests.record.play import KEYS, play

from punto.program import Manifest, Reference
from punto.record import Code, audit
from punto.record import journal as noted
from punto.record.journal import JOURNAL, JournalEntry, read, write
from punto.rules import Position
from punto.store.contract import Entry

PLACE = "here:8421"
OPENED = {"type": "table-configured", "table": "T1", "version": 1, "change": "opened"}


def entry(store: Forgery, event: dict[str, Any], by: str = "floor", position: str = "system", **more: Any) -> None:  # noqa: ANN401
    """Write one more entry of the journal, under the last head."""
    body = {"at_ms": store.times[-1], "by": {"name": by, "position": position, "acting": False}, "event": event} | more
    entries = store.entries.setdefault(JOURNAL, [])
    store.covered.setdefault(JOURNAL, [])
    entries.append(Entry(JOURNAL, len(entries) + 1, None, json.dumps(body).encode(), b""))
    store.covered[JOURNAL].append(len(store.times) + 2)


def judged(store: Forgery) -> list[tuple[Code, str]]:
    store.sign(KEYS)
    return [(found.code, found.said) for found in audit(store, public_key=KEYS.public).findings]


def test_a_table_that_was_opened_is_in_the_journal_with_the_entry_of_its_log() -> None:
    store = play()
    [found] = [read(each.body) for each in store.entries[JOURNAL]]
    assert found.event == noted.TableConfigured("T1", 1, noted.TableChange.OPENED)
    assert (found.by.name, found.by.position) == ("eve", Position.PIT_SUPERVISOR)
    assert judged(store) == []


@pytest.mark.parametrize(
    ("event", "said"),
    [
        (OPENED | {"version": 7}, "table T1 was not opened by entry 7 of its log, as the journal says"),
        (OPENED | {"change": "closed", "version": 2}, "table T1 was not closed by entry 2"),
        (OPENED | {"table": "T9"}, "table T9 was not opened by entry 1"),
    ],
)
def test_the_journal_cannot_say_of_a_table_what_its_log_does_not(event: dict[str, Any], said: str) -> None:
    store = play()
    entry(store, event, "eve", "pit-supervisor")
    [(code, told)] = judged(store)
    assert code is Code.BAD_JOURNAL
    assert told.startswith(said)


def test_a_table_that_was_opened_behind_the_journals_back_is_found() -> None:
    store = play()
    store.entries[JOURNAL][0] = store.entries[JOURNAL][0]._replace(
        body=write(JournalEntry(store.times[0], noted.FLOOR, noted.TimeTrusted(1)))
    )
    assert judged(store) == [(Code.BAD_JOURNAL, "the journal does not have that table T1 was opened by entry 1")]


def test_a_store_of_before_there_was_a_journal_is_clean() -> None:
    store = play()
    store.drop(JOURNAL)
    assert judged(store) == []


@pytest.mark.parametrize(
    "event",
    [
        {"type": "floor-started", "place": PLACE, "release": "9", "python": "3", "former": "none"},
        {"type": "time-trusted"},
        {"type": "store-lost"},
        {"type": "sign-ins-failed", "name": "eve", "count": 1, "since_ms": 0, "reasons": {}},
    ],
)
def test_nobody_but_the_floor_notes_what_only_the_floor_can_know(event: dict[str, Any]) -> None:
    store = play()
    entry(store, event, "eve", "pit-supervisor")
    assert judged(store) == [(Code.BAD_JOURNAL, "eve is said to have caused what only the floor notes")]


@pytest.mark.parametrize(
    "event",
    [
        {"type": "earthquake"},
        {"type": "time-trusted", "after_s": "long"},
        {"type": "time-trusted", "more": 1},
        {},
    ],
)
def test_an_entry_that_does_not_read_is_found(event: dict[str, Any]) -> None:
    store = play()
    entry(store, event)
    [(code, said)] = judged(store)
    assert code is Code.UNREADABLE
    assert said.startswith("an entry of the journal that does not read")


def test_what_the_floors_file_said_before_is_what_the_journal_had() -> None:
    store = play()
    first = {"type": "configuration-changed", "place": PLACE, "values": {"port": "1", "name": "Punto"}}
    entry(store, first)
    entry(store, first | {"values": {"port": "2", "name": "Punto"}, "before": {"port": "1"}})
    entry(store, first | {"place": "elsewhere:1", "values": {"port": "7"}})
    assert judged(store) == []
    entry(store, first | {"values": {"port": "3"}, "before": {"port": "2"}})
    assert judged(store) == [(Code.BAD_JOURNAL, "the floor's file is said to have changed otherwise than it did")]


def expected(version: str = "1", python: str = "3.11", *, release: bool = False, **more: Any) -> dict[str, Any]:  # noqa: ANN401
    """What a program is compared with from now on."""
    manifest = {"version": version, "root": "ab", "files": {"a.py": "cd"}, "beside": {"python": python}}
    return {"type": "program-expected", "host": "here", "reference": {"manifest": manifest, "release": release}} | more


@pytest.mark.parametrize(
    ("later", "said"),
    [
        (expected(), None),
        (expected("2"), "the program on here was compared with another, and nobody had decided so"),
        (expected("2", release=True), None),
        (expected(release=True), None),
        (expected(python="3.12", release=True), "the program on here was compared with another, and nobody had"),
        (expected("2", who="Ann", reason="an upgrade"), None),
        (expected("2", who="Ann"), "Ann is said to have accepted another program, and no reason is given"),
        (expected("2", host="there"), None),
    ],
)
def test_a_program_is_compared_with_another_only_where_a_person_or_its_release_says_so(
    later: dict[str, Any], said: str | None
) -> None:
    store = play()
    entry(store, expected())
    entry(store, later)
    found = judged(store)
    if said is None:
        assert found == []
    else:
        [(code, told)] = found
        assert code is Code.BAD_JOURNAL
        assert told.startswith(said)


@pytest.mark.parametrize("kind", noted.JournalEvent.__subclasses__())
def test_every_event_is_read_as_it_was_written(kind: type[noted.JournalEvent]) -> None:
    values = {name: _value(each) for name, each in zip(kind.__struct_fields__, _types(kind), strict=True)}
    event: Any = kind(**values)
    assert read(write(JournalEntry(5, noted.FLOOR, event, "s"))) == JournalEntry(5, noted.FLOOR, event, "s")


def _types(kind: type[noted.JournalEvent]) -> list[Any]:
    return [field.type for field in msgspec.structs.fields(kind)]


def _value(of: Any) -> Any:  # noqa: ANN401
    """Some value of a type."""
    if of is Manifest:
        return Manifest("1", "ab", {"a.py": "cd"})
    if of is Reference:
        return Reference(Manifest("1", "ab", {"a.py": "cd"}), release=True)
    found: Any = msgspec.json.schema(of)
    while "$ref" in found:
        found = found["$defs"][found["$ref"].rpartition("/")[2]]
    if "enum" in found:
        return of(found["enum"][-1])
    if found["type"] == "object":
        return {"a": _value(int if found["additionalProperties"]["type"] == "integer" else str)}
    return {"string": "x", "integer": 3, "boolean": True, "array": ("x",)}[found["type"]]
