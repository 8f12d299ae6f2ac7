"""Small wrongs done to the declarations: the golden deals must notice each that any coup could notice."""

import sys

import pytest
from tests.games.golden import golden
from tests.games.mutator import Mutant, every_class, mutants, settles_alike

from punto.games import GAMES
from punto.rules import Game, Settler


def noticed(mutant: Mutant, key: str) -> bool:
    """Whether a golden deal comes out otherwise."""
    deals = golden(key)
    if [wager.name for wager in mutant.game.wagers] != list(deals[0].nets):
        return True
    settler = Settler((mutant.game.wager(mutant.wager),))
    return any(settler.settle(deal.coup(key))[mutant.wager].net != deal.nets[mutant.wager] for deal in deals)


def judged(key: str, game: Game) -> tuple[list[Mutant], list[Mutant]]:
    """The wrongs that no golden deal notices: those that change nothing, and those that got away."""
    unnoticed = [mutant for mutant in mutants(game) if not noticed(mutant, key)]
    equivalent = [each for each in unnoticed if settles_alike(game, each, every_class(game, each.wager))]
    return equivalent, [mutant for mutant in unnoticed if mutant not in equivalent]


@pytest.mark.parametrize("key", GAMES)
def test_no_wrong_in_a_declaration_gets_away(key: str) -> None:
    equivalent, survivors = judged(key, GAMES[key])
    assert [f"{mutant.wager}: {mutant.wrong}" for mutant in survivors] == []
    # Rows that exclude each other may stand in any order, and a part that the others imply may go: nothing else.
    assert len(equivalent) < sum(1 for _ in mutants(GAMES[key])) / 4


def test_a_planted_wrong_is_told_from_an_equivalent_one() -> None:
    game = GAMES["7-up"]
    told = {mutant.wrong: noticed(mutant, "7-up") for mutant in mutants(game) if mutant.wager == "Super 7's"}
    assert told["row 1 pays 3 to 1"]
    assert told["row 5 when sevens 5"]
    assert not told["rows 1 and 2 swapped"]


def main() -> int:
    """Count the wrongs, for `make mutants`."""
    total = same = 0
    got_away: list[str] = []
    for key, game in GAMES.items():
        equivalent, survivors = judged(key, game)
        total += sum(1 for _ in mutants(game))
        same += len(equivalent)
        got_away += [f"{key}: {mutant.wager}: {mutant.wrong}" for mutant in survivors]
    killed = total - same - len(got_away)
    sys.stdout.write(
        f"{total} mutants of eleven games: {killed} killed, {same} proved equivalent, {len(got_away)} left\n"
    )
    sys.stdout.write("".join(f"  {line}\n" for line in got_away))
    return 1 if got_away else 0


if __name__ == "__main__":
    sys.exit(main())
