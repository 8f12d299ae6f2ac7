"""Checkpoints of a floor: taken at intervals by one process at a time, on record, and kept in folders outside.

What goes to addresses and witnesses is the same note; whoever carries it there does so on a thread of its own.
"""

from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import (
    BadNote,
    BadSignature,
    Conflict,
    Corrupt,
    Fenced,
    PuntoError,
    StaleVersion,
    StreamStopped,
    UnreadableFile,
)
from punto.floor.comparing import Comparison, open_text
from punto.floor.history import History
from punto.floor.ownership import KEY_FENCE, SEQUENCER
from punto.floor.staleness import forget_given_up
from punto.proof.addresses import Address
from punto.proof.headlog import (
    CHECKPOINTS,
    COSIGNATURES,
    HeadLog,
    cosigned_entry,
    open_checkpoint,
    origin_of,
    read_sequenced,
)
from punto.proof.merkle import Frontier
from punto.proof.notes import Checkpoint, Note, Signature
from punto.proof.outposts import Outpost
from punto.proof.pins import DECISIONS
from punto.proof.tiles import TileKeeper
from punto.proof.witness import Witness
from punto.proof.writers import HEADS
from punto.store.chain import start
from punto.store.contract import Snapshot, Tip

__all__ = ["DECISIONS", "SEQUENCER", "Sequencer", "open_text"]

_LOG: Final = "headlog"
# How often a checkpoint is tried while others join.
_TRIES: Final = 3


class _LogState(Struct):
    """The log of heads, for a snapshot; *version* is that of the last checkpoint in it."""

    version: int
    size: int
    peaks: list[bytes]
    took: dict[str, tuple[int, bytes]]


