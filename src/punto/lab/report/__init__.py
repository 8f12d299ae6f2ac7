"""The report: all there is to say about one game, as the document that goes to a test laboratory or a regulator.

It is written once, as sections of text, tables and figures, and drawn twice: on paper (PDF) and as a page (HTML). It
has no date, no path and no measure of time in it, so that the same game gives the same bytes.
"""

from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Final

from punto.lab.report.contents import contents
from punto.lab.report.document import Document
from punto.lab.report.page import as_html
from punto.lab.report.paper import as_pdf
from punto.lab.report.results import USUAL_ROUNDS, USUAL_SEED, USUAL_SHOES, Results
from punto.lab.tabular import part

__all__ = [
    "KINDS",
    "USUAL_ROUNDS",
    "USUAL_SEED",
    "USUAL_SHOES",
    "Document",
    "Results",
    "as_html",
    "as_pdf",
    "contents",
    "report",
]

KINDS: Final[Mapping[str, Callable[[Document], bytes]]] = MappingProxyType({"pdf": as_pdf, "html": as_html})
_NEEDED: Final = {"pdf": ("matplotlib", "numba", "typst"), "html": ("matplotlib", "numba")}


def report(results: Results, kind: str = "pdf") -> bytes:
    """The report as a file of a kind; what it needs is asked for before anything is worked out."""
    draw = KINDS[kind]
    for module in _NEEDED[kind]:
        part(module, f"a report as {kind.upper()}")
    return draw(contents(results))
