"""A game: a deck, a way of opening the deal, and its wagers."""

from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

from punto.cards import Card, Deck, check_decks
from punto.errors import NoCards, TooManyCopies
from punto.rules.coup import Coup
from punto.rules.deal import CLASSIC, Deal, Opening
from punto.rules.outlook import Outlook, Standing
from punto.rules.pay import Settlement, Wager
from punto.rules.settler import Settler
from punto.rules.words import Label


@dataclass(frozen=True)
class Game:
    """One game, declared; *rulebook* is the code of the rulebook it belongs to, or empty."""

    key: str
    title: Label
    rulebook: str
    deck: Deck
    wagers: tuple[Wager, ...]
    opening: Opening = CLASSIC

    def wager(self, name: str) -> Wager:
        """The wager of that name."""
        return next(wager for wager in self.wagers if wager.name == name)

    def deal(self, cards: Iterable[Card], decks: int = 8) -> Deal:
        """The deal after these cards, if a shoe of that many decks can hold them."""
        check_decks(decks)
        drawn = tuple(cards)
        if not drawn:
            raise NoCards(f"card 1 is missing: expected the cards of {self.key} in the order dealt")
        deal = Deal.of(self.opening, drawn)
        if len(drawn) > decks:
            self._check_copies(drawn, decks)
        return deal

    def _check_copies(self, drawn: tuple[Card, ...], decks: int) -> None:
        for place, card in enumerate(drawn, 1):
            if drawn[:place].count(card) > decks:
                message = f"card {place}: {card} comes {decks + 1} times: expected at most {decks} in {decks} decks"
                raise TooManyCopies(message, place)

    def settle(self, coup: Coup) -> tuple[Settlement, ...]:
        """Every wager of the game, settled on a complete coup."""
        return self._settler.settle(coup)

    def standings(self, deal: Deal) -> dict[str, Standing]:
        """For each wager: won, lost or undecided, over every way the deal can still go (interpretation 14)."""
        return {wager.name: outlook.standing(deal) for wager, outlook in zip(self.wagers, self._outlooks, strict=True)}

    def outcome_established(self, deal: Deal, offered: Iterable[str] | None = None) -> bool:
        """Whether at least one offered wager is certain to win or certain to lose (EB4 5.9; B8 5.17)."""
        standings = self.standings(deal)
        names = standings if offered is None else offered
        return any(standings[name] is not Standing.UNDECIDED for name in names)

    def tabulate(self) -> None:
        """Work out now what partial deals decide, so that every question after this is answered at once."""
        for outlook in self._outlooks:
            outlook.tabulate()

    @cached_property
    def _settler(self) -> Settler:
        return Settler(self.wagers)

    @cached_property
    def _outlooks(self) -> tuple[Outlook, ...]:
        return tuple(Outlook(wager, self.deck) for wager in self.wagers)
