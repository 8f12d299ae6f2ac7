"""One table: commands, events, state, authority, limits, irregularities.

`decide(table, command)` holds all judgement and raises a refusal; `evolve(table, event)` never refuses. A table is its
history: start from `Table()`, and fold. Time and chance come in with the commands.
"""

from punto.table.actor import Actor
from punto.table.commands import AnyCommand, Command, PatronCommand
from punto.table.decide import act, decide
from punto.table.draft import Draft
from punto.table.events import AnyEvent, Event, Payment, Return
from punto.table.evolve import evolve
from punto.table.setup import Limit, Setup, Source, Timings, with_virtual_cards
from punto.table.shoes import commitment
from punto.table.state import BETWEEN, PLAYING, Phase, Placed, Table

__all__ = [
    "BETWEEN",
    "PLAYING",
    "Actor",
    "AnyCommand",
    "AnyEvent",
    "Command",
    "Draft",
    "Event",
    "Limit",
    "PatronCommand",
    "Payment",
    "Phase",
    "Placed",
    "Return",
    "Setup",
    "Source",
    "Table",
    "Timings",
    "act",
    "commitment",
    "decide",
    "evolve",
    "with_virtual_cards",
]
