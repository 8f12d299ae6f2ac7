"""What is kept outside, held against the store when a floor opens: a copy that was rolled back or rewritten is noticed.

Folders and addresses are asked for the newest checkpoint, and witnesses for the size of the log that they saw last.
Whoever does not answer has none. Where the store does not agree with what is found, or where nothing is found although
checkpoints were taken, the floor does not open before somebody has put a decision on record.
"""

import re
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Final, NamedTuple

import msgspec
from msgspec import Struct

from punto.errors import (
    BadNote,
    BadSignature,
    BrokenChain,
    Corrupt,
    NoCheckpoint,
    NoTail,
    NotWitnessed,
    OutsideGone,
    PuntoError,
    StoreRewritten,
    StreamStopped,
    WitnessGone,
    WrongKey,
    named,
    quoted,
)
from punto.floor.history import History
from punto.floor.patrol import heads_up_to
from punto.proof.addresses import Address
from punto.proof.coverage import damaged_head
from punto.proof.headlog import CHECKPOINTS, Sequenced, open_checkpoint, origin_of, read_sequenced
from punto.proof.notes import Checkpoint, Note
from punto.proof.outposts import Doubt, Outpost
from punto.proof.pins import DECISIONS
from punto.proof.witness import Witness, WitnessSize, add_checkpoint
from punto.store.contract import Tip

# How long a floor that opens waits for an address.
PATIENCE_S: Final = 5.0
# What a witness answers that does not know the log; and that saw another checkpoint of this size.
_UNKNOWN: Final = 404
_ANOTHER: Final = frozenset({409, 422})
_WHAT_TO_DO: Final = "restore the newest copy, or record a decision with 'punto accept' to go on without it"


class Aside(NamedTuple):
    """The entries of a stream that were set aside: from the first to the last."""

    first: int
    last: int


class Decision(Struct, frozen=True, omit_defaults=True):
    """Somebody decided to open a store that does not agree with what was kept outside, or to set entries aside.

    *checkpoints* is how many the store had when it was last opened without one, *outside* what was found there then.
    *ignored* names what addresses keep and witnesses saw, where nobody can put it aside: it counts no more. *aside*
    is what a repair has moved from the store into a file, and *file* the SHA-256 of that file.
    """

    at_ms: int
    by: str
    reason: str
    checkpoints: int
    outside: str
    ignored: tuple[str, ...] = ()
    aside: dict[str, Aside] = {}
    file: str = ""
    # Where the heads of every other writer ended: nothing beyond is believed any more.
    writers: dict[str, Tip] = {}
    writer: str = ""
    # How many rows of each stream were set aside: there may be gaps between the first and the last.
    rows: dict[str, int] = {}


_ENCODER: Final = msgspec.json.Encoder()
_DECISION: Final = msgspec.json.Decoder(Decision)


class _Kept(NamedTuple):
    """A checkpoint that is kept outside, and where."""

    where: str
    note: bytes


class _Seen(NamedTuple):
    """How many heads a log had when a witness saw it last, and whether that was another history than the store's."""

    where: str
    size: int
    another: bool = False

    @property
    def name(self) -> str:
        """What stands for it in a decision."""
        return f"witness {self.where} {self.size}"


class _Outside(NamedTuple):
    """The checkpoints that were found outside, and what was found that is none of this floor's."""

    checkpoints: list[Checkpoint]
    # By place, why what is there does not read; another floor's is refused in any case.
    garbled: dict[str, str]
    others: list[WrongKey]


