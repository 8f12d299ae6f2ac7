"""What a partial deal already decides of a wager: won, lost or undecided.

Every way the deal can still go is looked at, with any card of the deck, whether or not this shoe still holds it
(interpretation 14). It is tabulated, not searched: a hand is reduced to the traits that the wager reads and the total
that the Table of Play needs, and what can come of each pair of such hands is worked out once.
"""

from collections.abc import Iterable
from enum import Enum
from functools import cache, reduce
from operator import or_
from typing import Final

from punto.cards import Card, Deck
from punto.rules.coup import Side
from punto.rules.deal import INITIAL, Deal
from punto.rules.pay import Result, Wager
from punto.rules.tableau import third_card
from punto.rules.view import State, View, total_of


class Standing(Enum):
    """What a partial deal already says of a wager; one that is certain to push is undecided."""

    WON = "won"
    LOST = "lost"
    UNDECIDED = "undecided"


def established(standings: Iterable[Standing]) -> bool:
    """Whether an outcome is established: at least one wager is certain to win or certain to lose (EB4 5.9; B8 5.17)."""
    return any(standing is not Standing.UNDECIDED for standing in standings)


# The results that can still come, as a set of bits.
Ends = int
_NONE: Final[Ends] = 0
_END_OF: Final[dict[Result, Ends]] = {Result.WIN: 1, Result.LOSE: 2, Result.PUSH: 4}
_STANDING_OF: Final = {_END_OF[Result.WIN]: Standing.WON, _END_OF[Result.LOSE]: Standing.LOST}
_MAY_STILL_BE_DECIDED: Final = frozenset({_NONE, *_STANDING_OF})


class Outlook:
    """All that can come of one wager, from any point of a deal."""

    def __init__(self, wager: Wager, deck: Deck) -> None:
        self.wager = wager
        self.player = View(Side.PLAYER, wager.reads)
        self.banker = View(Side.BANKER, wager.reads)
        self._views = {Side.PLAYER: self.player, Side.BANKER: self.banker}
        self._kinds = deck.cards
        self._points = sorted({card.points for card in deck.cards})
        self._openings = cache(self._every_opening)
        self._after_initial_deal = cache(self._from_initial_deal)
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
        player, banker = self.player.of(deal.player), self.banker.of(deal.banker)
        if len(deal.player) == len(deal.banker) == INITIAL:
            return self._after_initial_deal(player, banker)
        return self._from(deal.next, player, banker)

    def _from_openings(self, player: tuple[Card, ...], banker: tuple[Card, ...]) -> Ends:
        ends = _NONE
        for player_state in self._openings(Side.PLAYER, player):
            for banker_state in self._openings(Side.BANKER, banker):
                ends |= self._after_initial_deal(player_state, banker_state)
                if ends not in _MAY_STILL_BE_DECIDED:
                    return ends
        return ends

    def _every_opening(self, side: Side, held: tuple[Card, ...]) -> tuple[State, ...]:
        return tuple(self._views[side].openings(self._kinds, held))

    def _from_initial_deal(self, player: State, banker: State) -> Ends:
        return self._from(third_card(total_of(player), total_of(banker)), player, banker)

    def _from(self, side: Side | None, player: State, banker: State) -> Ends:
        """What can come when this side's third card is due, or none is."""
        match side:
            case None:
                return self._at_the_end(player, banker)
            case Side.BANKER:
                return reduce(or_, [self._at_the_end(player, self.banker.after(banker, each)) for each in self._points])
            case Side.PLAYER:
                return reduce(or_, [self._player_draws(player, banker, each) for each in self._points])

    def _player_draws(self, player: State, banker: State, points: int) -> Ends:
        side = third_card(total_of(player), total_of(banker), points)
        return self._from(side, self.player.after(player, points), banker)

    def _end(self, player: State, banker: State) -> Ends:
        values = dict(zip(self.player.readings + self.banker.readings, player + banker, strict=True))
        return _END_OF[self.wager.settle(values).result]
