"""What the floor adds to the journal as it writes: that a table was opened, closed, or given other limits."""

from typing import Final

from punto.floor.answers import Answer
from punto.record.checks.written import Actor
from punto.record.journal import JOURNAL, JournalEntry, TableChange, TableConfigured, write
from punto.table import AnyCommand
from punto.table import commands as do
from punto.table import events as on

# The commands that configure a table.
CONFIGURING: Final = frozenset({do.OpenTable, do.CloseTable, do.ChangeLimits})
_CHANGES: Final[dict[type, TableChange]] = {
    on.TableOpened: TableChange.OPENED,
    on.TableClosed: TableChange.CLOSED,
    on.LimitsChanged: TableChange.LIMITS,
}


def of_table(answer: Answer, command: AnyCommand, session: str) -> list[tuple[str, None, bytes]]:
    """What the events of a command add to the journal."""
    first = answer.version - len(answer.events) + 1
    changes = [
        TableConfigured(answer.table, version, _CHANGES[type(event)])
        for version, event in enumerate(answer.events, first)
        if type(event) in _CHANGES
    ]
    by = Actor(command.by.name, command.by.position, command.by.acting)
    return [(JOURNAL, None, write(JournalEntry(command.at_ms, by, change, session))) for change in changes]
