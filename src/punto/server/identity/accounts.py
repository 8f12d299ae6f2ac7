"""Accounts: who is on the staff, in what position, and who acts in a higher one for a while."""

from collections.abc import Iterator
from typing import Final, NamedTuple

from punto.errors import Malformed, NameTaken, NotAllowed, Refusal, quoted
from punto.floor.croupier import AUTOMATIC, CLOCK
from punto.rules import Position
from punto.server.identity import authority
from punto.server.identity import events as on
from punto.server.identity.events import AnyEvent, Ending
from punto.server.identity.passwords import Passwords, check_new
from punto.server.identity.people import Account, Session, key
from punto.server.identity.register import Register
from punto.table import Actor
from punto.table.actor import check_person, one

LONGEST_ACTING_MS: Final = 24 * 3_600_000
# Names that the record knows as the floor's own.
_KEPT: Final = frozenset({"house", "floor", "device", "guest", "import", CLOCK.name, AUTOMATIC.name})
_OF_DEVICES: Final = ("guest-", "terminal-", "shoe-")
_OF_SHOES: Final = "shoe-"
_HOUSE: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)


def check_patron(name: str) -> None:
    """Refuse a name that no patron has: one of the floor's own, or a shoe's. Terminals and guests are patrons."""
    check_person(name)
    if key(name) in _KEPT or key(name).startswith(_OF_SHOES):
        raise NameTaken(f"the name {quoted(name)} is the floor's own, and no patron's: nothing was done")


def is_of_a_device(name: str) -> bool:
    """Whether terminals, guests or shoes have such names."""
    return key(name).startswith(_OF_DEVICES)


class FirstAccount(NamedTuple):
    """Somebody who is on the staff from the beginning, with a password of their own."""

    name: str
    password: str


