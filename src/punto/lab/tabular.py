"""Results as tables (pandas, polars or Arrow, whichever is installed) and as plots."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from html import escape
from importlib import import_module
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

from punto.errors import MissingPart

if TYPE_CHECKING:
    from matplotlib.figure import Figure

Record = dict[str, Any]
# A cluster is of no use without what it deals with.
_TOGETHER: Final = {"cluster": "lab,cluster"}


def part(module: str, wanted_for: str, extra: str = "lab") -> Any:  # noqa: ANN401
    """A module that not every installation has."""
    try:
        return import_module(module)
    except ImportError:
        package = module.partition(".")[0]
        source = f"pip install 'punto[{_TOGETHER.get(extra, extra)}]'" if extra else f"pip install {package}"
        raise MissingPart(f"{wanted_for} needs {package}, which is not installed: {source}") from None


class Tabular(ABC):
    """Something that can be laid out as a table."""

    @abstractmethod
    def records(self) -> Sequence[Record]:
        """One record a line, all with the same fields; probabilities as floating-point numbers."""

    def columns(self) -> dict[str, list[Any]]:
        """The records turned round: one list for each field."""
        records = self.records()
        return {name: [record[name] for record in records] for name in (records[0] if records else ())}

    def _repr_html_(self) -> str:
        """The table as a notebook shows it."""
        columns = self.columns()
        head = "".join(f"<th>{escape(name)}</th>" for name in columns)
        rows = [
            "".join(f"<td>{escape(f'{value:.6g}' if isinstance(value, float) else str(value))}</td>" for value in row)
            for row in zip(*columns.values(), strict=True)
        ]
        body = "".join(f"<tr>{row}</tr>" for row in rows)
        return f"<table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"

    def to_pandas(self) -> Any:  # noqa: ANN401
        """A pandas DataFrame."""
        return part("pandas", "to_pandas", "").DataFrame(self.columns())

    def to_polars(self) -> Any:  # noqa: ANN401
        """A polars DataFrame."""
        return part("polars", "to_polars", "").DataFrame(self.columns())

    def to_arrow(self) -> Any:  # noqa: ANN401
        """An Arrow table."""
        return part("pyarrow", "to_arrow", "").table(cast("Any", self.columns()))


class Drawable(ABC):
    """Something that can be drawn."""

    @abstractmethod
    def plot(self) -> "Figure":
        """It as a figure of matplotlib, which a notebook shows."""

    def save(self, path: Path | str) -> None:
        """Draw it into a file, of the kind that the name says."""
        from punto.lab.figures import as_bytes, check_target  # noqa: PLC0415
        from punto.lab.files import write_whole  # noqa: PLC0415

        target = check_target(str(path))
        write_whole(target, as_bytes(self.plot(), target.suffix.lower().removeprefix(".")))
