"""Groups that are judged while the group before is being written."""

import gc
import sqlite3
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from random import Random
from typing import Any
from weakref import ref

import pytest
from tests.floor.test_handler import ANN, KEYS, SYSTEM, bought, command, in_order, opened, wager
from tests.width import width

from punto.errors import (
    BadStake,
    Conflict,
    Fenced,
    IdInUse,
    KnownCommand,
    NotWritten,
    OutcomeUnknown,
    OutOfTurn,
    PuntoError,
    StaleVersion,
    StoreGone,
    Unaffordable,
)
from punto.floor import Answer, Floor, Sent
from punto.floor.tickets import code_of, issue_id, redeem_id
from punto.record import audit
from punto.rules import Position
from punto.store import MemoryStore, SqliteStore
from punto.store.contract import Row
from punto.table import Actor, AnyCommand, Phase
from punto.table import commands as do


class Waiting:
    """Entries that are written when somebody waits for them."""

    def __init__(self, store: "Slow", rows: list[Row], fences: Mapping[str, int]) -> None:
        self._store, self._rows, self._fences = store, rows, fences

    def wait(self) -> None:
        store = self._store
        store.waiting = None
        before, store.before = store.before, None
        if before is not None:
            raise before
        store.append(self._rows, self._fences)
        after, store.after = store.after, None
        if after is not None:
            raise after


class Slow(MemoryStore):
    """A store that writes what it was sent when somebody waits for it, and may fail before that or after."""

    before: Exception | None = None
    after: Exception | None = None
    waiting: Waiting | None = None
    sent = 0
    written = 0

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        self.written += 1
        super().append(entries, fences)

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Waiting:
        assert self.waiting is None, "nothing is sent before the last group has landed"
        self.sent += 1
        self.waiting = Waiting(self, [*entries], fences)
        return self.waiting


class Deaf(Slow):
    """One of which the answer to the last commit is still unknown when it is asked again."""

    is_deaf = False

    def claim(self, name: str) -> int:
        if self.is_deaf:
            raise StoreGone("the store does not answer")
        return super().claim(name)


@pytest.fixture
def store() -> Slow:
    return Slow()


@pytest.fixture
def floor(store: Slow) -> Floor:
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    return floor


def test_a_group_is_judged_on_one_that_is_not_durable_yet(floor: Floor, store: Slow) -> None:
    before = store.written
    first = floor.send([wager(6_000)])
    assert floor.is_writing(first)
    assert store.tip("wallet/ann") == floor.history.end("wallet/ann"), "nothing of it is written yet"
    second = floor.send([wager(3_000, "Tie")])
    assert not floor.is_writing(first), "one group is written at a time"
    assert [type(each) for each in (*floor.finish(first), *floor.finish(second))] == [Answer, Answer]
    assert floor.balance("wallet/ann") == 1_000
    assert store.sent == 2
    assert store.written == before + 2, "neither was tried twice"


def test_without_more_commands_a_group_is_written_at_once(floor: Floor, store: Slow) -> None:
    sent = floor.send([wager()], more=lambda: False)
    assert not floor.is_writing(sent)
    assert isinstance(floor.finish(sent)[0], Answer)
    assert not store.sent


def test_a_group_tells_the_tables_and_wallets_as_it_left_them(floor: Floor) -> None:
    first = floor.send([wager(6_000)])
    second = floor.send([wager(3_000, "Tie"), command(do.CloseBets)])
    floor.finish(first)
    assert first.tables["T1"].phase is Phase.BETS_OPEN
    assert [each.wager for each in first.tables["T1"].wagers.values()] == ["Player"]
    assert first.holdings["wallet/ann"].balance_cents == 4_000
    assert second.tables["T1"].phase is Phase.BETS_CLOSED
    assert second.holdings["wallet/ann"].balance_cents == 1_000


def test_a_refusal_rests_only_on_what_is_durable(floor: Floor, store: Slow) -> None:
    """The first group takes all credits and is lost: the wager of the second is judged without it."""
    first = floor.send([wager(10_000)])
    store.before = StoreGone("no room: nothing was written")
    second = floor.send([wager(5_000, "Tie")])
    with pytest.raises(StoreGone):
        floor.finish(first)
    assert isinstance(floor.finish(second)[0], Answer)
    assert floor.balance("wallet/ann") == 5_000
    assert [each.wager for each in floor.table("T1").wagers.values()] == ["Tie"]


