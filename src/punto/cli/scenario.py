"""`punto scenario`: play what is written, and say what came of each line."""

import sys
from typing import Any

import msgspec
from rich.text import Text

from punto.cli.entry import as_json as error_as_json
from punto.cli.events import said
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console, print_hanging
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
_BELOW = 6
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
        out = console()
        out.print(Text(scenario.heading.title, style="bold"))
        print_hanging(out, Text(), scenario.heading.named(book), indent=0, style=QUIET)


def _show(step: Step) -> None:
    """One line: who did what, and what came of it."""
    fields = step.line.fields
    by = fields.get("by", "")
    who = f"{by.get('position', '')} {by.get('name', '')}" if isinstance(by, dict) else str(by)
    what = " ".join([str(fields.get("do", "draw-card")), *[str(fields[key]) for key in _SHOWN if key in fields]])
    out = console()
    line = Text(f"{step.line.number:>4}  ", style=QUIET).append(f"{who:<{_WHO}} ").append(what, style="bold")
    out.print(line)
    below = " " * _BELOW
    if step.refusal:
        lead = Text(f"{below}refused: {step.refusal.code}  ", style="red")
        print_hanging(out, lead, step.refusal.message.split(), indent=_BELOW, between=" ")
    for event in step.events:
        plain = msgspec.to_builtins(event)
        lead = Text(f"{below}{plain['type']}  ", style="green")
        print_hanging(out, lead, said(plain), indent=_BELOW, style=QUIET)
    for wrong in step.wrong:
        lead = Text(f"{below}otherwise than written: ", style="bold red")
        print_hanging(out, lead, wrong.split(), indent=_BELOW, between=" ", style="bold red")
