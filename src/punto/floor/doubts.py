"""Doubts: commands of which it is not known yet whether they were written, and what each is told once it is."""

from collections.abc import Iterable, Sequence

from punto.errors import NotWritten, OutcomeUnknown, PuntoError
from punto.floor.answers import Answer, in_use, is_same
from punto.table import AnyCommand

Outcome = Answer | PuntoError


class Settled:
    """What came of the commands of a group whose answer was lost."""

    def __init__(self, outcomes: Iterable[tuple[AnyCommand, Outcome]]) -> None:
        self._outcomes: dict[str, list[tuple[AnyCommand, Outcome]]] = {}
        for command, outcome in outcomes:
            self._outcomes.setdefault(command.id, []).append((command, outcome))

    def of(self, command: AnyCommand) -> Outcome:
        """What came of a command that was in doubt; its id may also be another's."""
        found = self._outcomes.get(command.id, ())
        same = (outcome for asked, outcome in found if is_same(asked, command))
        return next(same, in_use(command.id))


class Doubts:
    """The commands of the group that is in doubt, with the answers that they get if it was written."""

    def __init__(self) -> None:
        self._group: list[tuple[AnyCommand, Outcome]] = []
        self._ids: set[str] = set()
        # The ids that the group was to write; others had their answer before.
        self._new: frozenset[str] = frozenset()
        self._settled: list[tuple[AnyCommand, Outcome]] = []

    def __contains__(self, id_: object) -> bool:
        return isinstance(id_, str) and id_ in self._ids

    def begin(self, commands: Sequence[AnyCommand], answers: Sequence[Outcome], new: Iterable[str]) -> None:
        """A group was sent to be written, and no answer came; *new* are the ids that it was to write."""
        self._group = list(zip(commands, answers, strict=True))
        self._new = frozenset(new)
        self._ids = {command.id for command in commands if isinstance(command.id, str)}

    def settle(self, *, written: bool) -> list[AnyCommand]:
        """It is known by now; the commands that were not written, and are refused for good."""
        group, self._group, self._ids = self._group, [], set()
        if written:
            self._settled += group
            return []
        lost = []
        for command, outcome in group:
            if isinstance(outcome, Answer) and command.id not in self._new:
                self._settled.append((command, outcome))  # it was on record before
            elif isinstance(command.id, str):
                self._settled.append((command, not_written()))
                lost.append(command)
        return lost

    def take(self) -> Settled | None:
        """What came of the commands that were in doubt, once for each of them; none where nothing is new."""
        settled, self._settled = self._settled, []
        return Settled(settled) if settled else None


def not_written() -> NotWritten:
    """The refusal of a command that was in doubt, and turned out not to be written."""
    return NotWritten("it was not written: nothing was done; whoever still wants it asks anew")


def unknown() -> OutcomeUnknown:
    """What is said of a command as long as it is in doubt."""
    return OutcomeUnknown("it is not known yet whether it was written: ask again under the same id")
