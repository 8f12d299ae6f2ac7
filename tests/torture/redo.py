"""What was under way is there as a whole, to the byte, or not at all.

It is done once more, in memory, on what was there before: the same commands to the same tables must write the same
events, transfers and head. What the store holds must be all of that, or none. A recovery is one command for each table,
and may have got as far as any of them.
"""

from collections.abc import Iterator
from typing import Any

from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.sequencer import Sequencer
from punto.proof.headlog import CHECKPOINTS
from punto.proof.writers import HEADS
from punto.store import MemoryStore
from punto.store.contract import Entry
from tests.torture.entries import Entries, ends_at, heads_of, plain, read_all
from tests.torture.evidence import Evidence
from tests.torture.journal import Asked


def check_under_way(entries: Entries, evidence: Evidence, keys: Keys) -> Iterator[str]:
    """What is wrong with commands that were not answered."""
    found = len(heads_of(entries))
    if found < evidence.head:
        yield f"head {evidence.head} was given out, and the store ends with head {found}"
        return
    redone = entries
    if found > evidence.head and evidence.under_way:
        redone = _redone(entries, evidence.head, keys, evidence.under_way)
    if found > len(heads_of(redone)) or (found > evidence.head and redone is entries):
        yield f"the store ends with head {found}, which is more than all that was under way after head {evidence.head}"
        return
    yield from _compare(entries, redone, ends_at(redone, found))


def _redone(entries: Entries, head: int, keys: Keys, asked: Asked) -> Entries:
    """The entries up to a head, and what is written after it when the same is asked again."""
    memory = MemoryStore()
    for stream, end in ends_at(entries, head).items():
        memory.append(entries.get(stream, [])[:end], {})
    floor = Floor(memory, keys)
    if asked.recover_ms:
        floor.recover(asked.recover_ms)
    elif asked.checkpoint_ms:
        Sequencer(floor.history, []).checkpoint(asked.checkpoint_ms)
    else:
        floor.handle_all(asked.commands)
    return read_all(memory)


def _compare(entries: Entries, redone: Entries, ends: dict[str, int]) -> Iterator[str]:
    # Whoever does it again is another writer: its heads, and checkpoints of them, say the same under another name.
    for stream in sorted(stream for stream in {*entries, *ends} if not stream.startswith(HEADS)):
        held, right = entries.get(stream, []), redone.get(stream, [])[: ends.get(stream, 0)]
        if len(held) != len(right):
            yield f"{stream} ends with entry {len(held)}; all or nothing would be {len(right)}"
        for one, other in zip(held, right, strict=False):
            if stream != CHECKPOINTS and one != other and _apart_from_chance(one) != _apart_from_chance(other):
                yield f"{stream} {one.version} is {one.body!r}; done again it is {other.body!r}"
                break


def _apart_from_chance(entry: Entry) -> dict[str, Any]:
    """An entry without what a fresh shuffle makes different each time: salt and seal."""
    body = plain(entry.body)
    event = body.get("event", {})
    if event.get("type") == "shoe-loaded":
        body["event"] = {**event, "commitment": "", "sealed": ""}
    return body
