"""The hall: every table that this server hosts, everybody who is there, and the one writer behind them."""

import asyncio
from collections import defaultdict
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec
import structlog

from punto.errors import (
    Conflict,
    Corrupt,
    FloorIsClosing,
    KeyRotated,
    NoSuchTable,
    PuntoError,
    StreamStopped,
    TooMuchWork,
    named,
    quoted,
)
from punto.floor import Answer, Floor
from punto.floor.handler import TABLE
from punto.floor.receipting import Receipts
from punto.floor.replaying import as_signed
from punto.ledger import wallet
from punto.server.chances import Lab, Outlook, Sight
from punto.server.claims import Claims
from punto.server.clockwork import Pace, Schedule, on_time
from punto.server.connection import Connection
from punto.server.delays import DelayWatch
from punto.server.faces.lines import Happened, recalled
from punto.server.faces.state import ENCODER
from punto.server.heavy.jobs import DECLARATION, ODDS
from punto.server.heavy.pool import Pool
from punto.server.heavy.turns import STAFF
from punto.server.hosted import LOG_LINES, Hosted
from punto.server.houseclock import ClockWatch, HouseClock
from punto.server.journal import Journal
from punto.server.outlet import framed
from punto.server.programcheck import ProgramCheck
from punto.server.trespasses import Trespasses
from punto.server.visitors import BesideCredits, Visitors
from punto.server.watchman import Watchman
from punto.server.wire import tells
from punto.server.words.audits import AUDIT_ALARMS
from punto.server.words.clock import ends_long_ago, has_jumped, is_behind_record
from punto.server.writer import Writer, Written
from punto.table import PLAYING, Actor, AnyEvent, Setup
from punto.table.setup import admit

if TYPE_CHECKING:
    from punto.server.audits import Audits

# Those who watch the whole floor are told so often.
_GLANCE_S: Final = 0.5
_LOOK_S: Final = 0.05
# Whoever asks a floor that is run elsewhere is told so for a while before it ends.
_LAST_WORDS_S: Final = 1.0
# So long a page waits for its patron's wallet before it is shown anything else.
_READING_S: Final = 1.0
# How long the last group may take after the grace when the floor stops, and the store's last answer as long again; how
# much of an unused grace both may have.
_SETTLING_S: Final = 0.5
_MOST_SPARE_S: Final = 2.0
_ELSEWHERE: Final = ENCODER.encode(
    tells.Ended("elsewhere", "this floor is run by another process now: your credits are kept")
)


