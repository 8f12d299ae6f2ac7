"""How often somebody may try: buckets that fill again with time, and wrong passwords in a row; bounded, in memory."""

from collections import OrderedDict
from dataclasses import dataclass
from typing import Final

from msgspec import Struct

from punto.errors import TooFast

_MOST_KEPT: Final = 10_000


class Rate(Struct, frozen=True):
    """So many at once, and so many a minute after that."""

    most: int
    per_minute: float


class Limits(Struct, frozen=True, kw_only=True):
    """How much of everything is taken for a person."""

    sign_in_address: Rate = Rate(60, 30)
    sign_in_account: Rate = Rate(10, 10)
    guest_address: Rate = Rate(60, 30)
    enrol_address: Rate = Rate(10, 6)
    failures: int = 5
    lock_ms: int = 15 * 60_000


class Limiter:
    """Buckets by key; the ones that were not asked for longest are forgotten."""

    def __init__(self, rate: Rate, size: int = _MOST_KEPT) -> None:
        self._rate = rate
        self._size = size
        self._left: OrderedDict[str, tuple[float, int]] = OrderedDict()

    def take(self, key: str, at_ms: int) -> None:
        """Take one; `TooFast` when there is none left."""
        left, since_ms = self._left.pop(key, (float(self._rate.most), at_ms))
        left = min(self._rate.most, left + max(0, at_ms - since_ms) / 60_000 * self._rate.per_minute)
        enough = left >= 1
        self._left[key] = (left - 1 if enough else left), at_ms
        if len(self._left) > self._size:
            self._left.popitem(last=False)
        if not enough:
            wait_s = round((1 - left) / self._rate.per_minute * 60) + 1
            raise TooFast(f"too many tries: wait {wait_s} seconds")


@dataclass(slots=True)
class _Row:
    count: int = 0
    last_ms: int = 0
    until_ms: int = 0


class Failures:
    """Wrong passwords in a row, by name; after so many the name is locked for a while."""

    def __init__(self, limits: Limits, size: int = _MOST_KEPT) -> None:
        self._limits = limits
        self._size = size
        self._rows: OrderedDict[str, _Row] = OrderedDict()

    def locked_until(self, key: str) -> int:
        """Until when a name is locked; 0 when it is not."""
        row = self._rows.get(key)
        return row.until_ms if row else 0

    def add(self, key: str, at_ms: int) -> bool:
        """One more; whether it was the last that is taken."""
        row = self._rows.pop(key, None)
        if row is None or at_ms - row.last_ms > self._limits.lock_ms:
            row = _Row()
        row.count, row.last_ms = row.count + 1, at_ms
        locks = row.count >= self._limits.failures
        if locks:
            row.count, row.until_ms = 0, at_ms + self._limits.lock_ms
        self._rows[key] = row
        if len(self._rows) > self._size:
            self._rows.popitem(last=False)
        return locks

    def clear(self, key: str) -> None:
        """The right password came, or a manager unlocked the name."""
        self._rows.pop(key, None)
