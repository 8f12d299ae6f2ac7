from collections import Counter
from pathlib import Path

import pytest
from tests.cli.shell import punto

from punto.cards import ELEMENTS, STANDARD, Deck, parse_cards


@pytest.mark.parametrize(
    ("arguments", "deck", "decks"),
    [([], STANDARD, 8), (["--decks", "4"], STANDARD, 4), (["--game", "fa-fa-fabulous-4", "--decks", "6"], ELEMENTS, 6)],
)
def test_raw_shoes_are_one_byte_a_card(arguments: list[str], deck: Deck, decks: int, tmp_path: Path) -> None:
    said = punto("shuffle", "--dump", "3", *arguments, "raw", cwd=tmp_path)
    assert said == (0, "", "")
    raw = (tmp_path / "raw").read_bytes()
    size = decks * deck.size
    assert len(raw) == 3 * size
    shoes = {raw[start : start + size] for start in range(0, len(raw), size)}
    assert len(shoes) == 3
    for shoe in shoes:
        assert Counter(shoe) == dict.fromkeys(range(deck.size), decks)


def test_shoes_in_letters_are_one_a_line(tmp_path: Path) -> None:
    said = punto("shuffle", "--dump", "2", "--text", "--seed", "none", "-", cwd=tmp_path)
    assert (said.status, said.err) == (0, "")
    shoes = [parse_cards(line, STANDARD) for line in said.out.splitlines()]
    assert [Counter(shoe) for shoe in shoes] == [dict.fromkeys(STANDARD.cards, 8)] * 2


def test_the_numbers_are_those_of_the_deck_as_it_is_documented() -> None:
    assert [str(card) for card in STANDARD.cards[:13]] == "As 2s 3s 4s 5s 6s 7s 8s 9s Ts Js Qs Ks".split()
    assert [str(STANDARD.cards[13 * suit]) for suit in range(4)] == ["As", "Ah", "Ad", "Ac"]
    assert [str(ELEMENTS.cards[13 * suit]) for suit in range(5)] == ["Af", "Ag", "Ae", "Ao", "Aw"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--dump", "0", "x"], "--dump: 0 shoes: expected 1 or more"),
        (["--dump", "1.5", "x"], "--dump: '1.5' is no whole number"),
        (["--dump", "1", "--decks", "3", "x"], "3 decks: expected 4 to 10"),
        (["--dump", "1", "--seed", "7", "x"], "--seed: '7': the floor's shuffle takes no seed: expected none"),
        (["--dump", "1", "--game", "tigger", "x"], "--game: 'tigger' is not a game"),
        (["--dump", "1", "nowhere/x"], "nowhere/x: cannot be written: No such file or directory"),
        (["x"], "shuffle: expected either --dump N FILE or --evidence FOLDER"),
    ],
)
def test_what_cannot_be_dumped_is_refused(arguments: list[str], said: str, tmp_path: Path) -> None:
    refused = punto("shuffle", *arguments, cwd=tmp_path)
    assert (refused.status, refused.out) == (2, "")
    assert refused.err.startswith(f"punto: {said}")
    assert refused.err.count("\n") == 1
