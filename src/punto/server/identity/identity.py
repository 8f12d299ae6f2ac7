"""Who is behind a request: the terminal or the member of staff that its cookies name."""

import asyncio
import logging
from collections.abc import Callable, Iterable, Iterator
from hmac import compare_digest
from typing import Final, NamedTuple

import structlog
from msgspec.structs import replace

from punto.errors import BadCode, BadPassword, Conflict, NotSignedIn, PuntoError, TooFast, WrongPassword, WrongProof
from punto.floor.personal import KeptKind
from punto.record.journal import AGAIN
from punto.rules import Position
from punto.server.config import FloorConfig
from punto.server.heavy.turns import STAFF
from punto.server.identity import authority, requests
from punto.server.identity import events as on
from punto.server.identity.accounts import Accounts, FirstAccount
from punto.server.identity.attempts import Attempts
from punto.server.identity.devices import Devices, plain
from punto.server.identity.events import AnyEvent, Ending, Kind, Proved
from punto.server.identity.exclusions import Exclusions
from punto.server.identity.factors import Factors, Shown
from punto.server.identity.gate import Gate
from punto.server.identity.house import House
from punto.server.identity.limits import Limiter, Limits
from punto.server.identity.passkeys import Signed
from punto.server.identity.passwords import Passwords, check_new
from punto.server.identity.people import Account, Session, Terminal, key
from punto.server.identity.personal import PersonalData
from punto.server.identity.proof import Origin, Proof
from punto.server.identity.register import Clock, Register
from punto.server.identity.requests import Scope
from punto.server.orders import HOUR_MS
from punto.server.writer import Writer
from punto.surroundings import now_ms, token_hex, token_urlsafe
from punto.table import Actor

# How the names of visitors begin that are addresses.
ADDRESS: Final = "address/"
# A shift, and somewhat more: nobody stays signed in for longer.
LIFE_MS: Final = 12 * 3_600_000
_SWEEP_S: Final = 0.5
# When somebody was last seen is written down so often at most.
_NOTE_SESSIONS_MS: Final = 5 * 60_000
_NOTE_TERMINALS_MS: Final = 60 * 60_000
_LOOK_AT_TERMINALS_MS: Final = 60_000
_FLOOR: Final = Actor("floor", Position.SYSTEM)
_USUAL: Final = Limits()


class Papers(NamedTuple):
    """What a connection showed when it came: the id of a session and the name of a terminal; empty without one."""

    session: str = ""
    terminal: str = ""


class SignedIn(NamedTuple):
    """A session, and the token that only its browser will know."""

    session: Session
    token: str


class _Coming(NamedTuple):
    """A session that is about to begin; *kept* is the commitment to the address that it comes from."""

    id: str
    token: str
    name: str
    kept: str
    browser: str = ""


class Besides(NamedTuple):
    """What is shown besides name and password: a one-time code, and the token that the browser keeps."""

    code: str = ""
    browser: str = ""


_NOTHING: Final = Besides()


