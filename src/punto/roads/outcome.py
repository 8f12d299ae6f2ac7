"""An outcome as the roads see it: who won, and which hands began with a pair."""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum

from punto.errors import BadOutcome
from punto.rules import Coup
from punto.rules.facts import banker_pair, player_pair


class Winner(Enum):
    """Who won, by the letter that the roads show."""

    BANKER = "B"
    PLAYER = "P"
    TIE = "T"


@dataclass(frozen=True, slots=True)
class Outcome:
    """One round on the roads.

    >>> str(Outcome(Winner.BANKER, banker_pair=True))
    'Bb'
    """

    winner: Winner
    banker_pair: bool = False
    player_pair: bool = False

    @classmethod
    def of(cls, coup: Coup) -> "Outcome":
        """The outcome of a coup."""
        return cls(Winner[coup.winner.upper()], banker_pair().on(coup), player_pair().on(coup))

    def __str__(self) -> str:
        return self.winner.value + "b" * self.banker_pair + "p" * self.player_pair


def parse_outcomes(text: str) -> tuple[Outcome, ...]:
    """The outcomes that a text such as `BPTPbPB` names: B, P or T, each followed by b and p for its pairs.

    >>> [str(outcome) for outcome in parse_outcomes("BbPpb T")]
    ['Bb', 'Pbp', 'T']
    >>> parse_outcomes("BPX")
    Traceback (most recent call last):
    punto.errors.BadOutcome: letter 3: 'X' is not an outcome: expected B, P or T, or b or p for a pair after it
    """
    return tuple(_outcomes(text))


def _outcomes(text: str) -> Iterator[Outcome]:
    winners = {winner.value: winner for winner in Winner}
    winner: Winner | None = None
    pairs: set[str] = set()
    for place, letter in enumerate(text, 1):
        if letter.isspace():
            continue
        if letter in winners:
            if winner:
                yield _with_pairs(winner, pairs)
            winner, pairs = winners[letter], set()
        elif letter in "bp" and winner and letter not in pairs:
            pairs.add(letter)
        else:
            raise BadOutcome(_complaint(place, letter, after=winner), place)
    if winner:
        yield _with_pairs(winner, pairs)


def _with_pairs(winner: Winner, pairs: set[str]) -> Outcome:
    return Outcome(winner, banker_pair="b" in pairs, player_pair="p" in pairs)


def _complaint(place: int, letter: str, after: Winner | None) -> str:
    if letter not in "bp":
        return f"letter {place}: {letter!r} is not an outcome: expected B, P or T, or b or p for a pair after it"
    if after is None:
        return f"letter {place}: {letter!r} marks a pair of no round: expected B, P or T first"
    return f"letter {place}: {letter!r} marks the same pair twice: expected it once after {after.value}"