class Sequencer:
    """Takes checkpoints of a floor's history, and keeps them in its outposts. All of it runs on the writer's thread."""

    def __init__(
        self,
        history: History,
        outside: Sequence[Path | Outpost],
        addresses: Sequence[Address] = (),
        witnesses: Sequence[Witness] = (),
    ) -> None:
        self._history = history
        self.outposts = [Outpost(each) if isinstance(each, Path) else each for each in outside]
        self.addresses = tuple(addresses)
        self.comparison = Comparison(history, self.outposts, self.addresses, witnesses)
        self._epoch: int | None = None
        self._log: HeadLog | None = None
        self._tiles = TileKeeper(history.store)
        # How many heads this process has signed since the last checkpoint for the sake of checkpoints alone.
        self._own_heads = 0
        # The last checkpoint, and whether it is kept in every outpost.
        self.note: Note | None = None
        self._published = True

    # At the start

    def compare(self) -> None:
        """Refuse a store that is older than what was kept outside, or tells another history."""
        self.comparison.compare()
        self._recall(self.comparison.newest)

    def _recall(self, outside: Checkpoint | None) -> None:
        """A checkpoint that was taken and never kept outside is kept there before another is taken."""
        last = self._history.last(CHECKPOINTS)
        if last is not None:
            note = Note.parse(read_sequenced(last.body).note.encode())
            if outside is None or Checkpoint.parse(note.text).size > outside.size:
                self.note, self._published = note, False

    def accept(self, at_ms: int, by: str, reason: str) -> None:
        """Record the decision to go on without what is kept outside, and set that aside.

        The same goes for snapshots of what was given up. `StreamStopped` where the store's own checkpoints are damaged,
        and `Conflict` where nothing is wrong; then nothing is written, and what is outside stays.
        """
        self.comparison.gather()
        self.comparison.check_decidable()
        self._check_needed()
        self._write(DECISIONS, self.comparison.decision(at_ms, by, reason), at_ms, self._history.ownership.house())
        for outpost in self.outposts:
            outpost.set_aside(at_ms)
        forget_given_up(self._history)
        self._history.keep()

    def _check_needed(self) -> None:
        """Refuse a decision where nothing is wrong: it would only set aside what a later loss is noticed by."""
        if self._history.lack:
            return
        try:
            self.comparison.compare()
        except Corrupt:
            return
        raise Conflict("the store agrees with what is kept outside: there is nothing to decide, and nothing was done")

    # While the floor is open

    def begin(self) -> None:
        """Keep the tail of this process's heads in every outpost from now on."""
        for outpost in self.outposts:
            outpost.check()
        self._history.keep_tails(self.outposts)

    def checkpoint(self, at_ms: int) -> bool:
        """Take a checkpoint and keep it outside, if anything has happened since the last; whether one was taken."""
        history = self._history
        if history.unsure is not None:  # what is next in the history is not known yet
            return False
        self._notice_lost_folders()
        self._publish()
        for _ in range(_TRIES):
            last = history.end(CHECKPOINTS)
            try:
                taken = self._take(at_ms)
            except (Fenced, StaleVersion) as error:  # another process was there first, or somebody has forged one
                self._epoch = None
                self._make_way(error)
                if history.end(CHECKPOINTS) != last:  # it takes checkpoints now
                    return False
            else:
                self._publish()
                return taken
        return False

    def _notice_lost_folders(self) -> None:
        """A folder that is gone gets the last checkpoint again, whether anything has happened since or not."""
        if any(outpost.is_lost for outpost in self.outposts):
            self._published = False
            self._recall(Checkpoint.parse(self.note.text) if self.note else None)

    def _take(self, at_ms: int) -> bool:
        """Take a checkpoint, if anything has happened since the last; nobody else takes one or joins meanwhile."""
        history = self._history
        house = history.ownership.house()
        if self._epoch is None:
            self._epoch, self._log = history.store.claim(SEQUENCER), None
            history.watch(())  # whoever has joined before is in the checkpoint
        log = self._up_to_last()
        # A checkpoint is itself written under a head, and so are cosignatures.
        if history.coverage.heads <= sum(tip.version for tip in log.took.values()) + self._own_heads:
            return False
        joined = history.join(at_ms)
        if joined is not None:  # until then another process could take checkpoints
            self._epoch, self._log = joined, None
            log = self._up_to_last()
        self._log = None  # unless all goes well, the next one begins from the record again
        log.take(history.store, history.coverage.believed_heads(), (HEADS + history.writer_name, history.leaves))
        history.leaves = []
        note, body = log.sign(history.keys.signing, origin_of(history.coverage.trust.first), at_ms)
        self._write(CHECKPOINTS, body, at_ms, {SEQUENCER: self._epoch, **house})
        self._log, self._own_heads = log, 1
        self._keep(log)
        self.note, self._published = note, False
        return True

    def _up_to_last(self) -> HeadLog:
        """The log up to the last checkpoint. That one is kept outside before another is taken, whoever took it.

        Its answer may have been lost, or its process has died: of two checkpoints that are not outside, a floor that
        opens could not tell whether somebody has removed them there.
        """
        if self._log is None:
            self._recall(Checkpoint.parse(self.note.text) if self.note else self.comparison.newest)
            self._publish()
            self._log = self._restored()
        return self._log

    def _make_way(self, error: Fenced | StaleVersion) -> None:
        """Find out why no checkpoint could be taken; raises where it is no other process's doing."""
        if isinstance(error, StaleVersion):
            self._history.look_into(error)
        elif error.name == SEQUENCER:
            self._history.watch(())
        else:
            self._history.ownership.notice(error)
        self._history.check([CHECKPOINTS])

    def cosign(self, text: str, signatures: Sequence[Signature], at_ms: int) -> None:
        """Put a witness's cosignatures of a checkpoint on record, and beside the note where that is still the last."""
        history = self._history
        if history.unsure is not None:  # what is next in the history is not known yet
            return
        before = history.coverage.heads
        try:
            self._write(COSIGNATURES, cosigned_entry(at_ms, text, signatures), at_ms, {})
        except StaleVersion as error:  # another process has noted some meanwhile; the witness is asked again
            history.look_into(error)
            raise
        self._own_heads += history.coverage.heads - before
        if self.note is not None and self.note.text == text:
            self.note, self._published = self.note.add(signatures), False
            self._publish()

    def _publish(self) -> None:
        """Keep the last checkpoint in every outpost; what fails is tried again the next time."""
        if self._published or self.note is None:
            return
        if self._history.store.epoch(KEY_FENCE) != self._history.ownership.key_epoch:
            return  # the floor has another key by now, and this process cannot tell what was signed with it
        faults: list[PuntoError] = []
        raw = self.note.encode()
        for outpost in self.outposts:
            try:
                if self._is_newer(outpost):  # another process has taken checkpoints since
                    continue
                outpost.publish(raw)
                outpost.forget_tails(self._log.took if self._log else {})
            except PuntoError as error:
                faults.append(error)
        if faults:
            raise faults[0]
        self._published = True

    def _is_newer(self, outpost: Outpost) -> bool:
        """Whether an outpost keeps a larger checkpoint of this floor than the one that is to be kept there."""
        try:
            raw = outpost.note()
            trust = self._history.coverage.trust
            kept = open_checkpoint(raw, (trust.key, *trust.former), trust.sizes) if raw else None
        except (BadNote, BadSignature, UnreadableFile):
            return False
        return kept is not None and self.note is not None and kept.size > Checkpoint.parse(self.note.text).size

    def _write(self, stream: str, body: bytes, at_ms: int, fences: dict[str, int]) -> None:
        group = self._history.group()
        group.at_ms = at_ms
        self._history.append(group, group.chain([(stream, None, body)]), fences)

    # The log

    def _restored(self) -> HeadLog:
        """The log as the last checkpoint left it: from a snapshot, or from all heads."""
        history = self._history
        log, version = self._kept()
        for entry in history.read(CHECKPOINTS, version):
            log.take_up_to(history.store, read_sequenced(entry.body).took)
            self._tiles.keep()
        self._own_heads = 1 if log.took else 0
        return log

    def _kept(self) -> tuple[HeadLog, int]:
        """The log as its snapshot has it; an empty one where there is none, or where its tiles are not there."""
        kept = self._history.store.snapshot(_LOG)
        body = self._history.keys.unstamped(kept.body, _LOG.encode()) if kept else None
        state = _LogState(0, 0, [], {})
        with suppress(msgspec.DecodeError, UnicodeDecodeError):
            state = msgspec.msgpack.decode(body or b"", type=_LogState)
        frontier = Frontier(state.size, tuple(state.peaks))
        if state.version and not self._is_taken(state.version, frontier):  # its history was given up by a decision
            state, frontier = _LogState(0, 0, [], {}), Frontier()
        tiles = TileKeeper.restored(self._history.store, frontier)
        if tiles is None:  # they are worked out again, with the log
            state, frontier, tiles = _LogState(0, 0, [], {}), Frontier(), TileKeeper(self._history.store)
        self._tiles = tiles
        took = {stream: Tip(*tip) for stream, tip in state.took.items()}
        return HeadLog(frontier, took, tiles.add), state.version

    def _is_taken(self, version: int, frontier: Frontier) -> bool:
        """Whether the log of a snapshot is that of a checkpoint on record; a damaged one is told elsewhere."""
        try:
            entry = next(self._history.coverage.read(CHECKPOINTS, version - 1, version), None)
        except StreamStopped:
            return True
        return entry is not None and Checkpoint.parse(open_text(read_sequenced(entry.body).note)) == Checkpoint(
            origin_of(self._history.coverage.trust.first), frontier.size, frontier.root()
        )

    def _keep(self, log: HeadLog) -> None:
        version = self._history.end(CHECKPOINTS).version
        took: dict[str, tuple[int, bytes]] = {**log.took}
        state = _LogState(version, log.frontier.size, [*log.frontier.peaks], took)
        body = self._history.keys.stamped(msgspec.msgpack.encode(state), _LOG.encode())
        with suppress(PuntoError):  # the checkpoint is durable, with snapshots or without
            self._tiles.keep()
            self._history.store.keep(_LOG, Snapshot(version, start(_LOG).hash, body))
