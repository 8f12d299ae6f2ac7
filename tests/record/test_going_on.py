"""An audit that goes on from where one before has come to reports what a whole one does, whatever happened since."""

import pickle
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random

import pytest
from tests.floor.floors import ANN, SHIFT, START_MS, House
from tests.floor.floors import KEYS as HOUSE_KEYS
from tests.floor.test_rotating import NEW, rotated
from tests.record.cuts import at_random, first_heads, gone_on, now
from tests.record.forgery import Forgery
from tests.record.old_logs import KEYS as OLD_KEYS
from tests.record.old_logs import LOGS, stores_of
from tests.record.play import COUNTED, DEALT, KEYS, METHOD_C, REBUILT, T1, TERMINALS, VIRTUAL, play
from tests.record.staffed import SESSIONS, staffed
from tests.width import SEED, width

from punto.casino.run import played
from punto.floor.migrating import migrate
from punto.floor.sequencer import Sequencer
from punto.proof.rotations import KEYS as ROTATIONS
from punto.proof.rotations import Rotation, rotations_in_place
from punto.record import Code, audit
from punto.record.audit import audit_on
from punto.record.progress import Progress, read_progress
from punto.store import MemoryStore
from punto.store.contract import Entry, Fault, Store
from punto.table import Setup, Source
from punto.table import commands as do

PLAYED = (TERMINALS, DEALT, VIRTUAL, METHOD_C, REBUILT, COUNTED)
Tamper = Callable[[Forgery], object]


def of(store: Forgery) -> int:
    return len(store.entries[store.heads]) - 1


# What happened since


@pytest.mark.parametrize("text", PLAYED)
def test_going_on_after_any_head_reports_what_a_whole_audit_does(text: str) -> None:
    store = play(text)
    for count in range(1, of(store), width(4, 1)):
        before, after = gone_on([first_heads(store, count), store], KEYS.public)
        assert (after.anew, after.before) == ("", before.report.counts.entries)


def test_people_who_are_on_record_are_known_after_any_head() -> None:
    store = staffed()
    for count in range(1, of(store), width(4, 1)):
        assert gone_on([first_heads(store, count), store], KEYS.public)[-1].before


def paid_more(store: Forgery) -> None:
    version = store.version_of(T1, "round-settled", -1)
    store.edit(T1, version, lambda body: body["event"]["payments"][0].update(paid_cents=1))


def in_no_session(store: Forgery) -> None:
    store.edit(T1, store.version_of(T1, "bets-opened", -1), lambda body: body.update(session="0" * 32))


def not_proved(store: Forgery) -> None:
    store.edit(SESSIONS, len(store.entries[SESSIONS]), lambda body: body["event"].update(session="0" * 32))


@pytest.mark.parametrize("tamper", [paid_more, in_no_session, not_proved])
def test_who_has_the_key_and_cheats_is_found_whether_before_or_after(tamper: Tamper) -> None:
    store = staffed()
    tamper(store)
    store.sign(KEYS)
    wrong = False
    for count in (*range(1, of(store), width(3, 1)), of(store) - 1):
        before, after = gone_on([first_heads(store, count), store], KEYS.public)
        assert after.report.total
        wrong |= bool(before.report.total and after.before)
    assert wrong, "an audit goes on although something is wrong before"


EDITS = [
    lambda store: store.edit(T1, len(store.entries[T1]) - 2, lambda body: body.update(at_ms=1)),
    lambda store: store.remove("wallet/ann", len(store.entries["wallet/ann"])),
    lambda store: store.swap(T1, len(store.entries[T1]) - 3),
    lambda store: store.cut(store.heads, of(store)),
    lambda store: store.write(store.heads, of(store), b"{}"),
    lambda store: store.insert(T1, len(store.entries[T1]), {"nonsense": True}),
    lambda store: store.entries.update({"odd": [Entry("odd", 1, None, b"{}", b"")]}),
]


