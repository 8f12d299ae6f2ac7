"""Bets: placing, changing and taking back, the close, and the table differential."""

from typing import Final

from punto.errors import (
    AreaIsFull,
    BadStake,
    BetsAreClosed,
    DecisionPending,
    NoSuchPosition,
    NoSuchWager,
    NotAllowed,
    OutOfTurn,
    RoundOver,
    ShoeIsSpent,
    TerminalIsDown,
    TooHeavy,
    UnknownWager,
    quoted,
)
from punto.games.names import BANKER, PLAYER
from punto.rules import CustodyClauses, DifferentialClauses, Label, Late, Position, Side
from punto.rules.money import Cents, money
from punto.table import commands as do
from punto.table import events as on
from punto.table.contributing import check_complete
from punto.table.draft import Draft
from punto.table.setup import READINGS, Setup, check_payout
from punto.table.state import BETWEEN, DEALING, PLAYING, Phase, Placed, Table

# The wager on each hand: what the differential and the right to the cards go by.
ON_HAND: Final = {Side.PLAYER: PLAYER.en, Side.BANKER: BANKER.en}
HAND_OF: Final = {name: side for side, name in ON_HAND.items()}


def open_bets(draft: Draft, _: do.OpenBets) -> None:
    """Begin a round."""
    table = draft.table
    setup = table.open
    if table.phase not in BETWEEN:
        raise OutOfTurn(f"bets cannot open in phase {table.phase.value}")
    if table.shoe.spent:  # interpretations 17, 21
        raise ShoeIsSpent("the cards must be replaced before the next round")
    if table.shoe.proposed:  # B8, TNC5 5.13
        raise ShoeIsSpent("replacing the cards is proposed: replace them, or a Pit Manager decides against it")
    check_complete(table)
    if table.barred:
        seen = " ".join(each.told for each in table.barred)
        raise DecisionPending(f"a card has been seen ({seen}): refer it to the Gaming Shift Manager before bets open")
    announced = table.book.opens
    draft.add(
        on.BetsOpened(
            round=table.round + 1,
            shoe=table.shoe.number,
            announced=_said(announced.phrases, setup.phrase),
            clause=announced.clause,
            until_ms=draft.at_ms + setup.timings.bets_ms,
            rulebook=setup.rulebook,
            version=setup.version,
            digest=setup.digest,
            readings=READINGS,
        )
    )


def place(draft: Draft, command: do.PlaceWager | do.SetStake) -> None:
    """Accept a wager, or say why not; after the close, as the rulebook treats late ones."""
    table = draft.table
    setup = table.open
    wager, position, cents = command.wager, command.position, command.stake_cents
    if wager not in setup.wagers:
        raise UnknownWager(f"{quoted(wager)} is not offered here: expected {', '.join(setup.wagers)}")
    if not 1 <= position <= setup.positions:
        raise NoSuchPosition(f"position {position}: expected 1 to {setup.positions}")
    if table.phase is not Phase.BETS_OPEN:
        check_stake(setup, wager, cents)
        draft.add(on.LateWager(command.patron, wager, cents, _late(table)))
        return
    check_limits(setup, wager, cents)
    _check_up(table, position)
    _check_room(table, command)
    for_patron = command.by.position is not Position.PATRON
    moment = _same_moment(table, command)
    draft.add(on.WagerPlaced(table.serial + 1, command.patron, wager, cents, position, for_patron, moment))


def _same_moment(table: Table, command: do.PlaceWager | do.SetStake) -> int:
    """The wager that was placed at the same moment, if staff say that there was one (B8, TNC5 3.9.4.1)."""
    if not isinstance(command, do.PlaceWager) or not command.same_moment_as:
        return 0
    if command.by.position is Position.PATRON or table.book.conduct.custody is None:
        raise NotAllowed("only staff at a layout can say that two wagers were placed at the same moment")
    return find(table, command.same_moment_as).number


def _check_up(table: Table, position: int) -> None:
    """A terminal that is down places and withdraws nothing until it is back (EB4, E7U 5.10)."""
    if position in table.down:
        raise TerminalIsDown(f"terminal {position} is down: it places and withdraws nothing until it is back")


def _check_not_decided(table: Table, placed: Placed) -> None:
    """A wager whose result was decided stays as it is (interpretation 46)."""
    if placed.number in table.stated:
        raise BetsAreClosed(f"the result of wager {placed.number} is decided: it stays as it is")


def set_stake(draft: Draft, command: do.SetStake) -> None:
    """Place, change or take back the patron's wager of that name at that position, so that it comes to so much."""
    table = draft.table
    if command.round not in {0, table.round}:
        raise RoundOver(f"that was for round {command.round}, and this is round {table.round}")
    at = table.seats.get(command.position, ()) if table.phase in PLAYING else ()
    for placed in at:
        if placed.wager == command.wager and placed.patron == command.patron:
            if command.stake_cents:
                _change(draft, placed, command)
            else:
                _take_back(draft, placed)
            return
    if not command.stake_cents:
        raise NoSuchWager(f"nothing of {command.patron}'s lies on {quoted(command.wager)}")
    place(draft, command)


