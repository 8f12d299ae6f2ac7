"""The beginning and the end of a floor, on record: how it ended the last time, and what its file says now."""

import platform
import socket
from collections.abc import Iterator, Mapping
from functools import partial
from hashlib import sha256
from typing import TYPE_CHECKING, Final

import msgspec
from msgspec import Struct

from punto import __version__
from punto.errors import Corrupt
from punto.program import Manifest, Reference
from punto.record import journal as noted
from punto.record.entries import end_of, entries_of, pages
from punto.record.rounds import TABLE
from punto.record.significant import STREAMS
from punto.server.programjournal import Remembered
from punto.store.database import parse

if TYPE_CHECKING:
    from punto.server.config import FloorConfig
    from punto.server.hall import Hall
    from punto.store import Store

# What the file says of these is nobody's business: only that it says something.
_SECRETS: Final = frozenset({"metrics-token"})
# The arguments of the command that prints the key may hold one, too.
_COMMAND: Final = "key-command."
_LONGEST: Final = 200
_SHORT: Final = 16
_POSTGRES: Final = ("postgresql:", "postgres:")


class Former(Struct, frozen=True):
    """What the journal has of this place: how the floor ended there, and what its file said."""

    run: noted.FormerRun = noted.FormerRun.NONE
    values: dict[str, str] = {}
    # What its program was last measured as, and what it is compared with.
    manifest: Manifest | None = None
    reference: Reference | None = None


class Openings:
    """Notes that the floor has opened, and that it closes; *former* is what the journal said before."""

    def __init__(self, hall: "Hall", config: "FloorConfig") -> None:
        self._hall = hall
        self._config = config
        self.host = socket.gethostname()
        self.place = f"{self.host}:{config.port}"
        self.former = Former()
        # How far the streams of significant events went before the floor opened; of a new floor no event was told yet.
        self.ends: dict[str, int] = {}

    async def began(self) -> None:
        """The floor opens: that is durable before anybody is let in.

        Where the journal was altered, the floor opens all the same: that is told beside the record, and is an alarm.
        """
        journal = self._hall.journal
        try:
            await self._note_start()
        except Corrupt as error:
            self._hall.log.error("the journal was altered: significant events cannot be written", said=error.message)  # noqa: TRY400
            journal.note(noted.RecordAltered(noted.JOURNAL, error.message))
        journal.begin()

    async def _note_start(self) -> None:
        writer, journal = self._hall.writer, self._hall.journal
        look_back = partial(_look_back, writer.floor.history.believed, self.host, self.place)
        self.former, self.ends = await writer.call(look_back)
        journal.note(noted.FloorStarted(self.place, __version__, platform.python_version(), self.former.run))
        values = values_of(self._config)
        if values != self.former.values:
            names = values.keys() | self.former.values.keys() if self.former.values else set()
            before = {
                name: self.former.values.get(name, "")
                for name in sorted(names)
                if values.get(name) != self.former.values.get(name)
            }
            journal.note(noted.ConfigurationChanged(self.place, values, before))
        await journal.write_now()

    async def ended(self) -> None:
        """The floor closes in order, as the last thing that it writes down."""
        self._hall.journal.note(noted.FloorStopped(self.place))
        await self._hall.journal.end()


def _look_back(store: "Store", host: str, place: str) -> tuple[Former, dict[str, int]]:
    """What the journal says of a place, read backwards; and how far streams of significant events went before."""
    ends = {stream: end for stream in STREAMS if (end := end_of(store, stream))}
    if noted.JOURNAL not in ends and not any(True for _ in store.streams(TABLE)):
        ends = {}  # the floor has never been open: its first accounts and orders have been told to nobody
    run: noted.FormerRun | None = None
    values: dict[str, str] | None = None
    manifest: Manifest | None = None
    remembered = Remembered(host)
    for body in _backwards(store):
        event = noted.read(body).event
        remembered.backwards(event)
        match event:
            case noted.FloorStarted(place=where) if where == place:
                run = run or noted.FormerRun.CUT_OFF
            case noted.FloorStopped(place=where) if where == place:
                run = run or noted.FormerRun.STOPPED
            case noted.ConfigurationChanged(place=where, values=said) if where == place:
                values = said if values is None else values
            case noted.ProgramMeasured(place=where, manifest=measured) if where == place:
                manifest = manifest or measured
        if run and values is not None and manifest and remembered.is_sure:
            break
    return Former(run or noted.FormerRun.NONE, values or {}, manifest, remembered.reference), ends


def _backwards(store: "Store") -> Iterator[bytes]:
    before = end_of(store, noted.JOURNAL)
    for after in pages(before):
        page = [entry.body for entry in entries_of(store, noted.JOURNAL, after) if entry.version <= before]
        before = after
        yield from reversed(page)


def values_of(config: "FloorConfig") -> dict[str, str]:
    """What a floor's file says, value by value, and no secret."""
    values = dict(_flat(msgspec.to_builtins(config, builtin_types=()), ""))
    for name, value in values.items():
        if name in _SECRETS or name.startswith(_COMMAND):
            values[name] = "set" if value else ""
    if config.store.startswith(_POSTGRES):  # the address may hold a password
        values["store"] = parse(config.store).name
    return {name: value for name, value in values.items() if value}


def _flat(value: object, name: str) -> Iterator[tuple[str, str]]:
    match value:
        case Mapping():
            for key, each in value.items():
                yield from _flat(each, f"{name}.{key}" if name else str(key).replace("_", "-"))
        case list() | tuple():
            for number, each in enumerate(value):
                inner = isinstance(each, Mapping) and each.get("key")
                yield from _flat(each, f"{name}.{inner or number}")
        case _:
            yield name.replace("_", "-"), _short(value)


def _short(value: object) -> str:
    text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
    return text if len(text) <= _LONGEST else f"sha256 {sha256(text.encode()).hexdigest()[:_SHORT]}"
