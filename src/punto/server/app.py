"""The server as one ASGI application: pages and API by HTTP, everything live by WebSocket."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from punto.errors import Corrupt, OlderRecord, PuntoError, TooFast
from punto.floor import Floor, Keys
from punto.floor.keyfiles import is_read_by_others
from punto.proof.outposts import Outpost
from punto.server.allowance import Allowances
from punto.server.beacons import BeaconWatch
from punto.server.chances import Lab
from punto.server.checkpointing import Checkpointing
from punto.server.clockwork import Schedule, on_time
from punto.server.config import FloorConfig, TableConfig
from punto.server.crowd import CROWD
from punto.server.exclusionwatch import ExclusionWatch
from punto.server.hall import Hall
from punto.server.heavy.pool import Pool
from punto.server.http.asking import SERVER
from punto.server.http.office import Office
from punto.server.http.routes import HEADERS, api
from punto.server.identity import Identity
from punto.server.identity.passwords import Passwords
from punto.server.identity.requests import is_meant_for
from punto.server.ids import fresh_id
from punto.server.live import Live
from punto.server.logs import Requests
from punto.server.oldshoes import HOUSE, OldShoes
from punto.server.openings import Openings
from punto.server.programjournal import ProgramOnRecord
from punto.server.refusing import turn_away
from punto.server.syslog import Syslog
from punto.server.wire.tells import Welcome
from punto.store import is_unchecked, open_store
from punto.table import PLAYING, Phase, Table
from punto.table import commands as do
from punto.table.events import Ruling, ShoeRuling

Scope = dict[str, Any]
Receive = Callable[[], Awaitable[Any]]
Send = Callable[[Any], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

# Browsers come by TLS only from now on, for a year; also to names below the floor's own where its file says so.
_TLS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000")
_BELOW_TOO: Final = (_TLS_ONLY[0], _TLS_ONLY[1] + b"; includeSubDomains")
# What says nothing else of itself is kept by nobody; the pages themselves say how long they last.
_CACHE: Final = (b"cache-control", b"no-store")
PAGES: Final = ("/assets/", "/favicon")
_ELSEWHERE: Final = (421, "not-here", "this floor has another address")
# How long the last notes may take when the floor stops: snapshots, a checkpoint, who was there.
_LAST_NOTES_S = 5.0


def _requests(server: "Server") -> Application:
    http = Requests(api())

    async def serve(scope: Scope, receive: Receive, send: Send) -> None:
        await http(scope | {SERVER: server}, receive, send)

    return serve


@dataclass(frozen=True)
class Parts:
    """What a server is put together from, where a simulation has something cheaper: outposts, lab, passwords, HTTP."""

    outside: tuple[Path | Outpost, ...] = ()
    lab: Lab | None = None
    passwords: Passwords | None = None
    http: Callable[["Server"], Application] = _requests


class Server:
    """A floor that is served: made from a configuration, begun and stopped by its ASGI server."""

    def __init__(
        self,
        config: FloorConfig,
        floor: Floor,
        clock: Callable[[], int] | None = None,
        schedule: Schedule = on_time,
        parts: Parts | None = None,
    ) -> None:
        self.config = config
        parts = parts or Parts()
        # A database may be shared by floors that each have tables of their own.
        self.shares_store = not config.store.startswith("sqlite:")
        pool = Pool(config.workers, database=self.shares_store)
        self.hall = Hall(floor, _about(config), schedule, pool, lab=parts.lab)
        self.hall.time = clock or self.hall.time
        self._old_shoes = OldShoes(self.hall)
        self.identity = Identity(self.hall.writer, config, self.hall.now_ms, passwords=parts.passwords)
        self.hall.claims.terms, self.hall.claims.gate = config.claim_terms, self.identity.gate
        self.identity.personal.disputes = self.hall.claims.disputes
        self.hall.staff_in = self.identity.staff_in
        self.identity.attempts.note = self.hall.journal.note
        self.identity.devices.has_stakes = self.hall.has_stakes
        self.hall.not_on_own_device = self.identity.house.not_on_own_device
        self.hall.check_proved = self.identity.check_proved
        self.hall.have_come_back = lambda: self.identity.house.have_come_back(self.hall.now_ms())
        self.hall.is_excluded = self.identity.is_excluded
        self.hall.not_independent_of = lambda name: self.identity.house.not_independent_of(name, self.hall.now_ms())
        self.checkpointing = Checkpointing(self.hall, config, parts.outside)
        self.hall.outside_faults = self._faults_outside
        self._beacon = BeaconWatch(self.hall, config.beacon.beacon, config.beacon.addresses) if config.beacon else None
        self._exclusions = ExclusionWatch(self.hall, self.identity.exclusions, config.name, config.exclusions)
        self.hall.exclusion_fault = lambda: self._exclusions.fault
        self._live = Live(self.hall, self.identity, Allowances(config.pages_per_address))
        self._openings = Openings(self.hall, config)
        self._syslog = Syslog(self.hall, config.syslog) if config.syslog else None
        self.office = Office(self)
        self._http = parts.http(self)
        self._finished = False
        # Whether the store did all that was asked of it before the end.
        self.ended_in_order = False

    def _faults_outside(self) -> dict[str, str]:
        """What does not get away to where it should be kept or read, by where that is."""
        syslog = self._syslog.fault if self._syslog is not None else ""
        unsent = {self.config.syslog: f"events do not get away: {syslog}"} if syslog else {}
        return self.checkpointing.faults | unsent

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, or the server's own beginning and end."""
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] == "http":
            tls_only = _BELOW_TOO if self.config.hsts_subdomains else _TLS_ONLY
            send = _guarded(send, scope["path"], (tls_only,) if self.identity.cookies.secure else ())
        if not is_meant_for(scope, self.config):
            await turn_away(scope, receive, send, _ELSEWHERE)
            return
        # Without a proxy, connections were counted as they came.
        where = self.identity.address(scope) if self.config.behind_proxy else ""
        try:
            with CROWD.under_way(where):
                await (self._live if scope["type"] == "websocket" else self._http)(scope, receive, send)
        except TooFast as refusal:
            await turn_away(scope, receive, send, (429, refusal.code, refusal.message))

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        await self.begin()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await self.finish()
        self.office.close()
        self.hall.close()
        await send({"type": "lifespan.shutdown.complete"})

    async def finish(self) -> None:
        """Finish the rounds that can be finished; a second time there is nothing left to do."""
        if not self._finished:
            self._finished = True
            self.hall.program.end()
            self._old_shoes.end()
            if self._beacon is not None:
                await self._beacon.end()
            await self.office.audits.end()
            await self._exclusions.end()
            settled = await self.hall.stop(0 if self.hall.fenced else self.config.grace_s)
            if settled:
                await self.hall.pool.stop()
            if self.hall.fenced is not None:  # what is left is another process's to write down
                await self.identity.stop(keep=False)
                self.hall.journal.give_up()
                self.checkpointing.give_up()
            elif settled:
                with suppress(TimeoutError):
                    async with asyncio.timeout(_LAST_NOTES_S):
                        await self._note_end()
                        self.ended_in_order = True
            if self._syslog is not None:
                await self._syslog.end(send=False)
            await self.checkpointing.end_messengers(wait=self.ended_in_order)

    async def _note_end(self) -> None:
        """Write down what can be worked out again, but only at some cost."""
        await self.identity.stop()
        with suppress(PuntoError, RuntimeError):  # a store that does not answer, or a writer that has stopped
            await self._openings.ended()
        if self._syslog is not None:
            await self._syslog.end()
        await self.checkpointing.end()
        with suppress(RuntimeError):  # a writer that has stopped keeps nothing
            await self.hall.writer.call(self.hall.writer.floor.keep_all)

    async def begin(self) -> None:
        """Compare the store with what is kept outside, recover what was interrupted, and open the tables."""
        if is_read_by_others(self.config.key_file):
            self.hall.log.warning("others than its owner can read the floor's key", file=self.config.key_file)
        if is_unchecked(self.config.store):
            self.hall.log.warning(
                "nobody looks whose certificate the store's server shows: its address wants sslmode=verify-full"
            )
        await self.checkpointing.begin()
        await self.identity.begin()
        await self._openings.began()
        program = ProgramOnRecord(self.hall, self._openings)
        self.hall.program.recall = program.recall
        self.hall.program.listeners.append(program.heard)
        if self._syslog is not None:
            self.hall.journal.written = self._syslog.hurry
            await self._syslog.begin(self._openings.ends)
        await self._exclusions.begin()
        if self._beacon is not None:
            self.hall.writer.floor.use_beacon(self._beacon.named)
        await self.hall.writer.call(self._host_tables)
        await self.hall.watchman.look_at_all()
        await self.hall.claims.begin()
        self.hall.begin()
        self._old_shoes.begin()
        await self.office.audits.begin()
        if self._beacon is not None:
            self._beacon.begin()

    def _host_tables(self) -> None:
        """On the writing thread: host every table; one whose record is damaged is stopped, and the rest go on."""
        for table in self.config.tables:
            try:
                self._open(table)
                self.hall.host(
                    table.key, automatic=table.automatic, pace=table.pace, always=table.always, file=table.setup
                )
            except Corrupt as error:
                self.hall.host_stopped(table.key, error, automatic=table.automatic, file=table.setup)
        if not self.shares_store:
            self._old_shoes.open_forgotten(frozenset(table.key for table in self.config.tables), self.hall.now_ms())
        self.hall.clock.compare(self.hall.writer.floor.newest_ms)

    def _open(self, table: TableConfig) -> None:
        """Judge a round that was under way as interrupted; open a table that is closed."""
        floor, at_ms = self.hall.writer.floor, self.hall.now_ms()
        set_back = floor.was_set_back(table.key)
        floor.recover(at_ms, [table.key])
        while self.config.demonstration and floor.table(table.key).asked:
            # Nobody may come who could decide it: what the book leaves to a person is void, and the table goes on.
            floor.handle(_decision(table.key, floor.table(table.key), at_ms))
        if floor.table(table.key).phase is Phase.CLOSED:
            floor.handle(do.OpenTable(id=fresh_id(), table=table.key, by=HOUSE, at_ms=at_ms, setup=table.setup))
        elif set_back:
            self._old_shoes.replace(table.key, at_ms)


