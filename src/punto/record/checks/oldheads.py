"""Heads of the old kind: signed with the floor's key, each over the one before, and one kept outside among them.

A head is signed over the hash of the one before it, and so over all before it. Where the last one holds, nobody without
the key has changed any: then it is enough to try a few of the others. Where it does not, every one is tried, to find
the first that fails.
"""

from collections.abc import Mapping
from typing import Final

from punto.errors import Corrupt
from punto.proof.oldheads import OLD_HEADS, SignedHead, holds, read
from punto.record.checks.chains import Stream
from punto.record.checks.findings import Code, Findings
from punto.store.contract import Entry, Hash, Store

_ONE_IN: Final = 16


class OldHeads:
    """The heads of a store from before heads had writers, as they are read."""

    def __init__(
        self, findings: Findings, public_key: str | None, outside: bytes | None, former: tuple[str, ...] = ()
    ) -> None:
        self._findings = findings
        self._key = public_key
        # Heads of the old kind were signed before any rotation.
        self._former = former
        self._outside = outside.strip() if outside is not None else None
        self._outside_number = 0
        self._signed = True
        # All heads up to this one are vouched for by its signature.
        self._vouched = 0

    @property
    def key(self) -> str | None:
        """The floor's key: as it was given, or as the first head has it."""
        return self._key

    def begin(self, store: Store) -> None:
        """Look at the last head, and at the one that was kept outside, before any other."""
        self._key = self._former[-1] if self._former else self._key
        self._look_at_last(store)
        if self._outside is None:
            return
        try:
            head, signed = read(self._outside)
            held = holds(signed, bytes.fromhex(signed.before), self._key or signed.key)
        except (Corrupt, ValueError) as error:
            self._wrong(Code.OUTSIDE_HEAD, 0, f"the head kept outside does not read: {error}")
            return
        self._outside_number = head.number
        if not held:
            self._wrong(Code.OUTSIDE_HEAD, head.number, "the head kept outside was not signed with the floor's key")

    def moved(self, entry: Entry, before: Hash) -> Mapping[str, tuple[int, str]]:
        """The ends of streams that a head names."""
        number = entry.version
        if entry.command is not None:
            self._wrong(Code.BAD_COMMAND, number, f"a head is kept under command {entry.command!r}; no command made it")
        if number == self._outside_number:
            self._outside_number = 0
            if entry.body != self._outside:
                self._wrong(Code.OUTSIDE_HEAD, number, f"head {number} is not the one that was kept outside")
        try:
            head, signed = read(entry.body)
        except Corrupt as error:
            self._wrong(Code.BAD_HEAD, number, f"a head that does not read: {error.message}")
            return {}
        self._check_signature(number, signed, before)
        if head.number != number:
            self._wrong(Code.BAD_HEAD, number, f"head {number} calls itself {head.number}")
        return head.moved

    def end(self, heads: Stream | None) -> None:
        """All heads have been read."""
        last = heads.version if heads else 0
        if self._outside_number:
            said = f"the heads end with {last}; head {self._outside_number} was kept outside: the history was cut off"
            self._wrong(Code.OUTSIDE_HEAD, last, said)

    def _look_at_last(self, store: Store) -> None:
        """Whether the last head holds, and with it all before."""
        tip = store.tip(OLD_HEADS)
        for entry in store.read(OLD_HEADS, tip.version - 1) if tip else ():
            try:
                _, signed = read(entry.body)
                if holds(signed, bytes.fromhex(signed.before), self._key or signed.key):
                    self._vouched = entry.version
            except (Corrupt, ValueError, TypeError):
                return

    def _check_signature(self, number: int, signed: SignedHead, before: Hash) -> None:
        if self._key is None:
            self._key = signed.key
        if number < self._vouched and number % _ONE_IN:
            held = signed.before == before.hex() and signed.key == self._key
        else:
            held = holds(signed, before, self._key)
        if not held and self._signed:
            reason = f"with the key {self._key[:16]}…" if signed.key == self._key else f"but by {signed.key[:16]}…"
            self._wrong(Code.BAD_HEAD, number, f"head {number} is not signed {reason} on the head before it")
        self._signed = held

    def _wrong(self, code: Code, version: int, said: str) -> None:
        self._findings.of_record(code, OLD_HEADS, version, said)
