"""Gaming days and shifts: to which of them a moment belongs."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import pairwise
from typing import Final, NamedTuple, TypeVar

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


# Anything that sorts as periods do.
Key = TypeVar("Key", bound=tuple[int, int])


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


def believed_periods(runs: Sequence[tuple[Key, int]]) -> list[Key]:
    """To which period each run of entries belongs; a run is a period as the clock had it, and how many entries it has.

    Periods never go back, so where they do, a clock had jumped. The runs that make up the most entries without going
    back are believed. Any other belongs to the period of the believed run before it, or after it at the beginning.

    >>> believed_periods([((1, 0), 80), ((2, 0), 5), ((1, 0), 60), ((2, 0), 90)])  # five entries a day ahead
    [(1, 0), (1, 0), (1, 0), (2, 0)]
    """
    periods = [period for period, _ in runs]
    if all(one <= other for one, other in pairwise(periods)):
        return periods
    # The most entries that end with each run, and the run before it then; of equals, the later.
    most: list[tuple[int, int]] = []
    for place, (period, entries) in enumerate(runs):
        best = max(((most[each][0], each) for each in range(place) if periods[each] <= period), default=(0, -1))
        most.append((best[0] + entries, best[1]))
    believed: set[int] = set()
    place = max(range(len(runs)), key=lambda each: (most[each][0], each))
    while place >= 0:
        believed.add(place)
        place = most[place][1]
    last = periods[min(believed)]
    found = []
    for place, period in enumerate(periods):
        last = period if place in believed else last
        found.append(last)
    return found
