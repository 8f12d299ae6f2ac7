"""Devices: terminals of the floor, guests' own, and shoes that read their cards; each with a token of its own."""

import base64
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from typing import Final, NamedTuple

from punto.errors import BadCode, Malformed, NeedsSecond, NoSuchTable, NotAllowed, quoted
from punto.floor import Floor
from punto.floor.personal import KeptKind
from punto.rules import Position
from punto.server.identity import authority
from punto.server.identity import events as on
from punto.server.identity.events import AnyEvent, Kind
from punto.server.identity.moving import Move, Moves, has_credits
from punto.server.identity.people import Session, Terminal
from punto.server.identity.personal import PersonalData, Words
from punto.server.identity.register import Check, Clock, Decide, Register
from punto.server.identity.requests import bearer
from punto.surroundings import token_bytes, token_hex, token_urlsafe
from punto.table import Actor
from punto.table.actor import LONGEST_NAME

CODE_MS: Final = 10 * 60_000
MOST_TERMINALS: Final = 9_999
_TWO: Final = "this terminal has credits: it takes two people to have another device become it"
_GUEST: Final = Actor("guest", Position.PATRON)
_DEVICE: Final = Actor("device", Position.SYSTEM)


class Enrolled(NamedTuple):
    """A device, and the token that only it will know."""

    name: str
    token: str


class Offered(NamedTuple):
    """A terminal that waits for its device, and the code to type in there.

    What *waits* for a second person, by its digest, has no code yet.
    """

    name: str
    code: str
    until_ms: int
    waits: str = ""


