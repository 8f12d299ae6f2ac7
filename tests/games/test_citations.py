"""What may be cited is what the documents have."""

import re

from tests.marks import CLAUSES
from tests.traceability import REGISTER

from punto.games import RULEBOOKS
from punto.games.citations import CLAUSE_NUMBERS, LAST_READING, READING_NUMBERS


def test_the_clauses_are_those_of_the_documents_in_their_order() -> None:
    assert [f"{book} {number}" for book, numbers in CLAUSE_NUMBERS.items() for number in numbers] == list(CLAUSES)
    assert set(CLAUSE_NUMBERS) == set(RULEBOOKS)


def test_the_readings_are_those_of_the_register() -> None:
    known = [int(number) for number in re.findall(r'<a id="(\d+)"></a>', REGISTER.read_text())]
    assert list(READING_NUMBERS) == known, f"LAST_READING is {LAST_READING}"
