"""What one visitor may take, by all pages together: how many pages, how many messages, how many unsent bytes.

A limit of each page is worth nothing to the others while anybody may open as many pages as there are descriptors.
"""

import asyncio
from typing import Final

from punto.errors import TooManyPages
from punto.server.config import PAGES_PER_ADDRESS
from punto.server.descriptors import ROOM
from punto.server.identity import ADDRESS
from punto.server.outlet import Outlet

# A person has a few pages open; several people may be behind one address.
_MOST_PAGES: Final = 20
# A room of guests behind one address may bet at the same moment.
_MOST_AT_ONCE: Final = 600
_MOST_A_SECOND: Final = 240
# A page whose visitor has no message left is not listened to for so long: what it sends then waits at its own end.
_REST_S: Final = 1.0
# Of several pages that rest, one after the other is heard again: all at once would hold up everybody.
_NEXT_S: Final = 0.004
_MOST_UNSENT: Final = 16_000_000
# Unsent bytes are counted when so much was written since the last time, so that a message costs next to nothing.
_COUNT_EVERY: Final = 1_000_000
# What was written a moment ago is counted only if the network has not taken it meanwhile.
_COUNT_AFTER_S: Final = 0.05


class Allowance:
    """What one visitor has left."""

    def __init__(self, visitor: str, most_pages: int) -> None:
        self.visitor = visitor
        self.most_pages = most_pages
        self.outlets: set[Outlet] = set()
        self.is_leaving = False
        self._messages = float(_MOST_AT_ONCE)
        self._since_s = asyncio.get_running_loop().time()
        self._rested_s = 0.0
        self._written = 0
        self._count_at = _COUNT_EVERY
        self._is_counting = False

    @property
    def is_guests(self) -> bool:
        """Whether it is that of the guests at one address."""
        return self.visitor.startswith(ADDRESS)

    def take(self) -> bool:
        """Take a message, if there is one left."""
        if self.refill() < 1:
            return False
        self._messages -= 1
        return True

    def refill(self) -> float:
        """How many messages would be taken now."""
        now_s = asyncio.get_running_loop().time()
        self._messages = min(_MOST_AT_ONCE, self._messages + (now_s - self._since_s) * _MOST_A_SECOND)
        self._since_s = now_s
        return self._messages

    def rest_s(self) -> float:
        """For how long another page is not listened to."""
        now_s = asyncio.get_running_loop().time()
        self._rested_s = max(now_s + _REST_S, self._rested_s + _NEXT_S)
        return self._rested_s - now_s

    def wrote(self, size: int) -> None:
        """So many bytes were given to the network on one of the pages."""
        self._written += size
        if self._written >= self._count_at and not self._is_counting:
            self._is_counting = True
            asyncio.get_running_loop().call_later(_COUNT_AFTER_S, self._count)

    def _count(self) -> None:
        """Count what the network has not taken; where that is too much, hang up on the pages that read least."""
        self._is_counting = False
        unsent = sorted((outlet.unsent, number, outlet) for number, outlet in enumerate(self.outlets))
        total = sum(size for size, *_ in unsent)
        while total > _MOST_UNSENT:
            size, _, outlet = unsent.pop()
            total -= size
            outlet.cut()
        self._written, self._count_at = 0, max(_COUNT_EVERY, _MOST_UNSENT - total)


class Allowances:
    """Those of all who have a page open, or had one a moment ago."""

    def __init__(self, pages_per_address: int = PAGES_PER_ADDRESS) -> None:
        self._pages_per_address = pages_per_address
        self._all: dict[str, Allowance] = {}

    def __len__(self) -> int:
        return len(self._all)

    def enter(self, visitor: str, outlet: Outlet) -> Allowance:
        """Let a visitor open another page, or refuse it."""
        allowance = self._all.get(visitor)
        if allowance is None:
            allowance = Allowance(visitor, self._most_pages(visitor))
        most = allowance.most_pages
        if len(allowance.outlets) >= most:
            where = "this address" if allowance.is_guests else "whoever asks"
            raise TooManyPages(f"{where} has {most} pages open, and may have no more: close one first")
        self._all[visitor] = allowance
        allowance.outlets.add(outlet)
        outlet.allowance = allowance
        return allowance

    def leave(self, allowance: Allowance, outlet: Outlet) -> None:
        """A page has gone."""
        allowance.outlets.discard(outlet)
        if not allowance.outlets and not allowance.is_leaving:
            allowance.is_leaving = True
            self._forget_later(allowance)

    def _most_pages(self, visitor: str) -> int:
        most = self._pages_per_address if visitor.startswith(ADDRESS) else _MOST_PAGES
        return min(most, ROOM.quarter) if ROOM.quarter else most

    def _forget_later(self, allowance: Allowance) -> None:
        """Not at once: whoever closes the last page and comes back would have all messages again."""
        delay_s = _MOST_AT_ONCE / _MOST_A_SECOND
        asyncio.get_running_loop().call_later(delay_s, self._forget, allowance)

    def _forget(self, allowance: Allowance) -> None:
        if allowance.outlets:
            allowance.is_leaving = False
        elif allowance.refill() >= _MOST_AT_ONCE:
            del self._all[allowance.visitor]
        else:
            self._forget_later(allowance)
