"""Settlements worked out anew, to the cent and with the clause; reversals and voids."""

from collections import Counter

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.cards import UNREAD
from punto.record.checks.findings import Code
from punto.record.checks.shoes import discard_spare, miss, see, take_card
from punto.record.checks.sitting import IN_ROUND, OF_CONTENTS, OF_THE_DEAL, VOIDS, Bet, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.record.checks.written import Payment, Return
from punto.rules import Found, Position, Remedy, Result, Settlement

# What undoes a settlement.
UNDO = VOIDS | {Remedy.REBUILD}
_OUTCOME = frozenset({Phase.OUTCOME})
_SETTLED = frozenset({Phase.SETTLED})


def round_settled(sitting: Sitting, event: on.RoundSettled) -> None:
    """Every wager on the table is settled once, by the cards and the pay tables."""
    # A decision settles anew, also while another matter waits for its own.
    sitting.expect(_OUTCOME, "the round was settled", free=not sitting.ruling)
    _check_round(sitting, event.round)
    if event.cards != sitting.written:
        sitting.wrong(Code.BAD_SETTLEMENT, f"settled on {event.cards}; the cards are {sitting.written}")
    coup = sitting.deal.coup
    if coup is None:
        sitting.wrong(Code.BAD_SETTLEMENT, "settled before the coup was complete")
    settled = dict(sitting.open.game.settle(coup)) if coup else {}
    due = [_payment(sitting, bet, settled.get(bet.wager)) for bet in sitting.bets.values()]
    _compare(sitting, event.payments, due)
    for payment in event.payments:
        _meter(sitting, payment, undone=False)
    sitting.payments = event.payments
    sitting.paid = True
    sitting.dealt_from.completes_round = False
    sitting.end_round()
    sitting.phase = Phase.SETTLED


def _payment(sitting: Sitting, bet: Bet, settlement: Settlement | None) -> Payment | None:
    """What a wager must come to."""
    if settlement is None:
        return None
    limits, limit = sitting.open.conduct.limits, sitting.open.limit(bet.wager)
    counted = bet.cents
    if limits and limit:
        under = bet.cents < limit.min_cents and bet.number not in sitting.stated
        if limits.under and under and _warned_before(sitting, bet.patron):
            return _returned(bet, limits.under)
        if limits.over and bet.cents > limit.max_cents:
            counted = limit.max_cents
    clause = settlement.clause
    if bet.number in sitting.stated:
        stated = _as_stated(sitting, bet)
        if stated is None:
            return None
        settlement, clause = stated, sitting.open.conduct.other_clause or ""
    pay = settlement.pay
    won, part = divmod(counted * pay.odds.won, pay.odds.staked) if pay else (0, 0)
    if part:
        sitting.wrong(Code.BAD_SETTLEMENT, f"wager {bet.number} would win a part of a cent")
    back = bet.cents - counted if settlement.result is Result.LOSE else bet.cents
    return Payment(
        number=bet.number,
        patron=bet.patron,
        wager=bet.wager,
        stake_cents=bet.cents,
        counted_cents=counted,
        result=settlement.result.value,
        won_cents=won,
        paid_cents=back + won,
        clause=clause,
    )


def _as_stated(sitting: Sitting, bet: Bet) -> Settlement | None:
    """What a wager comes to by decision: lost, or won by a line of its own pay table (interpretation 46)."""
    result, pays = sitting.stated[bet.number]
    for settlement in sitting.open.game.wager(bet.wager).settlements:
        odds = str(settlement.pay.odds) if settlement.pay else ""
        if settlement.result.value == result and pays in ("", odds):
            return settlement
    sitting.wrong(Code.BAD_RULING, f"{bet.wager} cannot be settled at {result} {pays}".strip())
    return None


def _returned(bet: Bet, clause: str) -> Payment:
    """A wager that goes back, whatever the outcome (B8, TNC5 5.14)."""
    result = Result.PUSH.value
    return Payment(bet.number, bet.patron, bet.wager, bet.cents, 0, result, 0, bet.cents, clause)


def _warned_before(sitting: Sitting, patron: str) -> bool:
    """Whether a patron was warned in an earlier round; a warning of this one does not count against itself."""
    return sitting.warned.get(patron, sitting.round) < sitting.round


