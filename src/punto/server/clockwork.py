"""What runs a table by itself: the clock of an electronic one, and the automatic dealer where no dealer has the table.

Everything here is measured on the monotonic clock; the time of day is only written down.
"""

import asyncio
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Final, Literal, Protocol

from msgspec import Struct

from punto.errors import StoreGone, StoreLocked
from punto.floor.croupier import AUTOMATIC, CLOCK, Pause, Step, next_step
from punto.server.ids import fresh_id
from punto.server.wire.tells import Clock
from punto.table import Phase
from punto.table import commands as do
from punto.table.contributions import COMMIT_MS, REVEAL_MS

if TYPE_CHECKING:
    from punto.server.hosted import Hosted
    from punto.server.writer import Outcome

_RETRY_S: Final = 0.25
_RETRY_STORE_S: Final = 1.0
# A moment's grace, so that a time that is up is up on every clock.
_GRACE_S: Final = 0.03
_SHOWN: Final[dict[Pause, Literal["bets", "answers", "cut", "reveal", "next"]]] = {
    Pause.BETS: "bets",
    Pause.ANSWERS: "answers",
    Pause.CUT: "cut",
    Pause.CONTRIBUTE: "cut",
    Pause.REVEAL: "reveal",
    Pause.RESULT: "next",
    Pause.SHOE: "next",
}
# What a dealer is given time for as well, though nothing happens by itself when it is up.
_FOR_DEALERS: Final = (Pause.BETS, Pause.ANSWERS, Pause.REVEAL)


# A fresh shoe has this time from the moment it is there, also once somebody has cut it or contributed to it.
_FRESH: Final = {Pause.CUT, Pause.CONTRIBUTE}
# The table's time may run a little slower than the machine's, while it makes up for a difference.
_MARGIN_MS: Final = 200


class Pace(Struct, frozen=True, forbid_unknown_fields=True):
    """How long an automatic dealer takes."""

    card_ms: int = 900
    speech_ms: int = 700
    result_ms: int = 6_000
    shoe_ms: int = 2_000
    cut_ms: int = 5_000
    # How much longer patrons have to reveal their contributions than the table's rules require.
    reveal_ms: int = 2_000


class Timer(Protocol):
    """An act that waits for its time."""

    def cancel(self) -> None:
        """Forget the act."""


# Has an act of a table done when the event loop's clock comes to a time.
Schedule = Callable[[str, float, Callable[[], None]], Timer]


def on_time(_table: str, at_s: float, act: Callable[[], None]) -> Timer:
    """The schedule of every table that is played at: the event loop keeps it."""
    return asyncio.get_running_loop().call_at(at_s, act)


