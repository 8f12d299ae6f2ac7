"""The cards of a round that is not settled, as they lie."""

from collections.abc import Iterable
from typing import Any, Final, NamedTuple

_UNREAD: Final = "?"


class Laid(NamedTuple):
    """A card on the table, and whose it is, where that is told."""

    card: str
    side: str


def cards_of(events: Iterable[dict[str, Any]]) -> list[str]:
    """The cards of a round that is not settled, as far as they were seen."""
    return [laid.card for laid in lying(events)]


def lying(events: Iterable[dict[str, Any]]) -> list[Laid]:
    """The same, each with its hand; an event that leaves out a card tells of one that nobody has read."""
    laid: list[Laid] = []
    for event in events:
        match event["type"]:
            case "card-drawn":
                laid.append(Laid(event.get("card") or _UNREAD, event["side"]))
            case "cards-exposed":
                laid = _exposed(laid, event["side"], event["cards"].split())
            case "count-begun":
                laid = _read(laid, event["side"], event.get("left", "").split())
            case "missing-replaced":
                laid = _read(laid, event["side"], event.get("cards", "").split())
            case "cards-rebuilt":
                laid = [Laid(card, "") for card in event.get("cards", "").split()]
            case "bets-reopened":
                laid = []
    return laid


def _exposed(laid: list[Laid], side: str, names: list[str]) -> list[Laid]:
    """A hand lies open; cards that were put in order before are known, and those that came later are its last."""
    later = sum(each.side == side for each in laid)
    shown = iter(names[max(0, len(names) - later) :])
    return [Laid(next(shown, each.card), side) if each.side == side else each for each in laid]


def _read(laid: list[Laid], side: str, names: list[str]) -> list[Laid]:
    """Cards of a hand that nobody had read are known now."""
    found = iter(names)
    unread = Laid(_UNREAD, side)
    return [Laid(next(found, _UNREAD), side) if each == unread else each for each in laid]
