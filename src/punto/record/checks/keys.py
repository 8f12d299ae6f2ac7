"""Which keys an audit believes: the floor's key, and the former keys that its rotations lead back to.

Whoever gives the floor's public key is believed. Else what was kept outside vouches for the key that signed it, and
rotations are followed from there to the newest. Where nothing vouches for any key, all writers must at least hang
together by one.
"""

from collections.abc import Iterable, Iterator
from contextlib import suppress
from itertools import islice

from punto.errors import Corrupt, Malformed, PuntoError
from punto.proof.headlog import open_checkpoint, origin_of
from punto.proof.lastheads import LastHeads, read_last_heads
from punto.proof.notes import Checkpoint
from punto.proof.rotations import KEYS, Rotation, Trust, rotations_in_place, trusted_keys
from punto.proof.writers import HEADS, read_certificate
from punto.record.checks.findings import Code, Findings
from punto.store.chain import start, verified
from punto.store.contract import Store


class Outside:
    """What was kept outside: the last heads of all writers, or a checkpoint. Heads of the old kind are not for here."""

    def __init__(self, kept: bytes | None, findings: Findings) -> None:
        self._findings = findings
        self._note = b""
        self._heads = LastHeads({})
        self._checkpoint: Checkpoint | None = None
        # Whether the key by which the store is judged is the one that has signed this.
        self.vouches = False
        if kept is None:
            return
        if b"\n\n" in kept:
            self._note = kept.strip(b"\n") + b"\n"
            return
        try:
            self._heads = read_last_heads(kept)
        except Malformed as error:
            self._wrong(HEADS, 0, f"what was kept outside does not read: {error}")

    def vouched(self, store: Store, known: Iterable[str]) -> str | None:
        """The key of the floor that signed what was kept outside, if the store knows it; else that is told."""
        if self._note:
            found = next(self._signers(known), None)
            said = "the checkpoint that was kept outside was signed with a key that signed nothing here"
        else:
            found = next(self._certifiers(store), None)
            said = "no writer whose heads were kept outside has written this store: somebody else has signed it"
        if found is None and (self._note or self._heads.heads):
            self._findings.of_record(Code.UNKNOWN_KEY, HEADS, 0, said)
        self.vouches = found is not None
        return found

    def _signers(self, known: Iterable[str]) -> Iterator[str]:
        for key in known:
            with suppress(PuntoError):
                open_checkpoint(self._note, (key,))
                yield key

    def _certifiers(self, store: Store) -> Iterator[str]:
        """The keys that have certified writers whose heads lead to one that was kept outside."""
        for stream, kept in sorted(self._heads.heads.items()):
            with suppress(Corrupt):
                entries = list(verified(islice(store.read(stream), max(kept.number, 0)), start(stream)))
                if entries and (entries[-1].version, entries[-1].hash.hex()) == (kept.number, kept.hash):
                    yield read_certificate(entries[0].body).floor

    def check(self, store: Store, trust: Trust) -> None:
        """Hold the heads of the store against what was kept outside."""
        for stream, kept_head in sorted(self._heads.heads.items()):
            version, hash_ = kept_head.number, kept_head.hash
            found = next(store.read(stream, version - 1), None) if version > 0 else None
            if found is None:
                said = f"the heads end before {version}, which was kept outside: the history was cut off"
                self._wrong(stream, version, said)
            elif found.version != version or found.hash.hex() != hash_:
                self._wrong(stream, version, f"head {version} is not the one that was kept outside")
        if self._note:
            try:
                self._checkpoint = open_checkpoint(self._note, (trust.key, *trust.former), trust.sizes)
            except PuntoError as error:
                self._wrong(HEADS, 0, f"what was kept outside is no checkpoint of this floor: {error.message}")
            else:
                self._check_origin(self._checkpoint, trust)

    def _check_origin(self, checkpoint: Checkpoint, trust: Trust) -> None:
        if checkpoint.origin != origin_of(trust.first):
            said = f"the checkpoint that was kept outside is of another log than {origin_of(trust.first)}"
            self._wrong(HEADS, 0, said)

    def meet(self, version: int, checkpoint: Checkpoint) -> None:
        """Hold a checkpoint of the store against the one that was kept outside."""
        kept = self._checkpoint
        if kept is not None and kept.size == checkpoint.size:
            self._checkpoint = None
            if kept.root != checkpoint.root:
                said = f"checkpoint {version}, of {kept.size} heads, is not the one that was kept outside"
                self._wrong(HEADS, 0, said)

    def end(self) -> None:
        """All checkpoints have been read."""
        if self._checkpoint is not None:
            said = f"no checkpoint has {self._checkpoint.size} heads, and one was kept outside: the history was cut off"
            self._wrong(HEADS, 0, said)

    def _wrong(self, stream: str, version: int, said: str) -> None:
        self._findings.of_record(Code.OUTSIDE_HEAD, stream, version, said)


def believed_keys(store: Store, findings: Findings, given: str | None, outside: Outside, old: str | None) -> Trust:
    """The keys that the audit believes; *old* is the key of heads of the old kind. Rotations that mislead are told."""
    entries = list(store.read(KEYS))
    found = rotations_in_place(entries)
    rotations = [each for each in found if isinstance(each, Rotation)]
    key = given
    if key is None:
        certified = list(_certified(store))
        known = dict.fromkeys([*certified, *(key for each in rotations for key in (each.new, each.old))])
        root = outside.vouched(store, [*([old] if old else []), *known]) or old or next(iter(certified), "")
        key = _newest(root, rotations)
    trust = trusted_keys(key, entries)
    for version, each in enumerate(found, 1):
        if isinstance(each, Corrupt):
            findings.of_record(Code.BAD_ROTATION, KEYS, version, each.message)
        elif each is trust.replaced or each == trust.replaced:
            said = f"the key {key[:16]}… was rotated by {each.by}: the floor's key is {each.new[:16]}… now"
            findings.of_record(Code.UNKNOWN_KEY, KEYS, version, said)
        elif version > trust.version:
            said = f"a rotation from {each.old[:16]}… to {each.new[:16]}…, which does not lead to the floor's key"
            findings.of_record(Code.BAD_ROTATION, KEYS, version, said)
    return trust


def named_key(store: Store) -> str:
    """The floor's key of today as the store itself names it, which nobody vouches for; empty where it names none."""
    rotations = [each for each in rotations_in_place(store.read(KEYS)) if isinstance(each, Rotation)]
    return _newest(next(_certified(store), ""), rotations)


def _newest(key: str, rotations: Iterable[Rotation]) -> str:
    """The key that a floor has now which once had that one."""
    for rotation in rotations:
        if rotation.old == key:
            key = rotation.new
    return key


def _certified(store: Store) -> Iterator[str]:
    """The keys that have certified writers, whoever's they are."""
    for stream, _ in store.streams(HEADS):
        with suppress(Corrupt):
            first = next(store.read(stream), None)
            yield read_certificate(first.body if first and isinstance(first.body, bytes) else b"").floor