class Clockwork:
    """The act that is due next at a table, and when."""

    def __init__(self, hosted: "Hosted", pace: Pace, schedule: Schedule = on_time) -> None:
        self._hosted = hosted
        self._pace = pace
        self._schedule = schedule
        self._step: Step | None = None
        # What the step is due for: as long as it is the same, its time runs on.
        self._due: tuple[object, ...] = ()
        self._deadline = 0.0
        self._span_s = 0.0
        # The shoe for which the time began: a contribution to it does not begin the time for cutting anew.
        self._shoe = 0
        self._timer: Timer | None = None
        # The result that lies on the table, and until when it is shown, whoever comes and goes meanwhile.
        self._result: tuple[int, int, Phase] = (0, 0, Phase.CLOSED)
        self._result_until = 0.0
        self._acting = False
        self._stopping = False
        self._halted = False

    @property
    def running(self) -> tuple[object, ...]:
        """What tells one countdown from another."""
        return (*self._due, self._deadline) if self._step else ()

    def shown(self) -> Clock | None:
        """The countdown that pages show."""
        what = _SHOWN.get(self._step.pause) if self._step else None
        if what is None or self._step is None:
            return None
        now = asyncio.get_running_loop().time()
        remaining = max(0.0, self._deadline - now)
        turning = what == "answers" and self._hosted.table.awaited is None
        return Clock(
            what="cards" if turning else what,
            remaining_ms=round(1000 * remaining),
            total_ms=round(1000 * self._span_s),
            at_ms=round(1000 * now),
            side=self._step.fields.get("side"),
        )

    def plan(self) -> None:
        """Set the clock for the act that is due next; one that is due already keeps its time."""
        if self._acting or self._halted:
            return
        hosted = self._hosted
        table = hosted.table
        step = next_step(table)
        alone = hosted.deals_itself
        now = asyncio.get_running_loop().time()
        if step is not None and step.pause is Pause.RESULT:
            self._show_result(now)
        if step is None or not (alone or step.pause in _FOR_DEALERS) or self._rests(step):
            self._cancel()
            return
        due = (step.do, *step.fields.values(), table.round, table.shoe.number, table.phase, len(table.cards))
        due = (*due, table.announced, table.awaited, alone)
        if due == self._due and self._step is not None:
            return
        goes_on = (
            self._step is not None and {self._step.pause, step.pause} <= _FRESH and self._shoe == table.shoe.number
        )
        began = self._deadline - self._span_s if goes_on else now
        span_s = self._length_s(step, now)
        deadline = began + span_s
        self._cancel()
        self._step, self._due, self._span_s, self._shoe = step, due, span_s, table.shoe.number
        self._deadline = deadline
        if alone:
            grace = _GRACE_S if step.pause is Pause.ANSWERS else 0.0
            self._timer = self._schedule(hosted.key, self._deadline + grace, partial(self._act, step))

    def show_again(self) -> None:
        """Somebody has come back whom the last result concerns: unless it is being shown, it is shown anew."""
        if self._step is None:
            self._result_until = asyncio.get_running_loop().time() + self._pace.result_ms / 1000

    def hurry(self) -> None:
        """The floor is stopping: finish the round at once, and begin no other."""
        self._stopping = True
        if not self._acting:
            self._cancel()
            self.plan()

    def halt(self) -> None:
        """Nothing is due here any more."""
        self._halted = True
        self._cancel()

    def _rests(self, step: Step) -> bool:
        """Whether no round should begin: nobody is there, or the floor is stopping."""
        rests = step.do is do.OpenBets and (self._stopping or not self._hosted.attended)
        return rests or (self._stopping and step.do in (do.LoadShoe, do.CloseContributions, do.EndShoe))

    def _show_result(self, now: float) -> None:
        """A result has its time from the moment it is there; before the first round of a shoe there is none to show."""
        table = self._hosted.table
        result = (table.shoe.number, table.round, table.phase)
        if result != self._result:
            shown_ms = 0 if table.phase is Phase.IDLE else self._pace.result_ms
            self._result, self._result_until = result, now + shown_ms / 1000

    def _length_s(self, step: Step, now: float) -> float:
        if self._stopping and step.pause is not Pause.ANSWERS:
            return 0.0
        pace, timings = self._pace, self._hosted.table.open.timings
        if step.pause is Pause.RESULT:  # who sits down when it is old need not wait
            return max(pace.speech_ms / 1000, self._result_until - now)
        spans = {
            Pause.CUT: pace.cut_ms,
            Pause.CONTRIBUTE: max(pace.cut_ms, COMMIT_MS + _MARGIN_MS),
            Pause.REVEAL: REVEAL_MS + pace.reveal_ms,
            Pause.SHOE: pace.shoe_ms,
            Pause.CARD: pace.card_ms,
            Pause.SPEECH: pace.speech_ms,
            Pause.BETS: timings.bets_ms,
            Pause.ANSWERS: timings.answer_ms,
        }
        return spans[step.pause] / 1000

    def _cancel(self) -> None:
        self._step, self._due = None, ()
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _act(self, step: Step) -> None:
        """The time is up: do what is due."""
        hosted = self._hosted
        self._cancel()
        self._acting = True
        by = CLOCK if hosted.terminals else AUTOMATIC
        command = step.do(id=fresh_id(), table=hosted.key, by=by, at_ms=hosted.hall.now_ms(), **step.fields)
        hosted.hall.writer.put(command, self._acted)  # type: ignore[arg-type]

    def _acted(self, outcome: "Outcome") -> None:
        """It is done, and the next act is due; should the table have said no, look again a little later."""
        self._acting = False
        if self._halted:
            return
        hosted = self._hosted
        if isinstance(outcome, Exception):
            gone = isinstance(outcome, StoreGone | StoreLocked)
            if hosted.stall(stalled=gone) or not gone:  # while the store is gone, that is said once
                hosted.hall.log.warning("the clock was refused", table=hosted.key, said=str(outcome))
            asyncio.get_running_loop().call_later(_RETRY_STORE_S if gone else _RETRY_S, self.plan)
        else:
            hosted.stall(stalled=False)
            self.plan()
            hosted.tell()
