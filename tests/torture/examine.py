"""The examination of a store after a crash, against what is known of it from outside."""

from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from enum import Enum
from pathlib import Path
from random import Random

from punto.errors import BadStore, PuntoError
from punto.floor.handler import Floor
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.record import audit
from punto.store import open_store
from punto.store.contract import Store
from punto.table import Table
from punto.table.log import fold
from tests.torture.aftermath import check_aftermath
from tests.torture.answers import check_answers
from tests.torture.entries import Entries, heads_of, read_all
from tests.torture.evidence import Evidence
from tests.torture.house import SETUPS
from tests.torture.redo import check_under_way
from tests.torture.shoes import check_shoes
from tests.torture.worker import shuffle_by, time_of

_TOLD = 3


class UnderWay(Enum):
    """What became of commands that were not answered."""

    NOTHING = "nothing was under way"
    LOST = "under way, and not there"
    WHOLE = "under way, and there"


@dataclass
class Look:
    """What was seen of a store."""

    findings: list[str] = field(default_factory=list)
    phases: dict[str, str] = field(default_factory=dict)
    head: int = 0
    under_way: UnderWay = UnderWay.NOTHING


def examine(
    url: str,
    keys: Keys,
    evidence: Evidence,
    chance: Random,
    floor_type: type[Floor] = Floor,
    outside: Path | None = None,
) -> Look:
    """Open a store as a floor would after a crash, look at all of it, recover, and play on; it is changed by that.

    Where checkpoints were kept *outside*, the store must agree with them.
    """
    look = Look(findings=list(evidence.wrong))
    try:
        with closing(open_store(url, create=False)) as store:
            look.findings += _look(store, keys, evidence, look)
            if outside is not None:
                Sequencer(History(store, keys), [outside]).compare()
            if not look.findings:
                floor = floor_type(store, keys, shuffle_by(chance))
                look.findings += check_aftermath(floor, evidence, time_of(store) + 1_000, chance)
                look.findings += _check_record(store, keys, evidence)
                look.findings += check_shoes(read_all(store), keys)
    except BadStore as error:
        if evidence.head:  # else it was not made yet, and nobody was told otherwise
            look.findings.append(f"{type(error).__name__}: {error}")
    except PuntoError as error:
        look.findings.append(f"{type(error).__name__}: {error}")
    return look


def _look(store: Store, keys: Keys, evidence: Evidence, look: Look) -> Iterator[str]:
    entries = read_all(store)
    look.head = len(heads_of(entries))
    if evidence.under_way:
        look.under_way = UnderWay.WHOLE if look.head > evidence.head else UnderWay.LOST
    wrong = [*check_answers(store, entries, evidence)]
    if not wrong:
        wrong += check_shoes(entries, keys)
    wrong += _check_record(store, keys, evidence)
    yield from wrong
    # What follows is worked out from the entries, and says nothing where they are not what they should be.
    if not wrong:
        yield from check_under_way(entries, evidence, keys)
        yield from _check_replay(store, keys, entries, look)


def _check_record(store: Store, keys: Keys, evidence: Evidence) -> Iterator[str]:
    """What an audit finds, the first things only."""
    report = audit(store, public_key=keys.public, head=evidence.kept.encode() or None)
    for finding in report.findings[:_TOLD]:
        yield f"audit: {finding}"


def _check_replay(store: Store, keys: Keys, entries: Entries, look: Look) -> Iterator[str]:
    """Every table stands as all its events leave it, with its snapshot or without."""
    floor = Floor(store, keys)
    for key in SETUPS:
        table = floor.table(key)
        look.phases[key] = table.phase.value
        if fold((entry.body for entry in entries.get(f"table/{key}", ())), Table()) != table:
            yield f"{key}: replay does not give the table as it stands"
