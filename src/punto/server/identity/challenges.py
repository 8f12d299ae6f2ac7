"""Challenges: what a passkey signs, so that nobody can show an old signature again."""

import base64
import hmac
from collections import OrderedDict
from typing import Final

from punto.errors import WrongProof
from punto.server.identity.register import Clock
from punto.surroundings import token_bytes

LIFE_MS: Final = 5 * 60_000
_NONCE: Final = 16
_TIME: Final = 8
_MAC: Final = 16
_MOST_USED: Final = 10_000


class Challenges:
    """Challenges that this process gives out, each good once, for one purpose, for five minutes.

    Nothing is kept of a challenge until somebody has answered it rightly: however many strangers ask for, nobody
    else's is forgotten.
    """

    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._key = token_bytes(32)
        self._used: OrderedDict[str, int] = OrderedDict()

    def make(self, purpose: str) -> str:
        """A fresh challenge, in base64 for addresses."""
        said = token_bytes(_NONCE) + self._clock().to_bytes(_TIME)
        return encoded(said + self._mac(said, purpose))

    def check(self, challenge: str, purpose: str) -> None:
        """Refuse a challenge that was made elsewhere, for something else, too long ago, or that was answered before."""
        raw = decoded(challenge)
        said, mac = raw[: _NONCE + _TIME], raw[_NONCE + _TIME :]
        made_ms = int.from_bytes(said[_NONCE:])
        fresh = 0 <= self._clock() - made_ms <= LIFE_MS
        if not hmac.compare_digest(mac, self._mac(said, purpose)) or not fresh or challenge in self._used:
            raise WrongProof("the passkey answered too late, or to something else: try again")

    def use_up(self, challenge: str) -> None:
        """The challenge has been answered rightly: nobody answers it again."""
        self._used[challenge] = self._clock()
        while len(self._used) > _MOST_USED:
            self._used.popitem(last=False)

    def _mac(self, said: bytes, purpose: str) -> bytes:
        return hmac.digest(self._key, said + purpose.encode(), "sha256")[:_MAC]


def encoded(raw: bytes) -> str:
    """Bytes in base64 for addresses, as browsers send them.

    >>> encoded(b"punto?")
    'cHVudG8_'
    """
    return base64.urlsafe_b64encode(raw).decode().rstrip("=")


def decoded(text: str) -> bytes:
    """The bytes again; none where the text is no base64."""
    try:
        return base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except ValueError:
        return b""
