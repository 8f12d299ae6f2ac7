"""Bets: the round begins, wagers are placed, changed and taken back, bets close, the two sides are weighed."""

from punto.record.checks import events as on
from punto.record.checks.cards import Shoe
from punto.record.checks.contributing import check_complete
from punto.record.checks.findings import Code
from punto.record.checks.sitting import AFTER_CLOSE, BETWEEN, Bet, Phase, Sitting
from punto.record.checks.terms import MOST_CENTS, SECOND, most_won
from punto.rules import Announcement, Late, Position, Side

_BETS_OPEN = frozenset({Phase.BETS_OPEN})
_DEALING = frozenset({Phase.DEALING})
_SIDES = {"Player": Side.PLAYER, "Banker": Side.BANKER}


def bets_opened(sitting: Sitting, event: on.BetsOpened) -> None:
    """A round begins between two rounds, from a shoe that is not spent."""
    sitting.terms, sitting.ahead = sitting.ahead or sitting.terms, None
    terms = sitting.open
    sitting.expect(BETWEEN, "a round began")
    shoe = sitting.shoe
    if shoe is None:
        sitting.wrong(Code.BAD_SHOE, "a round began without a shoe")
        shoe = Shoe()
    elif shoe.spent:
        sitting.wrong(Code.BAD_SHOE, "a round began though the cards had to be replaced first (interpretations 17, 21)")
    elif shoe.proposed:
        sitting.wrong(Code.BAD_SHOE, "a round began though replacing the cards was proposed (interpretation 17)")
    if sitting.edition >= SECOND and len(shoe.came) >= terms.total and not shoe.surplus:
        sitting.wrong(Code.BAD_SHOE, "a round began though no card was left in the shoe")
    _check_unseen(sitting, shoe, "bets opened", event.round)
    check_complete(sitting, shoe)
    if not shoe.used and sitting.open.virtual and sitting.virtual_shoes:
        sitting.virtual_shoes[-1].first_bets_ms = sitting.at_ms
    shoe.used = True
    # A round that follows the cutting card by decision is the shoe's last.
    shoe.spent |= shoe.cutting_card
    if event.round != sitting.round + 1:
        sitting.wrong(Code.BAD_ROUND, f"round {event.round} came after round {sitting.round}")
    if event.shoe != shoe.number:
        sitting.wrong(Code.BAD_SHOE, f"the round is said to come from shoe {event.shoe}, not {shoe.number}")
    sitting.dealt_from = shoe
    sitting.dealt_by = sitting.method
    _check_announcement(sitting, event.announced, event.clause, terms.book.opens)
    if event.until_ms != sitting.at_ms + terms.setup.timings.bets_ms:
        sitting.wrong(Code.BAD_ROUND, "the time for bets is not what the table was opened with")
    under = (event.rulebook, event.version, event.digest)
    if under != (terms.book.code, terms.book.version, terms.digest):
        sitting.wrong(Code.BAD_ROUND, "the round names another rulebook or declaration than the table was opened under")
    sitting.round = event.round
    sitting.begin_round()
    sitting.phase = Phase.BETS_OPEN


def _check_unseen(sitting: Sitting, shoe: Shoe, what: str, round_: int) -> None:
    """No card that somebody has seen decides a wager that is made afterwards (interpretation 23)."""
    barred = shoe.barred(round_)
    if barred and sitting.edition >= SECOND:
        named = " ".join(each.told for each in barred)
        sitting.wrong(Code.SEEN_CARD, f"{what} while {named} was next, and had been seen (interpretation 23)")
        shoe.let_play(round_)


def _check_announcement(sitting: Sitting, said: str, clause: str, announcement: Announcement) -> None:
    chosen = announcement.phrases[sitting.open.setup.phrase - 1 :][:1]
    if said not in {phrase.en for phrase in chosen}:
        sitting.wrong(Code.BAD_ANNOUNCEMENT, f"{said!r} is not what {announcement.clause} has announced")
    sitting.expect_clause(clause, announcement.clause, Code.BAD_ANNOUNCEMENT)


