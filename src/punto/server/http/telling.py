"""Rounds of the record as they are told: what is hidden stays hidden, and nobody sees what another wagers."""

from collections.abc import Iterator
from typing import Final

import msgspec
from msgspec import Struct

from punto.cards import parse_cards
from punto.errors import PuntoError
from punto.record.lying import lying
from punto.record.reasons import reasons, settlements, told
from punto.record.rounds import TABLE, Plain, Round, Step
from punto.record.seeking import recall, seek
from punto.rules import Deal, Game, Language, Position, Side, Winner
from punto.rules.money import Cents
from punto.server.faces.lines import shown_event
from punto.server.wire.shown import QUOTED
from punto.server.wire.tells import CardState, Text
from punto.server.words.steps import said
from punto.store import Entry, Store
from punto.table import Actor, AnyEvent

# What is about one patron's wagers or credits, and nobody else's business.
_OF_ONE: Final = frozenset(
    {
        "wager-placed",
        "wager-changed",
        "wager-taken-back",
        "late-wager",
        "late-withdrawal",
        "wager-removed",
        "wager-withdrawn",
        "offer-answered",
        "stake-found",
        "patron-warned",
        "credits-bought",
        "credits-cashed-out",
        "credits-corrected",
        "credits-withheld",
        "credits-released",
    }
)
# What staff write in their own words may be about anybody.
_WRITTEN: Final = ("note", "matter", "reason", "shown")
_UNREAD: Final = "?"
UNFINISHED: Final = "unfinished"
OF_WAGERS: Final = frozenset({"wager-placed", "wager-changed"})


class ToldWager(Struct, frozen=True):
    """A wager and what became of it; the row of the pay table that paid it, from 0, and why."""

    number: int
    patron: str
    wager: str
    stake_cents: Cents
    result: str
    paid_cents: Cents
    counted_cents: Cents | None
    removed_cents: Cents
    # What of it went back by a decision, where the rest stayed.
    returned_cents: Cents
    clause: str
    row: int | None
    odds: str
    why: Text


class ToldRound(Struct, frozen=True):
    """A round at a glance; *clause* is the one by which it was made void. A card that nobody may see has no name."""

    round: int
    shoe: int
    at_ms: int
    state: str
    cards: tuple[CardState, ...]
    player: int | None
    banker: int | None
    winner: Winner | None
    clause: str
    wagers: tuple[ToldWager, ...]


class ToldStep(Struct, frozen=True):
    """One step of a round: when, who, what, and by which clause; *by* is empty where the name is not to be told."""

    version: int
    at_ms: int
    by: str
    position: Position
    type: str
    said: Text
    clause: str
    side: Side | None
    card: str


class ToldReplay(Struct, frozen=True):
    """A round step by step."""

    table: str
    game: str
    rulebook: str
    round: ToldRound
    steps: tuple[ToldStep, ...]


class Viewer(Struct, frozen=True):
    """Who looks at the record: staff see everything, a patron what is the patron's own, others neither."""

    patron: str = ""
    staff: bool = False

    @classmethod
    def of(cls, patron: Actor | None, staff: Actor | None) -> "Viewer":
        """Whoever asks."""
        return cls(patron.name if patron else "", staff is not None)

    def may_see(self, patron: str) -> bool:
        """Whether a patron's wagers are this viewer's business."""
        return self.staff or (bool(patron) and patron == self.patron)


def unveiled(event: Plain, *, over: bool) -> Plain:
    """An event without what is hidden; while the round is not *over*, without anything that may name hidden cards."""
    shown = shown_event(msgspec.convert(event, AnyEvent), all_up=over)
    return shown if over else {name: value for name, value in shown.items() if name not in QUOTED}


def tell_round(found: Round, viewer: Viewer) -> ToldRound:
    """A round at a glance."""
    game = _game(found)
    over = found.state != UNFINISHED
    announced = found.last("outcome-announced") if found.settled else None
    return ToldRound(
        round=found.number,
        shoe=found.opened["shoe"],
        at_ms=found.steps[0].at_ms,
        state=found.state,
        cards=tuple(_cards(found, game, over=over)),
        player=announced["player"] if announced else None,
        banker=announced["banker"] if announced else None,
        winner=Winner(announced["winner"]) if announced else None,
        clause=(found.voided or {}).get("clause", ""),
        wagers=tuple(_wagers(found, viewer)),
    )


