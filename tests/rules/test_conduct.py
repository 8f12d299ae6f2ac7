"""Which rule of a rulebook's conduct applies to what was found."""

import pytest
from tests.marks import interpretation

from punto.games import RULEBOOKS
from punto.rules import Circumstance, Found, Remedy, Rule

UNKNOWN = frozenset({Circumstance.ORDER_UNKNOWN})


@interpretation(20)
@pytest.mark.parametrize(
    ("code", "found", "circumstances", "rule"),
    [
        # The first rule that fits applies: the exception stands before the rule.
        ("EB4", Found.DRAWN_TOGETHER, frozenset({Circumstance.ORDER_KNOWN}), ("EB4 5.8", Remedy.REBUILD)),
        ("EB4", Found.DRAWN_TOGETHER, UNKNOWN, ("EB4 5.8.1", Remedy.VOID)),
        # A rule applies when all its circumstances are there, and others may be there too.
        ("FF2", Found.DRAWN_TOGETHER, UNKNOWN | {Circumstance.INITIAL_DEAL}, ("FF2 5.3", Remedy.VOID)),
        ("FF2", Found.DRAWN_TOGETHER, UNKNOWN, ("", Remedy.REFER)),
        ("FF2", Found.DRAWN_TOGETHER, frozenset(Circumstance), ("FF2 5.3", Remedy.VOID)),
        # All the rest is referred, by a clause where the rulebook has one.
        ("B8", Found.OTHER, frozenset(), ("B8 6.1", Remedy.REFER)),
        ("FF2", Found.OTHER, frozenset(), ("", Remedy.REFER)),
    ],
)
def test_the_first_rule_that_fits_applies_and_all_else_is_referred(
    code: str, found: Found, circumstances: frozenset[Circumstance], rule: tuple[str, Remedy]
) -> None:
    applies = RULEBOOKS[code].conduct.rule(found, circumstances)
    assert isinstance(applies, Rule)
    assert (applies.clause, applies.remedy) == rule
