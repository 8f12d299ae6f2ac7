"""Images of the disk as a power cut could leave it, each opened with the ordinary store and examined."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random
from tempfile import TemporaryDirectory

from tests.torture.disk import Cut, Disk, Synced, Wrote
from tests.torture.evidence import Evidence
from tests.torture.examine import Look, UnderWay, examine
from tests.torture.journal import Answered, Asked, Failed
from tests.torture.recording import Plan, Recording, Step, record
from tests.torture.worker import STORE

IMAGES_PER_RECORDING = 20


class Moment(Enum):
    """When the power goes."""

    ANY = "at any step"
    ANSWERED = "right after an answer"
    COMMITTING = "between the writes and the sync of a commit"
    CHECKPOINT = "in a checkpoint"


@dataclass
class Tally:
    """What came of all images."""

    images: int = 0
    failed: int = 0
    lost: int = 0
    moments: Counter[Moment] = field(default_factory=Counter)
    under_way: Counter[UnderWay] = field(default_factory=Counter)
    # Images in which something was written and not synced, and how many writes these were in all.
    loose_images: int = 0
    loose_changes: int = 0
    acknowledged: int = 0
    findings: list[str] = field(default_factory=list)

    def add(self, look: Look, moment: Moment, disk: Disk, evidence: Evidence) -> None:
        """Count one more image."""
        self.images += 1
        self.moments[moment] += 1
        self.under_way[look.under_way] += 1
        self.loose_images += bool(disk.loose)
        self.loose_changes += disk.loose
        self.acknowledged += len(evidence.answers)
        self.failed += bool(look.findings)
        self.lost += any(finding.endswith("and is lost") for finding in look.findings)
        self.findings += [f"image {self.images}, {moment.value}: {finding}" for finding in look.findings[:3]]


def crash_many(count: int, seed: int, synchronous: str = "") -> Iterator[Tally]:
    """Make so many images, and examine each; what was found so far, after each of them."""
    chance = Random(seed)
    tally = Tally()
    while tally.images < count:
        plan = Plan(
            seed=str(chance.getrandbits(64)),
            lives=chance.randint(1, 3),
            groups=chance.randint(20, 150),
            checkpoint_pages=chance.choice((30, 100, 400, 10_000)),
            synchronous=synchronous,
        )
        with TemporaryDirectory() as folder:
            recording = record(Path(folder), plan)
        images = min(IMAGES_PER_RECORDING, count - tally.images)
        for _ in _crash(recording, _moments(recording.steps, images, chance), tally, chance):
            yield tally


def _crash(recording: Recording, moments: dict[int, Moment], tally: Tally, chance: Random) -> Iterator[None]:
    """Run through a recording, and stop at each of the moments for an image."""
    disk, evidence = Disk(recording.files), Evidence()
    for place, step in enumerate(recording.steps):
        if isinstance(step, Asked | Answered | Failed):
            evidence.add(step)
        else:
            disk.change(step)
        if place in moments:
            with TemporaryDirectory() as folder:
                for name, data in disk.after_power_cut(chance).items():
                    (Path(folder) / name).write_bytes(data)
                look = examine(str(Path(folder) / STORE), recording.keys, evidence, chance)
            tally.add(look, moments[place], disk, evidence)
            yield


def _moments(steps: list[Step], count: int, chance: Random) -> dict[int, Moment]:
    """So many places at which the power goes after the step."""
    pools = {
        Moment.ANY: range(len(steps)),
        Moment.ANSWERED: [place for place, step in enumerate(steps) if isinstance(step, Answered)],
        Moment.COMMITTING: [place - 1 for place, step in enumerate(steps) if step == Synced(f"{STORE}-wal") and place],
        Moment.CHECKPOINT: [
            place for place, step in enumerate(steps) if isinstance(step, Wrote | Cut) and step.name == STORE
        ],
    }
    moments: dict[int, Moment] = {}
    while len(moments) < min(count, len(steps)):
        moment = chance.choice([moment for moment, pool in pools.items() if pool])
        moments.setdefault(chance.choice(pools[moment]), moment)
    return moments
