"""`punto scenario FOLDER`: play every scenario below a folder, one line each, and sum up."""

import os
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Any, Final

from rich.console import Console
from rich.text import Text

from punto.cli.entry import as_json as error_as_json
from punto.cli.entry import one_line
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console, print_hanging
from punto.cli.wire import encode
from punto.errors import BadUsage, PuntoError, UnreadableFile, quoted
from punto.floor.scenario import Runner, Scenario, read_scenario
from punto.games import RULEBOOKS
from punto.store import MemoryStore

SUFFIX: Final = ".jsonl"
_STATUS: Final = 12
_BOOK: Final = 6


class Verdict(Enum):
    """What came of a scenario."""

    AS_WRITTEN = "ok"
    OTHERWISE = "otherwise"
    UNREADABLE = "unreadable"


_STYLES: Final = {
    Verdict.AS_WRITTEN: "green",
    Verdict.OTHERWISE: "bold red",
    Verdict.UNREADABLE: "bold red",
}


@dataclass(frozen=True)
class Run:
    """A scenario played under one rulebook: the lines that came otherwise, or why it could not be played."""

    file: str
    title: str = ""
    book: str = ""
    wrong: tuple[tuple[int, str], ...] = ()
    error: PuntoError | None = None

    @property
    def verdict(self) -> Verdict:
        """What came of it."""
        if self.error:
            return Verdict.UNREADABLE
        return Verdict.OTHERWISE if self.wrong else Verdict.AS_WRITTEN


def run(folder: Path, under: str | None, *, as_json: bool) -> int:
    """Play a folder; the status says whether all came as written."""
    under = under.upper() if under else None
    if under is not None and under not in RULEBOOKS:
        raise BadUsage(f"--under: {quoted(under)}: expected {', '.join(RULEBOOKS)}")
    out = console()
    verdicts: dict[str, Verdict] = {}
    runs = 0
    for played in _runs(folder, under):
        runs += not played.error
        sys.stdout.write(encode(_as_json(played)) + "\n") if as_json else _show(played, out)
        if verdicts.get(played.file, Verdict.AS_WRITTEN) is Verdict.AS_WRITTEN:
            verdicts[played.file] = played.verdict
    if not verdicts:
        where = f" that is played under {under}" if under else ""
        raise UnreadableFile(f"{folder}: there is no scenario below it{where}: expected files that end in {SUFFIX}")
    counts = Counter(verdicts.values())
    sys.stdout.write(encode(_sum_as_json(counts, runs)) + "\n") if as_json else _show_sum(counts, runs, out)
    return int(counts[Verdict.AS_WRITTEN] != counts.total())


# Playing


def _runs(folder: Path, under: str | None) -> Iterator[Run]:
    """Every scenario under each of its rulebooks, in the order of their names."""
    closed: list[OSError] = []
    for path in sorted(_files(folder, closed)):
        name = path.relative_to(folder).as_posix()
        try:
            scenario = _read(path)
        except PuntoError as error:
            yield Run(name, error=error)
            continue
        for book in scenario.heading.under or ("",):
            if under in {None, book}:
                yield _played(name, scenario, book)
    for fault in closed:
        said = f"this folder cannot be read: {fault.strerror}"
        yield Run(os.path.relpath(fault.filename, folder), error=UnreadableFile(said))


def _files(folder: Path, closed: list[OSError]) -> Iterator[Path]:
    """Every file of a scenario; folders that cannot be read are put into *closed*, and links are not followed."""
    for where, _, names in os.walk(folder, onerror=closed.append):
        for name in names:
            if name.endswith(SUFFIX):
                yield Path(where, name)


def _read(path: Path) -> Scenario:
    if not path.is_file():
        raise UnreadableFile("it leads to no file: expected a text file")
    try:
        return read_scenario(read_text(str(path)))
    except UnreadableFile as error:
        raise UnreadableFile(error.message.removeprefix(f"{path}: "), error.at) from None


def _played(name: str, scenario: Scenario, book: str) -> Run:
    title = scenario.heading.title
    try:
        steps = Runner(MemoryStore(), scenario, book).run()
        wrong = tuple((step.line.number, said) for step in steps for said in step.wrong)
    except PuntoError as error:
        return Run(name, title, book, error=error)
    except Exception as error:
        # The other scenarios have nothing to do with it.
        if "PUNTO_DEBUG" in os.environ:
            raise
        fault = PuntoError(f"internal error ({type(error).__name__}: {error}); PUNTO_DEBUG=1 shows where")
        return Run(name, title, book, error=fault)
    return Run(name, title, book, wrong)


# For a program


def _as_json(played: Run) -> dict[str, Any]:
    answer: dict[str, Any] = {"scenario": one_line(played.file)}
    if played.title:
        answer["title"] = one_line(played.title)
    if played.book:
        answer["under"] = played.book
    answer["verdict"] = played.verdict.value
    if played.error:
        answer |= error_as_json(played.error)
    if played.wrong:
        answer["wrong"] = [{"line": line, "said": one_line(said)} for line, said in played.wrong]
    return answer


def _sum_as_json(counts: Counter[Verdict], runs: int) -> dict[str, Any]:
    return {
        "sum": {
            "scenarios": counts.total(),
            "runs": runs,
            "as_written": counts[Verdict.AS_WRITTEN],
            "otherwise": counts[Verdict.OTHERWISE],
            "unreadable": counts[Verdict.UNREADABLE],
        }
    }


# For a person


def _show(played: Run, out: Console) -> None:
    """One line: what came of it, the rulebook, the file, and the first thing that is wrong."""
    lead = Text().append(f"{played.verdict.value:<{_STATUS}}", style=_STYLES[played.verdict])
    lead.append(f"{played.book:<{_BOOK}}", style=QUIET).append(f"{one_line(played.file)}  ")
    words = one_line(_said(played)).split()
    if out.is_terminal:
        print_hanging(out, lead, words, indent=_STATUS + _BOOK, between=" ")
    else:
        # A program that reads lines gets one for each run, however long it is.
        sys.stdout.write(f"{lead.plain}{' '.join(words)}".rstrip() + "\n")


def _said(played: Run) -> str:
    if played.error:
        return played.error.message
    if not played.wrong:
        return ""
    line, first = played.wrong[0]
    more = len(played.wrong) - 1
    return f"line {line}: {first}" + (f" (and {more} more)" if more else "")


def _show_sum(counts: Counter[Verdict], runs: int, out: Console) -> None:
    scenarios = counts.total()
    parts = [
        f"{scenarios:,} scenario{'' if scenarios == 1 else 's'}",
        f"{counts[Verdict.AS_WRITTEN]:,} as written",
        f"{counts[Verdict.OTHERWISE]:,} otherwise",
    ]
    if counts[Verdict.UNREADABLE]:
        parts.append(f"{counts[Verdict.UNREADABLE]:,} unreadable")
    out.print()
    fine = counts[Verdict.AS_WRITTEN] == scenarios
    out.print(Text(", ".join(parts), style="bold green" if fine else "bold red"))
    if runs > scenarios - counts[Verdict.UNREADABLE]:
        out.print(Text(f"{runs:,} runs: each scenario once under each of its rulebooks", style=QUIET))
