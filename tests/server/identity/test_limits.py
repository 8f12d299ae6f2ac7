import pytest

from punto.errors import TooFast
from punto.server.identity.limits import Buckets, Delays, Limiter, Rate, Slowing


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
    delays = Delays(Slowing(1, 1000, 60_000), size=2)
    for name in ("ann", "bob", "cho"):
        limiter.take(name, 0)
        delays.add(name, 0)
    limiter.take("ann", 0)  # forgotten, and so let in
    delays.check("ann", 0)
    with pytest.raises(TooFast):
        limiter.take("cho", 0)
    with pytest.raises(TooFast):
        delays.check("cho", 0)


def test_a_name_waits_however_many_others_are_tried_since() -> None:
    buckets = Buckets(Slowing(1, 1000, 60_000), size=64)
    buckets.add("ann", 0)
    for number in range(1_000):
        buckets.add(f"made-up-{number}", 0)
    with pytest.raises(TooFast):
        buckets.check("ann", 500)
    buckets.clear("ann")
    buckets.check("ann", 500)


def test_from_the_last_free_try_on_each_wrong_one_doubles_the_delay_up_to_the_longest() -> None:
    delays, at_ms, waited = Delays(Slowing(3, 1000, 5000)), 0, []
    for _ in range(7):
        delays.add("ann", at_ms)
        began_ms = at_ms
        while True:
            try:
                delays.check("ann", at_ms)
            except TooFast:
                at_ms += 500
            else:
                break
        waited.append(at_ms - began_ms)
    assert waited == [0, 0, 1000, 2000, 4000, 5000, 5000]
    delays.check("bob", 0)
    delays.add("ann", at_ms)
    delays.clear("ann")
    delays.check("ann", at_ms)


def test_a_clock_that_is_set_back_makes_nobody_wait_for_longer_than_the_longest_delay() -> None:
    delays = Delays(Slowing(1, 1000, 5000))
    delays.add("ann", 10_000_000)
    with pytest.raises(TooFast, match="wait 5 seconds"):
        delays.check("ann", 0)


def test_wrong_tries_long_ago_do_not_count() -> None:
    delays = Delays(Slowing(2, 1000, 5000, forgotten_ms=10_000))
    delays.add("ann", 0)
    delays.add("ann", 20_000)
    delays.check("ann", 20_000)
