"""Proof: that a name and a password belong together. Failures count, and too many in a row lock the name."""

import asyncio
from collections.abc import Iterator
from typing import Final

import structlog

from punto.errors import LockedOut, PuntoError, WrongPassword
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.limits import Failures, Limiter, Limits
from punto.server.identity.passwords import Passwords
from punto.server.identity.people import Account, key
from punto.server.identity.register import Clock, Register
from punto.table import Actor

_FLOOR: Final = Actor("floor", Position.SYSTEM)


class Proof:
    """Takes names and passwords, and says whose they are.

    A name that nobody has is treated like any other, locks and all: neither the answer nor how long it takes tells the
    one from the other.
    """

    def __init__(self, register: Register, passwords: Passwords, clock: Clock, limits: Limits) -> None:
        self._register = register
        self._passwords = passwords
        self._clock = clock
        self._limits = limits
        self._tries = Limiter(limits.sign_in_account)
        # Of those on the staff, and of names that nobody has, so that the latter cannot crowd out the former.
        self._failures = Failures(limits)
        self._strangers = Failures(limits)
        self._locking: set[asyncio.Task[None]] = set()
        self._log = structlog.get_logger("punto.identity")

    async def of(self, name: str, password: str, visitor: str) -> Account:
        """The account to which the name and the password belong; *visitor* is who asks."""
        people, name_key = self._register.people, key(name)
        self._tries.take(on.digest(name_key), self._clock())
        account = people.account(name)
        hash_ = account.password if account else None
        fits = await self._passwords.fits(hash_, password, visitor)
        at_ms = self._clock()
        account = people.account(name)  # it may have been closed meanwhile
        failures = self._failures if account else self._strangers
        if at_ms < max(failures.locked_until(name_key), account.locked_until_ms if account else 0):
            minutes = self._limits.lock_ms // 60_000
            raise LockedOut(f"too many wrong passwords: wait up to {minutes} minutes, or ask a manager to unlock it")
        if account is None or not fits or account.password != hash_:
            if failures.add(name_key, at_ms) and account is not None:
                self._lock_soon(account.name, at_ms + self._limits.lock_ms)
            raise WrongPassword("the name and the password do not belong together")
        failures.clear(name_key)
        return account

    def forgive(self, name: str) -> None:
        """Count from nothing again."""
        self._failures.clear(key(name))

    async def settle_down(self) -> None:
        """Wait until nothing is being written."""
        await asyncio.gather(*self._locking)

    def _lock_soon(self, name: str, until_ms: int) -> None:
        """Write down that an account is locked, which it is already; the answer does not wait for it."""
        locking = asyncio.get_running_loop().create_task(self._lock(name, until_ms))
        self._locking.add(locking)
        locking.add_done_callback(self._locking.discard)

    async def _lock(self, name: str, until_ms: int) -> None:
        def decide(_: Actor, __: int) -> Iterator[on.AnyEvent]:
            if self._failures.locked_until(key(name)) == until_ms:  # nobody has unlocked it meanwhile
                yield on.AccountLocked(name, until_ms)

        try:
            await self._register.write_later(_FLOOR, decide)
        except PuntoError as error:
            self._log.error("a lock could not be written down", account=name, said=error.message)
