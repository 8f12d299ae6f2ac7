"""Ids of commands: they begin with the time, so that a store writes them one after the other."""

import secrets
import time


def fresh_id() -> str:
    """An id that nobody else has."""
    return f"{time.time_ns() // 1000:014x}-{secrets.token_hex(5)}"
