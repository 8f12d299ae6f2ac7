"""What every command has."""

from typing import ClassVar

from msgspec import Struct

from punto.rules import Duty
from punto.table.actor import Actor


class Command(
    Struct, frozen=True, kw_only=True, tag_field="do", tag=True, omit_defaults=True, forbid_unknown_fields=True
):
    """Something asked of a table, by somebody, at a time.

    *duty* is what the position must carry. A command with a *patron* may also be given by that patron; then *duty* is
    what staff need to give it on the patron's behalf.
    """

    duty: ClassVar[Duty | None] = None

    id: str
    table: str
    by: Actor
    at_ms: int


class PatronCommand(Command, frozen=True, kw_only=True):
    """What a patron asks, or staff for the patron."""

    duty: ClassVar[Duty | None] = Duty.SPEAK_FOR_PATRON

    patron: str
