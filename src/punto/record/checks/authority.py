"""Authority: who may cause what, by the duties of the rulebook; and what may follow from what by itself."""

from typing import Final

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.findings import Code
from punto.record.checks.register import key
from punto.record.checks.shoes import cards_left, is_empty
from punto.record.checks.sitting import Sitting
from punto.record.checks.terms import SECOND, ranks_at_least
from punto.record.checks.written import Actor
from punto.rules import RANKS, Duty, Found, Method, Position

# What staff need to cause an event. What is not here follows from something else.
_DUTIES: Final[dict[type, Duty]] = {
    on.TableOpened: Duty.RUN_TABLE,
    on.TableClosed: Duty.RUN_TABLE,
    on.LimitsChanged: Duty.RUN_TABLE,
    on.ShoeLoaded: Duty.CHANGE_SHOE,
    on.ShoeEnded: Duty.CHANGE_SHOE,
    on.BetsOpened: Duty.RUN_ROUND,
    on.ContributionsClosed: Duty.RUN_ROUND,
    on.BetsClosed: Duty.RUN_ROUND,
    on.TotalsAnnounced: Duty.RUN_ROUND,
    on.OutcomeAnnounced: Duty.RUN_ROUND,
    on.RoundSettled: Duty.RUN_ROUND,
    on.CardDrawn: Duty.DRAW,
    on.CuttingCardCame: Duty.DRAW,
    on.AreasRestricted: Duty.RESTRICT_AREAS,
    on.HolderChosen: Duty.CHOOSE_HOLDER,
    on.SqueezePermitted: Duty.PERMIT_SQUEEZE,
    on.HandPassed: Duty.PASS_HAND,
    on.ShoeKept: Duty.REPLACE_CARDS,
    on.FirstChosen: Duty.CHOOSE_FIRST,
    on.CardsExposed: Duty.EXPOSE,
    on.DrawingPermitted: Duty.PERMIT_DRAWING,
    on.WagerRemoved: Duty.REMOVE_WAGERS,
    on.CreditsCorrected: Duty.CORRECT,
    matters.Referred: Duty.REPORT,
    matters.StakeFound: Duty.REPORT,
    matters.OrderDetermined: Duty.ORDER_CARDS,
    matters.CardsSetAside: Duty.WITNESS_COUNT,
    matters.CardsCounted: Duty.WITNESS_COUNT,
    matters.MissingReplaced: Duty.WITNESS_COUNT,
    matters.WithdrawalOffered: Duty.ALLOW_WITHDRAWAL,
    matters.Ruled: Duty.RULE,
    matters.Attested: Duty.RUN_ROUND,
    matters.SettlementReversed: Duty.RULE,
    matters.ReportKept: Duty.REPORT,
    matters.TerminalsFailed: Duty.INTERRUPT,
    matters.TerminalsRestored: Duty.INTERRUPT,
}
# What was found is reported by whoever holds the duty to report, with these exceptions.
_REPORTS: Final[dict[Found, Duty]] = {
    Found.INTERRUPTION: Duty.INTERRUPT,
    Found.TERMINALS_DOWN: Duty.INTERRUPT,
    Found.CUTTING_CARD_FIRST: Duty.ALLOW_WITHDRAWAL,
}
# What a patron does, and what staff need to do it in the patron's place.
_FOR_PATRONS: Final[dict[type, Duty]] = {
    on.WagerPlaced: Duty.PLACE_FOR_PATRON,
    on.WagerChanged: Duty.PLACE_FOR_PATRON,
    on.WagerTakenBack: Duty.PLACE_FOR_PATRON,
    on.LateWager: Duty.PLACE_FOR_PATRON,
    on.LateWithdrawal: Duty.PLACE_FOR_PATRON,
    on.ShoeCut: Duty.SPEAK_FOR_PATRON,
    on.CardsAccepted: Duty.SPEAK_FOR_PATRON,
    on.CardsRefused: Duty.SPEAK_FOR_PATRON,
    on.DeviceTaken: Duty.SPEAK_FOR_PATRON,
    on.DeviceGivenUp: Duty.SPEAK_FOR_PATRON,
    on.CreditsBought: Duty.SPEAK_FOR_PATRON,
    on.CreditsCashedOut: Duty.SPEAK_FOR_PATRON,
    matters.WagerWithdrawn: Duty.SPEAK_FOR_PATRON,
    matters.OfferAnswered: Duty.SPEAK_FOR_PATRON,
}
# What only patrons themselves do, and nobody in their place.
_OF_PATRONS: Final = frozenset({on.ContributionCommitted, on.ContributionRevealed})