def wager_placed(sitting: Sitting, event: on.WagerPlaced) -> None:
    """A wager is accepted while bets are open, or onto the lighter side while the other is too heavy."""
    sitting.unplayed = -1
    setup = sitting.open.setup
    if event.number != sitting.serial + 1:
        sitting.wrong(Code.BAD_WAGER, f"wager {event.number} came after wager {sitting.serial}")
    sitting.serial = event.number
    _check_time(sitting, event.wager, more=True)
    _check_stake(sitting, event.wager, event.stake_cents)
    if not 1 <= event.position <= setup.positions:
        sitting.wrong(Code.BAD_WAGER, f"there is no position {event.position} among {setup.positions}")
    _check_room(sitting, event)
    if event.for_patron is (sitting.by.position is Position.PATRON):
        sitting.wrong(
            Code.BAD_WAGER, "the record does not say rightly whether staff or the patron placed the wager (3.7)"
        )
    _check_up(sitting, event.position)
    sitting.moves += 1
    since = sitting.moves
    if event.same_moment_as:
        with_ = sitting.bets.get(event.same_moment_as)
        if with_ is None or sitting.by.position is Position.PATRON or sitting.open.conduct.custody is None:
            said = f"wager {event.number} cannot have come together with wager {event.same_moment_as} (3.9.4.1)"
            sitting.wrong(Code.BAD_WAGER, said)
        else:
            since = with_.since
    bet = Bet(event.number, event.patron, event.wager, event.stake_cents, event.position, since)
    sitting.bets[event.number] = bet
    if event.for_patron:
        sitting.by_staff.add(event.number)
        sitting.in_chips.add(event.number)
    sitting.meters.staked(bet.position, bet.cents)


def wager_changed(sitting: Sitting, event: on.WagerChanged) -> None:
    """A wager is made larger or smaller in time."""
    bet = sitting.bet(event.number, event.patron, event.from_cents)
    if bet is None:
        return
    if event.to_cents == event.from_cents:
        sitting.wrong(Code.BAD_WAGER, f"wager {event.number} was changed to what it was")
    if event.wager not in {"", bet.wager}:  # older Puntos did not repeat it
        sitting.wrong(
            Code.BAD_WAGER, f"wager {event.number} is called {event.wager!r}, and was placed on {bet.wager!r}"
        )
    _check_up(sitting, bet.position)
    _check_not_decided(sitting, bet)
    _check_time(sitting, bet.wager, more=event.to_cents > event.from_cents)
    _check_stake(sitting, bet.wager, event.to_cents)
    by_patron = sitting.by.position is Position.PATRON
    if event.for_patron is by_patron and sitting.edition >= SECOND:
        sitting.wrong(
            Code.BAD_WAGER, "the record does not say rightly whether staff or the patron changed the wager (3.7)"
        )
    if by_patron:
        sitting.in_chips.discard(event.number)
    else:
        sitting.in_chips.add(event.number)
    sitting.accepted.pop(event.number, None)
    restake(sitting, bet, event.to_cents)


def wager_taken_back(sitting: Sitting, event: on.WagerTakenBack) -> None:
    """A wager is taken back in time, all of it."""
    bet = sitting.bet(event.number, event.patron, event.cents)
    if bet is not None:
        _check_up(sitting, bet.position)
        _check_not_decided(sitting, bet)
        _check_time(sitting, bet.wager, more=False)
        restake(sitting, bet, 0)


def _check_up(sitting: Sitting, position: int) -> None:
    """A terminal that is down places and withdraws nothing (EB4, E7U 5.10)."""
    if position in sitting.down:
        sitting.wrong(Code.BAD_WAGER, f"terminal {position} was down, and placed or withdrew a wager (5.10)")


def _check_not_decided(sitting: Sitting, bet: Bet) -> None:
    """A wager whose result was decided stays as it is (interpretation 46)."""
    if bet.number in sitting.stated:
        sitting.wrong(Code.BAD_WAGER, f"wager {bet.number} was changed after its result was decided")


def restake(sitting: Sitting, bet: Bet, cents: int) -> None:
    """A wager has another amount now; with nothing left it is off the table."""
    sitting.meters.staked(bet.position, cents - bet.cents)
    if cents > bet.cents:
        # Less of it was there all the time; only what is more came now.
        sitting.moves += 1
        bet.since = sitting.moves
    if cents:
        bet.cents = cents
    else:
        del sitting.bets[bet.number]


