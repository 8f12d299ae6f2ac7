"""What is written of people themselves: who may open accounts, let others act, end sessions and enrol devices.

Each entry is judged by the register as it stood before its head, by rules of the audit's own.
"""

from collections.abc import Iterable, Iterator
from typing import Final

from punto.record.checks import people as on
from punto.record.checks.books import WALLET, Books
from punto.record.checks.cashreports import CashReports
from punto.record.checks.findings import Code, Findings
from punto.record.checks.moments import WORD_MS
from punto.record.checks.orders import changed
from punto.record.checks.persons import Persons
from punto.record.checks.register import ORDERS, Account, Register, Session, key
from punto.record.checks.warrants import Claim, Warrants
from punto.record.checks.written import Actor
from punto.rules import HIGHER_RANKS, RANKS, Position

# From the lowest.
_STAFF: Final = (*RANKS, *HIGHER_RANKS)
_HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
_FLOOR: Final = Actor("floor", Position.SYSTEM)
_GUEST: Final = Actor("guest", Position.PATRON)
_DEVICE: Final = Actor("device", Position.SYSTEM)
_LONGEST_SESSION_MS: Final = 12 * 3_600_000
_LONGEST_ACTING_MS: Final = 24 * 3_600_000
_CODE_MS: Final = 10 * 60_000
# Older floors gave 15 minutes, and today's give 10.
_WAY_BACK_MS: Final = 15 * 60_000
_MOST_FIRST: Final = 2
_NEVER_MS: Final = 1 << 62
# The names that nobody on the staff has.
_KEPT: Final = frozenset({"house", "floor", "device", "guest", "clock", "automatic dealer"})
_OF_DEVICES: Final = ("guest-", "terminal-", "shoe-")
# Why sessions end by themselves; at whose wish who need not be their owner, and what a manager's act does to them.
_BY_THEMSELVES: Final = ("idle", "expired")
_BY_OWNERS: Final = ("signed-out", "revoked", "password-changed", "factors-changed", "recovered")
_BY_MANAGERS: Final = ("password-changed", "factors-changed", "account-closed")
# What somebody does for himself or herself alone.
_ALONE: Final = (
    on.SessionBegan,
    on.SessionProved,
    on.SessionEnded,
    on.ApprovalGiven,
    on.PasswordChanged,
    on.PasskeyAdded,
    on.PasskeyRemoved,
    on.CodesSet,
    on.CodesRemoved,
    on.BrowserKnown,
    on.WayBackUsed,
)


