"""Small wrongs done to the declarations: the golden deals must notice each that any coup could notice."""

import sys

import pytest
from tests.games.golden import golden
from tests.games.mutator import Mutant, every_class, mutants, settles_alike
from tests.width import width

from punto.games import GAMES
from punto.rules import Coup, Game, Settler


class Jury:
    """The golden deals of a game, and all its coups, dealt once for all wrongs that are done to it."""

    def __init__(self, game: Game) -> None:
        self.game = game
        self.deals = [(deal.coup(game.key), deal.nets) for deal in golden(game.key)]
        self._classes: dict[str, list[Coup]] = {}

    def noticed(self, mutant: Mutant) -> bool:
        """Whether a golden deal comes out otherwise."""
        if [wager.name for wager in mutant.game.wagers] != list(self.deals[0][1]):
            return True
        settler = Settler((mutant.game.wager(mutant.wager),))
        return any(settler.settle(coup)[mutant.wager].net != nets[mutant.wager] for coup, nets in self.deals)

    def equivalent(self, mutant: Mutant) -> bool:
        """Whether no coup at all comes out otherwise."""
        coups = self._classes.setdefault(mutant.wager, [])
        if not coups:
            coups.extend(every_class(self.game, mutant.wager))
        return settles_alike(self.game, mutant, coups)


def judged(game: Game) -> tuple[list[Mutant], list[Mutant]]:
    """The wrongs that no golden deal notices: those that change nothing, and those that got away."""
    jury = Jury(game)
    equivalent: list[Mutant] = []
    survivors: list[Mutant] = []
    for mutant in mutants(game):
        if not jury.noticed(mutant):
            (equivalent if jury.equivalent(mutant) else survivors).append(mutant)
    return equivalent, survivors


# Proving that a wrong changes nothing takes every coup there is: games with many suit pairs are left to the night.
JUDGED = width(("baccarat", "super-six", "tiger-no-commission", "7-up"), tuple(GAMES))


@pytest.mark.parametrize("key", JUDGED)
def test_no_wrong_in_a_declaration_gets_away(key: str) -> None:
    equivalent, survivors = judged(GAMES[key])
    assert [f"{mutant.wager}: {mutant.wrong}" for mutant in survivors] == []
    # Rows that exclude each other may stand in any order, and a part that the others imply may go: nothing else.
    assert len(equivalent) < sum(1 for _ in mutants(GAMES[key])) / 4


def test_a_planted_wrong_is_told_from_an_equivalent_one() -> None:
    game = GAMES["7-up"]
    jury = Jury(game)
    told = {mutant.wrong: jury.noticed(mutant) for mutant in mutants(game) if mutant.wager == "Super 7's"}
    assert told["row 1 pays 3 to 1"]
    assert told["row 5 when sevens 5"]
    assert not told["rows 1 and 2 swapped"]


def main() -> int:
    """Count the wrongs, for `make mutants`."""
    total = same = 0
    got_away: list[str] = []
    for key, game in GAMES.items():
        equivalent, survivors = judged(game)
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