def _check_time(sitting: Sitting, wager: str, *, more: bool) -> None:
    """Bets are open, or the change brings the two sides nearer (B8, TNC5 5.18)."""
    heavier = sitting.heavier
    if heavier is None:
        sitting.expect(_BETS_OPEN, "a wager was accepted")
        _check_unseen(sitting, sitting.dealt_from, "a wager was accepted", sitting.round)
    elif sitting.expect(_DEALING, "a wager was accepted"):
        side = _SIDES.get(wager)
        if side is None or (side is heavier) is more:
            said = f"{wager} was {'raised' if more else 'lowered'} while {heavier.value} was too heavy"
            sitting.wrong(Code.BAD_DIFFERENTIAL, said)
        elif more and (sitting.cards or sitting.dealt_from.has_seen) and sitting.edition >= SECOND:
            sitting.wrong(Code.SEEN_CARD, f"{wager} was raised after a card had been seen (interpretation 23)")


def _check_stake(sitting: Sitting, wager: str, cents: int) -> None:
    limit = sitting.open.limit(wager)
    if limit is None:
        sitting.wrong(Code.BAD_WAGER, f"{wager} is not offered at this table")
    elif cents <= 0 or cents % sitting.open.unit:
        sitting.wrong(Code.BAD_WAGER, f"a stake of {cents} cents is no whole number of chips (interpretation 6)")
    elif not limit.min_cents <= cents <= limit.max_cents:
        said = f"a stake of {cents} cents is outside {limit.min_cents} to {limit.max_cents}, the limits of {wager}"
        sitting.wrong(Code.BAD_WAGER, said)


def _check_room(sitting: Sitting, event: on.WagerPlaced) -> None:
    """An area takes so many wagers (B8, TNC5 3.6); a terminal is one patron's, with one wager of a kind."""
    here = [bet for bet in sitting.bets.values() if bet.position == event.position]
    alike = sum(bet.wager == event.wager for bet in here)
    if sitting.open.conduct.areas and alike >= sitting.area_most:
        sitting.wrong(Code.BAD_WAGER, f"the playing area takes {sitting.area_most} wagers, and has {alike} (3.6)")
    if sitting.open.conduct.terminals:
        if any(bet.patron != event.patron for bet in here):
            sitting.wrong(Code.BAD_WAGER, f"terminal {event.position} is another patron's in this round")
        if alike:
            sitting.wrong(Code.BAD_WAGER, f"terminal {event.position} has a wager on {event.wager} already")


def late_wager(sitting: Sitting, event: on.LateWager) -> None:
    """Money after the close does not count where the rulebook says so, and has not moved."""
    late = sitting.open.conduct.late
    sitting.expect(AFTER_CLOSE, "a wager came late", free=False)
    if late.treatment is not Late.NOT_HONOURED:
        sitting.wrong(
            Code.OUT_OF_TURN, f"{sitting.open.book.code} refuses a late wager, and knows none ({late.placed})"
        )
    sitting.expect_clause(event.clause, late.placed)
    if event.cents <= 0:
        sitting.wrong(Code.BAD_WAGER, f"a late wager of {event.cents} cents")
    if event.number:
        bet = sitting.bet(event.number, event.patron)
        if bet is not None and bet.wager != event.wager:
            sitting.wrong(Code.BAD_WAGER, f"wager {event.number} is on {bet.wager}, not on {event.wager}")
    elif event.wager not in sitting.open.offered:
        sitting.wrong(Code.BAD_WAGER, f"{event.wager} is not offered at this table")


def late_withdrawal(sitting: Sitting, event: on.LateWithdrawal) -> None:
    """A wager that was taken back after the close still counts."""
    late = sitting.open.conduct.late
    sitting.expect(AFTER_CLOSE, "a wager was taken back late", free=False)
    if late.treatment is not Late.NOT_HONOURED:
        sitting.wrong(Code.OUT_OF_TURN, f"{sitting.open.book.code} refuses a late withdrawal ({late.withdrawn})")
    sitting.expect_clause(event.clause, late.withdrawn)
    sitting.bet(event.number, event.patron)


