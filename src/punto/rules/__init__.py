"""The vocabulary in which games and rulebooks are declared.

A *deal* takes cards one at a time and ends in a *coup*. A *fact* is a question about a coup; a *condition* is an
expression over facts; a *pay* row is a clause, a condition and odds; a *wager* is an ordered list of them; a *game* is
a deck, an opening of the deal, and wagers.
"""

from punto.rules.conditions import And, Condition, Fact, Is, Not, Or
from punto.rules.conduct import (
    HIGHER_RANKS,
    RANKS,
    Act,
    Areas,
    Charge,
    Circumstance,
    Conduct,
    CustodyClauses,
    DifferentialClauses,
    Duty,
    Found,
    Late,
    LateClauses,
    Layout,
    LimitClauses,
    Method,
    Position,
    Remedy,
    Rule,
)
from punto.rules.coup import Coup, Hand, Side, Winner, total
from punto.rules.deal import CLASSIC, OPENINGS, PERMANENT, Deal, Opening
from punto.rules.facts import FACTS
from punto.rules.game import Game
from punto.rules.grammar import parse_condition
from punto.rules.outlook import Outlook, Standing, established
from punto.rules.pay import EVEN, PUSH, Clause, Odds, Pay, Result, Settlement, Wager, odds_in_words
from punto.rules.rulebook import Announcement, RoundClauses, Rulebook
from punto.rules.settler import Settler
from punto.rules.tableau import third_card
from punto.rules.traits import Reading, Trait
from punto.rules.view import State, View
from punto.rules.words import Label, Language

__all__ = [
    "CLASSIC",
    "EVEN",
    "FACTS",
    "HIGHER_RANKS",
    "OPENINGS",
    "PERMANENT",
    "PUSH",
    "RANKS",
    "Act",
    "And",
    "Announcement",
    "Areas",
    "Charge",
    "Circumstance",
    "Clause",
    "Condition",
    "Conduct",
    "Coup",
    "CustodyClauses",
    "Deal",
    "DifferentialClauses",
    "Duty",
    "Fact",
    "Found",
    "Game",
    "Hand",
    "Is",
    "Label",
    "Language",
    "Late",
    "LateClauses",
    "Layout",
    "LimitClauses",
    "Method",
    "Not",
    "Odds",
    "Opening",
    "Or",
    "Outlook",
    "Pay",
    "Position",
    "Reading",
    "Remedy",
    "Result",
    "RoundClauses",
    "Rule",
    "Rulebook",
    "Settlement",
    "Settler",
    "Side",
    "Standing",
    "State",
    "Trait",
    "View",
    "Wager",
    "Winner",
    "established",
    "odds_in_words",
    "parse_condition",
    "third_card",
    "total",
]
