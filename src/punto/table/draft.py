"""A decision in the making: the events so far, and the table as they leave it."""

from punto.table.events import AnyEvent
from punto.table.evolve import evolve
from punto.table.state import Table


class Draft:
    """Events that one command causes, each seen by those after it."""

    __slots__ = ("at_ms", "events", "reporter", "table")

    def __init__(self, table: Table, at_ms: int, reporter: str = "") -> None:
        # The name of the person who reports something, or refers it; nobody's where the table finds it by itself.
        self.reporter = reporter
        self.table = table
        self.at_ms = at_ms
        self.events: list[AnyEvent] = []

    def add(self, event: AnyEvent) -> None:
        """One more event."""
        self.events.append(event)
        self.table = evolve(self.table, event)
