"""Personal data: names and notes about people, which can be erased although the record only grows.

The record has a commitment to each, and never the text. The text lies beside the streams, sealed under a key of the
person's own, which is sealed with the floor's key. Once key and rows are gone, nobody can read the text again, and the
commitment says nothing: it also covers a random salt, which only the row had. Without the salt no guess can be tried.
"""

import hashlib
import hmac
from collections.abc import Callable, Collection, Iterable, Mapping
from contextlib import suppress
from enum import Enum
from typing import Final, NamedTuple
from unicodedata import normalize

import msgspec
from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import ChaCha20Poly1305

from punto.errors import Conflict, DamagedPersonal, Malformed, StaleVersion, WrongKey, named, quoted
from punto.floor.keys import Keys
from punto.store.batch import is_name
from punto.store.contract import Dossier, DossierChange, Store
from punto.surroundings import now_ms, token_bytes

# A text has at most so many characters.
LONGEST_TEXT: Final = 2_000
_DOMAIN: Final = "punto personal 1"
_KEY_BYTES: Final = 32
_SALT_BYTES: Final = 16
_NONCE: Final = 12
_TRIES: Final = 10


class KeptKind(Enum):
    """What is kept about people: the floor's file says of each how long law requires it to stay."""

    FULL_NAME = "full-name"
    NOTE = "note"
    ADDRESS = "address"
    LABEL = "label"
    CLAIM = "claim"
    EXCLUSION = "exclusion"
    REPORT = "report"


class Kept(NamedTuple):
    """Something that is kept about a person, since a time."""

    commitment: str
    kind: KeptKind
    at_ms: int
    text: str


class Holdings(NamedTuple):
    """All that is kept about a person, the oldest first; *damaged* are the references of what does not open."""

    kept: tuple[Kept, ...]
    damaged: tuple[str, ...]


class _Plain(msgspec.Struct, array_like=True, frozen=True):
    """What is sealed in a row."""

    salt: bytes
    kind: KeptKind
    at_ms: int
    text: str


_ENCODER: Final = msgspec.msgpack.Encoder()
_DECODER: Final = msgspec.msgpack.Decoder(_Plain)


def key_of(person: str) -> str:
    """The name under which everything about a person lies, however it is written.

    >>> key_of("Ann") == key_of("ANN")
    True
    """
    return normalize("NFKC", person).casefold()


def commitment_to(person: str, salt: bytes, text: str) -> str:
    """What the record has of a text about a person.

    >>> commitment_to("Ann", bytes(16), "Ann Tan")[:16]
    '1680dee4c35ce4e7'
    """
    return hashlib.sha256(f"{_DOMAIN}\n{key_of(person)}\n".encode() + salt + text.encode()).hexdigest()


