"""Exclusions: the patrons whom the house lets play no more, by the list of a floor's file or by its staff."""

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from punto.errors import Malformed, NotExcluded, quoted
from punto.floor.personal import KeptKind
from punto.rules import Position
from punto.server.identity import authority
from punto.server.identity import events as on
from punto.server.identity.accounts import check_patron
from punto.server.identity.events import AnyEvent
from punto.server.identity.people import Exclusion, Session, key
from punto.server.identity.register import Register
from punto.server.writer import Writer
from punto.table import Actor

_FLOOR = Actor("floor", Position.SYSTEM)
# Those of the staff are on no list of a file.
BY_STAFF = ""


class Listed(NamedTuple):
    """What the list of a floor's file says of a patron; *until_ms* is 0 where it is for good."""

    patron: str
    from_ms: int
    until_ms: int
    reason: str


class Exclusions:
    """Who is excluded, and what is done about it."""

    def __init__(self, register: Register, writer: Writer) -> None:
        self._register = register
        self._people = register.people
        self._writer = writer

    async def exclude(self, by: Session, patron: str, until_ms: int, reason: str) -> None:
        """Let a patron play no more from now on, until a time (0: for good); what was said before is replaced."""
        authority.check(self._position(by), authority.EXCLUDING, "exclude patrons")
        check_patron(patron)
        commitment = await self._kept(patron, reason)

        def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.EXCLUDING, "exclude patrons")
            if until_ms and until_ms <= at_ms:
                raise Malformed("the exclusion would be over already: expected a time to come")
            there = self._people.exclusions.get(key(patron), {}).get(BY_STAFF)
            if there is not None and not there.is_over(at_ms) and _ends_before(until_ms, there.until_ms):
                authority.check(actor.position, authority.LIFTING, "have an exclusion end sooner")
            yield on.PatronExcluded(patron, at_ms, commitment, until_ms)

        await self._register.write(by, decide, proved=True)

    async def lift(self, by: Session, patron: str, reason: str) -> None:
        """Let a patron play again whom staff have excluded; what a floor's file says, only the file takes back."""
        authority.check(self._position(by), authority.LIFTING, "lift exclusions")
        self._find(patron)
        commitment = await self._kept(patron, reason)

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.LIFTING, "lift exclusions")
            yield on.ExclusionLifted(self._find(patron).name, commitment)

        await self._register.write(by, decide, proved=True)

    async def take_over(self, on_list: str, said: Iterable[Listed]) -> int:
        """Put the list of a floor's file on record as far as it is not there; how many entries that took."""
        wanted = {key(each.patron): each for each in said}
        there = {name: lists[on_list] for name, lists in self._people.exclusions.items() if on_list in lists}
        fresh = {}
        for name, each in wanted.items():
            if name not in there or not await self._is_same(there[name], each):
                fresh[name] = on.PatronExcluded(
                    each.patron, each.from_ms, await self._kept(each.patron, each.reason), each.until_ms, on_list
                )
        gone = [on.ExclusionLifted(each.name, on_list=on_list) for name, each in there.items() if name not in wanted]
        events: list[AnyEvent] = [*gone, *fresh.values()]
        if events:
            await self._register.write(_FLOOR, lambda _, __: events)
        return len(events)

    async def reasons(self, exclusions: Iterable[Exclusion]) -> list[str | None]:
        """Why patrons are excluded; none where that was erased."""
        return [await self._reason(each) for each in exclusions]

    def listed(self, by: Actor) -> list[Exclusion]:
        """Everybody who is excluded, now or from a time to come, by name; those on several lists several times."""
        authority.check(by.position, authority.LOOKING, "see who is excluded")
        lists = self._people.exclusions.values()
        return sorted(
            (each for named in lists for each in named.values()), key=lambda each: (key(each.name), each.on_list)
        )

    def _find(self, patron: str) -> Exclusion:
        lists = self._people.exclusions.get(key(patron), {})
        if BY_STAFF in lists:
            return lists[BY_STAFF]
        if lists:
            raise NotExcluded(f"{quoted(patron)} is on the list of the floor's file: take the name out there")
        raise NotExcluded(f"{quoted(patron)} is not excluded: nothing was done")

    async def _is_same(self, there: Exclusion, said: Listed) -> bool:
        if (there.name, there.from_ms, there.until_ms) != (said.patron, said.from_ms, said.until_ms):
            return False
        return await self._reason(there) in (None, said.reason)  # what was erased stays so

    async def _reason(self, exclusion: Exclusion) -> str | None:
        personal = self._writer.floor.personal
        return await self._writer.ask(personal.read, exclusion.name, exclusion.reason)

    async def _kept(self, patron: str, reason: str) -> str:
        return await self._writer.ask(self._writer.floor.personal.keep, patron, reason, KeptKind.EXCLUSION)

    def _position(self, by: Session) -> Position | None:
        return self._people.own_position(by)


def _ends_before(one_ms: int, other_ms: int) -> bool:
    """Whether one time is before another, where 0 is never."""
    return bool(one_ms) and (not other_ms or one_ms < other_ms)
