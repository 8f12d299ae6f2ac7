"""File descriptors: as many as the system allows, the last few kept for the floor itself, and some for its own people.

At the limit the system resets newcomers without a word. The floor turns them away before that, and says so.
"""

import time
from contextlib import suppress
from typing import Final

import structlog

try:
    import resource
except ImportError:  # Windows has no such limit
    resource = None  # type: ignore[assignment]

# For the store, its log, workers, and answers to whoever is turned away.
KEPT: Final = 64
# Before those, the last part is for requests, which are over soon, and for the pages of staff and terminals.
_RESERVED: Final = 8
_LEAST_RESERVED: Final = 32
# More than any floor needs; some systems have no limit at all.
_MOST: Final = 1_048_576
_SAY_EVERY_S: Final = 60.0
_BODY: Final = b'{"code":"full","message":"the floor has no room for another connection: try again later"}'
FULL: Final = (
    b"HTTP/1.1 503 Service Unavailable\r\ncontent-type: application/json\r\nretry-after: 60\r\nconnection: close\r\n"
    b"content-length: %d\r\n\r\n%b" % (len(_BODY), _BODY)
)


def raise_limit() -> int:
    """Raise the limit of open files to the most that this process may have; what it is from now on, 0 for unknown."""
    if resource is None:
        return 0
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    most = _MOST if hard == resource.RLIM_INFINITY else min(hard, _MOST)
    if soft == resource.RLIM_INFINITY or soft >= most:
        return 0 if soft == resource.RLIM_INFINITY else soft
    with suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft


class Room:
    """Whether there is room for another connection."""

    def __init__(self) -> None:
        self._most = 0
        self._said_s = 0.0
        self._since_said = 0
        # How many were turned away so far.
        self.turned_away = 0

    def begin(self, most: int) -> None:
        """There may be so many descriptors from now on; 0 for no limit."""
        self._most = most

    @property
    def quarter(self) -> int:
        """As many as one visitor may have; 0 for no limit."""
        return self._most // 4

    def is_reserved(self, descriptor: int) -> bool:
        """Whether no guest's page may keep this descriptor: others of the floor's own could not get in."""
        reserved = max(_LEAST_RESERVED, self._most // _RESERVED)
        return bool(self._most) and descriptor >= self._most - KEPT - reserved

    @property
    def last(self) -> int:
        """The descriptor from which on newcomers are not even listened to."""
        return self._most - KEPT // 2

    def is_full(self, descriptor: int) -> bool:
        """Whether a newcomer with this descriptor must go. A system gives the lowest that is free."""
        if not self._most or descriptor < self._most - KEPT:
            return False
        self.note_turned_away()
        return True

    def note_turned_away(self) -> None:
        """Somebody finds no room: the log says so in one line a minute."""
        self.turned_away += 1
        self._since_said += 1
        now_s = time.monotonic()
        if not self._said_s or now_s - self._said_s >= _SAY_EVERY_S:
            structlog.get_logger("punto.connections").warning(
                "the limit of open files is reached: newcomers are turned away",
                limit=self._most,
                turned_away=self._since_said,
            )
            self._said_s, self._since_said = now_s, 0


# There is one limit for all of a process.
ROOM: Final = Room()