def test_what_rests_on_a_group_that_was_not_written_is_judged_anew(floor: Floor, store: Slow) -> None:
    first = floor.send([command(do.CloseBets)])
    store.before = StoreGone("no room: nothing was written")
    second = floor.send([command(do.DrawCard), wager()])
    with pytest.raises(StoreGone):
        floor.finish(first)
    card, placed = floor.finish(second)
    assert isinstance(card, OutOfTurn), "bets never closed"
    assert isinstance(placed, Answer)
    assert floor.table("T1").phase is Phase.BETS_OPEN
    assert not second.tables, "what it left is asked of the floor"
    assert audit(store, public_key=KEYS.public).clean


def test_what_a_group_seemed_to_leave_is_forgotten_if_it_is_judged_anew(floor: Floor, store: Slow) -> None:
    first = floor.send([wager(6_000)])
    store.before = StoreGone("no room: nothing was written")
    second = floor.send([wager(3_000, "Tie")])
    assert isinstance(floor.finish(second)[0], Answer)
    assert (second.tables, second.holdings) == ({}, {}), "they had the wager of the first group"
    with pytest.raises(StoreGone):
        floor.finish(first)
    assert (first.tables, first.holdings) == ({}, {})


@pytest.mark.parametrize("fault", [StaleVersion("moved", 1, "wallet/ann"), KnownCommand("there")])
def test_a_group_that_was_in_the_way_of_another_is_tried_again_in_its_turn(
    floor: Floor, store: Slow, fault: PuntoError
) -> None:
    first = floor.send([wager(6_000)])
    store.before = fault
    second = floor.send([wager(3_000, "Tie"), wager(3_000, "Banker")])
    assert isinstance(floor.finish(first)[0], Answer)
    placed, refused = floor.finish(second)
    assert isinstance(placed, Answer)
    assert isinstance(refused, Unaffordable)
    assert floor.balance("wallet/ann") == 1_000


@pytest.mark.parametrize("written", [True, False])
def test_of_a_group_whose_answer_was_lost_nobody_is_told_yes_or_no(written: bool) -> None:
    store = Deaf()
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    asked = wager(6_000)
    first = floor.send([asked])
    lost = OutcomeUnknown("the answer was lost")
    store.before, store.after = (None, lost) if written else (lost, None)
    store.is_deaf = True
    second = floor.send([wager(5_000, "Tie"), asked])
    with pytest.raises(OutcomeUnknown):
        floor.finish(first)
    other, again = floor.finish(second)
    assert isinstance(other, StoreGone)
    assert not isinstance(other, OutcomeUnknown), "the store was never given it"
    assert isinstance(again, OutcomeUnknown)
    store.is_deaf = False
    floor.settle()
    settled = floor.take_settled()
    assert settled is not None
    assert isinstance(settled.of(asked), Answer if written else NotWritten)
    assert floor.balance("wallet/ann") == (4_000 if written else 10_000)


def test_a_group_whose_answer_was_lost_is_found_before_the_next_is_judged_anew(floor: Floor, store: Slow) -> None:
    asked = wager(6_000)
    first = floor.send([asked])
    store.after = OutcomeUnknown("the answer was lost")
    second = floor.send([wager(5_000, "Tie")])
    with pytest.raises(OutcomeUnknown):
        floor.finish(first)
    assert isinstance(floor.finish(second)[0], Unaffordable), "the first was written"
    settled = floor.take_settled()
    assert settled is not None
    assert isinstance(settled.of(asked), Answer)


def test_a_command_that_comes_again_in_the_next_group_gets_its_first_answer(floor: Floor) -> None:
    asked = wager(6_000)
    first = floor.send([asked])
    other = wager(1_000, "Tie", id=asked.id)
    second = floor.send([asked, other])
    [answer] = floor.finish(first)
    again, in_use = floor.finish(second)
    assert again == answer
    assert isinstance(in_use, IdInUse)
    assert floor.balance("wallet/ann") == 4_000