class Identity:
    """All who are known to the floor."""

    def __init__(
        self,
        writer: Writer,
        config: FloorConfig,
        clock: Clock = now_ms,
        limits: Limits = _USUAL,
        passwords: Passwords | None = None,
    ) -> None:
        self.cookies = requests.CookieNames(config)
        self.origins = requests.Origins(config)
        self._config = config
        self._clock = clock
        self._listeners: list[Callable[[AnyEvent], None]] = []
        self._passwords = passwords or Passwords()
        self._register = Register(writer, clock, self._happened, second_factor=config.asks_for_second)
        self._people = self._register.people
        self.accounts = Accounts(self._register, self._passwords, config.name)
        self.house = House(self._register)
        self.personal = PersonalData(self._register, self.house, writer, config)
        self.listen(self.personal.heard)
        self.devices = Devices(self._register, self.personal, clock, {table.key for table in config.tables})
        self.exclusions = Exclusions(self._register, self.personal, writer, config.name)
        proved_ms = round(config.prove_again_s * 1000)
        self.factors = Factors(self._register, self.personal, writer.floor.keys, config.name, proved_ms)
        self._links: dict[str, Actor] = {}
        self._passkeys = Limiter(limits.sign_in_address)
        self._guests = Limiter(limits.guest_address)
        self._enrolments = Limiter(limits.enrol_address)
        self.attempts = Attempts()
        limits = replace(limits, first_password_ms=config.first_password_hours * HOUR_MS)
        self._proof = Proof(self._register, self._passwords, clock, limits, self.attempts)
        self._sweeping: asyncio.Task[None] | None = None
        self._looked_ms = 0
        self._log = structlog.get_logger("punto.identity")

    # The beginning and the end

    @property
    def gate(self) -> Gate:
        """People as the thread that writes knows them."""
        return self._register.gate

    async def begin(self) -> None:
        """Read who is known, and look after sessions from now on."""
        await self._register.catch_up()
        await self.house.order(self._config.orders)
        await self.personal.begin()
        await self._passwords.begin()
        self._sweeping = asyncio.get_running_loop().create_task(self._sweep())

    async def stop(self, *, keep: bool = True) -> None:
        """Write down who was last seen when, unless nothing is to be *kept*, and look after sessions no longer."""
        if self._sweeping is not None:
            self._sweeping.cancel()
            await asyncio.gather(self._sweeping, return_exceptions=True)
            self._sweeping = None
            self.attempts.flush(self._clock(), end=True)
            try:
                if keep:
                    await self._register.write_later(
                        _FLOOR, lambda _, at_ms: [*self._seen_sessions(at_ms, 0), *self._seen_terminals(0)]
                    )
            except PuntoError as error:
                self._log.error("who was last seen could not be written down", said=error.message)
        self._passwords.stop()

    async def _sweep(self) -> None:
        said = ""
        while True:
            await asyncio.sleep(_SWEEP_S)
            try:
                await self.sweep()
                said = ""
            except Exception as error:  # noqa: BLE001 (whatever it is, sessions must end when the store is back)
                why = error.message if isinstance(error, PuntoError) else repr(error)
                if why != said:
                    said = why
                    # A store that is away is no fault of ours, and health says so.
                    level = logging.WARNING if isinstance(error, Conflict) else logging.ERROR
                    self._log.log(level, "sessions could not be looked after", said=said)

    async def sweep(self) -> None:
        """End what is over by now, and read what other floors on the same store wrote."""
        self.attempts.flush(self._clock())
        await self._register.catch_up()
        await self._register.write_later(_FLOOR, self._due)
        await self.personal.sweep()

    def _due(self, _: Actor, at_ms: int) -> Iterator[AnyEvent]:
        for session in self._people.sessions.values():
            session.seen_ms = min(session.seen_ms, at_ms)  # the clock may have been set back
            over = self._over(session, at_ms)
            if over is not None:
                yield on.SessionEnded(session.id, over)
        for account in self._people.accounts():
            if account.acting is not None and at_ms >= account.acting_until_ms:
                yield on.ActingEnded(account.name)
        yield from self._seen_sessions(at_ms, min(_NOTE_SESSIONS_MS, round(self._config.idle_s * 1000 / 3)))
        if at_ms - self._looked_ms >= _LOOK_AT_TERMINALS_MS:  # there may be very many
            self._looked_ms = at_ms
            yield from self._seen_terminals(_NOTE_TERMINALS_MS)

    def _seen_sessions(self, at_ms: int, often_ms: int) -> Iterator[AnyEvent]:
        """When sessions were last in use, of all those where that was last written so long ago."""
        sessions = {
            each.id: each.seen_ms
            for each in self._people.sessions.values()
            if each.seen_ms - each.noted_ms > often_ms and self._over(each, at_ms) is None
        }
        if sessions:
            yield on.SessionsSeen(sessions)

    def _seen_terminals(self, often_ms: int) -> Iterator[AnyEvent]:
        """When devices were last in use, likewise."""
        devices = self._people.terminals.values()
        terminals = {each.name: each.seen_ms for each in devices if each.seen_ms - each.noted_ms > often_ms}
        if terminals:
            yield on.TerminalsSeen(terminals)

    def _over(self, session: Session, at_ms: int) -> Ending | None:
        """Why a session is over by now; who came by a link cannot come back, and is not sent away for being idle."""
        if at_ms >= session.until_ms:
            return Ending.EXPIRED
        if session.position is None and at_ms - session.seen_ms > self._config.idle_s * 1000:
            return Ending.IDLE
        return None

    # What happens

    def listen(self, listener: Callable[[AnyEvent], None]) -> None:
        """Have a function told of everything that happens, once it is durable."""
        self._listeners.append(listener)

    def _happened(self, event: AnyEvent) -> None:
        if isinstance(event, on.AccountUnlocked | on.PasswordChanged):
            self._proof.forgive(event.name)
        for listener in self._listeners:
            try:
                listener(event)
            except Exception:  # noqa: BLE001 (it has happened, and the others are still to be told)
                self._log.exception("somebody could not be told", happened=type(event).__name__)

    # Who asks

    def session(self, scope: Scope) -> Session | None:
        """The session behind a request, which is in use by that, unless the page has asked by itself."""
        session = self._current(scope)
        if session is not None and not requests.is_unattended(scope):
            session.seen_ms = self._clock()
        return session

    def _current(self, scope: Scope) -> Session | None:
        session = self._people.session_with(requests.cookie(scope, self.cookies.staff))
        return session if session is not None and self._over(session, self._clock()) is None else None

    def signed_in(self, scope: Scope) -> Session:
        """The session behind a request, which may act as staff."""
        session = self.session(scope)
        if session is None:
            raise NotSignedIn("sign in first")
        if self._people.actor(session, self._clock()) is None:
            account = self.account_of(session)
            if account is not None and not account.temporary:
                raise NotSignedIn("add a passkey or one-time codes first: this floor asks everybody for them")
            raise NotSignedIn("change your password first: another knows it")
        return session

    def terminal(self, scope: Scope) -> Terminal | None:
        """The terminal behind a request, which is in use by that."""
        terminal = self._people.device_with(requests.cookie(scope, self.cookies.terminal))
        at_ms = self._clock()
        if terminal is None or terminal.kind is Kind.SHOE or terminal.is_forgotten(at_ms):
            return None
        terminal.seen_ms = max(terminal.seen_ms, at_ms)
        return terminal

    def patron(self, scope: Scope) -> Actor | None:
        """The patron whose terminal asks."""
        terminal = self.terminal(scope)
        return Actor(terminal.name, Position.PATRON) if terminal else None

    def staff(self, scope: Scope) -> Actor | None:
        """The member of staff who asks, in the position held or acted in."""
        session = self.session(scope)
        return self.acts_as(session) if session else None

    def acts_as(self, session: Session) -> Actor | None:
        """As whom a session acts now; none while its password must be changed."""
        return self._people.actor(session, self._clock())

    def account_of(self, session: Session) -> Account | None:
        """The account of a session; none when it came by a link."""
        return self._people.account(session.name) if session.position is None else None

    def device(self, authorization: str | None) -> str | None:
        """The key of the table whose shoe asks, by its Authorization header."""
        return self.devices.table_of(authorization)

    def is_ours(self, scope: Scope) -> bool:
        """Whether the page that asks is one of the floor's own."""
        return self.origins.has_page_of(scope)

    def is_excluded(self, patron: str) -> bool:
        """Whether the house lets a patron play no more, by now."""
        return self._people.is_excluded(patron, self._clock())

    def visitor(self, scope: Scope) -> str:
        """Who has a share of what the floor can do: a member of staff, a terminal, or all guests at one address."""
        staff = self.staff(scope)
        if staff is not None:
            return STAFF + staff.name
        terminal = self.terminal(scope)
        if terminal is not None and terminal.kind is Kind.TERMINAL:
            return f"terminal/{terminal.name}"
        return ADDRESS + self.address(scope)

    def address(self, scope: Scope) -> str:
        """Where a request comes from."""
        return requests.address(scope)

    # Connections

    def papers(self, scope: Scope) -> Papers:
        """What a connection shows when it comes; a page that has lost one comes by itself."""
        session, terminal = self._current(scope), self.terminal(scope)
        return Papers(session.id if session else "", terminal.name if terminal else "")

    def active(self, papers: Papers) -> None:
        """A person has done something on a connection."""
        at_ms = self._clock()
        session, terminal = self._people.sessions.get(papers.session), self._people.terminals.get(papers.terminal)
        if session is not None and self._over(session, at_ms) is None:
            session.seen_ms = at_ms
        if terminal is not None:
            terminal.seen_ms = at_ms

    def staff_in(self, session: str) -> Actor | None:
        """The member of staff of a session, by its id, as of now."""
        return self.staff_with(Papers(session))

    def staff_with(self, papers: Papers) -> Actor | None:
        """The member of staff on a connection, as of now."""
        session = self._people.sessions.get(papers.session)
        return self.acts_as(session) if session else None

    # Coming and going

    async def sign_in(
        self, name: str, password: str, address: str = "", before: Session | None = None, besides: Besides = _NOTHING
    ) -> SignedIn:
        """Begin a session, in place of one that the browser had *before*.

        Whether anybody has the name, neither the answer tells nor how long it takes.
        """
        origin = Origin(address, besides.browser)
        try:
            account = await self._proof.of(name, password, origin)
            shown = self.factors.by_code(account, besides.code)
        except (WrongPassword, WrongProof, TooFast) as refusal:
            if isinstance(refusal, WrongProof):
                self._proof.fail(name, origin)
            self._failed(self._people.account(name), address, refusal)
            raise
        signed_in = await self._come_in(account, shown, address, before, besides.browser)
        self._proof.succeed(account, origin)
        return signed_in

    async def sign_in_with(
        self, answer: Signed, page: str, address: str = "", before: Session | None = None, *, browser: str = ""
    ) -> SignedIn:
        """The same with a passkey, on a page whose origin is *page*: nobody needs to say a name."""
        try:
            account, shown = await self.factors.by_passkey(answer, page)
        except WrongProof as refusal:
            self._failed(None, address, refusal)
            # Only who has none of the staff's passkeys can be held up by others at the address.
            self._passkeys.take(address, self._clock())
            raise
        return await self._come_in(account, shown, address, before, browser)

    def _failed(self, account: Account | None, address: str, refusal: PuntoError) -> None:
        # Not the name that was typed: it may be a password in the wrong place.
        self._log.warning("a sign-in failed", address=address, code=refusal.code)
        self.attempts.failed(account, address, refusal.code, self._clock())

    async def _come_in(
        self, account: Account, shown: Shown, address: str, before: Session | None, browser: str
    ) -> SignedIn:
        id_, token = token_hex(8), token_urlsafe(32)
        self._check_still(account, self._clock())  # of whoever does not come in nothing is kept
        kept = await self.personal.keep_quietly(account.name, address, KeptKind.ADDRESS)

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            self._check_still(account, at_ms)
            self.factors.check_still(account, shown)
            if before is not None and before.id in self._people.sessions:
                yield on.SessionEnded(before.id, Ending.SIGNED_OUT)
            yield _began(_Coming(id_, token, account.name, kept, browser), shown, at_ms, self.factors.proved_ms)
            yield from self._made_known(account, browser)

        await self._register.write(account.actor(self._clock()), decide)
        return SignedIn(self._people.find_session(id_), token)

    def _made_known(self, account: Account, browser: str) -> Iterator[AnyEvent]:
        """A browser is known once its owner has come in with all that it takes, by a password of the owner's own."""
        ready = browser and not account.temporary and not self._people.must_enrol(account)
        if ready and not self._people.knows(browser, account):
            yield on.BrowserKnown(account.name, on.digest(browser))

    def browser(self, scope: Scope) -> str:
        """The token of a browser with which somebody has signed in; else a fresh one for this browser to keep."""
        token = requests.cookie(scope, self.cookies.browser)
        return token if self._people.has_seen(token) else token_urlsafe(32)

    def is_on_own_device(self, session: Session) -> bool:
        """Whether whoever is signed in may stand with another for an act; whoever came by a link may."""
        account = self.account_of(session)
        return account is None or self._people.is_on_own_device(account.name)

    def check_proved(self, id_: str) -> None:
        """Refuse a session whose owner showed too long ago who they are."""
        self._people.check_proved(self._people.find_session(id_), self._clock())

    def must_enrol(self, session: Session) -> bool:
        """Whether somebody needs a passkey or one-time codes before anything else."""
        account = self.account_of(session)
        return account is not None and self._people.must_enrol(account)

    async def prove(self, session: Session, code: str = "", password: str = "") -> None:
        """Show again who one is: by a one-time code, or by the password where there is nothing else."""
        account = self.account_of(session)
        if account is None:
            raise NotSignedIn("you came by a link: there is nothing to prove")
        origin = Origin(staff=account.name)
        try:
            if account.has_second:
                self._proof.check(account.name, origin)
                shown = self.factors.by_code(account, code)
            else:
                shown = self.factors.by_code(await self._proof.of(account.name, password, origin), "")
        except (WrongPassword, WrongProof, TooFast) as refusal:
            if isinstance(refusal, WrongProof):
                self._proof.fail(account.name, origin)
            self._not_proved(account, refusal)
            raise
        await self.factors.prove(session, shown)

    async def prove_with(self, session: Session, answer: Signed, page: str) -> None:
        """The same with a passkey."""
        try:
            _, shown = await self.factors.by_passkey(answer, page, session)
        except WrongProof as refusal:
            self._not_proved(self.account_of(session), refusal)
            raise
        await self.factors.prove(session, shown)

    def _not_proved(self, account: Account | None, refusal: PuntoError) -> None:
        """Whoever is signed in could not show again who they are: that counts like a failed sign-in."""
        self._log.warning("somebody could not prove who they are", code=refusal.code)
        self.attempts.failed(account, "", AGAIN + refusal.code, self._clock())

    async def come_back(self, name: str, code: str, password: str, address: str = "", browser: str = "") -> SignedIn:
        """Come in by a code that was made on the machine itself: what was lost counts no longer, nor does it let in.

        Wrong codes make one wait as wrong passwords do. Whoever has the right one waits for nobody.
        """
        origin = Origin(address, browser)
        if self._way_back(name, code) is None:
            await self._look_again(name, code, origin)
        check_new(name, password, self._config.name)
        hash_ = await self._passwords.hash(password)
        token, id_ = token_urlsafe(32), token_hex(8)
        kept = await self.personal.keep_quietly(self._find_way_back(name, code).name, address, KeptKind.ADDRESS)

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            account = self._find_way_back(name, code)
            yield on.WayBackUsed(account.name)
            yield on.PasswordChanged(account.name, hash_, browser=on.digest(browser) if browser else "")
            for session in self._people.sessions_of(account.name):
                yield on.SessionEnded(session.id, Ending.RECOVERED)
            coming = _Coming(id_, token, account.name, kept, browser)
            yield _began(coming, Shown(Proved.WAY_BACK), at_ms, self.factors.proved_ms)

        account = self._find_way_back(name, code)
        self._proof.succeed(account, origin)
        await self._register.write(Actor(account.name, account.position), decide)
        return SignedIn(self._people.find_session(id_), token)

    async def _look_again(self, name: str, code: str, origin: Origin) -> None:
        """Count a code that seems wrong against its place; another process may have written it a moment ago."""
        try:
            self._enrolments.take(origin.address, self._clock())
            self._proof.check(name, origin)
            await self._register.catch_up()
            self._find_way_back(name, code)
        except (BadCode, TooFast) as refusal:
            if isinstance(refusal, BadCode):
                self._proof.fail(name, origin)
            self._failed(self._people.account(name), origin.address, refusal)
            raise

    def _find_way_back(self, name: str, code: str) -> Account:
        account = self._way_back(name, code)
        if account is None:
            raise BadCode("this code does not let this name in: it is wrong, was used already, or is too old")
        return account

    def _way_back(self, name: str, code: str) -> Account | None:
        """The account that a code lets in again; none where it is not the right one."""
        account = self._people.account(name)
        way_back = account.way_back if account else None
        there = way_back.code if way_back is not None and self._clock() < way_back.until_ms else ""
        return account if compare_digest(there, on.digest(plain(code))) else None

    async def sign_out(self, session: Session) -> None:
        """End a session, by whoever has it."""
        await self._register.write(self._owner(session), lambda _, __: self._ended([session], Ending.SIGNED_OUT))

    async def change_password(self, session: Session, old: str, new: str) -> None:
        """Change one's own password; all other sessions of the account end.

        Whoever has a passkey or one-time codes must have shown one a while ago at most.
        """
        account = self.account_of(session)
        if account is None:
            raise NotSignedIn("you came by a link: there is no password to change")
        check_new(account.name, new, self._config.name)
        if new == old:
            raise BadPassword("the new password is the old one: choose another")
        self._check_second_shown(session, self._clock())
        account = await self._proof.of(account.name, old, Origin(staff=account.name))
        hash_ = await self._passwords.hash(new, STAFF + account.name)

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            self._people.find_session(session.id)
            self._check_second_shown(session, at_ms)
            yield on.PasswordChanged(account.name, hash_, browser=session.browser)
            others = [each for each in self._people.sessions_of(account.name) if each.id != session.id]
            yield from self._ended(others, Ending.PASSWORD_CHANGED)

        await self._register.write(self._owner(session), decide)

    def _check_second_shown(self, session: Session, at_ms: int) -> None:
        """Refuse whoever has a second factor and showed it too long ago."""
        account = self.account_of(session)
        if account is not None and account.has_second:
            self._people.check_proved(session, at_ms)

    def _check_still(self, account: Account, at_ms: int) -> None:
        """Refuse whoever was taken off the staff since the password was looked at."""
        if account.closed:
            raise WrongPassword("the name and the password do not belong together")
        if at_ms < account.locked_until_ms:
            raise TooFast("too many wrong tries: wait, or ask a manager to let you try again")

    async def first_account(self, name: str, password: str) -> None:
        """Open the account of a floor that has none: a Gaming Shift Manager's."""
        await self.first_accounts(FirstAccount(name, password))

    async def first_accounts(self, *first: FirstAccount) -> None:
        """Open the accounts of a floor that has none: one or two Gaming Shift Managers', who are independent."""
        await self._register.catch_up()
        await self.accounts.open_first(*first)

    def link(self, name: str, position: Position) -> str:
        """A code that lets somebody in once, as staff, without an account."""
        code = token_urlsafe(24)
        self._links[on.digest(code)] = Actor(name, position)
        return code

    async def follow(self, code: str, address: str = "") -> str | None:
        """The token for who follows a link, the first time."""
        actor = self._links.pop(on.digest(code), None)
        if actor is None:
            return None
        token, id_ = token_urlsafe(32), token_hex(8)
        kept = ""

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            yield on.SessionBegan(
                id_, on.digest(token), actor.name, at_ms + LIFE_MS, position=actor.position, address_kept=kept
            )

        try:
            kept = await self.personal.keep_quietly(actor.name, address, KeptKind.ADDRESS)
            await self._register.write(actor, decide)
        except PuntoError:
            self._links[on.digest(code)] = actor  # nobody has come in by it
            raise
        return token

    def position_with(self, token: str) -> Position | None:
        """The position of who came in by a link, and got this token."""
        session = self._people.session_with(token)
        return session.position if session else None

    async def enrol_guest(self, address: str = "") -> str:
        """A terminal for a guest: the token that its cookie keeps."""
        self._guests.take(address, self._clock())
        return (await self.devices.enrol_guest()).token

    async def enrol(self, code: str, address: str = "") -> str:
        """A terminal for whoever brings its code: the token that its cookie keeps."""
        if not self.devices.is_offered(code):
            self._enrolments.take(address, self._clock())  # whoever has a right code waits for nobody
        try:
            return (await self.devices.enrol(code)).token
        except BadCode as refusal:
            self._failed(None, address, refusal)
            raise

    def named(self, token: str) -> str:
        """The name of the patron on a terminal."""
        terminal = self._people.device_with(token)
        return terminal.name if terminal else ""

    # Sessions

    async def addresses(self, sessions: Iterable[Session]) -> dict[str, str]:
        """Where sessions came from, by their ids: of new ones it lies beside the record, and can be erased."""
        there = list(sessions)
        kept = {each.id: each.address_kept for each in there if each.address_kept}
        plain = {each.id: each.address for each in there}
        return plain | await self.personal.texts(kept, {each.id: each.name for each in there})

    def sessions(self, session: Session) -> list[Session]:
        """The open sessions: everybody's, for who may end them, and otherwise one's own."""
        by, at_ms = self.acts_as(session), self._clock()
        everybodys = by is not None and authority.is_at_least(by.position, authority.OTHERS_SESSIONS)
        there = [each for each in self._people.sessions.values() if self._over(each, at_ms) is None]
        return [each for each in there if everybodys or self._is_same(each, session)]

    async def revoke(self, by: Session, id_: str) -> None:
        """End a session at once: one's own, or that of somebody who does not rank higher."""

        def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
            mine = by.id == id_ or (id_ in self._people.sessions and self._is_same(self._people.sessions[id_], by))
            if not mine:
                authority.check(actor.position, authority.OTHERS_SESSIONS, "end the sessions of others")
            session = self._people.find_session(id_)
            if not mine:
                held = self._people.own_position(session) or Position.DEALER
                authority.check(actor.position, held, f"end the session of {session.name}")
                self._people.check_proved(by, at_ms)
            yield on.SessionEnded(id_, Ending.REVOKED)

        await self._register.write(by, decide)

    @staticmethod
    def _is_same(one: Session, other: Session) -> bool:
        """Whether two sessions are one person's."""
        return key(one.name) == key(other.name) and one.position is other.position

    def _ended(self, sessions: list[Session], why: Ending) -> Iterator[AnyEvent]:
        for session in sessions:
            if session.id in self._people.sessions:
                yield on.SessionEnded(session.id, why)

    def _owner(self, session: Session) -> Actor:
        return Actor(session.name, self._people.own_position(session) or Position.DEALER)


def _began(coming: _Coming, shown: Shown, at_ms: int, proved_ms: int) -> on.SessionBegan:
    """That a session begins, of somebody who has shown something."""
    return on.SessionBegan(
        coming.id,
        on.digest(coming.token),
        coming.name,
        at_ms + LIFE_MS,
        proof=shown.proof,
        proved_until_ms=at_ms + proved_ms,
        passkey=shown.passkey,
        count=shown.signed,
        step=shown.step,
        address_kept=coming.kept,
        browser=on.digest(coming.browser) if coming.browser else "",
    )
