"""The house's own orders: how much cash one person moves alone, when two people are independent, and how claims go."""

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from punto.rules import HIGHER_RANKS, Position
from punto.rules.money import Cents

HOUR_MS: Final = 3_600_000
INDEPENDENCE_HOURS: Final = 72
SHIFT_HOURS: Final = 12
CLAIMS_WITHIN_HOURS: Final = 72
CLAIMS_ANSWERED_WITHIN_HOURS: Final = 24


class CashLimit(Struct, frozen=True, forbid_unknown_fields=True):
    """What one person may take in and pay out alone: in one act, and within a shift."""

    act_cents: Cents
    shift_cents: Cents


_OF_MANAGERS: Final = CashLimit(Cents(10_000_000), Cents(50_000_000))
# Where the floor's file says nothing.
USUAL_LIMITS: Final[Mapping[Position, CashLimit]] = {
    Position.DEALER: CashLimit(Cents(1_000_000), Cents(5_000_000)),
    Position.PIT_SUPERVISOR: CashLimit(Cents(2_500_000), Cents(10_000_000)),
    Position.PIT_MANAGER: CashLimit(Cents(5_000_000), Cents(25_000_000)),
    Position.ASSISTANT_CASINO_MANAGER: _OF_MANAGERS,
    Position.GAMING_SHIFT_MANAGER: _OF_MANAGERS,
    **dict.fromkeys(HIGHER_RANKS, _OF_MANAGERS),
}


class Orders(Struct, frozen=True, forbid_unknown_fields=True):
    """The orders as they are in force.

    Two people are independent once neither has opened or changed the other's account for *independence_ms*, and nobody
    has opened both. A shift is the last *shift_ms*, whoever signs in or out meanwhile. Where *credits_take_two*, as
    every floor orders by now, it takes two people to have another device become a terminal with credits. With
    *own_device* nobody stands with another for an act whose account is still in the hands of whoever opened it. Where
    *young_alike*, as every floor orders by now, two accounts of one maker are not independent on a young floor either,
    and with *way_back_waits* whoever has come in by a code from the machine stands with nobody for as long. With
    *second_factor* nobody acts who has neither a passkey nor one-time codes, and whoever has shown who they are need
    not show it again for *prove_again_ms* (0: an older Punto did not say).
    """

    independence_ms: int
    shift_ms: int
    cash: dict[Position, CashLimit]
    credits_take_two: bool = False

    own_device: bool = False
    young_alike: bool = False
    way_back_waits: bool = False
    second_factor: bool = False
    prove_again_ms: int = 0
    # What a patron may move in cash within a gaming day, in one direction, before a report is due; 0 for none.
    report_cents: int = 0


class ClaimTerms(Struct, frozen=True):
    """How old a round may be when a patron raises a claim about it, and within how long staff answer."""

    within_ms: int = CLAIMS_WITHIN_HOURS * HOUR_MS
    answered_ms: int = CLAIMS_ANSWERED_WITHIN_HOURS * HOUR_MS


def ordered(
    independence_hours: int,
    shift_hours: int,
    limits: Mapping[Position, CashLimit],
    *,
    own_device: bool = True,
    report_cents: int = 0,
) -> Orders:
    """The orders of a floor's file; positions that it does not name have the usual limits.

    Where the house lets everybody be independent, nobody needs a device of their own.
    """
    own_device = own_device and independence_hours > 0
    return Orders(
        independence_hours * HOUR_MS,
        shift_hours * HOUR_MS,
        {**USUAL_LIMITS, **limits},
        credits_take_two=True,
        own_device=own_device,
        young_alike=True,
        way_back_waits=True,
        report_cents=report_cents,
    )
