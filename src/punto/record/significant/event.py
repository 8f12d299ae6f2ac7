"""A significant event as it is shown and sent: when, by whom, of which kind, and in words."""

from enum import Enum, IntEnum
from typing import Final

from msgspec import Struct

from punto.rules import Position


class EventKind(Enum):
    """The kinds of significant events; each is the word by which people ask for them."""

    START = "start"
    STOP = "stop"
    PROGRAM = "program"
    CONFIGURATION = "configuration"
    SIGN_IN = "sign-in"
    LOCK_OUT = "lock-out"
    AUTHORITY = "authority"
    REFUSAL = "refusal"
    CLOCK = "clock"
    STORE = "store"
    AUDIT = "audit"
    EXPORT = "export"
    TICKET = "ticket"
    CLAIM = "claim"
    EXCLUSION = "exclusion"
    CASH_REPORT = "cash-report"
    PERSONAL_DATA = "personal-data"
    KEY = "key"
    DECISION = "decision"


class Severity(IntEnum):
    """How bad it is, by the numbers of syslog."""

    ALERT = 1
    ERROR = 3
    WARNING = 4
    NOTICE = 5
    INFO = 6


class SignificantEvent(Struct, frozen=True):
    """One event; *what* is its type, *stream* and *version* name the entry of the record that has it."""

    at_ms: int
    kind: EventKind
    what: str
    severity: Severity
    by: str
    position: Position
    said: str
    said_zh: str
    stream: str
    version: int


NOBODY: Final = "floor"