# What follows from something else, though a duty or a patron stands behind it.
_FOLLOWERS: Final = (
    {on.TotalsAnnounced, on.OutcomeAnnounced, on.RoundSettled, on.CardDrawn, on.CardsExposed}
    | {on.DeviceTaken, on.DeviceGivenUp}
    | {matters.StakeFound, matters.Referred, matters.SettlementReversed, matters.MissingReplaced}
    | {matters.WithdrawalOffered, matters.WagerWithdrawn, matters.OfferAnswered, matters.TerminalsFailed}
)
# What somebody does: it is the first event of its command.
_ACTS: Final = (
    _DUTIES.keys()
    | _FOR_PATRONS.keys()
    | _OF_PATRONS
    | {on.MethodChosen, on.CreditsReleased, on.BeaconDrawn, matters.IrregularityFound}
) - _FOLLOWERS
# What terminals announce and pay by themselves; elsewhere it is done by who runs the round.
_SAID_BY_TERMINALS: Final = frozenset({on.TotalsAnnounced, on.OutcomeAnnounced, on.RoundSettled})


# What the floor does by itself.
_OF_THE_FLOOR: Final = frozenset({matters.OfferClosed, on.CreditsReleased, on.BeaconDrawn})


# What a report begins with.
_OF_REPORTS: Final = (matters.Referred, matters.IrregularityFound, matters.ReportKept, matters.StakeFound)
# What may begin a command while somebody must decide or answer.
_WHILE_PENDING: Final = (
    matters.OfferAnswered,
    matters.WagerWithdrawn,
    matters.OfferClosed,
    matters.OrderDetermined,
    matters.Ruled,
    matters.SettlementReversed,
    matters.CardsSetAside,
    matters.CardsCounted,
    matters.MissingReplaced,
    matters.Referred,
    matters.IrregularityFound,
    matters.ReportKept,
    matters.StakeFound,
    matters.TerminalsFailed,
    matters.TerminalsRestored,
    matters.Attested,
    on.CuttingCardCame,
    on.CreditsBought,
    on.CreditsCashedOut,
    on.CreditsCorrected,
    on.CreditsReleased,
    on.LimitsChanged,
)


def reporters(sitting: Sitting, event: matters.AnyEvent) -> frozenset[str]:
    """Who may have reported what a command refers that begins with this event: a person, or nobody."""
    if not isinstance(event, _OF_REPORTS) or not is_person(sitting.by):
        return frozenset({""})
    if _drew_from_an_empty_shoe_or_reported(event):
        return frozenset({"", sitting.by.name})
    return frozenset({sitting.by.name})


def is_person(by: Actor) -> bool:
    """Whether it is neither the system nor one of the names by which the floor itself acts."""
    return by.position is not Position.SYSTEM and by.name not in ("house", "import")


def _drew_from_an_empty_shoe_or_reported(event: matters.AnyEvent) -> bool:
    """Whether the table may have found it by itself when somebody drew (interpretation 44)."""
    of_count = (Found.EXTRA_CARDS, Found.TOO_FEW_CARDS)
    return isinstance(event, matters.IrregularityFound | matters.Referred) and event.found in of_count


def check_lead(sitting: Sitting, event: matters.AnyEvent) -> None:
    """Find fault with whoever gave the command that began with this event."""
    kind = type(event)
    by = sitting.by
    if sitting.pending and sitting.edition >= SECOND and kind not in _WHILE_PENDING:
        sitting.wrong(Code.OUT_OF_TURN, f"{_name(event)} came while the round waited for {sitting.pending}")
    if kind in _FOR_PATRONS or kind in _OF_PATRONS:
        _check_for_patron(sitting, event)
        if by.position is Position.PATRON:
            return
    elif isinstance(event, matters.IrregularityFound):
        _check_reporter(sitting, event)
    elif kind in _OF_THE_FLOOR:
        _check_floor(sitting, event)
    elif isinstance(event, on.MethodChosen):
        check(sitting, by, Duty.ALLOW_METHOD_C if event.method is Method.C else Duty.CHOOSE_METHOD)
    elif kind not in _DUTIES:
        sitting.wrong(Code.OUT_OF_TURN, f"{_name(event)} came by itself, and can only follow from something else")
    elif not _is_patron_at_the_cards(sitting, event):
        check(sitting, by, _DUTIES[kind])
    _check_more(sitting, event)


