"""The samples come from the functions that the floor calls."""

import pytest

from punto.cli.evidence import samples
from punto.table.contributions import permutation_seed, permuted, shoe_commitment


@pytest.fixture(autouse=True)
def _no_chance(monkeypatch: pytest.MonkeyPatch) -> None:
    """The floor's shuffle turns a shoe over, and every secret is the same."""
    monkeypatch.setattr(samples, "by_chance", lambda cards: cards[::-1])
    monkeypatch.setattr(samples, "token_hex", lambda count: "ab" * count)


def by_protocol(order: range) -> tuple[int, ...]:
    """What the protocol makes of an order with these secrets."""
    commitment = shoe_commitment(["laboratory", "1"], "ab" * 16, " ".join(map(str, order)))
    secrets = [(f"patron {number}", "ab" * 32) for number in range(3)]
    return permuted(order, permutation_seed(commitment, secrets))


def test_each_sample_is_what_it_says() -> None:
    shoes = {sample.key: sample.shoe(52) for sample in samples.SAMPLES}
    assert shoes == {
        "floor": tuple(range(51, -1, -1)),
        "contributions": by_protocol(range(52)),
        "both": by_protocol(range(51, -1, -1)),
    }


def test_every_shoe_has_secrets_of_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = iter(range(100))
    monkeypatch.setattr(samples, "token_hex", lambda count: f"{next(drawn):0{2 * count}x}")
    assert samples.contributed(52) != samples.contributed(52)
    assert next(drawn) == 8  # a salt and three secrets each
