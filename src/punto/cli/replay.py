"""`punto replay` and `punto recall`: rounds as they were written, step by step or at a glance."""

import sys
from collections.abc import Iterable, Mapping
from typing import Final

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from punto.cards import parse_cards
from punto.cli.events import Plain, at, clock, said
from punto.cli.ink import MONEY, QUIET, STYLE_OF, card_text, console, print_hanging
from punto.cli.options import Source
from punto.cli.settled import hand_line, outcome_line
from punto.cli.showing import showing
from punto.cli.wire import encode
from punto.errors import BadUsage, PuntoError, named
from punto.record.credits import Credits, credits_around
from punto.record.reasons import reasons, told
from punto.record.rounds import Round, Step, find_round, last_rounds
from punto.record.wagers import OPEN, VOID
from punto.rules import Language, Side, Winner
from punto.rules.money import money
from punto.rules.wording import WINNERS
from punto.store import Store

# Whoever's position and name are longer than this has a line that begins later than the others.
_WHO: Final = 26
_TIME: Final = len("00:00:00  ")
_INDENT: Final = 2
_GAP: Final = 2


def show_round(source: Source, table: str, number: int, language: Language, *, as_json: bool) -> int:
    """One round, step by step, with why each wager was paid."""
    with showing(source) as shown:
        found = find_round(shown.store, table, number)
    coup = found.coup
    wagers = [told(each) for each in found.every_wager().values()]
    why = reasons(found, language)
    if as_json:
        sys.stdout.write(encode(_as_json(found, wagers, why)) + "\n")
        return shown.status
    out = console()
    _print_title(out, table, found)
    who = min(_WHO, max(cell_len(_who(step)) for step in found.steps))
    for step in found.steps:
        _print_step(out, step, who, _below(found, step))
    if coup:
        out.print()
        out.print(hand_line(Side.PLAYER, coup.player.cards, language))
        out.print(hand_line(Side.BANKER, coup.banker.cards, language))
        out.print(outcome_line(coup, language))
    if wagers:
        out.print()
        _print_paid(out, wagers, why)
    return shown.status


def show_recall(source: Source, table: str, count: int, patron: str | None, *, as_json: bool) -> int:
    """The last rounds: wagers, cards, credits before and after; the unfinished one included."""
    if count < 1:
        raise BadUsage("--rounds: expected 1 or more")
    with showing(source) as shown:
        rounds = last_rounds(shown.store, table, count)
        recalled = [_recalled(shown.store, each, patron) for each in rounds]
    if as_json:
        sys.stdout.write(encode({"table": table, "rounds": recalled}) + "\n")
        return shown.status
    out = console()
    widths = _widths(wager for plain in recalled for wager in plain["wagers"])
    for place, plain in enumerate(recalled):
        if place:
            out.print()
        _print_heading(out, plain)
        for wager in plain["wagers"]:
            line = Text(" " * _INDENT).append_text(_line(_cells(wager), widths))
            print_hanging(out, line, _note(wager), indent=_INDENT, style=QUIET)
        for name, around in plain["credits"].items():
            _print_credits(out, name, around, widths[0])
    return shown.status


def _recalled(store: Store, each: Round, patron: str | None) -> Plain:
    """One round at a glance."""
    wagers = [told(wager) for wager in each.every_wager().values() if patron in (None, wager["patron"])]
    patrons = dict.fromkeys(wager["patron"] for wager in wagers)
    around = {name: credits_around(store, name, each.commands_of(name)) for name in patrons}
    return {
        "round": each.number,
        "shoe": each.opened["shoe"],
        "at": at(each.steps[0].at_ms),
        "cards": each.cards,
        "outcome": each.winner,
        "state": each.state,
        "clause": (each.voided or {}).get("clause"),
        "demonstration": bool(each.setup.get("demonstration")),
        "wagers": wagers,
        "credits": {name: _credits(found) for name, found in around.items() if found},
    }


def _credits(found: Credits) -> Plain:
    """Credits before and after, and debts where there are any."""
    plain = {"before_cents": found.before_cents, "after_cents": found.after_cents}
    if found.owed_before_cents or found.owed_after_cents:
        plain |= {"owed_before_cents": found.owed_before_cents, "owed_after_cents": found.owed_after_cents}
    return plain


def _print_heading(out: Console, plain: Plain) -> None:
    """Which round it was, its cards, and how it ended."""
    line = Text(f"Round {plain['round']}", style="bold")
    line.append(f"  shoe {plain['shoe']}  {plain['at']}", style=QUIET)
    for place, name in enumerate(plain["cards"].split()):
        line.append(" " if place else "  ").append_text(_card(name))
    if plain["outcome"]:
        winner = Winner(plain["outcome"])
        line.append("  ").append(WINNERS[winner].text(Language.ENGLISH), style=STYLE_OF[winner])
    else:
        line.append(f"  {plain['state']}", style="bold")
    if plain["clause"]:
        line.append(f"  {plain['clause']}", style=QUIET)
    for mark in _marks(plain):
        line.append(f"  {mark}", style=QUIET)
    out.print(line)


def _card(name: str) -> Text:
    """A card with its sign; what is no card, as it was written."""
    try:
        return card_text(parse_cards(name)[0])
    except PuntoError:
        return Text(name)