class Comparison:
    """Compares a store with what is kept outside."""

    def __init__(
        self,
        history: History,
        outposts: Sequence[Outpost],
        addresses: Sequence[Address],
        witnesses: Sequence[Witness] = (),
    ) -> None:
        self._history = history
        self._outposts = outposts
        self._addresses = addresses
        self._witnesses = witnesses
        self._gathered: list[_Kept] = []
        self._seen: list[_Seen] = []
        # Why an address gave no checkpoint, or a witness no size.
        self.unanswered: list[str] = []
        # Damaged checkpoints and tails, by path, of which something else says what they should say.
        self.doubted: dict[str, str] = {}
        # The newest checkpoint that was found.
        self.newest: Checkpoint | None = None

    def gather(self) -> None:
        """Ask all addresses and witnesses at once. That waits for the network: not on a thread that writes."""
        self._gathered, self._seen, self.unanswered = [], [], []
        note = self._last_note()
        asked: list[Callable[[], _Kept | _Seen | PuntoError | None]]
        asked = [partial(_asked, each) for each in self._addresses]
        if note is not None:
            asked += [partial(_seen_by, each, note) for each in self._witnesses]
        if not asked:
            return
        with ThreadPoolExecutor(len(asked)) as threads:
            for answer in threads.map(lambda ask: ask(), asked):
                match answer:
                    case _Kept():
                        self._gathered.append(answer)
                    case _Seen():
                        self._seen.append(answer)
                    case PuntoError():
                        self.unanswered.append(answer.message)

    def _last_note(self) -> Note | None:
        """The last checkpoint of the store, which witnesses are asked about."""
        if not self._witnesses:
            return None
        with suppress(Corrupt):  # that is told when the store is compared
            self._history.watch(())
            last = self._history.last(CHECKPOINTS)
            return Note.parse(read_sequenced(last.body).note.encode()) if last else None
        return None

    def compare(self) -> None:
        """Refuse a store that is older than what was kept outside, or tells another history."""
        if not (self._outposts or self._addresses or self._witnesses):
            self._history.watch(())
            self._history.coverage.check_heads()
            self._miss(unkept=0)
            return
        # What is outside is read first: another floor that is open on the store may move both on meanwhile.
        found = self._found()
        outside = self.newest = max(found.checkpoints, key=lambda checkpoint: checkpoint.size, default=None)
        tails = [tail for outpost in self._outposts for tail in outpost.tails()]
        doubts = [[*outpost.doubts()] for outpost in self._outposts]
        self._history.watch(())
        self._history.coverage.check_heads()
        if outside is not None:
            self._hold_against(outside)
        self._hold_against_witnesses()
        if found.others:
            raise found.others[0]
        for stream, tip in tails:
            self._compare_tail(stream, tip)
        if outside is None and found.garbled:
            raise _not_of_this_floor(*next(iter(found.garbled.items())))
        if outside is None and not self._seen:
            # If the floor was killed in between, one was taken and not kept yet; then the tail, at least, is there.
            self._miss(unkept=1 if tails or not self._outposts else 0)
        self._settle(doubts)
        self.doubted |= {where: f"{said}; another place has a good one" for where, said in found.garbled.items()}

    def _miss(self, unkept: int) -> None:
        """No checkpoint is outside: that is as it should be only before the first one, or after a decision.

        *unkept* is how many may have been taken that were not kept outside any more.
        """
        count = self._history.end(CHECKPOINTS).version
        if count <= max(self.decided(), 0) + unkept:
            return
        places = [*(str(each.folder) for each in self._outposts), *(each.url for each in self._addresses)]
        places += [f"witness {each.key.name}" for each in self._witnesses]
        if not places:
            raise NoCheckpoint(
                f"the floor's file names no place for checkpoints, and {count} were taken: name the place again; if it "
                "is lost, record a decision with 'punto accept'"
            )
        why = f" ({'; '.join(self.unanswered)})" if self.unanswered else ""
        raise NoCheckpoint(
            f"{', '.join(places)}: no checkpoint of this floor is there{why}, and {count} were taken: expected the "
            "last one; if it is lost, record a decision with 'punto accept'"
        )

    def _found(self) -> _Outside:
        """What is kept outside, except for what a decision has set aside."""
        trust = self._history.coverage.trust
        ours = origin_of(trust.first)
        aside = self._ignored()
        found = _Outside([], {}, [])
        notes = [_Kept(str(each.folder), note) for each in self._outposts if (note := each.note()) is not None]
        for where, note in (*notes, *self._gathered):
            try:
                checkpoint = open_checkpoint(note, (trust.key, *trust.former), trust.sizes)
            except (BadNote, BadSignature) as error:
                if _origin_in(note) in {ours, ""}:
                    found.garbled[where] = error.message
                else:
                    found.others.append(_not_of_this_floor(where, error.message))
                continue
            if checkpoint.origin != ours:
                said = f"{where}: a checkpoint of another log: {quoted(checkpoint.origin, 60)}"
                found.others.append(WrongKey(said))
            elif _name(checkpoint) not in aside:
                found.checkpoints.append(checkpoint)
        return found

    def _ignored(self) -> set[str]:
        """What lies at addresses, or was seen by witnesses, and counts no more."""
        return {each for decision in self._decisions() for each in decision.ignored}

    def _hold_against(self, outside: Checkpoint) -> None:
        """Hold the checkpoints of the store against the newest one outside."""
        stream = self._history.end(CHECKPOINTS)
        last = 0
        for version in range(stream.version, 0, -1):
            try:
                entry = next(self._history.coverage.read(CHECKPOINTS, version - 1, version))
            except StreamStopped as error:
                raise _beyond_decision(error) from None
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
        if last > outside.size:
            said = f"tells another history than the checkpoint outside, of {outside.size} heads"
        else:
            said = f"is older than the checkpoint outside, of {outside.size} heads: its own last one is of {last} heads"
        raise StoreRewritten(f"the store {said}: {_WHAT_TO_DO}")

    def _hold_against_witnesses(self) -> None:
        """Hold the last checkpoint of the store against what witnesses saw."""
        last = self._history.last(CHECKPOINTS) if self._seen else None
        size = Checkpoint.parse(open_text(read_sequenced(last.body).note)).size if last else 0
        aside = self._ignored()
        for seen in self._seen:
            if seen.name in aside or (seen.size <= size and not seen.another):
                continue
            if seen.another:
                said = f"tells another history than the log of {seen.size} heads that witness {seen.where} saw"
            else:
                said = f"is older than the log of {seen.size} heads that witness {seen.where} saw: it has {size}"
            raise StoreRewritten(f"the store {said}: {_WHAT_TO_DO}")

    def _check_taken(self, sequenced: Sequenced) -> None:
        """Refuse a store that lacks a head which one of its own checkpoints covers."""
        heads = self._history.coverage.believed_heads()
        for stream, number in sequenced.took.items():
            if stream not in heads or heads[stream].version < number:
                raise StoreRewritten(
                    f"the store lacks head {number} of {named(stream)}, which its own checkpoint covers: {_WHAT_TO_DO}"
                )

    def _compare_tail(self, stream: str, tip: Tip) -> None:
        """Hold a writer's heads against the last one that was acknowledged."""
        found = self._history.coverage.head(stream, tip.version)
        if found is None:
            raise StoreRewritten(
                f"the store has lost acknowledged play: head {tip.version} of {named(stream)} was written and is not "
                f"there: {_WHAT_TO_DO}"
            )
        if found != tip.hash:
            raise StoreRewritten(
                f"{named(stream)}: head {tip.version} is not the one that was acknowledged: {_WHAT_TO_DO}"
            )

    def _settle(self, doubts: Sequence[Sequence[Doubt]]) -> None:
        """Refuse a store where a tail is gone or cannot be read, unless something else says what it said.

        That is the store itself, if it has every head that a damaged tail can have named, or another folder.
        """
        self.doubted = {}
        for own, outpost in zip(doubts, self._outposts, strict=True):
            others = [(each, found) for each, found in zip(self._outposts, doubts, strict=True) if each is not outpost]
            for doubt in own:
                if self._is_there(doubt):
                    # A power failure leaves one place torn, which is no damage.
                    said = doubt.said if doubt.further > 1 else ""
                elif any(_vouches(other, found, doubt) for other, found in others):
                    said = f"{doubt.said}; another folder says what it should say"
                else:
                    raise self._refusal(doubt)
                if said:
                    self.doubted[doubt.where] = said

    def _is_there(self, doubt: Doubt) -> bool:
        """Whether the store has every head that a tail can have named."""
        found = self._history.coverage.believed_heads().get(doubt.stream)
        return bool(doubt.last) and found is not None and found.version >= doubt.last + doubt.further

    def _refusal(self, doubt: Doubt) -> NoTail:
        """What is said where nobody knows whether acknowledged play is lost."""
        if not doubt.stream:
            lost = "tails may be gone with it"
        else:
            heads = self._history.coverage.believed_heads().get(doubt.stream)
            has = f"the store has {heads.version} heads" if heads else "the store has nothing"
            lost = f"{has} of {named(doubt.stream)}"
        where = named(doubt.where, 200)
        return NoTail(
            f"{where}: {doubt.said}, so nothing outside shows how far play was acknowledged ({lost}): if the store "
            "lacks any play, restore the newest copy first; in either case record a decision with 'punto accept'"
        )

    # Decisions

    def check_decidable(self) -> None:
        """Refuse to decide anything about a store whose checkpoints are damaged, or a head with later ones after it.

        Checkpoints say which processes have written this store. A floor that went on without one might not believe its
        own play after the next start, and the good checkpoint outside would be put aside for it. A decision that is
        taken where a head is damaged gives up all play after it, which one entry from any copy brings back.
        """
        coverage, store = self._history.coverage, self._history.store
        try:
            coverage.check_heads()
            for stream, end in coverage.believed_heads().items():
                try:
                    for _ in heads_up_to(store, stream, end):
                        pass
                except BrokenChain as error:
                    raise damaged_head(stream, error.at) from None
        except StreamStopped as error:
            raise StreamStopped(
                f"{error.message}; a decision cannot make up for that, and nothing was done", error.at
            ) from None
        try:
            for _ in self._history.read(CHECKPOINTS):
                pass
        except StreamStopped as error:
            raise _beyond_decision(error) from None

    def decided(self) -> int:
        """How many checkpoints the store had when somebody last decided to open it without one; -1 for never."""
        decisions = self._decisions()
        return decisions[-1].checkpoints if decisions else -1

    def _decisions(self) -> list[Decision]:
        """Every decision to open the store without what was kept outside."""
        return [_DECISION.decode(entry.body) for entry in self._history.read(DECISIONS)]

    def decision(self, at_ms: int, by: str, reason: str) -> bytes:
        """The decision to go on without what is kept outside, as it is recorded."""
        found = self._found()
        newest = max((each.size for each in found.checkpoints), default=0)
        said = [f"a checkpoint of {newest} heads" if newest else "no checkpoint"]
        said += [self._history.lack] if self._history.lack else []
        said += [f"witness {each.where} saw {each.size} heads" for each in self._seen]
        said += [f"{where}: {why}" for where, why in found.garbled.items()]
        said += [each.message for each in found.others]
        aside = [each.name for each in self._seen]
        trust = self._history.coverage.trust
        for _, note in self._gathered:
            with suppress(BadNote, BadSignature):
                aside.append(_name(open_checkpoint(note, (trust.key, *trust.former), trust.sizes)))
        count = self._history.end(CHECKPOINTS).version
        own = self._history.make_writer(at_ms).stream
        heads = self._history.coverage.believed_heads()
        writers = {stream: tip for stream, tip in heads.items() if stream != own}
        outside = "; ".join(said)
        return _ENCODER.encode(Decision(at_ms, by, reason, count, outside, tuple(aside), writers=writers, writer=own))


