"""How far a long piece of work has come, on the terminal and nowhere else."""

import time
from contextlib import contextmanager
from typing import TYPE_CHECKING

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


@contextmanager
def progress(total: int, unit: str, before: int = 0) -> "Iterator[Callable[[int], None]]":
    """A line with what is done, how fast, and how long the rest will take; it goes away with the work."""
    out = Console(stderr=True)
    if not out.is_terminal:
        yield lambda _done: None
        return
    start = time.monotonic()
    words = f"{{task.percentage:>5.1f}} %  {{task.completed:,.0f}} {unit}  {{task.fields[rate]}}"
    columns = (BarColumn(bar_width=30), TextColumn(words), TimeRemainingColumn(compact=True))
    with Progress(*columns, console=out, transient=True) as drawn:
        task = drawn.add_task("", total=total, completed=before, rate="")

        def show(done: int) -> None:
            per_second = (done - before) / max(time.monotonic() - start, 1e-9)
            drawn.update(task, completed=done, rate=_rate(per_second))

        yield show


def _rate(per_second: float) -> str:
    return f"{per_second / 1e6:,.1f} M/s" if per_second >= 1e6 else f"{per_second:,.0f}/s"  # noqa: PLR2004
