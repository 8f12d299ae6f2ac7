"""Personal data: full names and notes that staff keep about people, what is kept about somebody, and its erasure."""

import asyncio
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Final, NamedTuple

import structlog

from punto.errors import Conflict, DamagedPersonal, Malformed, NotAllowed, OutcomeUnknown, PuntoError, StoreGone, quoted
from punto.floor.erasures import Erasures
from punto.floor.personal import KeptKind
from punto.proof.calls import is_address
from punto.rules import Position
from punto.server.config import FloorConfig
from punto.server.identity import authority, erasing
from punto.server.identity import events as on
from punto.server.identity.erasing import About, Disputes
from punto.server.identity.events import AnyEvent
from punto.server.identity.house import House
from punto.server.identity.people import Session, key
from punto.server.identity.register import Check, Decide, Register
from punto.server.writer import Writer
from punto.table import Actor

_FLOOR: Final = Actor("floor", Position.SYSTEM)
# Whether anything is due is looked at so often.
_LOOK_MS: Final = 60_000
_MOST_KNOWN: Final = 100_000
_PATIENCE_S: Final = 1.0
LONGEST_FULL_NAME: Final = 200
# What staff write about people themselves.
OF_STAFF: Final = (KeptKind.FULL_NAME, KeptKind.NOTE)


# What nobody has typed in to be kept, or only names a thing: where it cannot be kept, the act goes on without.
_QUIET: Final = (KeptKind.ADDRESS, KeptKind.LABEL)


class Words(NamedTuple):
    """Something to be kept about a person."""

    person: str
    kind: KeptKind
    text: str