def change(draft: Draft, command: do.ChangeWager) -> None:
    """Make a wager larger or smaller."""
    _change(draft, own(draft.table, command.number, command.patron), command)


def _change(draft: Draft, placed: Placed, command: do.ChangeWager | do.SetStake) -> None:
    table, cents = draft.table, command.stake_cents
    _check_up(table, placed.position)
    _check_not_decided(table, placed)
    if cents == placed.cents:
        raise BadStake(f"wager {placed.number} is {money(cents)} already")
    if table.heavier is None and table.phase is not Phase.BETS_OPEN:
        check_stake(table.open, placed.wager, cents)
        _late_change(draft, placed, cents)
        return
    check_limits(table.open, placed.wager, cents)
    _check_balancing(table, placed, cents)
    for_patron = command.by.position is not Position.PATRON
    draft.add(on.WagerChanged(placed.number, placed.patron, placed.cents, cents, for_patron, placed.wager))
    weigh(draft)


def take_back(draft: Draft, command: do.TakeBackWager) -> None:
    """Take a wager off the table."""
    _take_back(draft, own(draft.table, command.number, command.patron))


def _take_back(draft: Draft, placed: Placed) -> None:
    table = draft.table
    _check_up(table, placed.position)
    _check_not_decided(table, placed)
    if table.heavier is None and table.phase is not Phase.BETS_OPEN:
        _late_change(draft, placed, Cents(0))
        return
    _check_balancing(table, placed, Cents(0))
    draft.add(on.WagerTakenBack(placed.number, placed.patron, placed.cents))
    keep_device(draft)
    weigh(draft)


def close_bets(draft: Draft, _: do.CloseBets) -> None:
    """No more bets; if one side is too heavy, nothing is dealt until that is put right (B8, TNC5 5.18)."""
    table = draft.table
    if table.phase is not Phase.BETS_OPEN:
        raise OutOfTurn(f"bets cannot close in phase {table.phase.value}")
    announced = table.book.closes
    draft.add(on.BetsClosed(_said(announced.phrases, table.open.phrase), announced.clause, table.down))
    keep_device(draft)
    weigh(draft)


def keep_device(draft: Draft) -> None:
    """Control of the device ends with the last wager, unless drawing without one is permitted (B8, TNC5 3.11.2)."""
    table = draft.table
    if table.device and table.phase is not Phase.BETS_OPEN and not may_hold_device(table, table.device):
        draft.add(on.DeviceGivenUp(table.device, custody_clauses(table).without_wager))


def remove(draft: Draft, command: do.RemoveWager) -> None:
    """Take a wager, or part of it, off the heavier side (B8, TNC5 5.18.3)."""
    table = draft.table
    placed = find(table, command.number)
    if table.heavier is None:
        raise OutOfTurn("no wager is removed: the table differential is not exceeded")
    if HAND_OF.get(placed.wager) is not table.heavier:
        raise TooHeavy(f"wager {placed.number} is not on the heavier side, {ON_HAND[table.heavier]}")
    cents = command.stake_cents
    if not 0 <= cents < placed.cents:
        raise BadStake(f"wager {placed.number} cannot be brought from {money(placed.cents)} to {money(cents)}")
    if cents:
        check_limits(table.open, placed.wager, cents)
    clause = _differential(table).remove
    draft.add(on.WagerRemoved(placed.number, placed.patron, placed.cents, cents, clause))
    keep_device(draft)
    weigh(draft)


def weigh(draft: Draft) -> None:
    """Compare the two sides once bets are closed, and say whether the differential is exceeded or met.

    B8, TNC5 1.1.9, 5.18. It is met also where cards came out meanwhile.
    """
    table = draft.table
    setup = table.open
    closed = table.phase is Phase.BETS_CLOSED or (table.heavier and table.phase in DEALING)
    if not closed or not setup.differential_cents:
        return
    player, banker = (on_hand(table, side) for side in (Side.PLAYER, Side.BANKER))
    excess = abs(player - banker) - setup.differential_cents
    heavier = Side.PLAYER if player > banker else Side.BANKER
    if excess > 0 and table.heavier is not heavier:
        clause = _differential(table).decrease
        draft.add(on.DifferentialExceeded(heavier, Cents(excess), clause))
    elif excess <= 0 and table.heavier:
        draft.add(on.DifferentialMet())


def on_hand(table: Table, side: Side) -> Cents:
    """All money on a hand."""
    name = ON_HAND[side]
    return Cents(sum(placed.cents for placed in table.wagers.values() if placed.wager == name))