def tell_replay(table: str, found: Round, viewer: Viewer) -> ToldReplay:
    """A round step by step."""
    game = _game(found)
    over = found.state != UNFINISHED
    return ToldReplay(
        table=table,
        game=found.setup.get("game", ""),
        rulebook=found.opened["rulebook"],
        round=tell_round(found, viewer),
        steps=tuple(_step(step, game, viewer, over=over) for step in found.steps if _is_told(step, viewer)),
    )


class RecallQuery(Struct, frozen=True):
    """Which rounds of a table somebody asks for: the last, or those before one; *setup* is what the table has now."""

    table: str
    last: int
    before: int | None
    setup: Plain


class RoundQuery(Struct, frozen=True):
    """Which round of a table somebody asks for; *setup* is what the table has now."""

    table: str
    round: int
    setup: Plain


def recalled(store: Store, asked: RecallQuery, viewer: Viewer) -> tuple[ToldRound, ...]:
    """Rounds at a glance."""
    rounds = recall(store, asked.table, asked.last, asked.before, asked.setup)
    return tuple(tell_round(each, viewer) for each in rounds)


def replayed(store: Store, asked: RoundQuery, viewer: Viewer) -> ToldReplay:
    """A round step by step."""
    return tell_replay(asked.table, seek(store, asked.table, asked.round, asked.setup), viewer)


def wager_entry(store: Store, asked: RoundQuery, viewer: Viewer, number: int) -> Entry | None:
    """The entry that placed a wager or changed it last, if it is the viewer's business."""
    steps = seek(store, asked.table, asked.round, asked.setup).steps
    found = [step for step in steps if step.type in OF_WAGERS and step.event["number"] == number]
    if not found or not viewer.may_see(found[-1].event["patron"]):
        return None
    return next(store.read(TABLE + asked.table, found[-1].version - 1))


def in_words(event: Plain, game: Game | None) -> Text:
    """An event in both languages."""
    return Text(said(event, Language.ENGLISH, game), said(event, Language.CHINESE, game))


def _game(found: Round) -> Game | None:
    try:
        return found.game
    except PuntoError:
        return None


def _is_told(step: Step, viewer: Viewer) -> bool:
    return step.type not in _OF_ONE or viewer.may_see(str(step.event.get("patron", "")))


def _step(step: Step, game: Game | None, viewer: Viewer, *, over: bool) -> ToldStep:
    event = unveiled(step.event, over=over)
    if not viewer.staff:
        event = {name: value for name, value in event.items() if name not in _WRITTEN}
    if "patron" in event and not viewer.may_see(event["patron"]):
        event["patron"] = ""
    by = Actor(step.by["name"], Position(step.by["position"]))
    named = viewer.staff or by.position is Position.SYSTEM or viewer.may_see(by.name)
    return ToldStep(
        version=step.version,
        at_ms=step.at_ms,
        by=by.name if named else "",
        position=by.position,
        type=step.type,
        said=in_words(event, game),
        clause=str(event.get("clause", "")),
        side=Side(event["side"]) if "side" in event else None,
        card=str(event.get("card", "")),
    )


def _cards(found: Round, game: Game | None, *, over: bool) -> Iterator[CardState]:
    """The cards in the order in which they came, each with its hand; those that lie face down have no name."""
    settled = found.settled
    if settled and game is not None and found.coup is not None:
        deal = Deal.begin(game.opening)
        for card in parse_cards(settled["cards"], game.deck):
            assert deal.next, "a settled coup has no card too many"
            yield CardState(deal.next, str(card))
            deal = deal.take(card)
        return
    for laid in lying(unveiled(step.event, over=over) for step in found.steps):
        if laid.side:
            yield CardState(Side(laid.side), "" if laid.card == _UNREAD else laid.card)


def _wagers(found: Round, viewer: Viewer) -> Iterator[ToldWager]:
    wagers = [told(each) for each in found.every_wager().values() if viewer.may_see(each["patron"])]
    if not wagers:
        return
    settled = settlements(found)
    english, chinese = (reasons(found, language) for language in Language)
    for each in wagers:
        number = each["number"]
        settlement = settled.get(each["wager"]) if each.get("counted_cents") else None
        yield ToldWager(
            number=number,
            patron=each["patron"],
            wager=each["wager"],
            stake_cents=each["stake_cents"],
            result=each["result"],
            paid_cents=each.get("paid_cents", 0),
            counted_cents=each.get("counted_cents"),
            removed_cents=each.get("removed_cents", 0),
            returned_cents=each.get("returned_cents", 0),
            clause=each.get("clause", ""),
            row=settlement.row if settlement else None,
            odds=str(settlement.pay.odds) if settlement and settlement.pay else "",
            why=Text(english.get(number, ""), chinese.get(number, "")),
        )
