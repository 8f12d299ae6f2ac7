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
