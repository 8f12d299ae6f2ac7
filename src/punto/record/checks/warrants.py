"""Warrants: every command was given by somebody who was there, in the position then held, in a session then open.

Nobody is judged before the first account is on record: a store that is used without people stays clean. Commands of
before sessions were named are judged by the rules of their day: somebody of that name was signed in.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator
from enum import Enum, auto
from itertools import product
from typing import Final, NamedTuple

from punto.record.checks import events as on
from punto.record.checks import matters, people
from punto.record.checks.findings import Code, Findings, Place
from punto.record.checks.moments import WORD_MS, Moment
from punto.record.checks.register import ORDERS, Account, Register, Session, key
from punto.record.checks.written import Actor
from punto.rules import Found, Position

# Before sessions were named, a floor noticed within two seconds that somebody was no longer let in.
_NOTICED_MS: Final = 2_000
# What whoever is no person does: the clock of terminals, the automatic dealer, the floor after a stop, the house as it
# opens the tables of its file, and the import of a shoe.
_DEALS: Final = (
    on.ShoeLoaded,
    on.ShoeEnded,
    on.ContributionsClosed,
    on.BetsOpened,
    on.BetsClosed,
    on.DifferentialExceeded,
    on.CardDrawn,
    on.CuttingCardCame,
    on.CardsExposed,
    on.TotalsAnnounced,
    on.OutcomeAnnounced,
    on.RoundSettled,
    on.FirstChosen,
    on.CardsRefused,
    matters.OfferClosed,
    matters.OfferExtended,
    matters.IrregularityFound,
    matters.CardsKept,
    matters.Referred,
    matters.ReportKept,
)
# Money and rulings, for which somebody must have shown a while ago at most who they are.
_PROVED: Final = (on.CreditsBought, on.CreditsCashedOut, on.CreditsCorrected, on.CreditsReleased, matters.Ruled)
# The same since orders say for how long that holds.
_PROVED_BY_ORDER: Final = (on.TableOpened, on.LimitsChanged, on.WagerRemoved, matters.CardsSetAside)
IMPORT: Final = Actor("import", Position.GAMING_SHIFT_MANAGER)
_CLOCK: Final = Actor("clock", Position.SYSTEM)
_AUTOMATIC: Final = Actor("automatic dealer", Position.DEALER)
_FLOOR: Final = Actor("floor", Position.SYSTEM)
_HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
OWN: Final = frozenset({IMPORT, _CLOCK, _AUTOMATIC, _FLOOR, _HOUSE})
_OWN_NAMES: Final = frozenset(actor.name for actor in OWN)
_DEMONSTRATION: Final = "the demonstration was interrupted"
# Of what a shoe reads, the ids begin so.
_READING: Final = "reading-"
_TABLE: Final = "table/"


# A stream, a version, and a round.
Where = tuple[str, int, int | None]


class Wrong(NamedTuple):
    """What is the matter with somebody."""

    code: Code
    said: str


class Claim(NamedTuple):
    """Somebody who is said to have been there: at which moment, in which session; *where* is what says so."""

    by: Actor
    session: str
    moment: Moment
    where: Where


class Question(Enum):
    """What is asked of a claim, and asked again once more heads were read."""

    PERSON = auto()
    APPROVAL = auto()
    PROOF = auto()


class Doubt(NamedTuple):
    """A claim that did not hold when it was read, and that heads of other writers may still explain."""

    claim: Claim
    question: Question
    wrong: Wrong
    place: Place
    # The command that was approved, where that is the question.
    command: str


class Warrants:
    """Judges whoever gave a command, against the register at that moment."""

    def __init__(self, register: Register, findings: Findings) -> None:
        self._register = register
        self._findings = findings
        # Whether sessions are named by now.
        self.named = False
        # The writer of the head that is being read, the number of that head over all writers, and whether heads of
        # other writers are still to come: then what is not known yet may still be told.
        self.writer = ""
        self.head = 0
        self.others = False
        # Whether somebody has decided to go on from an older store: then the floor replaces shoes by itself.
        self.set_back = False
        self._waiting: list[Doubt] = []
        # The latest claim of each writer that was found wrong because no heads of others were left to explain it.
        self.unexplained_ms: defaultdict[str, int] = defaultdict(int)
        # Until when, and from when on, somebody was found right; good until the register changes.
        self._right: dict[tuple[Actor, str, str], tuple[int, int]] = {}
        self._changes = -1
        # Tables that hold an imported shoe, and under which head it came.
        self._imports: dict[str, int] = {}

    def __getstate__(self) -> dict[str, object]:
        """What was found right is worked out again."""
        return self.__dict__ | {"_right": {}, "_changes": -1}

    def moment(self, at_ms: int) -> Moment:
        """A time under the head that is being read."""
        since_ms = min((doubt.claim.moment.at_ms for doubt in self._waiting), default=at_ms)
        return Moment(at_ms, self.writer, self.head, since_ms)

    # Commands

    def command(self, where: Where, logged: matters.Logged) -> None:
        """Judge who gave the command of a table that begins with this entry."""
        table = where[0].removeprefix(_TABLE)
        self.named |= bool(logged.session or logged.second or logged.device)
        if not self._register.began:
            return
        by, event = logged.by, logged.event
        moment = self.moment(logged.given_ms or logged.at_ms)
        if by.name in _OWN_NAMES:
            self._judge_own(where, logged, table)
        elif by.position is Position.PATRON:
            if self._imports.get(table) != self.head:
                self._judge_patron(where, by.name, moment)
        else:
            self.person(Claim(by, logged.session, moment, where))
        if logged.device or (logged.command.startswith(_READING) and self.named):
            self._judge_shoe(where, logged.device, table, moment)
        second = self._second(where, logged, moment)
        if second is not None:
            self.second(Claim(second, logged.second, moment, where), by)
        elif logged.second:
            self._wrong(where, Wrong(Code.BAD_COMMAND, "the session of a second person is named, and nobody is"))
        if isinstance(event, _PROVED) or (isinstance(event, _PROVED_BY_ORDER) and self.proved_ms(moment)):
            self.proof(Claim(by, logged.session, moment, where))
        self.proof(Claim(second or by, logged.second, moment, where))

    def _second(self, where: Where, logged: matters.Logged, moment: Moment) -> Actor | None:
        """The second person behind a command; whoever approved a correction by password is judged as was done then."""
        event = logged.event
        second: Actor | None = getattr(event, "confirmed_by", None)
        if not isinstance(event, on.CreditsCorrected):
            return second
        if logged.second or self._orders(moment) is not None:
            return event.approved_by
        self._judge_approver(Claim(event.approved_by, "", moment, where), logged.by, logged.command)
        return second

    def patron(self, where: Where, name: str, at_ms: int) -> None:
        """Judge a patron who has acted at a terminal, elsewhere than at a table."""
        self._judge_patron(where, name, self.moment(at_ms))

    def refused(self, where: Where, by: Actor) -> None:
        """Whoever was refused is somebody; of when that was, the record of refusals is no proof."""
        if not self._register.began or by in OWN:
            return
        if by.position is Position.PATRON:
            if self._register.devices.get(by.name) is None:
                self._wrong(where, Wrong(Code.UNKNOWN_DEVICE, f"{by.name} was refused, and no terminal is called so"))
        elif self._register.accounts.get(key(by.name)) is None:
            self._wrong(where, Wrong(Code.UNKNOWN_PERSON, f"{by.name} was refused, and is nobody on the staff"))

    def _judge_own(self, where: Where, logged: matters.Logged, table: str) -> None:
        """The floor's own actors do what they may do, and nothing else."""
        by, event = logged.by, logged.event
        if by == IMPORT:
            if isinstance(event, on.TableOpened):
                self._imports[table] = self.head
            may = self._imports.get(table) == self.head and logged.command.startswith(f"import-{table}-")
        elif by in (_CLOCK, _AUTOMATIC):
            may = isinstance(event, _DEALS)
        elif by == _FLOOR:
            interrupts = isinstance(event, matters.IrregularityFound) and event.found is Found.INTERRUPTION
            may = interrupts or isinstance(event, on.CreditsReleased | on.BeaconDrawn)
        elif by == _HOUSE:
            opens = isinstance(event, on.TableOpened) and not event.beyond_file
            replaces = self.set_back and isinstance(event, on.ShoeEnded)
            may = opens or replaces or (isinstance(event, matters.Ruled) and event.reason == _DEMONSTRATION)
        else:
            may = False
        if not may or logged.session:
            tag = event.__struct_config__.tag
            self._wrong(where, Wrong(Code.NOT_ALLOWED, f"{tag} by {by.name}, {by.position.value}, who is no person"))

    def _judge_patron(self, where: Where, name: str, moment: Moment) -> None:
        wrong = None
        for device in self._register.devices.known_at(moment, name):
            if device is None or device.kind not in ("terminal", "guest"):
                wrong = Wrong(Code.UNKNOWN_DEVICE, f"{name} acted, and no terminal of that name was enrolled")
            elif device.revoked:
                wrong = Wrong(Code.UNKNOWN_DEVICE, f"{name} acted after that terminal was withdrawn")
            else:
                return
        if wrong:
            self._wrong(where, wrong)

    def _judge_shoe(self, where: Where, name: str, table: str, moment: Moment) -> None:
        wrong = Wrong(Code.UNKNOWN_DEVICE, "a card was read, and no shoe is named that read it")
        for device in self._register.devices.known_at(moment, name) if name else ():
            if device is None or device.kind != "shoe":
                wrong = Wrong(Code.UNKNOWN_DEVICE, f"{name} read a card, and no shoe of that name was enrolled")
            elif device.revoked:
                wrong = Wrong(Code.UNKNOWN_DEVICE, f"{name} read a card after it was withdrawn")
            elif device.table != table:
                wrong = Wrong(Code.UNKNOWN_DEVICE, f"{name} read a card, and belongs to table {device.table}")
            else:
                return
        self._wrong(where, wrong)

    def second(self, claim: Claim, first: Actor) -> None:
        """Judge the second person behind an act: another one, there at that moment, and independent of the first."""
        if key(claim.by.name) == key(first.name):
            said = f"{first.name} alone stands for what takes two people"
            self._wrong(claim.where, Wrong(Code.ONE_PERSON_TWICE, said))
            return
        self.person(claim)
        orders = self._orders(claim.moment)
        span_ms = orders.independence_ms if orders else 0
        one, other = key(first.name), key(claim.by.name)
        alike = self._is_ordered(claim.moment, lambda known: known.young_alike)
        if span_ms and not self._register.independent(one, other, claim.moment, span_ms, young_alike=alike):
            two = f"{first.name} and {claim.by.name} stood for it"
            said = f"{two}, and one had opened or changed the other's account, or the same person had opened both"
            self._wrong(claim.where, Wrong(Code.NOT_INDEPENDENT, said))
        waits = self._is_ordered(claim.moment, lambda known: known.way_back_waits)
        for each in (first.name, claim.by.name):
            if waits and self._register.has_come_back(key(each), claim.moment, span_ms):
                said = f"{each} stood for it with another, and had come back with a code from the machine not long ago"
                self._wrong(claim.where, Wrong(Code.NOT_INDEPENDENT, said))
            needs = self._is_ordered(claim.moment, lambda known: known.own_device)
            if needs and not self._register.own_devices.is_own(key(each), claim.moment):
                said = f"{each} stood for it with another, and had not enrolled on a device of their own"
                self._wrong(claim.where, Wrong(Code.NOT_ON_OWN_DEVICE, said))

    def credits_take_two(self, moment: Moment) -> bool:
        """Whether, by all orders that the writer may have gone by, a terminal with credits moves by two people."""
        return self._is_ordered(moment, lambda known: known.credits_take_two)

    def proved_ms(self, moment: Moment) -> int:
        """How long what somebody shows may hold, by all orders that the writer may have gone by; 0 where none says."""
        known = [each.prove_again_ms if each else 0 for each in self._register.orders.known_at(moment, ORDERS)]
        return max(known) if all(known) else 0

    def _is_ordered(self, moment: Moment, what: Callable[[people.OrdersSet], bool]) -> bool:
        """Whether all orders that the writer may have gone by say something."""
        known = self._register.orders.known_at(moment, ORDERS)
        return all(orders is not None and what(orders) for orders in known)

    def _orders(self, moment: Moment) -> people.OrdersSet | None:
        """The mildest orders that the writer may have gone by; none where it may have known of none."""
        known = [*self._register.orders.known_at(moment, ORDERS)]
        if None in known:
            return None
        return min((each for each in known if each), key=lambda each: each.independence_ms, default=None)

    def _judge_approver(self, claim: Claim, first: Actor, command: str) -> None:
        """Whoever approves on another's page has shown name and password, and that is on record since."""
        if key(claim.by.name) == key(first.name):
            said = f"{first.name} alone stands for what takes two people"
            self._wrong(claim.where, Wrong(Code.ONE_PERSON_TWICE, said))
            return
        self._ask(claim, Question.APPROVAL, command)

    def proof(self, claim: Claim) -> None:
        """Judge whether somebody has shown a while ago at most who they are, where the record says until when."""
        if claim.session:
            self._ask(claim, Question.PROOF)

    def _of_proof(self, claim: Claim) -> Wrong | None:
        for session in self._register.sessions.known_at(claim.moment, claim.session):
            proved_until_ms = session.proved_until_ms if session else 0
            if not proved_until_ms or claim.moment.at_ms < proved_until_ms:
                return None
        return Wrong(Code.NO_SESSION, f"{claim.by.name} acted too long after showing who it was")

    # People

    def person(self, claim: Claim) -> None:
        """Judge a member of staff."""
        at_ms = claim.moment.at_ms
        if self._changes != self._register.changes:
            self._right.clear()
            self._changes = self._register.changes
        right = self._right.get((claim.by, claim.session, claim.moment.writer))
        if right is not None and right[0] <= at_ms < right[1]:
            return
        self._ask(claim, Question.PERSON)

    def settle(self, now_ms: int) -> None:
        """A head was read: look again at those who may be explained by it."""
        waiting, self._waiting = self._waiting, []
        for doubt in waiting:
            if self._answer(doubt.claim, doubt.question, doubt.command) is None:
                continue
            if self.others and now_ms <= doubt.claim.moment.at_ms + WORD_MS:
                self._waiting.append(doubt)
            else:
                self._tell(doubt, now_ms)

    def _ask(self, claim: Claim, question: Question, command: str = "") -> None:
        """Tell what is wrong with a claim, unless heads of other floors may still explain it."""
        wrong = self._answer(claim, question, command)
        if wrong is None:
            return
        doubt = Doubt(claim, question, wrong, self._findings.place(), command)
        if self.others:
            self._waiting.append(doubt)
        else:
            self._tell(doubt, claim.moment.at_ms)

    def _answer(self, claim: Claim, question: Question, command: str) -> Wrong | None:
        match question:
            case Question.PERSON:
                return self._fault(claim)
            case Question.APPROVAL:
                return self._of_approval(claim, command)
            case Question.PROOF:
                return self._of_proof(claim)

    def _tell(self, doubt: Doubt, now_ms: int) -> None:
        """Tell what is wrong in its place, and note whether it was only that nobody was left to explain it."""
        claim, (code, said) = doubt.claim, doubt.wrong
        stream, version, round_ = claim.where
        if now_ms <= claim.moment.at_ms + WORD_MS:
            writer = claim.moment.writer
            self.unexplained_ms[writer] = max(self.unexplained_ms[writer], claim.moment.at_ms)
        self._findings.of_play(code, stream, version, round_, said, place=doubt.place)

    def _fault(self, claim: Claim) -> Wrong | None:
        """What is the matter with somebody, by whatever the writer may have known."""
        if claim.by.position in (Position.SYSTEM, Position.PATRON):
            return Wrong(Code.UNKNOWN_PERSON, f"{claim.by.name}, {claim.by.position.value}, is nobody on the staff")
        wrong = self._of_account(claim)
        if wrong is not None:
            return wrong
        if not claim.session:
            return self._of_any_session(claim)
        register, moment = self._register, claim.moment
        second = self._is_ordered(moment, lambda known: known.second_factor)
        for session, account in product(
            register.sessions.known_at(moment, claim.session), register.accounts.known_at(moment, key(claim.by.name))
        ):
            wrong = _of_session(claim, session) or _of_state(claim, account, second=second)
            if wrong is None:
                self._remember(claim, session, account)
                return None
        return wrong

    def _of_account(self, claim: Claim) -> Wrong | None:
        wrong = None
        second = self._is_ordered(claim.moment, lambda known: known.second_factor)
        for account in self._register.accounts.known_at(claim.moment, key(claim.by.name)):
            wrong = _of_state(claim, account, second=second)
            if wrong is None:
                return None
        return wrong

    def _of_approval(self, claim: Claim, command: str) -> Wrong | None:
        """Before sessions of second persons were named, whoever approved had shown a password for the command."""
        wrong = self._of_account(claim)
        if wrong is None and self.named and claim.by.name not in self._register.approvals.get(command, ()):
            wrong = Wrong(Code.NO_APPROVAL, f"{claim.by.name} is said to have approved, and never did so")
        return wrong

    def _of_any_session(self, claim: Claim) -> Wrong | None:
        """Before sessions were named, somebody had to be signed in; since then, which session it is must be said."""
        name = claim.by.name
        if self.named:
            return Wrong(Code.NO_SESSION, f"{name} acted, and no session is named")
        for id_ in reversed(self._register.sessions_of.get(key(name), {})):
            for session in self._sessions_before(id_, claim.moment):
                if _of_session(claim, session, _NOTICED_MS) is None:
                    self._remember(claim, session, self._register.accounts.get(key(name)))
                    return None
        return Wrong(Code.NO_SESSION, f"{name} acted, and was not signed in")

    def _remember(self, claim: Claim, session: Session | None, account: Account | None) -> None:
        """Remember who is right by the register as it stands; whoever went by an earlier state is judged each time."""
        register = self._register
        newest = register.sessions.get(session.id) if session else None
        if session and account and newest is session and register.accounts.get(key(account.name)) is account:
            good = _good(account, session, claim.moment.at_ms)
            self._right[claim.by, claim.session, claim.moment.writer] = good

    def _sessions_before(self, id_: str, moment: Moment) -> Iterator[Session | None]:
        yield from self._register.sessions.known_at(moment, id_)
        yield from self._register.sessions.since(moment, _NOTICED_MS, id_)

    def _wrong(self, where: Where, wrong: Wrong) -> None:
        stream, version, round_ = where
        self._findings.of_play(wrong.code, stream, version, round_, wrong.said)


