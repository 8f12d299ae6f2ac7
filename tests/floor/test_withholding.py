"""A wallet whose record is stopped holds up nobody else: what the table owes it lies aside for a while."""

from pathlib import Path

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import ANN, BOB, KEYS, SHIFT, START_MS, House
from tests.floor.forgeries import RICH
from tests.store.places import Place

from punto.errors import NotAllowed, NothingPending, StreamStopped
from punto.floor.handler import FLOOR
from punto.floor.repairing import Who, set_aside
from punto.record import audit
from punto.rules import Position
from punto.store import open_store
from punto.table import Actor, Phase
from punto.table import commands as do

STORES = pytest.mark.parametrize("place", ["sqlite", "postgres"], indirect=True)


def dealt(house: House) -> None:
    """Close the bets at T1 and deal the round to its end."""
    house.give(do.CloseBets)
    while house.floor.table("T1").deal.next is not None:
        house.give(do.DrawCard)
    assert house.floor.table("T1").phase is Phase.SETTLED


def stopped(place: Place, patron: str = "ann") -> House:
    """Two patrons have bet at T1 on everything that can win, and somebody appends to the wallet of one of them."""
    house = House(place.open()).open()
    for wager in ("Player", "Tie"):
        house.give(do.PlaceWager, ANN, wager=wager, stake_cents=5_000)
    for wager in ("Banker", "Player", "Tie"):
        house.give(do.PlaceWager, BOB, wager=wager, stake_cents=1_000)
    Attacker(place.url).append(f"wallet/{patron}", RICH | {"taker": f"wallet/{patron}"})
    return house


def findings(house: House) -> list[str]:
    """What the audit finds; of the honest record only that the notes of the staff here say nothing that reads."""
    told = [str(each) for each in audit(house.store, public_key=KEYS.public).findings]
    return [each for each in told if "identity" not in each]


def is_of_the_forgery(found: str) -> bool:
    """Whether a finding speaks of the forged row, or of its money, which is in no other account."""
    return "wallet/ann" in found or "forged-buy" in found or "at -50140000 cents" in found


@STORES
def test_the_others_at_the_table_are_paid_and_play_on(place: Place) -> None:
    house = stopped(place)
    before = house.floor.balance("wallet/bob")
    dealt(house)
    table = house.floor.table("T1")
    payments = table.payments
    paid = {name: sum(each.paid_cents for each in payments if each.patron == name) for name in ("ann", "bob")}
    assert paid["ann"] > 0
    assert paid["bob"] > 0
    assert house.floor.balance("wallet/bob") == before + paid["bob"]
    assert table.withheld == {"ann": paid["ann"]}
    house.round("T1")
    assert house.floor.table("T1").withheld == {"ann": paid["ann"]}
    with pytest.raises(StreamStopped):
        house.floor.balance("wallet/ann")
    # The audit names the forged row, and agrees with all that was booked.
    assert not [each for each in findings(house) if not is_of_the_forgery(each)], findings(house)


@STORES
def test_once_the_wallet_is_whole_again_its_patron_gets_what_lay_aside(place: Place, tmp_path: Path) -> None:
    house = stopped(place)
    dealt(house)
    [cents] = house.floor.table("T1").withheld.values()
    with pytest.raises(StreamStopped):
        house.give(do.ReleaseCredits, FLOOR, patron="ann")
    house.floor.keep_all()
    place.close()
    store = open_store(place.url)
    set_aside(store, KEYS, Who("greta", "a forged row", START_MS), tmp_path / "aside.jsonl")
    store.close()
    again = House(place.open())
    before = again.floor.balance("wallet/ann")
    again.give(do.ReleaseCredits, FLOOR, patron="ann")
    assert again.floor.balance("wallet/ann") == before + cents
    assert again.floor.table("T1").withheld == {}
    assert not findings(again)
    with pytest.raises(NothingPending):
        again.give(do.ReleaseCredits, FLOOR, patron="ann")


@STORES
def test_whoever_asks_for_something_of_ones_own_is_refused(place: Place) -> None:
    house = stopped(place)
    with pytest.raises(StreamStopped):
        house.give(do.SetStake, ANN, wager="Tie", stake_cents=0, round=house.floor.table("T1").round)
    assert not house.floor.table("T1").withheld


@pytest.mark.parametrize("place", ["memory"], indirect=True)
@pytest.mark.parametrize("by", [SHIFT, ANN, Actor("dora", Position.DEALER)])
def test_nobody_but_the_floor_itself_releases_what_lies_aside(place: Place, by: Actor) -> None:
    house = House(place.open()).open()
    with pytest.raises(NotAllowed):
        house.floor.handle(do.ReleaseCredits(id="r", table="T1", by=by, at_ms=START_MS + 1_000, patron="ann"))


@STORES
def test_when_a_round_is_void_the_stakes_of_a_stopped_wallet_lie_aside(place: Place) -> None:
    house = stopped(place)
    before = house.floor.balance("wallet/bob")
    house.give(do.CloseBets)
    place.close()
    again = House(place.open())
    again.floor.look_over_all()
    again.floor.recover(START_MS + 10_000)
    assert again.floor.table("T1").phase is Phase.VOID
    assert again.floor.table("T1").withheld == {"ann": 15_000}
    assert again.floor.balance("wallet/bob") == before + 3_000
    assert not [each for each in findings(again) if not is_of_the_forgery(each)]


@STORES
def test_a_wallet_that_is_found_to_be_altered_only_when_it_is_paid_holds_up_nobody(place: Place) -> None:
    house = House(place.open()).open()
    house.give(do.PlaceWager, BOB, wager="Player", stake_cents=1_000)
    before = house.floor.balance("wallet/bob")
    house.give(do.CloseBets)
    place.close()
    attacker = Attacker(place.url)
    attacker.edit("wallet/ann", len(attacker.entries("wallet/ann")), dict.clear, chain=False)
    again = House(place.open())
    again.floor.recover(START_MS + 10_000)
    assert again.floor.table("T1").withheld == {"ann": 5_000}
    assert again.floor.balance("wallet/bob") == before + 1_000


@STORES
def test_a_table_that_closes_keeps_what_lies_aside(place: Place) -> None:
    house = stopped(place)
    dealt(house)
    lies = house.floor.table("T1").withheld
    house.give(do.EndShoe, SHIFT, reason="to see the cards")
    house.give(do.CloseTable, SHIFT)
    assert house.floor.table("T1").withheld == lies
    with pytest.raises(StreamStopped):
        house.give(do.ReleaseCredits, FLOOR, patron="ann")
