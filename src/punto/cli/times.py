"""Moments of the record as a person reads them."""

import time

_SECOND_MS = 1000


def in_utc(at_ms: int) -> str:
    """A moment, to the second, with its zone.

    >>> in_utc(1_767_196_800_000)
    '2025-12-31 16:00:00 UTC'
    """
    try:
        return time.strftime("%Y-%m-%d %H:%M:%S UTC", time.gmtime(at_ms // _SECOND_MS))
    except (OverflowError, ValueError, OSError):  # no year that a calendar has
        return f"{at_ms} ms after 1970 began in UTC"
