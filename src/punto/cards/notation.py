"""Cards as text: rank then suit, separated by spaces, read and written alike.

>>> from punto.cards import STANDARD
>>> cards = parse_cards("As 10d kh", STANDARD)
>>> " ".join(map(str, cards))
'As Td Kh'
>>> " ".join(map(pretty, cards))
'A♠ 10♦ K♥'
"""

from typing import Final

from punto.cards.card import PERMANENT_SEVEN, Card, Rank
from punto.cards.deck import DECKS, Deck
from punto.errors import ForeignCard, UnknownCard

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


def _expected(deck: Deck) -> str:
    """What a card of the deck looks like, in words."""
    pictures = " ".join(rank.letter for rank in deck.ranks[10:])
    suits = " ".join(suit.letter for suit in deck.suits)
    return f"a rank A 2-9 T {pictures} followed by a suit {suits}"


def parse_card(token: str, deck: Deck, place: int = 1) -> Card:
    """The card that the token names; *place* is where it stands, for the error.

    >>> from punto.cards import STANDARD
    >>> parse_card("4g", STANDARD, place=3)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    punto.errors.ForeignCard: card 3: '4g' is not in the standard deck: expected a rank A 2-9 T J Q K followed by a ...
    """
    card = _CARDS[deck.key].get(token)
    if card is not None:
        return card
    if token == str(PERMANENT_SEVEN):
        raise ForeignCard(
            f"card {place}: '7*' is the permanent 7, which is never dealt: expected {_expected(deck)}", place
        )
    if any(token in cards for cards in _CARDS.values()):
        raise ForeignCard(f"card {place}: '{token}' is not in the {deck.key} deck: expected {_expected(deck)}", place)
    raise UnknownCard(f"card {place}: {_quoted(token)} is not a card: expected {_expected(deck)}", place)


def parse_cards(text: str, deck: Deck) -> tuple[Card, ...]:
    """The cards that the text names, in its order; no text, no cards."""
    known = _CARDS[deck.key]
    tokens = text.split()
    try:
        return tuple([known[token] for token in tokens])
    except KeyError:
        return tuple(parse_card(token, deck, place) for place, token in enumerate(tokens, 1))


def _quoted(token: str, longest: int = 20) -> str:
    """The token fit for one line of a message: escaped, and cut where it is long."""
    return repr(token if len(token) <= longest else token[: longest - 1] + "…")


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
