"""What the lab says of the cards that are left: the next outcome's chances, and the edge of every wager."""

from functools import cached_property

from punto.cards import Card, parse_cards
from punto.errors import PuntoError
from punto.lab.composition import Composition
from punto.lab.odds import GameOdds, Odds
from punto.rules import Game
from punto.server.wire.tells import Chances, Edge
from punto.table import Table


class Lab:
    """Exact odds for the floor, each game worked out once."""

    def __init__(self) -> None:
        self._games: dict[tuple[str, str], _OfGame] = {}

    def look(self, table: Table) -> tuple[tuple[Edge, ...], Chances | None]:
        """Edges and chances for the shoe in place; nothing where there is none, or once it holds too few cards."""
        if table.shoe.out or not table.shoe.number:
            return (), None
        setup = table.open
        known = self._games.setdefault((setup.game, setup.declaration), _OfGame(setup.rules))
        deck = setup.rules.deck
        try:
            odds = known.odds.of(Composition.full(deck, setup.decks).without(_seen(table)))
            usual = known.usual(setup.decks)
        except PuntoError:
            return (), None
        edges = tuple(
            Edge(name, float(odds.wagers[name].edge), float(usual.wagers[name].edge)) for name in setup.wagers
        )
        return edges, _chances(odds)


def _seen(table: Table) -> list[Card]:
    """The cards of this shoe's finished rounds, which everybody has seen.

    What lay face down when a round was void is no more known than what is still to come.
    """
    deck = table.game.deck
    return [card for coup in table.coups for card in parse_cards(coup, deck)]


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
