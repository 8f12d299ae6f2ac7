"""The shuffle of virtual shoes, and their order under seal."""

from collections.abc import Callable
from random import SystemRandom
from typing import NamedTuple

from punto.cards import Card, Shoe, parse_cards
from punto.floor.keys import Keys
from punto.surroundings import token_hex
from punto.table import Setup, Table, commitment

# Puts cards in an order; chance comes in here and nowhere else.
Shuffle = Callable[[tuple[Card, ...]], tuple[Card, ...]]


def by_chance(cards: tuple[Card, ...]) -> tuple[Card, ...]:
    """An order drawn from the operating system's generator, every one as likely as any other."""
    order = list(cards)
    SystemRandom().shuffle(order)
    return tuple(order)


class Sealed(NamedTuple):
    """A fresh shoe: what it is committed to, and its order under seal."""

    commitment: str
    sealed: str


class Opened(NamedTuple):
    """A shoe's order before the cut, and the salt of its commitment."""

    order: str
    salt: str


def seal(keys: Keys, setup: Setup, table: str, number: int, shuffle: Shuffle) -> Sealed:
    """Shuffle a shoe, commit to it and seal it."""
    shoe = Shoe.unshuffled(setup.rules.deck, setup.decks)
    order = " ".join(map(str, shuffle(shoe.order)))
    salt = token_hex(16)
    return Sealed(commitment(order, salt), keys.seal(f"{salt}\n{order}", _about(table, number)))


def unseal(keys: Keys, key: str, table: Table) -> Opened:
    """The order of the shoe in place."""
    salt, order = keys.unseal(table.shoe.sealed, _about(key, table.shoe.number)).split("\n")
    return Opened(order, salt)


def as_cut(opened: Opened, table: Table) -> tuple[str, ...]:
    """The cards in the order in which they come, after the cut."""
    setup = table.open
    deck = setup.rules.deck
    shoe = Shoe(deck, setup.decks, parse_cards(opened.order, deck), setup.behind).cut(table.shoe.cut)
    return tuple(map(str, shoe.order))


def _about(table: str, number: int) -> str:
    return f"{table} shoe {number}"
