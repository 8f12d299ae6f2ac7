"""What each event moves, from account to account: worked out anew from the events."""

from collections.abc import Callable
from typing import Any

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.written import Payment, Return

# So many cents from one account to another.
Flow = tuple[str, str, int]


def wallet(patron: str) -> str:
    """A patron's credits."""
    return f"wallet/{patron}"


def escrow(table: str) -> str:
    """The stakes on a table."""
    return f"escrow/{table}"


def house(table: str) -> str:
    """What the house has won at a table."""
    return f"house/{table}"


def cash(table: str) -> str:
    """What was paid in and out at a table."""
    return f"cash/{table}"


def corrections(table: str) -> str:
    """What was put right at a table."""
    return f"corrections/{table}"


def withheld(patron: str) -> str:
    """What lies aside for a patron whose wallet could not take it."""
    return f"withheld/{patron}"


def _between(one: str, other: str, cents: int) -> list[Flow]:
    """From one to the other, or when negative, back."""
    if not cents:
        return []
    return [(one, other, cents)] if cents > 0 else [(other, one, -cents)]


def _placed(table: str, event: on.WagerPlaced) -> list[Flow]:
    return _between(wallet(event.patron), escrow(table), event.stake_cents)


def _changed(table: str, event: on.WagerChanged | on.WagerRemoved | matters.StakeFound) -> list[Flow]:
    return _between(wallet(event.patron), escrow(table), event.to_cents - event.from_cents)


def _gone(table: str, event: on.WagerTakenBack | matters.WagerWithdrawn) -> list[Flow]:
    return _between(escrow(table), wallet(event.patron), event.cents)


def _paid(table: str, payment: Payment) -> list[Flow]:
    """The stake goes back or to the house, and the house pays what was won."""
    back = payment.paid_cents - payment.won_cents
    return [
        *_between(escrow(table), wallet(payment.patron), back),
        *_between(escrow(table), house(table), payment.stake_cents - back),
        *_between(house(table), wallet(payment.patron), payment.won_cents),
    ]


def _settled(table: str, event: on.RoundSettled) -> list[Flow]:
    return [flow for payment in event.payments for flow in _paid(table, payment)]


def _reversed(table: str, event: matters.SettlementReversed) -> list[Flow]:
    return [(to, from_, cents) for payment in event.payments for from_, to, cents in _paid(table, payment)]


def _returned(table: str, event: on.RoundVoided | matters.Ruled) -> list[Flow]:
    def back(each: Return) -> list[Flow]:
        return _between(escrow(table), wallet(each.patron), each.cents)

    return [flow for each in event.returns for flow in back(each)]


def _bought(table: str, event: on.CreditsBought) -> list[Flow]:
    return _between(cash(table), wallet(event.patron), event.cents)


def _cashed_out(table: str, event: on.CreditsCashedOut) -> list[Flow]:
    return _between(wallet(event.patron), cash(table), event.cents)


def _corrected(table: str, event: on.CreditsCorrected) -> list[Flow]:
    return _between(corrections(table), wallet(event.patron), event.cents)


def _released(_table: str, event: on.CreditsReleased) -> list[Flow]:
    return _between(withheld(event.patron), wallet(event.patron), event.cents)


_MOVES: dict[type, Callable[[str, Any], list[Flow]]] = {
    on.WagerPlaced: _placed,
    on.WagerChanged: _changed,
    on.WagerRemoved: _changed,
    matters.StakeFound: _changed,
    on.WagerTakenBack: _gone,
    matters.WagerWithdrawn: _gone,
    on.RoundSettled: _settled,
    matters.SettlementReversed: _reversed,
    on.RoundVoided: _returned,
    matters.Ruled: _returned,
    on.CreditsBought: _bought,
    on.CreditsCashedOut: _cashed_out,
    on.CreditsCorrected: _corrected,
    on.CreditsReleased: _released,
}


def flows(table: str, event: matters.AnyEvent) -> list[Flow]:
    """What an event moves; most move nothing."""
    moves = _MOVES.get(type(event))
    return moves(table, event) if moves else []
