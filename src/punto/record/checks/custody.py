"""Custody: the method of dealing, who is passed the cards, who holds the device (B8, TNC5 3.8 to 3.11, 3.16)."""

from collections import defaultdict

from punto.record.checks import events as on
from punto.record.checks.findings import Code
from punto.record.checks.sitting import BETWEEN, IN_ROUND, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.rules import CustodyClauses, Found, Method, Side

_DEALING = frozenset({Phase.DEALING})
_OPEN = frozenset(Phase) - {Phase.CLOSED}
WAGER_ON = {Side.PLAYER: "Player", Side.BANKER: "Banker"}


def must_be_down(sitting: Sitting, side: Side) -> bool:
    """Whether the next card of a hand comes face down.

    By Methods A and C the initial cards do (3.9.2); by any method, cards for a hand that a patron handles or is to
    squeeze (3.9.7, 3.16).
    """
    custody = sitting.custody[side]
    if custody.holder or custody.designee:
        return True
    return sitting.method in (Method.A, Method.C) and not sitting.initial_deal_done


def may_be_down(sitting: Sitting, side: Side) -> bool:
    """Whether it may: by Methods A and C third cards come face down, and are then exposed (3.9.7, 3.11.6)."""
    return sitting.method in (Method.A, Method.C) or must_be_down(sitting, side)


def clauses(sitting: Sitting) -> CustodyClauses | None:
    """Where the rulebook speaks of custody; an event of custody under another one is wrong."""
    found = sitting.open.conduct.custody
    if found is None:
        sitting.wrong(Code.BAD_CUSTODY, f"{sitting.open.book.code} has no patrons handle cards or device")
    return found


def areas_restricted(sitting: Sitting, event: on.AreasRestricted) -> None:
    """A Pit Manager lets fewer wagers into an area (3.6.1)."""
    sitting.expect(_OPEN, "the areas were restricted", free=False)
    areas = sitting.open.conduct.areas
    if areas is None or not 1 <= event.most <= areas.most:
        sitting.wrong(Code.BAD_CUSTODY, f"an area was restricted to {event.most} wagers")
    sitting.area_most = event.most


def method_chosen(sitting: Sitting, event: on.MethodChosen) -> None:
    """Methods change between rounds; C is for the HLGA, with a device that reads cards (3.8.2, 3.11.1)."""
    if not sitting.ruling:
        sitting.expect(BETWEEN, "the method was changed")
    elif sitting.method is not Method.C and sitting.edition >= SECOND:
        sitting.wrong(Code.BAD_CUSTODY, "a decision changed the method where no patron was to deal (3.8.2)")
    elif sitting.ruled_round < sitting.round and sitting.edition >= SECOND:
        sitting.wrong(Code.BAD_RULING, f"the method was changed by a decision on round {sitting.ruled_round}")
    setup = sitting.open.setup
    if event.method not in sitting.open.conduct.methods:
        sitting.wrong(Code.BAD_CUSTODY, f"{sitting.open.book.code} has no Method {event.method.value}")
    elif event.method is Method.C and not (setup.hlga and setup.reads):
        sitting.wrong(Code.BAD_CUSTODY, "Method C outside the HLGA, or with a device that does not read cards")
    sitting.method = event.method
    if sitting.phase not in BETWEEN:
        sitting.dealt_by = event.method
    if event.method is not Method.C:
        sitting.device = ""
        sitting.may_draw.clear()


def amounts(sitting: Sitting, side: Side) -> dict[str, tuple[int, int]]:
    """What each patron has on a hand in all, and when the last of it came (interpretation 8)."""
    found: dict[str, tuple[int, int]] = defaultdict(lambda: (0, 0))
    for bet in sitting.bets.values():
        if bet.wager == WAGER_ON[side]:
            cents, since = found[bet.patron]
            found[bet.patron] = cents + bet.cents, max(since, bet.since)
    return dict(found)


