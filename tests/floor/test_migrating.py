"""Stores of older Puntos: signed over once, otherwise left as they are, and judged by the rules of their day."""

import pytest
from tests.record.old_logs import KEYS, LOGS, came_to, stores_of

from punto.errors import Corrupt, NoSuchReceipt, OlderRecord, Refusal, WrongKey
from punto.floor import Floor, Keys
from punto.floor.migrating import migrate
from punto.floor.searching import search
from punto.floor.tickets import read_note
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


# Those of before heads had writers; the others need no migration.
WITH_WRITERS = ("0.5-aside", "0.6")
OLD = sorted(path for path in LOGS.glob("*.jsonl") if path.stem not in WITH_WRITERS)


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
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


@pytest.mark.parametrize("kept", [None, "another id"])
@pytest.mark.parametrize("prefix", ["ticket-", "redeem-", "c3"])
def test_an_id_that_is_changed_before_the_migration_is_found_and_nothing_is_signed_over(
    prefix: str, kept: str | None
) -> None:
    """Punto 0.4 asked the store whether a ticket was redeemed: who blanks the id can redeem it twice."""
    store = old_store("0.4-tickets")
    entry = next(each for each in store.read("table/T1") if (each.command or "").startswith(prefix))
    changed = copy_of(store, **{f"table/T1 {entry.version}": entry._replace(command=kept)})
    found = audit(changed, public_key=KEYS.public).findings
    assert [(each.code, each.version) for each in found] == [(Code.BAD_COMMAND, entry.version)]
    with pytest.raises(Corrupt, match=f"table/T1: entry {entry.version} is kept under .*nothing was changed"):
        migrate(changed, KEYS, AT_MS, "hugo")
    assert changed.tip(MIGRATIONS) is None


def test_a_wallet_entry_under_an_id_is_not_signed_over() -> None:
    """An id that stands there is taken: its command could never be given."""
    store = old_store("0.4-tickets")
    entry = next(iter(store.read("wallet/bob")))
    changed = copy_of(store, **{"wallet/bob 1": entry._replace(command="redeem-x")})
    with pytest.raises(Corrupt, match="wallet/bob: entry 1 is kept under id 'redeem-x', and was written under no id"):
        migrate(changed, KEYS, AT_MS, "hugo")


def test_a_ticket_that_was_redeemed_before_the_migration_is_not_redeemed_after_it() -> None:
    """Its issue bears a later time than its redemption: the clocks of the two tables differed."""
    store = old_store("0.4-tickets")
    migrate(store, KEYS, AT_MS, "hugo")
    state: dict[str, str] = {}
    for entry in store.read("tickets"):
        note = read_note(entry.body)
        assert (state.get(note.ticket), note.step.value) in {(None, "issued"), ("issued", "redeemed")}
        state[note.ticket] = note.step.value
    assert sorted(state.values()) == ["issued", "redeemed", "redeemed"]


def test_an_id_that_is_blanked_after_the_migration_is_found() -> None:
    store = old_store()
    migrate(store, KEYS, AT_MS, "hugo")
    table = next(stream for stream, _ in store.streams() if stream.startswith("table/"))
    entry = next(entry for entry in store.read(table) if entry.command)
    blanked = copy_of(store, **{f"{table} {entry.version}": entry._replace(command=None)})
    codes = {(finding.code, finding.stream) for finding in audit(blanked, public_key=KEYS.public).findings}
    assert (Code.NOT_AS_SIGNED, table) in codes
