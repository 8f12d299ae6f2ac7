"""A process of the casino: the real server on a loop, a store and surroundings of its own."""

from collections.abc import Callable, Coroutine
from hashlib import sha256
from random import Random
from typing import TYPE_CHECKING, Any, Final

from punto.cards import Card
from punto.casino.diskstore import DiskStore
from punto.casino.faults import Died
from punto.casino.loop import Loop
from punto.casino.outposts import SimulatedOutpost
from punto.casino.trace import Broken
from punto.errors import PuntoError
from punto.floor import Answer, Floor
from punto.server.app import Parts, Server
from punto.server.chances import Lab, Outlook, Sight
from punto.server.identity.passwords import Passwords
from punto.server.wire.tells import Chances
from punto.server.writer import Written
from punto.store.contract import Row
from punto.surroundings import Surroundings
from punto.table import Setup

if TYPE_CHECKING:
    from punto.casino.house import Casino

# When every run begins: 1 July 2026, 20:00 in Singapore.
START_NS: Final = 1_782_907_200 * 1_000_000_000

ENDED: Final = "processes that ended because another runs the floor"
AHEAD: Final = "groups written while the next one is judged"
# How often a process looks whether it is over.
_LOOKS_S: Final = 0.5
# How often a process goes on while a group is written.
_GOES_ON: Final = 0.6
# How often what is sent to the disk is written at once, and not when somebody waits for it.
_PROMPT: Final = 0.5


class CheapHasher:
    """In place of Argon2, which costs most of a second: a hash that is made at once."""

    def hash(self, password: str) -> str:
        """The hash of a password."""
        return "$argon2id$cheap$" + sha256(password.encode()).hexdigest()

    def verify(self, hash_: str, password: str) -> bool:
        """Whether the password has that hash."""
        return hash_ == self.hash(password)


class CheapLab(Lab):
    """In place of exact odds: figures that follow from the cards that are out, and cost nothing."""

    def outlook(self, _: Setup, sight: Sight) -> Outlook:
        """An outlook, open to all unless somebody knows a card."""
        part = (len(sight.gone) % 97) / 300
        return Outlook((), Chances(part, 0.9 - part, 0.1), not sight.card_is_known)


