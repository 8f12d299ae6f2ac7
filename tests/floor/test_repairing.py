"""Repair of a store: what nobody has signed is set aside under a recorded decision, and nothing else is touched."""

import json
import sqlite3
from collections.abc import Callable
from contextlib import closing
from functools import cache
from pathlib import Path
from typing import Final

import msgspec
import pytest
from tests.floor.attacker import Attacker
from tests.record.play import KEYS, T1, TERMINALS
from tests.store.places import Place, written

from punto.errors import PuntoError, Refusal, StoreLocked, StoreRewritten, StreamStopped
from punto.floor import Floor
from punto.floor.comparing import Comparison, Decision
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.repairing import Survey, Who, rows_of, set_aside, survey
from punto.floor.scenario import Runner, read_scenario
from punto.floor.sequencer import Sequencer
from punto.proof.pins import DECISIONS
from punto.record import audit
from punto.store import Entry, MemoryStore, SqliteStore, Store, open_store
from punto.store.contract import Tip

WHO: Final = Who("Ann Tan", "an entry that nobody knows of", 1_800_000_000_000)
HEADS_OF_MALLORY: Final = "heads/" + "f" * 16
STREAMS: Final = (
    T1,
    "wallet/ann",
    "book/T1",
    "security",
    "tickets",
    "identity/staff",
    "decisions",
    "checkpoints",
    "keys",
    "purse/ann",
    HEADS_OF_MALLORY,
)


@cache
def _played(keys: Keys) -> MemoryStore:
    store = MemoryStore()
    for step in Runner(store, read_scenario(TERMINALS.replace(",\n ", ", ")), keys=keys).run():
        assert step.refusal is None or step.checked
    return store


def play_on(store: Store, keys: Keys = KEYS) -> Store:
    """What a floor that was open on a store has left there."""
    store.append([entry for entries in state(_played(keys)).values() for entry in entries], {})
    return store


def add(store: Store, stream: str, body: bytes = b"{}") -> Entry:
    """Add an entry, chained as it should be, that nobody has signed."""
    [entry] = written(stream, body, since=store.tip(stream))
    store.append([entry], {})
    return entry


def state(store: Store) -> dict[str, list[Entry]]:
    return {name: list(store.read(name)) for name, _ in store.streams()}


def test_a_store_in_order_needs_no_repair(place: Place, tmp_path: Path) -> None:
    store = play_on(place.open())
    before = state(store)
    found = survey(store, KEYS)
    assert (found.wrong, found.streams) == ((), len(before))
    with pytest.raises(Refusal, match="there is nothing to set aside"):
        set_aside(store, KEYS, WHO, tmp_path / "aside")
    assert state(store) == before
    assert not (tmp_path / "aside").exists()


def test_what_nobody_has_signed_is_set_aside_under_a_decision(place: Place, tmp_path: Path) -> None:
    store = play_on(place.open())
    before = state(store)
    added = [add(store, stream) for stream in STREAMS]
    found = survey(store, KEYS)
    assert [(each.stream, each.unsigned, each.fault) for each in found.wrong] == [
        (stream, 1, "") for stream in sorted(STREAMS)
    ]
    moved = set_aside(store, KEYS, WHO, tmp_path / "aside")
    assert moved == {entry.stream: (entry.version, entry.version, 1) for entry in added}
    assert sorted(map(Entry._make, rows_of(tmp_path / "aside"))) == sorted(added), "not one is lost"
    after = state(store)
    [decision] = after.pop("decisions")
    said = json.loads(decision.body)
    assert (said["by"], said["reason"], said["aside"][T1]) == (WHO.by, WHO.reason, [moved[T1].first, moved[T1].last])
    [writer] = after.keys() - before.keys()
    assert writer.startswith("heads/")
    assert {name: entries for name, entries in after.items() if name != writer} == before
    # What is left opens, and goes on.
    assert survey(store, KEYS).wrong == ()
    floor = Floor(store, KEYS)
    assert floor.look_over_all() == {}
    floor.recover(1_800_000_000_001)
    assert audit(store, public_key=KEYS.public).clean
    with pytest.raises(Refusal):
        set_aside(store, KEYS, WHO, tmp_path / "again")