def _of_state(claim: Claim, account: Account | None, *, second: bool) -> Wrong | None:
    """What is the matter with the account and the position of somebody, who may need a *second* factor."""
    by, at_ms = claim.by, claim.moment.at_ms
    if account is None or account.name != by.name:
        return Wrong(Code.UNKNOWN_PERSON, f"{by.name} acted, and nobody of that name was on the staff")
    if account.closed:
        return Wrong(Code.UNKNOWN_PERSON, f"{by.name} acted, and was on the staff no more")
    if account.temporary:
        return Wrong(Code.NO_SESSION, f"{by.name} acted with a password that another had set")
    if second and not account.has_second:
        return Wrong(Code.NO_SESSION, f"{by.name} acted with a password alone, which the house's orders forbid")
    held = account.actor(at_ms)
    if held != by:
        said = f"{by.name} acted as {_words(by)}, and was {_words(held)} then"
        if by.acting and account.acting is by.position:
            said = f"{by.name} acted as {by.position.value} after the time for that was over"
        return Wrong(Code.WRONG_POSITION, said)
    return None


def _of_session(claim: Claim, session: Session | None, grace_ms: int = 0) -> Wrong | None:
    """What is the matter with the session of somebody."""
    name, at_ms = claim.by.name, claim.moment.at_ms
    if session is None:
        return Wrong(Code.NO_SESSION, f"{name} acted in session {claim.session}, which nobody had begun")
    if session.name != name:
        return Wrong(Code.NO_SESSION, f"{name} acted in the session of {session.name}")
    if session.position is not None:
        return Wrong(Code.UNKNOWN_PERSON, f"{name} came by a link, on a floor that has accounts")
    if session.ended or at_ms >= session.until_ms + grace_ms:
        return Wrong(Code.NO_SESSION, f"{name} acted in session {session.id}, which was over")
    return None


def _good(account: Account, session: Session, at_ms: int) -> tuple[int, int]:
    """From when until when somebody who is right at a time stays so, if nothing changes."""
    first, last = 0, session.until_ms
    if account.acting is not None:
        if at_ms < account.acting_until_ms:
            last = min(last, account.acting_until_ms)
        else:
            first = account.acting_until_ms
    return first, last


def _words(actor: Actor) -> str:
    return f"acting {actor.position.value}" if actor.acting else actor.position.value
