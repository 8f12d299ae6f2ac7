"""What is known from outside about a store that was cut off: what was answered, what was under way, the last head."""

from dataclasses import dataclass, field

from punto.errors import OutcomeUnknown
from tests.torture.journal import Asked, Failed, Given, Line


@dataclass
class Evidence:
    """The journals of all lives of a store; the last of them was cut off.

    *head* is the number of the last head that must be there: as it was answered, or as it was found in an earlier look.
    """

    answers: list[Given] = field(default_factory=list)
    head: int = 0
    kept: str = ""
    under_way: Asked | None = None
    # Of the last life: how many of the answers are its own.
    fresh: int = 0
    # What was answered wrongly.
    wrong: list[str] = field(default_factory=list)

    def begin_life(self) -> None:
        """A process starts on the store."""
        self.under_way = None
        self.fresh = 0

    def add(self, line: Line) -> None:
        """One more line of the journal."""
        if isinstance(line, Asked):
            self.under_way = line
        elif isinstance(line, Failed):
            if line.found and line.code != OutcomeUnknown.code:
                self.wrong.append(f"{', '.join(line.found)} had the answer {line.code}, and is there")
        else:
            self.under_way = None
            given = [each for each in line.answers if each.command]
            self.answers += given
            self.fresh += len(given)
            self.head, self.kept = line.head, line.kept
