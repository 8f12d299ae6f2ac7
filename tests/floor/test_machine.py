"""Hypothesis plays at tables of every rulebook; how many sequences is a matter of PUNTO_SEQUENCES."""

import os

import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.floor.machine import TableMachine

from punto.store.contract import Store
from punto.store.memory import MemoryStore

SEQUENCES = int(os.environ.get("PUNTO_SEQUENCES", "300"))


class OnMemory(TableMachine):
    def open_store(self) -> Store:
        return MemoryStore()


@pytest.mark.parametrize("machine", [OnMemory])
def test_whatever_is_done_the_books_balance_and_the_record_replays(machine: type[TableMachine]) -> None:
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    run_state_machine_as_test(
        machine,
        settings=settings(max_examples=SEQUENCES, stateful_step_count=40, deadline=None, suppress_health_check=checks),
    )
