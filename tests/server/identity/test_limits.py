import pytest

from punto.errors import TooFast
from punto.server.identity.limits import Failures, Limiter, Limits, Rate


def test_a_bucket_fills_again_with_time() -> None:
    limiter = Limiter(Rate(2, 60))
    limiter.take("ann", 0)
    limiter.take("ann", 0)
    with pytest.raises(TooFast, match="wait 2 seconds"):
        limiter.take("ann", 0)
    limiter.take("bob", 0)
    limiter.take("ann", 1000)
    with pytest.raises(TooFast):
        limiter.take("ann", 1500)


def test_a_clock_that_goes_back_fills_nothing() -> None:
    limiter = Limiter(Rate(1, 60))
    limiter.take("ann", 10_000)
    with pytest.raises(TooFast):
        limiter.take("ann", 0)


def test_only_so_many_are_remembered() -> None:
    limiter = Limiter(Rate(1, 1), size=2)
    failures = Failures(Limits(), size=2)
    for name in ("ann", "bob", "cho"):
        limiter.take(name, 0)
        failures.add(name, 0)
    limiter.take("ann", 0)  # forgotten, and so let in
    with pytest.raises(TooFast):
        limiter.take("cho", 0)


def test_failures_long_ago_do_not_count() -> None:
    failures = Failures(Limits(failures=2, lock_ms=1000))
    assert not failures.add("ann", 0)
    assert not failures.add("ann", 2000)
    assert failures.add("ann", 2500)
    assert failures.locked_until("ann") == 3500
    failures.clear("ann")
    assert failures.locked_until("ann") == 0
