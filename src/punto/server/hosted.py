"""One table as the server hosts it: who sits and looks on, and what each of them was told last."""

import asyncio
from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec import Raw
from msgspec.structs import replace

from punto.errors import BadSetup, TableIsFull
from punto.floor.receipting import Seals
from punto.ledger import TableMeters
from punto.rules import Method
from punto.server.chances import Outlook, Sight
from punto.server.clockwork import Clockwork, Pace
from punto.server.faces import Fields, Shown, changed, encoded, own_state, public_state, staff_state
from punto.server.faces.info import table_info
from punto.server.faces.lines import Happened, lines
from punto.server.faces.own import returned_by
from punto.server.faces.public import said_of, stakes
from punto.server.faces.staff import Watched, alarms
from punto.server.faces.state import ENCODER
from punto.server.faces.tiles import tile, with_money
from punto.server.proposals import Proposals, is_within
from punto.server.seating import seat_for
from punto.server.wire.tells import Line, OwnReturn, TableState, Tile, Told, ToldOwn, ToldStaff
from punto.table import PLAYING, Actor, AnyEvent, Phase, Placed, Setup, Source, Table, evolve
from punto.table import events as on
from punto.table.setup import complete

if TYPE_CHECKING:
    from punto.server.connection import Connection
    from punto.server.hall import Hall

# What changes often is told at most so often.
OFTEN_S: Final = 0.25
# With many onlookers less often: a table sends them no more than so many such frames a second.
_MOST_FRAMES: Final = 50
LOG_LINES: Final = 40
# A dealer whose page has gone has so long to come back before the automatic dealer goes on.
_AWAY_S: Final = 15.0
_VOIDED: Final = on.RoundVoided.__struct_config__.tag
# What changes nothing that everybody sees but the sums on the layout.
_OF_WAGERS: Final = (
    on.WagerPlaced,
    on.WagerChanged,
    on.WagerTakenBack,
    on.CreditsBought,
    on.CreditsCashedOut,
    on.CreditsCorrected,
    on.CreditsWithheld,
    on.CreditsReleased,
)


