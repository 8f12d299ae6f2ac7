"""Passwords: what a new one must be, and hashes worked out on threads of their own, a few at a time."""

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final, TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.errors import BadPassword, TooFast
from punto.server.identity.people import key
from punto.surroundings import token_hex

SHORTEST: Final = 10
LONGEST: Final = 200
# Each hash takes 64 MiB and most of a second of a processor, which others need meanwhile.
_AT_ONCE: Final = 1
_MOST_WAITING: Final = 16
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
        self._waiting = 0
        self._nobodys = ""

    async def begin(self) -> None:
        """Have a hash at hand for names that nobody has."""
        self._nobodys = await self.hash(token_hex(32))

    def stop(self) -> None:
        """Let the threads go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def hash(self, password: str) -> str:
        """The hash of a password, as it is stored."""
        return await self._run(self._hasher.hash, _plain(password))

    async def fits(self, hash_: str | None, password: str) -> bool:
        """Whether a password is the one that was hashed; without a hash it never is, and takes as long."""
        return await self._run(self._verify, hash_ or self._nobodys, _plain(password)) and hash_ is not None

    def _verify(self, hash_: str, password: str) -> bool:
        try:
            return self._hasher.verify(hash_, password)
        except (VerificationError, InvalidHashError):
            return False

    async def _run(self, work: Callable[..., T], *arguments: str) -> T:
        if self._waiting >= _MOST_WAITING:
            raise TooFast("too many are signing in at once: try again in a moment")
        self._waiting += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._waiting -= 1


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalpha())


def _plain(password: str) -> str:
    """One spelling of a password, however the keyboard put its signs together."""
    return normalize("NFKC", password)
