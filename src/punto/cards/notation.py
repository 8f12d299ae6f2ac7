"""Cards as text: rank then suit, separated by spaces, read and written alike.

>>> from punto.cards import STANDARD
>>> cards = parse_cards("As 10d kh", STANDARD)
>>> " ".join(map(str, cards))
'As Td Kh'
>>> " ".join(map(pretty, cards))
'A♠ 10♦ K♥'

What people type or copy from a page is first brought into this notation:

>>> spell_cards("A♠10♦, KH ?")
'As Td Kh ?'
"""

import re
from collections import ChainMap
from collections.abc import Mapping
from typing import Final

from punto.cards.card import PERMANENT_SEVEN, Card, Rank, Suit
from punto.cards.deck import DECKS, Deck
from punto.errors import ForeignCard, UnknownCard, quoted

_ANSI: Final = {
    "black": "1",
    "red": "1;31",
    "yellow": "1;33",
    "magenta": "1;35",
    "green": "1;32",
    "blue": "1;34",
}


def _spellings(rank: Rank) -> set[str]:
    """Every way of writing a rank: its letter in either case, and 10 for the Ten."""
    ten = {"10"} if rank is Rank.TEN else set()
    return {rank.letter, rank.letter.lower()} | ten


def _tokens(deck: Deck) -> dict[str, Card]:
    """Every way of writing a card of the deck; the case of the suit matters."""
    return {spelling + str(card)[-1]: card for card in deck.cards for spelling in _spellings(card.rank)}


_CARDS: Final = {deck.key: _tokens(deck) for deck in DECKS.values()}
_ANY_CARD: Final = dict(ChainMap(*_CARDS.values(), {str(PERMANENT_SEVEN): PERMANENT_SEVEN}))
UNNAMED: Final = "?"
# The signs that pages and screens print, filled or outlined, simplified or traditional; and commas between cards.
_SIGNS: Final = str.maketrans(
    {rank.sign: rank.letter for rank in (Rank.SAU, Rank.LUK, Rank.FUK)}
    | {suit.sign: suit.letter for suit in Suit}
    | dict(zip("♤♡♢♧壽祿★", "shdcSL*", strict=True))
    | dict.fromkeys(",，、", " ")
)
# These are no signs: they say whether the one before them is drawn as text or as a picture.
_DRAWN_AS: Final = str.maketrans("", "", "\ufe0e\ufe0f")
# A card with nothing between its rank and its suit, a card that is not named, or whatever else stands there.
_PIECE: Final = re.compile(r"(?:10|\w)[\w*]|\?|\S+")
_WORD: Final = re.compile(r"\S+")


def _known(deck: Deck | None) -> Mapping[str, Card]:
    """Every way of writing a card of the deck, or of any; worked out anew for a deck that is not one of the two."""
    if deck is None:
        return _ANY_CARD
    return _CARDS.get(deck.key) or _tokens(deck)


def _expected(deck: Deck | None) -> str:
    """What a card of the deck looks like, in words."""
    if deck is None:
        return "a rank followed by a suit, as in Td or 4g"
    pictures = " ".join(rank.letter for rank in deck.ranks[10:])
    suits = " ".join(suit.letter for suit in deck.suits)
    return f"a rank A 2-9 T {pictures} followed by a suit {suits}"


def _no_card(token: str, deck: Deck | None, place: int) -> UnknownCard:
    return UnknownCard(f"card {place}: {quoted(token)} is not a card: expected {_expected(deck)}", place)


def parse_card(token: str, deck: Deck | None = None, place: int = 1) -> Card:
    """The card that the token names; *place* is where it stands, for the error.

    Without a deck, cards of either deck are read, and the permanent 7; with one, only what can come out of a shoe.

    >>> from punto.cards import STANDARD
    >>> parse_card("7*")
    Card('7*')
    >>> parse_card("4g", STANDARD, place=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    punto.errors.ForeignCard: card 3: '4g' is not in the standard deck: expected a rank A 2-9 T J Q K followed by a ...
    """
    card = _known(deck).get(token)
    if card is not None:
        return card
    if deck is None or token not in _ANY_CARD:
        raise _no_card(token, deck, place)
    if _ANY_CARD[token] is PERMANENT_SEVEN:
        reason = "is the permanent 7, which is never dealt"
    else:
        reason = f"is not in the {deck.key} deck"
    raise ForeignCard(f"card {place}: '{token}' {reason}: expected {_expected(deck)}", place)


def parse_cards(text: str, deck: Deck | None = None) -> tuple[Card, ...]:
    """The cards that the text names, in its order; no text, no cards."""
    known = _known(deck)
    tokens = text.split()
    try:
        return tuple([known[token] for token in tokens])
    except KeyError:
        return tuple(parse_card(token, deck, place) for place, token in enumerate(tokens, 1))


def spell_cards(text: str) -> str:
    """The cards that a person wrote, in the notation of this module; `?` stands for a card that nobody names.

    Signs, either case, commas and cards with nothing between them are understood.

    >>> spell_cards("4♦, 10hAS 福火")
    '4d Th As Ff'
    >>> spell_cards("4♦ 11♠")
    Traceback (most recent call last):
    punto.errors.UnknownCard: card 2: '11♠' is not a card: expected a rank followed by a suit, as in Td or 4g
    """
    written = text.translate(_DRAWN_AS)
    letters = written.translate(_SIGNS)  # a letter for each sign: both texts have the same places
    spelt = []
    for place, piece in enumerate(_PIECE.finditer(letters), 1):
        token = piece[0] if piece[0] == UNNAMED else _spelt(piece[0])
        if token is None:
            word = _WORD.match(letters, piece.start())
            assert word, "a piece is the beginning of a word, or all of it"
            raise _no_card(written[piece.start() : word.end()], None, place)
        spelt.append(token)
    return " ".join(spelt)


def _spelt(piece: str) -> str | None:
    """One card, whatever the case of its rank and its suit; none where it is no card."""
    card = _ANY_CARD.get(piece[:-1].upper() + piece[-1].lower())
    return str(card) if card else None


def pretty(card: Card, *, colour: bool = False) -> str:
    r"""The card with its signs, and on a terminal in its colour.

    >>> from punto.cards import ELEMENTS, STANDARD
    >>> pretty(parse_card("4g", ELEMENTS)), pretty(parse_card("Ff", ELEMENTS)), pretty(PERMANENT_SEVEN)
    ('4金', '福火', '7★')
    >>> pretty(parse_card("Qh", STANDARD), colour=True)
    '\x1b[1;31mQ♥\x1b[0m'
    """
    text = card.rank.sign + (card.suit.sign if card.suit else "★")
    if not colour:
        return text
    return f"\x1b[{_ANSI[card.suit.colour if card.suit else 'yellow']}m{text}\x1b[0m"
