"""`punto replay` and `punto recall`: rounds as they were written, step by step or at a glance."""

import sys
from typing import Any, Final

from rich.console import Console
from rich.table import Table
from rich.text import Text

from punto.cards import parse_cards
from punto.cli.events import Plain, at, said
from punto.cli.ink import MONEY, QUIET, card_text, console, print_hanging
from punto.cli.settled import hand_line, outcome_line
from punto.cli.stores import reading
from punto.cli.wire import encode
from punto.errors import BadUsage
from punto.games import edition
from punto.record.rounds import Round, Step, credits_around, find_round, last_rounds
from punto.rules import Coup, Deal, Game, Language, Side
from punto.rules.money import money

_WHO: Final = 26
# Where the steps say what happened.
_WHAT: Final = len("00:00:00  ") + _WHO + 1


def show_round(url: str, table: str, number: int, language: Language, *, as_json: bool) -> None:
    """One round, step by step, with why each wager was paid."""
    with reading(url) as store:
        found = find_round(store, table, number)
    if as_json:
        sys.stdout.write(encode(_as_json(found, language)) + "\n")
        return
    out = console()
    out.print(_title(table, found))
    for step in found.steps:
        _print_step(out, step)
    out.print()
    game, coup = _played(found)
    if coup:
        out.print(hand_line(Side.PLAYER, coup.player.cards, language))
        out.print(hand_line(Side.BANKER, coup.banker.cards, language))
        out.print(outcome_line(coup, language))
        out.print()
    out.print(_paid(found, game, coup, language))


def show_recall(url: str, table: str, count: int, patron: str | None, *, as_json: bool) -> None:
    """The last rounds: wagers, cards, credits before and after; the unfinished one included."""
    if count < 1:
        raise BadUsage("--rounds: expected 1 or more")
    with reading(url) as store:
        rounds = last_rounds(store, table, count)
        recalled = [_recalled(store, each, patron) for each in rounds]
    if as_json:
        sys.stdout.write(encode({"table": table, "rounds": recalled}) + "\n")
        return
    out = console()
    for plain in recalled:
        out.print(_recall_heading(plain))
        out.print(_recall_table(plain))


def _recalled(store: Any, each: Round, patron: str | None) -> Plain:  # noqa: ANN401
    """One round at a glance."""
    paid = {payment["number"]: payment for payment in (each.settled or {}).get("payments", [])}
    back = {entry["number"]: entry["cents"] for entry in (each.voided or {}).get("returns", [])}
    wagers = []
    for number, placed in each.wagers().items():
        if patron and placed["patron"] != patron:
            continue
        wager: Plain = {key: placed[key] for key in ("number", "patron", "wager", "stake_cents")}
        payment = paid.get(number)
        if payment:
            wager |= {"result": payment["result"], "paid_cents": payment["paid_cents"], "clause": payment["clause"]}
        elif number in back:
            wager |= {"result": "void", "paid_cents": back[number]}
        wagers.append(wager)
    patrons = dict.fromkeys(wager["patron"] for wager in wagers)
    around = {name: credits_around(store, name, each.commands) for name in patrons}
    return {
        "round": each.number,
        "shoe": each.opened["shoe"],
        "at": at(each.steps[0].at_ms),
        "cards": each.cards,
        "outcome": (each.last("outcome-announced") or {}).get("winner") if each.settled else None,
        "state": "void" if each.voided else "settled" if each.settled else "unfinished",
        "clause": (each.voided or {}).get("clause"),
        "wagers": wagers,
        "credits": {
            name: {"before_cents": found[0], "after_cents": found[1]} for name, found in around.items() if found
        },
    }


def _recall_heading(plain: Plain) -> Text:
    line = Text(f"Round {plain['round']}", style="bold").append(f"  shoe {plain['shoe']}  {plain['at']}  ", style=QUIET)
    for name in plain["cards"].split():
        line.append_text(Text(name) if name == "?" else card_text(parse_cards(name)[0]))
        line.append(" ")
    outcome = plain["outcome"] or plain["state"]
    return line.append(f" {outcome}", style="bold").append(f"  {plain['clause'] or ''}", style=QUIET)


def _recall_table(plain: Plain) -> Table:
    table = Table(box=None, show_header=False, pad_edge=True, padding=(0, 2, 0, 2))
    for wager in plain["wagers"]:
        result = wager.get("result", "open")
        paid = money(wager["paid_cents"]) if "paid_cents" in wager else ""
        style = MONEY if result == "win" else ""
        table.add_row(wager["patron"], wager["wager"], money(wager["stake_cents"]), result, Text(paid, style=style))
    for name, found in plain["credits"].items():
        before, after = money(found["before_cents"]), money(found["after_cents"])
        table.add_row(name, Text(f"credits {before} → {after}", style=QUIET))
    return table


def _as_json(found: Round, language: Language) -> Plain:
    game, coup = _played(found)
    why = {name: settled.why(language) for name, settled in game.settle(coup).items()} if game and coup else {}
    steps = [{"version": s.version, "at_ms": s.at_ms, "by": s.by, "command": s.command, **s.event} for s in found.steps]
    settled = found.settled or {}
    payments = [{**each, "why": why.get(each["wager"], "")} for each in settled.get("payments", [])]
    return {"round": found.number, "cards": found.cards, "steps": steps, "payments": payments}


def _played(found: Round) -> tuple[Game | None, Coup | None]:
    """The game as it was declared then, and the coup, where there is one."""
    game = edition(found.setup.get("game", ""), found.opened["digest"])
    if game is None or not found.settled:
        return game, None
    return game, Deal.of(game.opening, parse_cards(found.cards, game.deck)).coup


def _title(table: str, found: Round) -> Text:
    opened = found.opened
    book = " ".join(str(part) for part in (opened["rulebook"], opened.get("version")) if part)
    line = Text(f"Table {table}, round {found.number}", style="bold")
    return line.append(f"  {found.setup.get('game', '')}, {book}, shoe {opened['shoe']}", style=QUIET)


def _print_step(out: Console, step: Step) -> None:
    who = f"{step.by['position']} {step.by['name']}" if step.by["position"] != step.by["name"] else step.by["name"]
    lead = (
        Text(f"{at(step.at_ms)[11:]}  ", style=QUIET).append(f"{who:<{_WHO}} ").append(f"{step.type}  ", style="bold")
    )
    told = {key: value for key, value in step.event.items() if key not in {"payments", "returns"}}
    print_hanging(out, lead, said(told), indent=_WHAT, style=QUIET)


def _paid(found: Round, game: Game | None, coup: Coup | None, language: Language) -> Table:
    """What became of each wager, and why."""
    table = Table(box=None, show_header=False, pad_edge=False)
    settled = game.settle(coup) if game and coup else {}
    for payment in (found.settled or {}).get("payments", []):
        stake, paid = money(payment["stake_cents"]), money(payment["paid_cents"])
        won = payment["result"] == "win"
        reason = settled[payment["wager"]].why(language) if payment["wager"] in settled else ""
        table.add_row(
            str(payment["number"]),
            payment["patron"],
            payment["wager"],
            stake,
            Text(payment["result"], style=MONEY if won else ""),
            Text(paid, style=MONEY if won else ""),
            Text(payment["clause"], style=QUIET),
            Text(reason, style=QUIET),
        )
    for each in (found.voided or {}).get("returns", []):
        table.add_row(str(each["number"]), each["patron"], "", money(each["cents"]), "void", money(each["cents"]))
    return table
