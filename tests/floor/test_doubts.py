"""A commit whose answer was lost: nobody is told yes or no before the store has said which, and then for good."""

from collections.abc import Callable, Iterator
from contextlib import closing
from time import sleep
from typing import Any

import pytest
from tests.floor.floors import ANN, BOB, CLOCK, KEYS, OPEN, SHIFT, STAFF, START_MS, House
from tests.store.places import drop_schemas, schemas_in
from tests.store.proxy import Proxy, proxied

from punto.casino.disk import Disk
from punto.casino.diskstore import DiskStore
from punto.casino.journal import Journal
from punto.errors import IdInUse, NotWritten, OutcomeUnknown, PuntoError, StaleId, StoreGone
from punto.floor import Answer
from punto.floor.tickets import code_of, issue_id, redeem_id
from punto.record import audit
from punto.rules.money import Cents
from punto.store.postgres import PostgresStore
from punto.table import PLAYING, AnyCommand, Phase, Setup, Source
from punto.table import commands as do
from punto.table.events import Ruling

NEW = code_of(KEYS, "ann", "new")
AT: dict[str, Any] = {"table": "T1", "at_ms": START_MS + 5_000}
OF_ANN: dict[str, Any] = {**AT, "by": ANN, "patron": "ann", "position": 1}
OF_BOB: dict[str, Any] = {**AT, "by": BOB, "patron": "bob", "position": 2}


def redemption(house: House, id_: str) -> AnyCommand:
    """The redemption of a ticket that was made before."""
    code = code_of(KEYS, "bob", id_)
    house.give(do.CashOut, BOB, cents=Cents(1_000), id=issue_id(code))
    return do.BuyIn(id=redeem_id(code), cents=Cents(1_000), **OF_BOB)


# Each kind of command, under an id; whose wallet it moves, and by how much.
KINDS: list[tuple[str, Callable[[House, str], AnyCommand], str, int]] = [
    ("cash-out", lambda _, id_: do.CashOut(id=issue_id(id_), cents=Cents(20_000), **OF_ANN), "ann", -20_000),
    ("wager", lambda _, id_: do.PlaceWager(id=id_, wager="Tie", stake_cents=Cents(700), **OF_ANN), "ann", -700),
    ("buy-in", lambda _, id_: do.BuyIn(id=id_, cents=Cents(300), **OF_ANN), "ann", 300),
    ("redemption", redemption, "bob", 1_000),
    ("clock", lambda _, id_: do.CloseBets(id=id_, by=CLOCK, **AT), "ann", 0),
    ("staff", lambda _, id_: do.Refer(id=id_, by=SHIFT, matter="a chip fell down", **AT), "ann", 0),
]


@pytest.fixture
def proxy(database_url: str) -> Iterator[Proxy]:
    with proxied(database_url) as made:
        yield made


@pytest.fixture
def house(proxy: Proxy, database_url: str) -> Iterator[House]:
    url = schemas_in(proxy.url)()
    with closing(PostgresStore(url)) as store:
        yield House(store).open()
    drop_schemas(database_url, [url])


def given(house: House, *commands: AnyCommand) -> list[Answer | PuntoError]:
    try:
        return house.floor.handle_all(commands)
    except PuntoError as error:
        return [error] * len(commands)


def is_clean(house: House) -> bool:
    return {finding.stream for finding in audit(house.store, public_key=KEYS.public).findings} <= {STAFF}


def next_round(house: House) -> None:
    """Play the round to its end, and open bets again."""
    if house.floor.table("T1").asked:
        house.give(do.Rule, SHIFT, ruling=Ruling.VOID, reason="a chip fell down")
    if house.floor.table("T1").phase is Phase.BETS_OPEN:
        house.give(do.CloseBets)
    while house.floor.table("T1").phase in PLAYING:
        house.give(do.DrawCard)
    house.give(do.OpenBets)


@pytest.mark.parametrize("delivered", [True, False])
def test_a_command_without_an_answer_is_in_doubt_until_the_store_says_which(
    house: House, proxy: Proxy, delivered: bool
) -> None:
    """Twelve of twelve: each kind of command, with its commit delivered and not."""
    floor = house.floor
    for name, made, patron, cents in KINDS:
        next_round(house)
        command, wallet = made(house, name), f"wallet/{patron}"
        before, version = floor.balance(wallet), floor.version("T1")
        proxy.cut(b"COMMIT", deliver=delivered, stay_down=True)
        [answer] = given(house, command)
        assert type(answer) is OutcomeUnknown, name
        again, other = given(house, command, do.BuyIn(id=f"other {name}", cents=Cents(1), **OF_BOB))
        assert type(again) is OutcomeUnknown, "while the store is away, nobody knows"
        assert type(other) is StoreGone, "what was never sent is refused"
        assert proxy.was_cut.wait(10)
        proxy.down = False
        floor.settle()
        settled = floor.take_settled()
        assert settled
        found = settled.of(command)
        assert isinstance(found, Answer if delivered else NotWritten), name
        assert floor.take_settled() is None
        assert floor.balance(wallet) - before == (cents if delivered else 0), name
        assert (floor.version("T1") > version) is delivered
        [same] = given(house, command)
        assert type(same) is type(found), name
    assert is_clean(house)