class Offices:
    """Judges the streams of identity, one head at a time."""

    def __init__(
        self, register: Register, warrants: Warrants, books: Books, findings: Findings, reports: CashReports
    ) -> None:
        self._reports = reports
        self._register = register
        self._warrants = warrants
        self._books = books
        self._findings = findings
        self._read: list[tuple[str, int, on.Noted]] = []
        self._persons = Persons(register)
        # Passkeys and one-time codes that begin under this head: whoever adds one has just shown it.
        self._added: set[str] = set()
        # Sign-ins under this head, by person and browser, and the first accounts.
        self._coming: set[tuple[str, str]] = set()
        self._first: list[str] = []

    def entry(self, stream: str, version: int, noted: on.Noted) -> None:
        """One more entry of the head that is being read."""
        self._read.append((stream, version, noted))

    def settle(self) -> None:
        """All entries of a head were read: judge them by what was before, and take them in."""
        if not self._read:
            return
        read, self._read = self._read, []
        self._added = set(_added(noted.event for _, _, noted in read))
        self._coming = set(_coming(noted.event for _, _, noted in read))
        self._first = []
        for stream, version, noted in read:
            if isinstance(noted, on.NotedOfHouse) and isinstance(noted.event, on.CashReportFiled):
                self._reports.filed((stream, version, None), noted, noted.event)
            self._warrants.named |= bool(noted.session)
            self._judge(stream, version, noted)
        for _, _, noted in read:
            self._register.take(noted, self._warrants.moment(noted.at_ms))

    def _judge(self, stream: str, version: int, noted: on.Noted) -> None:
        said = self._of_event(noted)
        if said:
            self._findings.of_play(Code.BAD_REGISTER, stream, version, None, said)
        elif self._is_a_persons(noted) and self._register.began:
            where = stream, version, None
            moment = self._warrants.moment(noted.at_ms)
            claim = Claim(noted.by, noted.session, moment, where)
            self._warrants.person(claim)
            if self._is_proved(noted) and self._warrants.proved_ms(moment):
                self._warrants.proof(claim)
            if isinstance(noted.event, on.TerminalOffered) and noted.event.confirmed_by is not None:
                second = Claim(noted.event.confirmed_by, noted.event.second, moment, where)
                self._warrants.second(second, noted.by)
                self._warrants.proof(second)

    def _is_proved(self, noted: on.Noted) -> bool:
        """Whether whoever did it must have shown a while ago at most who they are."""
        match noted.event:
            case on.SessionEnded(id_):
                session = self._register.sessions.get(id_)
                return session is not None and key(session.name) != key(noted.by.name)
            case on.TerminalOffered(confirmed_by=second):
                return second is None  # of two people the first had shown it when it was proposed
            case on.SessionBegan() | on.SessionProved() | on.SessionsSeen() | on.ApprovalGiven():
                return False
            case _:
                return True

    def _is_a_persons(self, noted: on.Noted) -> bool:
        """Whether somebody who was signed in did it; whoever signs in or approves shows a password instead."""
        own = noted.by in (_FLOOR, _GUEST, _DEVICE, _HOUSE)
        # What concerns only oneself is noted in the position held, also while somebody acts in another.
        alone = isinstance(noted.event, _ALONE)
        return not own and not (alone and not noted.session)

    def _of_event(self, noted: on.Noted) -> str:
        """What is wrong with an entry; nothing where it can be."""
        match noted.event:
            case (
                on.SessionBegan() | on.SessionProved() | on.SessionsSeen() | on.SessionEnded() | on.ApprovalGiven()
            ) as event:
                return self._of_session(noted, event)
            case (
                on.TerminalOffered()
                | on.TerminalEnrolled()
                | on.TerminalRenamed()
                | on.TerminalsSeen()
                | on.TerminalRevoked() as event
            ):
                return self._of_device(noted, event)
            case on.OrdersSet() | on.PatronRegistered() as event:
                return self._of_house(noted, event)
            case on.PersonNoted() | on.PersonErased() as event:
                return self._persons.wrong(noted, event)
            case on.CashReportFiled():
                return self._need_rank(noted.by, Position.PIT_SUPERVISOR)
            case on.PatronExcluded() | on.ExclusionLifted() as event:
                return self._of_exclusion(noted, event)
            case event:
                return self._of_account(noted, event)

    # Accounts

    def _of_account(self, noted: on.Noted, event: on.OfStaff) -> str:
        by = noted.by
        if isinstance(event, on.AccountOpened):
            return self._opened(by, event)
        account = self._register.accounts.get(key(event.name))
        if account is None or account.closed or account.name != event.name:
            return f"{event.name} is not on the staff"
        return self._changed(noted, event, account)

    def _changed(self, noted: on.Noted, event: on.OfStaff, account: Account) -> str:
        by = noted.by
        match event:
            case on.PasswordChanged(temporary=False, browser=browser):
                own = by.name == account.name
                return (
                    self._in_browser(account, browser) if own else f"{by.name} changed the password of {account.name}"
                )
            case on.PasswordChanged(browser=browser):
                if browser:
                    return f"{by.name} set a password of {account.name} in a browser, which only its owner does"
                return self._need(by, Position.GAMING_SHIFT_MANAGER, account, "set the password of another")
            case on.PositionChanged(position=position):
                said = self._need(by, Position.GAMING_SHIFT_MANAGER, account, "change the position of another")
                return said or self._given(by, account.name, position)
            case on.AccountClosed():
                return self._need(by, Position.GAMING_SHIFT_MANAGER, account, "close the account of another")
            case on.ActingGranted() | on.ActingEnded():
                return self._acting(noted, event, account)
            case on.AccountLocked():
                return "" if by == _FLOOR else f"{by.name} locked an account"
            case on.AccountUnlocked():
                return self._need_rank(by, Position.PIT_MANAGER)
            case on.AccountOpened():
                return ""
            case _:
                return self._of_factors(noted, event, account)

    def _of_factors(self, noted: on.Noted, event: on.OfFactors, account: Account) -> str:
        """What is wrong with passkeys, one-time codes and the way back in."""
        by = noted.by
        match event:
            case on.FactorsReset():
                return self._need(by, Position.GAMING_SHIFT_MANAGER, account, "reset the passkeys and codes of another")
            case on.WayBackIssued(until_ms=until_ms):
                if by != _FLOOR or until_ms - noted.at_ms > _WAY_BACK_MS:
                    return f"{by.name} made a way back in for {account.name}, which only the machine does, for a while"
                return ""
            case on.WayBackUsed() if account.way_back is None or noted.at_ms >= account.way_back[1]:
                return f"{account.name} came back in without a code from the machine"
            case on.PasskeyAdded(id=id_) if any(id_ in each.passkeys for each in self._register.accounts.newest()):
                return f"a passkey of {account.name} was somebody's already"
            case on.PasskeyRemoved(id=id_) if id_ not in account.passkeys:
                return f"a passkey of {account.name} was removed, and was none"
            case _ if by.name != account.name:
                return f"{by.name} changed how {account.name} signs in"
            case on.PasskeyAdded(browser=browser) | on.CodesSet(browser=browser):
                return self._in_browser(account, browser)
            case _:
                return ""

    def _in_browser(self, account: Account, browser: str) -> str:
        """What is wrong with the browser in which somebody is said to have done something."""
        name = account.name
        if not browser or (key(name), browser) in self._coming or self._register.own_devices.has_used(name, browser):
            return ""
        return f"{name} changed how to sign in, in a browser in which {name} had never signed in"

    def _acting(self, noted: on.Noted, event: on.ActingGranted | on.ActingEnded, account: Account) -> str:
        by = noted.by
        if isinstance(event, on.ActingGranted):
            return self._granted(noted, account, event.position, event.until_ms)
        if by == _FLOOR:
            over = noted.at_ms >= account.acting_until_ms
            return "" if over else f"{account.name} was still to act, and the floor ended it"
        return "" if by.name == account.name else self._need_rank(by, Position.ASSISTANT_CASINO_MANAGER)

    def _opened(self, by: Actor, event: on.AccountOpened) -> str:
        name = key(event.name)
        if self._register.accounts.get(name) is not None:
            return f"the name {event.name} was taken"
        if name in _KEPT or name.startswith(_OF_DEVICES) or event.position not in _STAFF:
            return f"nobody on the staff is {event.name}, {event.position.value}"
        if not self._register.began:
            first = by == _HOUSE and event.position is Position.GAMING_SHIFT_MANAGER
            if not first or name in self._first or len(self._first) == _MOST_FIRST:
                return "the first accounts are those of one or two Gaming Shift Managers, and the house opens them"
            self._first.append(name)
            return ""
        if by == _HOUSE:
            return "the house opens the first accounts, and no other"
        if not event.temporary:
            return f"{event.name} began with a password that was not to be changed"
        said = self._need(by, Position.GAMING_SHIFT_MANAGER, None, "open accounts")
        return said or self._given(by, event.name, event.position)

    def _granted(self, noted: on.Noted, account: Account, position: Position, until_ms: int) -> str:
        by = noted.by
        said = self._need(by, Position.ASSISTANT_CASINO_MANAGER, account, "let another act in a higher position")
        own = self._held(by)
        if said:
            return said
        below = own is not None and _rank(own) < _rank(Position.GAMING_SHIFT_MANAGER)
        if own is None or _rank(position) > _rank(own) or (below and position is own) or position not in _STAFF:
            return f"{by.name} let {account.name} act as {position.value}, which is more than {by.name} may give"
        if _rank(position) <= _rank(account.position):
            return f"{account.name} was let act in no higher position"
        span_ms = until_ms - noted.at_ms
        return "" if 0 < span_ms <= _LONGEST_ACTING_MS else f"{account.name} was let act for longer than a day"

    # The house

    def _of_house(self, noted: on.Noted, event: on.OrdersSet | on.PatronRegistered) -> str:
        by = noted.by
        if isinstance(event, on.OrdersSet):
            if by != _FLOOR:
                return f"{by.name} gave the house's orders, which only the floor's file does"
            if event.before and event.before != changed(self._register.orders.get(ORDERS), event):
                return "the house's orders are said to have changed otherwise than they did"
            limits = event.cash.values()
            can_be = event.independence_ms >= 0 < event.shift_ms and set(event.cash) <= set(_STAFF)
            return "" if can_be and all(limit.act_cents >= 0 for limit in limits) else "orders that cannot be"
        name = key(event.name)
        if name in _KEPT or name.startswith(_OF_DEVICES):
            return f"{event.name} was registered as a patron, and is none"
        if any(key(each) == name for each in self._register.patrons):
            return f"{event.name} was registered twice"
        if self._register.must_be_excluded(event.name, self._warrants.moment(noted.at_ms)):
            return f"{event.name} was registered, whom the house had excluded"
        return self._need_rank(by, Position.PIT_SUPERVISOR) if self._register.began else ""

    def _of_exclusion(self, noted: on.Noted, event: on.OfExclusion) -> str:
        by, name = noted.by, event.name
        there = next((each for each in self._register.excluded(name) if each.on_list == event.on_list), None)
        if key(name) in _KEPT:
            return f"{name} was excluded, and is no patron"
        if isinstance(event, on.ExclusionLifted) and there is None:
            return f"the exclusion of {name} was lifted, and there was none"
        if isinstance(event, on.ExclusionLifted) and event.still is not None:
            others = self._register.excluded(name, but=event.on_list)
            still = (each.on_list for each in others if not each.until_ms or noted.at_ms < each.until_ms)
            if event.still != tuple(sorted(still)):
                return f"{name} is said to be excluded by other lists than those that were in force"
        by_staff = isinstance(event, on.ExclusionLifted) and event.reason  # of a list that no floor has any more
        if event.on_list and not by_staff:
            return (
                "" if by == _FLOOR else f"{by.name} wrote what the list of {event.on_list} says, which the floor does"
            )
        if isinstance(event, on.ExclusionLifted):
            least = Position.GAMING_SHIFT_MANAGER
            return (
                self._need_rank(by, least) if event.reason else f"the exclusion of {name} was lifted without a reason"
            )
        if event.from_ms != noted.at_ms or 0 < event.until_ms <= noted.at_ms:
            return f"{name} was excluded for a time that cannot be"
        sooner = there is not None and there.holds(noted.at_ms) and 0 < event.until_ms < (there.until_ms or _NEVER_MS)
        return self._need_rank(by, Position.GAMING_SHIFT_MANAGER if sooner else Position.PIT_MANAGER)

    # Sessions

    def _of_session(self, noted: on.Noted, event: on.OfSessions) -> str:
        by = noted.by
        match event:
            case on.SessionsSeen():
                return "" if by == _FLOOR else f"{by.name} noted when sessions were in use"
            case on.SessionEnded():
                return self._session_ended(noted, event)
            case on.SessionBegan():
                return self._session_began(noted, event)
            case on.SessionProved():
                return self._session_proved(noted, event)
            case on.ApprovalGiven(name=name):
                return self._signed_in(noted, name) if by.name == name else f"{by.name} approved as {name}"

    def _session_began(self, noted: on.Noted, event: on.SessionBegan) -> str:
        if self._register.sessions.get(event.session) is not None:
            return f"session {event.session} began twice"
        if event.until_ms - noted.at_ms > _LONGEST_SESSION_MS:
            return f"session {event.session} was to last longer than a shift"
        if noted.by.name != event.name:
            return f"a session of {event.name} was begun by {noted.by.name}"
        if not self._register.began:
            return ""
        if event.position is not None:
            return f"{event.name} came by a link, on a floor that has accounts"
        return self._signed_in(noted, event.name) or self._proof(event.name, event) or self._too_long(noted, event)

    def _session_proved(self, noted: on.Noted, event: on.SessionProved) -> str:
        session = self._register.sessions.get(event.session)
        if session is None or session.ended or session.name != noted.by.name or session.position is not None:
            return f"{noted.by.name} proved session {event.session}, which is no open session of theirs"
        return self._proof(session.name, event) or self._too_long(noted, event)

    def _too_long(self, noted: on.Noted, event: on.SessionBegan | on.SessionProved) -> str:
        """What is wrong with the time for which a proof holds."""
        most_ms = self._warrants.proved_ms(self._warrants.moment(noted.at_ms))
        too_long = most_ms and event.proved_until_ms - noted.at_ms > most_ms
        return f"what {noted.by.name} showed was to hold for longer than the house's orders say" if too_long else ""

    def _proof(self, name: str, event: on.SessionBegan | on.SessionProved) -> str:
        """What is wrong with what somebody has shown; before proofs were written there is none."""
        account = self._register.accounts.get(key(name))
        if not event.proved_until_ms or event.proof is None:
            return f"{name} came in, and the record does not say what was shown" if self._register.proofs else ""
        if account is None:
            return ""
        if event.proof == "way-back":
            return "" if account.way_back else f"{name} came back in without a code from the machine"
        if event.proof == "passkey":
            return "" if event.passkey in self._added else self._signed(account, event)
        if event.proof == "code" and key(name) not in self._added:
            fresh = account.codes and event.step > account.step
            return "" if fresh else f"{name} came in with a one-time code that was used before, or has none"
        alone = event.proof == "password" and account.has_second
        return f"{name} came in with a password alone, and has more" if alone else ""

    @staticmethod
    def _signed(account: Account, event: on.SessionBegan | on.SessionProved) -> str:
        before = account.passkeys.get(event.passkey)
        if before is None:
            return f"{account.name} came in with a passkey of nobody's"
        counts = event.count > before or not (event.count or before)
        return "" if counts else f"{account.name} came in with a copy of a passkey: it had signed more often before"

    def _session_ended(self, noted: on.Noted, event: on.SessionEnded) -> str:
        session, why = self._register.sessions.get(event.session), event.why
        if session is None or session.ended:
            return f"session {event.session} ended, and was not open"
        if why == "expired" and noted.at_ms < session.until_ms:
            return f"session {event.session} expired before its time"
        if why in _BY_THEMSELVES and noted.by != _FLOOR:
            return f"{noted.by.name} ended session {event.session} as {why}, which only the floor does"
        may = why in _BY_THEMSELVES or self._may_end(noted, session, why)
        return "" if may else f"{noted.by.name} ended session {event.session} of {session.name} as {why}, and may not"

    def _may_end(self, noted: on.Noted, session: Session, why: str) -> bool:
        """Whether somebody may end a session: one's own, as a manager, or as whoever does not rank lower."""
        by = noted.by
        if key(by.name) == key(session.name) and why in _BY_OWNERS:
            return True
        if why in _BY_MANAGERS:
            held = self._held(by)
            return held is not None and _rank(held) >= _rank(Position.GAMING_SHIFT_MANAGER)
        if why == "signed-out":  # whoever signs in takes the place of whoever was signed in with that browser
            return any(key(by.name) == person for person, _ in self._coming)
        known = self._register.accounts.known_at(self._warrants.moment(noted.at_ms), key(session.name))
        held_by = [session.position or (each.position if each and not each.closed else None) for each in known]
        least = min((_rank(each) if each else 0 for each in held_by), default=0)
        return why == "revoked" and _rank(by.position) >= max(_rank(Position.PIT_MANAGER), least)

    def _signed_in(self, noted: on.Noted, name: str) -> str:
        """What is wrong with somebody who has shown a password."""
        account = self._register.accounts.get(key(name))
        if account is None or account.closed or account.name != name:
            return f"{name} came in, and is not on the staff"
        return f"{name} came in while the account was locked" if noted.at_ms < account.locked_until_ms else ""

    # Devices

    def _of_device(self, noted: on.Noted, event: on.OfTerminals) -> str:
        by = noted.by
        match event:
            case on.TerminalsSeen():
                return "" if by == _FLOOR else f"{by.name} noted when devices were in use"
            case on.TerminalEnrolled():
                return self._enrolled(noted, event)
            case on.TerminalOffered(name=name, until_ms=until_ms):
                if not name.startswith("terminal-") or until_ms - noted.at_ms > _CODE_MS:
                    return f"{name} was offered under a name or for a time that no terminal is"
                second = event.confirmed_by
                if (second is None) is bool(event.second):
                    return f"{name} was offered by two people, and only one of them or of their sessions is named"
                if second is not None and self._need_rank(second, Position.PIT_SUPERVISOR):
                    return self._need_rank(second, Position.PIT_SUPERVISOR)
            case on.TerminalRenamed(name=name) if self._is_unknown(name):
                return f"{name} was renamed, and is not enrolled"
            case on.TerminalRevoked(name=name) if self._is_unknown(name) and name not in self._register.offers:
                return f"{name} was withdrawn, and is not enrolled"
        return self._need_rank(by, Position.PIT_SUPERVISOR) if self._register.began else ""

    def _enrolled(self, noted: on.Noted, event: on.TerminalEnrolled) -> str:
        by, name = noted.by, event.name
        match event.kind:
            case "terminal":
                offer = self._register.offers.get(name)
                if by != _DEVICE or offer is None or noted.at_ms >= offer.until_ms:
                    return f"{name} was enrolled without a code that staff had offered"
                if not offer.by_two and self._has_credits(name, noted.at_ms):
                    return f"{name} was enrolled anew with its credits, and one person alone had offered the code"
            case "guest":
                if by != _GUEST or not name.startswith("guest-") or self._register.devices.get(name) is not None:
                    return f"{name} was enrolled as a guest, and is none"
            case "shoe":
                if not event.table or name != f"shoe-{event.table}":
                    return f"{name} was enrolled as the shoe of {event.table or 'no table'}"
                return self._need_rank(by, Position.PIT_SUPERVISOR) if self._register.began else ""
            case kind:
                return f"{name} was enrolled as {kind}, which no device is"
        return ""

    def _has_credits(self, name: str, at_ms: int) -> bool:
        """Whether a terminal has had credits for so long that every floor must have known, where that takes two."""
        filled_ms = self._books.filled_ms.get(WALLET + name)
        late = filled_ms is not None and at_ms > filled_ms + WORD_MS
        return late and self._register.began and self._warrants.credits_take_two(self._warrants.moment(at_ms))

    def _is_unknown(self, name: str) -> bool:
        device = self._register.devices.get(name)
        return device is None or device.revoked

    # Positions

    def _held(self, by: Actor) -> Position | None:
        """The position that is held, whatever somebody acts in."""
        account = self._register.accounts.get(key(by.name))
        return account.position if account and not account.closed else None

    def _need(self, by: Actor, least: Position, account: Account | None, what: str) -> str:
        """It takes another person, by the position held."""
        if account is not None and by.name == account.name:
            return f"{by.name} did for themselves what takes another: to {what}"
        held = self._held(by)
        return "" if held and _rank(held) >= _rank(least) else f"{by.name} may not {what}: it takes a {least.value}"

    def _need_rank(self, by: Actor, least: Position) -> str:
        return "" if _rank(by.position) >= _rank(least) else f"{by.name}, {by.position.value}, is no {least.value}"

    def _given(self, by: Actor, name: str, position: Position) -> str:
        """What is wrong with a position that somebody gave; whoever opens accounts gives every one (6.2)."""
        held = self._held(by)
        may = held is not None and _rank(held) >= min(_rank(position), _rank(Position.GAMING_SHIFT_MANAGER))
        return "" if may and position in _STAFF else f"{by.name} may not make {name} {position.value}"


def _added(events: Iterable[on.AnyEvent]) -> Iterator[str]:
    """The ids of new passkeys, and whose codes are new."""
    for event in events:
        if isinstance(event, on.PasskeyAdded):
            yield event.id
        elif isinstance(event, on.CodesSet):
            yield key(event.name)


def _coming(events: Iterable[on.AnyEvent]) -> Iterator[tuple[str, str]]:
    """Who comes in with which browsers."""
    for event in events:
        if isinstance(event, on.SessionBegan):
            yield key(event.name), event.browser


def _rank(position: Position) -> int:
    return _STAFF.index(position) if position in _STAFF else -1
