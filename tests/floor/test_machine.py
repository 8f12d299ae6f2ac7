"""Hypothesis plays at tables of every rulebook, on every store; PUNTO_SEQUENCES says how many times on each."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.floor.machine import TableMachine
from tests.store.places import Place
from tests.width import width

from punto.games import GAMES
from punto.store import Store

# What people do at a table is tried in memory; a few sequences show that the same comes of it on the other stores.
SEQUENCES = width({"memory": 40, "sqlite": 10, "postgres": 6}, {"memory": 300, "sqlite": 300, "postgres": 300})
if "PUNTO_SEQUENCES" in os.environ:
    SEQUENCES = dict.fromkeys(SEQUENCES, int(os.environ["PUNTO_SEQUENCES"]))
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
            max_examples=max(1, round(SEQUENCES[place.kind] * SHARES[books])),
            stateful_step_count=STEPS,
            deadline=None,
            suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much],
        ),
    )
