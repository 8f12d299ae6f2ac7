"""A beacon of the tests' own: it has a key of one party, and signs as drand does."""

from hashlib import sha256

from py_arkworks_bls12381 import G1Point, G2Point, Scalar

_DOMAIN = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


class TestBeacon:
    """Signs whatever round it is asked for."""

    __test__ = False

    def __init__(self, secret: Scalar | None = None) -> None:
        self._secret = secret or Scalar(123_456_789)
        self.key = (G2Point() * self._secret).to_compressed_bytes().hex()

    def sign(self, round_: int) -> str:
        """The value of a round."""
        message = G1Point.hash_to_curve(sha256(round_.to_bytes(8, "big")).digest(), _DOMAIN)
        return (message * self._secret).to_compressed_bytes().hex()
