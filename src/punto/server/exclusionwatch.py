"""The list of exclusions of a floor's file: read when the floor opens and whenever the file changes."""

import asyncio
from pathlib import Path
from typing import TYPE_CHECKING, Final

from punto.errors import PuntoError
from punto.server.floorfile import Mistake, read_exclusions
from punto.server.identity.exclusions import Exclusions, Listed

if TYPE_CHECKING:
    from punto.server.hall import Hall

_LOOK_S: Final = 1.0
_MOST_BYTES: Final = 1_000_000


class ExclusionWatch:
    """Puts the list on record, and has those who are on it give up their seats when their time comes."""

    def __init__(self, hall: "Hall", exclusions: Exclusions, floor: str, file: str) -> None:
        self._hall = hall
        self._exclusions = exclusions
        self._floor = floor
        self._file = Path(file) if file else None
        self._seen: tuple[int, int] | None = None
        # What the file said when it was taken over.
        self._listed: tuple[Listed, ...] = ()
        self._task: asyncio.Task[None] | None = None
        # Why the file as it is now does not count; empty where it does.
        self.fault = ""

    async def begin(self) -> None:
        """Take the list over, and go on looking."""
        await self.look()
        self._task = asyncio.get_running_loop().create_task(self._run())

    async def end(self) -> None:
        """Look no more."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
            self._task = None

    async def look(self) -> None:
        """Take over what the file says, if it has changed; a list with a mistake is not taken over."""
        if self._file is None:
            if self._seen is None:  # a floor that has no list any more takes its entries back
                await self._exclusions.take_over(self._floor, ())
                self._seen = 0, 0
            return
        try:
            found = self._file.stat()
            changed = found.st_mtime_ns, found.st_size
            if changed == self._seen:
                await self._put_back()
                return
            text = await asyncio.to_thread(_text, self._file)
        except (OSError, ValueError) as error:
            self._fail(f"{self._file.name} cannot be read: {getattr(error, 'strerror', None) or 'it is no text'}")
            return
        listed, mistakes = read_exclusions(text)
        if mistakes:
            self._seen = changed
            self._fail(_said(self._file.name, mistakes))
            return
        count = await self._exclusions.take_over(self._floor, listed)
        self._seen, self._listed, self.fault = changed, tuple(listed), ""
        if count:
            self._hall.log.info("the list of exclusions was taken over", file=self._file.name, changes=count)

    async def _put_back(self) -> None:
        """Staff of another floor may have lifted what the file still says."""
        if not self.fault and self._exclusions.lacks(self._floor, self._listed):
            count = await self._exclusions.take_over(self._floor, self._listed)
            self._hall.log.warning("the list of exclusions was taken over again", changes=count)

    def _fail(self, said: str) -> None:
        if said != self.fault:
            self._hall.log.warning("the list of exclusions was not taken over", said=said)
        self.fault = said

    async def _run(self) -> None:
        while True:
            await asyncio.sleep(_LOOK_S)
            try:
                await self.look()
            except PuntoError as refusal:  # the store may be away: the next look tries again
                self._fail(refusal.message)
            except RuntimeError:  # the floor is closing
                return
            self._hall.look_at_exclusions()


def _text(file: Path) -> str:
    with file.open("rb") as opened:
        read = opened.read(_MOST_BYTES + 1)
    if len(read) > _MOST_BYTES:
        raise OSError(0, f"more than {_MOST_BYTES} bytes")
    return read.decode("utf-8-sig")


def _said(name: str, mistakes: tuple[Mistake, ...]) -> str:
    first = mistakes[0]
    more = f", and {len(mistakes) - 1} more" if len(mistakes) > 1 else ""
    return f"{name}:{first.line}: {first.key}: {first.said}{more}"
