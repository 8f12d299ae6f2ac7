"""Gaming days and shifts: to which of them a moment belongs."""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from punto.games.zone import SINGAPORE

# A gaming day begins at six in the morning, and has three shifts of eight hours.
DAY_BEGINS: Final = 6
SHIFTS: Final = ("day", "swing", "night")
_SHIFT_HOURS: Final = 8
_SECOND: Final = 1000


class Period(NamedTuple):
    """A shift of a gaming day."""

    day: date
    shift: str


def period_of(at_ms: int) -> Period:
    """The gaming day and shift of a moment.

    >>> period_of(1_767_196_800_000 + 5 * 3_600_000)  # 1 January, 05:00: still the night before
    Period(day=datetime.date(2025, 12, 31), shift='night')
    """
    moment = datetime.fromtimestamp(at_ms / _SECOND, SINGAPORE) - timedelta(hours=DAY_BEGINS)
    return Period(moment.date(), SHIFTS[moment.hour // _SHIFT_HOURS])
