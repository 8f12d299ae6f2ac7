"""`punto scenario FILE`: play what is written, and say what came of each line."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import msgspec
from rich.console import Console
from rich.text import Text

from punto.cli.entry import as_json as error_as_json
from punto.cli.entry import one_line
from punto.cli.events import about_wager, said
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console, print_hanging
from punto.cli.stores import is_empty, is_kept, key_file
from punto.cli.wire import encode
from punto.errors import BadUsage, quoted
from punto.floor.keys import Keys
from punto.floor.scenario import Runner, Scenario, Step, read_scenario
from punto.rules.money import money
from punto.store import open_store

IN_MEMORY: Final = "memory:"
AS_WRITTEN: Final = 0
OTHERWISE: Final = 1
_WHO: Final = 26
_BELOW: Final = 6
# What is said of a line elsewhere on the screen, or is nobody's concern there.
_HIDDEN: Final = frozenset(
    {"by", "do", "id", "table", "at_ms", "after_s", "patron", "expect", "refused", "phase", "credits"}
)
# Fields that need no name beside what they say.
_PLAIN: Final = frozenset({"card", "draw", "found", "method", "ruling", "side", "wager"})


def run(name: str, url: str, key: str | None, under: str | None, *, as_json: bool) -> int:
    """Play a file, or every file below a folder; the status says whether all came as written."""
    if Path(name).is_dir():
        from punto.cli import scenarios

        if url != IN_MEMORY:
            raise BadUsage("--store: a folder is played in memory: name one FILE.jsonl to keep it in a store")
        return scenarios.run(Path(name), under, as_json=as_json)
    scenario = read_scenario(read_text(name))
    books = _books(scenario, url, under)
    return max(_play(scenario, book, url, key, as_json=as_json) for book in books)


def _books(scenario: Scenario, url: str, under: str | None) -> tuple[str, ...]:
    """The rulebooks to play it under; on a store that is kept, one, since its patrons have one wallet each."""
    books = scenario.heading.under
    if under is not None:
        under = under.upper()
        if under not in books:
            raise BadUsage(f"--under: {quoted(under)}: expected {', '.join(books) or 'none, for it has no heading'}")
        return (under,)
    if len(books) > 1 and url != IN_MEMORY:
        raise BadUsage(f"it is played under {', '.join(books)}: name one of them with --under to keep it in a store")
    return books or ("",)


def _play(scenario: Scenario, book: str, url: str, key: str | None, *, as_json: bool) -> int:
    """Play it under one rulebook, and show every line as it comes."""
    store = open_store(url)
    try:
        keys = Keys.at(key_file(store, key), create=is_empty(store)) if is_kept(store) else Keys.fresh()
        steps = Runner(store, scenario, book, keys).run()
        if as_json:
            return _write(steps, book)
        return _show(steps, scenario, book, console())
    finally:
        store.close()


# For a program


def _write(steps: Iterator[Step], book: str) -> int:
    status = AS_WRITTEN
    for step in steps:
        status = OTHERWISE if step.wrong else status
        sys.stdout.write(encode(_as_json(step, book)) + "\n")
    return status


def _as_json(step: Step, book: str) -> dict[str, Any]:
    """One line's result; the events before a refusal are those of the cards that were drawn before it."""
    answer: dict[str, Any] = {"line": step.line.number}
    if book:
        answer["under"] = book
    if step.refusal:
        answer |= error_as_json(step.refusal)
    if step.events or not step.refusal:
        answer["events"] = [msgspec.to_builtins(event) for event in step.events]
    if step.wrong:
        answer["wrong"] = [one_line(wrong) for wrong in step.wrong]
    return answer


# For a person


def _show(steps: Iterator[Step], scenario: Scenario, book: str, out: Console) -> int:
    _show_title(scenario, book, out)
    wrong = []
    for step in steps:
        _show_step(step, out)
        if step.wrong:
            wrong.append(step.line.number)
    _show_end(wrong, out)
    return OTHERWISE if wrong else AS_WRITTEN


def _show_title(scenario: Scenario, book: str, out: Console) -> None:
    heading = scenario.heading
    if heading.title:
        out.print(Text(one_line(heading.title), style="bold"))
    cited = [*heading.named(book), *(f"reading {number}" for number in heading.readings)]
    if cited:
        print_hanging(out, Text(), [one_line(each) for each in cited], indent=0, style=QUIET)


def _show_end(wrong: list[int], out: Console) -> None:
    if not wrong:
        out.print(Text("as written", style="bold green"))
    else:
        lines = "line" if len(wrong) == 1 else "lines"
        lead = Text(f"otherwise than written: {lines} ", style="bold red")
        print_hanging(out, lead, [str(number) for number in wrong], indent=0, style="bold red")
    out.print()


def _show_step(step: Step, out: Console) -> None:
    """One line: who did what, and what came of it."""
    fields = step.line.fields
    lead = Text().append(f"{step.line.number:>4}  ", style=QUIET)
    if "scenario" in fields:
        out.print(lead.append("the heading", style="bold"))
    else:
        do = one_line(str(fields.get("do", "draw-card")))
        lead.append(f"{one_line(_who(fields.get('by', ''))):<{_WHO}} ").append(f"{do}  ", style="bold")
        print_hanging(out, lead, [one_line(part) for part in _what(fields)], indent=_BELOW + _WHO + 1)
    for event in step.events:
        plain = msgspec.to_builtins(event)
        _show_below(out, f"{plain['type']}  ", [one_line(part) for part in said(plain)], "green", between=", ")
    if step.refusal and not any(step.refusal.message in wrong for wrong in step.wrong):
        _show_below(out, f"refused: {step.refusal.code}  ", one_line(step.refusal.message).split(), "yellow")
    for wrong in step.wrong:
        _show_below(out, "otherwise than written: ", one_line(wrong).split(), "bold red", style="bold red")


def _show_below(  # noqa: PLR0913
    out: Console, lead: str, parts: list[str], lead_style: str, *, style: str = QUIET, between: str = " "
) -> None:
    first = Text().append(" " * _BELOW + lead, style=lead_style)
    print_hanging(out, first, parts, indent=_BELOW, style=style, between=between)


def _who(by: object) -> str:
    if isinstance(by, dict):
        acting = "acting " if by.get("acting") is True else ""
        return f"{acting}{by.get('position', '')} {by.get('name', '')}"
    return str(by)


def _what(fields: dict[str, Any]) -> Iterator[str]:
    """What a command says, part by part."""
    patron = fields.get("patron")
    if isinstance(patron, str) and not _who(fields.get("by", "")).endswith(patron):
        yield f"patron {patron}"
    for key, value in fields.items():
        if key not in _HIDDEN:
            yield from _part(key, value)
    if fields.get("do") == "report-interruption" and not fields.get("terminals"):
        yield "the whole table"


def _part(key: str, value: object) -> Iterator[str]:
    name = key.removesuffix("_cents").replace("_", " ")
    match value:
        case bool():
            yield name if value else f"not {name}"
        case int() if key.endswith("cents"):
            yield money(value) if key == "cents" else f"{name} {money(value)}"
        case str() if key in _PLAIN:
            yield value
        case str() | int() | float():
            yield f"{name} {value}"
        case list() if key != "terminals" or value:
            said = [about_wager(each) if isinstance(each, dict) and "number" in each else str(each) for each in value]
            yield f"{name} {', '.join(said) or 'none'}"
