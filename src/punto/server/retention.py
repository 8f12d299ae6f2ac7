"""Retention: how long law requires personal data to stay after somebody was last active, as the floor's file says."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from punto.floor.personal import KeptKind

DAY_MS: Final = 86_400_000
# A hundred years.
MOST_DAYS: Final = 36_500


class Retention(Struct, frozen=True, forbid_unknown_fields=True):
    """Days by kind, none where nothing requires it to stay; and *basis*, the law in the house's words."""

    days: dict[KeptKind, int] = {}
    basis: str = ""

    def until_ms(self, kind: KeptKind, active_ms: int) -> int:
        """Until when what is kept about somebody stays, who was last active at a time."""
        return active_ms + self.days.get(kind, 0) * DAY_MS if self.days.get(kind) else 0


def retained(days: Mapping[str, int], basis: str) -> Retention:
    """The retention of a floor's file, by the names of its keys.

    >>> retained({"full-name-days": 30, "note-days": 0}, "an act").until_ms(KeptKind.FULL_NAME, 5) == 5 + 30 * DAY_MS
    True
    """
    return Retention({KeptKind(key.removesuffix("-days")): value for key, value in days.items() if value}, basis)
