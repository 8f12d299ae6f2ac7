"""The casino: machine, processes, network and people under one seed."""

from hashlib import sha256
from random import Random
from typing import Any, Final

import msgspec

from punto.casino.desk import PASSWORD, PIT, SHIFT, Given
from punto.casino.disk import Disk
from punto.casino.eyes import look, look_as_staff
from punto.casino.fates import Fates
from punto.casino.journal import Journal
from punto.casino.loop import Agenda
from punto.casino.network import Line, Messages, Weather
from punto.casino.outposts import Shelf
from punto.casino.patron import Onlooker, Patron
from punto.casino.people import OF_NOW, Person, State, command_of
from punto.casino.plan import Plan, plan_of
from punto.casino.plants import Plant
from punto.casino.process import Process
from punto.casino.staff import Dealer, Manager, Staff
from punto.casino.trace import Broken, Trace
from punto.casino.truth import Truth
from punto.errors import Corrupt, PuntoError
from punto.floor import Keys
from punto.proof.lastheads import LastHead, LastHeads
from punto.proof.writers import HEADS
from punto.rules import Position
from punto.server.app import Server
from punto.table import commands as do

_TEMPORARY: Final = "to be changed soon"
_TERMINAL_PATRONS: Final = 2
# No run lasts longer.
_MOST_S: Final = 400.0
_MOST_STARTS: Final = 40