def _compare(sitting: Sitting, payments: tuple[Payment, ...], due: list[Payment | None]) -> None:
    if [payment.number for payment in payments] != list(sitting.bets):
        sitting.wrong(Code.BAD_SETTLEMENT, "not every wager on the table was settled, each once and in its order")
    expected = {payment.number: payment for payment in due if payment}
    for payment in payments:
        right = expected.get(payment.number)
        if right is None or payment == right:
            continue
        for name in Payment.__struct_fields__:
            said, is_ = getattr(payment, name), getattr(right, name)
            if said != is_:
                words = name.replace("_cents", " in cents")
                said = f"wager {payment.number}, {right.wager}: {words} {said}; by {right.clause} it is {is_}"
                sitting.wrong(Code.BAD_SETTLEMENT, said)
                break


def _meter(sitting: Sitting, payment: Payment, *, undone: bool) -> None:
    bet = sitting.bets.get(payment.number)
    if bet is not None:
        cents = payment.stake_cents, payment.won_cents, payment.paid_cents
        sitting.meters.paid(bet.position, *cents, undone=undone)


def _check_round(sitting: Sitting, round_: int) -> None:
    if round_ != sitting.round:
        sitting.wrong(Code.BAD_ROUND, f"this is round {sitting.round}, not {round_}")


def settlement_reversed(sitting: Sitting, event: matters.SettlementReversed) -> None:
    """What was settled last is undone, all of it."""
    sitting.expect(_SETTLED, "a settlement was reversed", free=False)
    _check_round(sitting, event.round)
    if event.payments != sitting.payments:
        sitting.wrong(Code.BAD_SETTLEMENT, "what was reversed is not what was settled")
    _check_may_undo(sitting)
    for payment in event.payments:
        _meter(sitting, payment, undone=True)
    sitting.payments = ()
    sitting.phase = Phase.OUTCOME
    if sitting.method is not sitting.dealt_by and sitting.edition >= SECOND:
        # The round keeps the method by which it was dealt (3.8.2).
        sitting.method, sitting.next_method = sitting.dealt_by, sitting.method
    # A warning that came with the settlement goes with it.
    sitting.warned = {patron: number for patron, number in sitting.warned.items() if number != sitting.round}


def _check_may_undo(sitting: Sitting) -> None:
    """A paid round is over: it is undone to put its cards in order, or by decision (interpretation 43).

    A reversal that begins its command begins a decision.
    """
    matter = sitting.matter
    if sitting.edition < SECOND or sitting.ruling:
        return
    if matter is None and sitting.open.ranks_at_least(sitting.by.position, Position.GAMING_SHIFT_MANAGER):
        return
    rules = sitting.open.conduct.rules.get(matter.found, ()) if matter else ()
    undone = [rule.remedy for rule in rules if rule.also_paid and rule.remedy in UNDO]
    if matter is None or matter.remedy not in undone:
        said = f"the payment of round {sitting.round} was undone on the word of {sitting.by.name}"
        sitting.wrong(Code.PAID_ROUND, said)


def patron_warned(sitting: Sitting, event: matters.PatronWarned) -> None:
    """A patron whose wager under the minimum was settled is warned, once (B8, TNC5 5.14)."""
    sitting.expect(_SETTLED, "a patron was warned", free=False)
    limits = sitting.open.conduct.limits
    sitting.expect_clause(event.clause, limits.under if limits else None)
    if event.patron in sitting.warned:
        sitting.wrong(Code.BAD_REMEDY, f"{event.patron} was warned already")
    elif event.patron not in under_minimum(sitting):
        sitting.wrong(Code.BAD_REMEDY, f"{event.patron} was warned without a wager under the minimum")
    sitting.warned.setdefault(event.patron, sitting.round)


def under_minimum(sitting: Sitting) -> set[str]:
    """The patrons of whom a wager under the minimum has just been settled."""
    limits = sitting.open.conduct.limits
    if sitting.phase is not Phase.SETTLED or limits is None or limits.under is None:
        return set()
    found = set()
    for payment in sitting.payments:
        limit = sitting.open.limit(payment.wager)
        pushed = payment.result == Result.PUSH.value and sitting.edition >= SECOND
        judged = payment.counted_cents and not pushed and payment.number not in sitting.stated
        if limit and judged and payment.stake_cents < limit.min_cents:
            found.add(payment.patron)
    return found


