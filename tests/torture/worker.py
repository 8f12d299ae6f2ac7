"""The process that is killed: a floor on an SQLite file, played on for as long as it lives."""

import sys
from pathlib import Path
from random import Random

from punto.cards import Card
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.shuffle import Shuffle
from punto.proof.heads import read_head
from punto.store.contract import Store
from tests.torture.entries import heads_of, read_all
from tests.torture.evening import Evening
from tests.torture.journal import Clerk, Write, writer
from tests.torture.pen import Pen
from tests.torture.planted import plant

START_MS = 1_767_196_800_000
STORE = "floor.db"
KEY = "floor.key"


def time_of(store: Store) -> int:
    """When the floor last signed a head: time goes on from there."""
    heads = heads_of(read_all(store))
    return max((read_head(head.body).statement.at_ms for head in heads), default=START_MS)


def shuffle_by(chance: Random) -> Shuffle:
    """Shuffles as *chance* has it."""

    def shuffle(cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(chance.sample(cards, len(cards)))

    return shuffle


def begin(store: Store, keys: Keys, life: str, seed: str, write: Write) -> tuple[Clerk, Evening]:
    """A floor on the store, recovered, and an evening at it."""
    chance = Random(seed)
    floor = Floor(store, keys, shuffle_by(chance))
    clerk = Clerk(floor, write)
    pen = Pen(life, time_of(store) + 1_000, chance)
    clerk.recover(pen.now_ms)
    return clerk, Evening(floor, pen)


def main(folder: Path, life: str, seed: str, fault: str) -> None:
    """Play until killed."""
    store = plant(fault)(folder / STORE)
    clerk, evening = begin(store, Keys.at(folder / KEY), life, seed, writer(folder / f"{life}.journal"))
    while True:
        clerk.give(evening.group())


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2], sys.argv[3], sys.argv[4])
