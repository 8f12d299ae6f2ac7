"""What the lab says of the cards that can come: the next outcome's chances, and the edge of every wager."""

from dataclasses import dataclass
from functools import cached_property
from typing import Final

from punto.cards import Card, parse_card
from punto.errors import PuntoError
from punto.lab.composition import Composition
from punto.lab.odds import GameOdds, Odds
from punto.rules import Game
from punto.server.wire.tells import Chances, Edge
from punto.table import Setup, Table


@dataclass(frozen=True)
class Sight:
    """What is known of the cards that come in the next round.

    *gone* are those that cannot come: cards of finished rounds, cards that everybody knows to be out, and cards that
    were seen and that no decision plays. *next* are those out of the device that come first, by name where a decision
    plays one that was seen, and empty where nobody knows it.
    """

    shoe: int
    gone: tuple[str, ...]
    next: tuple[str, ...]
    left: int
    # A card that was seen waits for its decision: it may still come.
    undecided: bool = False

    @classmethod
    def of(cls, table: Table) -> "Sight | None":
        """What is known at a table; nothing where no shoe is in place."""
        if table.setup is None or table.shoe.out or not table.shoe.number:
            return None
        used = [card for coup in table.coups for card in coup.split()]
        come, barred = [], []
        for spare in table.spare:
            if not spare.seen:
                come.append("")
            elif spare.allowed == table.betting_round:
                come.append(spare.card)
            elif spare.card:
                barred.append(spare.card)
        gone = (*used, *table.shoe.gone, *barred)
        return cls(table.shoe.number, gone, tuple(come), table.left + len(come), bool(barred))

    @property
    def card_is_known(self) -> bool:
        """Whether somebody knows a card that comes, or may come by a decision that is still to be given."""
        return self.undecided or any(self.next)


@dataclass(frozen=True)
class Outlook:
    """The edges of the next round, and its chances; these are *open* to everybody unless somebody knows a card."""

    edges: tuple[Edge, ...] = ()
    chances: Chances | None = None
    open: bool = True

    @property
    def public(self) -> Chances | None:
        """The chances that everybody may be told: with a card that is known, they would tell which it is."""
        return self.chances if self.open else None


class Lab:
    """Exact odds for the floor, each game worked out once."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, str], _OfGame] = {}

    def look(self, table: Table) -> Outlook:
        """The outlook on the next round; nothing where no shoe is in place, or once it holds too few cards."""
        sight = Sight.of(table)
        return Outlook() if sight is None else self.outlook(table.open, sight)

    def outlook(self, setup: Setup, sight: Sight) -> Outlook:
        """The outlook on the next round of a table with such a setup, with what is known of its cards."""
        known = self._games.setdefault((setup.game, setup.declaration), _OfGame(setup.rules))
        deck = setup.rules.deck
        if sight.left < known.odds.classes.drawn:
            return Outlook()
        try:
            shoe = Composition.full(deck, setup.decks).without(parse_card(card, deck) for card in sight.gone)
            come: list[Card | None] = [parse_card(card, deck) if card else None for card in sight.next]
            odds = known.odds.given(shoe, come)
            usual = known.usual(setup.decks)
        except PuntoError:
            return Outlook()
        edges = tuple(
            Edge(name, float(odds.wagers[name].edge), float(usual.wagers[name].edge)) for name in setup.wagers
        )
        return Outlook(edges, _chances(odds), not sight.card_is_known)


class _OfGame:
    def __init__(self, game: Game) -> None:
        self._game = game
        self._usual: dict[int, GameOdds] = {}

    @cached_property
    def odds(self) -> Odds:
        return Odds(self._game)

    def usual(self, decks: int) -> GameOdds:
        if decks not in self._usual:
            self._usual[decks] = self.odds.of(Composition.full(self._game.deck, decks))
        return self._usual[decks]


def _chances(odds: GameOdds) -> Chances:
    """From the margins of the hands: what a wager pays has no bearing on who wins."""
    player = sum(count for margin, count in odds.margins.items() if margin > 0)
    tie = odds.margins[0]
    return Chances(*(count / odds.sequences for count in (player, odds.sequences - player - tie, tie)))


# The one of a worker, which keeps what it has worked out of a game.
LAB: Final = Lab()
