"""Receipts as the floor makes them: an entry of the record, the head that covers it, the seal, and a signature.

What is asked for soon is known here: the last heads of this process with their commands, and under which seal each
table has played since it was hosted. What is older is looked for in the store (`search`), away from the floor. Whatever
was found, a receipt is checked as any stranger would check it before it is handed out.
"""

from collections import deque
from collections.abc import Callable, Sequence
from dataclasses import replace
from threading import Lock
from typing import Final, NamedTuple

import msgspec

from punto.errors import BadReceipt, Corrupt, named
from punto.floor.history import History
from punto.floor.proving import HeadPosition, Proofs
from punto.proof.compact import packed
from punto.proof.heads import read_head
from punto.proof.merkle import Leaves, inclusion_proof, leaf_hash
from punto.proof.receipts import TABLE, Certified, Claim, Inclusion, Receipt, Seal
from punto.proof.writers import HEADS
from punto.store.chain import genesis
from punto.store.contract import Entry, Hash, Store
from punto.table import AnyEvent, Table
from punto.table import events as on

_MOST_HEADS: Final = 20_000
_MOST_COMMANDS: Final = 100_000
_MOST_ROUNDS: Final = 500
_SEAL_LENGTH: Final = 32


class HeadPlace(NamedTuple):
    """A head by its writer's stream and its number, and the hashes with which its commands begin, in order."""

    stream: str
    number: int
    commands: tuple[Hash, ...]


class Sealed(NamedTuple):
    """The round that was last begun, and the shoe with its seal; none where the shoe has none."""

    round: int
    seal: Seal | None


class Found(NamedTuple):
    """All of a receipt that must be looked for."""

    place: HeadPlace
    sealed: Sealed


class RecentHeads:
    """The last heads of this process, by the commands that they cover. One thread adds to it; any thread may ask."""

    def __init__(self) -> None:
        self._heads: deque[HeadPlace] = deque()
        self._places: dict[Hash, HeadPlace] = {}

    def hear(self, stream: str, number: int, commands: Sequence[Hash]) -> None:
        """A head was signed, and is durable."""
        if not commands:
            return
        place = HeadPlace(stream, number, tuple(sorted(commands)))
        self._heads.append(place)
        for each in commands:
            self._places[each] = place
        while len(self._heads) > _MOST_HEADS or len(self._places) > _MOST_COMMANDS:
            for each in self._heads.popleft().commands:
                self._places.pop(each, None)

    def find(self, entry: Hash) -> HeadPlace | None:
        """The head that covers a command, if it is one of the last."""
        return self._places.get(entry)


class Seals:
    """Under which seal a table has played since it was hosted. The event loop adds to it; any thread may ask."""

    def __init__(self) -> None:
        # From which entry of the table's log on, the newest last.
        self._since: deque[tuple[int, Sealed]] = deque(maxlen=_MOST_ROUNDS)

    def begin(self, table: Table, version: int) -> None:
        """The table is hosted as it stands."""
        self._since.clear()
        self._since.append((version + 1, Sealed(table.round, seal_of(table.shoe.number, table.shoe.commitment))))

    def hear(self, version: int, events: Sequence[AnyEvent]) -> None:
        """Events were written, the last of them as that version."""
        for at, event in enumerate(events, version - len(events) + 1):
            if isinstance(event, on.ShoeLoaded | on.BetsOpened) and self._since:
                self._since.append((at, _after(self._since[-1][1], event)))

    def at(self, version: int) -> Sealed | None:
        """What was in force at an entry of the table's log; none where it is older than what is known."""
        for since, sealed in reversed(tuple(self._since)):
            if since <= version:
                return sealed
        return None


def seal_of(shoe: int, commitment: str) -> Seal | None:
    """The seal of a shoe; none where the floor has committed to nothing."""
    try:
        raw = bytes.fromhex(commitment)
    except ValueError:
        return None
    return Seal(shoe, raw) if len(raw) == _SEAL_LENGTH else None


def _after(sealed: Sealed, event: AnyEvent) -> Sealed:
    if isinstance(event, on.ShoeLoaded):
        return Sealed(sealed.round, seal_of(event.shoe, event.commitment))
    return Sealed(event.round, sealed.seal) if isinstance(event, on.BetsOpened) else sealed