class Devices:
    """What is done to devices."""

    def __init__(self, register: Register, personal: PersonalData, clock: Clock, tables: AbstractSet[str]) -> None:
        self._register = register
        self._personal = personal
        self._people = register.people
        self._clock = clock
        self._tables = tables
        # Terminals with credits that are to be other devices, and wait for a second person.
        self.moves = Moves(register.people, clock)
        # Whether a patron has stakes on a table; a server asks its hall.
        self.has_stakes: Callable[[str], bool] = lambda _: False

    async def offer(self, by: Session, number: int, label: str) -> Offered:
        """A code with which a device becomes the terminal of that number, once, within ten minutes.

        If the terminal has credits or stakes, that is proposed, and another person confirms it.
        """
        name, code = f"terminal-{number}", fresh_code()
        until_ms = 0
        alone = by.position is not None or not self._people.has_staff  # a demonstration's staff are nobody

        def offering(kept: str) -> Decide:
            def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
                nonlocal until_ms
                authority.check(actor.position, authority.TERMINALS, "enrol terminals")
                if not 1 <= number <= MOST_TERMINALS:
                    raise Malformed(f"terminals have numbers from 1 to {MOST_TERMINALS}")
                if not alone and self.has_stakes(name):
                    raise NeedsSecond(_TWO)
                until_ms = at_ms + CODE_MS
                yield on.TerminalOffered(name, on.digest(plain(code)), until_ms, label_kept=kept)

            return decide

        try:
            await self._write_called(by, name, label, offering, None if alone else self._check_empty)
        except NeedsSecond:
            return Offered(name, "", 0, self.moves.propose(by, name, label).digest)
        return Offered(name, code, until_ms)

    async def confirm(self, second: Session, digest: str) -> Offered:
        """The second person confirms that a terminal with credits becomes another device, and gets the code."""
        self.moves.may_confirm(second, self._clock())
        move = self.moves.find(digest)
        first, code = self._people.find_session(move.session), fresh_code()
        until_ms = 0

        def decide(actor: Actor, at_ms: int) -> Iterator[AnyEvent]:
            nonlocal until_ms
            self.moves.find(digest)
            other = self.moves.second(move, second, at_ms)
            if actor != move.by:
                raise NotAllowed(f"{actor.name} acts in another position by now: nothing was done")
            until_ms = at_ms + CODE_MS
            yield on.TerminalOffered(move.name, on.digest(plain(code)), until_ms, move.label, other, second.id)

        await self._register.write(first, decide)
        self.moves.end(move)
        return Offered(move.name, code, until_ms)

    def withdraw(self, by: Actor, digest: str) -> None:
        """Whoever proposed it withdraws it, or whoever might confirm it turns it down."""
        authority.check(by.position, authority.TERMINALS, "turn down that a terminal moves")
        self.moves.end(self.moves.find(digest))

    def proposed(self, by: Actor) -> tuple[Move, ...]:
        """The terminals with credits that wait for a second person."""
        authority.check(by.position, authority.TERMINALS, "see the terminals")
        return self.moves.waiting()

    def _check_empty(self, floor: Floor, events: Iterable[AnyEvent]) -> None:
        """On the writing thread: refuse what one person offers where credits would move."""
        for event in events:
            if isinstance(event, on.TerminalOffered | on.TerminalEnrolled) and has_credits(floor, event.name):
                raise NeedsSecond(_TWO)

    def is_offered(self, code: str) -> bool:
        """Whether a terminal waits for a code."""
        offer = self._people.offers.get(on.digest(plain(code)))
        return offer is not None and self._register.now_ms() < offer.until_ms

    async def enrol(self, code: str) -> Enrolled:
        """A terminal, for whoever brings its code in time; a device that was it before no longer is."""
        token = token_urlsafe(32)
        name, moves = "", False

        def decide(_: Actor, at_ms: int) -> Iterator[AnyEvent]:
            nonlocal name, moves
            offer = self._people.offers.get(on.digest(plain(code)))
            if offer is None or at_ms >= offer.until_ms:
                raise BadCode("this code makes no terminal: it is wrong, was used already, or is too old")
            name, moves = offer.name, offer.by_two or not self._people.has_staff
            if not moves and self.has_stakes(name):
                raise NeedsSecond(_TWO)
            yield on.TerminalEnrolled(name, Kind.TERMINAL, on.digest(token), offer.label, label_kept=offer.label_kept)

        def check(floor: Floor, events: Iterable[AnyEvent]) -> None:
            if not moves:
                self._check_empty(floor, events)

        try:
            await self._register.write(_DEVICE, decide, check=check)
        except NeedsSecond:
            raise BadCode(
                "credits have come to this terminal since its code was given out: two members of staff give another"
            ) from None
        await self._leave_labels(name)
        return Enrolled(name, token)

    async def enrol_guest(self) -> Enrolled:
        """A terminal for a guest, under a name that nobody had before."""
        token = token_urlsafe(32)
        name = ""

        def decide(_: Actor, __: int) -> Iterator[AnyEvent]:
            nonlocal name
            name = f"guest-{token_hex(3)}"
            while name in self._people.terminals:
                name = f"guest-{token_hex(3)}"
            yield on.TerminalEnrolled(name, Kind.GUEST, on.digest(token))

        await self._register.write(_GUEST, decide)
        return Enrolled(name, token)

    async def enrol_shoe(self, by: Session, table: str, label: str) -> Enrolled:
        """A token with which a shoe reports the cards of one table; the table's earlier one is worth nothing now."""
        token = token_urlsafe(32)
        name = f"shoe-{table}"

        def enrolling(kept: str) -> Decide:
            def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
                authority.check(actor.position, authority.TERMINALS, "enrol shoes")
                if table not in self._tables:
                    raise NoSuchTable(f"there is no table {quoted(table)} here")
                yield on.TerminalEnrolled(name, Kind.SHOE, on.digest(token), table=table, label_kept=kept)

            return decide

        await self._write_called(by, name, label, enrolling)
        return Enrolled(name, token)

    async def rename(self, by: Session, name: str, label: str) -> Terminal:
        """Call a device otherwise; credits stay where they are, under its name."""

        def renaming(kept: str) -> Decide:
            def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
                authority.check(actor.position, authority.TERMINALS, "rename terminals")
                self._people.find_terminal(name)
                yield on.TerminalRenamed(name, "", kept)

            return decide

        await self._write_called(by, name, label, renaming)
        return self._people.find_terminal(name)

    async def labels(self, devices: Iterable[Terminal]) -> dict[str, str]:
        """What devices are called, by their names: of new labels it lies beside the record."""
        there = list(devices)
        kept = {each.name: each.label_kept for each in there if each.label_kept}
        return {each.name: each.label for each in there} | await self._personal.texts(kept)

    async def _write_called(
        self, by: Session, name: str, label: str, decide: Callable[[str], Decide], check: Check | None = None
    ) -> None:
        """Put on record what names a device's label; one that it had before, and has no longer, is not kept."""
        _check_label(label)
        await self._personal.write_with(by, Words(name, KeptKind.LABEL, label), decide, proved=True, check=check)
        await self._leave_labels(name)

    async def _leave_labels(self, name: str) -> None:
        """Keep of a device only what it is called, and what it will be called once somebody brings its code."""
        there = self._people.terminals.get(name)
        offered = {each.label_kept for each in self._people.offers.values() if each.name == name}
        await self._personal.leave_only(name, KeptKind.LABEL, offered | ({there.label_kept} if there else set()))

    async def revoke(self, by: Session, name: str) -> None:
        """Know a device no longer, from now on; a code that waits for it is worth nothing either."""

        def decide(actor: Actor, _: int) -> Iterator[AnyEvent]:
            authority.check(actor.position, authority.TERMINALS, "withdraw terminals")
            if not any(offer.name == name for offer in self._people.offers.values()):
                self._people.find_terminal(name)
            yield on.TerminalRevoked(name)

        await self._register.write(by, decide, proved=True)

    def listed(self, by: Actor, *, guests: bool) -> list[Terminal]:
        """The devices that are enrolled."""
        authority.check(by.position, authority.TERMINALS, "see the terminals")
        return [each for each in self._people.terminals.values() if guests or each.kind is not Kind.GUEST]

    def table_of(self, authorization: str | None) -> str | None:
        """The table whose shoe asks, by its bearer token."""
        device = self._people.device_with(bearer(authorization))
        return device.table if device is not None and device.kind is Kind.SHOE else None


def fresh_code() -> str:
    """Twelve letters and digits to type in, in threes."""
    letters = base64.b32encode(token_bytes(8)).decode()[:12]
    return "-".join(letters[start : start + 4] for start in range(0, 12, 4))


def plain(code: str) -> str:
    """A code as it is compared, however it was typed in."""
    return "".join(sign for sign in code.upper() if sign.isalnum())


def _check_label(label: str) -> None:
    if len(label) > LONGEST_NAME or not label.isprintable():
        raise Malformed(f"a terminal is called by up to {LONGEST_NAME} letters and signs, on one line")
