"""Declarations that are too large are refused in one pass, before `tomllib` sees them."""

import tomllib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.errors import BadDeclaration
from punto.games import GAMES, dumps, loads
from punto.games.bounds import VISITORS, Bounds, check_bounds

_WAGER = '[[wager]]\nname = "{0}"\npays = [{{ when = "winner tie", odds = "8 to 1" }}]\n'


def game_with(wagers: int) -> str:
    return 'key = "x"\ntitle = "X"\n' + "".join(_WAGER.format(number) for number in range(wagers))


@pytest.mark.parametrize("key", GAMES)
def test_every_game_of_the_catalogue_is_far_within_the_bounds_of_visitors(key: str) -> None:
    game = GAMES[key]
    assert loads(dumps(game), VISITORS) == game
    assert 4 * len(dumps(game)) < VISITORS.size_bytes


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (".".join(["a"] * 9_700) + "=1", "line 1, column 8: a key of a declaration has 4 parts at most"),
        (".".join(['"a"'] * 4_900) + "=1", "line 1, column 16: a key of a declaration has 4 parts at most"),
        ("[" + " . ".join(["a"] * 4_000) + "]", "line 1, column 16: a key of a declaration has 4 parts at most"),
        ("x = { " + ".".join(["a"] * 4_000) + " = 1 }", "line 1, column 14: a key of a declaration has 4 parts at"),
        ("a=" + "[" * 9_000, "line 1, column 11: the file nests too deeply to be a game"),
        ("a=" + "{a=" * 6_000, "line 1, column 27: the file nests too deeply to be a game"),
        ("a=1\n" * 2_001, "line 2001, column 2: a declaration has 2,000 keys at most"),
        ("[a]\n" * 1_201, "line 1201, column 1: a declaration has 1,200 lists and tables at most"),
        ("\na='" + "x" * 1_000, "line 2, column 3: a string has 1,000 characters at most"),
        ('a="""' + '""\\' * 6_000, "line 1, column 3: a string has 1,000 characters at most"),
        ("#" * 20_001, "line 1, column 1: 20,001 bytes: a declaration has 20,000 at most"),
        ("#" + "\u9f8d" * 6_667, "line 1, column 1: 20,002 bytes: a declaration has 20,000 at most"),
        (game_with(65), "line 195, column 1: a game has 64 wagers at most"),
        (game_with(1).replace("[{", "[" + 512 * '{ when = "natural", odds = "1 to 1" },' + "{"), "has 512 pay rows at"),
    ],
    ids=range(14),
)
def test_what_is_too_large_is_refused_with_its_place(text: str, said: str) -> None:
    with pytest.raises(BadDeclaration) as refused:
        loads(text, VISITORS)
    assert said in refused.value.message


def test_a_file_of_ones_own_may_be_larger() -> None:
    assert len(loads(game_with(200)).wagers) == 200
    with pytest.raises(BadDeclaration, match="256 wagers at most"):
        loads(game_with(257))


def test_brackets_and_dots_in_strings_and_comments_do_not_count() -> None:
    quoted = (
        "'''[[[[[[[[[.a.a.a.a.a'''",
        '"""[[[[[[[[[.a.a.a"" \\""".a.a"""',
        '"[[[[[[[[[[.a.\\".a.a.a"',
        "'[[[[[[[[[.a.a.a.a'",
    )
    for text in quoted:
        check_bounds(f"a = {text} # [[[[[[[[[[[ .....\n", VISITORS)


_PARTS = st.sampled_from(
    ["a", "b1", ".", "=", "[", "]", "{", "}", '"', "'", '"""', "'''", "\\", "\n", ",", "1", "1.5", " ", "#", "true"]
)


def deepest(value: Any) -> int:  # noqa: ANN401
    """How deep tables and lists lie in each other."""
    inside = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return max((1 + deepest(each) for each in inside), default=0)


@given(st.lists(_PARTS, max_size=40).map("".join))
def test_whatever_tomllib_reads_within_the_bounds_is_no_deeper_than_they_say(text: str) -> None:
    try:
        check_bounds(text, Bounds(10_000, 10_000, 10_000, 1, 1))
        document = tomllib.loads(text)
    except (BadDeclaration, ValueError):
        return
    # A header of four parts, a key of four, and eight lists with keys of four in between.
    assert deepest(document) <= 4 + 8 * 5