def test_a_ticket_is_redeemed_once_while_groups_follow_each_other(floor: Floor) -> None:
    code = code_of(KEYS, "ann", "t")
    made = floor.send([command(do.CashOut, ANN, patron="ann", cents=4_000, position=1, id=issue_id(code))])
    once, twice = (
        floor.send([command(do.BuyIn, ANN, patron="ann", cents=4_000, position=1, id=redeem_id(code), reference=name)])
        for name in ("one", "two")
    )
    assert isinstance(floor.finish(made)[0], Answer)
    assert isinstance(floor.finish(once)[0], Answer)
    assert not isinstance(floor.finish(twice)[0], Answer)
    assert floor.balance("wallet/ann") == 10_000


@pytest.mark.parametrize("written", [True, False])
def test_a_ticket_that_was_in_doubt_is_worth_what_the_record_says(floor: Floor, store: Slow, written: bool) -> None:
    code = code_of(KEYS, "ann", "t")
    made = floor.send([command(do.CashOut, ANN, patron="ann", cents=4_000, position=1, id=issue_id(code))])
    lost = OutcomeUnknown("the answer was lost")
    store.before, store.after = (None, lost) if written else (lost, None)
    with pytest.raises(OutcomeUnknown):
        floor.finish(made)
    floor.settle()
    assert floor.ticket_worth(code) == (4_000 if written else None)
    redeem = command(do.BuyIn, ANN, patron="ann", cents=4_000, position=1, id=redeem_id(code), reference="one")
    [answer] = floor.handle_all([redeem])
    assert isinstance(answer, Answer) == written
    assert floor.balance("wallet/ann") == 10_000


def test_whoever_is_fenced_off_while_a_group_is_on_its_way_writes_nothing_of_it(store: Slow, floor: Floor) -> None:
    first = floor.send([wager(6_000)])
    other = Floor(store, KEYS, in_order)
    other.take_over("T1")
    second = floor.send([wager(3_000, "Tie")])
    for sent in (first, second):
        try:
            [answer] = floor.finish(sent)
        except PuntoError as error:
            answer = error
        assert isinstance(answer, Fenced)
    assert not other.table("T1").wagers
    assert other.balance("wallet/ann") == 10_000


def test_whatever_is_asked_between_two_groups_sees_only_what_is_durable(floor: Floor, store: Slow) -> None:
    asks: list[Callable[[], object]] = [
        lambda: floor.balance("wallet/ann"),
        lambda: floor.table("T1"),
        lambda: floor.note([("notes", b"x")], {}, 1_767_196_800_000),
        floor.keep_all,
        floor.settle,
        floor.land,
    ]
    for number, ask in enumerate(asks, 1):
        sent = floor.send([wager(500, "Tie"), command(do.TakeBackWager, ANN, patron="ann", number=number)])
        assert floor.is_writing(sent)
        ask()
        assert not floor.is_writing(sent)
        assert store.waiting is None
        assert [type(answer) for answer in floor.finish(sent)] == [Answer, Answer]


def test_a_fault_of_ours_leaves_nobody_without_an_answer(floor: Floor, store: Slow) -> None:
    first = floor.send([wager(6_000)])
    store.before = RuntimeError("a fault of ours")
    second = floor.send([wager(3_000, "Tie")])
    with pytest.raises(RuntimeError):
        floor.finish(first)
    assert floor.finish(second)
    assert floor.balance("wallet/ann") in {7_000, 1_000}
    assert not floor.in_doubt


