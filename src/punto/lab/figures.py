"""Figures that tell without decoration: one look for all plots, the same bytes for the same input."""

import io
from contextlib import contextmanager
from itertools import cycle
from pathlib import Path
from typing import TYPE_CHECKING, Final

from punto.errors import UnwritableFile, quoted
from punto.lab.files import check_writable
from punto.lab.tabular import part

if TYPE_CHECKING:
    from collections.abc import Iterator

    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# Banker is red, Player is blue, Tie is green; no other wager takes these.
COLOURS: Final = {"Banker": "#c8102e", "Player": "#1f5fbf", "Tie": "#1a8a4a"}
OTHERS: Final = ("#7a4fa3", "#d98200", "#00808a", "#8a5a44", "#b0407c", "#6b7a1e", "#4a4a55", "#a08c00")
QUIET: Final = "#6b6b76"
INK: Final = "#1c1c22"
_FORMATS: Final = (".png", ".svg", ".pdf")
_LOOK: Final = {
    "font.family": "DejaVu Sans",
    "font.size": 9,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titleweight": "bold",
    "axes.titlesize": 10,
    "axes.grid": True,
    "axes.axisbelow": True,
    "grid.color": "#e4e4ea",
    "grid.linewidth": 0.7,
    "xtick.color": QUIET,
    "ytick.color": QUIET,
    "legend.frameon": False,
    "legend.fontsize": 8,
    "svg.hashsalt": "punto",
    "svg.fonttype": "path",
    "figure.facecolor": "white",
}


@contextmanager
def figure(width: float = 7.2, height: float = 3.6) -> "Iterator[tuple[Figure, Axes]]":
    """An empty figure with one pair of axes, in our look."""
    matplotlib = part("matplotlib", "a plot")
    figures = part("matplotlib.figure", "a plot")
    with matplotlib.rc_context(_LOOK):
        drawn = figures.Figure(figsize=(width, height), layout="constrained")
        yield drawn, drawn.subplots()


def title(drawn: "Figure", text: str) -> None:
    """A title over the whole figure, legend and all."""
    drawn.suptitle(text, x=0.01, horizontalalignment="left", fontsize=10, fontweight="bold")


def colours(names: "list[str]") -> dict[str, str]:
    """A colour for each wager."""
    others = cycle(OTHERS)
    return {name: COLOURS.get(name) or next(others) for name in names}


def as_bytes(drawn: "Figure", kind: str) -> bytes:
    """The figure as a file of a kind, without the date."""
    matplotlib = part("matplotlib", "a plot")
    undated = {"svg": {"Date": None}, "pdf": {"CreationDate": None}, "png": {"Software": None}}[kind]
    target = io.BytesIO()
    with matplotlib.rc_context(_LOOK):
        drawn.savefig(target, format=kind, dpi=160, metadata=undated)
    return target.getvalue()


def check_target(name: str, kinds: tuple[str, ...] = _FORMATS) -> Path:
    """The file to be written, if its folder is there and its kind is one that we make."""
    path = Path(name)
    if kinds is _FORMATS:
        part("matplotlib", "a plot")
    if path.suffix.lower() not in kinds:
        raise UnwritableFile(f"{quoted(path.name, 40)}: expected a name that ends in {' or '.join(kinds)}")
    return check_writable(path)
