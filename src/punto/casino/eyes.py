"""What pages are told, held against what is true at that moment: nothing that is hidden, and nothing too early."""

import re
from typing import Any, Final

from punto.casino.network import Messages
from punto.casino.trace import Broken
from punto.casino.truth import Truth
from punto.ledger import wallet
from punto.rules import Side
from punto.table import Phase, Table

# A card by its name, as a value in a message.
_CARD: Final = re.compile(rb'"[A2-9TJQK][shdcfgeow]"')
_OVER: Final = frozenset({Phase.OUTCOME, Phase.SETTLED})


def look(truth: Truth, patron: str, frame: bytes, messages: Messages) -> None:
    """Look over a frame for a patron's page, or for an onlooker's where the name is empty."""
    named = 0
    for message in messages:
        match message["t"]:
            case "table":
                named += _look_at_table(truth, message)
            case "own":
                named += _look_at_own(truth, patron, message)
            case "purse":
                _look_at_purse(truth, patron, message["purse"])
            case "staff":
                raise Broken(f"{patron}'s page was told what is for staff")
    if len(_CARD.findall(frame)) > named:
        raise Broken(f"{patron}'s page was told a card that is not among those on the table")


def look_as_staff(truth: Truth, messages: Messages) -> None:
    """Look over a frame for a console."""
    for message in messages:
        if message["t"] == "table":
            _look_at_table(truth, message)


def _look_at_table(truth: Truth, message: dict[str, Any]) -> int:
    """Check what is told of a table; how many cards it names."""
    key, version, told = message["table"], message["version"], message["set"]
    table = truth.at(key, version)
    if table is None:
        if version > max(truth.tables[key]):
            raise Broken(f"table {key}: a page was told of entry {version}, which is not durable")
        return len(_CARD.findall(str(told).encode()))
    named = 0
    if told.get("cards"):
        cards = [[laid.side.value, laid.card if laid.up else ""] for laid in table.cards]
        if told["cards"] != cards:
            raise Broken(f"table {key}: pages were told the cards {told['cards']} at entry {version}")
        named = sum(1 for _, card in cards if card)
    if told.get("outcome") is not None and (table.phase not in _OVER or not table.all_up):
        raise Broken(f"table {key}: pages were told the outcome while the round was at {table.phase.value}")
    for side, total in zip(Side, told.get("totals") or (), strict=False):
        if total is not None and not table.lies_open(side):
            raise Broken(f"table {key}: pages were told {side.value}'s total while its cards lay face down")
    return named


def _look_at_own(truth: Truth, patron: str, message: dict[str, Any]) -> int:
    key, version = message["table"], message["version"]
    table: Table | None = truth.at(key, version)
    holding = message["set"].get("holding") or {}
    if table is None:
        return sum(map(len, holding.values()))
    for side in holding:
        if table.handler(Side(side)) != patron:
            raise Broken(f"table {key}: {patron} was told the {side}'s cards, and does not handle them")
    return sum(len([card for card in cards if card]) for cards in holding.values())


def _look_at_purse(truth: Truth, patron: str, purse: dict[str, Any]) -> None:
    if purse["credits_cents"] not in truth.held[wallet(patron)]:
        raise Broken(f"{patron} was told of {purse['credits_cents']} cents, which the wallet never held")
