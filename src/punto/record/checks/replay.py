"""A table's log replayed: each event judged by what was the case before it, and each command by who gave it."""

from collections.abc import Callable
from typing import Any, Final, NamedTuple

from punto.errors import PuntoError
from punto.record.checks import (
    authority,
    bets,
    cash,
    contributing,
    counting,
    custody,
    deals,
    matters,
    offers,
    rebuilding,
    remedies,
    rulings,
    settlements,
    shoes,
)
from punto.record.checks import events as on
from punto.record.checks.books import Books, Due
from punto.record.checks.cashiers import Cashiers
from punto.record.checks.cashreports import CashReports
from punto.record.checks.editions import judge_edition
from punto.record.checks.exclusions import Exclusions
from punto.record.checks.findings import Code, Counts, Findings
from punto.record.checks.journal import JournalBook
from punto.record.checks.sequels import Command
from punto.record.checks.sitting import BETWEEN, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.record.checks.tickets import TicketBook
from punto.record.checks.transfers import flows
from punto.record.checks.warrants import Warrants
from punto.store.contract import Entry

TABLE: Final = "table/"
# What configures a table, which the journal says too.
_CONFIGURING: Final = (on.TableOpened, on.TableClosed, on.LimitsChanged)
_HANDLERS: Final[dict[type, Callable[[Sitting, Any], None]]] = {
    on.TableOpened: shoes.table_opened,
    on.TableClosed: shoes.table_closed,
    on.LimitsChanged: shoes.limits_changed,
    on.ShoeLoaded: shoes.shoe_loaded,
    on.ShoeCut: shoes.shoe_cut,
    on.ContributionCommitted: contributing.contribution_committed,
    on.ContributionsClosed: contributing.contributions_closed,
    on.ContributionRevealed: contributing.contribution_revealed,
    on.BeaconDrawn: contributing.beacon_drawn,
    on.ShoeKept: shoes.shoe_kept,
    on.ShoeEnded: shoes.shoe_ended,
    on.BetsOpened: bets.bets_opened,
    on.WagerPlaced: bets.wager_placed,
    on.WagerChanged: bets.wager_changed,
    on.WagerTakenBack: bets.wager_taken_back,
    on.LateWager: bets.late_wager,
    on.LateWithdrawal: bets.late_withdrawal,
    on.BetsClosed: bets.bets_closed,
    on.DifferentialExceeded: bets.differential_exceeded,
    on.DifferentialMet: bets.differential_met,
    on.WagerRemoved: bets.wager_removed,
    on.CardDrawn: deals.card_drawn,
    on.CuttingCardCame: shoes.cutting_card_came,
    on.CardsExposed: deals.cards_exposed,
    on.TotalsAnnounced: deals.totals_announced,
    on.OutcomeAnnounced: deals.outcome_announced,
    on.RoundSettled: settlements.round_settled,
    on.RoundVoided: settlements.round_voided,
    on.AreasRestricted: custody.areas_restricted,
    on.MethodChosen: custody.method_chosen,
    on.CardsOffered: custody.cards_offered,
    on.CardsAccepted: custody.cards_accepted,
    on.CardsRefused: custody.cards_refused,
    on.HolderWanted: custody.holder_wanted,
    on.HolderChosen: custody.holder_chosen,
    on.SqueezePermitted: custody.squeeze_permitted,
    on.HandPassed: custody.hand_passed,
    on.FirstChosen: custody.first_chosen,
    on.DeviceTaken: custody.device_taken,
    on.DeviceGivenUp: custody.device_given_up,
    on.DealerStoodIn: remedies.dealer_stood_in,
    on.DrawingPermitted: custody.drawing_permitted,
    matters.IrregularityFound: remedies.irregularity_found,
    matters.CardsRebuilt: rebuilding.cards_rebuilt,
    matters.SettlementReversed: settlements.settlement_reversed,
    matters.OrderWanted: rebuilding.order_wanted,
    matters.OrderDetermined: rebuilding.order_determined,
    matters.WithdrawalOffered: offers.withdrawal_offered,
    matters.WagerWithdrawn: offers.wager_withdrawn,
    matters.OfferAnswered: offers.offer_answered,
    matters.OfferClosed: offers.offer_closed,
    matters.OfferExtended: offers.offer_extended,
    matters.BetsReopened: remedies.bets_reopened,
    matters.CardsRetrieved: remedies.cards_retrieved,
    matters.CardsKept: remedies.cards_kept,
    matters.Attested: remedies.attested,
    matters.CountBegun: counting.count_begun,
    matters.CardsSetAside: counting.cards_set_aside,
    matters.CardsCounted: counting.cards_counted,
    matters.MissingReplaced: counting.missing_replaced,
    matters.StakeFound: remedies.stake_found,
    matters.PatronWarned: settlements.patron_warned,
    matters.Referred: rulings.referred,
    matters.Ruled: rulings.ruled,
    matters.ReportKept: remedies.report_kept,
    matters.ReportTakenUp: remedies.report_taken_up,
    matters.TerminalsFailed: remedies.terminals_failed,
    matters.TerminalsRestored: remedies.terminals_restored,
    on.CreditsBought: cash.credits_bought,
    on.CreditsCashedOut: cash.credits_cashed_out,
    on.CreditsCorrected: cash.credits_corrected,
    on.CreditsWithheld: cash.credits_withheld,
    on.CreditsReleased: cash.credits_released,
}