class Receipts:
    """Makes receipts for the entries of one floor."""

    def __init__(self, history: History) -> None:
        self._history = history
        self._store: Store = history.store
        self._recent = RecentHeads()
        history.heard = self._recent.hear
        self._certificates: dict[str, Certified] = {}
        self._proofs: Proofs | None = None
        self._lock = Lock()

    @property
    def proofs(self) -> Proofs:
        """Proofs over the log of heads; anew when the floor's key was rotated."""
        keys = (self._history.keys.public, *self._history.coverage.trust.former)
        with self._lock:
            if self._proofs is None or self._proofs.keys != keys:
                self._proofs = Proofs(self._store, keys)
            return self._proofs

    def place(self, entry: Entry) -> HeadPlace | None:
        """The head that covers an entry, if it is one of the last."""
        return self._recent.find(entry.hash)

    def make(self, entry: Entry, found: Found) -> Receipt:
        """A signed receipt, checked; `BadReceipt` where what was found does not belong together."""
        writer = self._history.writer
        assert writer is not None, "a floor that has written anything is a writer"
        receipt = assembled(self._store, entry, found, self._certificate)
        own = Certified.of(writer.certificate)
        receipt = replace(receipt, signer=None if own == receipt.writer else own)
        receipt = replace(receipt, signature=writer.key.sign(receipt.message()))
        self._check(receipt.check())
        return receipt

    def _check(self, claim: Claim) -> None:
        keys = {self._history.keys.public, *self._history.coverage.trust.former}
        if not {claim.writer_floor, claim.signer_floor} <= keys:
            raise BadReceipt(f"{named(claim.writer)} was certified by another floor")

    def _certificate(self, stream: str) -> Certified:
        found = self._certificates.get(stream)
        if found is None:
            first = next(self._store.read(stream), None)
            found = self._certificates[stream] = Certified.of(first.body if first else b"")
        return found

    def position(self, receipt: Receipt) -> HeadPosition | None:
        """Where the head of a receipt is in the log; none where no checkpoint under its signer's key covers it yet."""
        position = self.proofs.position(HEADS + receipt.writer.name, receipt.number)
        # After a rotation the newest checkpoint is one of a former key, until the next: who knows only today's key
        # cannot tell such an inclusion from a forger's.
        if position is None or self.proofs.latest().key != receipt.by_whom.floor.hex():
            return None
        return position

    def included(self, receipt: Receipt) -> Receipt:
        """The receipt with its path to the newest checkpoint; as it is while none covers it.

        `WorkFailed` where the tiles of the log do not give the path.
        """
        position = self.position(receipt)
        if position is None:
            return receipt
        return self.with_inclusion(receipt, self.proofs.inclusion(position, msgspec.json.encode(receipt.statement)))

    @staticmethod
    def with_inclusion(receipt: Receipt, inclusion: Inclusion) -> Receipt:
        """The receipt with a path that was worked out, checked."""
        receipt = replace(receipt, inclusion=inclusion)
        receipt.check().check_keys()
        return receipt


def assembled(store: Store, entry: Entry, found: Found, certificate: Callable[[str], Certified]) -> Receipt:
    """A receipt without its signature."""
    place, sealed = found
    before = genesis(entry.stream) if entry.version == 1 else _at(store, entry.stream, entry.version - 1).hash
    earlier, head_entry = _at(store, place.stream, place.number - 1), _at(store, place.stream, place.number)
    head = read_head(head_entry.body)
    leaves = [leaf_hash(each) for each in place.commands]
    index = place.commands.index(entry.hash)
    return Receipt(
        table=entry.stream.removeprefix(TABLE),
        version=entry.version,
        before=before,
        packed=packed(entry.body),
        index=index,
        commands=len(leaves),
        path=inclusion_proof(index, len(leaves), Leaves(leaves).read),
        number=place.number,
        at_ms=head.statement.at_ms,
        moves=head.statement.moves,
        head_before=earlier.hash,
        head_signature=bytes.fromhex(head.signature),
        writer=certificate(place.stream),
        round=sealed.round,
        seal=sealed.seal,
    )


def _at(store: Store, stream: str, version: int) -> Entry:
    found = next(store.read(stream, version - 1), None)
    if found is None or found.version != version:
        raise Corrupt(f"{named(stream)}: entry {version} is not there", version)
    return found
