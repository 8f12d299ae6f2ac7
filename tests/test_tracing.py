"""Which tests coverage traces: a test that is traced for nothing takes twice its time."""

import sys

import pytest

from tests.tracing import is_traced


@pytest.fixture(scope="module")
def tracer_of_fixture() -> object:
    return sys.gettrace()


def test_coverage_traces_no_test_of_the_upper_rooms_nor_its_fixtures(tracer_of_fixture: object) -> None:
    for tracer in (sys.gettrace(), tracer_of_fixture):
        assert not type(tracer).__module__.startswith("coverage"), tracer


def test_the_pure_rooms_are_traced_and_searches_are_not() -> None:
    assert is_traced("tests/rules/test_tableau.py::test_x")
    assert is_traced("src/punto/ledger/money.py::punto.ledger.money")
    assert not is_traced("tests/lab/test_exact.py::test_x")
    assert not is_traced("tests/games/test_mutants.py::test_x")