def _widths(wagers: Iterable[Plain]) -> list[int]:
    """How wide each column is, so that rounds stand below each other."""
    columns = zip(*(_cells(wager) for wager in wagers), strict=True)
    return [min(_WHO, max(cell.cell_len for cell in column)) for column in columns] or [0]


def _line(cells: Iterable[Text], widths: Iterable[int]) -> Text:
    """Cells beside each other, each as wide as its column; a name that is too long pushes the others on."""
    line = Text()
    for cell, width in zip(cells, widths, strict=True):
        room = " " * (width - cell.cell_len)
        line.append_text(Text(room) + cell if cell.justify == "right" else cell + Text(room))
        line.append(" " * _GAP)
    return line


def _cells(wager: Plain) -> tuple[Text, ...]:
    """A wager on one line: whose, on what, how much, what became of it, and by which clause."""
    result, stake, paid = wager["result"], money(wager["stake_cents"]), wager.get("paid_cents")
    counted = wager.get("counted_cents")
    if counted and counted != wager["stake_cents"]:
        stake = f"{money(counted)} of {stake}"
    style = MONEY if result == "win" else QUIET if result in {OPEN, VOID} else ""
    return (
        Text(wager["patron"]),
        Text(wager["wager"]),
        Text(stake, justify="right"),
        Text(result, style=style),
        Text("" if paid is None else money(paid), style=style, justify="right"),
        Text(wager.get("clause", ""), style=QUIET),
    )


def _note(wager: Plain) -> list[str]:
    """What was removed of a wager that stayed."""
    removed = wager.get("removed_cents")
    return [f"{money(removed)} removed"] if removed else []


def _print_credits(out: Console, name: str, around: Plain, width: int) -> None:
    parts = [f"credits {money(around['before_cents'])} → {money(around['after_cents'])}"]
    if "owed_after_cents" in around:
        parts.append(f"owed {money(around['owed_before_cents'])} → {money(around['owed_after_cents'])}")
    lead = Text(" " * _INDENT).append_text(_line([Text(name)], [width]))
    print_hanging(out, lead, parts, indent=_INDENT + width + _GAP, style=QUIET)


def _as_json(found: Round, wagers: list[Plain], why: Mapping[int, str]) -> Plain:
    steps = [{"version": s.version, "at_ms": s.at_ms, "by": s.by, "command": s.command, **s.event} for s in found.steps]
    settled = found.settled or {}
    return {
        "round": found.number,
        "cards": found.cards,
        "state": found.state,
        "steps": steps,
        "payments": [{**each, "why": why.get(each["number"], "")} for each in settled.get("payments", [])],
        "wagers": wagers,
    }


def _print_title(out: Console, table: str, found: Round) -> None:
    opened = found.opened
    book = " ".join(str(part) for part in (opened["rulebook"], opened["version"]) if part)
    line = Text(f"Table {named(table)}, round {found.number}", style="bold")
    day = at(found.steps[0].at_ms).partition(" ")[0]
    parts = [found.setup.get("game", ""), book, f"shoe {opened['shoe']}", day, *_marks(found.setup)]
    print_hanging(out, line.append("  "), parts, indent=_INDENT, style=QUIET)


def _marks(setup: Plain) -> list[str]:
    """What must be said of a table wherever it is shown (interpretation 42)."""
    return ["demonstration rules"] if setup.get("demonstration") else []


def _who(step: Step) -> str:
    position, name = step.by["position"], step.by["name"]
    return name if position == name else f"{position} {name}"


def _below(found: Round, step: Step) -> str:
    """Which part of a step is left out, for it is told with the wagers below, or was told before."""
    if step.event is found.settled or step.type == "settlement-reversed":
        return "payments"
    return "returns" if step.event is found.voided else ""


def _print_step(out: Console, step: Step, width: int, left_out: str) -> None:
    who = _who(step)
    lead = Text(f"{clock(step.at_ms)}  ", style=QUIET).append(who).append(" " * (width - cell_len(who) + _GAP))
    lead.append(f"{step.type}  ", style="bold")
    kept = {key: value for key, value in step.event.items() if key != left_out}
    print_hanging(out, lead, said(kept), indent=_TIME + width + _GAP, style=QUIET)


def _print_paid(out: Console, wagers: list[Plain], why: Mapping[int, str]) -> None:
    """What became of each wager, and why: beside it where there is room for all of them, else below."""
    widths = _widths(wagers)
    wide = max(len(str(wager["number"])) for wager in wagers)
    lines = [Text(f"{wager['number']:>{wide}}  ").append_text(_line(_cells(wager), widths)) for wager in wagers]
    reasons = ["; ".join([*_note(wager), *filter(None, [why.get(wager["number"])])]) for wager in wagers]
    together = list(zip(lines, reasons, strict=True))
    beside = all(line.cell_len + cell_len(reason) <= out.width for line, reason in together)
    for line, reason in together:
        print_hanging(out, line, [reason] if beside else [], indent=0, style=QUIET)
        if reason and not beside:
            below = wide + _GAP
            print_hanging(out, Text(" " * below), reason.split(), indent=below, style=QUIET, between=" ")
