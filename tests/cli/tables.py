"""What `punto` prints for a person, read back: each cell under its heading, each figure as a number.

A table stands between empty lines. Its columns are two blanks or more apart on every line, headings included; a heading
may take several lines. In a table with headings every cell must fit on one line: give the command a screen wide enough.
"""

import re
from collections.abc import Sequence
from typing import Any, Final

import pytest

Row = dict[str, str]

_GUTTER: Final = re.compile(r"  +")
_TALLEST_HEADING: Final = 3
_FIGURE: Final = re.compile(r"(?P<number>[+-]?[0-9][0-9,]*(?:\.(?P<digits>[0-9]+))?)(?P<percent> %)?")
# Half of the last digit, and a little for the rounding of floating point.
_HALF: Final = 0.500001


def table(text: str, *headings: str) -> list[Row]:
    """The rows of the first table in a text that has these headings, each cell by its heading."""
    for block in blocks(text):
        for first in range(len(block)):
            lines = cells(block[first:])
            for height in range(1, _TALLEST_HEADING + 1):
                if tuple(" ".join(filter(None, parts)) for parts in zip(*lines[:height], strict=True)) == headings:
                    return [dict(zip(headings, line, strict=True)) for line in lines[height:] if any(line)]
    raise AssertionError(f"no table has the headings {headings}:\n{text}")


def pairs(text: str, first: str) -> dict[str, str]:
    """What stands beside each name in a table without headings, whose first name is *first*."""
    for block in blocks(text):
        lines = [line for line in cells(block) if any(line)]
        if not lines or lines[0][0] != first:
            continue
        beside: dict[str, str] = {}
        name = ""
        for named, more in lines:
            name = named or name
            beside[name] = f"{beside[name]} {more}" if name in beside else more
        return beside
    raise AssertionError(f"no table begins with {first!r}:\n{text}")


def blocks(text: str) -> list[list[str]]:
    """The lines of a text in the parts that stand between empty lines; a line of blanks is part of a table."""
    return [part.splitlines() for part in re.split(r"\n\n+", text.strip("\n"))]


def cells(lines: Sequence[str]) -> list[list[str]]:
    """The cells of each line of a table."""
    width = max(map(len, lines))
    padded = [line.ljust(width) for line in lines]
    shadow = "".join(" " if set(column) == {" "} else "x" for column in zip(*padded, strict=True))
    gutters = [match.span() for match in _GUTTER.finditer(shadow.rstrip())]
    starts = [0, *(end for start, end in gutters if start)]
    ends = [*(start for start, _ in gutters if start), width]
    return [[line[start:end].strip() for start, end in zip(starts, ends, strict=True)] for line in padded]


def figure(cell: str) -> Any:  # noqa: ANN401 (what pytest.approx makes has no public type)
    """The number that a cell shows, equal to every number that is printed so; a dash or a blank is None."""
    if cell in {"", "–"}:
        return None
    match = _FIGURE.fullmatch(cell)
    assert match, f"{cell!r} is no figure"
    return _number(match)


def figures(text: str) -> list[Any]:
    """Every number that a text shows, in its order."""
    return [_number(match) for match in _FIGURE.finditer(text)]


def _number(match: re.Match[str]) -> Any:  # noqa: ANN401
    unit = 0.01 if match["percent"] else 1.0
    last = 10.0 ** -len(match["digits"] or "")
    return pytest.approx(unit * float(match["number"].replace(",", "")), rel=0, abs=_HALF * last * unit)
