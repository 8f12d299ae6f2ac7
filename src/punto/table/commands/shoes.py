"""Opening and closing the table, and changing its cards."""

from typing import ClassVar

from punto.rules import Duty
from punto.table.commands.command import Command, PatronCommand
from punto.table.setup import Setup


class OpenTable(Command, frozen=True, kw_only=True, tag="open-table"):
    """Open the table for a gaming day."""

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE

    setup: Setup


class CloseTable(Command, frozen=True, kw_only=True, tag="close-table"):
    """Close the table, between rounds."""

    duty: ClassVar[Duty | None] = Duty.RUN_TABLE


class LoadShoe(Command, frozen=True, kw_only=True, tag="load-shoe"):
    """Put a fresh shoe in place.

    For a virtual shoe the floor says what it commits to, and hands over the order sealed.
    """

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND

    commitment: str = ""
    sealed: str = ""


class CutShoe(PatronCommand, frozen=True, kw_only=True, tag="cut-shoe"):
    """Cut a virtual shoe: so many cards from its front go to its back."""

    cards: int


class EndShoe(Command, frozen=True, kw_only=True, tag="end-shoe"):
    """Take the shoe out; a virtual one is opened, order and salt."""

    duty: ClassVar[Duty | None] = Duty.RUN_ROUND

    order: str = ""
    salt: str = ""


OfTheShoe = OpenTable | CloseTable | LoadShoe | CutShoe | EndShoe
