"""Answers that are remembered: a command that comes again under its id gets its first answer.

Accepted commands are in the record; refused ones leave no trace there, so their answers are kept here until the round
ends. After that a refused id is stale: it is refused for good, so that no late copy of a message becomes a wager.
"""

from itertools import islice
from typing import Any, Final

import msgspec

from punto.errors import NotWritten, PuntoError, StaleId, quoted
from punto.table import Actor, AnyCommand, AnyEvent
from punto.table.log import checksum

# Of more than twice as many ids so many are left, the latest.
_MOST_IDS: Final = 20_000


class Answer(msgspec.Struct, frozen=True, gc=False):
    """What came of a command: its events, and the version of the table's log after them."""

    table: str
    version: int
    events: tuple[AnyEvent, ...]


class _Asked(msgspec.Struct, frozen=True):
    """As much of a command as tells whether another is the same."""

    table: str
    by: Actor
    checksum: int

    def is_same(self, command: AnyCommand) -> bool:
        """Whether a command with the same id asks just that again."""
        try:
            return (self.table, self.by, self.checksum) == (command.table, command.by, checksum(command))
        except (UnicodeEncodeError, OverflowError):  # what cannot be written down was never accepted
            return False


def is_same(first: AnyCommand, command: AnyCommand) -> bool:
    """Whether a command that has the id of another asks just that again."""
    try:
        return (first.table, first.by) == (command.table, command.by) and checksum(first) == checksum(command)
    except (UnicodeEncodeError, OverflowError):  # what cannot be written down was never accepted
        return False


class Refusals:
    """The ids of commands that a table has refused: in this round with their answers, and before that as stale."""

    def __init__(self) -> None:
        self._round = 0
        self._refused: dict[str, tuple[_Asked, PuntoError]] = {}
        self._stale: dict[str, None] = {}

    def earlier(self, command: AnyCommand, round_: int) -> PuntoError | None:
        """What a command was answered under this id when it was refused; none where it was not."""
        self._turn(round_)
        if command.id in self._stale:
            return StaleId(f"the id {quoted(command.id)} was refused in an earlier round: nothing was done")
        found = self._refused.get(command.id)
        return found[1] if found and (isinstance(found[1], NotWritten) or found[0].is_same(command)) else None

    def add(self, command: AnyCommand, round_: int, refusal: PuntoError) -> None:
        """Remember a refusal until the round ends."""
        self._turn(round_)
        try:
            asked = _Asked(command.table, command.by, checksum(command))
        except (UnicodeEncodeError, OverflowError):
            return
        self._refused[command.id] = asked, refusal
        _forget_oldest(self._refused)

    def _turn(self, round_: int) -> None:
        if round_ != self._round:
            self._round = round_
            self._stale |= dict.fromkeys(self._refused)
            self._refused = {}
            _forget_oldest(self._stale)


def _forget_oldest(ids: dict[str, Any]) -> None:
    if len(ids) > 2 * _MOST_IDS:
        for id_ in [*islice(ids, len(ids) - _MOST_IDS)]:
            del ids[id_]
