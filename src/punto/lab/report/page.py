"""The document on a screen: one page of HTML that needs nothing else, and prints."""

import re
from collections.abc import Iterator
from html import escape
from importlib.resources import files
from itertools import count
from typing import Final, assert_never

from punto.lab.figures import COLOURS
from punto.lab.report.document import (
    Block,
    Code,
    Column,
    Document,
    Figure,
    Group,
    Heading,
    Listing,
    Section,
    Table,
    Text,
    printed,
)

_MANY: Final = 8
_OPENING: Final = re.compile(r"^.*?(?=<svg)", re.DOTALL)
_METADATA: Final = re.compile(r"\s*<metadata>.*?</metadata>", re.DOTALL)
_SIZE: Final = re.compile(r' (?:width|height)="[^"]*"')
_KNOWN_AS: Final = re.compile(r'\bid="|href="#|url\(#')


def as_html(document: Document) -> bytes:
    """The document as one page: its style and its drawings are in it, and it asks for nothing from elsewhere."""
    style = files("punto.lab.report").joinpath("page.css").read_text(encoding="utf-8")
    style += "".join(f'th[data-wager="{name}"] {{ color: {colour}; }}\n' for name, colour in COLOURS.items())
    page = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        "<head>",
        '<meta charset="utf-8">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        '<meta name="generator" content="Punto">',
        f"<title>{_said(f'{document.title}: {document.subtitle}')}</title>",
        f"<style>\n{style}</style>",
        "</head>",
        "<body>",
        *_Body(document).lines(),
        "</body>",
        "</html>",
    ]
    return ("\n".join(page) + "\n").encode()


class _Body:
    """What is written between the beginning and the end; tables and figures are numbered as they come."""

    def __init__(self, document: Document) -> None:
        self.document = document
        self.tables = count(1)
        self.figures = count(1)

    def lines(self) -> Iterator[str]:
        """The whole body."""
        document = self.document
        yield "<header>"
        yield f"<p>{_said(document.subtitle)}</p>"
        yield f"<h1>{_said(document.title)}</h1>"
        yield f"<p><code>{escape(document.running)}</code></p>"
        yield f'<p class="summary">{_said(document.summary)}</p>'
        yield "</header>"
        yield from self._nav()
        yield "<main>"
        for name, section in zip(document.names, document.sections, strict=True):
            yield from self._section(name, section)
        yield "</main>"

    def _nav(self) -> Iterator[str]:
        yield '<nav aria-labelledby="contents">'
        yield '<h2 id="contents">Contents</h2>'
        yield "<ol>"
        for name, section in zip(self.document.names, self.document.sections, strict=True):
            yield f'<li><a href="#section-{name}"><span>{name}</span>{_said(section.title)}</a></li>'
        yield "</ol>"
        yield "</nav>"

    def _section(self, name: str, section: Section) -> Iterator[str]:
        called = f"Appendix {name}" if section.appendix else name
        yield f'<section aria-labelledby="section-{name}">'
        yield f'<h2 id="section-{name}"><span>{called}</span>{_said(section.title)}</h2>'
        parts = count(1)
        for block in section.blocks:
            if isinstance(block, Heading):
                yield f"<h3><span>{name}.{next(parts)}</span>{_said(block.text)}</h3>"
            else:
                yield from self._block(block)
        yield "</section>"

    def _block(self, block: Block) -> Iterator[str]:
        match block:
            case Text():
                yield f"<p>{_said(block.text)}</p>"
            case Listing():
                yield from _listing(block)
            case Table():
                yield from self._table(block)
            case Figure():
                yield from self._figure(block)
            case Code():
                yield f"<pre><code>{escape(block.text)}</code></pre>"
            case Heading():
                raise AssertionError("a heading is numbered by its section")
            case _:
                assert_never(block)

    def _table(self, table: Table) -> Iterator[str]:
        number = next(self.tables)
        yield "<figure>"
        yield f'<figcaption id="table-{number}"><b>Table {number}</b>{_said(table.caption)}</figcaption>'
        yield f'<div class="scroll" role="region" aria-labelledby="table-{number}" tabindex="0">'
        yield '<table class="many">' if len(table.columns) > _MANY else "<table>"
        headings = "".join(f'<th scope="col"{_class(column)}>{_said(column.heading)}</th>' for column in table.columns)
        yield f"<thead><tr>{headings}</tr></thead>"
        for group in table.groups:
            yield "<tbody>"
            yield from _group(table, group)
            yield "</tbody>"
        yield "</table>"
        yield "</div>"
        if table.note:
            yield f'<p class="note">{_said(table.note)}</p>'
        yield "</figure>"

    def _figure(self, figure: Figure) -> Iterator[str]:
        number = next(self.figures)
        yield '<figure class="drawn">'
        yield _inline(figure, f"figure-{number}-")
        yield f"<figcaption><b>Figure {number}</b>{_said(figure.caption)}</figcaption>"
        yield "</figure>"


def _said(text: str) -> str:
    return escape(printed(text))


def _listing(listing: Listing) -> Iterator[str]:
    yield "<dl>"
    for term, said in listing.items:
        text = f"<code>{escape(said)}</code>" if term in listing.exact else _said(said)
        yield f"<dt>{_said(term)}</dt><dd>{text}</dd>"
    yield "</dl>"


def _group(table: Table, group: Group) -> Iterator[str]:
    if group.title:
        aside = f"<span>{_said(group.aside)}</span>" if group.aside else ""
        yield (
            f'<tr><th scope="rowgroup" class="group" colspan="{len(table.columns)}"{_wager(group.title)}>'
            f"{_said(group.title)}{aside}</th></tr>"
        )
    for first, *rest in group.rows:
        cells = [f'<th scope="row"{_class(table.columns[0])}{_wager(first)}>{_said(first)}</th>']
        for column, cell in zip(table.columns[1:], rest, strict=True):
            marked = "marked" if table.marked and cell == table.marked else ""
            cells.append(f"<td{_class(column, marked)}>{_said(cell)}</td>")
        yield f"<tr>{''.join(cells)}</tr>"


def _wager(name: str) -> str:
    """The three wagers that have a colour carry it everywhere."""
    return f' data-wager="{name}"' if name in COLOURS else ""


def _class(column: Column, *more: str) -> str:
    """How the cells of a column stand; to the right, unless told."""
    stands = "" if column.align.value == "right" else column.align.value
    names = " ".join(filter(None, (stands, "wide" if column.wide else "", *more)))
    return f' class="{names}"' if names else ""


def _inline(figure: Figure, prefix: str) -> str:
    """A drawing as part of the page: as wide as there is room, and with names that no other drawing has."""
    drawing = _METADATA.sub("", _OPENING.sub("", figure.svg, count=1)).strip()
    drawing = _KNOWN_AS.sub(lambda found: found[0] + prefix, drawing)
    opening, rest = drawing.split(">", 1)
    named = opening.replace("<svg", f'<svg role="img" aria-label="{_said(figure.shows)}"', 1)
    return f"{_SIZE.sub('', named)}>{rest}"
