"""What a position can never do is read off the rulebooks."""

import re

import pytest

from punto.errors import NotAllowed
from punto.games import RULEBOOKS
from punto.rules import RANKS, Duty, Position
from punto.table import Actor
from punto.table import commands as do
from punto.table.actor import check_duty
from punto.table.authority import can_ever_give, can_ever_hold
from punto.table.commands import AnyCommand, Command, PatronCommand

KINDS: tuple[type[Command], ...] = AnyCommand.__args__


def test_a_patron_gives_what_is_the_patrons_own_and_what_is_nobodys_duty() -> None:
    given = {kind for kind in KINDS if can_ever_give(Position.PATRON, kind)}
    assert given == {kind for kind in KINDS if issubclass(kind, PatronCommand) or kind.duty is None}
    assert {do.SetStake, do.CutShoe, do.AnswerOffer, do.ExposeCards, do.DrawCard} <= given
    assert given.isdisjoint({do.OpenTable, do.ChangeLimits, do.CloseBets, do.Rule, do.CorrectCredits, do.LoadShoe})


def test_a_dealer_gives_only_what_some_rulebook_leaves_to_a_dealer() -> None:
    for kind in KINDS:
        charges = [book.conduct.duties.get(kind.duty) for book in RULEBOOKS.values()] if kind.duty else []
        expected = kind.duty is None or any(charge and charge.position is Position.DEALER for charge in charges)
        assert can_ever_give(Position.DEALER, kind) is expected, kind


@pytest.mark.parametrize("position", RANKS[1:])
def test_whoever_ranks_above_a_dealer_may_hold_any_duty_at_some_table(position: Position) -> None:
    held = {duty for book in RULEBOOKS.values() for duty in book.conduct.duties}
    assert all(can_ever_hold(position, duty) for duty in held)


def test_a_table_is_opened_by_the_usual_ranks() -> None:
    may = [position for position in Position if can_ever_hold(position, Duty.EXCEED_FILE, to_open=True)]
    assert may == [Position.GAMING_SHIFT_MANAGER, Position.CASINO_MANAGER, Position.CASINO_DIRECTOR]
    assert not can_ever_give(Position.DEALER, do.OpenTable)


def test_whoever_lacks_a_duty_is_told_in_plain_words_who_has_it_and_who_says_so() -> None:
    [book] = [each for each in RULEBOOKS.values() if each.code == "EB4"]
    dan = Actor("dan", Position.DEALER)
    with pytest.raises(NotAllowed) as of_the_house:
        check_duty(book, RANKS, dan, Duty.REPLACE_CARDS)
    assert str(of_the_house.value) == (
        "a Dealer may not have the cards replaced: only a Pit Manager or above may "
        "(the rulebook does not say who, this house does)"
    )
    duty, charge = next(
        (duty, charge) for duty, charge in book.conduct.duties.items() if charge.clause and charge.position is RANKS[-1]
    )
    with pytest.raises(NotAllowed, match=re.escape(f"only a Gaming Shift Manager or above may ({charge.clause})")):
        check_duty(book, RANKS, dan, duty)
