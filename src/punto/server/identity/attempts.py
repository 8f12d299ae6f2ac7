"""Failed sign-ins as the record has them: the first at once, and those that follow in a minute as one entry.

A stranger who tries a thousand passwords a minute adds an entry a minute to the record, and no more. Names that nobody
has count together under no name: what was typed may be a password in the wrong place.
"""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Final

from punto.record.journal import AnyJournalEvent, SignInsFailed, SignInSlowed
from punto.server.identity.people import Account

Note = Callable[[AnyJournalEvent], None]
WINDOW_MS: Final = 60_000
# So many addresses are told apart in a minute.
_MOST_ADDRESSES: Final = 1_000


def _nowhere(_: AnyJournalEvent) -> None:
    """Nobody keeps a journal."""


@dataclass
class _Window:
    """The failures for one name since a moment, those that are on record already left out."""

    since_ms: int
    until_ms: int
    reasons: Counter[str] = field(default_factory=Counter)
    addresses: set[str] = field(default_factory=set)


class Attempts:
    """Counts failed sign-ins by the name of the account, and notes them."""

    def __init__(self, note: Note = _nowhere) -> None:
        # Puts a significant event on record; a server has its journal do so.
        self.note = note
        self._windows: dict[str, _Window] = {}
        # Until when a name is slowed, as it is on record.
        self._slowed: dict[tuple[str, bool], int] = {}

    def failed(self, account: Account | None, address: str, reason: str, at_ms: int) -> None:
        """A sign-in has failed."""
        name = account.name if account else ""
        self.flush(at_ms)
        window = self._windows.get(name)
        if window is None:
            self._windows[name] = _Window(at_ms, at_ms + WINDOW_MS)
            self.note(SignInsFailed(name, 1, at_ms, {reason: 1}))
            return
        window.reasons[reason] += 1
        if len(window.addresses) < _MOST_ADDRESSES:
            window.addresses.add(address)

    def slowed(self, account: Account, until_ms: int, at_ms: int, *, known: bool) -> None:
        """Whoever tries this name has to wait now; that is noted once for as long as one wait follows the other."""
        key = account.name, known
        last_ms = self._slowed.get(key)
        if last_ms is None or at_ms - last_ms > WINDOW_MS:
            self.note(SignInSlowed(account.name, until_ms, known))
        self._slowed[key] = until_ms if last_ms is None else max(until_ms, last_ms)

    def flush(self, at_ms: int, *, end: bool = False) -> None:
        """Note what has been counted for a minute, or at the *end* all of it."""
        for name, window in [*self._windows.items()]:
            if not end and window.since_ms <= at_ms < window.until_ms:
                continue
            del self._windows[name]
            count = window.reasons.total()
            if count:
                reasons = dict(sorted(window.reasons.items()))
                self.note(SignInsFailed(name, count, window.since_ms, reasons, len(window.addresses)))
                self._windows[name] = _Window(at_ms, at_ms + WINDOW_MS)
