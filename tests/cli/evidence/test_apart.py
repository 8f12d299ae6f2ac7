"""What is tried in a process of its own, each part with something that must fail it."""

import random
from random import Random

import pytest

from punto.cli.evidence import apart


def test_a_generator_that_reads_the_kernel_keeps_nothing() -> None:
    def shoe() -> tuple[int, ...]:
        order = list(range(52))
        random.SystemRandom().shuffle(order)
        return tuple(order)

    read, stateless = apart.is_stateless(shoe)
    assert stateless
    assert read >= 51


def test_a_generator_with_a_state_reads_nothing_and_deals_on() -> None:
    chance = Random(1)
    assert apart.is_stateless(lambda: tuple(chance.sample(range(52), 52))) == (0, False)


def test_pythons_choice_is_even_and_a_remainder_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert all(apart.is_even(bound, 2 ** bound.bit_length()) for bound in (2, 3, 52, 416))
    monkeypatch.setattr(apart.Fed, "below", lambda fed, bound: fed.getrandbits(9) % bound)
    assert not apart.is_even(416, 512)


def test_pythons_bits_are_even_and_a_sum_of_bytes_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    assert apart.bits_are_even(5)
    assert apart.bits_are_even(9)

    def summed(_: random.SystemRandom, bits: int) -> int:
        given: bytes = vars(random)["_urandom"](-(-bits // 8))
        return sum(given) % (1 << bits)

    monkeypatch.setattr(random.SystemRandom, "getrandbits", summed)
    assert not apart.bits_are_even(9)


def test_all_orders_come_once_and_a_shuffle_that_moves_every_card_misses_some(monkeypatch: pytest.MonkeyPatch) -> None:
    assert set(apart.all_orders().values()) == {1}

    def moving(fed: apart.Fed, order: list[int]) -> None:
        for last in range(len(order) - 1, 0, -1):
            other = fed.getrandbits(1) % last
            order[last], order[other] = order[other], order[last]

    monkeypatch.setattr(apart.Fed, "shuffle", moving)
    assert 0 in apart.all_orders().values()


def test_the_kernels_own_bytes_come_back_after_a_trial() -> None:
    before = vars(random)["_urandom"]
    with pytest.raises(ZeroDivisionError):
        apart.is_stateless(lambda: (1 // 0,))
    assert vars(random)["_urandom"] is before
