"""How large a declaration may be: looked at in one pass, before anything reads it.

`tomllib` takes time and memory that grow with the square of a key's parts, and goes as deep as a text nests. This scan
only counts, and its time grows with the length of the text alone. It sees the same strings and comments as `tomllib`
up to the first mistake of a text, where `tomllib` stops.
"""

import re
from dataclasses import dataclass
from typing import Final

from punto.errors import BadDeclaration
from punto.games.spans import line_and_column

_TOKEN: Final = re.compile(
    r'''
    (?P<comment> \#[^\n]*+ )
  | (?P<string>
        """ (?: [^"\\] | \\. | "(?!"") )*+ (?: "{3,5} )?+
      | \'\'\' (?: [^'] | '(?!\'\') )*+ (?: '{3,5} )?+
      | " (?: [^"\\\n] | \\. )*+ "?+
      | ' [^'\n]*+ '?+
    )
  | (?P<mark> [\[\]{}.=,\n] )
    ''',
    re.VERBOSE | re.DOTALL,
)
# A wager's pay rows, in lists and tables within one line, are four deep; a key of a game has two parts at most.
_DEEPEST: Final = 8
_MOST_PARTS: Final = 4


@dataclass(frozen=True, slots=True)
class Bounds:
    """The most that a declaration may have of anything that its reader must keep or go through."""

    size_bytes: int
    keys: int
    tables: int
    wagers: int
    rows: int
    letters: int = 4_000


# Of a file on one's own machine, or of the floor's own record; the largest game of the catalogue has 3 kB.
OWN: Final = Bounds(size_bytes=262_144, keys=20_000, tables=10_000, wagers=256, rows=4_096)
# Of what a visitor sends.
VISITORS: Final = Bounds(size_bytes=20_000, keys=2_000, tables=1_200, wagers=64, rows=512, letters=1_000)


def check_bounds(text: str, bounds: Bounds) -> None:
    """Refuse a text that is larger or deeper than the declaration of any game, without reading it."""
    size = len(text) if text.isascii() else len(text.encode("utf-8", "surrogatepass"))
    if size > bounds.size_bytes:
        raise _beyond(text, 0, f"{size:,} bytes: a declaration has {bounds.size_bytes:,} at most")
    limits = (
        (_MOST_PARTS - 1, f"a key of a declaration has {_MOST_PARTS} parts at most"),
        (_DEEPEST, "the file nests too deeply to be a game"),
        (bounds.keys, f"a declaration has {bounds.keys:,} keys at most"),
        (bounds.tables, f"a declaration has {bounds.tables:,} lists and tables at most"),
        (bounds.letters, f"a string has {bounds.letters:,} characters at most"),
    )
    dots = depth = keys = tables = 0
    for token in _TOKEN.finditer(text):
        mark = token["mark"] or ""
        if mark:
            dots = dots + 1 if mark == "." else 0
            depth += (mark in "[{") - (mark in "]}")
            keys += mark == "="
            tables += mark in "[{"
        counts = dots, depth, keys, tables, len(token["string"] or "")
        for count, (most, said) in zip(counts, limits, strict=True):
            if count > most:
                raise _beyond(text, token.start(), said)


def _beyond(text: str, offset: int, message: str) -> BadDeclaration:
    line, column = line_and_column(text, offset)
    return BadDeclaration(f"line {line}, column {column}: {message}", line, column)
