"""Passwords: what a new one must be, and hashes worked out on a thread of their own, visitors taking turns."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.errors import BadPassword
from punto.server.heavy.turns import STAFF, Turns
from punto.server.identity.people import key
from punto.surroundings import token_hex

SHORTEST: Final = 10
LONGEST: Final = 200
# Each hash takes 64 MiB and most of a second of a processor, which others need meanwhile.
_AT_ONCE: Final = 1
# How many may wait at one address, and for how long: others have their turn in between.
_WAITING_EACH: Final = 8
_PATIENCE_S: Final = 30.0
_FEWEST_SIGNS: Final = 4
_HASHER: Final = PasswordHasher()
T = TypeVar("T")


def check_new(name: str, password: str) -> None:
    """Refuse a new password that is easily guessed."""
    if not SHORTEST <= len(password) <= LONGEST:
        raise BadPassword(f"a password has {SHORTEST} to {LONGEST} characters: this one has {len(password)}")
    said = key(password)
    if not said.replace(key(name), "") or _letters(said) == (_letters(key(name)) or None):
        raise BadPassword("the password is the name: choose another")
    if len(set(said)) < _FEWEST_SIGNS:
        raise BadPassword(f"the password has fewer than {_FEWEST_SIGNS} different characters: choose another")


class Passwords:
    """Hashes and verifies, never on the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or _HASHER
        self._threads = ThreadPoolExecutor(_AT_ONCE, "passwords")
        self._turns = Turns(_AT_ONCE, _WAITING_EACH)
        self._nobodys = ""

    async def begin(self) -> None:
        """Have a hash at hand for names that nobody has."""
        self._nobodys = await self.hash(token_hex(32))

    def stop(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str, visitor: str = STAFF) -> str:
        """The hash of a password, as it is stored; *visitor* is whose turn it takes."""
        return await self._run(visitor, self._hasher.hash, _plain(password))

    async def fits(self, hash_: str | None, password: str, visitor: str = STAFF) -> bool:
        """Whether a password is the one that was hashed; without a hash it never is, and takes as long."""
        return await self._run(visitor, self._verify, hash_ or self._nobodys, _plain(password)) and hash_ is not None

    def _verify(self, hash_: str, password: str) -> bool:
        try:
            return self._hasher.verify(hash_, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, visitor: str, work: Callable[..., T], *arguments: str) -> T:
        async with self._turns.turn(visitor, _PATIENCE_S):
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalpha())


def _plain(password: str) -> str:
    """One spelling of a password, however the keyboard put its signs together."""
    return normalize("NFKC", password)
