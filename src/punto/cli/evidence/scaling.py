"""How the permutation scales words to choices: all words of small sizes, and the edges at the size that it uses."""

from typing import Final

from punto.cli.evidence.results import Scaling, Words
from punto.lab.randomness import Battery, Edge, Planted, caught, scaled, uneven
from punto.lab.randomness.planted import PLANTED_SHOES, UNSEEN
from punto.table.contributions import below

# Small words are tried with every bound up to their number.
_SMALL: Final = (2, 4, 8, 16, 32, 64, 128, 256)
# The word of the permutation, and the most cards that a shoe can have.
_WORDS: Final = 2**64
_BOUNDS: Final = range(2, 651)
_PLANTED_WORDS: Final = 2**16


def examined(battery: Battery, cards: int) -> Scaling:
    """All of it; *battery* tries the planted remainder on shoes of so many cards."""
    small = [
        bound
        for words in _SMALL
        for bound in uneven(lambda bound, given, of=words: below(bound, given, of), range(2, words + 1), words)  # type: ignore[misc]
    ]
    edges = [Edge(bound, _WORDS) for bound in _BOUNDS]
    planted: Planted = UNSEEN[0]
    battery.add(planted.shoes(PLANTED_SHOES, cards))
    bad = scaled(lambda bound, given: next(given) % bound, cards, range(_PLANTED_WORDS))
    return Scaling(
        small_sizes=list(_SMALL),
        small_words=sum(words * (words - 1) for words in _SMALL),
        uneven_small=small,
        bounds=[Words(each.bound, str(each.accepted), str(each.accepted // each.bound), each.passed) for each in edges],
        uneven_edges=[each.bound for each in edges if each.accepted % each.bound or not each.holds(below)],
        most_passed=max(each.passed for each in edges) / _WORDS,
        passed_in_a_shoe=sum(each.passed / _WORDS for each in edges if each.bound <= cards),
        planted=planted.fault,
        planted_bound=cards,
        planted_favour=f"{float(bad.favour):.4%}",
        planted_is_uneven=not bad.is_even,
        planted_caught_by=[finding.name for finding in caught(battery.findings())],
    )
