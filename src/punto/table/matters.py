"""Matters: what was found is written down with what follows from it, and what no rule covers is referred."""

from typing import Final

from punto.rules import Found, Remedy, Rule
from punto.table import events as on
from punto.table.draft import Draft

VOIDS: Final = frozenset({Remedy.VOID, Remedy.VOID_AND_PROPOSE, Remedy.VOID_AND_REPLACE})


def noted(draft: Draft, found: Found, rule: Rule, note: str = "") -> None:
    """Write down what was found, and what the rule has follow from it."""
    draft.add(on.IrregularityFound(found, rule.remedy, rule.clause, note))


def refer_matter(  # noqa: PLR0913 (all but the first three are rare, and named)
    draft: Draft, found: Found, matter: str, *, cards: str = "", round_: int = 0, replace: bool = False
) -> None:
    """Ask the Gaming Shift Manager to decide: about this round, unless another is named (EB4, E7U, B8, TNC5 6.1).

    *cards* were named in the report, and are out of the device; with *replace* they shall be replaced in any case.
    Whoever reported the matter does not decide it.
    """
    table = draft.table
    clause, by = table.book.conduct.referral.clause, draft.reporter
    draft.add(on.Referred(found, matter, clause, table.matters + 1, round_ or max(table.round, 1), cards, replace, by))
