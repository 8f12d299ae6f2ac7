"""Small wrongs done to a game's declaration: rows dropped, swapped or widened, numbers off by one, and the like.

A wrong that changes no settlement of any coup is *equivalent*; `every_class` goes through all that can be told apart.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace
from itertools import combinations
from typing import NamedTuple

from punto.cards import Card
from punto.rules import And, Condition, Coup, Deal, Game, Is, Not, Odds, Or, Pay, Settler, Side, View


class Mutant(NamedTuple):
    """A game with one wrong in one wager, and what the wrong is."""

    game: Game
    wager: str
    wrong: str


def mutants(game: Game) -> Iterator[Mutant]:
    """Every small wrong that can be done to the game."""
    for place, wager in enumerate(game.wagers):
        others = game.wagers[:place], game.wagers[place + 1 :]
        yield Mutant(replace(game, wagers=others[0] + others[1]), wager.name, "wager removed")
        for pays, wrong in _wrong_pays(wager.pays):
            wronged = replace(wager, pays=pays)
            yield Mutant(replace(game, wagers=(*others[0], wronged, *others[1])), wager.name, wrong)


def _wrong_pays(pays: tuple[Pay, ...]) -> Iterator[tuple[tuple[Pay, ...], str]]:
    for place, pay in enumerate(pays):
        before, after = pays[:place], pays[place + 1 :]
        yield before + after, f"row {place + 1} dropped"
        for odds in (Odds(pay.odds.won + 1, pay.odds.staked), Odds(max(pay.odds.won - 1, 0), pay.odds.staked)):
            if odds != pay.odds:
                yield (*before, replace(pay, odds=odds), *after), f"row {place + 1} pays {odds}"
        for condition in _wrong_conditions(pay.when):
            yield (*before, replace(pay, when=condition), *after), f"row {place + 1} when {condition}"
    for left, right in combinations(range(len(pays)), 2):
        swapped = list(pays)
        swapped[left], swapped[right] = swapped[right], swapped[left]
        yield tuple(swapped), f"rows {left + 1} and {right + 1} swapped"


def _wrong_conditions(condition: Condition) -> Iterator[Condition]:
    yield from _changed(condition, lambda part: (Not(part), *_neighbours(part)))
    yield from widened(condition)


def widened(condition: Condition) -> Iterator[Condition]:
    """The condition, holding for a neighbour of each of its numbers too."""
    return _changed(condition, lambda part: (Or((part, near)) for near in _neighbours(part)))


def _neighbours(condition: Condition) -> Iterator[Condition]:
    """The same fact with the value before and the value after: numbers, and ranks that are numbers, have such."""
    match condition:
        case Is(fact, value) if not fact.plain and str(value).isdigit():
            at = fact.values.index(value)
            yield from (Is(fact, near) for near in fact.values[max(at - 1, 0) : at + 2] if near != value)


def _changed(condition: Condition, change: Callable[[Condition], Iterable[Condition]]) -> Iterator[Condition]:
    """The condition with itself, or one of its parts, changed."""
    yield from change(condition)
    match condition:
        case And(parts) | Or(parts):
            for place, part in enumerate(parts):
                for wrong in _changed(part, change):
                    yield replace(condition, parts=(*parts[:place], wrong, *parts[place + 1 :]))


def every_class(game: Game, name: str) -> Iterator[Coup]:
    """Coups among which is one of each kind that a wager of the game can tell apart: all pairs of views, all thirds."""
    reads = game.wager(name).reads
    kinds = game.deck.cards
    thirds = list({card.points: card for card in kinds}.values())
    players = View(Side.PLAYER, reads).openings(kinds, game.opening.player).values()
    bankers = View(Side.BANKER, reads).openings(kinds).values()
    for player in players:
        for banker in bankers:
            yield from _finished(Deal(game.opening, player, banker), thirds)


def _finished(deal: Deal, thirds: list[Card]) -> Iterator[Coup]:
    coup = deal.coup
    if coup:
        yield coup
        return
    for card in thirds:
        yield from _finished(deal.take(card), thirds)


def settles_alike(game: Game, mutant: Mutant, coups: Iterable[Coup]) -> bool:
    """Whether the wronged wager comes to the same, by the same clause, on all the coups."""
    if len(mutant.game.wagers) != len(game.wagers):
        return False
    name = mutant.wager
    right, wrong = Settler((game.wager(name),)), Settler((mutant.game.wager(name),))
    settled = ((right.settle(coup)[name], wrong.settle(coup)[name]) for coup in coups)
    return all((one.net, one.clause) == (other.net, other.clause) for one, other in settled)
