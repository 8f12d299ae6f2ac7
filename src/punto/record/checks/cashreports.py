"""Reports of cash: the audit's own sums by patron, gaming day and direction, and the reports that were filed."""

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from typing import Final

from punto.record.checks import events as on
from punto.record.checks import matters, people
from punto.record.checks.exclusions import is_paid_out
from punto.record.checks.findings import Code, Counts, Findings
from punto.record.checks.moments import Moment
from punto.record.checks.register import ORDERS, Register
from punto.record.checks.warrants import IMPORT, Warrants, Where
from punto.rules import Position

_HOUR_MS: Final = 3_600_000
_DAY_MS: Final = 24 * _HOUR_MS
# A gaming day begins at six in the morning in Singapore, which is eight hours ahead of Greenwich.
_BEGINS_MS: Final = (6 - 8) * _HOUR_MS
_EPOCH: Final = date(1970, 1, 1).toordinal()
# A patron, a gaming day counted from 1970, and a direction.
_Key = tuple[str, int, str]


class CashReports:
    """Sums of cash, of which reports are due."""

    def __init__(self, register: Register, warrants: Warrants, findings: Findings, counts: Counts) -> None:
        self._register = register
        self._warrants = warrants
        self._findings = findings
        self._counts = counts
        self._sums: defaultdict[_Key, int] = defaultdict(int)
        self._crossed: set[_Key] = set()
        # When reports were filed, of what sum, and where that stands.
        self._filed: defaultdict[_Key, list[tuple[int, int, Where]]] = defaultdict(list)
        self._last_ms = 0

    def command(self, where: Where, logged: matters.Logged) -> None:
        """Count the cash of the command of a table that begins with this entry."""
        del where
        event, by = logged.event, logged.by
        at_ms = logged.given_ms or logged.at_ms
        self._last_ms = max(self._last_ms, at_ms)
        if not isinstance(event, on.CreditsBought | on.CreditsCashedOut) or is_paid_out(logged):
            return
        if by == IMPORT or by.position in (Position.PATRON, Position.SYSTEM):
            return
        key = event.patron, _day(at_ms), "in" if isinstance(event, on.CreditsBought) else "out"
        self._sums[key] += event.cents
        threshold = self._threshold(self._warrants.moment(at_ms))
        if 0 < threshold <= self._sums[key]:
            self._crossed.add(key)

    def filed(self, where: Where, noted: people.NotedOfHouse, event: people.CashReportFiled) -> None:
        """A report was filed."""
        try:
            day = date.fromisoformat(event.day).toordinal() - _EPOCH
        except ValueError:
            day = -1
        self._filed[event.patron, day, event.kind].append((noted.at_ms, event.cents, where))

    def close(self) -> None:
        """All was read: tell reports of what was not so, and count those that are missing."""
        for key, reports in self._filed.items():
            for _, cents, (stream, version, round_) in reports:
                if key not in self._crossed or cents > self._sums[key]:
                    said = f"a report says that {key[0]} moved {cents} cents, and it was {self._sums.get(key, 0)}"
                    self._findings.of_play(Code.BAD_REPORT, stream, version, round_, said)
        self._counts.cash_reports = len(self._crossed)
        self._counts.cash_reports_late = sum(1 for _ in self._late())

    def _late(self) -> Iterator[_Key]:
        """The sums that were not reported in full by the end of the day after."""
        for key in self._crossed:
            end_ms = (key[1] + 2) * _DAY_MS + _BEGINS_MS
            in_time = [cents for at_ms, cents, _ in self._filed.get(key, ()) if at_ms < end_ms]
            if self._last_ms >= end_ms and (not in_time or in_time[-1] < self._sums[key]):
                yield key

    def _threshold(self, moment: Moment) -> int:
        """The highest sum of all that the writer may have gone by; 0 where it may have known of none."""
        known = [orders.report_cents if orders else 0 for orders in self._register.orders.known_at(moment, ORDERS)]
        return max(known) if all(known) else 0


def _day(at_ms: int) -> int:
    return (at_ms - _BEGINS_MS) // _DAY_MS
