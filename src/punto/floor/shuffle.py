"""The shuffle of virtual shoes, and their order under seal."""

from collections.abc import Callable
from random import SystemRandom
from typing import NamedTuple, TypeVar

from punto.cards import Card, Shoe, parse_cards
from punto.floor.keys import Keys
from punto.surroundings import token_hex
from punto.table import Setup, Table
from punto.table.contributions import Beacon, permutation_seed, permuted
from punto.table.shoes import ShoePlace, bound_commitment

# Puts cards in an order; chance comes in here and nowhere else.
Shuffle = Callable[[tuple[Card, ...]], tuple[Card, ...]]
T = TypeVar("T")


def by_chance(cards: tuple[T, ...]) -> tuple[T, ...]:
    """An order drawn from the operating system's generator, every one as likely as any other."""
    order = list(cards)
    SystemRandom().shuffle(order)
    return tuple(order)


class Sealed(NamedTuple):
    """A fresh shoe: what it is committed to, and its order under seal."""

    commitment: str
    sealed: str


class Opened(NamedTuple):
    """The floor's own order of a shoe, and the salt of its commitment."""

    order: str
    salt: str


def seal(keys: Keys, setup: Setup, place: ShoePlace, shuffle: Shuffle, beacon: Beacon | None = None) -> Sealed:
    """Shuffle a shoe, commit to it and seal it."""
    shoe = Shoe.unshuffled(setup.rules.deck, setup.decks)
    opened = Opened(" ".join(map(str, shuffle(shoe.order))), token_hex(16))
    commitment = bound_commitment(setup, place, opened, beacon)
    return Sealed(commitment, keys.seal(f"{opened.salt}\n{opened.order}", _about(place.table, place.number)))


def unseal(keys: Keys, key: str, table: Table) -> Opened:
    """The order of the shoe in place."""
    salt, order = keys.unseal(table.shoe.sealed, _about(key, table.shoe.number)).split("\n")
    return Opened(order, salt)


def as_dealt(opened: Opened, table: Table) -> tuple[str, ...]:
    """The cards in the order in which they come: permuted by the contributions, and cut."""
    setup, shoe = table.open, table.shoe
    deck = setup.rules.deck
    order = parse_cards(opened.order, deck)
    if shoe.contributions or shoe.beacon_value:  # where nobody contributed, the floor's own order is dealt
        secrets = [(each.patron, each.secret) for each in shoe.contributions]
        order = permuted(order, permutation_seed(shoe.commitment, secrets, shoe.beacon_value))
    return tuple(map(str, Shoe(deck, setup.decks, order, setup.behind).cut(shoe.cut).order))


def _about(table: str, number: int) -> str:
    return f"{table} shoe {number}"