class PersonalData:
    """What is kept about people beside the record."""

    def __init__(self, register: Register, house: House, writer: Writer, config: FloorConfig) -> None:
        self.retention = config.retention
        self._register = register
        self._people = register.people
        self._house = house
        self._writer = writer
        self._clock = register.now_ms
        self._lists = [Erasures(Path(each)) for each in config.checkpoints if not is_address(each)]
        # Texts by commitment, as far as they were read before.
        self._known: dict[str, str] = {}
        # What the record says was erased, and may not be yet.
        self._unerased: set[str] = set()
        self._looked_ms = 0
        # What was said in claims of somebody, and must not be erased yet.
        self.disputes: Callable[[str], Awaitable[Disputes]] = _no_disputes
        self._log = structlog.get_logger("punto.personal")

    # The beginning, and what is due

    async def begin(self) -> None:
        """Erase again what the record says was erased, or a list outside: the store may be a copy from before."""
        erased = set(self._people.erased)
        listed: set[str] = set()
        for each in self._lists:
            listed |= await asyncio.to_thread(each.read)
        if erased | listed:
            gone = await self._writer.call(self._erase_again, erased | listed)
            if gone:
                self._log.warning("what was erased before was in the store again, and is erased", rows=gone)
        await self._list(erased)

    def _erase_again(self, commitments: set[str]) -> int:
        """On the writing thread."""
        personal = self._writer.floor.personal
        gone = personal.erase_these(commitments)
        personal.clear_remains()
        return sum(map(len, gone.values()))

    async def sweep(self) -> None:
        """Erase what no longer has to stay, and what could not be erased when it was asked for."""
        at_ms = self._clock()
        if self._unerased:
            await self._writer.call(self._erase_again, set(self._unerased))
            self._unerased.clear()
        if not _LOOK_MS > at_ms - self._looked_ms >= 0:  # the clock may have been set back
            self._looked_ms = at_ms
            if self._writer.floor.personal.has_remains:
                await self._writer.call(self._writer.floor.personal.clear_remains)
            await self._erase_due(at_ms)

    async def _erase_due(self, at_ms: int) -> None:
        for event in [*self._people.staying.values()]:
            if all(stay.until_ms > at_ms for stay in event.stays):
                continue
            found = await self._writer.call(self._about, event.person, await self.disputes(event.person))
            after = erasing.due(event, found, at_ms)
            if after is not None:
                await self._register.write_later(_FLOOR, partial(_still, self._people.staying, event, after))
                await self._erased(after)

    # What staff write

    async def register_patron(self, by: Session, name: str = "", full_name: str = "") -> str:
        """Know a patron by a name that stays on record for ever, by a fresh one without it; and keep the full name."""
        _check_full_name(full_name)
        chosen = await self._house.register_patron(by, name, fresh=bool(full_name))
        if full_name:
            await self.note(by, chosen, KeptKind.FULL_NAME, full_name)
        return chosen

    async def note(self, by: Session, name: str, kind: KeptKind, text: str) -> None:
        """Keep a full name or a note about somebody: of patrons Pit Supervisors, of the staff who keeps accounts."""
        if kind not in OF_STAFF:
            raise Malformed(f"staff write a full name or a note, and no {kind.value}")
        if kind is KeptKind.FULL_NAME:
            _check_full_name(text, empty=False)

        def noting(commitment: str) -> Decide:
            def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
                yield on.PersonNoted(self._check_may_note(actor, name), kind, commitment)

            return decide

        person = self._check_may_note(self._register.people.actor(by, self._clock()), name)
        await self.write_with(by, Words(person, kind, text), noting, proved=True)

    def _check_may_note(self, actor: Actor | None, name: str) -> str:
        """Refuse whoever may not write about somebody; the name of whom it is written about."""
        position = actor.position if actor else None
        account = self._people.account(name)
        if account is not None:
            authority.check(position, authority.ACCOUNTS, "write about the staff")
            return account.name
        authority.check(position, authority.PATRONS, "write about patrons")
        person = self._people.patrons.get(key(name), name)
        if not self._people.knows_patron(person, self._clock()):
            self._check_has_wallet(person)
        return person

    def _check_has_wallet(self, person: str) -> None:
        if not self._writer.floor.has_wallet(person):
            raise Malformed(f"nobody here is called {quoted(person, 60)}: register a patron first")

    async def write_with(
        self,
        by: Actor | Session,
        words: Words,
        decide: Callable[[str], Decide],
        *,
        proved: bool = False,
        check: Check | None = None,
    ) -> None:
        """Keep words about somebody, and put on record what names the commitment to them, as *decide* says.

        Nothing is kept before the act is allowed, and nothing stays that did not come on record after all.
        """
        self._register.judge(by, decide(""), proved=proved)
        keep = self.keep_quietly if words.kind in _QUIET else self._keep
        commitment = await keep(words.person, words.text, words.kind)
        try:
            await self._register.write(by, decide(commitment), proved=proved, check=check)
        except OutcomeUnknown:
            raise
        except PuntoError:
            await self._drop((commitment,))
            raise

    async def leave_only(self, person: str, kind: KeptKind, wanted: Collection[str]) -> None:
        """Erase what has been replaced: of one kind only these commitments stay, unless law requires all of it."""
        if self.retention.days.get(kind):
            return
        with suppress(PuntoError):
            there = await self._writer.ask(self._writer.floor.personal.of, person)
            old = [each.commitment for each in there.kept if each.kind is kind and each.commitment not in wanted]
            await self._drop(old)

    async def _drop(self, commitments: Iterable[str]) -> None:
        """Erase what nothing on record needs; where the store does not let it, it stays."""
        gone = [each for each in commitments if each]
        if gone:
            with suppress(PuntoError, RuntimeError):
                await self._writer.ask(self._writer.floor.personal.erase_these, gone)

    async def keep_quietly(self, person: str, text: str, kind: KeptKind) -> str:
        """Keep what nobody has typed in, such as an address; without a commitment where that cannot be."""
        if not text or not person:
            return ""
        try:
            return await self._keep(person, text, kind)
        except (DamagedPersonal, Malformed) as error:
            self._log.error("nothing could be kept about somebody", said=error.message)
            return ""

    async def _keep(self, person: str, text: str, kind: KeptKind) -> str:
        commitment: str = await self._writer.ask(self._writer.floor.personal.keep, person, text, kind)
        self._remember(commitment, text)
        return commitment

    # What is read

    async def full_names(self, names: Iterable[str]) -> dict[str, str]:
        """The full names of those who have one, by the names on record."""
        refs = {name: self._people.full_names.get(key(name), "") for name in names}
        return await self.texts({name: ref for name, ref in refs.items() if ref})

    async def texts(self, refs: dict[str, str], people: dict[str, str] | None = None) -> dict[str, str]:
        """Texts by whatever they are asked for by: commitments, of the person of that name or of *people*.

        What was erased is not among them, nor is what the store does not give just now: nobody waits for that.
        """
        missing = {asked: ref for asked, ref in refs.items() if ref not in self._known}
        if missing:
            wanted = {(people[asked] if people else asked, ref) for asked, ref in missing.items()}
            with suppress(Conflict):
                for ref, text in (await self._writer.ask(self._read, wanted, within_s=_PATIENCE_S)).items():
                    self._remember(ref, text)
        return {asked: self._known[ref] for asked, ref in refs.items() if ref in self._known}

    def _read(self, wanted: set[tuple[str, str]]) -> dict[str, str]:
        """On the writing thread: texts by commitment; what is damaged is nobody's, and the log says so."""
        found: dict[str, str] = {}
        for person, ref in wanted:
            try:
                text = self._writer.floor.personal.read(person, ref)
            except DamagedPersonal as error:
                self._log.error("what is kept about somebody is damaged", said=error.message)
            else:
                if text is not None:
                    found[ref] = text
        return found

    def _remember(self, commitment: str, text: str) -> None:
        if len(self._known) >= _MOST_KNOWN:
            self._known.clear()
        self._known[commitment] = text

    async def about(self, by: Session, name: str) -> About:
        """All that is kept about somebody, for whoever answers that person."""
        actor = self._people.actor(by, self._clock())
        authority.check(actor.position if actor else None, authority.PERSONAL, "see what is kept about people")
        self._people.check_proved(by, self._clock())
        try:
            return await self._writer.ask(self._about, name, await self.disputes(name))
        except OutcomeUnknown as error:  # nothing was to be written
            raise StoreGone("the store does not answer: ask again in a moment") from error

    def _about(self, name: str, disputes: Disputes) -> About:
        """On the writing thread."""
        return erasing.about(self._writer.floor, self._people, self.retention, name, disputes)

    # Erasing

    async def erase(self, by: Session, name: str, reason: str) -> on.PersonErased:
        """Erase all about somebody that nothing requires to stay; the rest goes by itself when its day has come."""
        found = await self.about(by, name)
        erasing.check_reason(reason, found)
        event = erasing.erasure(found, self.retention, self._clock(), by.name, reason=reason)

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.PERSONAL, "have personal data erased")
            if key(actor.name) == key(found.person):
                raise NotAllowed("you cannot have your own personal data erased: another manager must do that")
            yield event

        await self._register.write(by, decide, proved=True)
        await self._erased(event)
        return event

    def heard(self, event: AnyEvent) -> None:
        """Something has happened, here or on another floor of the store: what was erased is known no longer."""
        if isinstance(event, on.PersonErased):
            for commitment in event.erased:
                self._known.pop(commitment, None)

    async def _erased(self, event: on.PersonErased) -> None:
        """It is on record: erase it, and note it outside; whatever fails is tried again."""
        self._unerased |= set(event.erased)
        await self._writer.ask(self._writer.floor.personal.erase_these, event.erased, event.person)
        self._unerased -= set(event.erased)
        await self._list(event.erased)

    async def _list(self, commitments: Iterable[str]) -> None:
        for each in self._lists:
            try:
                await asyncio.to_thread(each.add, commitments)
            except PuntoError as error:  # at the next start it is tried again
                self._log.warning("what was erased could not be noted outside", said=error.message)


async def _no_disputes(_: str) -> Disputes:
    return lambda _: ()


def _still(
    staying: dict[str, on.PersonErased], event: on.PersonErased, after: on.PersonErased, *_: object
) -> Iterator[AnyEvent]:
    """What is due, unless another floor was first."""
    if staying.get(key(event.person)) == event:
        yield after


def _check_full_name(text: str, *, empty: bool = True) -> None:
    if not text and empty:
        return
    if not text.strip() or len(text) > LONGEST_FULL_NAME or not text.isprintable():
        raise Malformed(f"a full name has 1 to {LONGEST_FULL_NAME} letters and signs, on one line")
