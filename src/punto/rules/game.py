"""A game: a deck, a way of opening the deal, and its wagers."""

from collections.abc import Iterable
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any

from punto.cards import USUAL_DECKS, Card, Deck, check_decks
from punto.errors import ForeignCard, NoCards, TooManyCopies, UnknownWager
from punto.rules.coup import Coup
from punto.rules.deal import CLASSIC, Deal, Opening
from punto.rules.outlook import Outlook, Standing, established
from punto.rules.pay import Settlement, Wager
from punto.rules.settler import Settler
from punto.rules.words import Label


@dataclass(frozen=True)
class Game:
    """One game, declared; *rulebook* is the code of the rulebook it belongs to, or empty.

    What is worked out from the declaration is kept with the game, and may be shared between threads; but it is no part
    of the game, and is neither compared nor pickled.
    """

    key: str
    title: Label
    rulebook: str
    deck: Deck
    wagers: tuple[Wager, ...]
    opening: Opening = CLASSIC

    def __post_init__(self) -> None:
        names = [wager.name for wager in self.wagers]
        assert len(set(names)) == len(names), "a wager is known by its name"

    def __getstate__(self) -> dict[str, Any]:
        return {field.name: getattr(self, field.name) for field in fields(self)}

    def wager(self, name: str) -> Wager:
        """The wager of that name."""
        for wager in self.wagers:
            if wager.name == name:
                return wager
        offered = ", ".join(wager.name for wager in self.wagers)
        raise UnknownWager(f"{name!r} is not a wager of {self.key}: expected {offered}")

    def begin(self) -> Deal:
        """A deal before its first card."""
        return Deal.begin(self.opening)

    def deal(self, cards: Iterable[Card], decks: int = USUAL_DECKS) -> Deal:
        """The deal after these cards, if a shoe of that many decks can hold them."""
        check_decks(decks)
        drawn = tuple(cards)
        if not drawn:
            raise NoCards(f"card 1 is missing: expected the cards of {self.key} in the order dealt")
        self._check_deck(drawn)
        deal = Deal.of(self.opening, drawn)
        if len(drawn) > decks:
            self._check_copies(drawn, decks)
        return deal

    def _check_deck(self, drawn: tuple[Card, ...]) -> None:
        for place, card in enumerate(drawn, 1):
            if card.suit not in self.deck.suits or card.rank not in self.deck.ranks:
                message = (
                    f"card {place}: {card} is not in the {self.deck.key} deck: expected one of its {self.deck.size}"
                )
                raise ForeignCard(message, place)

    def _check_copies(self, drawn: tuple[Card, ...], decks: int) -> None:
        for place, card in enumerate(drawn, 1):
            if drawn[:place].count(card) > decks:
                message = f"card {place}: {card} comes {decks + 1} times: expected at most {decks} in {decks} decks"
                raise TooManyCopies(message, place)

    def settle(self, coup: Coup) -> dict[str, Settlement]:
        """Every wager of the game by name, settled on a complete coup."""
        return self._settler.settle(coup)

    def standings(self, deal: Deal) -> dict[str, Standing]:
        """Every wager by name: won, lost or undecided, over every way the deal can still go (interpretation 14)."""
        return {outlook.wager.name: outlook.standing(deal) for outlook in self._outlooks}

    def outcome_established(self, deal: Deal, offered: Iterable[str] | None = None) -> bool:
        """Whether an outcome is established by the wagers on offer: all of the game's, or those named."""
        standings = self.standings(deal)
        names = standings if offered is None else [self.wager(name).name for name in offered]
        return established(standings[name] for name in names)

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
