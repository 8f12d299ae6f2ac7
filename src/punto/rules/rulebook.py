"""A rulebook: what is common to the games played under it."""

from dataclasses import dataclass
from datetime import datetime

from punto.rules.conduct import Conduct
from punto.rules.pay import Clause
from punto.rules.words import Label


@dataclass(frozen=True, slots=True)
class Announcement:
    """A phrase that the table must say or show, any of the given forms, and the clause that asks for it."""

    clause: Clause
    phrases: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class RoundClauses:
    """Where a rulebook says how a round goes: the clause of each step, and of the wager on a tie."""

    decks: Clause
    values: Clause
    totals: Clause
    deal: Clause
    draw: Clause
    outcome: Clause
    tie: Clause
    tie_wager: Clause
    cutting_card: Clause | None


@dataclass(frozen=True, slots=True)
class Rulebook:
    """An approved set of rules, in force from a moment on."""

    code: str
    title: Label
    version: int | None
    in_force: datetime
    opens: Announcement
    closes: Announcement
    play: RoundClauses
    conduct: Conduct