@pytest.mark.parametrize("tamper", EDITS)
def test_what_was_tampered_with_since_is_found_as_a_whole_audit_finds_it(tamper: Tamper) -> None:
    store, whole = play(), play()
    tamper(store)
    before = audit_on(first_heads(whole, of(whole) // 2), public_key=KEYS.public)
    after = audit_on(store, public_key=KEYS.public, progress=before.progress)
    assert after.before
    assert after.report == audit(store, public_key=KEYS.public)
    assert after.report.total


@pytest.mark.parametrize("seed", range(width(4, 60)))
@pytest.mark.parametrize("attacked", [False, True])
def test_a_casino_with_restarts_rotations_and_clocks_that_jump_is_audited_piece_by_piece(
    seed: int, attacked: bool
) -> None:
    chance = Random(f"{SEED}/{seed}")
    casino, _ = played(width(24, SEED % 1_000_000) + seed, attacked=attacked)
    moments = list(casino.journal.history())
    stages = [held(each) for each in (*chance.sample(moments[:-1], min(3, len(moments) - 1)), moments[-1])]
    stages.sort(key=lambda stage: sum(tip.version for _, tip in stage.streams()))
    progress, behind = b"", chance.choice((0, 3, 1_000))
    for stage in stages:
        public = key_of(stage, casino.keys.public)
        audited = audit_on(stage, public_key=public, progress=progress, behind=behind)
        expected = audit(stage, public_key=public)
        told = [each for each in audited.report.findings if each.code is not Code.REWRITTEN]
        assert (told, audited.report.counts) == (list(expected.findings), expected.counts)
        progress = audited.progress


def held(streams: dict[str, list[Entry]]) -> Store:
    store = MemoryStore()
    store._streams = streams  # noqa: SLF001 (also what no store would take)
    return now(store)


def key_of(store: Store, newest: str) -> str:
    """The floor's key of that time."""
    rotations = [each for each in rotations_in_place(store.read(ROTATIONS)) if isinstance(each, Rotation)]
    return rotations[-1].new if rotations else newest


def test_several_writers_go_on_beside_each_other(tmp_path: Path) -> None:
    store = MemoryStore()
    one = House(store).open()
    other = House(store, ids=100)
    sequencer = Sequencer(other.floor.history, [tmp_path / "outside"])
    stages: list[Store] = []
    for turn in range(4):
        one.give(do.BuyIn, ANN, cents=100)
        stages.append(now(store))
        other.round("T2")
        sequencer.checkpoint(START_MS + 1_000 + turn)
        stages.append(now(store))
    for behind in (0, 5, 1_000):
        assert any(each.before for each in gone_on(stages, HOUSE_KEYS.public, behind))


def test_heads_that_come_before_what_was_read_have_everything_read_again() -> None:
    store = MemoryStore()
    late, early = House(store, ids=60_000).round_only(), House(store, ids=10)
    before = now(store)
    early.give(do.OpenTable, SHIFT, "T7", setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    audited = gone_on([before, now(store)], HOUSE_KEYS.public)[-1]
    assert audited.anew == "a writer has signed what comes before what it had read"
    assert late.floor is not early.floor


def test_a_key_that_was_rotated_has_everything_read_again() -> None:
    old = House(MemoryStore()).round_only()
    before = now(old.store)
    new = rotated(old)
    stages = [before, now(new.store)]
    first = audit_on(stages[0], public_key=HOUSE_KEYS.public)
    second = audit_on(stages[1], public_key=NEW.public, progress=first.progress)
    assert (second.before, second.anew) == (0, "the floor has another key")
    new.round("T2")
    assert gone_on([stages[1], now(new.store)], NEW.public)[-1].before, "and after that it goes on"


@pytest.mark.parametrize("name", ["0.2", "0.4-tickets", "0.5"])
def test_a_store_that_was_migrated_goes_on_after_its_migration(name: str) -> None:
    store = next(stores_of(LOGS / f"{name}.jsonl"))[1]
    assert audit_on(store, public_key=OLD_KEYS.public).progress == b"", "no writer has signed it yet"
    migrate(store, OLD_KEYS, 1_800_000_000_000, "hugo")
    before = now(store)
    new = House(store, OLD_KEYS, ids=10**12)
    new.give(do.OpenTable, SHIFT, "T7", setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    first, second = gone_on([before, now(store)], OLD_KEYS.public)
    assert not second.report.findings
    assert second.before == first.report.counts.entries


# What was read, and is not there any more


def test_a_past_that_was_cut_short_is_a_finding_although_all_that_is_left_is_in_order() -> None:
    store = play()
    before = audit_on(store, public_key=KEYS.public)
    shorter = first_heads(store, of(store) - 2)
    assert audit(shorter, public_key=KEYS.public).clean
    after = audit_on(shorter, public_key=KEYS.public, progress=before.progress)
    assert {each.code for each in after.report.findings} == {Code.REWRITTEN}
    assert (after.anew, after.before) == ("what it had read is not there any more", 0)
    assert after.progress == before.progress, "and it stays a finding"
    again = audit_on(shorter, public_key=KEYS.public, progress=after.progress, whole=True)
    assert again.report.total == after.report.total


def test_a_past_that_was_signed_anew_is_a_finding() -> None:
    store, other = play(), play()
    before = audit_on(store, public_key=KEYS.public)
    other.edit(T1, 2, lambda body: body.update(at_ms=body["at_ms"]))
    other.sign(KEYS)
    after = audit_on(other, public_key=KEYS.public, progress=before.progress)
    assert after.report.findings[0].code is Code.REWRITTEN
    assert str(after.report.findings[0]).endswith("(rewritten)")


def test_an_end_that_is_another_entry_is_found_by_a_whole_audit_and_told() -> None:
    store = play()
    before = audit_on(store, public_key=KEYS.public)
    store.edit(T1, len(store.entries[T1]), lambda body: body.update(at_ms=1))
    after = audit_on(store.chain(), public_key=KEYS.public, progress=before.progress)
    assert after.report.findings[0].code is Code.REWRITTEN
    assert after.report.findings[1:] == audit(store, public_key=KEYS.public).findings


def test_a_decision_to_go_on_from_an_older_store_explains_what_is_gone(tmp_path: Path) -> None:
    store = MemoryStore()
    house = House(store).round_only()
    older = {name: [*store.read(name)] for name, _ in store.streams()}
    house.round("T2")
    Sequencer(house.floor.history, [tmp_path / "outside"]).checkpoint(START_MS)
    before = audit_on(store, public_key=HOUSE_KEYS.public)
    copy = MemoryStore()
    copy.append([entry for entries in older.values() for entry in entries], {})
    floor = House(copy).floor
    Sequencer(floor.history, [tmp_path / "outside"]).accept(START_MS + 10**6, "greta", "the copy of noon")
    after = audit_on(copy, public_key=HOUSE_KEYS.public, progress=before.progress)
    assert after.anew
    assert after.report.clean
    assert audit_on(copy, public_key=HOUSE_KEYS.public, progress=after.progress).before


# What is kept


def test_an_older_progress_that_somebody_puts_back_changes_no_verdict() -> None:
    store = play()
    store.edit(
        T1, store.version_of(T1, "round-settled", -1), lambda body: body["event"]["payments"][0].update(paid_cents=1)
    )
    store.sign(KEYS)
    expected = audit(store, public_key=KEYS.public)
    assert expected.total
    for count in range(1, of(store)):
        older = audit_on(first_heads(store, count), public_key=KEYS.public)
        after = audit_on(store, public_key=KEYS.public, progress=older.progress)
        assert after.report == expected


def test_progress_of_another_store_is_no_progress_here() -> None:
    other = audit_on(play(DEALT), public_key=KEYS.public)
    after = audit_on(play(), public_key=KEYS.public, progress=other.progress)
    assert after.anew
    assert after.report.findings[0].code is Code.REWRITTEN


def test_progress_of_other_code_is_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    store = play()
    before = audit_on(store, public_key=KEYS.public)
    monkeypatch.setattr("punto.record.progress.code_digest", lambda: b"\0" * 32)
    after = audit_on(store, public_key=KEYS.public, progress=before.progress)
    assert (after.before, after.anew) == (0, "it was kept by other code")
    assert after.report == before.report


def test_a_pickle_that_would_run_something_is_not_read() -> None:
    class Evil:
        def __reduce__(self) -> tuple[object, tuple[str]]:
            return eval, ("1/0",)

    written = Progress().written()
    with pytest.raises(pickle.UnpicklingError, match="no part of what an audit keeps"):
        read_progress(written[:32] + zlib.compress(pickle.dumps(Evil())))


def test_progress_is_the_same_again_after_it_was_written_and_read() -> None:
    written = audit_on(staffed(), public_key=KEYS.public).progress
    found = read_progress(written)
    assert found is not None
    assert read_progress(found.written()) is not None


def test_where_the_record_is_not_what_was_written_nothing_is_kept() -> None:
    store = play()
    store.edit(T1, 3, lambda body: body.update(at_ms=1))
    assert audit_on(store, public_key=KEYS.public).progress == b""


def test_too_much_to_be_kept_is_not_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.record.progress.MOST_BYTES", 100)
    assert audit_on(play(), public_key=KEYS.public).progress == b""


def test_what_is_wrong_with_the_database_is_looked_at_each_time() -> None:
    store = play()
    before = audit_on(store, public_key=KEYS.public)
    store.faults = lambda: [Fault("an index is missing", declared=True)]  # type: ignore[method-assign]
    after = audit_on(store, public_key=KEYS.public, progress=before.progress)
    assert [each.code for each in after.report.findings] == [Code.ALTERED_SCHEMA]
    store.faults = list  # type: ignore[method-assign]
    assert audit_on(store, public_key=KEYS.public, progress=after.progress or before.progress).report.clean


def test_what_was_read_is_not_read_again() -> None:
    store = play()
    before = audit_on(first_heads(store, of(store) - 3), public_key=KEYS.public)
    read: list[str] = []

    def watched(stream: str, after: int = 0) -> Iterator[Entry]:
        for entry in Forgery.read(store, stream, after):
            read.append(f"{entry.stream} {entry.version}")
            yield entry

    store.read = watched  # type: ignore[method-assign]
    assert audit_on(store, public_key=KEYS.public, progress=before.progress).before
    assert f"{T1} {len(store.entries[T1])}" in read
    assert not {f"{T1} {version}" for version in range(1, 20)} & set(read)
    assert f"{store.heads} 5" not in read


def test_a_whole_audit_goes_on_from_nothing() -> None:
    store = play()
    before = audit_on(store, public_key=KEYS.public)
    assert audit_on(store, public_key=KEYS.public, progress=before.progress, whole=True).before == 0


def test_stages_at_random_are_audited_as_whole() -> None:
    for place, text in enumerate(PLAYED):
        gone_on(at_random(play(text), Random(f"{SEED}/{place}")), KEYS.public)
