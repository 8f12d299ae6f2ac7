"""One-time codes: six digits that an app works out from a secret and the time, anew every half minute (RFC 6238)."""

import hmac
from typing import Final

from punto.errors import Malformed

STEP_MS: Final = 30_000
# A phone's clock may be ahead or behind by so many steps.
_DRIFT: Final = 1


def fresh_secret() -> str:
    """A secret that nobody else has."""
    from pyotp import random_base32  # noqa: PLC0415 (only who adds an app needs it)

    return random_base32()


def check_secret(secret: str, given: str) -> None:
    """Refuse a secret that is not the one that was *given* out."""
    if not given or not hmac.compare_digest(secret.encode(errors="replace"), given.encode()):
        raise Malformed("this is not the secret that this page was given last, or it is too old: ask for another")


def address_of(secret: str, name: str, floor: str) -> str:
    """The secret as an app reads it from a QR code."""
    from pyotp import TOTP  # noqa: PLC0415

    return TOTP(secret).provisioning_uri(name=name, issuer_name=floor)


def step_of(secret: str, code: str, at_ms: int, after: int) -> int:
    """The step after *after* to which a code belongs; 0 where there is none."""
    from pyotp import TOTP  # noqa: PLC0415

    maker, now, given = TOTP(secret), at_ms // STEP_MS, "".join(code.split())
    for step in range(now - _DRIFT, now + _DRIFT + 1):
        right = hmac.compare_digest(maker.generate_otp(step).encode(), given.encode())
        if right and step > after:
            return step
    return 0