def _check_for_patron(sitting: Sitting, event: matters.AnyEvent) -> None:
    """Patrons act for themselves; for some acts staff may stand in for them."""
    by, patron = sitting.by, getattr(event, "patron", "")
    if by.position is Position.PATRON:
        if by.name != patron:
            sitting.wrong(Code.NOT_ALLOWED, f"{by.name} acted for {patron}")
    elif type(event) in _OF_PATRONS:
        sitting.wrong(Code.NOT_ALLOWED, f"{by.name} did for {patron} what only patrons themselves do")
    else:
        check(sitting, by, _FOR_PATRONS[type(event)])


def _check_reporter(sitting: Sitting, event: matters.IrregularityFound) -> None:
    """Only staff report, except that whoever draws may find the shoe empty."""
    if not _drew_from_an_empty_shoe(sitting, event):
        check(sitting, sitting.by, _REPORTS.get(event.found, Duty.REPORT))


def _drew_from_an_empty_shoe(sitting: Sitting, event: matters.IrregularityFound) -> bool:
    """Whether somebody drew who may draw, and by the count no card was left (interpretation 44)."""
    if event.found not in (Found.EXTRA_CARDS, Found.TOO_FEW_CARDS) or cards_left(sitting) > 0:
        return False
    by = sitting.by
    return by.position is Position.SYSTEM or (by.position is Position.PATRON and by.name == sitting.device != "")


# Events that end a wait.
_DONE = (
    matters.Ruled,
    matters.WagerWithdrawn,
    matters.OfferAnswered,
    matters.OfferClosed,
    matters.OrderDetermined,
    matters.CardsCounted,
    matters.MissingReplaced,
    matters.SettlementReversed,
    on.CardsExposed,
    matters.IrregularityFound,
)


def check_follower(sitting: Sitting, lead: matters.AnyEvent, event: matters.AnyEvent) -> None:
    """Find fault with an event that cannot follow from what its command began with."""
    kind = type(event)
    if isinstance(event, matters.IrregularityFound) and sitting.due_report:
        pass  # a report that had waited is carried out
    elif isinstance(lead, _DONE) and isinstance(event, matters.IrregularityFound):
        # An interruption that came while something was awaited takes its course once that is done.
        owed = sitting.interrupted or sitting.edition < SECOND
        if event.found is not Found.INTERRUPTION or not owed:
            sitting.wrong(Code.OUT_OF_TURN, f"{event.found.value} was reported by {_name(lead)}")
    elif isinstance(event, on.MethodChosen) and sitting.ruling and event.method is not Method.C:
        pass
    elif kind is matters.Ruled and isinstance(lead, matters.SettlementReversed) and not sitting.ruling:
        pass  # a decision that settles anew undoes the settlement first
    elif kind in _ACTS or (kind is on.CardDrawn and not isinstance(lead, on.CuttingCardCame)):
        sitting.wrong(Code.OUT_OF_TURN, f"{_name(event)} followed from {_name(lead)}, and is an act of its own")
    elif isinstance(event, matters.WagerWithdrawn | matters.OfferAnswered):
        if event.patron != getattr(lead, "patron", None):
            sitting.wrong(Code.NOT_ALLOWED, f"what {event.patron} may answer was answered by another")
    elif kind in _SAID_BY_TERMINALS and not sitting.open.conduct.terminals:
        check(sitting, sitting.by, Duty.RUN_ROUND)


def _is_to_be_replaced(sitting: Sitting) -> bool:
    """Whether the shoe in place must be replaced, or that is proposed, or no card is left in it."""
    shoe = sitting.shoe
    if shoe is None:
        return False
    return shoe.spent or shoe.proposed or shoe.is_withheld(sitting.by, sitting.at_ms) or is_empty(sitting)


