"""Clauses of the rulebooks in our own words, as docs/rules has them.

The words are there once: a wheel carries the folder with it (see pyproject.toml), and a checkout reads it in its place.
"""

import re
from functools import cache
from pathlib import Path
from typing import Final

from msgspec import Struct

from punto.games import RULEBOOKS

_HERE: Final = Path(__file__).resolve()
_PACKED: Final = _HERE.parent / "rules"
_IN_CHECKOUT: Final = _HERE.parents[4] / "docs" / "rules"
_ENTRY: Final = re.compile(r"^### (\d+(?:\.\d+)+) (.+)$", re.MULTILINE)
_HEADING: Final = re.compile(r"^## ", re.MULTILINE)
_LINK: Final = re.compile(r"\[([^\]]+)\]\([^)\s]+\)")
_READING: Final = re.compile(r"interpretations\.md#(\d+)")
# Where code and tests are named, which are nobody's concern at a table.
_FOOT: Final = re.compile(r"^\*(?:Code|Tests|Attested|No behaviour|Awaiting)")


class ClauseText(Struct, frozen=True):
    """A clause: its title, what it means, in English, and which of our readings bear on it."""

    code: str
    title: str
    text: str
    interpretations: tuple[int, ...]


def folder() -> Path:
    """Where the words are."""
    return _PACKED if _PACKED.is_dir() else _IN_CHECKOUT


@cache
def clauses() -> dict[str, ClauseText]:
    """Every clause of every rulebook, by code and number."""
    return {each.code: each for book in RULEBOOKS for each in _clauses_of(book)}


def _clauses_of(book: str) -> list[ClauseText]:
    path = folder() / f"{book.lower()}.md"
    parts = _ENTRY.split(path.read_text(encoding="utf-8"))[1:] if path.is_file() else []
    return [
        _clause(f"{book} {number}", title, body)
        for number, title, body in zip(parts[::3], parts[1::3], parts[2::3], strict=True)
    ]


def _clause(code: str, title: str, body: str) -> ClauseText:
    told = [part for part in _HEADING.split(body)[0].split("\n\n") if part.strip() and not _FOOT.match(part.strip())]
    text = "\n\n".join(_plain(part) for part in told)
    readings = tuple(sorted({int(number) for part in told for number in _READING.findall(part)}))
    return ClauseText(code, title.strip(), text, readings)


def _plain(part: str) -> str:
    """A paragraph without links; the lines of a table or a list stay lines."""
    words = _LINK.sub(r"\1", part.strip()).replace("**", "").replace("`", "")
    return words if words.startswith(("|", "-", "1.")) else " ".join(words.split())
