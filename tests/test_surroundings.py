"""Time and chance come from the machine, unless a simulation gives others; those stay where they were given."""

import time

from punto.surroundings import MACHINE, Surroundings, context_with, now_ms, rest, token_bytes, token_hex, token_urlsafe


def test_they_are_the_machines_own_unless_others_are_given() -> None:
    assert abs(now_ms() - time.time_ns() // 1_000_000) < 1_000
    assert len({token_bytes(16) for _ in range(100)}) == 100
    assert (len(token_hex(5)), len(token_urlsafe(32))) == (10, 43)
    assert Surroundings() == MACHINE


def test_a_simulation_has_its_own_and_nobody_else_has_them() -> None:
    slept: list[float] = []
    given = Surroundings(lambda: 5_000_000, lambda count: b"\x80" * count, slept.append)
    context = context_with(given)
    assert (context.run(now_ms), context.run(token_hex, 2)) == (5, "8080")
    context.run(rest, 1.0)
    assert [round(span_s, 2) for span_s in slept] == [0.5]
    assert now_ms() > 5
    assert token_hex(2) + token_hex(2) != "80808080"
