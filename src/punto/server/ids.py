"""Ids of commands: they begin with the time, so that a store writes them one after the other."""

from punto.surroundings import time_ns, token_hex


def fresh_id() -> str:
    """An id that nobody else has."""
    return f"{time_ns() // 1000:014x}-{token_hex(5)}"
