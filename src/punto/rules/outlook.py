"""What a partial deal already decides of a wager: won, lost or undecided.

Every way the deal can still go is looked at, with any card of the deck, whether or not this shoe still holds it
(interpretation 14). It is tabulated, not searched: a hand is reduced to the traits that the wager reads and the total
that the Table of Play needs, and what can come of each pair of such hands is worked out once.
"""

from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import Final

from punto.cards import Card, Deck
from punto.rules.coup import Hand, Side
from punto.rules.deal import INITIAL, Deal
from punto.rules.pay import Result, Wager
from punto.rules.tableau import STOOD, banker_draws, no_more_cards, player_draws
from punto.rules.traits import TOTAL, Reading, Trait, Value


class Standing(Enum):
    """What a partial deal already says of a wager; one that is certain to push is undecided."""

    WON = "won"
    LOST = "lost"
    UNDECIDED = "undecided"


# The results that can still come, as a set of bits.
Ends = int
_NONE: Final[Ends] = 0
_END_OF: Final[dict[Result, Ends]] = {Result.WIN: 1, Result.LOSE: 2, Result.PUSH: 4}
_STANDING_OF: Final = {_END_OF[Result.WIN]: Standing.WON, _END_OF[Result.LOSE]: Standing.LOST}
_MAY_STILL_BE_DECIDED: Final = frozenset({_NONE, *_STANDING_OF})

# The values of a hand's traits; the total comes first.
State = tuple[Value, ...]


class Outlook:
    """All that can come of one wager, from any point of a deal."""

    def __init__(self, wager: Wager, deck: Deck) -> None:
        self.wager = wager
        self._kinds = deck.cards
        self._points = sorted({card.points for card in deck.cards})
        self._traits = {side: self._traits_of(side) for side in Side}
        self._openings = cache(self._every_opening)
        self._after_initial_deal = cache(self._from_initial_deal)
        self._after_player = cache(self._from_player)
        self._at_the_end = cache(self._end)

    def standing(self, deal: Deal) -> Standing:
        """What the deal so far says of the wager."""
        return _STANDING_OF.get(self._ends(deal), Standing.UNDECIDED)

    def tabulate(self) -> None:
        """Work out every table now, so that no later question waits."""
        for player in self._openings(Side.PLAYER, ()):
            for banker in self._openings(Side.BANKER, ()):
                self._after_initial_deal(player, banker)

    def _ends(self, deal: Deal) -> Ends:
        if len(deal.player) < INITIAL or len(deal.banker) < INITIAL:
            return self._from_openings(deal.player, deal.banker)
        banker = self._state(Side.BANKER, deal.banker)
        player = self._state(Side.PLAYER, deal.player)
        side = deal.next
        if side is None:
            return self._at_the_end(player, banker)
        if side is Side.BANKER:
            return self._banker_draws(player, banker)
        return self._after_initial_deal(player, banker)

    def _from_openings(self, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Ends:
        ends = _NONE
        for player_state in self._openings(Side.PLAYER, player):
            for banker_state in self._openings(Side.BANKER, banker):
                ends |= self._after_initial_deal(player_state, banker_state)
                if ends not in _MAY_STILL_BE_DECIDED:
                    return ends
        return ends

    def _every_opening(self, side: Side, cards: tuple[Card, ...]) -> frozenset[State]:
        """Every state that a hand of two cards can have, which begins with these."""
        if len(cards) < INITIAL:
            return frozenset[State]().union(*[self._openings(side, (*cards, card)) for card in self._kinds])
        return frozenset({self._state(side, cards)})

    def _from_initial_deal(self, player: State, banker: State) -> Ends:
        if no_more_cards(_total(player), _total(banker)):
            return self._at_the_end(player, banker)
        if not player_draws(_total(player)):
            return self._after_player(player, banker, STOOD)
        drawn = [self._after_player(self._with(Side.PLAYER, player, third), banker, third) for third in self._points]
        return reduce(or_, drawn)

    def _from_player(self, player: State, banker: State, third: int | None) -> Ends:
        if banker_draws(_total(banker), third):
            return self._banker_draws(player, banker)
        return self._at_the_end(player, banker)

    def _banker_draws(self, player: State, banker: State) -> Ends:
        return reduce(or_, [self._at_the_end(player, self._with(Side.BANKER, banker, third)) for third in self._points])

    def _end(self, player: State, banker: State) -> Ends:
        values: dict[Reading, Value] = {}
        for side, state in ((Side.PLAYER, player), (Side.BANKER, banker)):
            values |= {Reading(side, trait): value for trait, value in zip(self._traits[side], state, strict=True)}
        return _END_OF[self.wager.settle(values).result]

    def _traits_of(self, side: Side) -> tuple[Trait, ...]:
        """The total, which the Table of Play needs, and whatever else the wager reads off that hand."""
        read = {reading.trait for reading in self.wager.reads if reading.side is side}
        return (TOTAL, *sorted(read - {TOTAL}, key=lambda trait: trait.name))

    def _state(self, side: Side, cards: tuple[Card, ...]) -> State:
        hand = Hand(cards)
        return tuple([trait.of(hand) for trait in self._traits[side]])

    def _with(self, side: Side, state: State, third: int) -> State:
        return tuple([trait.drawn(value, third) for trait, value in zip(self._traits[side], state, strict=True)])


def _total(state: State) -> int:
    return int(state[0])