class Personal:
    """What is kept about people beside the record of one floor. Only the thread that writes keeps and erases."""

    def __init__(self, store: Store, keys: Keys, fences: Callable[[], Mapping[str, int]]) -> None:
        self._store = store
        self._sealing = keys.sealing
        # The fences under which this process may write, once nothing of its own is under way.
        self._fences = fences
        # Whether something that was erased may still lie in the store's files.
        self.has_remains = False

    def keep(self, person: str, text: str, kind: KeptKind = KeptKind.NOTE) -> str:
        """Keep a text about a person, durably; the commitment to it, under which it is found again."""
        name = _checked(person)
        _check_text(text)
        plain = _Plain(token_bytes(_SALT_BYTES), kind, now_ms(), text)
        ref = commitment_to(name, plain.salt, text)
        for _ in range(_TRIES):
            fences = self._fences()
            there = self._store.dossier(name, ref)
            wrapped = there.key if there else b""
            key = self._unwrapped(name, wrapped) if wrapped else token_bytes(_KEY_BYTES)
            more = Dossier(wrapped or self._wrapped(name, key), {ref: _sealed(key, name, ref, plain)})
            try:
                self._store.add_to_dossier(name, more, fences)
            except StaleVersion:
                continue
            return ref
        raise Conflict(f"what is kept about {named(person)} was changed {_TRIES} times meanwhile: try again")

    def read(self, person: str, commitment: str) -> str | None:
        """The text behind a commitment; none once it is erased. `DamagedPersonal` where it is not what was kept."""
        found = self.find(person, commitment)
        return found.text if found else None

    def find(self, person: str, commitment: str) -> Kept | None:
        """The same with its kind, and since when it is kept."""
        name = key_of(person)
        if not is_name(name) or not is_name(commitment):
            return None
        there = self._store.dossier(name, commitment)
        if there is None or commitment not in there.rows:
            return None
        return _opened(self._unwrapped(name, there.key), name, commitment, there.rows[commitment])

    def of(self, person: str) -> Holdings:
        """All that is kept about a person, and what of it does not open."""
        name = key_of(person)
        there = self._store.dossier(name) if is_name(name) else None
        return self._opened_all(name, there) if there else Holdings((), ())

    def everybody(self) -> list[str]:
        """The names under which something is kept."""
        return list(self._store.persons())

    def erase(self, person: str, kinds: Iterable[KeptKind] | None = None) -> tuple[str, ...]:
        """Erase what is kept about a person, or these kinds of it, durably; the commitments of what was erased.

        What stays is sealed anew under a fresh key, so that the old key opens nothing any more, wherever a copy of it
        is. A row that does not open goes with the first erasure: it is of no use to anybody. Where the key itself does
        not open, only all of it can be erased.
        """
        wanted = None if kinds is None else frozenset(kinds)

        def left(name: str, there: Dossier) -> Dossier | None:
            if wanted is None:
                return None
            key = self._unwrapped(name, there.key)
            kept = [each for each in self._opened_all(name, there).kept if each.kind not in wanted]
            return self._sealed_anew(name, key, {each.commitment: there.rows[each.commitment] for each in kept})

        return self._erase([key_of(person)], left).get(key_of(person), ())

    def erase_these(self, commitments: Collection[str], person: str = "") -> dict[str, tuple[str, ...]]:
        """Erase what has these commitments, of one person or of anybody; by name what was erased.

        Of one *person*, whatever does not open goes with it.
        """
        gone = frozenset(commitments)

        def left(name: str, there: Dossier) -> Dossier | None:
            rows = {ref: sealed for ref, sealed in there.rows.items() if ref not in gone}
            if len(rows) == len(there.rows) and not (person and self._opened_all(name, there).damaged):
                return there
            try:
                return self._sealed_anew(name, self._unwrapped(name, there.key), rows)
            except DamagedPersonal:  # what stays cannot be sealed anew, and that is no reason to keep the rest
                return Dossier(there.key, rows) if rows and not person else None

        return self._erase([key_of(person)] if person else self.everybody(), left)

    def clear_remains(self) -> bool:
        """Rid the store's files of what was erased; whether that is done, or is to be tried again."""
        self.has_remains = not self._store.scrub()
        return not self.has_remains

    def _erase(
        self, names: Iterable[str], left: Callable[[str, Dossier], Dossier | None]
    ) -> dict[str, tuple[str, ...]]:
        """Leave of dossiers what is to be *left* of them, in one transaction; by name what was erased."""
        names = [name for name in names if is_name(name)]
        for _ in range(_TRIES):
            fences = self._fences()
            changes: list[DossierChange] = []
            gone: dict[str, tuple[str, ...]] = {}
            for name in names:
                there = self._store.dossier(name)
                after = left(name, there) if there else None
                if there is not None and (after is None or len(after.rows) < len(there.rows)):
                    gone[name] = tuple(ref for ref in there.rows if after is None or ref not in after.rows)
                    changes.append(DossierChange(name, there, after))
            if not changes:
                return {}
            try:
                self._store.change_dossiers(changes, fences)
            except StaleVersion:
                continue
            self.has_remains = True
            self.clear_remains()
            return gone
        raise Conflict(f"what is kept about people was changed {_TRIES} times meanwhile: nothing was erased, try again")

    def _sealed_anew(self, name: str, key: bytes, rows: Mapping[str, bytes]) -> Dossier | None:
        """Rows under a fresh key, as far as they open; none where nothing is left."""
        fresh = token_bytes(_KEY_BYTES)
        sealed: dict[str, bytes] = {}
        for ref, row in rows.items():
            with suppress(DamagedPersonal):
                sealed[ref] = _sealed(fresh, name, ref, _plain(key, name, ref, row))
        return Dossier(self._wrapped(name, fresh), sealed) if sealed else None

    def _opened_all(self, name: str, there: Dossier) -> Holdings:
        kept: list[Kept] = []
        damaged: list[str] = []
        try:
            key = self._unwrapped(name, there.key)
        except DamagedPersonal:
            return Holdings((), tuple(there.rows))
        for ref, sealed in there.rows.items():
            try:
                kept.append(_opened(key, name, ref, sealed))
            except DamagedPersonal:
                damaged.append(ref)
        return Holdings(tuple(sorted(kept, key=lambda each: each.at_ms)), tuple(damaged))

    def _wrapped(self, name: str, key: bytes) -> bytes:
        return bytes.fromhex(self._sealing.seal(key.hex(), _about_key(name)))

    def _unwrapped(self, name: str, wrapped: bytes) -> bytes:
        try:
            key = bytes.fromhex(self._sealing.unseal(wrapped.hex(), _about_key(name)))
        except WrongKey:
            raise DamagedPersonal(
                f"the key to what is kept about {named(name)} does not open: it was altered, is another person's, or "
                "was sealed with another key than the floor's"
            ) from None
        return key


def _about_key(name: str) -> str:
    return f"{_DOMAIN} key\n{name}"


def _about(name: str, ref: str) -> bytes:
    return f"{_DOMAIN} row\n{name}\n{ref}".encode()


def _sealed(key: bytes, name: str, ref: str, plain: _Plain) -> bytes:
    nonce = token_bytes(_NONCE)
    return nonce + ChaCha20Poly1305(key).encrypt(nonce, _ENCODER.encode(plain), _about(name, ref))


def _plain(key: bytes, name: str, ref: str, sealed: bytes) -> _Plain:
    """What a row holds; `DamagedPersonal` where it is not what was kept there."""
    try:
        plain = _DECODER.decode(ChaCha20Poly1305(key).decrypt(sealed[:_NONCE], sealed[_NONCE:], _about(name, ref)))
    except (ValueError, InvalidTag, msgspec.DecodeError):
        plain = None
    if plain is None or not hmac.compare_digest(commitment_to(name, plain.salt, plain.text), ref):
        raise DamagedPersonal(
            f"what is kept about {named(name)} as {quoted(ref, 16)} is not what was written: it was altered, or is "
            "another person's"
        )
    return plain


def _opened(key: bytes, name: str, ref: str, sealed: bytes) -> Kept:
    plain = _plain(key, name, ref, sealed)
    return Kept(ref, plain.kind, plain.at_ms, plain.text)


def _checked(person: str) -> str:
    name = key_of(person)
    if not is_name(name):
        raise Malformed(f"{quoted(person, 60)} is nobody's name: expected 1 to 200 printable characters")
    return name


def _check_text(text: str) -> None:
    if not text.strip() or len(text) > LONGEST_TEXT:
        raise Malformed(f"a text about a person has 1 to {LONGEST_TEXT:,} characters, and this one has {len(text):,}")
    try:
        text.encode()
    except UnicodeEncodeError:
        raise Malformed("the text has signs that cannot be written down") from None
