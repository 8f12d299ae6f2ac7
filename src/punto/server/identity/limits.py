"""How often somebody may try: buckets that fill again with time, and delays that grow; bounded, in memory."""

from collections import OrderedDict
from dataclasses import dataclass
from hashlib import blake2b
from typing import Final

from msgspec import Struct

from punto.errors import TooFast
from punto.surroundings import token_bytes

_MOST_KEPT: Final = 10_000
_BUCKETS: Final = 1 << 16


class Rate(Struct, frozen=True):
    """So many at once, and so many a minute after that."""

    most: int
    per_minute: float


class Slowing(Struct, frozen=True):
    """How wrong tries are slowed: from the last *free* one on by a delay that doubles each time, up to the longest."""

    free: int
    first_ms: int
    most_ms: int
    forgotten_ms: int = 3_600_000


class Limits(Struct, frozen=True, kw_only=True):
    """How much of everything is taken for a person."""

    sign_in_address: Rate = Rate(60, 30)
    sign_in_account: Rate = Rate(10, 10)
    sign_in_browser: Rate = Rate(10, 10)
    guest_address: Rate = Rate(60, 30)
    enrol_address: Rate = Rate(10, 6)
    # By name and origin; and by name, from all origins that the name's owner was never at.
    origin: Slowing = Slowing(5, 1_000, 15 * 60_000)
    name: Slowing = Slowing(20, 1_000, 60_000)
    # So long a password that another has set lets somebody in.
    first_password_ms: int = 72 * 3_600_000


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


class Delays:
    """Wrong tries, by whoever tries: after a few, each further one waits for longer, and a right one ends that."""

    def __init__(self, slowing: Slowing, size: int = _MOST_KEPT) -> None:
        self._slowing = slowing
        self._size = size
        self._rows: OrderedDict[str, _Row] = OrderedDict()

    def check(self, key: str, at_ms: int) -> None:
        """Refuse whoever has to wait."""
        row = self._rows.get(key)
        if row is not None and at_ms < row.until_ms:
            wait_s = (min(row.until_ms - at_ms, self._slowing.most_ms) + 999) // 1000
            raise TooFast(f"too many wrong tries: wait {wait_s} seconds")

    def add(self, key: str, at_ms: int) -> int:
        """One more wrong try; until when the next one has to wait, 0 where it need not."""
        row = self._rows.pop(key, None)
        if row is None or at_ms - row.last_ms > self._slowing.forgotten_ms:
            row = _Row()
        row.count, row.last_ms = row.count + 1, at_ms
        doubled = row.count - self._slowing.free
        if doubled >= 0:
            row.until_ms = at_ms + min(self._slowing.most_ms, self._slowing.first_ms << min(doubled, 30))
        self._rows[key] = row
        if len(self._rows) > self._size:
            self._rows.popitem(last=False)
        return row.until_ms if row.until_ms > at_ms else 0

    def clear(self, key: str) -> None:
        """Count from nothing again."""
        self._rows.pop(key, None)

    def clear_all(self, begin: str) -> None:
        """The same for every key that begins so."""
        for each in [each for each in self._rows if each.startswith(begin)]:
            del self._rows[each]


class Buckets:
    """The same for names that anybody makes up: so many buckets, and a name has one by a secret hash of it.

    Nothing is ever forgotten to make room. So the delay of a name never says whether it is somebody's, however many
    other names were tried since.
    """

    def __init__(self, slowing: Slowing, size: int = _BUCKETS) -> None:
        self._delays = Delays(slowing, size)
        self._size = size
        self._secret = token_bytes(16)

    def check(self, name: str, at_ms: int) -> None:
        """Refuse whoever has to wait."""
        self._delays.check(self._bucket(name), at_ms)

    def add(self, name: str, at_ms: int) -> int:
        """One more wrong try; until when the next one has to wait, 0 where it need not."""
        return self._delays.add(self._bucket(name), at_ms)

    def clear(self, name: str) -> None:
        """Count from nothing again."""
        self._delays.clear(self._bucket(name))

    def _bucket(self, name: str) -> str:
        hashed = blake2b(name.encode(errors="replace"), key=self._secret, digest_size=8).digest()
        return str(int.from_bytes(hashed) % self._size)
