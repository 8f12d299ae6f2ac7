"""The record of the floor that is visited, read beside it while it runs."""

from contextlib import closing
from pathlib import Path

from punto.floor.books import wallets
from punto.record import Round, find_round, rounds_of
from punto.roads import Outcome
from punto.store import SqliteStore


class Book:
    """What the floor has written."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "floor.db"

    def _open(self) -> closing[SqliteStore]:
        return closing(SqliteStore(self._path, read_only=True))

    def round(self, table: str, number: int) -> Round:
        """A round of a table."""
        with self._open() as store:
            return find_round(store, table, number)

    def rounds(self, table: str, shoe: int) -> list[Round]:
        """The rounds of a shoe."""
        with self._open() as store:
            return [each for each in rounds_of(store, table) if each.opened["shoe"] == shoe]

    def outcomes(self, table: str, shoe: int) -> list[Outcome]:
        """The outcomes of a shoe, as roads see them."""
        return [Outcome.of(each.coup) for each in self.rounds(table, shoe) if each.coup]

    def credits_cents(self, patron: str) -> int:
        """What a patron's wallet holds."""
        with self._open() as store:
            return next(each.credits_cents for each in wallets(store) if each.patron == patron)

    def stakes(self, table: str, number: int, patron: str) -> dict[str, int]:
        """What a patron has on each wager in a round."""
        return {
            each["wager"]: each["cents"] if "cents" in each else each["stake_cents"]
            for each in self.round(table, number).wagers().values()
            if each["patron"] == patron
        }

    def payments(self, table: str, number: int, patron: str) -> dict[str, int]:
        """What a patron was paid back on each wager of a round."""
        settled = self.round(table, number).settled
        assert settled
        return {each["wager"]: each["paid_cents"] for each in settled["payments"] if each["patron"] == patron}
