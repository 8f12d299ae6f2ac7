"""What the floor says of its audits."""

from typing import Literal, Protocol

from msgspec import Struct

from punto.record import Finding

# An audit reads everything from the first entry, or goes on from where one before has come to.
AuditKind = Literal["whole", "new"]
# The last audit found something, or failed, or there was none for two days.
AuditAlarm = Literal["", "wrong", "failed", "overdue"]


class AuditState(Struct, frozen=True):
    """The last audit: whether it is over, how much it looked at, and what it found, the first thing first."""

    state: Literal["none", "running", "clean", "wrong", "failed"]
    started_ms: int = 0
    took_ms: int = 0
    by: str = ""
    public_key: str = ""
    streams: int = 0
    entries: int = 0
    rounds: int = 0
    wagers: int = 0
    cents: int = 0
    total: int = 0
    findings: tuple[Finding, ...] = ()
    # Why it failed, where it did.
    said: str = ""
    kind: AuditKind = "whole"
    # How many entries no audit before had read, and why it began with the first although one had.
    new: int = 0
    anew: str = ""
    # When the floor audits itself next; 0 for never.
    due_ms: int = 0
    # What of audits needs somebody.
    alarm: AuditAlarm = ""


class AuditListener(Protocol):
    """Who is told of audits, on the event loop; what it raises is logged, and no audit's matter."""

    def started(self, state: AuditState) -> None:
        """An audit begins."""

    def ended(self, state: AuditState) -> None:
        """An audit is over, however it went."""
