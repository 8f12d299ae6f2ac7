"""Checkpoints of a floor: taken at intervals by one process at a time, kept outside, and compared at the next start."""

from collections.abc import Sequence
from pathlib import Path
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import (
    BadNote,
    BadSignature,
    Corrupt,
    Fenced,
    NoCheckpoint,
    PuntoError,
    StaleVersion,
    StoreRewritten,
    UnreadableFile,
    WrongKey,
)
from punto.floor.history import History
from punto.proof.headlog import CHECKPOINTS, HeadLog, Sequenced, open_checkpoint, origin_of, read_sequenced
from punto.proof.merkle import Frontier
from punto.proof.notes import Checkpoint
from punto.proof.outposts import Outpost
from punto.proof.writers import HEADS
from punto.store.chain import start
from punto.store.contract import Snapshot, Tip

DECISIONS: Final = "decisions"
# Whoever claims this name takes checkpoints, and nobody else does.
SEQUENCER: Final = "sequencer"
_LOG: Final = "headlog"
_WHAT_TO_DO: Final = "restore the newest copy, or record a decision with 'punto accept' to go on without it"


class Decision(Struct, frozen=True):
    """Somebody decided to open a store that does not agree with what was kept outside.

    *checkpoints* is how many the store had then, *outside* what was found there.
    """

    at_ms: int
    by: str
    reason: str
    checkpoints: int
    outside: str


class _LogState(Struct):
    """The log of heads, for a snapshot; *version* is that of the last checkpoint in it."""

    version: int
    size: int
    peaks: list[bytes]
    took: dict[str, tuple[int, bytes]]


_ENCODER: Final = msgspec.json.Encoder()
_DECISION: Final = msgspec.json.Decoder(Decision)


