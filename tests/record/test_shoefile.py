"""Shoes as texts: read back equal, and whatever is wrong is found with its line."""

import pytest

from punto.errors import BadShoeFile
from punto.record import read_shoe, verify

GOOD = """punto shoe 1
game fortune-six
decks 8

1 Ks 2h 5d 4c 9s = 4-6 B ; ann / Banker / 10.00 / win / 15.00 ; bob / Tie / 5.00 / lose / 0.00
2 9h 8c = void EB4 5.9.1 ; ann / Tie / 5.00 / void / 5.00
3 9s 8h Kd Ks = 9-8 P  # a natural
"""


def test_a_shoe_is_read_and_written_back_equal() -> None:
    shoe = read_shoe(GOOD)
    assert read_shoe(str(shoe)) == shoe
    assert list(verify(shoe)) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("punto shoe 1", "punto shoe 2", 1),
        ("game fortune-six", "name fortune-six", 2),
        ("game fortune-six", "", 1),
        ("decks 8", "decks 8\ndecks 8", 4),
        ("= 4-6 B ;", "4-6 B ;", 5),
        ("/ 10.00 /", "/ 10 /", 5),
        ("/ 10.00 /", "/ ten /", 5),
        ("ann / Banker", "Banker", 5),
        ("1 Ks", "١ Ks", 5),
    ],
)
def test_a_line_that_does_not_read_is_refused_with_its_number(old: str, new: str, line: int) -> None:
    with pytest.raises(BadShoeFile) as refused:
        read_shoe(GOOD.replace(old, new))
    assert refused.value.at == line


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("game fortune-six", "game tigger", "is not a game"),
        ("decks 8", "decks 3", "3 decks"),
        ("decks 8", "decks many", "decks is no number"),
        ("decks 8", "decks 8\nrulebook B8 8", "fortune-six is played under EB4"),
        ("decks 8", "decks 8\nunit 3", "expected a multiple of 2"),
        ("decks 8", "decks 8\nunit 300", "no multiple of the unit"),
        ("decks 8", "decks 8\ndigest 00", "was declared otherwise"),
        ("Ks 2h 5d 4c 9s", "Ks 2h 5d 4c", "not complete: player draws"),
        ("Ks 2h 5d 4c 9s", "Ks 2h 5d 4c 9s 9s", "one too many"),
        ("Ks 2h 5d 4c 9s", "4g 2h 5d 4c 9s", "not in the standard deck"),
        ("= 4-6 B", "= 4-7 B", "the totals are 4-6"),
        ("= 4-6 B", "= 4-6 P", "the outcome is B"),
        ("/ win / 15.00", "/ win / 20.00", "15.00 is due"),
        ("/ win / 15.00", "/ lose / 0.00", "win, not lose"),
        ("ann / Banker", "ann / Bunker", "is not a wager"),
        ("/ 10.00 / win / 15.00", "/ 8.00 of 10.00 / win / 14.00", "whole or not at all"),
        ("/ void / 5.00", "/ void / 4.00", "goes back in full"),
        ("void EB4 5.9.1", "void XX 9.9", "expected a clause of EB4"),
        ("void EB4 5.9.1", "void", "void by no clause"),
        ("3 9s", "1 9s", "round 1 comes after round 2"),
        ("decks 8", "decks 8\norder Ks 2h", "order: "),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, said: str) -> None:
    wrong = list(verify(read_shoe(GOOD.replace(old, new))))
    assert wrong
    assert said in wrong[0].said


def test_more_of_one_card_than_the_decks_hold_is_found() -> None:
    rounds = "\n".join(f"{number} 9s 8s Ks Ts = 9-8 P" for number in range(1, 10))
    [wrong, *_] = verify(read_shoe(f"punto shoe 1\ngame tiger\ndecks 8\n{rounds}"))
    assert (wrong.line, wrong.said) == (12, "9s comes 9 times in 8 decks")