def test_snapshots_are_kept_although_groups_never_stop_coming(
    floor: Floor, store: Slow, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.floor.handler._SNAPSHOT_EVERY", 10)
    sent = floor.send([wager(100, "Tie")])
    for number in range(40):
        again = floor.send([command(do.ChangeWager, ANN, patron="ann", number=1, stake_cents=200 + 100 * (number % 2))])
        floor.finish(sent)
        sent = again
    kept = store.snapshot("table/T1")
    assert kept is not None
    assert kept.version >= 30
    floor.finish(sent)
    assert Floor(store, KEYS).table("T1") == floor.table("T1")


def test_wallets_are_forgotten_when_there_are_many_but_for_those_of_the_next_group(
    floor: Floor, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("punto.floor.handler._MOST_WALLETS", 0)
    first = floor.send([wager(6_000)])
    second = floor.send([wager(2_000, "Tie"), wager(50, "Banker"), wager(2_000, "Banker")])
    floor.finish(first)
    placed, refused, again = floor.finish(second)
    assert isinstance(placed, Answer)
    assert isinstance(refused, BadStake), "for which the first group had to land"
    assert isinstance(again, Answer)
    assert floor.balance("wallet/ann") == 0


def test_groups_that_follow_each_other_without_end_hold_no_memory(floor: Floor) -> None:
    sent = floor.send([wager(100, "Tie")])
    groups = [ref(sent.work.group.ends)]
    for number in range(20):
        again = floor.send([command(do.ChangeWager, ANN, patron="ann", number=1, stake_cents=200 + 100 * (number % 2))])
        groups.append(ref(again.work.group.ends))
        floor.finish(sent)
        sent = again
    gc.collect()
    assert sum(group() is not None for group in groups) <= 3


# The same commands, one group after the other and one group upon the other, come to the same.

PEOPLE = [Actor(name, Position.PATRON) for name in ("ann", "bob", "cy")]


def commands_of(chance: Random) -> Iterator[list[AnyCommand]]:
    """Groups of what people ask at two tables, much of which is refused."""
    ids = count(1)
    asked: list[AnyCommand] = []

    def one() -> AnyCommand:
        if asked and chance.random() < 0.08:
            return chance.choice(asked)
        by, table = chance.choice(PEOPLE), chance.choice(("T1", "T2"))
        fields: dict[str, Any] = {"table": table, "id": f"c{next(ids)}"}
        seat = PEOPLE.index(by) + 1
        drawn = chance.random()
        if drawn < 0.55:
            name, cents = chance.choice(("Player", "Banker", "Tie")), chance.choice((100, 500, 4_000, 55))
            return command(
                do.SetStake, by, patron=by.name, wager=name, stake_cents=cents, position=seat, round=0, **fields
            )
        if drawn < 0.65:
            return command(do.BuyIn, by, patron=by.name, cents=chance.choice((1_000, 7_000)), position=seat, **fields)
        if drawn < 0.7:
            return command(do.CashOut, by, patron=by.name, cents=chance.choice((1_000, 7_000)), position=seat, **fields)
        kind = chance.choice((do.CloseBets, do.DrawCard, do.DrawCard, do.DrawCard, do.DrawCard, do.OpenBets))
        return command(kind, SYSTEM, **fields)

    for _ in range(60):
        group = [one() for _ in range(chance.randint(1, 9))]
        asked += group
        yield group


def told(answer: Answer | PuntoError) -> object:
    return (answer.table, answer.version, answer.events) if isinstance(answer, Answer) else type(answer)


@pytest.mark.parametrize("kind", ["slow", "sqlite"])
@pytest.mark.parametrize("seed", range(width(6, 200)))
def test_groups_upon_each_other_come_to_the_same_as_one_after_the_other(kind: str, seed: int, tmp_path: Path) -> None:
    groups = [*commands_of(Random(seed))]
    plain = Floor(MemoryStore(), KEYS, in_order)
    opened(plain, "T1", "T2")
    expected = [told(answer) for group in groups for answer in plain.handle_all(group)]
    store = Slow() if kind == "slow" else SqliteStore(tmp_path / "floor.db")
    floor, chance = Floor(store, KEYS, in_order), Random(seed)
    opened(floor, "T1", "T2")
    sents: list[Sent] = []
    for group in groups:
        sents.append(floor.send(group, more=lambda: chance.random() < 0.9))
        if chance.random() < 0.1:
            floor.table(chance.choice(("T1", "T2")))
    found = [told(answer) for sent in sents for answer in floor.finish(sent)]
    assert found == expected
    for key in ("T1", "T2"):
        assert floor.table(key).phase is plain.table(key).phase
        assert floor.table(key).wagers == plain.table(key).wagers
    for by in PEOPLE:
        assert floor.balance(f"wallet/{by.name}") == plain.balance(f"wallet/{by.name}")
    assert Floor(store, KEYS).table("T1") == floor.table("T1")
    assert audit(store, public_key=KEYS.public).clean
    store.close()


@pytest.mark.parametrize("seed", range(width(8, 300)))
def test_money_is_conserved_and_answers_are_true_whatever_the_store_does_to_groups_on_their_way(seed: int) -> None:
    chance = Random(seed)
    store = Slow()
    floor = Floor(store, KEYS, in_order)
    opened(floor, "T1", "T2")
    faults: tuple[Exception, ...] = (
        StoreGone("no room: nothing was written"),
        OutcomeUnknown("the answer was lost"),
        StaleVersion("moved", 1, "wallet/ann"),
        Conflict("in the way"),
    )
    sents: list[Sent] = []
    for group in commands_of(chance):
        if chance.random() < 0.2:
            fault = chance.choice(faults)
            if isinstance(fault, OutcomeUnknown) and chance.random() < 0.5:
                store.after = fault
            else:
                store.before = fault
        sents.append(floor.send(group, more=lambda: chance.random() < 0.9))
    floor.land()
    store.before = store.after = None
    floor.settle()
    settled = floor.take_settled()
    for sent in sents:
        try:
            answers = floor.finish(sent)
        except PuntoError as error:
            answers = [error] * len(sent.commands)
        for asked, answer in zip(sent.commands, answers, strict=True):
            outcome = settled.of(asked) if settled and isinstance(answer, OutcomeUnknown) else answer
            found = floor.accepted_before(asked.id, asked.by)
            if isinstance(outcome, Answer):
                assert found is not None, "accepted is on record"
            elif isinstance(outcome, (StoreGone, NotWritten, Conflict)):
                again = any(each.id == asked.id for other in sents if other is not sent for each in other.commands)
                assert found is None or again, "what was turned away is not on record"
    report = audit(store, public_key=KEYS.public)
    assert report.clean, [str(each) for each in report.findings]


class Prompt(Slow):
    """One that has written what it was sent before anybody waits for it."""

    def send(self, entries: Iterable[Row], fences: Mapping[str, int]) -> Waiting:
        rows = [*entries]
        self.append(rows, fences)
        self.waiting = Waiting(self, [], fences)
        return self.waiting


def test_whoever_reads_the_next_group_before_it_has_landed_changes_no_judgement() -> None:
    """A receipt is looked for on another thread, and so the floor's own newest head is read while the floor judges."""
    store = Prompt()
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    floor.settle()
    first = floor.send([wager(1_000, "Tie")])
    judged = count()

    def read_at_the_second(*_: object) -> None:
        if next(judged) == 1:
            floor.history.coverage.catch_up()

    floor.gate = read_at_the_second
    second = floor.send([wager(9_000), wager(9_000, "Banker")])
    assert isinstance(floor.finish(first)[0], Answer)
    placed, short = floor.finish(second)
    assert isinstance(placed, Answer)
    assert isinstance(short, Unaffordable)
    assert floor.balance("wallet/ann") == 0
    assert audit(store, public_key=KEYS.public).clean


@pytest.mark.parametrize("send", [False, True])
@pytest.mark.parametrize(
    "cut",
    [
        "DELETE FROM entries WHERE stream = 'table/T1' AND version = {table}",
        "DELETE FROM entries WHERE stream LIKE 'heads/%' AND version = {head}",
        "DELETE FROM entries WHERE stream = 'wallet/ann' AND version = {wallet}",
        "DELETE FROM entries WHERE rowid > (SELECT max(rowid) - 3 FROM entries)",
        "INSERT INTO entries SELECT stream, version + 5, NULL, body, hash FROM entries WHERE stream = 'wallet/ann'",
    ],
    ids=["table", "heads", "wallet", "group", "gap"],
)
def test_what_is_cut_under_an_open_floor_is_noticed_before_anything_is_built_on_it(
    cut: str, send: bool, tmp_path: Path
) -> None:
    store = SqliteStore(tmp_path / "floor.db")
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    floor.handle(wager(1_000))
    assert floor.history.writer is not None
    ends = {name: store.tip(name) for name in ("table/T1", "wallet/ann", floor.history.writer.stream)}
    table, wallet_, head = (tip.version for tip in ends.values() if tip)
    with closing(sqlite3.connect(store.path)) as attacker:
        attacker.execute(cut.format(table=table, wallet=wallet_, head=head))
        attacker.commit()
    with pytest.raises(PuntoError):  # noqa: PT012
        [answer] = floor.finish(floor.send([wager(500, "Tie")])) if send else floor.handle_all([wager(500, "Tie")])
        if isinstance(answer, PuntoError):
            raise answer
    store.close()
