"""A process is killed with SIGKILL, again and again, and after each time the store is examined.

The store is copied as the process left it, and the copy is examined. The next process starts on the store itself, so
that crash follows crash without anybody putting the store in order between. On a server, its sessions, the processes
behind them and the whole server are killed too, under a floor that then must find out what became of its commit.
"""

import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from punto.errors import OutcomeUnknown
from punto.floor.keys import Keys
from punto.table.commands import PlaceWager
from tests.store.server import Server
from tests.torture.evidence import Evidence
from tests.torture.examine import Look, UnderWay, examine
from tests.torture.homes import FileHome, Home, ServerHome, choose_blow
from tests.torture.house import DEALT, FA_FA, TERMINALS
from tests.torture.journal import Answered, Asked, Failed, Line, Reader
from tests.torture.worker import GONE, KEY, OUTSIDE

KILLS_PER_STORE = 25
# How far a process may come, counted in lines and not in seconds: a busy machine writes them more slowly.
_MOST_GROUPS = 40
_MOST_LINES = 600
_PATIENCE_S = 60.0
_GLANCE_S = 0.0002
_RARE = 5
_SOME_GROUPS = 12

ROUND = ("bets-open", "bets-closed", "initial-deal", "drawing", "outcome", "settled", "void", "change-of-shoe", "idle")
# Terminals announce and pay by themselves, so there is no moment at which an outcome waits for its payment.
PHASES = {
    TERMINALS: tuple(phase for phase in ROUND if phase != "outcome"),
    DEALT: ROUND,
    FA_FA: ROUND,
}


@dataclass
class Tally:
    """What came of all kills."""

    kills: int = 0
    phases: Counter[tuple[str, str]] = field(default_factory=Counter)
    under_way: Counter[UnderWay] = field(default_factory=Counter)
    recovering: int = 0
    # What was killed besides the floor's process, and what the floor was told then.
    blows: Counter[str] = field(default_factory=Counter)
    told: Counter[str] = field(default_factory=Counter)
    # Of the groups whose outcome was unknown: how many turned out to be there, and how many had an answer in the end.
    unknown_there: int = 0
    resolved: int = 0
    checkpoints: int = 0
    groups: int = 0
    commands: int = 0
    wagers: int = 0
    played_s: float = 0.0
    findings: list[str] = field(default_factory=list)

    def rare(self) -> list[tuple[str, str]]:
        """The phases of tables that were hit least."""
        pairs = [(key, phase) for key, phases in PHASES.items() for phase in phases]
        return sorted(pairs, key=lambda pair: self.phases[pair])[:_RARE]

    def missed(self) -> list[tuple[str, str]]:
        """The phases that were never hit."""
        return [(key, phase) for key, phases in PHASES.items() for phase in phases if not self.phases[key, phase]]

    def add(self, look: Look, lines: list[Line], blow: str) -> None:
        """Count one more kill."""
        self.kills += 1
        self.blows[blow or "process"] += 1
        self._count_failures(lines)
        self.phases.update(look.phases.items())
        self.under_way[look.under_way] += 1
        self.findings += look.findings
        self.recovering += bool(lines) and isinstance(lines[-1], Asked) and bool(lines[-1].recover_ms)
        answered = [line for line in lines if isinstance(line, Answered)]
        if answered:
            self.played_s += (answered[-1].at_ns - _began_ns(lines)) / 1e9
        asked = {command.id: command for line in lines if isinstance(line, Asked) for command in line.commands}
        for line in answered:
            self.groups += 1
            for given in line.answers:
                self.commands += bool(given.command)
                self.wagers += not given.refusal and isinstance(asked.get(given.command), PlaceWager)

    def _count_failures(self, lines: list[Line]) -> None:
        """Count the groups that failed with the store, and what came of them."""
        unknown = False
        for line in lines:
            if isinstance(line, Failed):
                self.told[line.code] += 1
                self.unknown_there += line.code == OutcomeUnknown.code and bool(line.found)
                unknown = unknown or line.code == OutcomeUnknown.code
            elif isinstance(line, Answered):
                self.resolved += unknown
                unknown = False
            else:
                self.checkpoints += bool(line.checkpoint_ms)


def _began_ns(lines: list[Line]) -> int:
    return next(line.at_ns for line in lines if isinstance(line, Asked))


