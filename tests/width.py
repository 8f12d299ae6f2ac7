"""How wide the tests search: narrow in `make test`, at full width and with fresh seeds in `make nightly`.

`PUNTO_NIGHTLY=1` asks for full width; `PUNTO_NIGHTLY=0` leaves tests of the night out even when they are named.
`PUNTO_SEED` repeats a night: the run prints the seed it used.
"""

import os
import secrets
from typing import Final, TypeVar

T = TypeVar("T")

NIGHTLY: Final = os.environ.get("PUNTO_NIGHTLY") == "1"
BY_DAY: Final = os.environ.get("PUNTO_NIGHTLY") == "0"
# The same in every worker, for the first process of a run puts it into the environment.
_SEED: Final = os.environ.setdefault("PUNTO_SEED", str(secrets.randbits(32)) if NIGHTLY else "1")
if not (_SEED.isascii() and _SEED.isdigit()):
    raise SystemExit(f"PUNTO_SEED={_SEED}: expected a whole number")
SEED: Final = int(_SEED)


def width(gate: T, nightly: T) -> T:
    """One of two widths, by the run we are in."""
    return nightly if NIGHTLY else gate
