"""A beacon's value is what its network has signed for that round, and nothing else."""

from hashlib import sha256

import pytest
from py_arkworks_bls12381 import G1Point, G2Point, Scalar
from tests.proof.beacon import TestBeacon

from punto.proof.beacons import is_key, is_signed
from punto.table.contributions import QUICKNET

# Round 1000 of drand's quicknet, as the League of Entropy published it on 23 August 2023.
ROUND = 1000
SIGNATURE = "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39"
RANDOMNESS = "fe290beca10872ef2fb164d2aa4442de4566183ec51c56ff3cd603d930e54fdd"


def test_a_published_round_of_quicknet_is_signed() -> None:
    assert is_key(QUICKNET.key)
    assert is_signed(QUICKNET.key, ROUND, SIGNATURE)
    assert sha256(bytes.fromhex(SIGNATURE)).hexdigest() == RANDOMNESS
    assert QUICKNET.comes_s(ROUND) == 1_692_806_364


@pytest.mark.parametrize(
    ("key", "round_", "signature"),
    [
        (QUICKNET.key, ROUND + 1, SIGNATURE),
        (QUICKNET.key, 0, SIGNATURE),
        (QUICKNET.key, -1, SIGNATURE),
        (QUICKNET.key, 2**70, SIGNATURE),
        (QUICKNET.key, ROUND, SIGNATURE[:-2] + "38"),
        (QUICKNET.key, ROUND, SIGNATURE.upper()),
        (QUICKNET.key, ROUND, SIGNATURE[:-2]),
        (QUICKNET.key, ROUND, "zz" * 48),
        (QUICKNET.key, ROUND, G1Point.identity().to_compressed_bytes().hex()),
        (G2Point.identity().to_compressed_bytes().hex(), ROUND, G1Point.identity().to_compressed_bytes().hex()),
        (TestBeacon().key, ROUND, SIGNATURE),
        ("", ROUND, SIGNATURE),
    ],
)
def test_nothing_else_is(key: str, round_: int, signature: str) -> None:
    assert not is_signed(key, round_, signature)


def test_a_beacon_of_ones_own_signs_as_drand_does() -> None:
    beacon = TestBeacon(Scalar(77))
    assert is_key(beacon.key)
    assert is_signed(beacon.key, 5, beacon.sign(5))
    assert not is_signed(beacon.key, 6, beacon.sign(5))