def kill_many(folder: Path, count: int, seed: int, fault: str = "", server: Server | None = None) -> Iterator[Tally]:
    """Kill a floor so many times, on files or on a server; what was found so far, after each time."""
    chance = Random(seed)
    tally = Tally()
    while tally.kills < count:
        place = folder / f"store-{tally.kills}"
        place.mkdir()
        Keys.at(place / KEY)
        home = ServerHome(place, server) if server else FileHome(place)
        evidence = Evidence()
        for _ in range(min(KILLS_PER_STORE, count - tally.kills)):
            blow = choose_blow(home, chance)
            lines = _live_and_die(home, tally, chance, fault, blow)
            evidence.begin_life()
            for line in lines:
                evidence.add(line)
            look = _examine_copy(home, evidence, chance)
            if look.findings:
                look.findings = [f"kill {tally.kills + 1} ({place}, {blow}): {each}" for each in look.findings]
            tally.add(look, lines, blow)
            evidence.head = max(evidence.head, look.head)
            yield tally
            if look.findings:
                home.close()
                break
        else:
            home.remove()


def _live_and_die(home: Home, tally: Tally, chance: Random, fault: str, blow: str) -> list[Line]:
    """One life of a process, and what it wrote down."""
    life = f"k{tally.kills + 1:04}"
    seed = str(chance.getrandbits(64))
    journal = Reader(home.folder / f"{life}.journal")
    worker = [sys.executable, "-m", "tests.torture.worker", str(home.folder), home.url, life, seed, fault]
    with (home.folder / "said.txt").open("ab") as said, subprocess.Popen(worker, stderr=said) as process:
        try:
            _wait(journal, process, tally, chance)
            if blow:
                home.strike(blow)
                _outlive(journal, process, chance)
        finally:
            process.send_signal(signal.SIGKILL)
    # A floor that cannot begin, because its store goes away meanwhile, ends by itself.
    if process.returncode != -signal.SIGKILL and not (blow and process.returncode == GONE):
        raise AssertionError(f"{life} ended by itself, with {process.returncode}: see {said.name}")
    home.settle()
    journal.read_on()
    return journal.lines


def _outlive(journal: Reader, process: subprocess.Popen[bytes], chance: Random) -> None:
    """Let a floor find out what became of the store, and play on a little."""
    journal.read_on()
    groups = sum(isinstance(line, Answered) for line in journal.lines) + chance.randint(1, _SOME_GROUPS)
    until(journal, process, lambda _: sum(isinstance(line, Answered) for line in journal.lines) >= groups)
    time.sleep(chance.uniform(0, 0.005))


def _wait(journal: Reader, process: subprocess.Popen[bytes], tally: Tally, chance: Random) -> None:
    """Wait for the moment of death: of any kind, or one in which a table is in a phase that was hit seldom."""
    match chance.choices(("start", "recovery", "any", "commit", "phase"), (5, 10, 15, 15, 55))[0]:
        case "start":
            time.sleep(chance.uniform(0.05, 0.5))
        case "recovery":
            until(journal, process, lambda _: True)
            time.sleep(chance.uniform(0, 0.005))
        case "any":
            groups = chance.randint(1, _MOST_GROUPS)
            until(journal, process, lambda _: sum(isinstance(line, Answered) for line in journal.lines) >= groups)
            time.sleep(chance.uniform(0, 0.005))
        case "commit":
            groups = chance.randint(1, _MOST_GROUPS)
            until(journal, process, lambda _: sum(isinstance(line, Answered) for line in journal.lines) >= groups)
            until(journal, process, lambda line: isinstance(line, Asked))
            time.sleep(chance.uniform(0, 0.03))
        case _:
            key, phase = chance.choice(tally.rare())
            until(journal, process, lambda line: isinstance(line, Answered) and line.phases[key] == phase)
            time.sleep(chance.uniform(0, 0.002))


def until(journal: Reader, process: subprocess.Popen[bytes], wanted: Callable[[Line], bool]) -> None:
    """Wait until the last line is as wanted, but not for ever."""
    patience = time.monotonic() + _PATIENCE_S
    while process.poll() is None and len(journal.lines) < _MOST_LINES and time.monotonic() < patience:
        if any(map(wanted, journal.read_on()[-2:])):
            return
        time.sleep(_GLANCE_S)


def _examine_copy(home: Home, evidence: Evidence, chance: Random) -> Look:
    with TemporaryDirectory(dir=home.folder) as folder, home.copy() as copy:
        outside = Path(folder) / OUTSIDE
        if (home.folder / OUTSIDE).exists():
            shutil.copytree(home.folder / OUTSIDE, outside)
        return examine(copy, Keys.at(home.folder / KEY), evidence, chance, outside=outside)
