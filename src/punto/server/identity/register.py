"""The register: what is known of people and devices, read from the floor's store and written to it."""

import asyncio
from collections.abc import Callable, Iterable
from typing import Final

from punto.errors import Conflict, NotSignedIn, StaleVersion
from punto.floor import Floor
from punto.server.identity.events import STREAMS, AnyEvent, Noted, read, stream_of, write
from punto.server.identity.gate import Gate
from punto.server.identity.people import People, Session
from punto.server.patience import Errand, patiently
from punto.server.writer import Writer
from punto.store import chain
from punto.store.contract import Tip
from punto.table import Actor

Clock = Callable[[], int]
# The events that a wish leads to, judged by who wishes it and when; or the error that refuses it.
Decide = Callable[[Actor, int], Iterable[AnyEvent]]
# What is looked at on the writing thread, just before the events are written; it raises what refuses them.
Check = Callable[[Floor, Iterable[AnyEvent]], None]
_TRIES: Final = 10


class Register:
    """People, and the streams behind them. What is wished is judged one at a time, each after the one before."""

    def __init__(
        self, writer: Writer, clock: Clock, tell: Callable[[AnyEvent], None], *, second_factor: bool = False
    ) -> None:
        self.people = People(second_factor=second_factor)
        self._writer = writer
        self._clock = clock
        self._tell = tell
        self._ends: dict[str, Tip] = {stream: chain.start(stream) for stream in STREAMS}
        self._turn = asyncio.Lock()
        self.gate = Gate(second_factor=second_factor)
        writer.floor.gate = self.gate

    def now_ms(self) -> int:
        """The time by the register's clock."""
        return self._clock()

    async def catch_up(self) -> None:
        """Read what was written since: at the beginning all of it, later what other floors wrote on the same store."""
        async with self._turn:
            await self._catch_up()

    async def write(
        self, who: Actor | Session, decide: Decide, *, proved: bool = False, check: Check | None = None
    ) -> None:
        """Judge a wish and make what it leads to durable, in one transaction; then everybody concerned is told.

        What may only be wished by somebody who has *proved* a while ago at most who they are is refused to others.

        Whoever waits for a store that hangs is told so after a while. What may have been written by then is read from
        the record, and takes effect, as soon as the store answers.
        """
        errand = Errand()
        judged = self._proving(who, decide) if proved else decide
        writing = asyncio.get_running_loop().create_task(self.write_later(who, judged, errand, check))
        await patiently(writing, errand)

    def judge(self, who: Actor | Session, decide: Decide, *, proved: bool = False) -> None:
        """Refuse a wish that would be refused now, and write nothing."""
        at_ms = self._clock()
        list((self._proving(who, decide) if proved else decide)(self._by(who, at_ms), at_ms))

    async def write_later(
        self, who: Actor | Session, decide: Decide, errand: Errand | None = None, check: Check | None = None
    ) -> None:
        """The same for whoever waits for as long as the store takes."""
        async with self._turn:
            for _ in range(_TRIES):
                at_ms = self._clock()
                by = self._by(who, at_ms)
                session = who.id if isinstance(who, Session) else ""
                noted = [Noted(at_ms, by, event, session) for event in decide(by, at_ms)]
                if not noted:
                    return
                try:
                    ends = await self._writer.call(self._note, noted, at_ms, check, errand=errand)
                except StaleVersion:
                    await self._catch_up()
                    continue
                self._ends |= ends
                self._apply(noted)
                return
        raise Conflict(f"other floors wrote {_TRIES} times meanwhile: nothing was changed, try again")

    def _proving(self, who: Actor | Session, decide: Decide) -> Decide:
        """The same wish of somebody who has proved who they are."""

        def judged(by: Actor, at_ms: int) -> Iterable[AnyEvent]:
            events = list(decide(by, at_ms))  # what may not be wished at all is told first
            if isinstance(who, Session):
                self.people.check_proved(who, at_ms)
            return events

        return judged

    def _by(self, who: Actor | Session, at_ms: int) -> Actor:
        by = self.people.actor(who, at_ms) if isinstance(who, Session) else who
        if by is None:
            raise NotSignedIn("the session is over: sign in again")
        return by

    def _note(self, noted: list[Noted], at_ms: int, check: Check | None) -> dict[str, Tip]:
        """On the writing thread."""
        if check is not None:
            check(self._writer.floor, [each.event for each in noted])
        entries = [(stream_of(each.event), write(each)) for each in noted]
        ends = self._writer.floor.note(entries, {stream: self._ends[stream].version for stream, _ in entries}, at_ms)
        for each in noted:
            self.gate.take(each)
        return ends

    async def _catch_up(self) -> None:
        fresh = await self._writer.call(self._fresh)
        self._ends |= {stream: end for _, end, stream in fresh}
        self._apply([noted for noted, _, _ in fresh])

    def _fresh(self) -> list[tuple[Noted, Tip, str]]:
        """On the writing thread: what is signed in the store and not yet here."""
        history = self._writer.floor.history
        self._writer.floor.look_over(STREAMS)
        fresh: list[tuple[Noted, Tip, str]] = []
        for stream in STREAMS:
            entries = history.read(stream, self._ends[stream].version)
            fresh += [(read(entry.body), Tip(entry.version, entry.hash), stream) for entry in entries]
        for noted, _, _ in fresh:
            self.gate.take(noted)
        return fresh

    def _apply(self, noted: list[Noted]) -> None:
        """What is durable is so: first all of it, and only then is anybody told."""
        for each in noted:
            self.people.evolve(each)
        for each in noted:
            self._tell(each.event)
