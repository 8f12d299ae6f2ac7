"""From a table's log to the text of one of its shoes."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from punto.cards import parse_cards
from punto.errors import NoSuchRound
from punto.games import edition
from punto.games.zone import SINGAPORE
from punto.record.rounds import TABLE, Plain, Round, Step, no_table, steps_of
from punto.record.shoefile import Bet, CoupLine, ShoeFile
from punto.roads import Outcome
from punto.rules import Deal, Game
from punto.store import Store

_SECOND: Final = 1000


def export(store: Store, table: str, shoe: int) -> ShoeFile:
    """One shoe of a table; what is still under seal, and a round that is not over, stay out."""
    if store.tip(TABLE + table) is None:
        raise no_table(store, table)
    setup: Plain = {}
    found: Plain = {}
    headers: dict[str, str] = {}
    rounds: list[Round] = []
    last = 0
    for step in steps_of(store, table):
        event = step.event
        match step.type:
            case "table-opened":
                setup = event["setup"]
            case "shoe-loaded":
                last = event["shoe"]
                if last == shoe:
                    found = setup
                    headers = _headers(table, shoe, setup, step)
            case "shoe-cut" if last == shoe:
                headers["cut"] = str(event["cards"])
            case "shoe-ended" if event["shoe"] == shoe and event.get("order"):
                headers |= {"order": event["order"], "salt": event["salt"]}
            case "bets-opened" if last == shoe:
                rounds.append(Round(event["round"], setup))
        if last == shoe and rounds:
            rounds[-1].steps.append(step)
    if not found:
        raise NoSuchRound(f"table {table} has no shoe {shoe}: expected 1 to {last}")
    game = edition(found["game"], found["digest"])
    coups = tuple(line for each in rounds for line in (*_discarded(each), _coup(each, game)) if line)
    return ShoeFile(headers, coups)


def _headers(table: str, shoe: int, setup: Plain, step: Step) -> dict[str, str]:
    book = " ".join(str(part) for part in (setup["rulebook"], setup.get("version")) if part)
    return {
        "table": table,
        "shoe": str(shoe),
        "game": setup["game"],
        "rulebook": book,
        "digest": setup["digest"],
        "decks": str(setup.get("decks", 8)),
        "unit": str(setup["unit_cents"]),
        "opened": datetime.fromtimestamp(step.at_ms / _SECOND, SINGAPORE).isoformat(" ", "seconds"),
        "commitment": step.event.get("commitment", ""),
        "behind": str(setup.get("behind", 14)) if step.event.get("commitment") else "",
    }


def _discarded(each: Round) -> Iterator[CoupLine]:
    """Cards that were dealt, and discarded when the device was reset."""
    for step in each.steps:
        if step.type == "bets-reopened" and step.event["discarded"]:
            cards = " ".join(card for card in step.event["discarded"].split() if card != "?")
            yield CoupLine(each.number, cards, None, "", step.event["clause"], ())


def _coup(each: Round, game: Game | None) -> CoupLine | None:
    """A round as a line; none while it is not over."""
    void = each.voided
    if void:
        kinds = each.wagers()
        bets = [
            Bet(back["patron"], kinds[back["number"]]["wager"], back["cents"], back["cents"], "void", back["cents"])
            for back in void["returns"]
        ]
        known = " ".join(card for card in each.cards.split() if card != "?")
        return CoupLine(each.number, known, None, "", void["clause"], tuple(bets))
    settled = each.settled
    if not settled:
        return None
    bets = [
        Bet(
            paid["patron"],
            paid["wager"],
            paid["stake_cents"],
            paid["counted_cents"],
            paid["result"] if paid["counted_cents"] else "returned",
            paid["paid_cents"],
        )
        for paid in settled["payments"]
    ]
    announced = each.last("outcome-announced") or {}
    outcome = ""
    if game:
        coup = Deal.of(game.opening, parse_cards(settled["cards"], game.deck)).coup
        outcome = str(Outcome.of(coup)) if coup else ""
    totals = (int(announced.get("player", 0)), int(announced.get("banker", 0)))
    return CoupLine(each.number, settled["cards"], totals, outcome, None, tuple(bets))
