"""Stores of older Puntos: signed over once, otherwise left as they are, and judged by the rules of their day."""

import pytest
from tests.record.old_logs import KEYS, LOGS, came_to, stores_of

from punto.errors import Corrupt, NoSuchReceipt, OlderRecord, Refusal, WrongKey
from punto.floor import Floor, Keys
from punto.floor.migrating import migrate
from punto.floor.searching import search
from punto.proof.migrations import MIGRATIONS, read_migration
from punto.proof.receipts import TABLE
from punto.record import Code, audit
from punto.store import Entry, MemoryStore

AT_MS = 1_800_000_000_000


def old_store(name: str = "0.5") -> MemoryStore:
    return next(stores_of(LOGS / f"{name}.jsonl"))[1]


def copy_of(store: MemoryStore, **changed: Entry) -> MemoryStore:
    """The same store, with some entries in place of others."""
    copy = MemoryStore()
    for stream, _ in store.streams():
        for entry in store.read(stream):
            copy.append([changed.get(f"{stream} {entry.version}", entry)], {})
    return copy


@pytest.mark.parametrize("path", sorted(LOGS.glob("*.jsonl")), ids=lambda path: path.stem)
def test_every_old_store_is_migrated_and_comes_to_the_same(path: object) -> None:
    for expected, store in stores_of(path):  # type: ignore[arg-type]
        with pytest.raises(OlderRecord, match="punto migrate"):
            Floor(store, KEYS)
        before = {stream: list(store.read(stream)) for stream, _ in store.streams()}
        assert migrate(store, KEYS, AT_MS, "hugo") == len(before)
        assert {stream: list(store.read(stream)) for stream in before} == before
        assert came_to(store) == {name: value for name, value in expected.items() if name != "scenario"}
        floor = Floor(store, KEYS)
        for stream in before:
            if stream.startswith("table/"):
                assert floor.table(stream.removeprefix("table/")).phase.value == expected["phase"]
        report = audit(store, public_key=KEYS.public)
        assert not report.findings, str(report.findings[0])


def test_a_migration_is_on_record_and_happens_once() -> None:
    store = old_store()
    migrate(store, KEYS, AT_MS, "hugo")
    [entry] = store.read(MIGRATIONS)
    said = read_migration(entry.body)
    assert (said.at_ms, said.by) == (AT_MS, "hugo")
    with pytest.raises(Refusal, match="up to date"):
        migrate(store, KEYS, AT_MS, "hugo")
    with pytest.raises(Refusal, match="up to date"):
        migrate(MemoryStore(), KEYS, AT_MS, "hugo")


def test_a_store_of_another_key_or_with_unsigned_entries_is_left_alone() -> None:
    store = old_store()
    with pytest.raises(WrongKey, match="nothing was changed"):
        migrate(store, Keys.fresh(), AT_MS, "hugo")
    table = next(stream for stream, _ in store.streams() if stream.startswith("table/"))
    tip = store.tip(table)
    assert tip
    store.append([Entry(table, tip.version + 1, None, b"{}", b"x" * 32)], {})
    with pytest.raises(Corrupt, match="does not end where the old heads say"):
        migrate(store, KEYS, AT_MS, "hugo")
    assert store.tip(MIGRATIONS) is None


def test_older_commands_have_no_receipts_and_the_refusal_says_why() -> None:
    store = old_store()
    migrate(store, KEYS, AT_MS, "hugo")
    history = Floor(store, KEYS).history
    commands = [entry for stream, _ in store.streams(TABLE) for entry in store.read(stream) if entry.command]
    assert commands
    for entry in commands:
        with pytest.raises(NoSuchReceipt, match="signed before receipts existed"):
            search(store, history.believed, entry)


def test_an_id_that_is_blanked_after_the_migration_is_found() -> None:
    store = old_store()
    migrate(store, KEYS, AT_MS, "hugo")
    table = next(stream for stream, _ in store.streams() if stream.startswith("table/"))
    entry = next(entry for entry in store.read(table) if entry.command)
    blanked = copy_of(store, **{f"{table} {entry.version}": entry._replace(command=None)})
    codes = {(finding.code, finding.stream) for finding in audit(blanked, public_key=KEYS.public).findings}
    assert (Code.NOT_AS_SIGNED, table) in codes
