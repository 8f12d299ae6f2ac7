"""A floor on a file is killed, its log or its file is damaged, and the next start must notice whatever is missing.

Acknowledged play that is gone must not be passed over: the floor does not open, because what is kept outside says more
than the store does; or it opens, and the stream concerned is stopped.
"""

import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from punto.errors import PuntoError
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.store import SqliteStore
from punto.store.file import log_of
from tests.torture.evidence import Evidence
from tests.torture.homes import FileHome
from tests.torture.house import SETUPS
from tests.torture.journal import Answered, Reader
from tests.torture.kill import until
from tests.torture.worker import KEY, OUTSIDE, STORE

_GROUPS = (20, 400)


def _flip(path: Path, chance: Random) -> None:
    """One bit is another."""
    data = bytearray(path.read_bytes())
    data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    path.write_bytes(data)


def _cut(path: Path, chance: Random) -> None:
    """The end is gone."""
    path.write_bytes(path.read_bytes()[: chance.randrange(path.stat().st_size)])


def _blank(path: Path, chance: Random) -> None:
    """A block of the disk reads as zeros."""
    data = bytearray(path.read_bytes())
    place = chance.randrange(len(data)) // 4096 * 4096
    data[place : place + 4096] = bytes(len(data[place : place + 4096]))
    path.write_bytes(data)


def _remove(path: Path, _: Random) -> None:
    """The file is not there."""
    path.unlink()


# What is done, to the log or to the file itself, and how often.
_DAMAGE: dict[tuple[str, str], tuple[Callable[[Path, Random], None], int]] = {
    ("log", "a flipped bit"): (_flip, 5),
    ("log", "a cut"): (_cut, 4),
    ("log", "a blank block"): (_blank, 2),
    ("log", "removed"): (_remove, 2),
    ("file", "a flipped bit"): (_flip, 4),
    ("file", "a cut"): (_cut, 2),
    ("file", "a blank block"): (_blank, 2),
}


@dataclass
class Tally:
    """What came of all damage."""

    runs: int = 0
    acknowledged: int = 0
    # By what was done: how often acknowledged play was missing or could not be read, and who noticed.
    done: Counter[tuple[str, str]] = field(default_factory=Counter)
    missing: Counter[tuple[str, str]] = field(default_factory=Counter)
    noticed: Counter[str] = field(default_factory=Counter)
    findings: list[str] = field(default_factory=list)


def damage_many(count: int, seed: int) -> Iterator[Tally]:
    """Damage so many stores of killed floors; what was found so far, after each of them."""
    chance, tally = Random(seed), Tally()
    for number in range(count):
        with TemporaryDirectory(prefix="punto-damage-") as folder:
            _damage_one(Path(folder), f"d{number:03}", tally, chance)
        yield tally


def _damage_one(folder: Path, life: str, tally: Tally, chance: Random) -> None:
    evidence = _live_and_die(FileHome(folder), life, chance)
    kinds = list(_DAMAGE)
    what = chance.choices(kinds, [_DAMAGE[each][1] for each in kinds])[0]
    target = log_of(folder / STORE) if what[0] == "log" else folder / STORE
    (folder / f"{STORE}-shm").unlink(missing_ok=True)  # the index of a log goes with its machine
    _DAMAGE[what][0](target, chance)
    tally.runs += 1
    tally.acknowledged += len(evidence.answers)
    tally.done[what] += 1
    lost, said = _open(folder, evidence)
    tally.missing[what] += bool(lost)
    if lost:
        tally.noticed[said or "nobody"] += 1
        if not said:
            tally.findings.append(f"{life}: {' '.join(what)}: {lost} acknowledged commands are missing, and it opened")


def _live_and_die(home: FileHome, life: str, chance: Random) -> Evidence:
    """A floor plays, and is killed; what it has acknowledged."""
    Keys.at(home.folder / KEY)
    journal, groups = Reader(home.folder / f"{life}.journal"), chance.randint(*_GROUPS)
    seed = str(chance.getrandbits(64))
    worker = [sys.executable, "-m", "tests.torture.worker", str(home.folder), home.url, life, seed, ""]
    with subprocess.Popen(worker) as process:
        try:
            until(journal, process, lambda _: sum(isinstance(line, Answered) for line in journal.lines) >= groups)
        finally:
            process.send_signal(signal.SIGKILL)
    journal.read_on()
    evidence = Evidence()
    for line in journal.lines:
        evidence.add(line)
    return evidence


def _open(folder: Path, evidence: Evidence) -> tuple[int, str]:
    """How many acknowledged commands are missing, and who says so when a floor opens on the store."""
    accepted = [given for given in evidence.answers if not given.refusal]
    try:
        with closing(SqliteStore(folder / STORE, create=False)) as store:
            said = _start(store, Keys.at(folder / KEY), folder / OUTSIDE)
            try:
                found = {entry.command for key in SETUPS for entry in store.read(f"table/{key}")}
            except PuntoError:
                found = set()
            return sum(given.command not in found for given in accepted), said
    except PuntoError as error:
        return len(accepted), error.code


def _start(store: SqliteStore, keys: Keys, outside: Path) -> str:
    """Why a floor does not open on a store, or which tables it leaves closed; nothing when it opens as ever."""
    try:
        floor = Floor(store, keys)
        Sequencer(floor.history, [outside]).compare()
    except PuntoError as error:
        return error.code
    stopped: set[str] = set()
    for key in SETUPS:
        try:
            floor.table(key)
        except PuntoError as error:
            stopped.add(error.code)
    return f"a table: {', '.join(sorted(stopped))}" if stopped else ""