def cards_offered(sitting: Sitting, event: on.CardsOffered) -> None:
    """A hand goes to whoever has the most on it and has not refused; of equals to the first (3.9.2 to 3.9.5)."""
    sitting.expect(_DEALING, "cards were offered", free=False)
    custody = sitting.custody[event.side]
    known = clauses(sitting)
    if custody.kept and sitting.edition >= SECOND:
        sitting.wrong(Code.BAD_CUSTODY, f"the {event.side.value} hand was offered, which the Dealer exposes (5.10)")
    on_hand = {patron: held for patron, held in amounts(sitting, event.side).items() if patron not in custody.refused}
    if event.patron not in on_hand:
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} has no claim to {event.side.value}'s cards")
    else:
        highest = max(cents for cents, _ in on_hand.values())
        equals = {patron: since for patron, (cents, since) in on_hand.items() if cents == highest}
        if event.patron not in equals:
            sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} does not have the most on {event.side.value}")
        elif len(equals) > 1 and not custody.refused and equals[event.patron] != min(equals.values()):
            sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} was not the first with the most on {event.side.value}")
        if known and event.clause not in (known.highest, known.next_highest, known.first_placed, known.around):
            sitting.wrong(Code.BAD_CUSTODY, f"cards are not passed by {event.clause}")
    custody.offered = event.patron
    custody.wanted = False


def cards_accepted(sitting: Sitting, event: on.CardsAccepted) -> None:
    """Who was offered the cards takes them."""
    sitting.expect(_DEALING, "cards were taken", free=False)
    custody = sitting.custody[event.side]
    if custody.offered != event.patron:
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} took cards that were not offered to {event.patron}")
    custody.take(event.patron)
    sitting.handle()


def cards_refused(sitting: Sitting, event: on.CardsRefused) -> None:
    """Who was offered the cards, or may squeeze them before there are any, does not want them."""
    sitting.expect(IN_ROUND, "cards were refused", free=False)
    custody = sitting.custody[event.side]
    if event.patron not in (custody.offered, custody.holder):
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} refused cards that were not offered to {event.patron}")
    custody.refused.add(event.patron)
    custody.offered, custody.holder, custody.designee = "", "", ""
    if sitting.edition >= SECOND:
        custody.permitted = "", ""  # a permission to squeeze is given back, too


def holder_wanted(sitting: Sitting, event: on.HolderWanted) -> None:
    """Nobody with a claim is left (3.9.4.1)."""
    sitting.expect(_DEALING, "a holder was wanted", free=False)
    custody = sitting.custody[event.side]
    known = clauses(sitting)
    claims = amounts(sitting, event.side)
    left = claims.keys() - custody.refused
    first = sorted((-claims[patron][0], claims[patron][1]) for patron in left)[:2]
    if left and (len(first) == 1 or first[0] != first[1]):
        sitting.wrong(Code.BAD_CUSTODY, f"{min(left)} has a claim to {event.side.value}'s cards and was passed over")
    sitting.expect_clause(event.clause, known.chosen if known else None, Code.BAD_CUSTODY)
    custody.offered, custody.wanted = "", True


def holder_chosen(sitting: Sitting, event: on.HolderChosen) -> None:
    """The Pit Supervisor chooses who handles a hand that nobody has a claim to (3.9.4.1)."""
    sitting.expect(_DEALING, "a holder was chosen", free=False)
    custody = sitting.custody[event.side]
    if not custody.wanted:
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} was chosen for a hand that others have a claim to")
    custody.take(event.patron)
    sitting.handle()


def squeeze_permitted(sitting: Sitting, event: on.SqueezePermitted) -> None:
    """A Pit Manager lets somebody squeeze a hand of this round (3.16)."""
    sitting.expect(IN_ROUND, "squeezing was permitted", free=False)
    clauses(sitting)
    custody = sitting.custody[event.side]
    custody.permitted = event.patron, event.designee
    custody.wanted = False
    custody.drop()
    sitting.handle()


