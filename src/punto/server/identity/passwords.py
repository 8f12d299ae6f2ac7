"""Passwords: what a new one must be, and hashes worked out on a thread of their own, visitors taking turns."""

import asyncio
import os
import re
import sys
import threading
from collections.abc import Callable, Collection
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Final, TypeVar
from unicodedata import normalize

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from punto.errors import BadPassword
from punto.server.heavy.turns import STAFF, Turns
from punto.server.identity.people import key
from punto.server.identity.spellings import spellings, visible
from punto.surroundings import token_hex

SHORTEST: Final = 10
LONGEST: Final = 200
# Each hash takes 64 MiB and most of a second of a processor, which others need meanwhile.
_AT_ONCE: Final = 1
# How many may wait at one address, and for how long: others have their turn in between.
_WAITING_EACH: Final = 8
_PATIENCE_S: Final = 30.0
# How much later than others a stranger's hash has its turn at a processor, by the system's scale.
_NICE: Final = 10
_FEWEST_SIGNS: Final = 4
# A password must be as hard to guess as zxcvbn's third of four steps: 10^8 tries. It looks at so many characters of it.
_LEAST_SCORE: Final = 3
_LOOKED_AT: Final = 72
# Without digits and signs around it, it must take 10^6 tries. Without its owner's name and ours, so many letters and
# digits must be left.
_LEAST_CORE: Final = 2
_AROUND: Final = "0123456789 .,;:!?@#$%&*+-_=/"
_FEWEST_OWN: Final = 8
_WORDS: Final = (
    "punto", "baccarat", "banco", "casino", "dealer", "password", "passwort", "contraseña", "motdepasse", "senha",
    "wachtwoord", "пароль", "密码", "密碼", "tiger", "dragon",
)  # fmt: skip
_SHORTEST_WORD: Final = 4
_HASHER: Final = PasswordHasher()
T = TypeVar("T")


def check_new(name: str, password: str, floor: str = "") -> None:
    """Refuse a new password that is easily guessed, also by what the *floor* is called."""
    seen = visible(password)
    if not SHORTEST <= len(seen) <= len(password) <= LONGEST:
        length = len(password) if len(password) > LONGEST else len(seen)
        raise BadPassword(f"a password has {SHORTEST} to {LONGEST} characters: this one has {length}")
    said = key(seen)
    if not said.replace(key(name), "") or _letters(said) == (_letters(key(name)) or None):
        raise BadPassword("the password is the name: choose another")
    if len(set(said)) < _FEWEST_SIGNS:
        raise BadPassword(f"the password has fewer than {_FEWEST_SIGNS} different characters: choose another")
    known = [each for word in (name, *_WORDS, *_words_of(floor)) for each in spellings(word)]
    for spelling in spellings(password):
        _check_rare(known, spelling)


def _words_of(floor: str) -> list[str]:
    """What a floor is called, whole and word by word; short words are in too many others.

    >>> _words_of("Marina Bay 海港")
    ['marinabay海港', 'marina', '海港']
    """
    words = re.findall(r"\w+", key(floor))
    found = ["".join(words), *words]
    return list(dict.fromkeys(each for each in found if len(each) >= _SHORTEST_WORD or not each.isascii()))


def _check_rare(known: Collection[str], spelling: str) -> None:
    """Refuse passwords that many people have, and what anybody makes of them with a digit, a sign or a name."""
    from zxcvbn import zxcvbn  # noqa: PLC0415 (it reads its lists, and most processes never need them)

    said = spelling[:_LOOKED_AT]
    core = said.strip(_AROUND) or said
    rest = said
    for word in known:
        rest = rest.replace(word, "")
    few = rest != said and sum(map(str.isalnum, rest)) < _FEWEST_OWN
    if few or zxcvbn(said, known)["score"] < _LEAST_SCORE or zxcvbn(core, known)["score"] < _LEAST_CORE:
        raise BadPassword("many people have a password like this one: choose another, such as four words")


class Passwords:
    """Hashes and verifies, never on the event loop."""

    def __init__(self, hasher: PasswordHasher | None = None) -> None:
        self._hasher = hasher or _HASHER
        # Strangers wait for strangers, and for whoever is known, who has a queue and a thread apart.
        self._known = _Queue("known-passwords")
        self._strangers = _Queue("passwords", after=self._known)
        self._nobodys = ""

    async def begin(self) -> None:
        """Have a hash at hand for names that nobody has."""
        self._nobodys = await self.hash(token_hex(32))

    def stop(self) -> None:
        """Let the threads go."""
        self._strangers.stop()
        self._known.stop()

    async def hash(self, password: str, visitor: str = STAFF) -> str:
        """The hash of a password, as it is stored; *visitor* is whose turn it takes, and staff have a queue apart."""
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
        queue = self._known if visitor.startswith(STAFF) else self._strangers
        return await queue.run(visitor, work, *arguments)


class _Queue:
    """A thread, and visitors who take turns at it: *after* another queue they begin nothing while that one has work.

    A hash keeps several processors busy. That of a stranger has a low priority, for a known person may come meanwhile.
    """

    def __init__(self, name: str, after: "_Queue | None" = None) -> None:
        self._threads = ThreadPoolExecutor(_AT_ONCE, name, initializer=_go_last if after else None)
        self._turns = Turns(_AT_ONCE, _WAITING_EACH)
        self._after = after
        # How many of this queue work or wait, and whoever waits until there are none.
        self._here = 0
        self._waiting: list[asyncio.Future[None]] = []

    def stop(self) -> None:
        """Let the thread go."""
        self._threads.shutdown(wait=False, cancel_futures=True)

    async def run(self, visitor: str, work: Callable[..., T], *arguments: str) -> T:
        """What comes of a visitor's work, once it is the visitor's turn."""
        self._here += 1
        try:
            async with self._turns.turn(visitor, _PATIENCE_S):
                if self._after is not None:
                    await self._after.idle()
                return await asyncio.get_running_loop().run_in_executor(self._threads, work, *arguments)
        finally:
            self._here -= 1
            if not self._here:
                self._tell_idle()

    async def idle(self) -> None:
        """Wait until nobody of this queue works or waits."""
        while self._here:
            waiting = asyncio.get_running_loop().create_future()
            self._waiting.append(waiting)
            await waiting

    def _tell_idle(self) -> None:
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            if not each.done():
                each.set_result(None)


def _go_last() -> None:
    """Give this thread, and those that a hash begins from it, a low priority where the system can."""
    if sys.platform == "linux":
        thread = threading.get_native_id()
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, thread, os.getpriority(os.PRIO_PROCESS, thread) + _NICE)


def _letters(text: str) -> str:
    return "".join(sign for sign in text if sign.isalpha())


def _plain(password: str) -> str:
    """One spelling of a password, however the keyboard put its signs together."""
    return normalize("NFKC", password)