class Hosted:
    """A table on the event loop's side: its last durable state, and everybody who is shown it."""

    def __init__(self, hall: "Hall", key: str, *, automatic: bool, pace: Pace, always: bool) -> None:
        self.hall = hall
        self.key = key
        self.table = Table()
        self.version = 0
        self.terminals = False
        # The patrons at the table, by position, and the other way round.
        self.seats: dict[int, str] = {}
        # Under which seal it has played, for receipts.
        self.seals = Seals()
        self.places: dict[str, int] = {}
        self.onlookers: set[Connection] = set()
        self.staff: set[Connection] = set()
        self.log: deque[Line] = deque(maxlen=LOG_LINES)
        # What is not in the log yet: that is written when somebody reads it.
        self._unwritten: deque[Happened] = deque(maxlen=LOG_LINES)
        # What it was open with, while it is closed: whoever opens it again begins from there.
        self.last: Setup | None = None
        # What the floor's file opens it with, and what waits for a second person.
        self.file: Setup | None = None
        self._file_shown: Setup | None = None
        self._beyond_file = False
        self.proposals = Proposals(self)
        # Where the record was stopped when the floor opened: the table as far as that was signed, if it can be read.
        self._signed: Table | None = None
        self.knows_stakes = True
        # What is stopped of the record that concerns the table, each in one line.
        self.damage: tuple[str, ...] = ()
        self.meters = TableMeters()
        # What the lab said of the next round, and what of the cards it was asked about.
        self.outlook = Outlook()
        self.asked_of_lab: Sight | None = None
        self.clockwork = Clockwork(self, pace, hall.schedule)
        self.dealer_name = ""
        # The pages of the dealer here, the newest last.
        self._consoles: list[Connection] = []
        # Until when a dealer whose page has gone is waited for.
        self._away: asyncio.TimerHandle | None = None
        self._automatic = automatic
        # Whether rounds begin with nobody there.
        self._always = always
        self._shown = Shown()
        # What went back in this round by decisions, by patron.
        self._returned: dict[str, tuple[OwnReturn, ...]] = {}
        # What everybody was told last, and the table at a glance, until something changes.
        self._face: Fields = {}
        self._tile: Tile | None = None
        self._staff_face: Fields = {}
        self._telling: asyncio.TimerHandle | None = None
        self._told_at = 0.0
        self._clock_told: tuple[object, ...] = ()

    # What happens

    def begin(self, table: Table, version: int, meters: TableMeters, log: Iterable[Line] = ()) -> None:
        """Host the table as the floor has it."""
        self.table, self.version, self.meters = table, version, meters
        self.seals.begin(table, version)
        self.log.extend(log)
        voids = [line.event["found"] for line in self.log if line.event["type"] == _VOIDED]
        self._shown.void = voids[-1] if voids else ""
        self._set_up()

    def begin_stopped(self, damage: str, signed: Table | None) -> None:
        """Show the table as stopped from the beginning: open as the floor's file has it, with nothing on it.

        What was *signed* of it only tells patrons what they have at stake.
        """
        self._signed, self.knows_stakes = signed, signed is not None
        file = self._shown_file()
        if file is not None:
            self.table = evolve(Table(), on.TableOpened(setup=file))
        self.damage = (damage,)
        self._shown.held_up = "record"
        self.clockwork.halt()
        self._set_up()

    def _set_up(self) -> None:
        setup = self.table.setup
        self.terminals = setup is not None and self.table.book.conduct.terminals
        self._beyond_file = self._is_beyond_file()
        self._shown.info = table_info(setup, beyond_file=self._beyond_file) if setup else None

    def _is_beyond_file(self) -> bool:
        """Whether the table has, or will have from the next round on, another setup than that of the floor's file."""
        setups = [each for each in (self.table.setup, self.table.ahead) if each is not None]
        file = self._shown_file()
        return any(file is None or not is_within(file, setup) for setup in setups)

    def glance(self, *, anew: bool = False) -> Tile:
        """The table as anybody sees it from afar, worked out once for all who look, or *anew*."""
        if self._tile is None or anew:
            self._tile = tile(
                self.key,
                self.table,
                len(self.seats),
                taken=bool(self.dealer_name),
                automatic=self.automatic,
                beyond_file=self._beyond_file,
                held_up=self._shown.held_up,
            )
        return self._tile

    def moved(self, table: Table, version: int, events: Iterable[AnyEvent]) -> None:
        """The table has moved on: tell everybody what they may see of it, at once or soon."""
        before, events = self.table, tuple(events)
        self.table, self.version = table, version
        self.seals.hear(version, events)
        if table.setup is not before.setup or table.ahead is not before.ahead:
            self._set_up()
            self._seat_anew()
            self.last = _last_setup(before) if before.setup and not table.setup else None
        quiet = True
        for event in events:
            self.meters.add(event)
            if isinstance(event, on.CreditsWithheld):  # of a wallet that cannot be read nothing else is told
                self.hall.tell_purse(event.patron)
            if not isinstance(event, _OF_WAGERS):
                quiet = False
                self._notice(event, before)
        if quiet:
            self._tell_soon()
            return
        self.clockwork.plan()
        self._ask_lab()
        self.tell()
        for patron in self.places:
            self.tell_own(patron)
        self.seat_out()

    def _ask_lab(self) -> None:
        """Have the lab look at the next round, once another card is known to come or to be gone.

        While cards are dealt, nothing is said of the round after them.
        """
        sight = Sight.of(self.table)
        dealing = self.table.phase in PLAYING and self.table.phase is not Phase.BETS_OPEN
        if not dealing and sight != self.asked_of_lab:
            self.asked_of_lab = sight
            self.hall.ask_lab(self)

    def _notice(self, event: AnyEvent, before: Table) -> None:
        """What is announced stays shown until the next announcement, what was returned until the next round."""
        shown = self._shown
        shown.said = said_of(self.table, event) or shown.said if self.table.setup else None
        if isinstance(event, on.RoundVoided):
            shown.void = event.found.value
        elif isinstance(event, on.BetsOpened):
            self._returned = {}
        elif isinstance(event, on.Ruled):
            for patron, returns in returned_by(before, event).items():
                self._returned[patron] = (*self._returned.get(patron, ()), *returns)

    def note(self, happened: Happened) -> None:
        """Something is to go into the log that staff read."""
        self._unwritten.append(happened)

    def set_lab(self, outlook: Outlook) -> None:
        """What the lab says of the next round."""
        self.outlook, self._shown.chances = outlook, outlook.public
        self.tell()

    def give_up(self) -> bool:
        """Another process runs the table now: nothing is shown of it here but that; whether that is news."""
        if self.is_elsewhere:
            return False
        self.clockwork.halt()
        self.terminals = False
        self.table, self.last, self.outlook, self.asked_of_lab = Table(), None, Outlook(), None
        self._signed, self.knows_stakes = None, True
        # What is played here is still known; what lies on the table is not.
        self._shown = Shown(info=self._shown.info, held_up="elsewhere")
        self._returned = {}
        self._beyond_file = False
        self.take(None)
        for patron in self.places:
            self.tell_own(patron)
        return True

    @property
    def is_elsewhere(self) -> bool:
        """Whether another process runs the table now."""
        return self._shown.held_up == "elsewhere"

    @property
    def is_stopped(self) -> bool:
        """Whether nothing goes on here because the table's record is stopped."""
        return self._shown.held_up == "record"

    def stall(self, *, stalled: bool) -> bool:
        """Tell everybody that nothing goes on, or goes on again, as the store does; whether that is news."""
        news = stalled is not (self._shown.held_up == "store")
        if news and self._shown.held_up not in ("record", "elsewhere"):
            self._shown.held_up = "store" if stalled else ""
            self.tell()
        return news

    def mark(self, damage: tuple[str, ...], *, stopped: bool) -> None:
        """Tell staff what is stopped that concerns the table, and everybody whether the table is."""
        self.damage = damage
        news = not self.is_elsewhere and stopped != (self._shown.held_up == "record")
        if news:
            self._shown.held_up = "record" if stopped else ""
        self.tell()
        if news:  # what lies here waits now, or not any more
            for patron in {*self.places, *(each.patron for each in self.table.wagers.values())}:
                self.hall.tell_purse(patron)
        self.tell_staff()

    # Who is there

    def sit(self, page: "Connection", patron: str, position: int) -> None:
        """A patron takes a seat, and gives up the one held before."""
        self._place(patron, position)
        page.seats[self.key] = position
        visitor = self.hall.visitors.find(patron)
        if visitor is not None:
            visitor.sat(self.key)
        page.own.pop(self.key, None)
        if any(placed.patron == patron for placed in self.table.wagers.values()):
            self.clockwork.show_again()
        self.clockwork.plan()
        self.tell()
        self.show(page)
        self.tell_own(patron)

    def _place(self, patron: str, position: int) -> None:
        self._stand_up(patron)
        self.seats[position] = patron
        self.places[patron] = position
        for page in self.hall.visitors.pages(patron):
            if self.key in page.seats:
                page.seats[self.key] = position

    def _seat_anew(self) -> None:
        """A table may open with fewer positions than it had: who sat beyond the last gets another, if there is one."""
        if self.table.setup is None:
            return
        for patron, position in tuple(self.places.items()):
            if position > self.table.open.positions:
                with suppress(TableIsFull):
                    self._place(patron, seat_for(self.table, self.seats, patron, 0))

    def seat_out(self) -> None:
        """Patrons whom the house lets play no more give up their seats, once none of their stakes is in play."""
        for patron in tuple(self.places):
            if self.hall.is_excluded(patron) and not self.staked_cents(patron):
                for page in self.hall.visitors.pages(patron):
                    page.seats.pop(self.key, None)
                    page.own.pop(self.key, None)
                self._stand_up(patron)
                self.clockwork.plan()
                self.tell()

    def _stand_up(self, patron: str) -> None:
        self.seats.pop(self.places.pop(patron, 0), None)

    def lose(self, page: "Connection") -> None:
        """A page looks on no longer; a patron with no other page here gives up the seat."""
        page.watching.discard(self.key)
        self.onlookers.discard(page)
        self.staff.discard(page)
        self.proposals.drop(page)
        page.own.pop(self.key, None)
        if page.seats.pop(self.key, None) is not None and page.patron is not None:
            name = page.patron.name
            if not any(self.key in other.seats for other in self.hall.visitors.pages(name)):
                self._stand_up(name)
        if page in self._consoles:
            self._consoles.remove(page)
            if not self._consoles:
                self._stop_waiting()
                self._away = asyncio.get_running_loop().call_later(_AWAY_S, self._give_up_waiting)
        self.clockwork.plan()
        self.tell()

    def take(self, page: "Connection | None") -> None:
        """A dealer takes the table, on one page or on several; or it goes back to the automatic one."""
        self._stop_waiting()
        name = page.staff.name if page and page.staff else ""
        if name != self.dealer_name:
            self._consoles.clear()
        if page is not None and page not in self._consoles:
            self._consoles.append(page)
            page.watching.add(self.key)  # so that the table notices when the page goes
        self.dealer_name = name
        self.clockwork.plan()
        self.tell()

    def relieve(self, page: "Connection") -> None:
        """A page is no console any more."""
        self.staff.discard(page)
        self.proposals.drop(page)
        if page in self._consoles:
            self._consoles.remove(page)
            if not self._consoles:
                self.take(None)
        self.tell()

    def _stop_waiting(self) -> None:
        if self._away is not None:
            self._away.cancel()
            self._away = None

    def _give_up_waiting(self) -> None:
        if not self._consoles and self.dealer_name:
            self.take(None)

    @property
    def dealer(self) -> Actor | None:
        """Who has taken the table, and is there."""
        return self._consoles[-1].staff if self._consoles else None

    @property
    def dealer_session(self) -> str:
        """The session of whoever has taken the table, and is there."""
        return self._consoles[-1].session if self._consoles else ""

    def tell_dealer(self, message: bytes) -> None:
        """Tell who deals here something that is of nobody else's concern."""
        for console in self._consoles:
            console.tell(message)

    @property
    def automatic(self) -> bool:
        """Whether the clock or an automatic dealer may run the table: not where people deal from a shoe of theirs."""
        setup = self.table.setup
        return self._automatic and (setup is None or setup.source is Source.VIRTUAL)

    @property
    def deals_itself(self) -> bool:
        """Whether the clock or an automatic dealer runs the table now."""
        return self.automatic and not self.dealer_name

    @property
    def attended(self) -> bool:
        """Whether anybody is there to play."""
        return self._always or bool(self.seats)

    def placed(self, patron: str) -> list[Placed]:
        """A patron's wagers at this table."""
        seats = self.table.seats
        if self.terminals and patron in self.places:
            return [each for each in seats.get(self.places[patron], ()) if each.patron == patron]
        return [each for seat in seats.values() for each in seat if each.patron == patron]

    def staked_cents(self, patron: str) -> int:
        """What a patron has at stake here, as far as the record is believed."""
        if self._signed is not None:
            lying = self._signed.wagers.values() if self._signed.phase in PLAYING else ()
            return sum(each.cents for each in lying if each.patron == patron)
        return sum(each.cents for each in self.placed(patron)) if self.table.phase in PLAYING else 0

    # What is told

    def show(self, page: "Connection") -> None:
        """Tell a page all that everybody may see, and from now on what changes."""
        if self._telling is not None or not self._face:
            self.tell()  # so that it starts from where all others are
        page.watching.add(self.key)
        self.onlookers.add(page)
        face = self._face | {"clock": Raw(ENCODER.encode(self.clockwork.shown()))}
        page.tell(ENCODER.encode(Told(self.key, self.version, face, whole=True)))

    def show_staff(self, console: "Connection") -> None:
        """Tell a console all that staff may see."""
        self.tell_staff()
        self.staff.add(console)
        self._staff_face = encoded(staff_state(self.table, self._watched()))
        console.tell(ENCODER.encode(ToldStaff(self.key, self.version, self._staff_face)))

    def tell(self) -> None:
        """Tell everybody what changed, now."""
        if self._telling is not None:
            self._telling.cancel()
            self._telling = None
        self._told_at = asyncio.get_running_loop().time()
        face = encoded(public_state(self.table, self._now()))
        running = self.clockwork.running
        if running == self._clock_told and "clock" in self._face:
            face["clock"] = self._face["clock"]  # it still runs, and pages count it down by themselves
        self._clock_told = running
        self._tell_news(face)

    def _tell_soon(self) -> None:
        """Tell what changes often, but not too often."""
        if self._telling is None:
            often = max(OFTEN_S, len(self.onlookers) / _MOST_FRAMES)
            wait = max(0.0, self._told_at + often - asyncio.get_running_loop().time())
            self._telling = asyncio.get_running_loop().call_later(wait, self._tell_stakes)

    def _tell_stakes(self) -> None:
        """Tell what wagers change, and nothing else."""
        self._telling = None
        self._told_at = asyncio.get_running_loop().time()
        self._tell_news({"stakes": Raw(ENCODER.encode(stakes(self.table)))})

    def _tell_news(self, face: Fields) -> None:
        self._tile = None
        news = changed(self._face, face)
        self._face |= news
        if news and self.onlookers:
            message = ENCODER.encode(Told(self.key, self.version, news))
            for onlooker in self.onlookers:
                onlooker.tell(message)
        self.tell_staff()
        self.hall.glance(self)

    def tell_staff(self) -> None:
        """Tell consoles what changed for staff."""
        if not self.staff:
            return
        face = encoded(staff_state(self.table, self._watched()))
        news = changed(self._staff_face, face)
        self._staff_face = face
        if news:
            message = ENCODER.encode(ToldStaff(self.key, self.version, news))
            for console in self.staff:
                console.tell(message)

    def tell_own(self, patron: str) -> None:
        """Tell a patron, on every page, what changed of the patron's own."""
        for page in self.hall.visitors.pages(patron):
            seat = page.seats.get(self.key)
            if seat is None:
                continue
            face = encoded(own_state(self.table, patron, seat, self.placed(patron), self._returned.get(patron, ())))
            news = changed(page.own.get(self.key, {}), face)
            page.own[self.key] = face
            if news:
                page.tell(ENCODER.encode(ToldOwn(self.key, self.version, news)))

    def for_staff(self, seen: Tile) -> Tile:
        """The table at a glance, as staff see it."""
        proposed = bool(self.proposals.shown())
        found = alarms(self.table, self.outlook.edges, proposed=proposed, damage=self.damage)
        return with_money(seen, self.table, self.meters, (*self.hall.troubles(), *found), self.dealer_name)

    def state(self) -> TableState:
        """The table as anybody may see it now."""
        return public_state(self.table, self._now())

    def _now(self) -> Shown:
        shown = self._shown
        shown.clock = self.clockwork.shown()
        shown.seats = self.places
        shown.patrons = len(self.seats)
        shown.taken = bool(self.dealer_name)
        shown.automatic = self.automatic
        shown.time_in_doubt = self.hall.time_in_doubt
        return shown

    def _shown_file(self) -> Setup | None:
        """The setup of the file with all its usual values, as a table opens with it."""
        if self._file_shown is None and self.file is not None:
            with suppress(BadSetup):
                self._file_shown = complete(self.file, self.hall.now_ms())
        return self._file_shown

    def _watched(self) -> Watched:
        while self._unwritten:
            self.log.extend(lines(self._unwritten.popleft()))
        return Watched(
            seats=self.seats,
            meters=self.meters,
            edges=self.outlook.edges,
            chances=self.outlook.chances,
            log=tuple(self.log),
            last=self.last,
            file=self._shown_file(),
            proposals=self.proposals.shown(),
            dealer=self.dealer_name,
            damage=self.damage,
            troubles=self.hall.troubles(),
            claims=self.hall.claims.book.at(self.key),
        )


def _last_setup(table: Table) -> Setup:
    """What a table would have gone on with; a table opens with Method A or B (B8, TNC5 3.8.2)."""
    setup = table.ahead or table.open
    return setup if table.method is Method.C else replace(setup, method=table.method)