def hand_passed(sitting: Sitting, event: on.HandPassed) -> None:
    """The patron at the device has another expose a hand (3.11.3)."""
    sitting.expect(_DEALING, "a hand was passed", free=False)
    if sitting.method is not Method.C:
        sitting.wrong(Code.BAD_CUSTODY, "a hand was passed on though the table is not dealt by Method C")
    custody = sitting.custody[event.side]
    if sitting.edition >= SECOND and (custody.kept or sitting.stands_in):
        sitting.wrong(Code.BAD_CUSTODY, "a hand was passed on that the Dealer exposes for an absent patron (5.10)")
    custody.take(event.patron)
    sitting.handle()


def first_chosen(sitting: Sitting, event: on.FirstChosen) -> None:
    """The Dealer determines which hand is revealed first (3.9.6)."""
    sitting.expect(_DEALING, "the first hand was chosen", free=False)
    clauses(sitting)
    if not sitting.initial_deal_done:
        sitting.wrong(Code.OUT_OF_TURN, "the first hand was chosen before the initial deal was complete (3.9.6)")
    sitting.first = event.side


def device_taken(sitting: Sitting, event: on.DeviceTaken) -> None:
    """By Method C a patron with a wager, or with leave, takes the device (3.11.2, 3.11.8)."""
    sitting.expect(_OPEN, "the device was taken", free=False)
    if sitting.method is not Method.C:
        sitting.wrong(Code.BAD_CUSTODY, "the device was taken though the table is not dealt by Method C")
    if sitting.device:
        sitting.wrong(Code.BAD_CUSTODY, f"the device was taken from {sitting.device}")
    if sitting.stands_in and sitting.edition >= SECOND:
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} took the device while the Dealer drew for the round (5.10)")
    if event.patron == sitting.lost_device and not sitting.payments:
        # The settlement by which it was lost has been undone.
        pass
    elif event.patron not in sitting.may_draw and all(bet.patron != event.patron for bet in sitting.bets.values()):
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} has no wager and no leave to draw without one")
    sitting.device = event.patron
    sitting.handle()


def device_given_up(sitting: Sitting, event: on.DeviceGivenUp) -> None:
    """Control of the device ends (3.11.8; interpretation 29)."""
    known = clauses(sitting)
    if sitting.device != event.patron:
        sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} gave up a device that {sitting.device or 'nobody'} controls")
    if known and event.clause == known.lost:
        sitting.lost_device = event.patron
        if not has_lost(sitting, event.patron):
            sitting.wrong(Code.BAD_CUSTODY, f"{event.patron} has lost no wager by which control of the device ends")
    elif sitting.matter and sitting.matter.found is Found.PATRON_ABSENT and event.clause == sitting.matter.clause:
        pass
    elif known and event.clause not in (known.given_up, known.without_wager):
        sitting.wrong(Code.BAD_CUSTODY, f"control of the device does not end by {event.clause}")
    sitting.device = ""


def has_lost(sitting: Sitting, patron: str) -> bool:
    """Whether a patron has just lost a wager on either hand, or with none there, all others (interpretation 29)."""
    if sitting.phase is not Phase.SETTLED:
        return False
    own = [payment for payment in sitting.payments if payment.patron == patron]
    on_hands = [payment for payment in own if payment.wager in WAGER_ON.values()]
    if on_hands or sitting.edition < SECOND:
        return any(payment.result == "lose" for payment in on_hands)
    return bool(own) and all(payment.result == "lose" for payment in own)


def drawing_permitted(sitting: Sitting, event: on.DrawingPermitted) -> None:
    """An Assistant Casino Manager permits drawing without a wager, or no longer does (3.11.2)."""
    sitting.expect(_OPEN, "drawing without a wager was permitted", free=False)
    clauses(sitting)
    if event.permitted:
        sitting.may_draw.add(event.patron)
    else:
        sitting.may_draw.discard(event.patron)
