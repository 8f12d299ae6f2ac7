"""The log as staff may read it: nothing in it tells a card that lies face down, or one that is still to come."""

from typing import Any, NamedTuple

import msgspec

from punto.floor import Answer
from punto.floor.handler import TABLE
from punto.server.wire.shown import CARDS, NEVER, OPEN
from punto.server.wire.tells import Line
from punto.store import Store
from punto.table import AnyCommand, AnyEvent, Table
from punto.table import events as on
from punto.table.log import Logged
from punto.table.log import read as read_logged
from punto.table.state import UNREAD


def shown_event(event: AnyEvent, *, all_up: bool) -> dict[str, Any]:
    """An event without what is hidden; *all_up* when no card of the round lies face down."""
    fields: dict[str, Any] = msgspec.to_builtins(event)
    if (never := NEVER.get(type(event))) is not None:
        return {name: value for name, value in fields.items() if name not in never}
    if isinstance(event, on.CardDrawn) and not event.up:
        return {name: value for name, value in fields.items() if name != "card"}
    if isinstance(event, on.CardsRebuilt):
        fields["surplus"] = _unseen_hidden(event)
    if all_up or isinstance(event, OPEN):
        return fields
    return {name: value for name, value in fields.items() if name not in CARDS or not isinstance(value, str)}


def _unseen_hidden(event: on.CardsRebuilt) -> str:
    """The surplus cards by their names, except those that nobody has seen."""
    cards = enumerate(event.surplus.split(), 1)
    return " ".join(UNREAD if place in event.unseen else card for place, card in cards)


def recalled(store: Store, key: str, table: Table, most: int) -> list[Line]:
    """The end of a table's log, as it was told before the floor was opened anew."""
    stream = TABLE + key
    tip = store.tip(stream)
    entries = store.read(stream, max(0, tip.version - most)) if tip else ()
    return [_line(entry.version, read_logged(entry.body), all_up=table.all_up) for entry in entries]


def _line(version: int, logged: Logged, *, all_up: bool) -> Line:
    by = logged.by
    return Line(version, logged.at_ms, by.name, by.position.value, shown_event(logged.event, all_up=all_up))


class Happened(NamedTuple):
    """A command, what came of it, and the table after it."""

    command: AnyCommand
    answer: Answer
    table: Table


def lines(happened: Happened) -> list[Line]:
    """What a command led to, one line for each event."""
    command, answer, table = happened
    first = answer.version - len(answer.events) + 1
    by = command.by
    all_up = table.all_up
    return [
        Line(first + place, command.at_ms, by.name, by.position.value, shown_event(event, all_up=all_up))
        for place, event in enumerate(answer.events)
    ]
