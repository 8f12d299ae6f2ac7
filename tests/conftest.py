"""How Hypothesis runs, and a cold start.

The examples are the same every time; HYPOTHESIS_PROFILE=wide tries many fresh ones.
"""

import os

import pytest
from hypothesis import HealthCheck, settings

from punto.games import GAMES

settings.register_profile("punto", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("wide", parent=settings.get_profile("punto"), derandomize=False, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "punto"))


@pytest.fixture(scope="session", autouse=True)
def _cold_games() -> None:
    """Forget what earlier runs in this process worked out: the code is to be tried, not its caches."""
    for game in GAMES.values():
        for cached in ("_settler", "_outlooks"):
            vars(game).pop(cached, None)