class Hall:
    """All of it, on the event loop."""

    def __init__(  # noqa: PLR0913 (what a simulation replaces)
        self,
        floor: Floor,
        about: tells.Welcome,
        schedule: Schedule = on_time,
        pool: Pool | None = None,
        *,
        clock: HouseClock | None = None,
        lab: Lab | None = None,
    ) -> None:
        self.about = about
        # Has heavy work done elsewhere.
        self.pool = pool or Pool()
        self.schedule = schedule
        self.writer = Writer(floor, self._published)
        self.receipts = Receipts(floor.history)
        # What audits the floor.
        self.audits: Audits | None = None
        # Why checkpoints do not arrive outside, by where they should.
        self.outside_faults: Callable[[], dict[str, str]] = dict
        self.tables: dict[str, Hosted] = {}
        self.visitors = Visitors()
        self.trespasses = Trespasses()
        self.connections: set[Connection] = set()
        self.log = structlog.get_logger("punto.hall")
        self.watchman = Watchman(self)
        # Where significant events are noted.
        self.journal = Journal(self)
        self.delays = DelayWatch(self)
        self.clock = clock or HouseClock()
        # The time of day; sessions are measured by the same clock.
        self.time: Callable[[], int] = self.clock.now_ms
        self._clock_watch = ClockWatch(self)
        self.program = ProgramCheck(self.pool, self.now_ms)
        # Whether gaming days are sealed here.
        self.seals = False
        # Why no checkpoint could be taken the last time.
        self.checkpoint_fault: PuntoError | None = None
        # The pages that watch the whole floor.
        self.watchers: set[Connection] = set()
        self._lab = lab or Lab()
        self._lab_thread = ThreadPoolExecutor(1, "lab")
        # Declarations of games whose odds take too long.
        self._without_odds: set[str] = set()
        self._looking: set[asyncio.Future[Outlook]] = set()
        self._to_flush: list[Connection] = []
        self._flushing = False
        # The tables that have changed, in that order.
        self._glances: dict[Hosted, None] = {}
        self._glancing = False
        # Tables with commands whose outcome is not known yet.
        self._in_doubt: set[str] = set()
        # Why this process serves nothing any more, and whether everybody has been told by now.
        self.fenced: PuntoError | None = None
        self.is_over = False
        self.writer.fenced = self.look_at_owner
        self.claims = Claims(self)
        # Who a session belongs to now, which members of staff are not independent of somebody, who has enrolled on no
        # device of their own, and who has come back by a code from the machine.
        self.staff_in: Callable[[str], Actor | None] = _nobody
        self.not_independent_of: Callable[[str], tuple[str, ...]] = _none
        self.not_on_own_device: Callable[[], tuple[str, ...]] = tuple
        self.have_come_back: Callable[[], tuple[str, ...]] = tuple
        # Refuses a session whose owner showed too long ago who they are.
        self.check_proved: Callable[[str], None] = _nothing
        # Whom the house lets play no more.
        self.is_excluded: Callable[[str], bool] = _never
        # Why the list of exclusions, as it is now, does not count; empty where it does.
        self.exclusion_fault: Callable[[], str] = str

    # Tables

    def host(
        self,
        key: str,
        *,
        automatic: bool = True,
        pace: Pace | None = None,
        always: bool = False,
        file: Setup | None = None,
    ) -> Hosted:
        """Host a table from now on, as the floor has it. Called on the writing thread, before the clocks run."""
        hosted = Hosted(self, key, automatic=automatic, pace=pace or Pace(), always=always)
        hosted.file = file
        floor = self.writer.floor
        table = floor.table(key)
        log = recalled(floor.history.believed, key, table, LOG_LINES)
        hosted.begin(table, floor.version(key), floor.meters(key), log)
        self.tables[key] = hosted
        return hosted

    def host_stopped(self, key: str, error: Corrupt, *, automatic: bool = True, file: Setup | None = None) -> None:
        """Show a table whose record is damaged as stopped: nothing is done there until the floor is opened anew.

        What is played there is told from the floor's file. Called on the writing thread, before the clocks run.
        """
        self.log.error("a table is damaged, and is stopped", table=key, said=error.message)
        self.writer.stopped[key] = StreamStopped(error.message, error.at)
        hosted = Hosted(self, key, automatic=automatic, pace=Pace(), always=False)
        hosted.file = file
        hosted.begin_stopped(error.message, as_signed(self.writer.floor.history, TABLE + key))
        self.tables[key] = hosted

    def damaged(self) -> dict[str, str]:
        """What is wrong with the record, by stream: tables that stay closed, and streams that are stopped.

        What is wrong outside the record, and with the program itself, is there under other names.
        """
        stopped = {
            "" if stream is None else named(stream): error.message for stream, error in self.watchman.stopped.items()
        }
        stopped |= {named(name): lost.message for name, lost in self.writer.floor.history.ownership.lost.items()}
        fault = self.writer.floor.history.outside_fault
        outside = {"outside": fault.message} if fault else {}
        if self.checkpoint_fault is not None:
            outside["checkpoints"] = f"no checkpoint can be taken: {self.checkpoint_fault.message}"
        outside |= {f"outside {where}": said for where, said in self.outside_faults().items()}
        if self.audits is not None and self.audits.trouble:
            outside["audit"] = self.audits.trouble
        closed = {TABLE + key: error.message for key, error in self.writer.stopped.items()}
        return closed | stopped | outside | self.program.faults

    def begin(self) -> None:
        """Let the clocks run, and have the lab look at every shoe."""
        for hosted in self.tables.values():
            hosted.clockwork.plan()
            hosted.asked_of_lab = Sight.of(hosted.table)
            self.ask_lab(hosted)
        self.watchman.begin()
        self.delays.begin()
        self._clock_watch.begin()

    def find(self, key: str) -> Hosted:
        """The table of that name."""
        hosted = self.tables.get(key)
        if hosted is None:
            raise NoSuchTable(f"there is no table {quoted(key)} here")
        return hosted

    def has_stakes(self, patron: str) -> bool:
        """Whether anything of a patron's lies on a table of this floor, or aside for the patron there."""
        tables = [hosted.table for hosted in self.tables.values()]
        staked = any(each.patron == patron for table in tables for each in table.wagers.values())
        return staked or any(patron in table.withheld for table in tables)

    def now_ms(self) -> int:
        """The time of day, for the record; nothing is measured by it."""
        return self.time()

    @property
    def time_in_doubt(self) -> bool:
        """Whether the time of day may be wrong."""
        clock = self.clock
        return bool(clock.astray_s or clock.behind_record_s or (self.seals and clock.old_s))

    def troubles(self) -> tuple[tells.Alarm, ...]:
        """What staff at every table should know of the machine itself."""
        clock, found = self.clock, []
        if self.delays.waiting_s:
            waits = tells.Text("The floor waits for its record: nothing is lost", "正在等待记录写入：不会丢失任何内容")
            found.append(tells.Alarm("store", waits))
        if clock.astray_s:
            found.append(tells.Alarm("clock", has_jumped(clock.astray_s)))
        elif clock.behind_record_s:
            found.append(tells.Alarm("clock", is_behind_record(clock.behind_record_s)))
        elif self.seals and clock.old_s:
            found.append(tells.Alarm("clock", ends_long_ago(clock.old_s)))
        if self.exclusion_fault():
            stale = "The list of exclusions has a mistake: the one before it counts"
            found.append(tells.Alarm("exclusions", tells.Text(stale, "禁玩名单有误：仍以之前的名单为准")))
        return tuple(found)

    def ask_lab(self, hosted: Hosted) -> None:
        """Have the lab look at the cards that are left; it tells when it has."""
        table = hosted.table
        if table.setup is None or table.setup.declaration in self._without_odds:
            return
        sight = Sight.of(table)
        loop = asyncio.get_running_loop()
        looking: asyncio.Future[Outlook]
        if table.setup.declaration and sight is not None:  # how long it takes, whoever declared the game has chosen
            asked = self.pool.run(ODDS, f"{STAFF}table/{hosted.key}", table.setup, sight)
            looking = loop.create_task(asked)
            self._looking.add(looking)
            looking.add_done_callback(self._looking.discard)
        else:
            looking = loop.run_in_executor(self._lab_thread, self._lab.look, table)
        looking.add_done_callback(partial(self._looked, hosted, sight))

    async def read_declaration(self, text: str, visitor: str) -> None:
        """Know the game that a visitor's text declares, so that no table waits for its reader."""
        admit(text, await self.pool.run(DECLARATION, visitor, text))

    def _looked(self, hosted: Hosted, then: Sight | None, looking: "asyncio.Future[Outlook]") -> None:
        error = None if looking.cancelled() else looking.exception()
        if looking.cancelled() or hosted.asked_of_lab != then or isinstance(error, FloorIsClosing):
            return  # other cards have come, or are known, meanwhile; or nobody will ask
        if isinstance(error, TooMuchWork) and hosted.table.setup is not None:
            self._without_odds.add(hosted.table.setup.declaration)
        if error is not None:
            self.log.error("the lab failed", table=hosted.key, error=repr(error))
            return
        hosted.set_lab(looking.result())

    # What was written

    def _published(self, written: Written) -> None:
        """A group is durable: everybody is told what they may know of it, and whoever asked gets the answer."""
        events: defaultdict[str, list[AnyEvent]] = defaultdict(list)
        versions: dict[str, int] = {}
        for asked, answer in zip(written.asked, written.answers, strict=True):
            if not isinstance(answer, Answer):
                continue
            key = answer.table
            hosted = self.tables.get(key)
            if hosted is None or hosted.is_elsewhere or key not in written.tables:
                continue  # it is run elsewhere by now
            if answer.version <= max(hosted.version, versions.get(key, 0)):
                continue  # the first answer to a command that came again
            versions[key] = answer.version
            events[key] += answer.events
            hosted.note(Happened(asked.command, answer, written.tables[key]))
        self.visitors.hold(written.holdings)
        for key, news in events.items():
            self.visitors.count(news)
            self.tables[key].moved(written.tables[key], versions[key], news)
        for patron in written.holdings:
            self.tell_purse(patron)
            for key in events:
                self.tables[key].tell_own(patron)
        for asked, answer in zip(written.asked, written.answers, strict=True):
            asked.then(answer)
        self._published_doubts(written)
        self.look_at_owner()

    def _published_doubts(self, written: Written) -> None:
        """Nobody knows whether these were written: whoever asked is told that, and their tables wait for the store."""
        for asked in written.unsure:
            if asked.unsure is not None:
                asked.unsure()
            if asked.command.table in self.tables:
                self._in_doubt.add(asked.command.table)
        if written.unsure:
            self.log.warning("a group is in doubt: the store is asked again", commands=len(written.unsure))
        for key in sorted(self._in_doubt):
            self.tables[key].stall(stalled=written.in_doubt)
            if not written.in_doubt:
                self._in_doubt.discard(key)

    def look_at_owner(self) -> None:
        """Show tables that another process runs now as such; once all are, or the key is another, the floor is over."""
        for key in sorted(self.writer.floor.lost & self.tables.keys()):
            if self.tables[key].give_up():
                self.log.error("a table is run elsewhere now", table=key)
        history = self.writer.floor.history
        fenced = history.ended if isinstance(history.ended, KeyRotated) else history.ownership.fenced
        if fenced is not None and self.fenced is None:
            self.fenced = fenced
            self.log.error("the floor is run elsewhere now", said=fenced.message)
            for hosted in self.tables.values():
                hosted.give_up()
            for page in self.connections:
                page.tell(_ELSEWHERE)
            asyncio.get_running_loop().call_later(_LAST_WORDS_S, self._end)

    def _end(self) -> None:
        self.is_over = True

    def look_at_exclusions(self) -> None:
        """Have everybody whom the house lets play no more give up their seats, and tell whoever is here."""
        for hosted in self.tables.values():
            hosted.seat_out()
        for patron in self.visitors.here():
            visitor = self.visitors.find(patron)
            if visitor is not None and visitor.closed is not self.is_excluded(patron):
                self.tell_purse(patron)

    def tell_purse(self, patron: str) -> None:
        """Tell a patron what the purse holds, and what is at stake on all tables."""
        visitor = self.visitors.find(patron)
        if visitor is not None and visitor.pages:
            beside = self._beside(patron, visitor.at)
            if visitor.holding is not None or beside.stopped:
                visitor.tell_purse(beside)

    def _beside(self, patron: str, at: Iterable[str]) -> BesideCredits:
        """What a patron has beside the credits: at stake on some tables, and aside on any."""
        withheld = sum(each.table.withheld.get(patron, 0) for each in self.tables.values())
        stopped = wallet(patron) in self.writer.floor.history.coverage.stopped
        closed = self.is_excluded(patron)
        return BesideCredits(self._staked(patron, at), self._waiting(patron, at), withheld, stopped, closed)

    def _staked(self, patron: str, at: Iterable[str]) -> dict[str, int]:
        """What a patron has at stake on each of these tables."""
        return {key: cents for key in sorted(at) if (cents := self.tables[key].staked_cents(patron))}

    def _waiting(self, patron: str, at: Iterable[str]) -> dict[str, int | None]:
        """What of it waits at tables whose record is stopped; none where nobody knows."""
        stopped = [self.tables[key] for key in sorted(at) if self.tables[key].is_stopped]
        waiting = {each.key: each.staked_cents(patron) if each.knows_stakes else None for each in stopped}
        return {key: cents for key, cents in waiting.items() if cents != 0}

    # At a glance

    def watch(self, page: Connection) -> None:
        """Show a page the whole floor, from now on."""
        self.watchers.add(page)
        self._tell_tiles([page], self.tables.values())
        if page.staff is not None and self._floor_alarms():
            page.tell(ENCODER.encode(tells.FloorAlarms(self._floor_alarms())))
        if page.staff is not None:
            self.claims.show(page)

    def glance(self, hosted: Hosted) -> None:
        """A table has changed: those who watch the whole floor are told before long."""
        if not self.watchers:
            return
        self._glances[hosted] = None
        if not self._glancing:
            self._glancing = True
            asyncio.get_running_loop().call_later(_GLANCE_S, self._tell_glances)

    def tell_floor_alarms(self) -> None:
        """What needs a person at no table has changed: staff who watch the whole floor are told."""
        told = ENCODER.encode(tells.FloorAlarms(self._floor_alarms()))
        for watcher in self.watchers:
            if watcher.staff is not None:
                watcher.tell(told)

    def _floor_alarms(self) -> tuple[tells.Alarm, ...]:
        alarm = self.audits.alarm if self.audits is not None else ""
        return (tells.Alarm("audit", AUDIT_ALARMS[alarm]),) if alarm else ()

    def _tell_glances(self) -> None:
        self._glancing = False
        tables, self._glances = self._glances, {}
        self._tell_tiles(self.watchers, tables)

    def _tell_tiles(self, watchers: Iterable[Connection], tables: Iterable[Hosted]) -> None:
        seen = [(each, each.glance()) for each in tables]
        plain = ENCODER.encode(tells.ToldFloor(tuple(plain for _, plain in seen)))
        full = b""
        for watcher in watchers:
            if watcher.staff is None:
                watcher.tell(plain)
                continue
            full = full or ENCODER.encode(tells.ToldFloor(tuple(each.for_staff(one) for each, one in seen)))
            watcher.tell(full)

    # People

    async def enter(self, page: Connection) -> None:
        """A page has connected: it is told who is behind it, and what the floor is."""
        self.connections.add(page)
        if self.fenced is not None:
            page.tell(_ELSEWHERE)
            return
        patron = page.patron
        if patron is not None:
            holding = None
            try:
                account = wallet(patron.name)
                holding = await self.writer.ask(self.writer.floor.holding, account, within_s=_READING_S)
            except Conflict:  # the store does not answer: the wallet is told as soon as it does
                self.writer.read_later(patron.name)
            except Corrupt:  # the record of the wallet is stopped, which the purse says
                pass
            self.visitors.enter(patron.name, page, holding, self._beside(patron.name, self.tables))
        self.welcome(page)
        if patron is not None:
            self.tell_purse(patron.name)
            self.claims.greet(page)

    def welcome(self, page: Connection) -> None:
        """Tell a page who is behind it, at first and when that changes."""
        patron, staff = page.patron, page.staff
        welcome = msgspec.structs.replace(
            self.about,
            patron=patron.name if patron else "",
            staff=staff.name if staff else "",
            position=staff.position.value if staff else "",
            now_ms=self.now_ms(),
        )
        page.tell(ENCODER.encode(welcome))
        if page in self.watchers:
            self.claims.show(page)

    def leave(self, page: Connection) -> None:
        """A page has gone."""
        page.closed = True
        self.connections.discard(page)
        self.watchers.discard(page)
        for key in sorted(page.watching):
            self.tables[key].lose(page)
        if page.patron is not None:
            self.visitors.leave(page.patron.name, page)

    def relieve(self, page: Connection) -> None:
        """Whoever is behind a page is not staff any more: tables that it dealt are nobody's."""
        page.staff = None
        for hosted in self.tables.values():
            hosted.relieve(page)

    # Sending

    def flush_soon(self, page: Connection) -> None:
        """Send what a page is told, once all of it is known."""
        self._to_flush.append(page)
        if not self._flushing:
            self._flushing = True
            asyncio.get_running_loop().call_soon(self._flush)

    def _flush(self) -> None:
        self._flushing = False
        pages, self._to_flush = self._to_flush, []
        frames: dict[bytes, bytes] = {}
        for page in pages:
            news, page.news = page.news, []
            if len(news) > 1:
                page.write(framed(b"[" + b",".join(news) + b"]"))
                continue
            [message] = news  # most often the same that many others are told
            frame = frames.get(message)
            if frame is None:
                frame = frames[message] = framed(b"[" + message + b"]")
            page.write(frame)

    # The end

    async def stop(self, grace_s: float) -> bool:
        """Finish the rounds that the clock can finish in time; what is left is an interruption, to be judged as one.

        Whether the store has done all that was asked of it, and answers.
        """
        self.watchman.end()
        self.claims.end()
        for hosted in self.tables.values():
            hosted.clockwork.hurry()
        clock = asyncio.get_running_loop().time
        until = clock() + grace_s
        while clock() < until and any(map(_is_finishing, self.tables.values())):  # noqa: ASYNC110
            await asyncio.sleep(_LOOK_S)
        for hosted in self.tables.values():
            hosted.clockwork.halt()
        spare_s = 0.0 if self.delays.waiting_s else min(_MOST_SPARE_S, max(0.0, until - clock()))
        settled_by = clock() + spare_s + _SETTLING_S
        settled = await self.writer.settle_down(settled_by - clock())
        if self.fenced is None:  # else nothing is written any more
            settled = settled and await self.writer.is_taken(max(0.0, settled_by - clock()) + _SETTLING_S)
        self.delays.end()
        self._clock_watch.end()
        message = ENCODER.encode(tells.Ended("stopping", "the floor is closing: your credits are kept"))
        for page in self.connections if self.fenced is None else ():
            page.tell(message)
        self._flush()
        return settled

    def close(self) -> None:
        """Let go of threads, workers and store, once nobody is connected any more."""
        self.pool.kill()
        self.writer.close()
        self._lab_thread.shutdown()
        self.writer.floor.store.close()


def _nobody(_: str) -> Actor | None:
    return None


def _nothing(_: str) -> None:
    pass


def _never(_: str) -> bool:
    return False


def _none(_: str) -> tuple[str, ...]:
    return ()


def _is_finishing(hosted: Hosted) -> bool:
    return (
        hosted.deals_itself and hosted.table.phase in PLAYING and not hosted.table.awaited and not hosted.table.heavier
    )
