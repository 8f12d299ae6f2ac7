"""Second factors: the passkeys and one-time codes of the staff, how they are added and removed, and what they prove."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from punto.errors import Malformed, NotSignedIn, Refusal, SecondNeeded, WrongProof
from punto.floor import Keys
from punto.floor.personal import KeptKind
from punto.rules import Position
from punto.server.identity import codes, passkeys
from punto.server.identity import events as on
from punto.server.identity.challenges import Challenges, encoded
from punto.server.identity.events import AnyEvent, Ending, Proved
from punto.server.identity.passkeys import Made, Signed
from punto.server.identity.people import Account, Passkey, Session, key
from punto.server.identity.personal import PersonalData
from punto.server.identity.register import Register
from punto.table import Actor
from punto.table.actor import LONGEST_NAME

MOST_PASSKEYS: Final = 10
# So long after a secret for one-time codes was given out, an app must have shown its first code.
_OFFERED_MS: Final = 10 * 60_000
_SIGN_IN: Final = "sign-in"


class Shown(NamedTuple):
    """What somebody has shown besides the password, or in its place."""

    proof: Proved
    passkey: str = ""
    signed: int = 0
    step: int = 0


class Asked(NamedTuple):
    """What a page needs to have a passkey made: a challenge, whose it will be, and the ids that are there already."""

    challenge: str
    name: str
    user: str
    there: tuple[str, ...]


class Offer(NamedTuple):
    """A secret for one-time codes, and the same as an app reads it from a QR code."""

    secret: str
    address: str


class Factors:
    """What is done with second factors."""

    def __init__(self, register: Register, personal: PersonalData, keys: Keys, floor: str, proved_ms: int) -> None:
        self._register = register
        self._personal = personal
        self._people = register.people
        self._clock = register.now_ms
        self._keys = keys
        self._floor = floor
        self._challenges = Challenges(self._clock)
        # The secret for one-time codes that each session was given last, and until when it may be set.
        self._offered: dict[str, tuple[str, int]] = {}
        self._proved_ms = proved_ms

    # Proof

    @property
    def proved_ms(self) -> int:
        """How long it holds that somebody has proved who they are: no longer than the orders on record say."""
        orders = self._people.orders
        ordered_ms = orders.prove_again_ms if orders else 0
        return min(self._proved_ms, ordered_ms) if ordered_ms else self._proved_ms

    def challenge(self) -> str:
        """A challenge for whoever signs in with a passkey, whose ever it is."""
        return self._challenges.make(_SIGN_IN)

    def challenge_of(self, session: Session) -> str:
        """A challenge for whoever is signed in, and proves it again."""
        return self._challenges.make(session.id)

    async def by_passkey(self, answer: Signed, origin: str, session: Session | None = None) -> tuple[Account, Shown]:
        """Whose passkey has answered a challenge; with a *session*, the one that was given to it."""
        challenge = passkeys.challenge_in(answer.client_data)
        self._challenges.check(challenge, session.id if session else _SIGN_IN)
        found = self._people.with_passkey(answer.id)
        if found is None or (session and key(found[0].name) != key(session.name)):
            raise WrongProof("this passkey does not let you in here: try another, or sign in with password and code")
        account, passkey = found
        count = await passkeys.count_of(answer, passkey, origin)
        self._challenges.check(challenge, session.id if session else _SIGN_IN)  # two may come at the same moment
        self._challenges.use_up(challenge)
        return account, Shown(Proved.PASSKEY, passkey.id, count)

    def by_code(self, account: Account, code: str) -> Shown:
        """What is shown with a name, the right password and a one-time code."""
        if not account.has_second:
            return Shown(Proved.PASSWORD)
        if not code:
            raise SecondNeeded("a passkey or a one-time code is needed besides the password")
        step = self._step(account, code)
        if not step:
            raise WrongProof("the code is not right, or was used before: wait for the next one")
        return Shown(Proved.CODE, step=step)

    def check_still(self, account: Account, shown: Shown) -> None:
        """Refuse what was removed, or used up by another, since it was looked at."""
        passkey = account.passkeys.get(shown.passkey)
        fresh = {
            Proved.PASSWORD: not account.has_second,
            Proved.CODE: bool(account.secret) and shown.step > account.step,
            Proved.PASSKEY: passkey is not None
            and (shown.signed > passkey.count or shown.signed == passkey.count == 0),
            Proved.WAY_BACK: True,
        }
        if not fresh[shown.proof]:
            raise WrongProof("that was used or removed a moment ago: try again")

    async def prove(self, session: Session, shown: Shown) -> None:
        """Somebody who is signed in has shown again who they are."""

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            self._people.find_session(session.id)
            self.check_still(self._account(session), shown)
            yield on.SessionProved(session.id, shown.proof, at_ms + self.proved_ms, *shown[1:])

        await self._register.write(self._own(session), decide)

    def _step(self, account: Account, code: str) -> int:
        if not account.secret:
            return 0
        secret = self._keys.unseal(account.secret, _about(account.name))
        return codes.step_of(secret, code, self._clock(), account.step)

    # Passkeys

    def asked(self, session: Session) -> Asked:
        """What a page needs to have a passkey made."""
        account = self._account(session)
        user = encoded(on.digest(key(account.name)).encode()[:32])
        return Asked(self._challenges.make(_adding(session)), account.name, user, tuple(account.passkeys))

    async def add_passkey(self, session: Session, made: Made, label: str, origin: str) -> None:
        """Let somebody in with another passkey; all other sessions of theirs end."""
        challenge = passkeys.challenge_in(made.client_data)
        self._challenges.check(challenge, _adding(session))
        passkey = await passkeys.made(made, origin)
        self._challenges.use_up(challenge)
        if len(label) > LONGEST_NAME or not label.isprintable():
            raise Malformed(f"a passkey is called by up to {LONGEST_NAME} letters and signs, on one line")
        self._check_may(session, self._register.now_ms())
        kept = await self._personal.keep_quietly(self._account(session).name, label, KeptKind.LABEL)

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            account = self._check_may(session, at_ms)
            if len(account.passkeys) >= MOST_PASSKEYS:
                raise Refusal(f"there are {MOST_PASSKEYS} passkeys already: remove one first")
            if self._people.with_passkey(passkey.id) is not None:
                raise Refusal("this passkey is there already: nothing was changed")
            yield on.PasskeyAdded(
                account.name,
                passkey.id,
                passkey.key,
                passkey.rp,
                passkey.count,
                label_kept=kept,
                browser=session.browser,
            )
            shown = Shown(Proved.PASSKEY, passkey.id, passkey.count)
            yield from self._proved_by_adding(session, shown, at_ms)

        await self._register.write(self._own(session), decide)

    async def labels(self, account: Account) -> dict[str, str]:
        """What the passkeys of somebody are called, by their ids."""
        there = account.passkeys.values()
        kept = {each.id: each.label_kept for each in there if each.label_kept}
        texts = await self._personal.texts(kept, dict.fromkeys(kept, account.name))
        return {each.id: each.label for each in there} | texts

    async def remove_passkey(self, session: Session, id_: str) -> None:
        """Let nobody in with a passkey any more."""

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            account = self._check_may(session, at_ms)
            if id_ not in account.passkeys:
                raise Refusal("there is no such passkey: it was removed already")
            self._check_rest(len(account.passkeys) - 1 + bool(account.secret))
            yield on.PasskeyRemoved(account.name, id_)

        await self._register.write(self._own(session), decide)

    # One-time codes

    def offer(self, session: Session) -> Offer:
        """A secret for an app, in place of one that the session was given before.

        It counts once a code that the app made of it has come back.
        """
        account, secret, at_ms = self._account(session), codes.fresh_secret(), self._clock()
        self._offered = {id_: each for id_, each in self._offered.items() if at_ms < each[1]}
        self._offered[session.id] = secret, at_ms + _OFFERED_MS
        return Offer(secret, codes.address_of(secret, account.name, self._floor))

    async def set_codes(self, session: Session, secret: str, code: str) -> None:
        """Let somebody in with the codes of an app, which has shown one; all other sessions of theirs end."""
        given, until_ms = self._offered.get(session.id, ("", 0))
        codes.check_secret(secret, given if self._clock() < until_ms else "")
        step = codes.step_of(secret, code, self._clock(), 0)
        if not step:
            raise WrongProof("the code is not the one that the app should show now: is the phone's clock right?")

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            account = self._check_may(session, at_ms)
            yield on.CodesSet(account.name, self._keys.seal(secret, _about(account.name)), step, session.browser)
            yield from self._proved_by_adding(session, Shown(Proved.CODE, step=step), at_ms)

        await self._register.write(self._own(session), decide)
        self._offered.pop(session.id, None)

    async def remove_codes(self, session: Session) -> None:
        """Let nobody in with the codes of the app any more."""

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            account = self._check_may(session, at_ms)
            if not account.secret:
                raise Refusal("there are no one-time codes: they were removed already")
            self._check_rest(len(account.passkeys))
            yield on.CodesRemoved(account.name)

        await self._register.write(self._own(session), decide)

    # What all share

    def _proved_by_adding(self, session: Session, shown: Shown, at_ms: int) -> Iterator[AnyEvent]:
        """Whoever adds something has just shown it, in a browser that is known now; sessions without it are over."""
        yield on.SessionProved(session.id, shown.proof, at_ms + self.proved_ms, *shown[1:])
        if session.browser and session.browser not in self._account(session).browsers:
            yield on.BrowserKnown(session.name, session.browser)
        for other in self._people.sessions_of(session.name):
            if other.id != session.id:
                yield on.SessionEnded(other.id, Ending.FACTORS_CHANGED)

    def _check_may(self, session: Session, at_ms: int) -> Account:
        """The account of somebody who may change how they sign in: proved a while ago at most, by an own password."""
        self._people.find_session(session.id)
        account = self._account(session)
        if account.temporary:
            raise NotSignedIn("change your password first: another knows it")
        self._people.check_proved(session, at_ms)
        return account

    def _check_rest(self, left: int) -> None:
        if not left and self._people.needs_second:
            raise Refusal("this floor asks everybody for a passkey or one-time codes: add another first")

    def _account(self, session: Session) -> Account:
        account = self._people.account(session.name) if session.position is None else None
        if account is None:
            raise NotSignedIn("you came by a link: there is no account")
        return account

    def _own(self, session: Session) -> Actor:
        return Actor(session.name, self._people.own_position(session) or Position.DEALER)


def listed(account: Account) -> list[Passkey]:
    """The passkeys of somebody, the oldest first."""
    return sorted(account.passkeys.values(), key=lambda each: each.added_ms)


def _about(name: str) -> str:
    return f"one-time codes/{key(name)}"


def _adding(session: Session) -> str:
    return f"add/{session.id}"
