"""The command handler: groups, repeats, refusals, money between tables, recovery."""

import gc
import sqlite3
import tracemalloc
from collections.abc import Iterable, Mapping
from contextlib import closing
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from msgspec import structs
from tests.store.places import Place

from punto.cards import Card
from punto.errors import (
    BadStake,
    Conflict,
    Corrupt,
    Fenced,
    IdInUse,
    Malformed,
    NotAllowed,
    PuntoError,
    StaleId,
    StaleVersion,
    StoreGone,
    StoreLocked,
    StreamStopped,
    Unaffordable,
    UnreadableFile,
    WrongKey,
)
from punto.floor import Floor, Keys
from punto.floor.acceptedids import AcceptedIds
from punto.floor.answers import Answer, Refusals
from punto.floor.history import History
from punto.floor.replaying import replayed
from punto.floor.tickets import code_of, issue_id, redeem_id
from punto.proof.heads import is_head_of, is_in_place, read_head
from punto.proof.writers import HEADS, read_certificate
from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.store import MemoryStore, SqliteStore, Store, Tip, genesis, link, start
from punto.store.contract import Row, Snapshot
from punto.table import Actor, AnyCommand, Phase, Setup, Source
from punto.table import commands as do
from punto.table.log import read

KEYS = Keys.from_secret(b"floor")
SHIFT = Actor("greta", Position.GAMING_SHIFT_MANAGER)
SYSTEM = Actor("clock", Position.SYSTEM)
ANN = Actor("ann", Position.PATRON)
IDS = count(1)


def command(kind: type[Any], by: Actor = SHIFT, table: str = "T1", **fields: Any) -> AnyCommand:  # noqa: ANN401
    fields.setdefault("id", str(next(IDS)))
    made: AnyCommand = kind(table=table, by=by, at_ms=1_767_196_800_000, **fields)
    return made