STRANGE: Final = (
    "'x', 'cmd-x', x'65', x'01'",
    "x'ff', CAST(x'ff' AS TEXT), x'65', x'01'",
    "35, 7, 'TEXT', x'01'",
    "37, x'00', CAST(x'ff00' AS TEXT), 'HASH'",
    "38.5, 1.5, 12345, 9e999",
    "9223372036854775807, NULL, x'65', x'01'",
    "3.5, NULL, x'65', x'01'",
    "0.5, NULL, x'65', x'01'",
    "0, NULL, x'65', x'01'",
    "-3, NULL, x'65', x'01'",
)


def test_every_value_of_a_strange_row_is_set_aside_as_the_database_has_it(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    with closing(SqliteStore(path)) as store:
        play_on(store)
        before = state(store)
    with closing(sqlite3.connect(path)) as somebody:
        for values in STRANGE:
            somebody.execute(f"INSERT INTO entries VALUES ('{T1}', {values})")  # noqa: S608
        somebody.commit()
        columns = "version", "command", "body", "hash"
        told = ", ".join(f"typeof({column}), quote(CAST({column} AS BLOB))" for column in columns)
        everything = f"SELECT stream, {told} FROM entries ORDER BY stream, version, rowid"  # noqa: S608
        there = somebody.execute(everything).fetchall()
    with closing(SqliteStore(path)) as store:
        [wrong] = survey(store, KEYS).wrong
        assert (wrong.unsigned, wrong.stored) == (len(STRANGE), 2**63 - 1)
        assert set_aside(store, KEYS, WHO, tmp_path / "aside") == {T1: (-3, 2**63 - 1, len(STRANGE))}
        assert survey(store, KEYS) == Survey(len(before) + 2, ())
        assert {name: entries for name, entries in state(store).items() if name in before} == before
        [done] = audit(store, public_key=KEYS.public).interventions
        assert (done.rows, f"set aside {len(STRANGE)} entries of {T1}" in done.what) == ({T1: len(STRANGE)}, True)
    with closing(sqlite3.connect(path)) as somebody:  # what the file says, put back, is what was there
        kept = [tuple(before) for entries in before.values() for before in entries]
        somebody.execute("DELETE FROM entries")
        for row in [*kept, *rows_of(tmp_path / "aside")]:
            texts = [each.encode(errors="surrogateescape") if isinstance(each, str) else each for each in row]
            marks = ", ".join("CAST(? AS TEXT)" if isinstance(each, str) else "?" for each in row)
            somebody.execute(f"INSERT INTO entries VALUES ({marks})", texts)  # noqa: S608
        assert somebody.execute(everything).fetchall() == there


def test_what_unsigned_entries_claim_is_told(place: Place) -> None:
    store = play_on(place.open())
    opened = next(entry for entry in store.read(T1) if b'"bets-opened"' in entry.body)
    booked = next(entry for entry in store.read("wallet/ann"))
    for _ in range(2):
        add(store, T1, opened.body)
        add(store, "wallet/ann", booked.body)
    add(store, "wallet/ann", b"no transfer at all")
    told = {each.stream: (each.unsigned, each.rounds, each.cents) for each in survey(store, KEYS).wrong}
    assert told == {T1: (2, 2, 0), "wallet/ann": (3, 0, 200_000)}


Damage = Callable[[Attacker], object]
SIGNED: Final[dict[str, tuple[Damage, str]]] = {
    "missing": (lambda attacker: attacker.cut(T1, 3), "entries 4 to"),
    "altered": (
        lambda attacker: attacker.edit(T1, 3, lambda body: body.update(at_ms=1), chain=False),
        "are not those that were signed",
    ),
    "gone": (lambda attacker: attacker.cut("wallet/ann", 0), "entries 1 to"),
}


@pytest.mark.parametrize("kind", SIGNED)
def test_what_was_signed_is_never_touched(tmp_path: Path, kind: str) -> None:
    damage, said = SIGNED[kind]
    url = f"sqlite:{tmp_path / 'floor.db'}"
    with closing(open_store(url)) as store:
        play_on(store)
    damage(Attacker(url))
    with closing(open_store(url)) as store:
        before = state(store)
        [wrong] = survey(store, KEYS).wrong
        assert said in wrong.fault
        assert not wrong.unsigned
        with pytest.raises(Refusal, match="nothing to set aside"):
            set_aside(store, KEYS, WHO, tmp_path / "aside")
        assert state(store) == before
        # Beside it, what nobody has signed is set aside all the same, and the damaged stream stays stopped.
        add(store, "wallet/bob")
        assert set(set_aside(store, KEYS, WHO, tmp_path / "aside")) == {"wallet/bob"}
        assert wrong.stream in {each.stream for each in survey(store, KEYS).wrong}
        with pytest.raises(StreamStopped):
            list(History(store, KEYS).read(wrong.stream))


def test_a_store_that_is_open_elsewhere_is_not_changed(place: Place, tmp_path: Path) -> None:
    store = play_on(place.open())
    if isinstance(store, MemoryStore):
        return  # nobody else can open it
    add(store, T1)
    before = state(store)
    other = place.open()
    list(other.read(T1))
    with pytest.raises(StoreLocked):
        set_aside(store, KEYS, WHO, tmp_path / "aside")
    assert not (tmp_path / "aside").exists()
    other.close()
    assert state(store) == before
    set_aside(store, KEYS, WHO, tmp_path / "aside")


def test_a_store_that_is_older_than_its_checkpoints_is_not_repaired(tmp_path: Path) -> None:
    path, outside = tmp_path / "floor.db", tmp_path / "outside"
    with closing(SqliteStore(path)) as store:
        play_on(store)
        history = History(store, KEYS)
        sequencer = Sequencer(history, [outside])
        sequencer.begin()
        assert sequencer.checkpoint(1)
        add(store, T1)
        survey(store, KEYS, [outside])
    attacker = Attacker(f"sqlite:{path}")
    attacker.cut(attacker.heads(), 5)
    with closing(SqliteStore(path)) as store:
        before = state(store)
        for folders in ((), (outside,)):
            with pytest.raises(StoreRewritten):
                survey(store, KEYS, folders)
        with pytest.raises(StoreRewritten):
            set_aside(store, KEYS, WHO, tmp_path / "aside")
        assert state(store) == before
    assert not (tmp_path / "aside").exists()


def test_a_repair_that_cannot_write_its_file_changes_nothing(tmp_path: Path) -> None:
    store = play_on(MemoryStore())
    add(store, T1)
    before = state(store)
    for file in (tmp_path / "no" / "folder", tmp_path):
        with pytest.raises(PuntoError, match="nothing was set aside"):
            set_aside(store, KEYS, WHO, file)
    assert state(store) == before


def test_a_decision_to_repair_is_none_to_open_without_checkpoints(tmp_path: Path) -> None:
    store = play_on(MemoryStore())
    history = History(store, KEYS)
    Sequencer(history, [tmp_path / "outside"]).checkpoint(1)
    Sequencer(history, ()).accept(1, "Ann Tan", "a new disk")
    accepted = Comparison(history, (), ()).decided()
    add(store, T1)
    set_aside(store, KEYS, WHO, tmp_path / "aside")
    assert Comparison(History(store, KEYS), (), ()).decided() == accepted
    last = list(store.read(DECISIONS))[-1]
    assert json.loads(last.body).keys() >= {"aside", "file"}
    old = msgspec.json.decode(next(store.read(DECISIONS)).body, type=Decision)
    assert (old.aside, old.file) == ({}, ""), "decisions of before have neither"
    assert store.tip(DECISIONS) == Tip(last.version, last.hash)
