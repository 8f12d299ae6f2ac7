"""`punto count`: what a person reads is what a program is told, for every wager and at every depth."""

from functools import partial
from typing import Any

import pytest
from tests.cli import shell
from tests.cli.shell import Punto, answer
from tests.cli.tables import figure, figures, table

PERFECT = ("in favour", "by", "won a shoe", "±", "per 100 rounds")
COUNTER = ("count", "from", "bets", "edge", "won a shoe", "±", "per 100 rounds")
COUNTERS = ("follows", "from", "bets", "edge", "won a shoe", "±", "of perfect play")
DEPTH = ("rounds", "in favour", "by", "per 100 rounds")
PLAY = ("favourable", "edge", "won_per_shoe", "error", "won_per_100_rounds")


@pytest.fixture
def punto() -> Punto:
    """The command on a screen of 100 columns, with shoes enough for something to win."""
    return partial(shell.punto, "count", "tiger", "--shoes", "20", "--wager", "Tiger", COLUMNS="100")


@pytest.fixture
def shown(punto: Punto) -> str:
    """What a person reads."""
    return punto().out


@pytest.fixture
def found(punto: Punto) -> dict[str, Any]:
    """What a program is told of the wager."""
    wager: dict[str, Any] = answer(punto)["wagers"]["Tiger"]
    return wager


def test_perfect_play_and_a_counter_win_what_a_program_is_told(shown: str, found: dict[str, Any]) -> None:
    [perfect] = table(shown, "perfect play", *PERFECT)
    [counter] = table(shown, "the best counter", *COUNTER)
    assert perfect.pop("perfect play") == counter.pop("the best counter") == "Tiger"
    assert counter.pop("count").startswith(found["count"]["kind"])
    assert [found["perfect"][name] for name in PLAY] == list(map(figure, perfect.values()))
    assert [found["trigger"], *(found["counter"][name] for name in PLAY)] == list(map(figure, counter.values()))
    assert f"20 shoes of {found['rounds_per_shoe']:.1f} rounds" in shown
    for play in (found["perfect"], found["counter"]):
        assert play["favourable"] == pytest.approx(play["bets_per_shoe"] / found["rounds_per_shoe"])
        assert play["edge"] == pytest.approx(play["won_per_shoe"] / play["bets_per_shoe"])


KINDS = ("true ±1", "true ±2", "running ±1", "running ±2")


def test_every_counter_wins_what_a_program_is_told(shown: str, found: dict[str, Any]) -> None:
    rows = table(shown, "counter", *COUNTERS)
    assert tuple(row.pop("counter") for row in rows) == KINDS
    named = ("correlation", "trigger", "favourable", "edge", "won_per_shoe", "error")
    for row, counter in zip(rows, found["counters"], strict=True):
        share = counter["won_per_shoe"] / found["perfect"]["won_per_shoe"]
        assert [*(counter[name] for name in named), share] == list(map(figure, row.values()))
    chosen = [(counter["tags"], counter["trigger"], counter["kind"]) for counter in found["counters"]]
    assert (found["count"]["tags"], found["trigger"], found["count"]["kind"]) in chosen


def test_every_depth_has_its_own_figures(shown: str, found: dict[str, Any]) -> None:
    rows = table(shown, "decks gone", *DEPTH)
    named = ("rounds", "favourable", "edge", "won_per_100_rounds")
    assert [
        [depth["decks_gone"] - 0.25, depth["decks_gone"] + 0.25, *(depth[name] for name in named)]
        for depth in found["depths"]
    ] == [[*figures(row.pop("decks gone")), *map(figure, row.values())] for row in rows]


def test_every_card_has_its_own_effect_and_tags(punto: Punto, found: dict[str, Any]) -> None:
    headings = ["effect", *KINDS]
    wanted = {
        name: dict(zip(headings, [effect, *(count["tags"][name] for count in found["counters"])], strict=True))
        for name, effect in found["effects_percent"].items()
    }
    below = table(punto(COLUMNS="100").out, "card gone", *headings)
    assert wanted == {row["card gone"]: {name: figure(row[name]) for name in headings} for row in below}
    # Where there is room, the cards stand beside each other.
    beside = {row.pop("card gone"): row for row in table(punto(COLUMNS="160").out, "card gone", *wanted)}
    assert wanted == {name: {heading: figure(beside[heading][name]) for heading in headings} for name in wanted}
