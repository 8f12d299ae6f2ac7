"""Answers that are remembered: a command that comes again under its id gets its first answer.

Accepted commands are in the record. Refused ones leave no trace there, so their answers are kept here until the round
ends; another command under a refused id is refused, too. After that the id is stale: it is refused for good, so that no
late copy of a message becomes a wager. A command that no table has judged, because the store took nothing, was turned
away: in the same round it may come again under its id, and after that it is as stale as any other. What cannot be an id
is not remembered: under it, nothing is ever accepted.
"""

from itertools import islice
from typing import Any, Final

import msgspec

from punto.errors import IdInUse, NotWritten, PuntoError, StaleId, quoted
from punto.table import Actor, AnyCommand, AnyEvent
from punto.table.form import is_id
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


def name_of(command: AnyCommand) -> str:
    """The id under which a command is refused: a ticket has one for good, and each message that redeems it another."""
    return getattr(command, "reference", "") or command.id


def stale() -> StaleId:
    """The refusal of an id that was refused in an earlier round; whoever asked knows it by the id of the message."""
    return StaleId("this id was refused in an earlier round: nothing was done")


def in_use(id_: str) -> IdInUse:
    """The refusal of an id that is another command's."""
    return IdInUse(f"the id {quoted(id_)} is another command's: nothing was done")


class Refusals:
    """The ids of commands that a table has refused: in this round with their answers, and before that as stale."""

    def __init__(self) -> None:
        self._round = 0
        self._refused: dict[str, tuple[_Asked, PuntoError]] = {}
        # Those that were turned away in this round, before the table had judged them.
        self._away: dict[str, None] = {}
        self._stale: dict[str, None] = {}

    def earlier(self, command: AnyCommand, round_: int) -> PuntoError | None:
        """What a command was answered under this id when it was refused; none where it was not, and is judged now."""
        self._turn(round_)
        name = name_of(command)
        if name in self._stale:
            return stale()
        self._away.pop(name, None)
        if name not in self._refused:
            return None
        asked, refusal = self._refused[name]
        if isinstance(refusal, NotWritten) or asked.is_same(command):
            again = refusal.anew()
            again.is_repeated = True
            return again
        # Another ticket under the same message's id is judged: its own id says whether it was redeemed.
        return in_use(name) if name == command.id else None

    def add(self, command: AnyCommand, round_: int, refusal: PuntoError) -> None:
        """Remember a refusal until the round ends."""
        self._turn(round_)
        try:
            asked = _Asked(command.table, command.by, checksum(command))
        except (UnicodeEncodeError, OverflowError):
            return
        name = name_of(command)
        if not is_id(name):
            return
        self._refused[name] = asked, refusal.anew()
        _forget_oldest(self._refused)

    def is_stale(self, name: str, round_: int) -> bool:
        """Whether something was refused under this id in an earlier round."""
        self._turn(round_)
        return name in self._stale

    def turn_away(self, name: str, round_: int | None) -> None:
        """Remember that an id was refused before the table had judged its command; the round may not be known."""
        if round_ is not None:
            self._turn(round_)
        if not is_id(name):
            return
        self._away[name] = None
        _forget_oldest(self._away)

    def _turn(self, round_: int) -> None:
        if round_ != self._round:
            self._round = round_
            self._stale |= dict.fromkeys(self._refused) | self._away
            self._refused, self._away = {}, {}
            _forget_oldest(self._stale)


def _forget_oldest(ids: dict[str, Any]) -> None:
    if len(ids) > 2 * _MOST_IDS:
        for id_ in [*islice(ids, len(ids) - _MOST_IDS)]:
            del ids[id_]
