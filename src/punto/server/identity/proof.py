"""Proof: that a name and a password belong together. Whoever guesses wrongly waits longer before each further try.

Nobody is ever locked out: delays are counted by name and origin. A browser that the name's owner has signed in with
before is an origin of its own, and so is a colleague's page, so that strangers cannot delay the owner there.
"""

from typing import NamedTuple

from punto.errors import PasswordExpired, TooFast, WrongPassword
from punto.server.heavy.turns import STAFF
from punto.server.identity import events as on
from punto.server.identity.attempts import Attempts
from punto.server.identity.limits import Buckets, Delays, Limiter, Limits
from punto.server.identity.passwords import Passwords
from punto.server.identity.people import Account, key
from punto.server.identity.register import Clock, Register


class Origin(NamedTuple):
    """Where somebody tries to come in: an address, the token of a browser, or the page of a member of staff."""

    address: str = ""
    browser: str = ""
    staff: str = ""


class Proof:
    """Takes names and passwords, and says whose they are.

    A name that nobody has is treated like any other, delays and all: neither the answer nor how long it takes tells the
    one from the other.
    """

    def __init__(
        self, register: Register, passwords: Passwords, clock: Clock, limits: Limits, attempts: Attempts
    ) -> None:
        self._attempts = attempts
        self._first_password_ms = limits.first_password_ms
        self._register = register
        self._passwords = passwords
        self._clock = clock
        self._by_address = Limiter(limits.sign_in_address)
        self._by_name = Limiter(limits.sign_in_account)
        self._by_browser = Limiter(limits.sign_in_browser)
        self._origins = Delays(limits.origin)
        # Of all names alike, also of those that nobody has.
        self._names = Buckets(limits.name)

    async def of(self, name: str, password: str, origin: Origin) -> Account:
        """The account to which the name and the password belong."""
        people = self._register.people
        account = people.account(name)
        known = self._known(account, origin)
        self._check(name, origin, known)
        hash_ = account.password if account else None
        visitor = f"{STAFF}{known}" if known else f"address/{origin.address}"
        fits = await self._passwords.fits(hash_, password, visitor)
        account = people.account(name)  # it may have been closed meanwhile
        self._check_delays(name, origin, known)
        if account is None or not fits or account.password != hash_:
            self.fail(name, origin)
            raise WrongPassword("the name and the password do not belong together")
        if account.temporary and self._clock() - account.password_ms >= self._first_password_ms:
            raise PasswordExpired("this password was set by another, and not changed in time: ask for a new one")
        if self._clock() < account.locked_until_ms:  # by a floor of an older Punto
            raise TooFast("too many wrong tries: wait up to 15 minutes, or ask a manager to let you try again")
        return account

    def fail(self, name: str, origin: Origin) -> None:
        """A wrong password, or a wrong code after the right password."""
        at_ms, name_key = self._clock(), key(name)
        account = self._register.people.account(name)
        known = self._known(account, origin)
        until_ms = self._origins.add(_place(name_key, origin, known), at_ms)
        if not known:
            until_ms = max(until_ms, self._names.add(name_key, at_ms))
        if account is not None and until_ms:
            self._attempts.slowed(account, until_ms, at_ms, known=bool(known))

    def succeed(self, account: Account, origin: Origin) -> None:
        """Somebody came in: that origin counts from nothing again, and the name if its owner was at home there."""
        self._origins.clear(_place(key(account.name), origin, self._known(account, origin)))

    def forgive(self, name: str) -> None:
        """Count from nothing again, everywhere."""
        self._names.clear(key(name))
        self._origins.clear_all(key(name) + "\0")

    def check(self, name: str, origin: Origin) -> None:
        """Refuse whoever has to wait."""
        self._check(name, origin, self._known(self._register.people.account(name), origin))

    def _check(self, name: str, origin: Origin, known: str) -> None:
        at_ms = self._clock()
        if known:
            self._by_browser.take(f"{key(name)}\0{known}", at_ms)
        else:
            self._by_address.take(origin.address, at_ms)
            self._by_name.take(on.digest(key(name)), at_ms)
        self._check_delays(name, origin, known)

    def _check_delays(self, name: str, origin: Origin, known: str) -> None:
        at_ms, name_key = self._clock(), key(name)
        self._origins.check(_place(name_key, origin, known), at_ms)
        if not known:
            self._names.check(name_key, at_ms)

    def _known(self, account: Account | None, origin: Origin) -> str:
        """What the owner of the name is known by, or whoever lends a page; nothing for strangers."""
        if origin.staff:
            return origin.staff
        if account is not None and self._register.people.knows(origin.browser, account):
            return on.digest(origin.browser)
        return ""


def _place(name_key: str, origin: Origin, known: str) -> str:
    return f"{name_key}\0{known or origin.address}"
