"""An outcome as the roads see it: who won, and which hands began with a pair."""

from dataclasses import dataclass, replace
from typing import Final

from punto.errors import BadOutcome
from punto.rules import Coup, Winner
from punto.rules.facts import banker_pair, player_pair

LETTERS: Final = {Winner.BANKER: "B", Winner.PLAYER: "P", Winner.TIE: "T"}
_WINNERS: Final = {letter: winner for winner, letter in LETTERS.items()}
_PAIRS: Final = frozenset("bp")


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
        return cls(coup.winner, banker_pair().on(coup), player_pair().on(coup))

    def __str__(self) -> str:
        return LETTERS[self.winner] + "b" * self.banker_pair + "p" * self.player_pair


def parse_outcomes(text: str) -> tuple[Outcome, ...]:
    """The outcomes that a text such as `BPTPbPB` names: B, P or T, each followed by b and p for its pairs.

    >>> [str(outcome) for outcome in parse_outcomes("BbPpb T")]
    ['Bb', 'Pbp', 'T']
    >>> parse_outcomes("BPX")
    Traceback (most recent call last):
    punto.errors.BadOutcome: letter 3: 'X' is not an outcome: expected B, P or T, or b or p for a pair after it
    """
    rounds: list[Outcome] = []
    for place, letter in enumerate(text, 1):
        if letter.isspace():
            continue
        if letter in _WINNERS:
            rounds.append(Outcome(_WINNERS[letter]))
        else:
            last = rounds.pop() if rounds else None
            rounds.append(_with_pair(last, letter, place))
    return tuple(rounds)


def _with_pair(outcome: Outcome | None, letter: str, place: int) -> Outcome:
    """The outcome with the pair that the letter marks."""
    if letter not in _PAIRS:
        expected = "expected B, P or T, or b or p for a pair after it"
        raise BadOutcome(f"letter {place}: {letter!r} is not an outcome: {expected}", place)
    if outcome is None:
        raise BadOutcome(f"letter {place}: {letter!r} marks a pair of no round: expected B, P or T first", place)
    if letter in str(outcome):
        once = f"expected it once after {LETTERS[outcome.winner]}"
        raise BadOutcome(f"letter {place}: {letter!r} marks the same pair twice: {once}", place)
    return replace(outcome, banker_pair=True) if letter == "b" else replace(outcome, player_pair=True)