class Process:
    """One process, from its start to its end."""

    def __init__(self, casino: "Casino", number: int) -> None:
        self.casino = casino
        self.number = number
        self.name = f"process {number}"
        self._chance = Random(f"{casino.seed}/{self.name}")
        surroundings = Surroundings(self.time_ns, self._chance.randbytes, lambda _: None, lambda: casino.agenda.now_s)
        self.loop = Loop(casino.agenda, surroundings, self._delay_s, self._failed)
        self.server: Server | None = None
        # The floor's keys, as they were when it started.
        self.keys = casino.keys
        self.is_open = False
        # Somebody has given it up: another process takes over.
        self.is_retired = False
        # Why it did not open.
        self.refusal: PuntoError | None = None
        # After how many more moments of transactions it dies, and whether the next answer of the store is lost.
        self.dies_in = -1
        self.power_fails = False
        self.lost_answers = 0

    def start(self) -> None:
        """Start the process."""
        self.casino.agenda.add(self.casino.agenda.now_s, self.loop, lambda: self._spawn(self._begin()))

    def _spawn(self, work: Coroutine[Any, Any, None]) -> None:
        self.loop.create_task(work)

    async def _begin(self) -> None:
        casino = self.casino
        try:
            store = DiskStore(casino.journal, self)
            casino.plant.into_store(store)
            floor = Floor(store, self.keys, self._shuffle)
            casino.plant.into_floor(floor)
            parts = Parts((SimulatedOutpost(casino.shelf, self),), CheapLab(), Passwords(CheapHasher()), _no_http)  # type: ignore[arg-type]
            server = self.server = Server(casino.config, floor, parts=parts)
            writer = server.hall.writer
            writer.watch = self._wrote
            writer.goes_on = lambda: self._chance.random() < _GOES_ON
            await server.begin()
        except PuntoError as refusal:
            self.refusal = refusal
            casino.did_not_open(self, refusal)
            return
        self.is_open = True
        casino.opened(self)
        self._look()

    def _look(self) -> None:
        """Once another process runs the floor, this one ends by itself."""
        assert self.server is not None, "it is open"
        if self.server.hall.is_over:
            self.casino.trace.count(ENDED)
            self.casino.stop(self)
        else:
            self.casino.agenda.add(self.casino.agenda.now_s + _LOOKS_S, self.loop, self._look)

    def run(self, work: Callable[["Server"], Any], then: Callable[[Any], None]) -> None:
        """Have something done by the server that a page would ask for by HTTP; *then* is told what came of it."""

        async def do() -> None:
            try:
                assert self.server is not None, "only an open process is asked"
                came: Any = await work(self.server)
            except PuntoError as refusal:
                came = refusal
            self.casino.agenda.after(0.01, lambda: then(came))

        self.casino.agenda.add(self.casino.agenda.now_s, self.loop, lambda: self._spawn(do()))

    async def stop(self, _: Server) -> None:
        """Close the floor in order."""
        assert self.server is not None, "only an open process is stopped"
        await self.server.finish()
        self.server.hall.close()
        self.is_open = False
        self.loop.dead = True
        self.casino.ended(self)

    # What its surroundings are

    def time_ns(self) -> int:
        """The time of day, by the machine's clock."""
        return START_NS + round((self.casino.agenda.now_s + self.casino.clock_off_s) * 1e9)

    def _delay_s(self) -> float:
        """How long work on a thread takes, and its way back: mostly a moment, now and then long."""
        part = self._chance.random()
        return 0.0005 + 0.01 * part**4 + (0.8 if part > 0.995 else 0.0)

    def _shuffle(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(self._chance.sample(cards, len(cards)))

    def _failed(self, context: dict[str, Any]) -> None:
        error = context.get("exception")
        if not isinstance(error, Died):
            said = f"{self.name}: {context.get('message')}: {error!r}"
            self.casino.broke(error if isinstance(error, Broken) else Broken(said))

    # What happens around its transactions

    def moment(self, what: str) -> None:
        """A point within a transaction: the process may die here."""
        if self.loop.dead:
            raise Died
        if self.dies_in >= 0:
            self.dies_in -= 1
            if self.dies_in < 0:
                self.casino.died(self, what, power=self.power_fails)
                raise Died

    def is_prompt(self) -> bool:
        """Whether the disk writes at once what is sent to it."""
        self.casino.trace.count(AHEAD)
        return self._chance.random() < _PROMPT

    def loses_answer(self) -> bool:
        """Whether the answer to a commit is lost."""
        self.lost_answers -= 1
        return self.lost_answers >= 0

    def written(self, entries: list[Row]) -> None:
        """A transaction is durable."""
        casino = self.casino
        casino.trace.step(casino.agenda.now_s, self.name, f"wrote {len(entries)} entries")
        if entries:
            casino.trace.note(entries[-1][4])
        try:
            casino.truth.written(entries, self)
        except Broken as broken:
            casino.broke(broken)

    def claimed(self, name: str, epoch: int) -> None:
        """A name was claimed."""
        self.casino.trace.step(self.casino.agenda.now_s, self.name, f"claimed {name} under epoch {epoch}")
        self.casino.truth.claimed(name, self)

    def _wrote(self, written: Written, _: float) -> None:
        """A group is over: the tables that it left are those that a replay of the log gives."""
        versions = {each.table: each.version for each in written.answers if isinstance(each, Answer)}
        for key, table in written.tables.items():
            # A command that came again has its old version in its answer, and the table has moved on since.
            later = [true for version, true in self.casino.truth.tables[key].items() if version >= versions[key]]
            if table not in later:
                self.casino.broke(
                    Broken(f"table {key}: its state after entry {versions[key]} is not what a replay of the log gives")
                )


def _no_http(_: Server) -> Any:
    """Nobody asks for pages here: what goes by HTTP is asked of the server's own functions."""

    async def nobody(scope: Any, *_: Any) -> None:
        raise AssertionError(f"{scope['path']} was asked for")

    return nobody