def round_voided(sitting: Sitting, event: on.RoundVoided) -> None:
    """Every stake goes back in full, once; what was settled has been undone before (interpretation 16)."""
    sitting.expect(IN_ROUND, "the round was voided", free=False)
    _check_round(sitting, event.round)
    check_returns(sitting, event.returns, set(sitting.bets))
    matter = sitting.matter
    if matter is None or matter.remedy not in VOIDS:
        sitting.wrong(Code.BAD_REMEDY, "the round was voided, and nothing was found for which it is void")
    else:
        if event.found is not matter.found:
            sitting.wrong(Code.BAD_REMEDY, f"voided for {event.found.value}; found was {matter.found.value}")
        sitting.expect_clause(event.clause, matter.clause)
        said = event.replace, event.proposed
        if said != (matter.remedy is Remedy.VOID_AND_REPLACE, matter.remedy is Remedy.VOID_AND_PROPOSE):
            sitting.wrong(Code.BAD_REMEDY, "whether the cards are replaced is not what the rule says")
    _discard(sitting, event)
    sitting.bets.clear()
    asked = [each for each in sitting.asked if each.round != sitting.round]
    sitting.decided()
    sitting.asked = asked
    sitting.end_round()
    sitting.phase = Phase.VOID


def _discard(sitting: Sitting, event: on.RoundVoided) -> None:
    """All cards of the round are gone, also those that came out besides; the shoe is replaced, or that is proposed."""
    shoe = sitting.dealt_from
    out = event.out.split()
    unread = sum(not laid.card for laid in sitting.cards)
    if sitting.edition >= SECOND:
        _check_out(sitting, event)
        if event.found is Found.MISSING_CARDS:
            miss(sitting, shoe, out)
            out = []
        for card in out:
            if card != UNREAD:
                see(sitting, card)
        shoe.came += [""] * (len(out) - unread if out else 0)
        discard_spare(sitting, shoe, [spare for spare in shoe.surplus if spare.round == sitting.round])
    else:
        for card in out:
            take_card(sitting, card)
    shoe.spent |= event.replace
    shoe.shall_be_replaced |= event.replace
    shoe.proposed |= event.proposed
    shoe.in_doubt |= event.proposed and event.found in OF_CONTENTS


def _check_out(sitting: Sitting, event: on.RoundVoided) -> None:
    """Only cards that a report told of go out with a void: cards that lay there too many, or that are missing."""
    out, matter, shoe = event.out.split(), sitting.matter, sitting.dealt_from
    named = [card for card in out if card != UNREAD]
    if matter and matter.found in OF_THE_DEAL and not matter.by_decision:
        unread = sum(not laid.card for laid in sitting.cards)
        most = max(matter.lying - len(sitting.cards), 0) + unread
        wrong = len(out) > most or bool(Counter(named) - Counter(matter.named))
    elif event.found is Found.MISSING_CARDS:
        wrong = len(named) < len(out) or shoe.drawn + len(out) > sitting.open.total
    else:
        wrong = bool(out)
    if wrong:
        sitting.wrong(Code.BAD_CARD, f"{event.out} went out with the void, and no report told of them")


def check_returns(sitting: Sitting, returns: tuple[Return, ...], numbers: set[int], *, parts: bool = False) -> None:
    """Stakes go back, each once, and no others: as a whole, or where a decision says so in part."""
    if sorted(each.number for each in returns) != sorted(numbers):
        sitting.wrong(Code.BAD_RETURN, f"wagers {sorted(numbers)} were to go back, each once")
    for each in returns:
        bet = sitting.bet(each.number, each.patron)
        if bet is None:
            continue
        whole_chips = 0 < each.cents < bet.cents and not each.cents % sitting.open.unit
        if each.cents != bet.cents and not (parts and whole_chips):
            said = f"{each.cents} of the {bet.cents} cents of wager {bet.number} went back"
            sitting.wrong(Code.BAD_RETURN, said)
        limit, left = sitting.open.limit(bet.wager), bet.cents - each.cents
        least = limit.min_cents if limit else 0
        if 0 < left < least and (sitting.edition >= SECOND or least <= bet.cents):
            sitting.wrong(Code.BAD_RETURN, f"{left} cents of wager {bet.number} were left, under the minimum")
        sitting.meters.staked(bet.position, -each.cents)
