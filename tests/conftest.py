"""How Hypothesis runs: the same examples every time, or with HYPOTHESIS_PROFILE=wide many fresh ones."""

import os

from hypothesis import HealthCheck, settings

settings.register_profile("punto", deadline=None, derandomize=True, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("wide", parent=settings.get_profile("punto"), derandomize=False, max_examples=5_000)
settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "punto"))
