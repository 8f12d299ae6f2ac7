"""The document as Markdown, which is read anywhere."""

from collections.abc import Iterator
from typing import assert_never

from punto.lab.report.document import Align, Block, Code, Document, Figure, Heading, Listing, Table, Text

_RULES = {Align.LEFT: ":---", Align.CENTER: ":---:", Align.RIGHT: "---:"}


def as_markdown(document: Document) -> bytes:
    """The document without its drawings; of each it says what it shows."""
    lines = [f"# {document.title}", "", document.subtitle, "", document.summary]
    for name, section in zip(document.names, document.sections, strict=True):
        title = f"Appendix {name}: {section.title}" if section.appendix else f"{name}. {section.title}"
        lines += ["", f"## {title}"]
        for block in section.blocks:
            lines += ["", *_lines(block)]
    return ("\n".join(lines) + "\n").encode()


def _lines(block: Block) -> Iterator[str]:
    match block:
        case Text():
            yield block.text
        case Heading():
            yield f"### {block.text}"
        case Listing():
            yield from (f"- **{term}**: {f'`{said}`' if term in block.exact else said}" for term, said in block.items)
        case Table():
            yield from _table(block)
        case Figure():
            yield f"*{block.caption}* {block.shows}"
        case Code():
            yield from (f"```{block.language}", block.text.rstrip("\n"), "```")
        case _:
            assert_never(block)


def _table(table: Table) -> Iterator[str]:
    yield f"**{table.caption}**"
    yield ""
    yield _row(column.heading for column in table.columns)
    yield _row(_RULES[column.align] for column in table.columns)
    for group in table.groups:
        if group.title:
            first = f"**{_plain(group.title)}**" + (f" {_plain(group.aside)}" if group.aside else "")
            yield f"| {first} |" + " |" * (len(table.columns) - 1)
        yield from (_row(row) for row in group.rows)
    if table.note:
        yield ""
        yield table.note


def _row(cells: Iterator[str] | tuple[str, ...]) -> str:
    return f"| {' | '.join(map(_plain, cells))} |"


def _plain(text: str) -> str:
    """A cell's text, no letter of which ends the cell."""
    return text.replace("|", "\\|")
