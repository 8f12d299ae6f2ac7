"""A process is killed with SIGKILL, again and again, and after each time the store is examined.

The files are copied as the process left them, and the copy is examined. The next process starts on the files
themselves, so that crash follows crash without anybody putting the store in order between.
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

from punto.floor.keys import Keys
from punto.table.commands import PlaceWager
from tests.torture.evidence import Evidence
from tests.torture.examine import Look, UnderWay, examine
from tests.torture.house import DEALT, FA_FA, TERMINALS
from tests.torture.journal import Answered, Asked, Line, Reader
from tests.torture.worker import KEY, STORE

KILLS_PER_STORE = 25
# How far a process may come, counted in lines and not in seconds: a busy machine writes them more slowly.
_MOST_GROUPS = 40
_MOST_LINES = 600
_PATIENCE_S = 60.0
_GLANCE_S = 0.0002
_RARE = 5

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

    def add(self, look: Look, lines: list[Line]) -> None:
        """Count one more kill."""
        self.kills += 1
        self.phases.update(look.phases.items())
        self.under_way[look.under_way] += 1
        self.findings += look.findings
        self.recovering += bool(lines) and isinstance(lines[-1], Asked) and bool(lines[-1].recover_ms)
        answered = [line for line in lines if isinstance(line, Answered)]
        if answered:
            self.played_s += (answered[-1].at_ns - lines[0].at_ns) / 1e9
        asked = {command.id: command for line in lines if isinstance(line, Asked) for command in line.commands}
        for line in answered:
            self.groups += 1
            for given in line.answers:
                self.commands += bool(given.command)
                self.wagers += not given.refusal and isinstance(asked.get(given.command), PlaceWager)


def kill_many(folder: Path, count: int, seed: int, fault: str = "") -> Iterator[Tally]:
    """Kill a floor so many times; what was found so far, after each time."""
    chance = Random(seed)
    tally = Tally()
    while tally.kills < count:
        home = folder / f"store-{tally.kills}"
        home.mkdir()
        Keys.at(home / KEY)
        evidence = Evidence()
        for _ in range(min(KILLS_PER_STORE, count - tally.kills)):
            lines = _live_and_die(home, tally, chance, fault)
            evidence.begin_life()
            for line in lines:
                evidence.add(line)
            look = _examine_copy(home, evidence, chance)
            if look.findings:
                look.findings = [f"kill {tally.kills + 1} ({home}): {finding}" for finding in look.findings]
            tally.add(look, lines)
            evidence.head = max(evidence.head, look.head)
            yield tally
            if look.findings:
                break
        else:
            shutil.rmtree(home)


def _live_and_die(home: Path, tally: Tally, chance: Random, fault: str) -> list[Line]:
    """One life of a process, and what it wrote down."""
    life = f"k{tally.kills + 1:04}"
    seed = str(chance.getrandbits(64))
    journal = Reader(home / f"{life}.journal")
    worker = [sys.executable, "-m", "tests.torture.worker", str(home), life, seed, fault]
    with subprocess.Popen(worker) as process:
        try:
            _wait(journal, process, tally, chance)
        finally:
            process.send_signal(signal.SIGKILL)
    if process.returncode != -signal.SIGKILL:
        raise AssertionError(f"{life} ended by itself, with {process.returncode}")
    journal.read_on()
    return journal.lines


def _wait(journal: Reader, process: subprocess.Popen[bytes], tally: Tally, chance: Random) -> None:
    """Wait for the moment of death: of any kind, or one in which a table is in a phase that was hit seldom."""
    match chance.choices(("start", "recovery", "any", "phase"), (5, 10, 30, 55))[0]:
        case "start":
            time.sleep(chance.uniform(0.05, 0.5))
        case "recovery":
            _until(journal, process, lambda _: True)
            time.sleep(chance.uniform(0, 0.005))
        case "any":
            groups = chance.randint(1, _MOST_GROUPS)
            _until(journal, process, lambda _: sum(isinstance(line, Answered) for line in journal.lines) >= groups)
            time.sleep(chance.uniform(0, 0.005))
        case _:
            key, phase = chance.choice(tally.rare())
            _until(journal, process, lambda line: isinstance(line, Answered) and line.phases[key] == phase)
            time.sleep(chance.uniform(0, 0.002))


def _until(journal: Reader, process: subprocess.Popen[bytes], wanted: Callable[[Line], bool]) -> None:
    """Wait until the last line is as wanted, but not for ever."""
    patience = time.monotonic() + _PATIENCE_S
    while process.poll() is None and len(journal.lines) < _MOST_LINES and time.monotonic() < patience:
        if any(map(wanted, journal.read_on()[-2:])):
            return
        time.sleep(_GLANCE_S)


def _examine_copy(home: Path, evidence: Evidence, chance: Random) -> Look:
    with TemporaryDirectory(dir=home) as copy:
        for file in home.glob(f"{STORE}*"):
            shutil.copy(file, copy)
        return examine(Path(copy) / STORE, Keys.at(home / KEY), evidence, chance)
