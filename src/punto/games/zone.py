"""Where the rulebooks are in force: their times are Singapore's."""

from datetime import timedelta, timezone
from typing import Final

SINGAPORE: Final = timezone(timedelta(hours=8), "SGT")
