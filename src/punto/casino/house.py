"""The casino: machine, processes, network and people under one seed."""

from random import Random
from typing import Any

from punto.casino.disk import Disk
from punto.casino.eyes import look, look_as_staff
from punto.casino.journal import Journal
from punto.casino.loop import Agenda
from punto.casino.network import Line, Messages, Weather
from punto.casino.outposts import Shelf
from punto.casino.patron import Patron
from punto.casino.people import Person, State, command_of
from punto.casino.plants import Plant
from punto.casino.process import Process
from punto.casino.trace import Broken, Trace
from punto.casino.truth import TABLE, Truth
from punto.errors import PuntoError
from punto.floor import Keys
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig
from punto.table import Setup, Timings, with_virtual_cards


class Casino:
    """One run."""

    def __init__(self, seed: int, plant: Plant | None = None, steps: int = 400) -> None:
        self.seed = seed
        self.plant = plant or Plant()
        self.steps = steps
        self.agenda = Agenda()
        self.trace = Trace()
        self.truth = Truth()
        self.chance = Random(f"{seed}/house")
        self.weather = Weather()
        self.disk = Disk()
        self.plant.into_disk(self.disk)
        self.journal = Journal(self.disk)
        self.shelf = Shelf()
        self.keys = Keys.from_secret(f"casino {seed}".encode())
        self.clock_off_s = 0.0
        self.config = self._config()
        self.processes: list[Process] = []
        self.people: list[Person] = []
        self.lines: list[Line] = []
        # Commands that pages were told are done, and those that they were told are refused.
        self._acknowledged: dict[str, str] = {}
        self._refused: dict[str, str] = {}

    def _config(self) -> FloorConfig:
        timings = Timings(bets_ms=2_500, answer_ms=1_500)
        setup = with_virtual_cards(Setup(game="fortune-six", timings=timings, decks=4, behind=150))
        pace = Pace(card_ms=200, speech_ms=150, result_ms=800, shoe_ms=300, cut_ms=700)
        table = TableConfig(key="E1", setup=setup, pace=pace)
        return FloorConfig(
            tables=(table,), store="disk:", key_file="", demonstration=True, checkpoint_every_s=5.0, grace_s=5.0
        )

    # The run

    def run(self) -> None:
        """Run until enough has happened, close the floor, and look over all that was written."""
        self.start_process()
        while self.trace.steps < self.steps:
            if not self.agenda.step():
                raise Broken("nothing is going on any more")
        self.bury()

    def bury(self) -> None:
        """Let go of every process."""
        for process in self.processes:
            process.loop.bury()

    # Processes

    def start_process(self) -> None:
        """Start another process."""
        process = Process(self, len(self.processes) + 1)
        self.processes.append(process)
        self.trace.step(self.agenda.now_s, process.name, "starts")
        process.start()

    def opened(self, process: Process) -> None:
        """A process has opened the floor."""
        self.trace.step(self.agenda.now_s, process.name, "is open")
        if not self.people:
            process.run(self._let_in, self._came_in)

    async def _let_in(self, server: Any) -> list[tuple[str, str]]:
        identity = server.identity
        tokens = [await identity.enrol_guest("") for _ in range(3)]
        return [(identity.named(token), f"{identity.cookies.terminal}={token}") for token in tokens]

    def _came_in(self, guests: list[tuple[str, str]]) -> None:
        for name, cookie in guests:
            patron = Patron(self, name, "E1")
            patron.cookie = cookie
            self.people.append(patron)
            patron.begin()

    def did_not_open(self, process: Process, refusal: PuntoError) -> None:
        """A process has refused to open the floor."""
        raise Broken(f"{process.name} did not open: {refusal.message}")

    def died(self, process: Process, what: str, *, power: bool) -> None:
        """A process dies in the middle of a transaction."""

    def ended(self, process: Process, why: str) -> None:
        """A process has ended."""

    # Connections

    def connect(self, person: Person) -> Line | None:
        """Connect a page to the process at the front door; none where there is none."""
        process = next((each for each in reversed(self.processes) if each.is_open and not each.loop.dead), None)
        if process is None or process.server is None:
            return None
        line = Line(person, self.agenda, person.chance, self.weather)
        line.told = self._told
        server, loop = process.server, process.loop
        self.agenda.add(self.agenda.now_s + 0.005, loop, lambda: line.serve(server, loop))
        self.lines.append(line)
        return line

    def _told(self, line: Line, frame: bytes, messages: Messages) -> None:
        self.trace.note(frame)
        page = line.page
        if isinstance(page, Patron):
            look(self.truth, page.name, frame, messages)
        else:
            look_as_staff(self.truth, messages)

    # What people ask

    def asked(self, person: Person, message: State) -> None:
        """Somebody asks for something."""
        act = message.get("act", {}).get("do", "")
        self.trace.step(self.agenda.now_s, person.name, f"asks {message['t']} {act} ({message['id']})")
        self.trace.count(f"asked: {act or message['t']}")

    def accepted(self, person: Person, asked: State, answer: State) -> None:
        """Somebody was told that something is done: it must be durable, now and ever after."""
        command = command_of(asked, answer)
        if command is None:
            return
        self._acknowledged[command] = person.name
        self._check_acknowledged(command, person.name)
        self.trace.step(self.agenda.now_s, person.name, f"is told that {asked['id']} is done")

    def refused(self, person: Person, asked: State, code: str) -> None:
        """Somebody was told that nothing was done: it must not be on record."""
        self._refused[asked["id"]] = person.name
        self.trace.step(self.agenda.now_s, person.name, f"is refused {asked['id']}: {code}")
        if asked["id"] in self.truth.commands and code != "not-honoured":
            raise Broken(f"{person.name} was told that {asked['id']} was refused ({code}), and it is on record")

    def _check_acknowledged(self, command: str, name: str) -> None:
        if command not in self.journal.commands:
            raise Broken(f"{name} was told that {command} is done, and it is not on record")

    def sell(self, patron: Patron) -> None:
        """Sell credits at the desk."""


def replayed_everywhere(casino: Casino) -> None:
    """Hold every table that is hosted against a replay of its log."""
    for process in casino.processes:
        for key, hosted in process.server.hall.tables.items() if process.server and process.is_open else ():
            if hosted.table != casino.truth.table(key):
                raise Broken(f"{TABLE}{key}: the table that is shown is not what a replay of the log gives")
