"""Public beacons: values that nobody knows before their round, each signed by many parties together.

The scheme is that of drand's unchained networks on G1 (BLS12-381, RFC 9380). A round's signature is its value.
"""

from hashlib import sha256
from typing import Final

from py_arkworks_bls12381 import GT, G1Point, G2Point

_DOMAIN: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"
_SIGNATURE_BYTES: Final = 48
_KEY_BYTES: Final = 96
_ROUND_BYTES: Final = 8
_MOST_ROUNDS: Final = 2**63


def is_key(key: str) -> bool:
    """Whether it can be a beacon's public key."""
    raw = _bytes(key, _KEY_BYTES)
    try:
        return raw is not None and G2Point.from_compressed_bytes(raw) != G2Point.identity()
    except ValueError:
        return False


def is_signed(key: str, round_: int, signature: str) -> bool:
    """Whether a signature is the value of a beacon's round."""
    raw_key, raw_signature = _bytes(key, _KEY_BYTES), _bytes(signature, _SIGNATURE_BYTES)
    if raw_key is None or raw_signature is None or not 0 < round_ < _MOST_ROUNDS:
        return False
    try:
        signed, public = G1Point.from_compressed_bytes(raw_signature), G2Point.from_compressed_bytes(raw_key)
    except ValueError:
        return False
    if public == G2Point.identity():
        return False
    message = sha256(round_.to_bytes(_ROUND_BYTES, "big")).digest()
    said = G1Point.hash_to_curve(message, _DOMAIN)
    return bool(GT.pairing_check([signed, -said], [G2Point(), public]))


def _bytes(text: str, count: int) -> bytes | None:
    """So many bytes in hexadecimal, in small letters; none where the text is otherwise."""
    if len(text) != 2 * count or text != text.lower():
        return None
    try:
        return bytes.fromhex(text)
    except ValueError:
        return None
