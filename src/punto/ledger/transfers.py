"""Transfers: every cent that an event moves, from one account to another.

An account is named by what it is and whose: `wallet/ann`, `escrow/T1`, `house/T1`, `cash/T1`. A transfer takes from
one and gives to another, so the sum over all accounts is always nothing. Cash is outside: it goes below zero by what
patrons have bought and not cashed out.
"""

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

from msgspec import Struct

from punto.rules import Result
from punto.rules.money import Cents
from punto.table import events as on

WALLET: Final = "wallet/"
ESCROW: Final = "escrow/"
HOUSE: Final = "house/"
WITHHELD: Final = "withheld/"


class Transfer(Struct, frozen=True, gc=False):
    """So many cents from one account to another."""

    giver: str
    taker: str
    cents: Cents


def transfers(table: str, event: on.AnyEvent) -> tuple[Transfer, ...]:
    """What an event at the table moves; most move nothing."""
    moves = _MOVES.get(type(event))
    return moves(table, event) if moves else ()


def given(table: str, events: Iterable[on.AnyEvent]) -> dict[str, int]:
    """What the events give to each wallet out of the stakes and what the house has won."""
    sums: dict[str, int] = {}
    for event in events:
        for move in transfers(table, event):
            if move.taker.startswith(WALLET) and move.giver.startswith((ESCROW, HOUSE)):
                sums[move.taker] = sums.get(move.taker, 0) + move.cents
    return sums


def wallet(patron: str) -> str:
    """A patron's account."""
    return WALLET + patron


def escrow(table: str) -> str:
    """Where the stakes of a round lie."""
    return ESCROW + table


def house(table: str) -> str:
    """What the house has won at a table."""
    return HOUSE + table


def cash(table: str) -> str:
    """What came in and went out at a table in cash."""
    return f"cash/{table}"


def corrections(table: str) -> str:
    """What was put right at a table."""
    return f"corrections/{table}"


def withheld(patron: str) -> str:
    """What lies aside for a patron until the wallet can take it."""
    return WITHHELD + patron


def owed(patron: str) -> str:
    """What a patron owes after a reversal that the wallet did not cover; zero or less."""
    return f"owed/{patron}"


def _stake(table: str, patron: str, cents: int) -> tuple[Transfer, ...]:
    """More on the table, or when negative, less."""
    if cents > 0:
        return (Transfer(wallet(patron), escrow(table), Cents(cents)),)
    if cents < 0:
        return (Transfer(escrow(table), wallet(patron), Cents(-cents)),)
    return ()


def _placed(table: str, event: on.WagerPlaced) -> tuple[Transfer, ...]:
    return (Transfer(wallet(event.patron), escrow(table), event.stake_cents),)


def _changed(table: str, event: on.WagerChanged | on.WagerRemoved | on.StakeFound) -> tuple[Transfer, ...]:
    return _stake(table, event.patron, event.to_cents - event.from_cents)


def _gone(table: str, event: on.WagerTakenBack | on.WagerWithdrawn) -> tuple[Transfer, ...]:
    return _stake(table, event.patron, -event.cents)


def _settled(table: str, event: on.RoundSettled) -> tuple[Transfer, ...]:
    return tuple(each for payment in event.payments for each in _payment(table, payment))


def _payment(table: str, payment: on.Payment) -> Iterator[Transfer]:
    lost = payment.counted_cents if payment.result is Result.LOSE else Cents(0)
    back = Cents(payment.stake_cents - lost)
    if lost:
        yield Transfer(escrow(table), house(table), lost)
    if back:
        yield Transfer(escrow(table), wallet(payment.patron), back)
    if payment.won_cents:
        yield Transfer(house(table), wallet(payment.patron), payment.won_cents)


def _reversed(table: str, event: on.SettlementReversed) -> tuple[Transfer, ...]:
    return tuple(
        Transfer(each.taker, each.giver, each.cents) for payment in event.payments for each in _payment(table, payment)
    )


def _returned(table: str, event: on.RoundVoided | on.Ruled) -> tuple[Transfer, ...]:
    return tuple(Transfer(escrow(table), wallet(each.patron), each.cents) for each in event.returns)


def _bought(table: str, event: on.CreditsBought) -> tuple[Transfer, ...]:
    return (Transfer(cash(table), wallet(event.patron), event.cents),)


def _cashed_out(table: str, event: on.CreditsCashedOut) -> tuple[Transfer, ...]:
    return (Transfer(wallet(event.patron), cash(table), event.cents),)


def _corrected(table: str, event: on.CreditsCorrected) -> tuple[Transfer, ...]:
    if event.cents > 0:
        return (Transfer(corrections(table), wallet(event.patron), event.cents),)
    return (Transfer(wallet(event.patron), corrections(table), Cents(-event.cents)),)


def _released(_table: str, event: on.CreditsReleased) -> tuple[Transfer, ...]:
    return (Transfer(withheld(event.patron), wallet(event.patron), event.cents),)


_MOVES: Final[dict[type, Callable[[str, Any], tuple[Transfer, ...]]]] = {
    on.WagerPlaced: _placed,
    on.WagerChanged: _changed,
    on.WagerRemoved: _changed,
    on.StakeFound: _changed,
    on.WagerTakenBack: _gone,
    on.WagerWithdrawn: _gone,
    on.RoundSettled: _settled,
    on.SettlementReversed: _reversed,
    on.RoundVoided: _returned,
    on.Ruled: _returned,
    on.CreditsBought: _bought,
    on.CreditsCashedOut: _cashed_out,
    on.CreditsCorrected: _corrected,
    on.CreditsReleased: _released,
}
