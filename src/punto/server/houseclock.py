"""The time of day as the floor writes it down: it follows the machine's clock, and never jumps with it.

It runs on the monotonic clock. While the machine's clock differs by a little, it runs a little faster or slower. A
machine's clock that differs by more is not followed until it has differed by the same for ten minutes.

What it began with may be wrong, and no later reading of the same clock betrays that. So it is believed about the end
of a gaming day only when it has run on for an hour: by then somebody has seen it, or has set it right.
"""

import asyncio
from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from punto.record.journal import Doubt, TimeInDoubt, TimeTrusted
from punto.surroundings import monotonic, now_ms

if TYPE_CHECKING:
    from punto.server.hall import Hall

# A difference up to this is made up for, so much of each second.
SLEWED_MS: Final = 5_000
SLEW: Final = 0.05
# A larger one is followed only when it has lasted so long.
LASTING_MS: Final = 600_000
# A record that is ahead of the clock by more than this was written under another clock.
AHEAD_MS: Final = 60_000
# A clock that has run on for so long, since the floor began and since the last jump, is believed about days.
RUN_ON_MS: Final = 3_600_000
# If the record ended more than a night ago, the clock may be a day ahead.
LONG_AGO_MS: Final = 20 * 3_600_000
_EVERY_S: Final = 1.0


def _wall_ms() -> int:
    return now_ms()


def _steady_ms() -> int:
    return int(1_000 * monotonic())


class HouseClock:
    """A clock that two others drive: the machine's clock, and one that nobody can set."""

    def __init__(self, wall_ms: Callable[[], int] = _wall_ms, steady_ms: Callable[[], int] = _steady_ms) -> None:
        self._wall_ms, self._steady_ms = wall_ms, steady_ms
        self._looked_ms = steady_ms()
        self._ahead_of_steady_ms: float = wall_ms() - self._looked_ms
        # By how much the machine's clock is astray, and since when.
        self._astray_ms = 0.0
        self._astray_since_ms = 0
        # Since when it has run on: since the floor began, or since the machine's clock was last astray.
        self._runs_since_ms = self._looked_ms
        # The newest time on record when the floor began, or when a clock that was ahead was set back.
        self._newest_ms = 0
        # How old the record was when the floor began.
        self._old_ms = 0

    def now_ms(self) -> int:
        """The time of day, for the record; nothing is measured by it."""
        steady_ms = self._steady_ms()
        passed_ms, self._looked_ms = steady_ms - self._looked_ms, steady_ms
        difference_ms = self._wall_ms() - steady_ms - self._ahead_of_steady_ms
        if abs(difference_ms) <= SLEWED_MS:
            most_ms = passed_ms * SLEW
            self._ahead_of_steady_ms += min(max(difference_ms, -most_ms), most_ms)
            self._astray_ms = 0.0
            return round(steady_ms + self._ahead_of_steady_ms)
        self._runs_since_ms = steady_ms
        if not self._astray_ms or abs(difference_ms - self._astray_ms) > SLEWED_MS:
            self._astray_ms, self._astray_since_ms = difference_ms, steady_ms
        elif steady_ms - self._astray_since_ms >= LASTING_MS:
            # What was written so far was written under the clock that is left now.
            self._newest_ms = max(self._newest_ms, round(steady_ms + self._ahead_of_steady_ms))
            self._ahead_of_steady_ms += difference_ms
            self._astray_ms = 0.0
        return round(steady_ms + self._ahead_of_steady_ms)

    def compare(self, newest_ms: int) -> None:
        """Hold the clock against the newest time on record, when the floor begins."""
        self._newest_ms = newest_ms
        self._old_ms = self.now_ms() - newest_ms if newest_ms else 0

    @property
    def runs_on(self) -> bool:
        """Whether it has run on for an hour: then it is believed about the end of a gaming day."""
        self.now_ms()
        return self._looked_ms - self._runs_since_ms >= RUN_ON_MS

    @property
    def old_s(self) -> int:
        """How many seconds old the record was when the floor began, if that is long, and as long as it may be wrong."""
        return round(self._old_ms / 1000) if self._old_ms >= LONG_AGO_MS and not self.runs_on else 0

    @property
    def astray_s(self) -> int:
        """By how many seconds the machine's clock is ahead of this one, or behind; 0 while the two agree."""
        self.now_ms()
        return round(self._astray_ms / 1000)

    @property
    def behind_record_s(self) -> int:
        """By how many seconds the record is ahead of the clock; 0 unless it was written under another clock."""
        ahead_ms = self._newest_ms - self.now_ms()
        return round(ahead_ms / 1000) if ahead_ms > AHEAD_MS else 0


class ClockWatch:
    """Tells staff when the machine's clock has jumped, or the record is ahead of it; on the event loop."""

    def __init__(self, hall: "Hall") -> None:
        self._hall = hall
        self._task: asyncio.Task[None] | None = None
        self._said = (False, False, False)
        # Since when the time is in doubt, as the journal has it.
        self._in_doubt_since: float | None = None

    def begin(self) -> None:
        """Look from now on."""
        self.look()
        self._task = asyncio.get_running_loop().create_task(self._watch())

    def end(self) -> None:
        """Look no longer."""
        if self._task is not None:
            self._task.cancel()
            self._task = None

    async def _watch(self) -> None:
        while True:
            await asyncio.sleep(_EVERY_S)
            self.look()

    def look(self) -> None:
        """Look once, and tell what has changed."""
        clock, log = self._hall.clock, self._hall.log
        astray_s, behind_s, old_s = clock.astray_s, clock.behind_record_s, self._hall.seals and clock.old_s
        said = bool(astray_s), bool(behind_s), bool(old_s)
        if said == self._said:
            return
        if said[0] and not self._said[0]:
            log.error("the machine's clock has jumped, and is not followed", seconds=astray_s)
        if said[1] and not self._said[1]:
            log.error("the record is ahead of the machine's clock: times at tables stand still", seconds=behind_s)
        if said[2] and not self._said[2]:
            log.warning("the record ends long ago by the machine's clock: check the date", seconds=old_s)
        if not any(said[:2]) and any(self._said[:2]):
            log.warning("the machine's clock and the floor's agree again")
        self._said = said
        self._note(astray_s, behind_s, old_s)
        for hosted in self._hall.tables.values():
            hosted.tell()

    def _note(self, astray_s: int, behind_s: int, old_s: int) -> None:
        """Have the journal say that the time is in doubt, or is so no longer."""
        journal = self._hall.journal
        doubts = ((Doubt.JUMPED, astray_s), (Doubt.BEHIND_RECORD, behind_s), (Doubt.LONG_AGO, old_s))
        doubt = next(((why, seconds) for why, seconds in doubts if seconds), None)
        if doubt is not None:
            if self._in_doubt_since is None:
                self._in_doubt_since = monotonic()
            journal.note(TimeInDoubt(*doubt))
        elif self._in_doubt_since is not None:
            journal.note(TimeTrusted(round(monotonic() - self._in_doubt_since)))
            self._in_doubt_since = None