class Accounts:
    """What is done to accounts. Whoever does it is judged by the position held when it is done."""

    def __init__(self, register: Register, passwords: Passwords, floor: str) -> None:
        self._register = register
        self._people = register.people
        self._passwords = passwords
        self._floor = floor

    async def open_first(self, *first: FirstAccount) -> None:
        """Open the accounts of a floor that has none: one or two Gaming Shift Managers', who owe it to nobody."""
        if len({key(each.name) for each in first}) < len(first):
            raise NameTaken(f"the name {quoted(first[-1].name)} is that of the first manager: choose another")
        hashes = [await self._new_hash(each.name, each.password) for each in first]

        def decide(_: Actor, __: int) -> Iterator[AnyEvent]:
            if any(self._people.accounts()):
                raise Refusal("the floor has accounts already: nothing was changed")
            for each, hash_ in zip(first, hashes, strict=True):
                self._check_name(each.name)
                yield on.AccountOpened(each.name, Position.GAMING_SHIFT_MANAGER, hash_)

        await self._register.write(_HOUSE, decide)

    async def open(self, by: Session, name: str, position: Position, password: str) -> Account:
        """Put somebody on the staff, with a password that is to be changed at once."""
        self._check_may(by, "open accounts")
        hash_ = await self._new_hash(name, password)

        def decide(_: Actor, __: int) -> Iterator[AnyEvent]:
            own = self._check_may(by, "open accounts")
            self._check_position(own, position)
            self._check_name(name)
            yield on.AccountOpened(name, position, hash_, temporary=True)

        await self._register.write(by, decide, proved=True)
        return self._people.find_account(name)

    async def move(self, by: Session, name: str, position: Position) -> Account:
        """Give somebody another position; who acts in a higher one no longer does."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            own = self._check_may(by, "change positions")
            account = self._people.find_account(name)
            authority.check_other(actor, account.name, "change your own position")
            self._check_position(own, position)
            if account.acting is not None:
                yield on.ActingEnded(account.name)
            if account.position is not position:
                yield on.PositionChanged(account.name, position)

        await self._register.write(by, decide, proved=True)
        return self._people.find_account(name)

    async def set_password(self, by: Session, name: str, password: str) -> None:
        """Give somebody a new password, to be changed at once; all of their sessions end."""
        self._check_may(by, "set passwords")
        hash_ = await self._new_hash(name, password)

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            self._check_may(by, "set passwords")
            account = self._people.find_account(name)
            authority.check_other(actor, account.name, "set your own password without the old one")
            yield on.PasswordChanged(account.name, hash_, temporary=True)
            for session in self._people.sessions_of(account.name):
                yield on.SessionEnded(session.id, Ending.PASSWORD_CHANGED)

        await self._register.write(by, decide, proved=True)

    async def close(self, by: Session, name: str) -> None:
        """Take somebody off the staff; all of their sessions end."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            self._check_may(by, "close accounts")
            account = self._people.find_account(name)
            authority.check_other(actor, account.name, "close your own account")
            yield on.AccountClosed(account.name)
            for session in self._people.sessions_of(account.name):
                yield on.SessionEnded(session.id, Ending.ACCOUNT_CLOSED)

        await self._register.write(by, decide, proved=True)

    async def reset_factors(self, by: Session, name: str) -> None:
        """Remove all passkeys and one-time codes of somebody who has lost them; all of their sessions end."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            self._check_may(by, "reset passkeys and codes")
            account = self._people.find_account(name)
            authority.check_other(actor, account.name, "reset your own passkeys and codes")
            yield on.FactorsReset(account.name)
            for session in self._people.sessions_of(account.name):
                yield on.SessionEnded(session.id, Ending.FACTORS_CHANGED)

        await self._register.write(by, decide, proved=True)

    async def unlock(self, by: Session, name: str) -> None:
        """Let somebody try again at once."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.UNLOCKING, "unlock accounts")
            account = self._people.find_account(name)
            yield on.AccountUnlocked(account.name)

        await self._register.write(by, decide, proved=True)

    async def let_act(self, by: Session, name: str, position: Position, span_ms: int) -> Account:
        """Let somebody act in a higher position for a while (B8, TNC5 6.2)."""

        def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
            authority.check_grant(self._people.own_position(by), position)
            account = self._people.find_account(name)
            authority.check_other(actor, account.name, "give yourself another position for a while")
            if authority.is_at_least(account.position, position):
                raise Malformed(f"{account.name} is {one(account.position)}, and acts only in a higher position")
            if not 0 < span_ms <= LONGEST_ACTING_MS:
                raise Malformed(f"somebody acts for up to {LONGEST_ACTING_MS // 3_600_000} hours")
            yield on.ActingGranted(account.name, position, at_ms + span_ms)

        await self._register.write(by, decide, proved=True)
        return self._people.find_account(name)

    async def end_acting(self, by: Session, name: str) -> Account:
        """Somebody acts in no other position any more; everybody may lay down their own."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            account = self._people.find_account(name)
            if account.acting is None:
                return
            if actor.name != account.name:
                authority.check_grant(self._people.own_position(by), account.acting)
            yield on.ActingEnded(account.name)

        await self._register.write(by, decide, proved=True)
        return self._people.find_account(name)

    def listed(self, by: Actor) -> list[Account]:
        """Everybody on the staff, by name."""
        authority.check(by.position, authority.LOOKING, "see who is on the staff")
        return sorted(self._people.accounts(), key=lambda account: key(account.name))

    async def _new_hash(self, name: str, password: str) -> str:
        check_new(name, password, self._floor)
        return await self._passwords.hash(password)

    def _check_may(self, by: Session, what: str) -> Position:
        """Accounts are a matter of the position that is held, not of one that somebody acts in."""
        own = self._people.own_position(by)
        authority.check(own, authority.ACCOUNTS, what)
        assert own is not None
        return own

    @staticmethod
    def _check_position(own: Position, position: Position) -> None:
        authority.check_staff(position)
        # Whoever opens accounts also opens those of the positions above, which no rulebook gives more to do (6.2).
        if not authority.is_at_least(own, min(position, authority.ACCOUNTS, key=authority.STAFF.index)):
            raise NotAllowed(f"{one(own)} may not make anybody {one(position)}")

    def _check_name(self, name: str) -> None:
        check_person(name)
        if self._people.is_taken(name) or key(name) in _KEPT or key(name).startswith(_OF_DEVICES):
            raise NameTaken(f"the name {quoted(name)} is taken: choose another")
