"""A document as it is read, before it is a page or a sheet: sections of text, lists, tables, figures and code.

What is put in here is plain text; whoever draws the document sees to it that no letter of it is taken for a command.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from typing import Final, Literal


class Align(Enum):
    """Where the cells of a column stand."""

    LEFT = "left"
    CENTER = "center"
    RIGHT = "right"


@dataclass(frozen=True)
class Column:
    """A column: its heading, how its cells stand, and whether it takes the room that is left."""

    heading: str
    align: Align = Align.RIGHT
    wide: bool = False


@dataclass(frozen=True)
class Group:
    """Rows that belong together, under a title if they have one, with what is to be said beside it."""

    rows: tuple[tuple[str, ...], ...]
    title: str = ""
    aside: str = ""


@dataclass(frozen=True)
class Text:
    """A paragraph."""

    text: str
    kind: Literal["text"] = "text"


@dataclass(frozen=True)
class Heading:
    """The heading of a part of a section."""

    text: str
    kind: Literal["heading"] = "heading"


@dataclass(frozen=True)
class Listing:
    """Terms, and what is to be said of each; *exact* are those whose every letter counts."""

    items: tuple[tuple[str, str], ...]
    exact: tuple[str, ...] = ()
    kind: Literal["listing"] = "listing"


@dataclass(frozen=True)
class Table:
    """Rows under columns; the first cell of a row names it, and a cell that says *marked* is set off."""

    caption: str
    columns: tuple[Column, ...]
    groups: tuple[Group, ...]
    note: str = ""
    marked: str = ""
    kind: Literal["table"] = "table"


@dataclass(frozen=True)
class Figure:
    """A drawing as SVG, its caption, and what it shows for those who do not see it."""

    caption: str
    shows: str
    svg: str
    kind: Literal["figure"] = "figure"


@dataclass(frozen=True)
class Code:
    """Text that a machine reads too."""

    text: str
    language: str
    kind: Literal["code"] = "code"


Block = Text | Heading | Listing | Table | Figure | Code


@dataclass(frozen=True)
class Section:
    """A part of the document with a title; an appendix is lettered and not numbered."""

    title: str
    blocks: tuple[Block, ...]
    appendix: bool = False


@dataclass(frozen=True)
class Document:
    """A whole document."""

    title: str
    subtitle: str
    summary: str
    running: str
    sections: tuple[Section, ...]

    @property
    def names(self) -> tuple[str, ...]:
        """How each section is called: by its number, or by its letter."""
        numbered = sum(not section.appendix for section in self.sections)
        return tuple(
            chr(ord("A") + place - numbered) if section.appendix else str(place + 1)
            for place, section in enumerate(self.sections)
        )


NAMED: Final = Align.LEFT


def named(heading: str, *, wide: bool = False) -> Column:
    """A column of names."""
    return Column(heading, NAMED, wide)


def plain_rows(rows: Sequence[Sequence[str]]) -> tuple[Group, ...]:
    """Rows that need no title."""
    return (Group(tuple(tuple(row) for row in rows)),)


def printed(text: str) -> str:
    """The text with the apostrophes of print.

    >>> printed("Player's total")
    'Player’s total'
    """
    return text.replace("'", "’")