def bets_closed(sitting: Sitting, event: on.BetsClosed) -> None:
    """No more bets."""
    sitting.expect(_BETS_OPEN, "bets closed")
    _check_unseen(sitting, sitting.dealt_from, "bets closed", sitting.round)
    _check_announcement(sitting, event.announced, event.clause, sitting.open.book.closes)
    if set(event.not_shown_at) != sitting.down:
        sitting.wrong(Code.BAD_ROUND, "the terminals that did not show the close are not those that were down (5.10)")
    sitting.phase = Phase.DEALING
    sitting.heavier = None


def difference(sitting: Sitting) -> tuple[Side, int]:
    """The heavier side, and by how much it passes the table differential."""
    sides = {Side.PLAYER: 0, Side.BANKER: 0}
    for bet in sitting.bets.values():
        side = _SIDES.get(bet.wager)
        if side:
            sides[side] += bet.cents
    heavier = max(sides, key=lambda side: sides[side])
    most = sitting.open.setup.differential_cents
    return heavier, (abs(sides[Side.PLAYER] - sides[Side.BANKER]) - most) if most else 0


def differential_exceeded(sitting: Sitting, event: on.DifferentialExceeded) -> None:
    """One side is too heavy, by so much."""
    sitting.expect(_DEALING, "the table differential was weighed", free=sitting.edition < SECOND)
    clauses = sitting.open.conduct.differential
    heavier, excess = difference(sitting)
    if excess <= 0 or (event.heavier, event.excess_cents) != (heavier, excess):
        said = (
            f"{event.heavier.value} is said to be {event.excess_cents} cents too heavy; it is {heavier.value}, {excess}"
        )
        sitting.wrong(Code.BAD_DIFFERENTIAL, said)
    sitting.expect_clause(event.clause, clauses.decrease if clauses else None)
    sitting.heavier = event.heavier


def differential_met(sitting: Sitting, _: on.DifferentialMet) -> None:
    """Neither side is too heavy any more."""
    heavier, excess = difference(sitting)
    if sitting.heavier is None:
        sitting.wrong(Code.BAD_DIFFERENTIAL, "the differential was met without having been exceeded")
    elif excess > 0:
        sitting.wrong(Code.BAD_DIFFERENTIAL, f"{heavier.value} is still {excess} cents too heavy")
    sitting.heavier = None


def wager_removed(sitting: Sitting, event: on.WagerRemoved) -> None:
    """A Pit Manager takes a wager, or part of it, off the heavier side (B8, TNC5 5.18.3)."""
    sitting.expect(_DEALING, "a wager was removed")
    clauses = sitting.open.conduct.differential
    sitting.expect_clause(event.clause, clauses.remove if clauses else None)
    bet = sitting.bet(event.number, event.patron, event.from_cents)
    if bet is None:
        return
    if sitting.heavier is None or _SIDES.get(bet.wager) is not sitting.heavier:
        sitting.wrong(Code.BAD_DIFFERENTIAL, f"wager {bet.number} does not lie on a side that is too heavy")
    if not 0 <= event.to_cents < event.from_cents:
        sitting.wrong(Code.BAD_WAGER, f"{event.to_cents} of {event.from_cents} cents cannot be left of a wager")
    elif event.to_cents:
        _check_stake(sitting, bet.wager, event.to_cents)
    sitting.accepted.pop(event.number, None)
    restake(sitting, bet, max(event.to_cents, 0))


def check_weighed(sitting: Sitting) -> None:
    """After each command: a side that is too heavy is known to be so, and no other."""
    if not sitting.open.setup.differential_cents or sitting.phase is not Phase.DEALING:
        return
    if sitting.cards or sitting.offer:
        return
    heavier, excess = difference(sitting)
    if (heavier if excess > 0 else None) is not sitting.heavier:
        sitting.wrong(
            Code.BAD_DIFFERENTIAL, f"{heavier.value} is {max(excess, 0)} cents too heavy, and it is not said so"
        )


def can_pay(sitting: Sitting, wager: str, cents: int) -> bool:
    """Whether all that a stake can win stays below 2^53 cents."""
    return cents + most_won(sitting.open.game.wager(wager), cents) <= MOST_CENTS