def _decision(key: str, table: Table, at_ms: int) -> do.Rule:
    """How a demonstration decides: a round that is under way is void, and a shoe in doubt is replaced."""
    in_place = table.phase is not Phase.CHANGE_OF_SHOE and not table.shoe.out
    return do.Rule(
        id=fresh_id(),
        table=key,
        by=HOUSE,
        at_ms=at_ms,
        ruling=Ruling.VOID if table.phase in PLAYING else Ruling.CONTINUE,
        reason="the demonstration was interrupted",
        shoe=ShoeRuling.REPLACE if in_place and table.shoe.in_doubt else None,
    )


def _guarded(send: Send, path: str, more: tuple[tuple[bytes, bytes], ...]) -> Send:
    """Send answers with what a browser must know to keep others out, and so that it keeps nothing of a person."""
    always = (*HEADERS, *more)

    async def sent(message: Any) -> None:  # noqa: ANN401 (whatever ASGI sends)
        if message["type"] == "http.response.start":
            own = message.get("headers", ())
            kept = not path.startswith(PAGES) and not any(name.lower() == _CACHE[0] for name, _ in own)
            message = message | {"headers": [*own, *always, *((_CACHE,) if kept else ())]}
        await send(message)

    return sent


def make(config: FloorConfig, schedule: Schedule = on_time) -> Server:
    """A server on the store and the key that the configuration names."""
    store = open_store(config.store)
    try:
        # A demonstration makes its key when it is first opened.
        keys = Keys.at(Path(config.key_file)) if config.demonstration else Keys.open(config.key_source, config.signer)
        return Server(config, Floor(store, keys), schedule=schedule)
    except OlderRecord as error:
        store.close()
        where = config.store.rpartition("@")[2]  # what comes before may be a password
        key = config.key_file or "FILE"
        raise OlderRecord(f"{error.message} (here: punto migrate {where} --key {key})") from None
    except PuntoError:
        store.close()
        raise


def _about(config: FloorConfig) -> Welcome:
    return Welcome(
        floor=config.name,
        demonstration=config.demonstration,
        currency=config.currency,
        languages=config.languages,
        patron="",
        staff="",
        position="",
        now_ms=0,
    )
