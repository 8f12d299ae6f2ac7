"""A group of commands: what it does in the making, and what becomes of it once it was sent to be written."""

from collections.abc import Iterable, Mapping, Sequence

import msgspec

from punto.errors import PuntoError
from punto.floor.answers import Answer
from punto.floor.history import Group, Written
from punto.floor.warrants import NO_WARRANT, Warrant
from punto.ledger import Holding
from punto.table import AnyCommand, Table

Outcome = Answer | PuntoError
Holdings = Mapping[str, Holding]


class Standing(msgspec.Struct, frozen=True, gc=False):
    """A table as it stands: after how many entries of its log, and when its last command was given."""

    table: Table
    version: int
    at_ms: int


class Ungrounded(Exception):
    """What was judged rests on a group that was not written."""


class Work:
    """A group in the making."""

    def __init__(self, group: Group) -> None:
        self.group = group
        # What the last commands have written, and is not chained yet.
        self.written: list[Written] = []
        # The tables that the group has moved, as they were before.
        self.before: dict[str, Standing] = {}
        # Tables at which nothing can be done, and why.
        self.shut: dict[str, PuntoError] = {}
        # The accepted commands, by id.
        self.answers: dict[str, tuple[AnyCommand, Answer]] = {}
        # Whether commands of the group have been judged, and whether all of it was counted or taken back.
        self.begun = False
        self.is_over = False

    @property
    def streams(self) -> set[str]:
        """The streams that the group moves."""
        return {*self.group.began, *(stream for stream, _, _ in self.written)}


class Sent:
    """Commands that were sent to be written as one group."""

    def __init__(self, commands: Iterable[AnyCommand], warrants: Sequence[Warrant], work: Work) -> None:
        self.commands = [*commands]
        self.warrants = warrants or [NO_WARRANT] * len(self.commands)
        self.work = work
        # Whether the store was given the group.
        self.was_given = False
        # What each command is answered once the group is durable, and what is raised if it is not.
        self.answers: list[Outcome] = []
        self.error: Exception | None = None
        # The tables and wallets as the group leaves them.
        self.tables: Mapping[str, Table] = {}
        self.holdings: Holdings = {}
