"""The process that is killed: a floor on a store, played on for as long as it lives."""

import sys
from pathlib import Path
from random import Random

from punto.cards import Card
from punto.errors import StoreGone
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.floor.shuffle import Shuffle
from punto.proof.heads import read_head
from punto.store import open_store
from punto.store.contract import Store
from tests.torture.entries import heads_of, read_all
from tests.torture.evening import Evening
from tests.torture.journal import Clerk, Write, writer
from tests.torture.pen import Pen
from tests.torture.planted import plant

# After what share of groups a checkpoint is taken.
_CHECKPOINTS = 0.1
START_MS = 1_767_196_800_000
STORE = "floor.db"
KEY = "floor.key"
OUTSIDE = "outside"
# The status of a process that could not begin, because its store went away meanwhile.
GONE = 3


def time_of(store: Store) -> int:
    """When the floor last signed a head: time goes on from there."""
    heads = heads_of(read_all(store))
    return max((read_head(head.body).statement.at_ms for head in heads), default=START_MS)


def shuffle_by(chance: Random) -> Shuffle:
    """Shuffles as *chance* has it."""

    def shuffle(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(chance.sample(cards, len(cards)))

    return shuffle


def begin(
    store: Store, keys: Keys, life: str, seed: str, write: Write, outside: Path | None = None
) -> tuple[Clerk, Evening]:
    """A floor on the store, recovered, and an evening at it; checkpoints are kept *outside*."""
    chance = Random(seed)
    floor = Floor(store, keys, shuffle_by(chance))
    sequencer = Sequencer(floor.history, [outside]) if outside else None
    if sequencer is not None:
        sequencer.compare()
        sequencer.begin()
    clerk = Clerk(floor, write, sequencer)
    pen = Pen(life, time_of(store) + 1_000, chance)
    clerk.recover(pen.now_ms)
    return clerk, Evening(floor, pen)


def main(folder: Path, url: str, life: str, seed: str, fault: str) -> None:
    """Play until killed."""
    kind = plant(fault)
    keys, write = Keys.at(folder / KEY), writer(folder / f"{life}.journal")
    try:
        store = kind(folder / STORE) if kind else open_store(url)
        clerk, evening = begin(store, keys, life, seed, write, folder / OUTSIDE)
    except StoreGone as error:  # as a floor does that cannot open: it ends, and is started again
        print(error, file=sys.stderr)  # noqa: T201
        raise SystemExit(GONE) from None
    chance = Random(seed)
    while True:
        clerk.give(clerk.patiently(evening.group))
        if chance.random() < _CHECKPOINTS:
            clerk.checkpoint(evening.now_ms)


if __name__ == "__main__":
    main(Path(sys.argv[1]), *sys.argv[2:6])
