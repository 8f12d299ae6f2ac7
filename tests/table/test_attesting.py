import pytest
from tests.marks import clause
from tests.table.desk import ASSISTANT, DEALER, SHIFT, SYSTEM, Desk, patron

from punto.errors import BadCount, NotAllowed, NotInHand, OutOfTurn
from punto.rules import Act, Method, Side
from punto.table import commands as do
from punto.table.attesting import Prompt, prompts
from punto.table.events import Attested, CardsExposed


def under_both(*numbers: str) -> pytest.MarkDecorator:
    """The test is run under B8 and under TNC5, as the proof of these clauses of each."""
    games = {"B8": "baccarat", "TNC5": "live-tiger-no-commission"}
    return pytest.mark.parametrize(
        "game",
        [pytest.param(game, marks=clause(*[f"{code} {number}" for number in numbers])) for code, game in games.items()],
    )


def drawn_by_a_patron(game: str) -> Desk:
    desk = Desk(game, hlga=True)
    desk(do.ChooseMethod, ASSISTANT, method=Method.C)
    desk.bets(("ann", "Player", 1_000), ("bob", "Banker", 1_000))
    desk(do.TakeDevice, patron("ann"), patron="ann")
    desk(do.CloseBets)
    return desk


@under_both("3.11.4")
def test_somebody_vouches_that_a_patron_drew_in_full_view(game: str) -> None:
    desk = drawn_by_a_patron(game)
    assert prompts(desk.table) == ()
    desk.draw("Ks 2h 5d 4c", by=patron("ann"))
    assert prompts(desk.table) == (Prompt(Act.IN_FULL_VIEW),)
    [event] = desk(do.Attest, DEALER, act=Act.IN_FULL_VIEW, note="camera 4")
    assert event == Attested(Act.IN_FULL_VIEW, f"{desk.table.book.code} 3.11.4", "camera 4")
    assert prompts(desk.table) == ()
    with pytest.raises(OutOfTurn):
        desk(do.Attest, DEALER, act=Act.IN_FULL_VIEW)


@under_both("3.11.3", "3.11.5", "3.11.7")
def test_somebody_vouches_for_the_way_of_a_hand_and_for_cards_on_the_layout(game: str) -> None:
    desk = drawn_by_a_patron(game)
    desk.draw("Ks 2h 5d 4c", by=patron("ann"))
    desk(do.PassHand, DEALER, side=Side.BANKER, patron="bob")
    assert Prompt(Act.PASSED_THROUGH_DEALER) in prompts(desk.table)
    desk(do.ExposeCards, patron("ann"), patron="ann", side=Side.PLAYER)
    assert Prompt(Act.PLACED_ON_LAYOUT) not in prompts(desk.table)
    desk(do.ExposeCards, patron("bob"), patron="bob", side=Side.BANKER)
    for prompt in prompts(desk.table):
        desk(do.Attest, DEALER, act=prompt.act)
    assert prompts(desk.table) == ()


@under_both("5.18.1")
def test_somebody_vouches_that_patrons_were_asked_to_decrease(game: str) -> None:
    desk = Desk(game, differential_cents=500)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    assert prompts(desk.table) == (Prompt(Act.ASKED_TO_DECREASE),)
    desk(do.Attest, DEALER, act=Act.ASKED_TO_DECREASE)
    desk(do.ChangeWager, patron("ann"), patron="ann", number=1, stake_cents=500)
    assert desk.table.heavier is None


def carried_off(game: str) -> Desk:
    """A patron has left with one of Player's cards, and nobody knows which."""
    desk = Desk(game, method=Method.A, reads=False, decks=4)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("? ? ? ?")
    desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    desk(do.ChooseFirst, DEALER, side=Side.BANKER)
    desk(do.ExposeCards, DEALER, side=Side.BANKER, cards="2h 4c")
    desk(do.ReportCarriedOff, DEALER, side=Side.PLAYER, cards=1, left="9s")
    return desk


@under_both("5.11.1")
def test_two_cards_are_set_aside_and_only_once(game: str) -> None:
    desk = carried_off(game)
    for wrong in ("Th", "Th Td 3c"):
        with pytest.raises(BadCount):
            desk(do.SetCardsAside, SHIFT, cards=wrong)
    desk(do.SetCardsAside, SHIFT, cards="Th Td")
    with pytest.raises(BadCount):
        desk(do.SetCardsAside, SHIFT, cards="Th Td")


@under_both("5.11.2", "5.11.3")
def test_somebody_vouches_for_the_sorting_and_for_the_replacement(game: str) -> None:
    desk = carried_off(game)
    assert prompts(desk.table) == ()
    desk(do.SetCardsAside, SHIFT, cards="Th Td")
    assert prompts(desk.table) == (Prompt(Act.SORTED_AND_DISPLAYED),)
    desk(do.Attest, SHIFT, act=Act.SORTED_AND_DISPLAYED)
    left = [str(card) for card in desk.table.game.deck.cards * 4]
    for card in ("2h", "4c", "9s", "Th", "Td", "7d"):
        left.remove(card)
    desk(do.CountCards, SHIFT, device=" ".join(left), discards="")
    assert [laid.card for laid in desk.table.hand(Side.PLAYER)] == ["9s", "7d"]
    assert prompts(desk.table) == (Prompt(Act.TAKEN_FROM_COMPLETE_DECK),)
    desk(do.Attest, SHIFT, act=Act.TAKEN_FROM_COMPLETE_DECK)


@under_both("3.7")
def test_somebody_vouches_that_a_patron_asked_for_a_wager(game: str) -> None:
    desk = Desk(game)
    desk.bets()
    desk(do.PlaceWager, DEALER, patron="ann", wager="Player", stake_cents=1_000, position=1)
    assert prompts(desk.table) == (Prompt(Act.PATRON_ASKED, 1),)
    with pytest.raises(NotAllowed):
        desk(do.Attest, patron("ann"), act=Act.PATRON_ASKED, wager=1)
    with pytest.raises(NotAllowed):
        desk(do.Attest, SYSTEM, act=Act.PATRON_ASKED, wager=1)


@under_both("1.1.8")
def test_who_squeezes_is_on_record_with_who_exposes(game: str) -> None:
    desk = Desk(game, method=Method.A)
    desk.bets(("ann", "Player", 1_000))
    desk(do.CloseBets)
    desk.draw("Ks 2h 5d 4c")
    [taken] = desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    assert (type(taken).__name__, desk.table.player.holder) == ("CardsAccepted", "ann")
    desk(do.ChooseFirst, DEALER, side=Side.PLAYER)
    with pytest.raises(NotInHand):
        desk(do.ExposeCards, DEALER, side=Side.PLAYER)
    [exposed] = desk(do.ExposeCards, patron("ann"), patron="ann", side=Side.PLAYER)
    assert exposed == CardsExposed(Side.PLAYER, "Ks 5d")
