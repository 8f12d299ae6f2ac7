"""The books as comma-separated values."""

import csv
from io import StringIO

import pytest

from punto.floor.books import Wallet, wallets_csv


@pytest.mark.parametrize("name", ["=1+1", "+1", "-1", "@SUM(A1)"])
def test_a_spreadsheet_takes_no_name_for_a_formula(name: str) -> None:
    [row] = csv.DictReader(StringIO(wallets_csv([Wallet(name, -500, 0)])))
    assert row == {"patron": f"'{name}", "credits_cents": "-500", "owed_cents": "0"}


def test_a_plain_name_stays_as_it_is() -> None:
    assert wallets_csv([Wallet("ann", 5, 7)]) == "patron,credits_cents,owed_cents\nann,5,7\n"
