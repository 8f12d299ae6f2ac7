"""What commands show of a store: its signed part. What is left out is said on standard error, and the status is 1."""

import os
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import click

from punto.cli.entry import one_line
from punto.cli.options import Source
from punto.cli.stores import KEY_VARIABLE, NamedStore, name_of, public_key, reading, store_named
from punto.errors import PuntoError
from punto.proof.lastheads import LastHeads
from punto.proof.oldheads import OLD_HEADS
from punto.proof.signedpart import SignedPart
from punto.proof.writers import HEADS
from punto.record.checks.keys import named_key
from punto.store import Store

RIGHT: Final = 0
LEFT_OUT: Final = 1
# So many streams are named of which something is left out.
_MOST_NAMED: Final = 5


class Shown:
    """A store as a command may show it."""

    def __init__(self, name: str, store: Store, part: SignedPart | None, *, unsigned: bool) -> None:
        self.name = name
        self._part = part
        # Whether nobody has signed any of it, which no floor leaves behind.
        self._unsigned = unsigned
        # What is to be shown is read here.
        self.store: Store = part or store

    @property
    def status(self) -> int:
        """The status of the command, once it has read all that it shows."""
        part = self._part
        doubtful = self._unsigned or (part is not None and (part.left_out or part.doubts))
        return LEFT_OUT if doubtful else RIGHT

    @property
    def strict(self) -> Store:
        """The same, where damage is raised and not left out."""
        return self._part.strict if self._part is not None else self.store

    def is_damaged(self, stream: str) -> bool:
        """Whether something of a stream that was signed is missing or altered, so that its end is not known."""
        return self._part is not None and stream in self._part.damaged

    def last_heads(self) -> LastHeads:
        """The last signed head of each writer."""
        return self._part.last_heads() if self._part is not None else LastHeads({})

    def tell(self) -> None:
        """Say what is left out."""
        if self._part is None:
            return
        for said in self._part.doubts:
            _say(f"{said}: nobody can tell whether all that is shown was written here ('punto repair' says more)")
        left_out = list(self._part.left_out.values())
        for said in left_out[:_MOST_NAMED]:
            _say(f"{said}: left out ('punto repair' says more)")
        if len(left_out) > _MOST_NAMED:
            _say(f"and {len(left_out) - _MOST_NAMED:,} more streams of which something is left out")


@contextmanager
def showing(source: Source) -> Iterator[Shown]:
    """A store whose record is shown as far as valid signatures cover it; a floor's file or folder names it as well.

    Nothing is verified of a store without signed heads, which gives status 1, nor of one that Punto 0.4 has signed.
    """
    named = store_named(source.store)
    with reading(named.url) as store:
        called = name_of(store, named.url)
        part, unsigned = None, False
        if next(store.streams(HEADS), None) is not None:
            part = SignedPart(store, _key_for(store, named, source.key, called))
        elif store.tip(OLD_HEADS) is not None:
            _say(
                f"{called} was signed by an older Punto, and nothing that is shown of it was verified: 'punto migrate'"
            )
        elif next(store.streams(), None) is not None:
            _say(f"{called} has no signed heads, and nothing shown of it was verified")
            unsigned = True
        shown = Shown(called, store, part, unsigned=unsigned)
        try:
            yield shown
        finally:
            shown.tell()


def _key_for(store: Store, named: NamedStore, key: str | None, called: str) -> str:
    """The floor's public key; where it cannot be had, the key that the store itself names, and that is said."""
    why = "is not known here"
    try:
        known = public_key(store, named, key).public
    except PuntoError as error:
        if key or KEY_VARIABLE in os.environ:
            raise
        known, why = None, f"cannot be had ({error.message})"
    if known is None:
        _say(f"the floor's key {why}, so {called} was checked against the key that it names itself: name it with --key")
    return known or named_key(store)


def _say(said: str) -> None:
    click.echo(f"punto: {one_line(said)}", err=True)
