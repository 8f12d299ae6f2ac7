"""A virtual shoe that nobody could have chosen: what the floor and the patrons commit to, and the order that follows.

The floor commits to an order of its own before anybody else speaks. Patrons then commit to a secret each; once no more
commitments are taken, they reveal the secrets, and a public beacon, where the floor names one, adds a value that nobody
knew before. All of that together permutes the floor's order. Whoever knew one part only at the end could not have
chosen the result, so it is as good as random if any one part was.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import Enum
from hashlib import sha256
from typing import Final, TypeVar

from msgspec import Struct

# The protocol by which virtual shoes are committed to from now on.
PROTOCOL: Final = 2
# After so many shoes in a row to which somebody withheld a contribution, only patrons who revealed theirs contribute.
MOST_WITHHELD: Final = 5
# How many patrons contribute to one shoe at most, and the least time that they have to commit and to reveal.
MOST_CONTRIBUTIONS: Final = 999
COMMIT_MS: Final = 2_000
REVEAL_MS: Final = 3_000
# How many bytes a patron's secret has, and the digest that commits to it.
SECRET_BYTES: Final = 32
# The stream of choices comes in words of eight bytes.
_WORD: Final = 8
_WORDS: Final = 2 ** (8 * _WORD)
T = TypeVar("T")


class Cause(Enum):
    """Why a shoe was taken out."""

    # It had to be replaced, or that was proposed (interpretations 17 and 21).
    SPENT = "spent"
    PROPOSED = "proposed"
    # Before its first bets a patron did not reveal a contribution, or the beacon's value did not come.
    UNREVEALED = "unrevealed"
    # A person decided it.
    DECIDED = "decided"


class Beacon(Struct, frozen=True, forbid_unknown_fields=True):
    """A public beacon: its name and key, when its first round came, and how long each takes.

    One that was not *reached* when the shoe was loaded is named by the floor's file, and adds nothing.
    """

    name: str
    key: str
    genesis_s: int
    period_s: int
    reached: bool = True

    def __str__(self) -> str:
        return f"{self.name} {self.key} {self.genesis_s} {self.period_s}{'' if self.reached else ' unreached'}"

    def round_after(self, at_ms: int) -> int:
        """The first round that comes after a moment."""
        return max(0, (at_ms // 1000 - self.genesis_s) // self.period_s + 1) + 1

    def comes_s(self, round_: int) -> int:
        """When a round comes, in seconds since 1970."""
        return self.genesis_s + (round_ - 1) * self.period_s


# The League of Entropy's fast network.
QUICKNET: Final = Beacon(
    "quicknet",
    "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
    "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
    1_692_803_367,
    3,
)


class Contribution(Struct, frozen=True, array_like=True):
    """What a patron has committed to, and the secret once it is revealed."""

    patron: str
    commitment: str
    secret: str = ""


class Withholding(Struct, frozen=True):
    """The shoes that were abandoned since bets last opened, because a patron withheld a contribution.

    *barred* withheld one and contribute no more. Once there are too many such shoes, only those who *revealed* theirs
    contribute, so that they come to an end whoever comes; who is honest and was there is never shut out by others.
    """

    shoes: int = 0
    barred: tuple[str, ...] = ()
    revealed: tuple[str, ...] = ()

    def admits(self, patron: str) -> bool:
        """Whether a patron may contribute to the next shoe."""
        return patron not in self.barred and (self.shoes < MOST_WITHHELD or patron in self.revealed)

    def after(self, contributions: Iterable[Contribution]) -> "Withholding":
        """As it is once another shoe is abandoned to which these have contributed."""
        made = tuple(contributions)
        barred = (*self.barred, *(each.patron for each in made if not each.secret))
        revealed = dict.fromkeys([*self.revealed, *(each.patron for each in made if each.secret)])
        return Withholding(self.shoes + 1, barred, tuple(revealed))


def shoe_commitment(about: Iterable[str], salt: str, order: str) -> str:
    """What the floor commits to: its own order, for one shoe of one table, under one rulebook.

    *about* is what the shoe is bound to: table, number, game, rulebook, digest, decks, cutting card, and the beacon.

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


def closing_digest(shoe: str, committed: Iterable[tuple[str, str]]) -> str:
    """All commitments as they stood at the close, by patron: whoever has seen it knows that none was added later.

    >>> closing_digest("ab" * 32, [("ann", "cd" * 32)])[:16]
    'c1fb99d3dce6792a'
    """
    return _digest("punto contributions 1", shoe, *(part for pair in committed for part in pair)).hex()


def permutation_seed(shoe: str, secrets: Iterable[tuple[str, str]], beacon: str = "") -> bytes:
    """What the floor's order is permuted by: the shoe's commitment, each patron's secret, and the beacon's value.

    The secrets stand in the order in which patrons committed to them.
    """
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
