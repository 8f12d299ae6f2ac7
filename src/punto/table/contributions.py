"""A virtual shoe that nobody could have chosen: what the floor and the patrons commit to, and the order that follows.

The floor commits to an order of its own before anybody else speaks. Patrons then commit to a secret each; once no more
commitments are taken, they reveal the secrets, and a public beacon, where the floor names one, adds a value that nobody
knew before. All of that together permutes the floor's order. Whoever knew one part only at the end could not have
chosen the result, so it is as good as random if any one part was.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import Final, TypeVar

# How many bytes a patron's secret has, and the digest that commits to it.
SECRET_BYTES: Final = 32
# The stream of choices comes in words of eight bytes.
_WORD: Final = 8
_WORDS: Final = 2 ** (8 * _WORD)
T = TypeVar("T")


def shoe_commitment(about: Iterable[str], salt: str, order: str) -> str:
    """What the floor commits to: its own order, for one shoe of one table, under one rulebook.

    *about* is what the shoe is bound to: table, number, rulebook, digest of the game, decks, and the beacon's round.

    >>> shoe_commitment(["hall-1", "7"], "pepper", "As Kd")[:16]
    '2e6c340a427a23fa'
    """
    return _digest("punto shoe 2", *about, salt, order).hex()


def contribution_digest(shoe: str, patron: str, secret: str) -> str:
    """What a patron commits to: a secret for one shoe, that nobody else can bring as their own.

    >>> contribution_digest("ab" * 32, "ann", "cd" * 32)[:16]
    '7e272ad981e6795d'
    """
    return _digest("punto contribution 1", shoe, patron, secret).hex()


def permutation_seed(shoe: str, secrets: Iterable[tuple[str, str]], beacon: str = "") -> bytes:
    """What the floor's order is permuted by: the shoe's commitment, every patron's secret in turn, and the beacon."""
    return _digest("punto permutation 1", shoe, *(part for pair in secrets for part in pair), beacon)


def permuted(order: Sequence[T], seed: bytes) -> tuple[T, ...]:
    """The order after Fisher and Yates's shuffle, each choice among n as likely as any other.

    >>> "".join(permuted("abcdefgh", bytes(32)))
    'cfhagdbe'
    """
    cards = list(order)
    words = _words(seed)
    for last in range(len(cards) - 1, 0, -1):
        place = below(last + 1, words)
        cards[last], cards[place] = cards[place], cards[last]
    return tuple(cards)


def below(bound: int, words: Iterator[int], of: int = _WORDS) -> int:
    """A number from 0 to *bound* - 1, from words below *of*; those that would favour some numbers are passed over."""
    fair = of - of % bound
    return next(word for word in words if word < fair) % bound


def _words(seed: bytes) -> Iterator[int]:
    """A stream of words that nobody can tell from a random one who does not know the seed: SHA-256 in counter mode."""
    counter = 0
    while True:
        block = sha256(seed + counter.to_bytes(_WORD, "big")).digest()
        for at in range(0, len(block), _WORD):
            yield int.from_bytes(block[at : at + _WORD], "big")
        counter += 1


def _digest(*lines: str) -> bytes:
    """SHA-256 over lines; no part holds a line break, so that no two lists of parts make the same text."""
    return sha256("\n".join(lines).encode()).digest()
