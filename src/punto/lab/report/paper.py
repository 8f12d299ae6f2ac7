"""The document on paper: PDF, through typst, with the fonts that come with it."""

from importlib.resources import files
from typing import Any, Final

import msgspec

from punto.lab.figures import COLOURS
from punto.lab.report.document import Code, Document, Figure, printed
from punto.lab.tabular import part

# Letters that the fonts of typst have: Latin, Greek, punctuation, superscripts, arrows, mathematical signs.
_PRINTED: Final = (range(0x0530), range(0x2000, 0x2070), range(0x2070, 0x2300))
_BASIC: Final = 0x10000


def as_pdf(document: Document) -> bytes:
    """The document as a PDF that can be read aloud too (PDF/UA-1), without a date: always the same bytes.

    Fonts of the machine are only asked for letters that ours lack.
    """
    typst = part("typst", "a PDF report")
    source = files("punto.lab.report").joinpath("paper.typ").read_bytes()
    pdf: bytes = typst.compile(
        {"main.typ": source, "document.json": source_of(document)},
        format="pdf",
        ignore_system_fonts=_is_printed(document),
        pdf_standards=["ua-1"],
    )
    return pdf


def source_of(document: Document) -> bytes:
    """The document as the sheet's data."""
    plain = _printed(msgspec.to_builtins(document))
    for section, drawn in zip(document.sections, plain["sections"], strict=True):
        for block, data in zip(section.blocks, drawn["blocks"], strict=True):
            if isinstance(block, Code):
                data["text"] = _escaped(block.text)
            elif isinstance(block, Figure):
                data["svg"] = block.svg
    return msgspec.json.encode(plain | {"colours": COLOURS})


def _printed(plain: Any) -> Any:  # noqa: ANN401
    """Every text of a plain value as it is printed."""
    match plain:
        case str():
            return printed(plain)
        case dict():
            return {key: _printed(value) for key, value in plain.items()}
        case list() | tuple():
            return [_printed(value) for value in plain]
    return plain


def _escaped(text: str) -> str:
    r"""The text with letters that cannot be printed as the escapes of TOML.

    >>> print(_escaped('zh = "和"'))
    zh = "\u548c"
    """
    return "".join(letter if _has(letter) else _escape(ord(letter)) for letter in text)


def _escape(point: int) -> str:
    return f"\\u{point:04x}" if point < _BASIC else f"\\U{point:08x}"


def _is_printed(document: Document) -> bool:
    """Whether our fonts have every letter."""
    return all(map(_has, set(source_of(document).decode())))


def _has(letter: str) -> bool:
    return any(ord(letter) in letters for letters in _PRINTED)
