"""Sequels: what the rulebook has follow from something must follow, in the same command."""

from typing import Final

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.custody import has_lost
from punto.record.checks.findings import Code
from punto.record.checks.remedies import owes_interruption
from punto.record.checks.settlements import under_minimum
from punto.record.checks.sitting import AFTER_CLOSE, BETWEEN, VOIDS, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.rules import Found, Remedy

_REQUIRED: Final[dict[Remedy, type]] = {
    Remedy.VOID: on.RoundVoided,
    Remedy.VOID_AND_PROPOSE: on.RoundVoided,
    Remedy.VOID_AND_REPLACE: on.RoundVoided,
    Remedy.REBUILD: matters.CardsRebuilt,
    Remedy.OFFER_THEN_REBUILD: matters.WithdrawalOffered,
    Remedy.ORDER_THEN_OFFER: matters.OrderWanted,
    Remedy.OFFER_ALL_THEN_PLAY_ON: matters.WithdrawalOffered,
    Remedy.OFFER_THEN_REOPEN: matters.WithdrawalOffered,
    Remedy.OFFER_THEN_PLAY_ON: matters.WithdrawalOffered,
    Remedy.RETRIEVE: matters.CardsRetrieved,
    Remedy.DEALER_EXPOSES: matters.CardsKept,
    Remedy.COUNT: matters.CountBegun,
    Remedy.SETTLE_WITHIN_LIMITS: matters.StakeFound,
    Remedy.REFER: matters.Referred,
}
_AFTER_OFFERS: Final[dict[str, type]] = {"rebuild": matters.CardsRebuilt, "reopen": matters.BetsReopened}


class Command:
    """One command, as its events tell of it."""

    def __init__(self, sitting: Sitting, lead: matters.AnyEvent) -> None:
        self.lead = lead
        self._kinds: set[type] = set()
        self._wanted: set[type] = set()
        self._between = sitting.phase in BETWEEN
        self._settled = sitting.phase is Phase.SETTLED and sitting.edition >= SECOND

    def add(self, sitting: Sitting, event: matters.AnyEvent) -> None:
        """One more event, before it is judged."""
        self._kinds.add(type(event))
        match event:
            case matters.IrregularityFound():
                self._want(self._consequence(sitting, event))
            case matters.SettlementReversed() if event is self.lead:
                self._want(matters.Ruled)
            case matters.Ruled(ruling="continue" | "return", returns=returns, results=results) if self._settled:
                if returns or results:
                    self._want(matters.SettlementReversed)
                    self._want(on.RoundSettled)
            case matters.OfferClosed() if sitting.offer:
                self._want(_AFTER_OFFERS.get(sitting.offer.sequel))
            case matters.Ruled(ruling="void", round=round_) if round_ <= sitting.round:
                self._want(on.RoundVoided)
            case matters.Ruled(ruling="order"):
                self._want(matters.CardsRebuilt)
            case matters.OrderDetermined():
                self._want(matters.WithdrawalOffered)

    def _consequence(self, sitting: Sitting, event: matters.IrregularityFound) -> type | None:
        """What must follow from a finding, if anything must."""
        if event.found is Found.TERMINALS_DOWN:
            return matters.TerminalsFailed
        if event.found is Found.WRONG_PATRON and event.remedy is Remedy.PLAY_ON:
            # Whoever had the cards has turned them (5.7.1).
            lies_open = all(laid.up for laid in sitting.cards if laid.side.value == event.note)
            return None if lies_open else on.CardsExposed
        return None if self._between and _voids(event.remedy) else _REQUIRED.get(event.remedy)

    def _want(self, kind: type | None) -> None:
        if kind:
            self._wanted.add(kind)

    def end(self, sitting: Sitting) -> None:
        """All events have been judged."""
        if on.DealerStoodIn in self._kinds:
            self._wanted.discard(matters.CardsKept)
        for kind in self._wanted - self._kinds:
            tag = kind.__struct_config__.tag  # type: ignore[attr-defined]
            sitting.wrong(Code.BAD_REMEDY, f"{tag} was to follow from {self.lead.__struct_config__.tag}, and did not")
        self._check_reports(sitting)
        closed = on.BetsClosed in self._kinds or (sitting.edition >= SECOND and sitting.phase in AFTER_CLOSE)
        drawer = sitting.device if closed else ""
        if drawer and drawer not in sitting.may_draw and all(bet.patron != drawer for bet in sitting.bets.values()):
            sitting.wrong(Code.BAD_CUSTODY, f"{drawer} kept the device without a wager once bets were closed (3.11.2)")
        if owes_interruption(sitting):
            sitting.wrong(Code.BAD_REMEDY, "an interruption that came while something was awaited was forgotten")
        sitting.interrupted &= bool(sitting.pending) or sitting.unread_in_hands
        sitting.end_command()
        if sitting.phase is Phase.SETTLED and on.RoundSettled in self._kinds:
            for patron in sorted(under_minimum(sitting) - sitting.warned.keys()):
                sitting.wrong(Code.BAD_REMEDY, f"{patron} had a wager under the minimum settled, and was not warned")
            if sitting.device and has_lost(sitting, sitting.device):
                said = f"{sitting.device} has lost, and kept the device (3.11.8.2)"
                sitting.wrong(Code.BAD_CUSTODY, said)

    def _check_reports(self, sitting: Sitting) -> None:
        """Reports that waited are taken up, and lead to something."""
        for report in sitting.kept if not sitting.pending else ():
            sitting.wrong(Code.BAD_REMEDY, f"a report of {report.found.value} was kept, and never taken up")
        due = sitting.due_report
        if due:
            sitting.wrong(Code.BAD_REMEDY, f"a report of {due.found.value} was taken up, and nothing followed")
        for found in sitting.dropped:
            reset = found is Found.DEVICE_RESET and sitting.phase is not Phase.DEALING
            if not (reset or sitting.phase is Phase.BETS_OPEN):
                sitting.wrong(Code.BAD_REMEDY, f"a report of {found.value} was dropped in a round that went on")


def _voids(remedy: Remedy) -> bool:
    return remedy in VOIDS