class Beside(NamedTuple):
    """What is judged beside tables, and must agree with them."""

    books: Books
    tickets: TicketBook
    warrants: Warrants
    cashiers: Cashiers
    journal: JournalBook
    exclusions: Exclusions
    cash_reports: CashReports
    counts: Counts


class Replay:
    """The replay of one table's log."""

    def __init__(self, stream: str, findings: Findings, beside: Beside) -> None:
        self.sitting = Sitting(stream.removeprefix(TABLE), stream, findings)
        self._books, self._tickets, self._warrants, self._cashiers = beside[:4]
        self._journal, self._exclusions, self._reports, self._counts = beside[4:]
        self._id = ""
        # What the floor's clock said when the last command was given.
        self._clock_ms = 0
        self._command: Command | None = None
        self._due: Due | None = None

    def entry(self, entry: Entry) -> None:
        """One more event."""
        sitting = self.sitting
        sitting.version = entry.version
        try:
            logged = matters.read_logged(entry.body)
        except ValueError as error:
            sitting.wrong(Code.UNREADABLE, f"an event that does not read: {error}")
            return
        event = logged.event
        lead = logged.command != self._id
        if lead:
            self.end_command()
            self._id = logged.command
        self._check_given(entry, logged, lead=lead)
        sitting.at_ms, sitting.by = logged.at_ms, logged.by
        if lead:
            where = sitting.stream, sitting.version, sitting.round or None
            self._warrants.command(where, logged)
            self._cashiers.command(where, logged)
            self._exclusions.command(where, logged)
            self._reports.command(where, logged)
        if sitting.terms is None and not isinstance(event, on.TableOpened):
            sitting.wrong(Code.OUT_OF_TURN, f"{event.__struct_config__.tag} at a table that was never opened")
            return
        if isinstance(event, _CONFIGURING):
            self._journal.configured(sitting.key, entry.version, str(event.__struct_config__.tag))
        try:
            self._judge(event, lead=lead)
        except PuntoError as error:
            sitting.wrong(Code.BAD_CARD, error.message)
        self._move(event)
        if lead:
            self._tickets.expect(sitting.key, self._id, event, sitting.stream, sitting.version)

    def _check_given(self, entry: Entry, logged: matters.Logged, *, lead: bool) -> None:
        """Find fault with when and by whom a command was given, as far as its entries say so themselves."""
        sitting, given = self.sitting, logged.given_ms
        if lead:
            # A command bears the time of the one before it where it was given earlier, and says so. While patrons have
            # time to answer, that time runs on with the clock, however far the clock is behind the table.
            passed_ms = max(0, given - self._clock_ms) if sitting.offer else 0
            if given and not (given < logged.at_ms and 0 <= logged.at_ms - sitting.at_ms <= passed_ms):
                sitting.wrong(Code.BAD_COMMAND, f"the command was given at {given}, and bears a time that is none")
            self._clock_ms = given or logged.at_ms
        elif (logged.at_ms, logged.by) != (sitting.at_ms, sitting.by):
            sitting.wrong(Code.BAD_COMMAND, "events of one command differ in who gave it, or when")
        elif any((given, logged.session, logged.second, logged.device)):
            sitting.wrong(Code.BAD_COMMAND, "only the first event of a command says how it was given")
        if logged.at_ms < sitting.at_ms:
            sitting.wrong(Code.BAD_COMMAND, "the command was given before the one ahead of it")
        if entry.command != (logged.command if lead else None):
            sitting.wrong(Code.BAD_COMMAND, f"the entry is kept under command {entry.command!r}")

    def _judge(self, event: matters.AnyEvent, *, lead: bool) -> None:
        sitting = self.sitting
        judge_edition(sitting, event)
        if isinstance(event, on.TableOpened):
            _HANDLERS[on.TableOpened](sitting, event)
            if sitting.terms:
                sitting.opening = sitting.edition >= SECOND
                authority.check_lead(sitting, event)
                sitting.opening = False
            return
        if lead or self._command is None:
            self._command = Command(sitting, event)
            sitting.reporters = authority.reporters(sitting, event)
            authority.check_lead(sitting, event)
        else:
            authority.check_follower(sitting, self._command.lead, event)
        self._command.add(sitting, event)
        _HANDLERS[type(event)](sitting, event)
        if isinstance(event, on.BetsOpened):
            self._counts.rounds += 1
            self._counts.rounds_before_second += sitting.edition < SECOND
        elif isinstance(event, on.WagerPlaced):
            self._counts.wagers += 1

    def _move(self, event: matters.AnyEvent) -> None:
        sitting = self.sitting
        if isinstance(event, on.CreditsWithheld):
            gave = self._due.put_aside(event.patron) if self._due else 0
            if event.cents != gave or not gave:
                said = f"{event.cents} cents lie aside for {event.patron}, and the command gave {gave}"
                sitting.wrong(Code.BAD_CREDITS, said)
        moved = flows(sitting.key, event)
        if not moved:
            return
        if self._due is None:
            round_ = sitting.round or None
            self._due = Due(sitting.key, sitting.stream, sitting.version, round_, sitting.at_ms)
            self._books.expect(self._id, self._due)
        self._due.add(moved, undo=isinstance(event, matters.SettlementReversed))

    def end_command(self) -> None:
        """All events of the last command have been seen."""
        sitting = self.sitting
        if self._due is not None:
            self._due.between_rounds = sitting.phase in BETWEEN or sitting.phase is Phase.CLOSED
            self._due = None
        if self._command is not None:
            self._command.end(sitting)
            bets.check_weighed(sitting)
            self._command = None
        self._id = ""
