"""What people did to the store itself, as an audit reports it: who, when, why, and what was given up."""

from contextlib import closing
from pathlib import Path

import msgspec
from tests.floor.floors import KEYS, START_MS, House
from tests.floor.test_repairing import WHO, add, play_on
from tests.floor.test_rotating import NEW, rotated
from tests.record.old_logs import KEYS as OLD_KEYS
from tests.record.old_logs import LOGS, stores_of
from tests.record.play import KEYS as PLAY_KEYS
from tests.record.play import T1

from punto.floor.migrating import migrate
from punto.floor.repairing import set_aside
from punto.floor.sequencer import Sequencer
from punto.proof.lastheads import last_heads
from punto.record import InterventionKind, Voucher, audit
from punto.store import MemoryStore, SqliteStore
from punto.store.backup import back_up


def test_a_decision_to_go_on_from_a_copy_says_what_was_given_up(tmp_path: Path) -> None:
    with closing(SqliteStore(tmp_path / "floor.db")) as store:
        house = House(store).round_only()
        back_up(tmp_path / "floor.db", tmp_path / "copy.db")
        house.round("T2")
        Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(START_MS)
        size = (tmp_path / "outside" / "checkpoint").read_text().splitlines()[1]
    with closing(SqliteStore(tmp_path / "copy.db")) as store:
        heads = sum(head.number - 1 for head in last_heads(store).heads.values())
        assert 0 < heads < int(size)
        Sequencer(House(store).floor.history, [tmp_path / "outside"]).accept(START_MS, "greta", "the copy of noon")
        report = audit(store, public_key=KEYS.public)
    assert report.clean
    [done] = report.interventions
    assert (done.kind, done.at_ms, done.by, done.reason) == (
        InterventionKind.ACCEPTED,
        START_MS,
        "greta",
        "the copy of noon",
    )
    assert done.what == (
        f"decided to go on with the {heads} heads in the store; outside there was a checkpoint of {size} heads"
    )


def test_a_repair_says_what_was_set_aside(tmp_path: Path) -> None:
    store = play_on(MemoryStore())
    added = add(store, T1)
    forged = add(store, "decisions", b'{"at_ms":1,"by":"nobody","reason":"none","checkpoints":0,"outside":""}')
    assert audit(store, public_key=PLAY_KEYS.public).interventions == (), "nobody has signed that decision"
    set_aside(store, PLAY_KEYS, WHO, tmp_path / "aside")
    [done] = audit(store, public_key=PLAY_KEYS.public).interventions
    assert (done.kind, done.at_ms, done.by, done.reason) == (InterventionKind.REPAIRED, WHO.at_ms, WHO.by, WHO.reason)
    assert done.aside == {T1: (added.version, added.version), "decisions": (forged.version, forged.version)}
    assert done.what.startswith("set aside 2 entries of decisions, table/T1, which nobody had signed, in the file with")
    assert done.file in done.what


def test_rotations_and_migrations_are_listed_and_the_key_is_named() -> None:
    store = next(stores_of(LOGS / "0.4-tickets.jsonl"))[1]
    [old_head] = list(store.read("heads"))[-1:]
    migrate(store, OLD_KEYS, START_MS - 1, "hugo")
    report = audit(store, public_key=OLD_KEYS.public)
    [done] = report.interventions
    assert (done.kind, done.by, done.what) == (
        InterventionKind.MIGRATED,
        "hugo",
        "signed over a store of Punto 0.4 or earlier: 8 old heads, 4 streams",
    )
    rotated(House(store, OLD_KEYS), OLD_KEYS, NEW)
    report = audit(store, public_key=NEW.public)
    assert [each.kind for each in report.interventions] == [InterventionKind.MIGRATED, InterventionKind.ROTATED]
    assert report.interventions[-1].by == "greta"
    assert (report.key.public, report.key.vouched_by, report.key.former) == (
        NEW.public,
        Voucher.GIVEN,
        (OLD_KEYS.public,),
    )
    kept = audit(store, head=old_head.body)
    assert not kept.findings, "a head of before the migration vouches for the key, and rotations lead on from there"
    assert (kept.key, kept.clean) == (report.key.__class__(NEW.public, Voucher.OUTSIDE, (OLD_KEYS.public,)), True)


def test_a_store_that_only_vouches_for_itself_is_not_clean() -> None:
    store = House(MemoryStore()).round_only().store
    alone = audit(store)
    assert (alone.total, alone.clean) == (0, False)
    assert (alone.key.public, alone.key.vouched_by) == (KEYS.public, Voucher.STORE)
    kept = audit(store, head=msgspec.json.encode(last_heads(store)))
    assert (kept.clean, kept.key.vouched_by) == (True, Voucher.OUTSIDE)
