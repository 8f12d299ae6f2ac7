"""Tests that wait for things, on a loop of their own each."""

import asyncio
from collections.abc import Callable, Coroutine
from functools import wraps
from typing import Any


def waits(test: Callable[..., Coroutine[Any, Any, None]]) -> Callable[..., None]:
    """Run a test that waits for things."""

    @wraps(test)
    def run(*arguments: Any, **named: Any) -> None:  # noqa: ANN401
        asyncio.run(test(*arguments, **named))

    return run


async def until(is_so: Callable[[], object], within_s: float = 8.0) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(within_s):
        while not is_so():  # noqa: ASYNC110 (whatever it is, it tells nobody)
            await asyncio.sleep(0.01)
