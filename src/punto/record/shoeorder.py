"""What a virtual shoe was committed to, and the order it was dealt in, worked out anew from what lies open.

The floor has an implementation of its own (`punto.table.contributions`); that the two agree is tested.
"""

from collections.abc import Iterable, Sequence
from hashlib import sha256
from typing import Final, NamedTuple

# The first protocol bound a shoe to no table, and nobody contributed to its order but by the cut.
FIRST: Final = 1
SECOND: Final = 2
# What a patron's secret, and what commits to one, are written with.
HEX_DIGITS: Final = 64
_HEX: Final = frozenset("0123456789abcdef")


class Bound(NamedTuple):
    """What the commitment of the second protocol is bound to; all of it stands in the shoe's text."""

    table: str
    shoe: str
    game: str
    rulebook: str
    digest: str
    decks: str
    behind: str
    beacon: str
    abandoned: str


class Brought(NamedTuple):
    """What a patron has brought: the commitment, and the secret, empty while it is not revealed."""

    patron: str
    commitment: str
    secret: str = ""

    def fits(self, shoe: str) -> bool:
        """Whether the secret is the one that was committed to, for the shoe of that commitment."""
        return _sha256("punto contribution 1", shoe, self.patron, self.secret) == self.commitment


def first_commitment(order: str, salt: str) -> str:
    """The commitment of the first protocol."""
    return _sha256("punto shoe 1", salt, order)


def second_commitment(bound: Bound, order: str, salt: str) -> str:
    """The commitment of the second protocol."""
    return _sha256("punto shoe 2", *bound, salt, order)


def dealt_order(order: Sequence[str], shoe: str, brought: Iterable[Brought], beacon_value: str) -> list[str]:
    """The floor's order as the contributions permute it, before the cut; without any it stays as it is."""
    cards = list(order)
    parts = [part for each in brought for part in (each.patron, each.secret)]
    if not parts and not beacon_value:
        return cards
    lines = ["punto permutation 1", shoe, *parts, beacon_value]
    stream = _Stream(sha256("\n".join(lines).encode()).digest())
    left = len(cards)
    while left > 1:
        taken = stream.choice(left)
        left -= 1
        cards[left], cards[taken] = cards[taken], cards[left]
    return cards


def is_hex(text: str) -> bool:
    """Whether it can be a secret, or what commits to one."""
    return len(text) == HEX_DIGITS and _HEX.issuperset(text)


class _Stream:
    """Eight bytes at a time from SHA-256 over the seed and a counter."""

    def __init__(self, seed: bytes) -> None:
        self._seed = seed
        self._blocks = 0
        self._bytes = b""

    def choice(self, count: int) -> int:
        """One of so many, each as likely: words from the incomplete last run of them are not used."""
        last_run = (1 << 64) // count * count
        while True:
            if not self._bytes:
                self._bytes = sha256(self._seed + self._blocks.to_bytes(8, "big")).digest()
                self._blocks += 1
            word, self._bytes = int.from_bytes(self._bytes[:8], "big"), self._bytes[8:]
            if word < last_run:
                return word % count


def _sha256(*lines: str) -> str:
    return sha256("\n".join(lines).encode()).hexdigest()
