"""Credits bought, cashed out and put right."""

from typing import ClassVar

from punto.rules import Duty
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.commands.command import Command, PatronCommand


class BuyIn(PatronCommand, frozen=True, kw_only=True, tag="buy-in"):
    """Buy credits or chips with cash.

    *reference* is what a terminal calls it that redeems a ticket: the same ticket under another one is another matter.
    """

    cents: Cents
    position: int
    reference: str = ""
    confirmed_by: Actor | None = None


class CashOut(PatronCommand, frozen=True, kw_only=True, tag="cash-out"):
    """Turn credits or chips into cash."""

    cents: Cents
    position: int
    confirmed_by: Actor | None = None


class CorrectCredits(Command, frozen=True, kw_only=True, tag="correct-credits"):
    """Put a patron's credits right: proposed by one person, and approved by another."""

    duty: ClassVar[Duty | None] = Duty.CORRECT

    patron: str
    cents: Cents
    reason: str
    approved_by: Actor | None = None


class ReleaseCredits(Command, frozen=True, kw_only=True, tag="release-credits"):
    """Give a patron what lay aside while the record of the wallet was stopped; the floor does so by itself."""

    patron: str


OfMoney = BuyIn | CashOut | CorrectCredits | ReleaseCredits
