"""`punto scenario`: play what is written, and say what came of each line."""

import sys
from typing import Any

import msgspec
from rich.text import Text

from punto.cli.entry import as_json as error_as_json
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console
from punto.cli.stores import is_empty, is_kept, key_file
from punto.cli.wire import encode
from punto.errors import BadUsage, quoted
from punto.floor.keys import Keys
from punto.floor.scenario import Runner, Scenario, Step, read_scenario
from punto.store import open_store

IN_MEMORY = "memory:"
AS_EXPECTED = 0
OTHERWISE = 1
_WHO = 26
_SHOWN = ("wager", "stake_cents", "side", "card", "draw", "found", "method", "cents", "number", "withdraw", "ruling")


def run(name: str, url: str, key: str | None, under: str | None, *, as_json: bool) -> int:
    """Play a file; the status says whether all came as expected."""
    scenario = read_scenario(read_text(name))
    status = AS_EXPECTED
    for book in _books(scenario, url, under):
        store = open_store(url)
        try:
            keys = Keys.at(key_file(store, key), create=is_empty(store)) if is_kept(store) else Keys.fresh()
            runner = Runner(store, scenario, book, keys)
            if not as_json:
                _title(scenario, book)
            for step in runner.run():
                status = OTHERWISE if step.wrong else status
                sys.stdout.write(encode(_plain(step, book)) + "\n") if as_json else _show(step)
        finally:
            store.close()
    return status


def _books(scenario: Scenario, url: str, under: str | None) -> tuple[str, ...]:
    """The rulebooks to play it under; on a store that is kept, one, since its patrons have one wallet each."""
    books = scenario.heading.under
    if under is not None:
        if under not in books:
            raise BadUsage(f"--under: {quoted(under)}: expected {', '.join(books) or 'none, for it has no heading'}")
        return (under,)
    if len(books) > 1 and url != IN_MEMORY:
        raise BadUsage(f"it is played under {', '.join(books)}: name one of them with --under to keep it in a store")
    return books or ("",)


def _plain(step: Step, book: str) -> dict[str, Any]:
    """One line's result as JSON."""
    answer: dict[str, Any] = {"line": step.line.number}
    if book:
        answer["under"] = book
    if step.refusal:
        answer |= error_as_json(step.refusal)
    else:
        answer["events"] = [msgspec.to_builtins(event) for event in step.events]
    if step.wrong:
        answer["wrong"] = list(step.wrong)
    return answer


def _title(scenario: Scenario, book: str) -> None:
    if scenario.heading.title:
        clauses = ", ".join(scenario.heading.named(book))
        console().print(Text(scenario.heading.title, style="bold").append(f"  {clauses}", style=QUIET))


def _show(step: Step) -> None:
    """One line: who did what, and what came of it."""
    fields = step.line.fields
    by = fields.get("by", "")
    who = by if isinstance(by, str) else f"{by.get('position', '')} {by.get('name', '')}"
    what = " ".join([str(fields.get("do", "draw-card")), *[str(fields[key]) for key in _SHOWN if key in fields]])
    out = console()
    line = Text(f"{step.line.number:>4}  ", style=QUIET).append(f"{who:<{_WHO}} ").append(what, style="bold")
    out.print(line)
    if step.refusal:
        out.print(
            Text(f"      refused: {step.refusal.message}", style="red").append(f"  {step.refusal.code}", style=QUIET)
        )
    for event in step.events:
        plain = msgspec.to_builtins(event)
        kind = plain.pop("type")
        out.print(Text(f"      {kind}", style="green").append(f"  {_said(plain)}", style=QUIET))
    for wrong in step.wrong:
        out.print(Text(f"      otherwise than written: {wrong}", style="bold red"))


def _said(plain: dict[str, Any]) -> str:
    """The plain fields of an event, on one line."""
    parts = []
    for key, value in plain.items():
        if isinstance(value, (str, int)) and key not in {"sealed", "commitment", "digest", "order", "salt"}:
            parts.append(f"{key} {value}")
        elif isinstance(value, (list, tuple)) and all(isinstance(each, (str, int)) for each in value):
            parts.append(f"{key} {' '.join(map(str, value)) or 'none'}")
        elif key in {"payments", "returns"}:
            parts.extend(f"[{each['patron']} {each.get('wager', '')} {_outcome(each)}]" for each in value)
    return ", ".join(parts)


def _outcome(each: dict[str, Any]) -> str:
    return f"{each.get('result', 'returned')} {each.get('paid_cents', each.get('cents'))}"