def may_hold_device(table: Table, patron: str) -> bool:
    """Whether a patron has a wager in this round, or may draw without one (B8, TNC5 3.11.2)."""
    return patron in table.may_draw or any(placed.patron == patron for placed in table.wagers.values())


def find(table: Table, number: int) -> Placed:
    """The wager of that number, while it lies on the table."""
    placed = table.wagers.get(number) if table.phase in PLAYING else None
    if placed is None:
        raise NoSuchWager(f"no wager {number} lies on the table")
    return placed


def own(table: Table, number: int, patron: str) -> Placed:
    """The patron's own wager of that number."""
    placed = find(table, number)
    if placed.patron != patron:
        raise NoSuchWager(f"wager {number} is not {patron}'s")
    return placed


def check_stake(setup: Setup, wager: str, cents: Cents) -> None:
    """Refuse what is no stake at all: nothing, less, or parts of a unit."""
    if cents <= 0 or cents % setup.unit_cents:
        raise BadStake(f"{wager}: {money(cents)} is no stake: expected a multiple of {money(setup.unit_cents)}")
    check_payout(setup.rules, wager, cents)


def check_limits(setup: Setup, wager: str, cents: Cents) -> None:
    """Refuse a stake outside the limits that the table displays (B8, TNC5 3.5.1; EB4, E7U 2.2).

    Within them no payout can be too large: that was checked when the table opened.
    """
    limit = setup.limits[wager]
    if cents % setup.unit_cents or cents <= 0:
        check_stake(setup, wager, cents)
    if not limit.min_cents <= cents <= limit.max_cents:
        raise BadStake(
            f"{wager}: {money(cents)} is outside the limits of {money(limit.min_cents)} to {money(limit.max_cents)}"
        )


def _check_room(table: Table, command: do.PlaceWager | do.SetStake) -> None:
    """An area takes so many wagers (B8, TNC5 3.6); a terminal one of each kind, of one patron."""
    at = table.seats.get(command.position)
    if not at:
        return
    if table.book.conduct.terminals:
        for placed in at:
            if placed.patron != command.patron:
                raise AreaIsFull(f"terminal {command.position} is in use by another patron")
            if placed.wager == command.wager:
                raise AreaIsFull(f"{command.wager} is placed already: change wager {placed.number} instead")
    elif table.area_most and sum(placed.wager == command.wager for placed in at) >= table.area_most:
        raise AreaIsFull(f"{command.wager} at position {command.position} has its {table.area_most} wagers")


def _check_balancing(table: Table, placed: Placed, cents: Cents) -> None:
    """While one side is too heavy it may only be decreased, and the other increased (B8, TNC5 5.18.1, 5.18.2)."""
    if table.heavier is None:
        return
    side = HAND_OF.get(placed.wager)
    decrease = cents < placed.cents
    if side is None or decrease is not (side is table.heavier):
        raise TooHeavy(f"only {ON_HAND[table.heavier]} may be decreased now, and the other hand increased")
    if not decrease and (table.cards or any(each.seen for each in table.loose)):
        raise TooHeavy(f"a card was seen, and no wager is increased after that: decrease {ON_HAND[table.heavier]}")


def _late(table: Table) -> str:
    """The clause by which a late wager is not honoured; where terminals refuse it, the refusal."""
    if table.phase not in PLAYING:
        raise OutOfTurn("bets are not open")
    late = table.book.conduct.late
    if late.treatment is Late.REFUSED:
        raise BetsAreClosed(f"no wager may be placed or increased after the close ({late.placed})")
    return late.placed


def _late_change(draft: Draft, placed: Placed, cents: Cents) -> None:
    """A change after the close: a raise is not honoured, less is no less (interpretation 12)."""
    late = draft.table.book.conduct.late
    raised = cents > placed.cents
    if late.treatment is Late.REFUSED:
        if raised:
            raise BetsAreClosed(f"no wager may be placed or increased after the close ({late.placed})")
        raise BetsAreClosed(f"no wager may be withdrawn after the close ({late.withdrawn})")
    if raised:
        added = Cents(cents - placed.cents)
        draft.add(on.LateWager(placed.patron, placed.wager, added, late.placed, placed.number))
    else:
        draft.add(on.LateWithdrawal(placed.number, placed.patron, late.withdrawn))


def custody_clauses(table: Table) -> CustodyClauses:
    """Where this table's rulebook speaks of custody."""
    clauses = table.book.conduct.custody
    assert clauses, "the rulebook knows methods"
    return clauses


def _differential(table: Table) -> DifferentialClauses:
    clauses = table.book.conduct.differential
    assert clauses, "the rulebook knows a differential"
    return clauses


def _said(phrases: tuple[Label, ...], which: int) -> str:
    return phrases[which - 1].en