class Casino:
    """One run."""

    def __init__(self, seed: int, plant: Plant | None = None, *, attacked: bool | None = None) -> None:
        self.seed = seed
        self.plant = plant or Plant()
        self.plan: Plan = plan_of(seed, attacked=attacked)
        self.config = self.plan.config
        self.agenda = Agenda()
        self.trace = Trace()
        self.truth = Truth()
        self.weather = Weather()
        self.disk = Disk()
        self.plant.into_disk(self.disk)
        self.journal = Journal(self.disk)
        self.shelf = Shelf()
        self.keys = Keys.from_secret(f"casino {seed}".encode())
        self.chance = Random(f"{seed}/house")
        self.clock_off_s = 0.0
        self.processes: list[Process] = []
        self.people: list[Person] = []
        self.lines: list[Line] = []
        self.fates = Fates(self)
        self.broken: Broken | None = None
        # The last heads of all writers, as somebody has kept them outside before a forgery.
        self.heads_outside: bytes | None = None
        # Why the floor does not open any more, after a forgery.
        self.closed_for_good: PuntoError | None = None
        # The casino closes for the night.
        self.is_closing = False
        self._acknowledged: dict[str, str] = {}
        self._refused: dict[str, str] = {}
        self._stopped: set[Process] = set()

    def broke(self, broken: Broken) -> None:
        """Something that must always hold did not; the first thing counts, whatever comes after it."""
        self.broken = self.broken or broken

    # Time

    def step(self) -> None:
        """Do what comes next."""
        if not self.agenda.step():
            raise Broken("nothing is going on any more")
        if self.broken is not None:
            raise self.broken
        if self.shelf.went_back:
            raise Broken(f"outside: {self.shelf.went_back}")
        if self.agenda.now_s > _MOST_S:
            raise Broken("the run does not come to an end")

    def digest(self) -> str:
        """One value for all that happened, and all that anybody was told."""
        told = sha256(self.trace.digest().encode())
        for line in self.lines:
            told.update(line.digest.digest())
        return told.hexdigest()

    def bury(self) -> None:
        """Let go of every process."""
        for process in self.processes:
            for page in process.server.hall.connections if process.server else ():
                page.watching.clear()  # nobody is told any more who goes
            process.loop.bury()

    # Processes

    def front(self) -> Process | None:
        """The process to which newcomers are led: the last one that has opened."""
        return next((each for each in reversed(self.processes) if each.is_open and not each.loop.dead), None)

    def start_process(self) -> None:
        """Start another process."""
        if len(self.processes) >= _MOST_STARTS:
            raise Broken("the floor does not come up again")
        if all(process.loop.dead for process in self.processes) and self.processes:
            self._open_journal()
        process = Process(self, len(self.processes) + 1)
        self.processes.append(process)
        self.trace.step(self.agenda.now_s, process.name, "starts")
        process.start()

    def _open_journal(self) -> None:
        """The first process after all others have died reads the journal from the disk."""
        if self.disk.is_away:
            return
        self.journal.open()
        if not self.fates.forged:
            self.truth.found(self.journal.streams)
            self.check_acknowledged()

    def opened(self, process: Process) -> None:
        """A process has opened the floor."""
        self.trace.step(self.agenda.now_s, process.name, "is open")
        self.trace.count("openings of the floor")
        if not self.people:
            process.run(self._let_in, self._came_in)

    def did_not_open(self, process: Process, refusal: PuntoError) -> None:
        """A process has refused to open the floor: after a forgery it may, and else only until the disk is back."""
        self.trace.step(self.agenda.now_s, process.name, f"does not open: {refusal.code}")
        process.loop.dead = True
        if isinstance(refusal, Corrupt) and process.keys is self.keys:  # else somebody has rotated the key meanwhile
            if not self.fates.forged or self.fates.is_scrap:
                self.broke(Broken(f"{process.name} does not open: {refusal.message}"))
            self.closed_for_good = refusal
            return
        self.trace.count("openings put off")
        self._start_again()

    def _start_again(self) -> None:
        self.agenda.after(self.chance.uniform(0.3, 2), self.start_if_needed)

    def start_if_needed(self) -> None:
        """Start a process unless one is there that nobody has given up."""
        if self.closed_for_good is None and all(each.loop.dead or each.is_retired for each in self.processes):
            self.start_process()

    def kill(self, process: Process, how: str) -> None:
        """A process ends in the middle of whatever it does."""
        if process.loop.dead and process in self._stopped:
            return
        self._stopped.add(process)
        process.loop.dead = True
        process.is_open = False
        self.trace.step(self.agenda.now_s, process.name, how)
        self.trace.count("processes that died")
        self._let_go(process)
        self._start_again()

    def _let_go(self, process: Process) -> None:
        self.shelf.held = {writer: held for writer, held in self.shelf.held.items() if held is not process}
        for line in self.lines:
            if line.loop is process.loop:
                line.cut()

    def died(self, process: Process, what: str, *, power: bool) -> None:
        """A process dies within a transaction, and perhaps the machine with it."""
        process.loop.dead = True
        self.trace.count(f"died {what}")
        if power:
            self.agenda.after(0.0, self.lose_power)
        else:
            self.agenda.after(0.0, lambda: self.kill(process, f"dies {what}"))

    def lose_power(self) -> None:
        """The machine stops: every process dies, and what was not synced is lost."""
        self.disk.lose_power(self.chance)
        for process in self.processes:
            if process not in self._stopped:
                self.kill(process, "dies with the machine")

    def stop(self, process: Process) -> None:
        """Close the floor in order, and open it again."""
        process.run(process.stop, lambda _: None)

    def ended(self, process: Process) -> None:
        """A process has closed the floor in order."""
        self._stopped.add(process)
        self.trace.step(self.agenda.now_s, process.name, "has closed in order")
        self._let_go(process)
        if not self.is_closing:
            self._start_again()

    # People

    async def _let_in(self, server: Server) -> list[Person]:
        identity = server.identity
        await identity.first_account(SHIFT, PASSWORD)
        greta = await identity.sign_in(SHIFT, PASSWORD)
        people: list[Person] = [Onlooker(self, "display")]
        managers: list[Staff] = [Manager(self, SHIFT), Manager(self, PIT)]
        dealers: list[Staff] = [Dealer(self, f"dealer-{key}", key) for key in self.plan.dealt]
        for person in (*managers, *dealers):
            token = greta.token
            if person.name != SHIFT:
                # Nobody decides what the same person has referred: it takes two who may decide.
                position = Position.GAMING_SHIFT_MANAGER if person.name == PIT else Position.DEALER
                await identity.accounts.open(greta.session, person.name, position, _TEMPORARY)
                signed = await identity.sign_in(person.name, _TEMPORARY)
                await identity.change_password(signed.session, _TEMPORARY, PASSWORD)
                token = signed.token
            person.cookie = f"{identity.cookies.staff}={token}"
            people.append(person)
        for key, count in self.plan.patrons.items():
            for number in range(count):
                if self.config.demonstration and number >= _TERMINAL_PATRONS:
                    token = await identity.enrol_guest("")
                else:
                    offer = await identity.devices.offer(greta.session, len(people) + 1, "")
                    token = await identity.enrol(offer.code, "")
                patron = Patron(self, identity.named(token), key)
                patron.cookie = f"{identity.cookies.terminal}={token}"
                people.append(patron)
        return people

    def _came_in(self, people: list[Person] | PuntoError) -> None:
        if isinstance(people, PuntoError):
            raise Broken(f"nobody could come in: {people.message}")
        self.people = people
        for person in people:
            person.begin()
        self.fates.begin()

    def sign_in(self, person: Person) -> None:
        """A member of staff whose session is over signs in again."""
        process = self.front()
        if isinstance(person, Patron):  # a terminal that is not known any more; the floor forgets none so soon
            raise Broken(f"the floor does not know {person.name} any more")
        if process is None or process.loop.paused:
            self.agenda.after(1.0, lambda: self.sign_in(person))
            return

        answered = False

        def came(signed: Any) -> None:
            nonlocal answered
            answered = True
            if isinstance(signed, PuntoError):
                self.agenda.after(2.0, lambda: self.sign_in(person))
            else:
                person.cookie = f"punto_staff={signed.token}"
                person.come_back()

        def look() -> None:
            if not answered:  # the process has died meanwhile, or stands still
                self.sign_in(person)

        self.agenda.after(4.0, look)

        self.trace.count("sign-ins")
        process.run(lambda server: server.identity.sign_in(person.name, PASSWORD), came)

    # Connections

    def connect(self, person: Person) -> Line | None:
        """Connect a page to the process at the front door; none where there is none."""
        process = self.front()
        if process is None or process.server is None:
            return None
        line = Line(person, self.agenda, person.chance, self.weather, process.loop)
        line.told = self._told
        server = process.server
        self.agenda.add(self.agenda.now_s + 0.005, process.loop, lambda: line.serve(server))
        self.lines.append(line)
        self.trace.count("connections")
        return line

    def _told(self, line: Line, frame: bytes, messages: Messages) -> None:
        page = line.page
        try:
            if isinstance(page, Staff):
                look_as_staff(self.truth, messages)
            else:
                look(self.truth, page.name, frame, messages)
        except Broken as broken:
            self.broke(broken)

    # What people ask

    def asked(self, person: Person, message: State) -> None:
        """Somebody asks for something."""
        act = message.get("act", {}).get("do", "")
        self.trace.step(self.agenda.now_s, person.name, f"asks {message['t']} {act} ({message['id']})")
        self.trace.count("commands")

    def accepted(self, person: Person, asked: State, answer: State) -> None:
        """Somebody was told that something is done: it must be durable, now and ever after."""
        self.trace.step(self.agenda.now_s, person.name, f"is told that {asked['id']} is done")
        command = command_of(asked, answer)
        if command is None:
            return
        if command not in self.truth.commands:
            raise Broken(f"{person.name} was told that {command} is done, and it is not on record")
        self._acknowledged[command] = person.name

    def refused(self, person: Person, asked: State, code: str) -> None:
        """Somebody was told that nothing was done: it must not be on record."""
        self.trace.step(self.agenda.now_s, person.name, f"is refused {asked['id']}: {code}")
        self.trace.count(f"refused: {code}")
        if self.fates.forged:
            return  # where the record is stopped, the floor cannot know
        if asked["t"] in {"stake", "do", "buy", "confirm"} and code != "not-honoured":
            self._refused[asked["id"]] = f"{person.name} was told that {asked['id']} was refused ({code})"
            if asked["id"] in self.truth.commands:
                raise Broken(f"{self._refused[asked['id']]}, and it is on record")

    def check_acknowledged(self) -> None:
        """All that anybody was told is done is on record, and nothing that anybody was told is not."""
        for command, name in self._acknowledged.items():
            if command not in self.journal.commands:
                raise Broken(f"{name} was told that {command} is done, and it is not on record any more")
        for command, said in self._refused.items():
            if command in self.journal.commands:
                raise Broken(f"{said}, and it is on record")

    # What is asked at the desk

    def sell(self, patron: Patron) -> None:
        """Sell credits at the desk; whoever gets no answer asks again under the same id."""
        id_ = f"desk-{patron.fresh_id()}"
        cents = self.chance.choice((5_000, 20_000, 100_000))
        fields = {"id": id_, "table": patron.table, "patron": patron.name, "cents": cents, "position": 1}
        self._give(Given(do.BuyIn, fields, patron))

    def correct(self, manager: Person, key: str) -> None:
        """Put a patron's credits right, with the approval of another."""
        patron = self.chance.choice([each for each in self.people if isinstance(each, Patron)])
        fields: State = {"id": f"correction-{manager.fresh_id()}", "table": key, "patron": patron.name}
        fields |= {"cents": self.chance.choice((-300, 50, 1_000)), "reason": "misread"}
        self._give(Given(do.CorrectCredits, fields, patron))

    def _give(self, given: Given) -> None:
        """Give a command as the desk does, on the page on which the shift manager is signed in."""
        process = self.front()
        if process is None or process.loop.paused:
            self._give_again(given)
            return
        id_ = given.fields["id"]
        manager, other = (next(each for each in self.people if each.name == name) for name in (SHIFT, PIT))

        def came(answer: Any) -> None:
            if not isinstance(answer, PuntoError):
                self.accepted(given.patron, {"t": "do", "id": id_}, {})
            elif answer.code == "unknown" or (given.tries and answer.code in OF_NOW) or answer is given.unheard:
                self._give_again(given)
            else:
                self.refused(given.patron, {"t": "do", "id": id_}, answer.code)

        self.trace.step(self.agenda.now_s, "desk", f"gives {given.kind.__name__} ({id_})")
        self.trace.count("commands at the desk")
        process.run(lambda server: given.by(server, manager.cookie, other.cookie), came)

    def _give_again(self, given: Given) -> None:
        given.tries += 1
        if given.tries < 9 and not self.fates.are_over:
            self.agenda.after(1.0, lambda: self._give(given))

    def redeem(self, code: str) -> None:
        """Somebody tries to redeem a ticket."""
        patrons = [each for each in self.people if isinstance(each, Patron)]
        if patrons:
            patron = self.chance.choice(patrons)
            patron.ask({"t": "redeem", "table": patron.table, "code": code})

    # Outside

    def keep_heads(self) -> None:
        """Keep the last heads of all writers outside."""
        heads = {
            name: LastHead(tip.version, tip.hash.hex())
            for name, tip in self.truth.tips.items()
            if name.startswith(HEADS)
        }
        self.heads_outside = msgspec.json.encode(LastHeads(heads))
