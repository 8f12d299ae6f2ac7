"""When the floor audits itself: at a set time of day, and every so often from the first entry."""

from datetime import date, timedelta
from typing import Final, NamedTuple

from punto.ledger.periods import DAY_BEGINS, begins_ms, moment_of

_MINUTE_MS: Final = 60_000
_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS
# An audit of the whole begins at the set time, which a late one before must not put off by a day.
_LATE_MS: Final = _DAY_MS // 2


class AuditPlan(NamedTuple):
    """A time of day as `HH:MM`, empty for never, and the days after which the whole is read again."""

    at: str = ""
    whole_every_days: int = 7

    def due_ms(self, since_ms: int) -> int:
        """The first such time after a moment.

        >>> from punto.ledger.periods import moment_of
        >>> f"{moment_of(AuditPlan('05:00').due_ms(1_767_196_800_000)):%d %B, %H:%M}"  # since midnight
        '01 January, 05:00'
        """
        day = moment_of(since_ms).date()
        due_ms = self._on(day)
        return due_ms if due_ms > since_ms else self._on(day + timedelta(days=1))

    def is_whole_due(self, now_ms: int, last_ms: int) -> bool:
        """Whether the whole is to be read again, if that was last done then."""
        return now_ms - last_ms >= self.whole_every_days * _DAY_MS - _LATE_MS

    def _on(self, day: date) -> int:
        hour, _, minute = self.at.partition(":")
        return begins_ms(day) + (int(hour) - DAY_BEGINS) * _HOUR_MS + int(minute) * _MINUTE_MS
