"""From a store that an older Punto has signed to one in which every writer signs for itself.

The old record is checked from its first entry to its last before anything is written, and stays as it is.
"""

from collections.abc import Iterator, Sequence
from typing import Final

import msgspec

from punto.errors import Corrupt, Refusal, WrongKey, named
from punto.floor.acceptedids import MOST_IDS, Segment, keep
from punto.floor.handler import TABLE
from punto.floor.keys import Keys
from punto.floor.ownership import KEY_FENCE
from punto.floor.tickets import TICKETS, TicketNote, TicketStep, step_of_event
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Move, head_row, joining_rows
from punto.proof.migrations import MIGRATIONS, CommandsDigest, Migration
from punto.proof.oldheads import OLD_HEADS, holds, read
from punto.proof.writers import HEADS, fresh_writer
from punto.store.chain import link, start, verified
from punto.store.contract import Entry, Row, Store, Tip
from punto.table.log import Logged
from punto.table.log import read as read_logged

# The migrating writer signs each stream at every so many entries.
_STEP: Final = 256
# A head of a migration covers no more streams than this.
_MOST_STREAMS: Final = 1_000
_ENCODER: Final = msgspec.json.Encoder()


def migrate(store: Store, keys: Keys, at_ms: int, by: str) -> int:
    """Sign an old store over, in one transaction; how many streams it has. `Refusal` where there is nothing to do."""
    if store.tip(OLD_HEADS) is None or next(store.streams(HEADS), None) is not None:
        raise Refusal("the store is up to date: there is nothing to migrate")
    ends = _signed_ends(store, keys)
    old = _OldStore(store)
    for stream, tip in store.streams():
        if stream != OLD_HEADS and ends.pop(stream, start(stream)) != tip:
            raise Corrupt(
                f"{named(stream)}: does not end where the old heads say: run 'punto audit' first, nothing was changed"
            )
        old.read(stream)
    if ends:
        raise Corrupt(f"{min(ends)}: is gone, and old heads name it: run 'punto audit' first, nothing was changed")
    epoch = store.epoch(KEY_FENCE)
    store.append(old.rows(keys, at_ms, by), {KEY_FENCE: epoch})
    for table, ids in old.ids.items():
        # The old hash does not cover them: this floor remembers the latest by itself.
        last = dict(list(ids.items())[-MOST_IDS:])
        keep(store, keys, table, Segment(1, 0, old.steps[TABLE + table][-1].version, last))
    return len(old.steps)


def _signed_ends(store: Store, keys: Keys) -> dict[str, Tip]:
    """Where every stream ends by the old heads, each of which the floor's key has signed."""
    ends: dict[str, Tip] = {}
    before = start(OLD_HEADS).hash
    for entry in verified(store.read(OLD_HEADS), start(OLD_HEADS)):
        head, signed = read(entry.body)
        if not holds(signed, before, keys.public):
            raise WrongKey(f"this key has not signed old head {entry.version}: nothing was changed")
        ends |= {stream: Tip(version, bytes.fromhex(hash_)) for stream, (version, hash_) in head.moved.items()}
        before = entry.hash
    return ends


class _OldStore:
    """An old store as it is read: where its streams are signed over, their ids of commands, and their tickets."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.steps: dict[str, list[Tip]] = {}
        self._commands: dict[str, str] = {}
        self._tickets: list[TicketNote] = []
        # The ids of the commands of each table, and where they begin.
        self.ids: dict[str, dict[str, int]] = {}

    def read(self, stream: str) -> None:
        """Read a stream from its first entry to its last, each checked against the one before."""
        steps, digest = [], CommandsDigest()
        last = start(stream)
        command = ""
        for entry in verified(self._store.read(stream), last):
            digest.add(entry)
            last = Tip(entry.version, entry.hash)
            if entry.version % _STEP == 0:
                steps.append(last)
            logged = read_logged(entry.body) if stream.startswith(TABLE) else None
            if logged is None:
                _check_id(entry, None)
                continue
            _check_id(entry, logged.command if logged.command != command else None)
            command = logged.command
            self._tickets += _ticket(stream, logged)
            if entry.command is not None:
                self.ids.setdefault(stream.removeprefix(TABLE), {})[entry.command] = entry.version
        if last.version % _STEP:
            steps.append(last)
        self.steps[stream], self._commands[stream] = steps, digest.text()

    def rows(self, keys: Keys, at_ms: int, by: str) -> Iterator[Row]:
        """The migrating writer's certificate, its heads over all that is there, and the entry that says so."""
        writer = fresh_writer(keys.signing, at_ms)
        joining = joining_rows(writer, at_ms, start(CHECKPOINTS))
        yield from joining
        before = Tip(joining[-1][1], joining[-1][4])
        for moves in self._moves():
            row = head_row(writer, before, at_ms, moves)
            before = Tip(row[1], row[4])
            yield row
        said = Migration(at_ms, by, writer.name, self._old_heads(), self._commands)
        notes = [(TICKETS, _ENCODER.encode(note)) for note in _in_order(self._tickets)]
        ends: dict[str, Tip] = {}
        for stream, body in [(MIGRATIONS, _ENCODER.encode(said)), *notes]:
            version, hash_ = ends.get(stream) or start(stream)
            ends[stream] = Tip(version + 1, link(hash_, stream, version + 1, None, body))
            yield stream, version + 1, None, body, ends[stream].hash
        yield head_row(writer, before, at_ms, {stream: Move(start(stream), end) for stream, end in ends.items()})

    def _old_heads(self) -> int:
        return self.steps[OLD_HEADS][-1].version

    def _moves(self) -> Iterator[dict[str, Move]]:
        """Moves over all streams, step by step."""
        most = max(map(len, self.steps.values()))
        for place in range(most):
            moves: dict[str, Move] = {}
            for stream, steps in self.steps.items():
                if place < len(steps):
                    moves[stream] = Move(steps[place - 1] if place else start(stream), steps[place])
                if len(moves) == _MOST_STREAMS:
                    yield moves
                    moves = {}
            if moves:
                yield moves


def _check_id(entry: Entry, command: str | None) -> None:
    """Refuse an entry whose id in the store is not that of its command: the old hash does not cover the id."""
    if entry.command != command:
        kept, of = (f"id {id_!r}" if id_ is not None else "no id" for id_ in (entry.command, command))
        raise Corrupt(
            f"{named(entry.stream)}: entry {entry.version} is kept under {kept}, and was written under {of}: somebody "
            "has changed the store. Restore a copy from before that; nothing was changed"
        )


def _ticket(stream: str, logged: Logged) -> Iterator[TicketNote]:
    """The note of a ticket that an event has issued or redeemed."""
    step = step_of_event(logged.command, logged.event)
    if step is not None:
        table = stream.removeprefix(TABLE)
        yield TicketNote(logged.at_ms, logged.command, table, step.ticket, step.step, step.cents)


def _in_order(notes: Sequence[TicketNote]) -> list[TicketNote]:
    """Notes by their times, but no ticket redeemed before it was issued: clocks of tables may differ."""
    issued_ms = {note.ticket: note.at_ms for note in notes if note.step is TicketStep.ISSUED}
    return sorted(
        notes, key=lambda note: (max(note.at_ms, issued_ms.get(note.ticket, 0)), note.step is TicketStep.REDEEMED)
    )
