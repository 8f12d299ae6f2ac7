"""Gaming days and shifts: to which of them a moment belongs."""

from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from punto.games.zone import SINGAPORE

# A gaming day begins at six in the morning, and has three shifts of eight hours.
DAY_BEGINS: Final = 6
SHIFTS: Final = ("day", "swing", "night")
_SHIFT_HOURS: Final = 8

_START: Final = datetime(1970, 1, 1, 8, tzinfo=SINGAPORE)
_MILLISECOND: Final = timedelta(milliseconds=1)
_NIGHT: Final = timedelta(hours=DAY_BEGINS)
# The first gaming day and the last moment that a calendar of four digits can tell.
_FIRST_MS: Final = (datetime.min.replace(tzinfo=SINGAPORE) + _NIGHT - _START) // _MILLISECOND
_LAST_MS: Final = (datetime.max.replace(tzinfo=SINGAPORE) - _START) // _MILLISECOND


class Period(NamedTuple):
    """A shift of a gaming day."""

    day: date
    shift: str


def moment_of(at_ms: int) -> datetime:
    """A moment in Singapore; one that no calendar can tell is the first or the last that it can.

    >>> f"{moment_of(253_402_300_799_999):%Y-%m-%d %H:%M:%S}"  # in Singapore, the year 10000
    '9999-12-31 23:59:59'
    """
    return _START + min(max(at_ms, _FIRST_MS), _LAST_MS) * _MILLISECOND


def begins_ms(day: date) -> int:
    """The moment at which a gaming day begins.

    >>> period_of(begins_ms(date(2026, 11, 17))).day, period_of(begins_ms(date(2026, 11, 17)) - 1).day
    (datetime.date(2026, 11, 17), datetime.date(2026, 11, 16))
    """
    return (datetime(day.year, day.month, day.day, DAY_BEGINS, tzinfo=SINGAPORE) - _START) // _MILLISECOND


def period_of(at_ms: int) -> Period:
    """The gaming day and shift of a moment.

    >>> period_of(1_767_196_800_000 + 5 * 3_600_000)  # 1 January, 05:00: still the night before
    Period(day=datetime.date(2025, 12, 31), shift='night')
    """
    moment = moment_of(at_ms) - _NIGHT
    return Period(moment.date(), SHIFTS[moment.hour // _SHIFT_HOURS])
