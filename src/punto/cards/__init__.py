"""Cards, decks, shoes and their notation: values only.

A card is a rank and a suit; a deck is a set of kinds of card; a shoe is an order of whole decks with the place of the
cutting card. Nothing here shuffles: chance comes in from outside.
"""

from punto.cards.card import PERMANENT_SEVEN, Card, Rank, Suit
from punto.cards.deck import (
    DECKS,
    ELEMENTS,
    FEWEST_DECKS,
    MOST_DECKS,
    STANDARD,
    USUAL_CUT,
    USUAL_DECKS,
    Deck,
    check_decks,
)
from punto.cards.notation import UNNAMED, parse_card, parse_cards, pretty, spell_cards
from punto.cards.shoe import Shoe

__all__ = [
    "DECKS",
    "ELEMENTS",
    "FEWEST_DECKS",
    "MOST_DECKS",
    "PERMANENT_SEVEN",
    "STANDARD",
    "UNNAMED",
    "USUAL_CUT",
    "USUAL_DECKS",
    "Card",
    "Deck",
    "Rank",
    "Shoe",
    "Suit",
    "check_decks",
    "parse_card",
    "parse_cards",
    "pretty",
    "spell_cards",
]
