"""Hypothesis plays at tables of every rulebook, on every store; PUNTO_SEQUENCES says how many times."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.floor.machine import TableMachine
from tests.store.places import Place

from punto.games import GAMES
from punto.store import Store

SEQUENCES = int(os.environ.get("PUNTO_SEQUENCES", "300"))
STEPS = 30
# The rulebooks, and which part of the sequences is theirs.
SHARES = {("EB4", "E7U"): 0.3, ("FF2",): 0.2, ("B8", "TNC5"): 0.5}


@pytest.mark.parametrize("books", SHARES, ids="-".join)
def test_whatever_is_done_the_books_balance_and_the_record_replays(place: Place, books: tuple[str, ...]) -> None:
    class Machine(TableMachine):
        games = tuple(sorted(game.key for game in GAMES.values() if game.rulebook in books))

        def open_store(self) -> Store:
            place.fresh()
            return place.open()

    run_state_machine_as_test(
        Machine,
        settings=settings(
            max_examples=round(SEQUENCES * SHARES[books]),
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        ),
    )