def _beyond_decision(error: StreamStopped) -> StreamStopped:
    """What is said of a damaged checkpoint, for which no decision makes up."""
    return StreamStopped(
        f"{error.message}: a decision cannot make up for that: put the entry back from any copy that has it, or "
        "restore the newest copy (docs/repair.md); nothing was done",
        error.at,
    )


def _vouches(outpost: Outpost, found: Sequence[Doubt], doubt: Doubt) -> bool:
    """Whether another folder says what a tail should say: it has that tail, and nothing is wrong with it.

    For a list of tails it must be whole itself.
    """
    if not doubt.stream:
        return not found and outpost.lists_tails()
    return doubt.stream in dict(outpost.tails()) and doubt.stream not in {each.stream for each in found}


def _asked(address: Address) -> _Kept | OutsideGone | None:
    """What an address keeps; what is no note at all, such as a page of a proxy's, is no answer."""
    try:
        note = address.note(PATIENCE_S)
        if note is None:
            return None
        open_text(note.decode())
    except OutsideGone as error:
        return error
    except (Corrupt, UnicodeDecodeError):
        return OutsideGone(f"{address.url} answers with something else than a checkpoint")
    return _Kept(address.url, note)


def _seen_by(witness: Witness, note: Note) -> _Seen | WitnessGone | NotWitnessed | None:
    """What a witness saw last of the log, asked with the last checkpoint of the store as if it had seen that."""
    size = Checkpoint.parse(note.text).size
    try:
        answer = add_checkpoint(witness, size, (), note, PATIENCE_S)
    except NotWitnessed as error:
        if error.status in _ANOTHER:
            return _Seen(witness.key.name, size, another=True)
        return None if error.status == _UNKNOWN else error
    except WitnessGone as error:
        return error
    return _Seen(witness.key.name, answer.size if isinstance(answer, WitnessSize) else size)


def _not_of_this_floor(where: str, said: str) -> WrongKey:
    """What is said of a place that holds no checkpoint of this floor."""
    return WrongKey(
        f"{where}: holds no checkpoint of this floor ({said}): name the right place; if what is there is damaged, "
        "record a decision with 'punto accept'"
    )


def _origin_in(note: bytes) -> str:
    """The log that a note names, if it begins as a checkpoint does."""
    first = note.partition(b"\n")[0].decode("ascii", "replace")
    return first if re.fullmatch(r"punto/[0-9a-f]{16}", first) else ""


def _name(checkpoint: Checkpoint) -> str:
    return f"{checkpoint.size} {checkpoint.root.hex()}"


def open_text(note: str) -> str:
    """The text of a signed note, without its signatures; `Corrupt` where it is none."""
    text, blank, _ = note.rpartition("\n\n")
    if not blank:
        raise Corrupt("a checkpoint that is no signed note")
    return text + "\n"
