"""Columns of entries as arrays in PostgreSQL's binary form; made here, for value by value the library takes longer."""

from collections.abc import Iterable, Sequence
from itertools import repeat
from struct import Struct
from typing import Final

from psycopg.abc import AdaptContext
from psycopg.adapt import Dumper
from psycopg.pq import Format

from punto.store.contract import Row

_TEXT: Final = 25
_BIGINT: Final = 20
_BYTEA: Final = 17

# Dimensions, whether there may be nulls, type, length, first index.
_START: Final = Struct("!iiIii").pack
_SIZE: Final = Struct("!i").pack
_NUMBER: Final = Struct("!iq").pack


class Array(bytes):
    """An array; of which type, the statement says that it is for."""


class _AsItIs(Dumper):
    format = Format.BINARY

    def dump(self, obj: Array) -> Array:
        return obj


def accept_arrays(context: AdaptContext) -> None:
    """Let a connection take arrays for parameters."""
    context.adapters.register_dumper(Array, _AsItIs)


def columns(entries: Sequence[Row]) -> tuple[Array, ...]:
    """Streams, versions, commands, bodies and hashes of the entries.

    >>> [array[20:].hex() for array in columns([("table/1", 1, None, b"{}", b"#")])]
    ['000000077461626c652f31', '000000080000000000000001', 'ffffffff', '000000027b7d', '0000000123']
    """
    streams, versions, commands, bodies, hashes = zip(*entries, strict=True)
    ids = [b"" if command is None else command.encode() for command in commands]
    sizes = [-1 if command is None else len(id_) for command, id_ in zip(commands, ids, strict=True)]
    names = [stream.encode() for stream in streams]
    return (
        _array(_TEXT, map(len, names), names),
        Array(_START(1, 0, _BIGINT, len(versions), 1) + b"".join(map(_NUMBER, repeat(8), versions))),
        _array(_TEXT, sizes, ids),
        _array(_BYTEA, map(len, bodies), bodies),
        _array(_BYTEA, map(len, hashes), hashes),
    )


def _array(kind: int, sizes: Iterable[int], values: Sequence[bytes]) -> Array:
    """Each value after its size, which is -1 where there is none."""
    parts = [b""] * (2 * len(values) + 1)
    parts[0] = _START(1, 1, kind, len(values), 1)
    parts[1::2] = map(_SIZE, sizes)
    parts[2::2] = values
    return Array(b"".join(parts))