def _check_more(sitting: Sitting, event: matters.AnyEvent) -> None:
    """Some acts take a second duty, or a second person."""
    match event:
        case on.ShoeEnded() if not _is_to_be_replaced(sitting):
            check(sitting, sitting.by, Duty.REPLACE_CARDS)
        case on.CreditsCorrected():
            check_second(sitting, event.approved_by, Duty.APPROVE)
        case on.TableOpened(setup=setup) if setup.ranks != tuple(RANKS) and sitting.edition >= SECOND:
            check(sitting, sitting.by, Duty.RULE)
    match event:
        case on.CreditsBought() | on.CreditsCashedOut() if event.confirmed_by is not None:
            check_second(sitting, event.confirmed_by, Duty.CONFIRM_CASH)
        case on.TableOpened() | on.LimitsChanged() if event.beyond_file:
            check(sitting, sitting.by, Duty.EXCEED_FILE)
            check_second(sitting, event.confirmed_by, Duty.CONFIRM_SETUP)


def check_second(sitting: Sitting, second: Actor | None, duty: Duty) -> None:
    """Find fault with an act of two people that only one stands for."""
    first = sitting.by.name
    if second is None or second.position is Position.SYSTEM or key(second.name) == key(first):
        sitting.wrong(Code.NOT_ALLOWED, f"only {first} stands for what takes two people: another must {duty.value}")
    else:
        check(sitting, second, duty)


def check(sitting: Sitting, by: Actor, duty: Duty) -> None:
    """Find fault with somebody whose position does not carry a duty (B8, TNC5, EB4, E7U 6.2).

    While a table is being opened, the ranks that it is opened with are not in force yet.
    """
    terms = sitting.open
    ranks = terms.usual_ranks if sitting.opening else terms.setup.ranks
    charge = terms.conduct.duties.get(duty)
    if charge is None:
        sitting.wrong(Code.NOT_ALLOWED, f"{by.name}: {terms.book.code} lets nobody {duty.value}")
    elif by.position is Position.SYSTEM:
        if not charge.system:
            sitting.wrong(Code.NOT_ALLOWED, f"the system may not {duty.value}")
    elif not ranks_at_least(ranks, by.position, charge.position):
        where = f" ({charge.clause})" if charge.clause else ""
        said = f"{by.name}, {by.position.value}, may not {duty.value}: it takes a {charge.position.value}{where}"
        sitting.wrong(Code.NOT_ALLOWED, said)


def carries(sitting: Sitting, by: Actor, duty: Duty) -> bool:
    """Whether somebody's position carries a duty."""
    charge = sitting.open.conduct.duties.get(duty)
    return charge is not None and ranks_at_least(sitting.open.setup.ranks, by.position, charge.position)


def _is_patron_at_the_cards(sitting: Sitting, event: matters.AnyEvent) -> bool:
    """Whether a patron draws with the device, or exposes the hand that the patron handles (3.9, 3.11)."""
    device = sitting.device if sitting.method is Method.C else ""
    is_patron, name = sitting.by.position is Position.PATRON, sitting.by.name
    match event:
        case on.CuttingCardCame() if device and not is_patron and sitting.edition >= SECOND:
            return False
        case on.CardDrawn() | on.CuttingCardCame() if device:
            if not is_patron or name != device:
                sitting.wrong(Code.NOT_ALLOWED, f"{name} drew while {device} controlled the device")
            return True
        case on.CardDrawn() if sitting.method is Method.C and not sitting.stands_in and sitting.edition >= SECOND:
            sitting.wrong(Code.NOT_ALLOWED, f"{name} dealt a round that is dealt by Method C (3.11.1)")
        case on.CardsExposed() if is_patron:
            custody = sitting.custody[event.side]
            return name == (custody.designee or custody.holder or device)
    return False


def _check_floor(sitting: Sitting, event: matters.AnyEvent) -> None:
    """Time is called by the clock, or by who runs the round; what lay aside is released by the floor alone."""
    by = sitting.by
    if by.position is Position.SYSTEM:
        return
    if isinstance(event, on.CreditsReleased | on.BeaconDrawn):
        sitting.wrong(Code.NOT_ALLOWED, f"{by.name} gave {_name(event)}, which only the floor itself does")
    else:
        check(sitting, by, Duty.RUN_ROUND)


def _name(event: matters.AnyEvent) -> str:
    return str(type(event).__struct_config__.tag)