def test_an_id_that_was_never_written_is_refused_whatever_comes_under_it_and_then_stale(
    house: House, proxy: Proxy
) -> None:
    proxy.cut(b"COMMIT", deliver=False)
    assert isinstance(given(house, do.BuyIn(id="x", cents=Cents(300), **OF_ANN))[0], OutcomeUnknown)
    house.floor.settle()
    assert isinstance(given(house, do.BuyIn(id="x", cents=Cents(301), **OF_ANN))[0], NotWritten)
    next_round(house)
    assert isinstance(given(house, do.BuyIn(id="x", cents=Cents(300), **OF_ANN))[0], StaleId)


def test_a_commit_that_comes_late_is_made_before_the_answer_or_never(house: House, proxy: Proxy) -> None:
    """The commit reaches the server after the floor has asked what became of it: it waits for it, or has cut it off."""
    before = house.floor.balance("wallet/ann")
    proxy.cut(b"COMMIT", deliver=True, late_s=0.3)
    assert isinstance(given(house, do.BuyIn(id="x", cents=Cents(300), **OF_ANN))[0], OutcomeUnknown)
    house.floor.settle()
    settled = house.floor.take_settled()
    assert settled
    answer = settled.of(do.BuyIn(id="x", cents=Cents(300), **OF_ANN))
    sleep(0.5)
    written = isinstance(answer, Answer)
    assert written or isinstance(answer, NotWritten)
    assert house.floor.balance("wallet/ann") == before + (300 if written else 0)


def test_a_group_is_settled_as_one_and_each_gets_its_own_answer(house: House, proxy: Proxy) -> None:
    fine, broke = do.BuyIn(id="fine", cents=Cents(300), **OF_ANN), do.CashOut(id="broke", cents=Cents(10**9), **OF_BOB)
    proxy.cut(b"COMMIT", deliver=True)
    assert {type(each) for each in given(house, fine, broke)} == {OutcomeUnknown}
    house.floor.settle()
    settled = house.floor.take_settled()
    assert settled
    assert isinstance(settled.of(fine), Answer)
    assert isinstance(settled.of(broke), PuntoError)
    assert not isinstance(settled.of(broke), NotWritten)
    assert isinstance(settled.of(do.BuyIn(id="fine", cents=Cents(301), **OF_ANN)), IdInUse)


def test_a_ticket_in_doubt_has_no_worth_yet(house: House, proxy: Proxy) -> None:
    proxy.cut(b"COMMIT", deliver=True, stay_down=True)
    given(house, do.CashOut(id=issue_id(NEW), cents=Cents(20_000), **OF_ANN))
    for code, error in ((NEW, OutcomeUnknown), (OPEN, StoreGone)):
        with pytest.raises(error) as told:
            house.floor.ticket_worth(code)
        assert type(told.value) is error
    proxy.down = False
    assert house.floor.ticket_worth(NEW) == 20_000


def test_what_was_never_sent_is_not_in_doubt_whatever_else_is() -> None:
    disk = Disk()
    house = House(DiskStore(Journal(disk))).open()
    command, other = (do.BuyIn(id=id_, cents=Cents(300), **OF_ANN) for id_ in ("first", "other"))
    disk.failing_syncs = 2
    [answer] = given(house, command)
    again, refused = given(house, command, other)
    assert (type(answer), type(again), type(refused)) == (OutcomeUnknown, OutcomeUnknown, StoreGone)
    house.floor.settle()
    assert isinstance(given(house, other)[0], Answer), "nobody has refused it for good"


def test_a_floor_that_closes_in_doubt_keeps_no_snapshot_of_what_may_never_have_been() -> None:
    disk = Disk()
    house = House(DiskStore(Journal(disk))).open()
    disk.failing_syncs = 1
    assert isinstance(given(house, do.CloseBets(id="close", by=CLOCK, **AT))[0], OutcomeUnknown)
    house.floor.keep_all()
    house.store.claim("anything")  # a commit takes the place of what the failed one has left in the log
    again = House(house.store)
    assert again.floor.table("T1").phase is Phase.BETS_OPEN


def test_a_table_that_could_not_be_claimed_leaves_nothing_in_doubt() -> None:
    disk = Disk()
    house = House(DiskStore(Journal(disk)))
    disk.failing_syncs = 1
    setup = Setup(game="fortune-six", source=Source.VIRTUAL)
    opening = do.OpenTable(id="opening", table="T1", by=SHIFT, at_ms=START_MS, setup=setup)
    [refused] = given(house, opening)
    assert type(refused) is StoreGone
    assert not house.floor.in_doubt
    assert isinstance(given(house, opening)[0], Answer)


def test_a_group_that_fails_halfway_leaves_no_wallet_as_it_would_have_been() -> None:
    disk = Disk()
    house = House(DiskStore(Journal(disk))).open()
    before = house.floor.balance("wallet/ann")
    bought = do.BuyIn(id="bought", cents=Cents(300), **OF_ANN)
    refused = do.PlaceWager(id="refused", wager="Tie", stake_cents=Cents(0), **OF_BOB)

    def lose_disk(command: AnyCommand, *_: object) -> None:
        disk.is_away = command is refused

    house.floor.gate = lose_disk
    assert {type(each) for each in given(house, bought, refused)} == {StoreGone}
    disk.is_away = False
    assert house.floor.balance("wallet/ann") == before
