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
from punto.server.identity.personal import PersonalData, Words
from punto.server.identity.register import Decide, Register
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

    def __init__(self, register: Register, personal: PersonalData, writer: Writer, floor: str) -> None:
        self._register = register
        self._personal = personal
        # Whose list only its own file takes back.
        self._floor = floor
        self._people = register.people
        self._writer = writer

    async def exclude(self, by: Session, patron: str, until_ms: int, reason: str) -> bool:
        """Let a patron play no more from now on, until a time (0: for good); what was said before is replaced.

        Whether anybody of that name is known here: a name may be mistyped, or that of somebody who comes later.
        """

        def excluding(commitment: str) -> Decide:
            def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
                authority.check(actor.position, authority.EXCLUDING, "exclude patrons")
                check_patron(patron)
                if until_ms and until_ms <= at_ms:
                    raise Malformed("the exclusion would be over already: expected a time to come")
                there = self._people.exclusions.get(key(patron), {}).get(BY_STAFF)
                if there is not None and not there.is_over(at_ms) and _ends_before(until_ms, there.until_ms):
                    authority.check(actor.position, authority.LIFTING, "have an exclusion end sooner")
                yield on.PatronExcluded(patron, at_ms, commitment, until_ms)

            return decide

        words = Words(patron, KeptKind.EXCLUSION, reason)
        await self._personal.write_with(by, words, excluding, proved=True)
        known = self._people.knows_patron(self._people.patrons.get(key(patron), patron), self._register.now_ms())
        terminal = self._people.knows_patron(key(patron), self._register.now_ms())
        return known or terminal or self._writer.floor.has_wallet(patron)

    async def lift(self, by: Session, patron: str, reason: str, on_list: str = BY_STAFF) -> None:
        """Have an exclusion by staff end; what this floor's file says, only the file takes back.

        So does the file of any other floor, which puts it back as long as it says so: what is left of a floor that was
        renamed, or is gone, no file takes back, and staff do.
        """

        def lifting(commitment: str) -> Decide:
            def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
                authority.check(actor.position, authority.LIFTING, "lift exclusions")
                found = self._find(patron, on_list)
                yield on.ExclusionLifted(found.name, commitment, found.on_list, self._still(found, at_ms))

            return decide

        await self._personal.write_with(by, Words(patron, KeptKind.EXCLUSION, reason), lifting, proved=True)

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
        gone = [each for name, each in there.items() if name not in wanted]

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            for each in gone:
                yield on.ExclusionLifted(each.name, on_list=on_list, still=self._still(each, at_ms))
            yield from fresh.values()

        if gone or fresh:
            await self._register.write(_FLOOR, decide)
        return len(gone) + len(fresh)

    def lacks(self, on_list: str, said: Iterable[Listed]) -> bool:
        """Whether staff of another floor have lifted what a list says."""
        return any(on_list not in self._people.exclusions.get(key(each.patron), {}) for each in said)

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

    def is_in_file(self, exclusion: Exclusion) -> bool:
        """Whether only the file of this floor takes an exclusion back."""
        return exclusion.on_list == self._floor

    def _find(self, patron: str, on_list: str) -> Exclusion:
        lists = self._people.exclusions.get(key(patron), {})
        if on_list in lists and not self.is_in_file(lists[on_list]):
            return lists[on_list]
        if self._floor in lists:
            raise NotExcluded(f"{quoted(patron)} is on the list of the floor's file: take the name out there")
        if lists:
            raise NotExcluded(f"{quoted(patron)} is excluded by another list: {', '.join(map(quoted, lists))}")
        raise NotExcluded(f"{quoted(patron)} is not excluded: nothing was done")

    def _still(self, lifted: Exclusion, at_ms: int) -> tuple[str, ...]:
        """The lists by which a patron is excluded all the same, now or from a time to come."""
        others = self._people.exclusions.get(key(lifted.name), {}).values()
        return tuple(sorted(each.on_list for each in others if each is not lifted and not each.is_over(at_ms)))

    async def _is_same(self, there: Exclusion, said: Listed) -> bool:
        if (there.name, there.from_ms, there.until_ms) != (said.patron, said.from_ms, said.until_ms):
            return False
        return await self._reason(there) in (None, said.reason)  # what was erased stays so

    async def _reason(self, exclusion: Exclusion) -> str | None:
        personal = self._writer.floor.personal
        return await self._writer.ask(personal.read, exclusion.name, exclusion.reason)

    async def _kept(self, patron: str, reason: str) -> str:
        return await self._writer.ask(self._writer.floor.personal.keep, patron, reason, KeptKind.EXCLUSION)


def _ends_before(one_ms: int, other_ms: int) -> bool:
    """Whether one time is before another, where 0 is never."""
    return bool(one_ms) and (not other_ms or one_ms < other_ms)
