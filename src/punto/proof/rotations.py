"""Rotations of the floor's key: the old key and the new key sign that one takes the place of the other.

Rotations are the entries of the stream `keys`. Each is signed together with its place in that stream and the hash of
the rotation before it, so the newest key vouches for all of them, and trust is walked backwards from that key alone. A
rotation also says where the heads of each writer ended that the old key had certified, with their hashes, and how large
the log was. Whoever steals a former key can therefore certify nobody, add no rotation to the past, and neither extend
nor rewrite the heads of its writers.
"""

from collections.abc import Iterable, Mapping
from typing import Final, Protocol

import msgspec
from msgspec import Raw, Struct

from punto.errors import Corrupt, named
from punto.proof.writers import is_signed
from punto.store.chain import link, start
from punto.store.contract import Entry, Hash, Tip

KEYS: Final = "keys"
_MARK: Final = b"punto rotation 2\0"


class Rotation(Struct, frozen=True):
    """The floor's key changed.

    *number* is its place in the stream, *before* the hash of the entry before it. *first* is the key that the floor had
    at first, after which its log of heads is named; *size* is that of the last checkpoint under the old key. *writers*
    says where the heads of each writer ended that the old key had certified.
    """

    number: int
    before: Hash
    old: str
    new: str
    first: str
    at_ms: int
    by: str
    size: int
    writers: dict[str, Tip]


class SignedRotation(Struct, frozen=True):
    """A rotation with the signatures of both keys over its bytes."""

    rotation: Raw
    old_signature: str
    new_signature: str


class RotationSigner(Protocol):
    """One of the two keys of a rotation."""

    def endorse(self, rotation: Rotation) -> str:
        """The key's signature of a rotation, in hexadecimal."""


_ENCODER: Final = msgspec.json.Encoder()
_SIGNED: Final = msgspec.json.Decoder(SignedRotation)
_ROTATION: Final = msgspec.json.Decoder(Rotation)


def rotation_message(rotation: Rotation) -> bytes:
    """What both keys sign."""
    return _MARK + _ENCODER.encode(rotation)


def sign_rotation(rotation: Rotation, old: RotationSigner, new: RotationSigner) -> bytes:
    """A rotation as it is stored."""
    raw = Raw(_ENCODER.encode(rotation))
    return _ENCODER.encode(SignedRotation(raw, old.endorse(rotation), new.endorse(rotation)))


def read_rotation(body: bytes) -> Rotation:
    """A rotation that both of its keys have signed; `Corrupt` where it is none."""
    try:
        signed = _SIGNED.decode(body)
        found = _ROTATION.decode(signed.rotation)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Corrupt(f"a rotation that does not read: {error}") from None
    message = _MARK + bytes(signed.rotation)
    if not (
        is_signed(found.old, signed.old_signature, message) and is_signed(found.new, signed.new_signature, message)
    ):
        raise Corrupt("a rotation of the floor's key that both keys have not signed")
    return found


class Trust:
    """The floor's key, and its former keys, each as far as the rotation that ended it says."""

    def __init__(
        self, key: str, rotations: Iterable[Rotation] = (), replaced: Rotation | None = None, newest: str = ""
    ) -> None:
        self.key = key
        # The key that the floor has today.
        self.newest = newest or key
        # By the key that each of them ended, the newest first.
        self._ended = {rotation.old: rotation for rotation in reversed([*rotations])}
        # The rotation that has ended the key itself: then it is not the floor's any more.
        self.replaced = replaced

    @property
    def former(self) -> tuple[str, ...]:
        """The keys that the floor had before, the newest first."""
        return tuple(self._ended)

    @property
    def first(self) -> str:
        """The floor's first key."""
        return (self.key, *self._ended)[-1]

    @property
    def version(self) -> int:
        """How many rotations lead to the key."""
        return len(self._ended)

    @property
    def sizes(self) -> Mapping[str, int]:
        """The size of the last checkpoint that each former key has signed."""
        return {key: rotation.size for key, rotation in self._ended.items()}

    @property
    def pinned(self) -> Mapping[str, Tip]:
        """Where the heads of every writer ended that a former key had certified."""
        return {stream: tip for rotation in self._ended.values() for stream, tip in rotation.writers.items()}

    def check(self, stream: str, floor_key: str) -> None:
        """Refuse a writer that no key of this floor has certified."""
        if floor_key == self.key:
            return
        ended = self._ended.get(floor_key)
        if ended is None:
            raise Corrupt(f"{named(stream)}: certified with {floor_key[:16]}…, which is no key of this floor")
        if stream not in ended.writers:
            raise Corrupt(f"{named(stream)}: certified with a former key after it was rotated")

    def limit(self, stream: str, floor_key: str) -> Tip | None:
        """Where a writer's heads ended when its key was rotated; none where there is no limit."""
        if floor_key == self.key:
            return None
        ended = self._ended.get(floor_key)
        return (ended.writers.get(stream) if ended else None) or start(stream)


def rotations_in_place(entries: Iterable[Entry]) -> list[Rotation | Corrupt]:
    """The entries of the stream of keys: each a rotation that stands where it was signed, or what is wrong with it."""
    found: list[Rotation | Corrupt] = []
    before = start(KEYS)
    for entry in entries:
        version = before.version + 1
        try:
            # What is no entry at all, as in a damaged file, leads nowhere.
            after = link(before.hash, KEYS, version, entry.command, entry.body)
        except (TypeError, AttributeError, ValueError):
            after = b""
        try:
            rotation = read_rotation(entry.body if after else b"")
        except Corrupt as error:
            found.append(error)
        else:
            in_place = (rotation.number, rotation.before, entry.version) == (version, before.hash, version)
            said = f"a rotation that was signed as number {rotation.number}, after another entry"
            found.append(rotation if in_place else Corrupt(said))
        before = Tip(version, after)
    return found


def trusted_keys(key: str, entries: Iterable[Entry]) -> Trust:
    """The keys that are believed by whoever believes *key*: rotations are followed backwards from it."""
    found = rotations_in_place(entries)
    last = max((at for at, each in enumerate(found, 1) if isinstance(each, Rotation) and each.new == key), default=0)
    chain: list[Rotation] = []
    new = key
    for each in reversed(found[:last]):
        # Whoever signed the later one has signed over this one too: it stands, or the floor itself has gone wrong.
        if not isinstance(each, Rotation) or each.new != new or (chain and each.first != chain[-1].first):
            break
        chain.append(each)
        new = each.old
    after = found[last] if last < len(found) else None
    replaced = after if isinstance(after, Rotation) and after.old == key else None
    whole = len(chain) == last and (not chain or chain[-1].first == chain[-1].old)
    newest = key
    for each in found[last:]:
        if not isinstance(each, Rotation) or each.old != newest:
            break
        newest = each.new
    return Trust(key, reversed(chain) if whole else (), replaced, newest)