class Sequencer:
    """Takes checkpoints of a floor's history, and keeps them in its outposts."""

    def __init__(self, history: History, outside: Sequence[Path | Outpost]) -> None:
        self._history = history
        self.outposts = [Outpost(each) if isinstance(each, Path) else each for each in outside]
        self._epoch: int | None = None
        self._log: HeadLog | None = None
        # The last checkpoint, while it is not kept in every outpost yet.
        self._unpublished = b""

    # At the start

    def compare(self) -> None:
        """Refuse a store that is older than what was kept outside, or tells another history."""
        if not self.outposts:
            return
        # What is outside is read first: another floor that is open on the store may move both on meanwhile.
        outside = self._newest()
        tails = [tail for outpost in self.outposts for tail in outpost.tails()]
        self._history.watch(())
        decided = self._decided()
        count = self._history.end(CHECKPOINTS).version
        if outside is None:
            # One may have been taken and not kept outside any more, if the floor was killed in between.
            if count > max(decided, 0) + 1:
                where = ", ".join(str(each.folder) for each in self.outposts)
                raise NoCheckpoint(
                    f"{where}: no checkpoint of this floor is there, and {count} were taken: expected the last one; "
                    "if it is lost, record a decision with 'punto accept'"
                )
        else:
            self._compare(outside)
        for stream, tip in tails:
            self._compare_tail(stream, tip)
        self._recall(outside)

    def _recall(self, outside: Checkpoint | None) -> None:
        """A checkpoint that was taken and never kept outside is kept there before another is taken."""
        last = self._history.last(CHECKPOINTS)
        if last is not None:
            note = read_sequenced(last.body).note
            if outside is None or Checkpoint.parse(open_text(note)).size > outside.size:
                self._unpublished = note.encode()

    def _newest(self) -> Checkpoint | None:
        """The largest checkpoint that is kept outside."""
        found: list[Checkpoint] = []
        keys = (self._history.keys.public, *self._history.coverage.former_keys)
        for outpost in self.outposts:
            raw = outpost.note()
            if raw is None:
                continue
            try:
                found.append(open_checkpoint(raw, keys))
            except (BadNote, BadSignature) as error:
                raise WrongKey(f"{outpost.folder}: no checkpoint of this floor: {error.message}") from None
        return max(found, key=lambda checkpoint: checkpoint.size, default=None)

    def _compare(self, outside: Checkpoint) -> None:
        """Hold the checkpoints of the store against the newest one outside."""
        stream = self._history.end(CHECKPOINTS)
        last = 0
        for version in range(stream.version, 0, -1):
            entry = next(self._history.coverage.read(CHECKPOINTS, version - 1, version))
            sequenced = read_sequenced(entry.body)
            inside = Checkpoint.parse(open_text(sequenced.note))
            last = last or inside.size
            self._check_taken(sequenced)
            if inside.size == outside.size:
                if inside.root != outside.root:
                    raise StoreRewritten(
                        f"the store tells another history than the checkpoint outside, of {outside.size} heads: "
                        f"{_WHAT_TO_DO}"
                    )
                return
            if inside.size < outside.size:
                break
        raise StoreRewritten(
            f"the store is older than the checkpoint outside: it was last signed at {last} heads, and the checkpoint "
            f"has {outside.size}: {_WHAT_TO_DO}"
        )

    def _check_taken(self, sequenced: Sequenced) -> None:
        """Refuse a store that lacks a head which one of its own checkpoints covers."""
        heads = self._history.coverage.believed_heads()
        for stream, number in sequenced.took.items():
            if stream not in heads or heads[stream].version < number:
                raise StoreRewritten(
                    f"the store lacks head {number} of {stream}, which its own checkpoint covers: {_WHAT_TO_DO}"
                )

    def _compare_tail(self, stream: str, tip: Tip) -> None:
        """Hold a writer's heads against the last one that was acknowledged."""
        found = self._history.coverage.head(stream, tip.version)
        if found is None:
            raise StoreRewritten(
                f"the store has lost acknowledged play: head {tip.version} of {stream} was written and is not there: "
                f"{_WHAT_TO_DO}"
            )
        if found != tip.hash:
            raise StoreRewritten(f"{stream}: head {tip.version} is not the one that was acknowledged: {_WHAT_TO_DO}")

    def _decided(self) -> int:
        """How many checkpoints the store had when somebody last decided to open it without one; -1 for never."""
        last = self._history.last(DECISIONS)
        return _DECISION.decode(last.body).checkpoints if last else -1

    def accept(self, at_ms: int, by: str, reason: str) -> None:
        """Record the decision to go on without what is kept outside, and set that aside."""
        try:
            outside = self._newest()
            said = f"a checkpoint of {outside.size} heads" if outside else "no checkpoint"
        except WrongKey as error:
            said = error.message
        body = _ENCODER.encode(Decision(at_ms, by, reason, self._history.end(CHECKPOINTS).version, said))
        self._write(DECISIONS, body, at_ms, {})
        for outpost in self.outposts:
            outpost.set_aside(at_ms)

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
        self._publish()
        try:
            if self._epoch is None:
                self._epoch = history.store.claim(SEQUENCER)
            log = self._log or self._restored()
            heads = history.coverage.believed_heads()
            taken = sum(tip.version for tip in log.took.values())
            # The last checkpoint was itself written under a head.
            if sum(tip.version for tip in heads.values()) <= taken + (1 if taken else 0):
                return False
            log.take(history.store, heads, (HEADS + history.writer_name, history.leaves))
            history.leaves = []
            note, body = log.sign(history.keys.signing, origin_of(history.keys.public), at_ms)
            self._write(CHECKPOINTS, body, at_ms, {SEQUENCER: self._epoch})
        except (Fenced, StaleVersion) as error:  # another process takes checkpoints now, or somebody has forged one
            self._log = None
            self._epoch = None
            if isinstance(error, StaleVersion):
                history.look_into(error)
                history.check([CHECKPOINTS])
            return False
        except BaseException:  # the log has taken heads for a checkpoint that may not be there: it is read anew
            self._log = None
            raise
        self._log = log
        self._keep(log)
        self._unpublished = note.encode()
        self._publish()
        return True

    def _publish(self) -> None:
        """Keep the last checkpoint in every outpost; what fails is tried again the next time."""
        faults: list[PuntoError] = []
        for outpost in self.outposts if self._unpublished else ():
            try:
                if self._is_newer(outpost):  # another process has taken checkpoints since
                    continue
                outpost.publish(self._unpublished)
                outpost.forget_tails(self._log.took if self._log else {})
            except PuntoError as error:
                faults.append(error)
        if faults:
            raise faults[0]
        self._unpublished = b""

    def _is_newer(self, outpost: Outpost) -> bool:
        """Whether an outpost keeps a larger checkpoint of this floor than the one that is to be kept there."""
        try:
            raw = outpost.note()
            kept = open_checkpoint(raw, (self._history.keys.public,)) if raw else None
        except (BadNote, BadSignature, UnreadableFile):
            return False
        return kept is not None and kept.size > Checkpoint.parse(open_text(self._unpublished.decode())).size

    def _write(self, stream: str, body: bytes, at_ms: int, fences: dict[str, int]) -> None:
        group = self._history.group()
        group.at_ms = at_ms
        self._history.append(group, group.chain([(stream, None, body)]), fences)

    def _restored(self) -> HeadLog:
        """The log as the last checkpoint left it: from a snapshot, or from all heads."""
        history = self._history
        log, version = self._kept()
        for entry in history.read(CHECKPOINTS, version):
            log.take_up_to(history.store, read_sequenced(entry.body).took)
        return log

    def _kept(self) -> tuple[HeadLog, int]:
        kept = self._history.store.snapshot(_LOG)
        body = self._history.keys.unstamped(kept.body, _LOG.encode()) if kept else None
        if body is None:
            return HeadLog(), 0
        try:
            state = msgspec.msgpack.decode(body, type=_LogState)
        except (msgspec.DecodeError, UnicodeDecodeError):
            return HeadLog(), 0
        took = {stream: Tip(*tip) for stream, tip in state.took.items()}
        return HeadLog(Frontier(state.size, tuple(state.peaks)), took), state.version

    def _keep(self, log: HeadLog) -> None:
        version = self._history.end(CHECKPOINTS).version
        took: dict[str, tuple[int, bytes]] = {**log.took}
        state = _LogState(version, log.frontier.size, [*log.frontier.peaks], took)
        body = self._history.keys.stamped(msgspec.msgpack.encode(state), _LOG.encode())
        self._history.store.keep(_LOG, Snapshot(version, start(_LOG).hash, body))


def open_text(note: str) -> str:
    """The text of a signed note, without its signatures; `Corrupt` where it is none."""
    text, blank, _ = note.rpartition("\n\n")
    if not blank:
        raise Corrupt("a checkpoint that is no signed note")
    return text + "\n"