def in_order(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    return cards


def opened(floor: Floor, *tables: str, source: Source = Source.VIRTUAL) -> None:
    for table in tables or ("T1",):
        floor.handle(command(do.OpenTable, table=table, setup=Setup(game="fortune-six", source=source)))
        floor.handle(command(do.LoadShoe, table=table))
        floor.handle(command(do.OpenBets, table=table))


def bought(floor: Floor, cents: int = 10_000) -> None:
    floor.handle(command(do.BuyIn, ANN, patron="ann", cents=cents, position=1))


def wager(cents: int = 1_000, name: str = "Player", **fields: Any) -> AnyCommand:  # noqa: ANN401
    return command(do.PlaceWager, ANN, patron="ann", wager=name, stake_cents=cents, position=1, **fields)


@pytest.fixture
def store(place: Place) -> Store:
    return place.open()


def test_a_group_is_answered_one_by_one_and_a_refusal_leaves_no_trace(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    before = store.tip("table/T1")
    answers = floor.handle_all([wager(1_000), wager(50, "Tie"), wager(9_500, "Tie"), wager(9_000, "Banker")])
    assert [type(answer) for answer in answers[1:3]] == [BadStake, Unaffordable]
    assert not isinstance(answers[0], PuntoError)
    assert not isinstance(answers[3], PuntoError)
    after = store.tip("table/T1")
    assert before
    assert after
    assert after.version == before.version + 2
    assert floor.balance("wallet/ann") == 0


@pytest.mark.parametrize("send", [False, True])
def test_a_process_joins_at_the_time_of_its_first_command(store: Store, send: bool) -> None:
    floor, first = Floor(store, KEYS), command(do.OpenTable, setup=Setup(game="fortune-six", source=Source.VIRTUAL))
    if send:
        floor.finish(floor.send([first]))
    else:
        floor.handle(first)
    assert floor.history.writer is not None
    _, joining, head = store.read(floor.history.writer.stream)
    assert [read_head(each.body).statement.at_ms for each in (joining, head)] == [first.at_ms] * 2


def test_a_refused_id_keeps_its_answer_until_the_round_ends_and_is_stale_after_that(store: Store) -> None:
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    late = wager(20_000)
    with pytest.raises(Unaffordable) as first:
        floor.handle(late)
    bought(floor, 100_000)
    with pytest.raises(Unaffordable) as again:
        floor.handle(late)
    assert again.value.message == first.value.message
    with pytest.raises(IdInUse):
        floor.handle(structs.replace(late, stake_cents=Cents(500)))
    other = wager(90_000_000)
    with pytest.raises(PuntoError):
        floor.handle(other)
    floor.handle(command(do.CloseBets))
    while floor.table("T1").deal.next is not None:
        floor.handle(command(do.DrawCard))
    floor.handle(command(do.OpenBets))
    with pytest.raises(StaleId):
        floor.handle(other)
    assert floor.handle(structs.replace(other, id="fresh", stake_cents=Cents(500))).events


class Faulty(MemoryStore):
    """A store that takes nothing while it has a fault."""

    fault: Exception | None = None

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        if self.fault is not None:
            raise self.fault
        super().append(entries, fences)


def next_round(floor: Floor) -> None:
    floor.handle(command(do.CloseBets))
    while floor.table("T1").deal.next is not None:
        floor.handle(command(do.DrawCard))
    floor.handle(command(do.OpenBets))


@pytest.mark.parametrize("fault", [StoreGone("no room"), StoreLocked("held"), RuntimeError("a fault of ours")])
def test_an_id_that_the_store_turned_away_may_come_again_in_its_round_and_is_stale_after_that(fault: Exception) -> None:
    store = Faulty()
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    first, second = wager(), wager(name="Tie")
    store.fault = fault
    with pytest.raises(type(fault)):
        floor.handle_all([first, second])
    store.fault = None
    assert floor.handle(first).events, "nothing was judged: in the same round it may be asked again"
    next_round(floor)
    store.fault = fault
    with pytest.raises(type(fault)):
        floor.handle(first)
    store.fault = None
    next_round(floor)
    floor._accepted = AcceptedIds(store, KEYS)  # noqa: SLF001 (as if many more had come since)
    assert floor.handle(first).events, "what was accepted keeps its answer"
    for _ in range(2):
        with pytest.raises(StaleId):
            floor.handle(second)
        next_round(floor)


def test_an_id_that_was_refused_because_another_floor_had_the_table_is_stale_in_a_later_round() -> None:
    store = MemoryStore()
    mine = Floor(store, KEYS, in_order)
    opened(mine)
    bought(mine)
    other, late = Floor(store, KEYS, in_order), wager()
    other.take_over("T1")
    with pytest.raises(Fenced):
        mine.handle(late)
    next_round(other)
    mine.take_over("T1")
    with pytest.raises(StaleId):
        mine.handle(late)


def test_what_is_remembered_of_refusals_has_a_bound(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.floor.answers._MOST_IDS", 10)
    refusals = Refusals()
    for round_ in range(1, 6):
        for number in range(30):
            refusals.turn_away(f"{round_}-{number}", round_)
    kept = refusals._away | refusals._stale  # noqa: SLF001
    assert len(kept) <= 40
    assert isinstance(refusals.earlier(wager(id="5-29"), 6), StaleId), "the latest are kept"


@pytest.mark.parametrize("what", ["wager", "id", "turned away", "stopped", "lost"])
def test_what_is_kept_of_refused_commands_holds_on_to_nothing_that_a_visitor_sent(what: str) -> None:
    long = "x" * 19_800

    def refused(number: int) -> AnyCommand:
        if what in ("id", "turned away"):
            return wager(id=f"{number}-{long}")
        return wager(name=f"{number}-{long}")

    store = Faulty()
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    if what == "stopped":
        floor.history.coverage.stop("wallet/ann", "as if it were damaged")
    if what == "lost":
        Floor(store, KEYS, in_order).take_over("T1")
    tracemalloc.start()
    before, _ = tracemalloc.get_traced_memory()
    for number in range(200):
        store.fault = StoreGone("no room") if what == "turned away" else None
        with pytest.raises(PuntoError):
            floor.handle(refused(number))
    store.fault = None
    gc.collect()
    after, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert after - before < 400_000, "200 commands of 20 kB each"


def test_a_ticket_whose_redemption_was_refused_is_redeemed_in_a_later_round_by_another_message() -> None:
    store = Faulty()
    floor = Floor(store, KEYS, in_order)
    opened(floor)
    bought(floor)
    code = code_of(KEYS, "ann", "my ticket")
    of_ann: dict[str, Any] = {"patron": "ann", "cents": 500, "position": 1}
    floor.handle(command(do.CashOut, ANN, id=issue_id(code), **of_ann))
    redeem = command(do.BuyIn, ANN, id=redeem_id(code), reference="first message", **of_ann)
    store.fault = StoreGone("no room")
    with pytest.raises(StoreGone):
        floor.handle(redeem)
    store.fault = None
    next_round(floor)
    with pytest.raises(StaleId):
        floor.handle(redeem)
    assert floor.handle(structs.replace(redeem, reference="second message")).events


def test_a_command_that_was_accepted_gets_its_first_answer_again(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    first = wager()
    answer = floor.handle(first)
    floor.handle(command(do.CloseBets))
    assert floor.handle(first) == answer
    floor = Floor(store, KEYS)
    assert floor.handle(first) == answer
    again = floor.handle_all([first, wager(200, "Tie", id="late"), first])
    assert [type(each).__name__ for each in again] == ["Answer", "BetsAreClosed", "Answer"]
    twice = wager(100, "Tie", id="twice")
    floor.handle(command(do.DrawCard))
    assert floor.balance("wallet/ann") == 9_000
    with pytest.raises(PuntoError):
        floor.handle(twice)


def test_the_time_of_a_table_does_not_run_backwards(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    early = structs.replace(wager(), at_ms=1_000)
    answer = floor.handle(early)
    floor = Floor(store, KEYS)
    floor.handle(structs.replace(wager(name="Tie"), at_ms=2_000))
    times = [read(entry.body).at_ms for entry in store.read("table/T1")]
    assert times == sorted(times)
    assert floor.handle(early) == answer


def test_an_id_that_comes_again_for_something_else_is_refused(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    answer = floor.handle(wager(1_000, id="B"))
    others = [
        wager(9_000, "Banker", id="B"),
        wager(1_001, id="B"),
        command(do.TakeBackWager, ANN, patron="ann", number=1, id="B"),
        command(do.BuyIn, ANN, patron="ann", cents=1_000, position=1, id="B"),
    ]
    for floor_ in (floor, Floor(store, KEYS)):
        assert [type(each) for each in floor_.handle_all(others)] == [IdInUse] * 4
        assert floor_.handle(wager(1_000, id="B")) == answer
    assert floor.balance("wallet/ann") == 9_000


def test_the_same_command_twice_in_a_group_counts_once(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    one = wager()
    answers = floor.handle_all([one, one])
    assert answers[0] == answers[1]
    assert floor.balance("wallet/ann") == 9_000


def test_two_tables_cannot_spend_one_credit_twice(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor, "T1", "T2")
    bought(floor, 1_000)
    answers = floor.handle_all([wager(1_000), wager(1_000, table="T2")])
    assert [isinstance(answer, Unaffordable) for answer in answers] == [False, True]


def test_two_floors_cannot_spend_one_credit_twice(place: Place) -> None:
    one, other = Floor(place.open(), KEYS), Floor(place.open(), KEYS)
    opened(one, "T1")
    opened(other, "T2")
    bought(one, 1_000)
    assert other.balance("wallet/ann") == 1_000
    one.handle(wager(1_000))
    with pytest.raises(Unaffordable):
        other.handle(wager(1_000, table="T2"))


def test_an_owner_that_was_replaced_is_fenced_off(place: Place) -> None:
    one = Floor(place.open(), KEYS)
    opened(one)
    other = Floor(place.open(), KEYS)
    bought(other)
    with pytest.raises(Fenced):
        one.handle(command(do.CloseBets))
    with pytest.raises(Fenced):
        one.handle(command(do.CloseBets))
    assert one.take_over("T1").phase is Phase.BETS_OPEN
    one.handle(command(do.CloseBets))
    with pytest.raises(Fenced):
        other.handle(wager())


def test_want_of_authority_goes_into_the_security_log(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    for_ann: dict[str, Any] = {"patron": "ann", "wager": "Player", "stake_cents": 1_000, "position": 1}
    for refused in (command(do.CloseBets, ANN), command(do.PlaceWager, Actor("bob", Position.PATRON), **for_ann)):
        with pytest.raises(NotAllowed):
            floor.handle(refused)
    with pytest.raises(BadStake):
        floor.handle(wager(1))
    bodies = [entry.body for entry in store.read("security")]
    assert len(bodies) == 2
    assert b'"do":"close-bets","code":"not-allowed"' in bodies[0]


def test_when_the_store_goes_away_nothing_is_half_done_and_it_can_go_on() -> None:
    store = Faulty()
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    store.fault = StoreGone("the store is gone: nothing was written")
    with pytest.raises(StoreGone):
        floor.handle(wager())
    store.fault = None
    assert (floor.balance("wallet/ann"), floor.table("T1").wagers) == (10_000, {})
    floor.handle(wager())
    assert floor.balance("wallet/ann") == 9_000


class Contended(MemoryStore):
    """A store on which somebody else is always first with the wallet."""

    def append(self, entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        entries = list(entries)
        if any(entry[0] == "wallet/ann" and entry[1] > 1 for entry in entries):
            raise StaleVersion("wallet/ann: somebody was first")
        super().append(entries, fences)


def test_a_store_that_always_moves_on_is_a_conflict() -> None:
    floor = Floor(Contended(), KEYS)
    opened(floor)
    bought(floor)
    with pytest.raises(Conflict, match="nothing was written, try again"):
        floor.handle(wager())


def test_the_next_card_is_the_same_after_a_restart_and_cannot_be_read_from_the_store(store: Store) -> None:
    floor = Floor(store, KEYS)
    floor.handle(command(do.OpenTable, setup=Setup(game="fortune-six", source=Source.VIRTUAL)))
    floor.handle(command(do.LoadShoe))
    floor.handle(command(do.CutShoe, ANN, patron="ann", cards=100))
    floor.handle(command(do.OpenBets))
    floor.handle(command(do.CloseBets))
    floor.handle(command(do.DrawCard))
    table = floor.table("T1")
    expected = floor._cards._next_card("T1", table)  # noqa: SLF001
    again = Floor(store, KEYS)
    again.handle(command(do.DrawCard))
    assert again.table("T1").cards[-1].card == expected
    with pytest.raises(WrongKey, match=r"^the store was signed with "):
        Floor(store, Keys.fresh())
    bodies = b"".join(entry.body for entry in store.read("table/T1"))
    order = " ".join(floor._cards._orders["T1"][1][10:16])  # noqa: SLF001
    assert order.encode() not in bodies


def test_nobody_else_says_what_a_virtual_shoe_holds() -> None:
    floor = Floor(MemoryStore(), KEYS, in_order)
    floor.handle(command(do.OpenTable, setup=Setup(game="fortune-six", source=Source.VIRTUAL)))
    for told in (command(do.LoadShoe, commitment="x"), command(do.LoadShoe, sealed="x")):
        with pytest.raises(Malformed):
            floor.handle(told)
    floor.handle(command(do.LoadShoe))
    with pytest.raises(Malformed):
        floor.handle(command(do.EndShoe, order="As", salt="x"))
    floor.handle(command(do.OpenBets))
    floor.handle(command(do.CloseBets))
    with pytest.raises(Malformed):
        floor.handle(command(do.DrawCard, card="As"))
    for _ in range(4):
        floor.handle(command(do.DrawCard))
    assert [laid.card for laid in floor.table("T1").cards[:4]] == ["As", "2s", "3s", "4s"]


def test_a_round_that_was_under_way_is_interrupted_once(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    floor.handle(wager())
    again = Floor(store, KEYS)
    [answer] = again.recover(1_767_196_900_000)
    assert [type(event).__name__ for event in answer.events] == ["IrregularityFound", "RoundVoided"]
    assert again.balance("wallet/ann") == 10_000
    assert Floor(store, KEYS).recover(1_767_197_000_000) == []


def test_a_table_that_cannot_be_named_so_is_refused() -> None:
    floor = Floor(MemoryStore(), KEYS)
    for name in ("", "a/b", "x" * 65, "T 1"):
        with pytest.raises(Malformed, match="is no name of a table"):
            floor.handle(command(do.OpenBets, table=name))


def test_a_snapshot_of_another_make_is_passed_over(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    expected = floor.table("T1")
    tip = store.tip("table/T1")
    assert tip
    about = b"table/T1\n%d\n" % tip.version + tip.hash
    for body in (
        b"",
        b"x" * 40,
        KEYS.stamped(b"{]", about),
        KEYS.stamped(b"{}", b""),
        Keys.fresh().stamped(b"{}", about),
    ):
        store.keep("table/T1", Snapshot(tip.version, tip.hash, body))
        assert replayed(History(store, KEYS), "table/T1")[:2] == (expected, tip)


def test_an_altered_log_stops_the_table(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    table = "table/T9"
    body = b'{"at_ms":1,"by":{"name":"x","position":"dealer"},"command":"x","event":{"type":"nonsense"}}'
    store.append([(table, 1, None, body, link(genesis(table), table, 1, None, body))], {})
    with pytest.raises(Corrupt):
        floor.table("T9")


def test_heads_are_signed_chained_and_name_every_stream_that_moved(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    [(stream, _)] = store.streams(HEADS)
    first, *rest = store.read(stream)
    certificate = read_certificate(first.body)
    assert (certificate.floor, HEADS + certificate.writer) == (KEYS.public, stream)
    before = first.hash
    ends: dict[str, Tip] = {}
    for entry in rest:
        head = read_head(entry.body)
        assert is_in_place(head, stream, entry.version)
        assert is_head_of(certificate.key, head, before)
        assert not is_head_of(KEYS.public, head, before)
        assert not is_head_of(certificate.key, head, b"x" * 32)
        for name, move in head.moved.items():
            assert move.before == ends.get(name, start(name))
            ends[name] = move.after
        before = entry.hash
    assert ends == {name: tip for name, tip in store.streams() if name != stream}
    with pytest.raises(Corrupt):
        read_head(b"{}")


def test_a_key_is_made_once_kept_from_others_and_read_again(tmp_path: Path) -> None:
    path = tmp_path / "floor.key"
    made = Keys.at(path)
    assert Keys.at(path).public == made.public
    assert path.stat().st_mode & 0o077 == 0
    for text in ("not a key", "", "punto key 1\n", "punto key 1\nab\n", "punto key 1\n" + "ab" * 33, "\x00"):
        path.write_text(text)
        with pytest.raises(UnreadableFile, match="not a floor's key"):
            Keys.at(path)
    assert [each.name for each in tmp_path.iterdir()] == ["floor.key"]
    with pytest.raises(UnreadableFile):
        Keys.at(tmp_path / "none.key", create=False)
    with pytest.raises(UnreadableFile):
        Keys.at(tmp_path / "no" / "folder.key")


def test_an_id_of_another_command_is_refused_and_says_nothing_of_it(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor, "T1", "T2")
    bought(floor)
    first = wager(id="mine")
    floor.handle(first)
    bob = Actor("bob", Position.PATRON)
    for other in (
        command(do.BuyIn, bob, patron="bob", cents=900, position=2, id="mine"),
        command(do.BuyIn, ANN, table="T2", patron="ann", cents=900, position=2, id="mine"),
    ):
        with pytest.raises(IdInUse):
            floor.handle(other)
    answers = floor.handle_all([wager(200, "Tie", id="two"), wager(300, "Tie", id="two")])
    assert [type(answer).__name__ for answer in answers] == ["Answer", "IdInUse"]


@pytest.mark.parametrize("bad", ["x" * 200, "a\nb", "\ud800", ""])
def test_one_bad_command_does_not_spoil_its_group(bad: str) -> None:
    floor = Floor(MemoryStore(), KEYS)
    opened(floor)
    good = command(do.BuyIn, ANN, patron="ann", cents=900, position=1)
    answers = floor.handle_all(
        [
            command(do.BuyIn, ANN, patron="ann", cents=900, position=1, id=bad),
            command(do.BuyIn, SHIFT, patron=bad, cents=900, position=1),
            command(do.BuyIn, Actor(bad, Position.PATRON), patron=bad, cents=900, position=1),
            command(do.Refer, SHIFT, matter="\ud800"),
            good,
        ]
    )
    assert [isinstance(answer, PuntoError) for answer in answers] == [True, True, True, True, False]
    assert floor.balance("wallet/ann") == 900


def test_a_wallet_that_another_floor_has_moved_is_read_again(store: Store) -> None:
    one, other = Floor(store, KEYS), Floor(store, KEYS)
    opened(one, "T1")
    opened(other, "T2")
    assert one.balance("wallet/ann") == 0
    with pytest.raises(Unaffordable):
        one.handle(wager())
    other.handle(command(do.BuyIn, ANN, table="T2", patron="ann", cents=10_000, position=1))
    assert one.balance("wallet/ann") == 10_000
    one.handle(wager())
    other.handle(command(do.CashOut, ANN, table="T2", patron="ann", cents=9_000, position=1))
    with pytest.raises(Unaffordable, match=r"credits of 0\.00"):
        one.handle(wager(name="Tie"))
    other.handle(command(do.BuyIn, ANN, table="T2", patron="ann", cents=1_000, position=1))
    one.handle(wager(name="Tie"))
    assert other.balance("wallet/ann") == 0


@pytest.mark.parametrize("body", [b"%s", b"\xff", b"{}"])
def test_a_wallet_that_was_altered_is_not_spent_from(tmp_path: Path, body: bytes) -> None:
    path = tmp_path / "t.db"
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS)
        opened(floor)
        bought(floor)
        bought(floor)
        [entry] = store.read("wallet/ann", 1)
    richer = entry.body.replace(b"20000", b"90000") if body == b"%s" else body
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE entries SET body = ? WHERE stream = 'wallet/ann' AND version = 2", (richer,))
        connection.commit()
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS)
        with pytest.raises(Corrupt):
            floor.handle(wager())
        with pytest.raises(Corrupt):
            floor.balance("wallet/ann")


@pytest.mark.parametrize(
    "fields",
    [
        {"stake_cents": 200.0},
        {"stake_cents": 150.5},
        {"stake_cents": True},
        {"position": 1.0},
        {"at_ms": 1.5},
        {"at_ms": -1},
        {"wager": b"Player"},
        {"patron": None},
        {"by": "ann"},
        {"id": ["x"]},
        {"table": ["T1"]},
    ],
)
def test_a_command_made_in_python_with_fields_of_other_kinds_is_refused(store: Store, fields: dict[str, Any]) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    with pytest.raises(Malformed):
        floor.handle(structs.replace(wager(), **fields))
    with pytest.raises(Malformed):
        floor.handle(structs.replace(command(do.CashOut, ANN, patron="ann", cents=100, position=1), at_ms=1.5))
    stake = command(do.SetStake, ANN, patron="ann", wager="Player", stake_cents=100, position=1)
    with pytest.raises(Malformed):
        floor.handle(structs.replace(stake, round=1.0))
    assert floor.balance("wallet/ann") == 10_000


def test_recovery_is_not_held_up_by_an_id_that_somebody_took(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    tip = store.tip("table/T1")
    assert tip
    floor.handle(wager(id=f"interruption-T1-{tip.version + 1}"))
    [answer] = Floor(store, KEYS).recover(1_767_196_900_000, ["T1"])
    assert answer.events


def test_a_floor_recovers_only_its_own_tables(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor, "T1", "T2")
    assert [answer.table for answer in Floor(store, KEYS).recover(1_767_196_900_000, ["T2"])] == ["T2"]
    assert floor.table("T1").phase is Phase.BETS_OPEN


@pytest.fixture
def kept(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """A file with a table of which a snapshot was kept while its bets were closed; the round was paid after that."""
    monkeypatch.setattr("punto.floor.handler._SNAPSHOT_EVERY", 6)
    path = tmp_path / "t.db"
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS, in_order)
        opened(floor)
        bought(floor)
        floor.handle(wager())
        floor.handle(command(do.CloseBets))
        monkeypatch.setattr("punto.floor.handler._SNAPSHOT_EVERY", 10_000)
        while floor.table("T1").phase is not Phase.SETTLED:
            floor.handle(command(do.DrawCard))
        snapshot = store.snapshot("table/T1")
        assert snapshot
        assert b"bets-closed" in snapshot.body
    return path


@pytest.mark.parametrize(
    "change",
    [
        (
            "version = (SELECT max(version) FROM entries WHERE stream = 'table/T1'), "
            "hash = (SELECT hash FROM entries WHERE stream = 'table/T1' ORDER BY version DESC LIMIT 1)"
        ),
        "version = version + 1",
        "version = version - 1",
        "version = 0",
        "version = 10000",
        "version = 'abc'",
        "hash = zeroblob(32)",
        "body = 'abc'",
        "stream = 'table/T2'",
    ],
)
def test_an_altered_snapshot_is_passed_over(kept: Path, change: str) -> None:
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute(f"UPDATE snapshots SET {change} WHERE stream = 'table/T1'")  # noqa: S608
        connection.commit()
    with closing(SqliteStore(kept)) as store:
        assert Floor(store, KEYS).table("T1").phase is Phase.SETTLED


def test_a_log_that_ends_before_its_snapshot_is_told(kept: Path) -> None:
    with closing(sqlite3.connect(kept)) as connection:
        connection.execute("DELETE FROM entries WHERE stream = 'table/T1' AND version > 3")
        connection.commit()
    with closing(SqliteStore(kept)) as store, pytest.raises(Corrupt, match="entries after 3 are missing"):
        Floor(store, KEYS).table("T1")


class Unkeeping(MemoryStore):
    """A store that keeps no snapshots."""

    def keep(self, stream: str, snapshot: Snapshot) -> None:
        raise StoreGone(f"{stream}: no room for version {snapshot.version}: nothing was written")


def test_what_is_durable_is_answered_also_when_no_snapshot_can_be_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.floor.handler._SNAPSHOT_EVERY", 1)
    floor = Floor(Unkeeping(), KEYS)
    opened(floor)
    bought(floor)
    assert floor.handle(wager()).events


def test_the_next_card_is_that_of_the_shoe_in_place(store: Store) -> None:
    one, other = Floor(store, KEYS), Floor(store, KEYS)
    one.handle(command(do.OpenTable, setup=Setup(game="fortune-six", source=Source.VIRTUAL)))
    other.take_over("T1")
    group = [command(kind) for kind in (do.LoadShoe, do.OpenBets, do.CloseBets, do.DrawCard)]
    with pytest.raises(Fenced):
        one.handle_all(group)
    for kind in (do.LoadShoe, do.OpenBets, do.CloseBets, do.DrawCard, do.DrawCard):
        other.handle(command(kind))
    expected = other._cards._next_card("T1", other.table("T1"))  # noqa: SLF001
    one.take_over("T1")
    one.handle(command(do.DrawCard))
    assert one.table("T1").cards[-1].card == expected


@pytest.mark.parametrize("at_ms", [True, None, "x", 1.5, -5, 2**70])
def test_a_refused_command_leaves_no_mark_on_the_head(store: Store, at_ms: Any) -> None:  # noqa: ANN401
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    first, second = floor.handle_all([wager(), structs.replace(wager(name="Tie"), at_ms=at_ms)])
    assert isinstance(second, Malformed)
    assert not isinstance(first, PuntoError)
    assert not audit(store, public_key=KEYS.public).findings
    assert Floor(store, KEYS).balance("wallet/ann") == 9_000
    [(stream, tip)] = store.streams(HEADS)
    [last] = store.read(stream, tip.version - 1)
    assert read_head(last.body).statement.at_ms == 1_767_196_800_000


def test_a_damaged_table_holds_up_no_other(tmp_path: Path) -> None:
    path = tmp_path / "t.db"
    with closing(SqliteStore(path)) as store:
        opened(Floor(store, KEYS), "A1", "B1")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE entries SET body = x'00' WHERE stream = 'table/A1' AND version = 2")
        connection.commit()
    with closing(SqliteStore(path)) as store:
        floor = Floor(store, KEYS)
        broken, fine = floor.handle_all([command(do.CloseBets, table="A1"), command(do.CloseBets, table="B1")])
        assert (type(broken), type(fine)) == (StreamStopped, Answer)
        with pytest.raises(StreamStopped):
            floor.recover(1_767_196_900_000)
        assert floor.table("B1").phase is Phase.VOID


def test_a_group_may_come_one_by_one(store: Store) -> None:
    floor = Floor(store, KEYS)
    opened(floor)
    bought(floor)
    answers = floor.handle_all(wager(name=name) for name in ("Player", "Tie"))
    assert [type(answer) for answer in answers] == [Answer, Answer]
    assert [placed.wager for placed in floor.table("T1").wagers.values()] == ["Player", "Tie"]


def test_a_command_that_comes_again_costs_no_table_its_state(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is known of tables and wallets is as it was before the group, and nothing is read from the beginning."""
    store = SqliteStore(tmp_path / "floor.db")
    floor = Floor(store, Keys.fresh())
    boss = Actor("may", Position.GAMING_SHIFT_MANAGER)
    ann = Actor("ann", Position.PATRON)
    at: dict[str, Any] = {"at_ms": 1_800_000_000_000}
    for key in ("1", "2"):
        setup = Setup(game="fortune-six", source=Source.VIRTUAL)
        floor.handle(do.OpenTable(id=f"open-{key}", table=key, by=boss, setup=setup, **at))
        floor.handle(do.BuyIn(id=f"buy-{key}", table=key, by=ann, patron="ann", cents=Cents(1000), position=1, **at))
    before = floor.table("1"), floor.table("2"), floor.version("1"), floor.balance("wallet/ann")
    floor._work.answers.clear()  # noqa: SLF001
    again = do.BuyIn(id="buy-1", table="1", by=ann, patron="ann", cents=Cents(1000), position=1, **at)
    other = do.BuyIn(id="buy-3", table="2", by=ann, patron="ann", cents=Cents(500), position=1, **at)
    folded: list[str] = []
    monkeypatch.setattr("punto.floor.handler.replayed", lambda _, stream: folded.append(stream))
    first, second = floor.handle_all([again, other])
    assert isinstance(first, Answer)
    assert isinstance(second, Answer)
    assert first.version == 2
    assert floor.balance("wallet/ann") == before[3] + 500
    assert (floor.table("1"), floor.version("1")) == (before[0], before[2])
    assert not folded
    assert not audit(store, public_key=floor.keys.public).findings
