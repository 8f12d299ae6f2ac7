"""Scenarios: what is done at a table, line by line, and what must follow from it.

A line is a JSON object: a command as in `punto schema commands`, with what is expected beside it. Lines are easier to
write than commands:

- *by* may be a position, or a position and a name: `"dealer"`, `"Pit Manager bob"`, `"patron ann"`;
- *id*, *table* and *at_ms* may be left out: the line's number, `T1`, and a second after the line before;
- *after_s* lets more time pass, and `"do": "restart"` stops the floor and starts it again on the same store;
- *draw* draws several cards, one command each, and *order* of `load-shoe` is how a virtual shoe begins;
- cards are read as the pages print them, and words of a list (positions, findings, wagers) in any case.

What is expected: *expect*, the events in order, each a type or an object whose fields must be there; *refused*, the
code of the refusal; *phase* after the line; *credits* in cents by patron. A line that is refused without *refused*
fails. A line that begins with `#` is a comment.

The first line may be a heading: *scenario* (its title), *clauses*, *readings* (entries of the register of
interpretations), and *under*, the rulebooks that it is played under, one after the other. Then `open-table` may leave
out the game, and `$book` stands for the rulebook's code.
"""

from punto.floor.scenario.reading import Heading, Line, Scenario, read_scenario
from punto.floor.scenario.running import START_MS, Runner, Step

__all__ = ["START_MS", "Heading", "Line", "Runner", "Scenario", "Step", "read_scenario"]
