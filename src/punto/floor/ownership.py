"""What a process owns: the names that it has claimed, and those that another process has claimed since.

A table belongs to the process that claimed it last. Whoever is overtaken writes nothing there any more, and what is no
table's own (sign-ins, notes, checkpoints) only as long as it still owns a table, unless it never had one.
"""

from collections import deque
from collections.abc import Iterable
from typing import Final

from punto.errors import Fenced, named
from punto.store.contract import GARBLED, Store
from punto.surroundings import token_hex

# What a process must not be overtaken in: whoever rotates the floor's key claims this name, and fences all others off.
# Its epoch is odd while a rotation is under way: then no floor opens.
KEY_FENCE: Final = "floor-key"
# Whoever claims this name may take checkpoints, or join as a writer; nobody else does either meanwhile.
SEQUENCER: Final = "sequencer"
_PROCESS: Final = "process/"
# So many names are looked at in one go, while nothing seems to be wrong.
_AT_ONCE: Final = 20
_NO_LONGER_SAID: Final = "the store's table epochs no longer says which process runs what: somebody has written to it"
_WHAT_TO_DO: Final = "this process serves nothing any more; close the floor, audit it, and open it again"


class Ownership:
    """The names that one process holds in a store, and the epochs under which it holds them."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self._epochs: dict[str, int] = {}
        # What nothing can be written without: the floor's key, and a name that nobody but this process ever claims.
        self.key_epoch = store.epoch(KEY_FENCE)
        self._process = _PROCESS + token_hex(8)
        self._process_epoch = 0
        self._round: deque[str] = deque()
        # Names that another process holds now.
        self.lost: dict[str, Fenced] = {}
        # Those of them of which the store no longer says who holds them: perhaps nobody does.
        self._garbled: set[str] = set()
        self._over: Fenced | None = None

    @property
    def fenced(self) -> Fenced | None:
        """Why this process writes nothing at all any more."""
        if self._over is None and self._epochs and self.lost.keys() >= self._epochs.keys():
            said = f"{_NO_LONGER_SAID}: {_WHAT_TO_DO}"
            if not self._garbled:
                said = "another process runs every table of this floor now: this one serves nothing any more"
            return Fenced(said, name=next(iter(self._epochs)))
        return self._over

    def own(self, name: str) -> None:
        """Become the owner of a name, unless it was lost to another process."""
        if name in self.lost:
            raise self.lost[name].anew()
        if name not in self._epochs:
            self._check()
            self._epochs[name] = self._store.claim(name)

    def take(self, name: str) -> None:
        """Become the owner of a name, whoever owns it now."""
        self._epochs[name] = self._store.claim(name)
        self.lost.pop(name, None)
        self._garbled.discard(name)

    def fences(self, names: Iterable[str]) -> dict[str, int]:
        """The epochs of names that are written to, and of what every writing takes."""
        return {name: self._epochs[name] for name in names} | self._always()

    def house(self) -> dict[str, int]:
        """The same for what is no table's own: every table that is still held; `Fenced` where none is left."""
        self._check()
        return self.fences(self._epochs.keys() - self.lost.keys())

    def _always(self) -> dict[str, int]:
        self._check()
        return {KEY_FENCE: self.key_epoch, self._process: self._process_epoch}

    def _check(self) -> None:
        fenced = self.fenced
        if fenced is not None:
            raise fenced.anew()

    def end_doubt(self) -> None:
        """Make sure that nothing this process has sent so far can be written any more, unless it is by now.

        A claim waits for transactions under its name, and those that come later are refused. On a disk it is a commit,
        and takes the place of whatever an earlier one has left in the log.
        """
        self._process_epoch = self._store.claim(self._process)

    # Who was overtaken

    def notice(self, fenced: Fenced) -> None:
        """The store has refused a writing: look which names are lost. Raises where that does not explain it."""
        if fenced.name == KEY_FENCE:
            self._lose_all()
        before = len(self.lost)
        self._look(self._epochs)
        if len(self.lost) == before:
            raise fenced

    def look(self) -> None:
        """Look whether names were lost to another process, some of them at a time."""
        if not self._round:
            self._round = deque(self._epochs)
        self._look([self._round.popleft() for _ in range(min(_AT_ONCE, len(self._round)))])
        if self._over is None and self._store.epoch(KEY_FENCE) != self.key_epoch:
            self._lose_all()

    def _look(self, names: Iterable[str]) -> None:
        for name in [each for each in names if each in self._epochs and each not in self.lost]:
            held, epoch = self._store.epoch(name), self._epochs[name]
            if held != epoch:
                said = f"{named(name)}: is run elsewhere now, under epoch {held}, not {epoch}: nothing was written"
                if held == GARBLED:
                    self._garbled.add(name)
                    said = f"{named(name)}: {_NO_LONGER_SAID}: nothing was written"
                self.lost[name] = Fenced(said, name=name)

    def _lose_all(self) -> None:
        said = "the floor's key was changed by another process: this one serves nothing any more"
        if self._store.epoch(KEY_FENCE) == GARBLED:
            said = f"{_NO_LONGER_SAID}: {_WHAT_TO_DO}"
        self._over = Fenced(said, name=KEY_FENCE)
