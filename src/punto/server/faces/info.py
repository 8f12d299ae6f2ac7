"""What is fixed while a table is open: its game, its layout and pay table, its limits."""

from functools import lru_cache
from hashlib import sha256
from typing import Final, Literal

import msgspec

from punto.games import names
from punto.rules import Label, Language, Pay, Wager
from punto.server.wire.tells import PayRow, TableInfo, Text, WagerInfo
from punto.table import Limit, Setup, Source

Group = Literal["main", "pair", "side"]

# Where a wager lies on the layout: the outcomes' own areas, the pairs beside them, all others in a group of their own.
_GROUPS: Final[dict[str, Group]] = {
    names.PLAYER.en: "main",
    names.BANKER.en: "main",
    names.TIE.en: "main",
    names.PLAYER_PAIR.en: "pair",
    names.BANKER_PAIR.en: "pair",
}


@lru_cache(maxsize=64)
def _rows(wager: Wager) -> tuple[PayRow, ...]:
    return tuple(_row(pay) for pay in wager.pays)


def _row(pay: Pay) -> PayRow:
    when = Text(pay.when.sentence(Language.ENGLISH), pay.when.sentence(Language.CHINESE))
    return PayRow(str(pay.odds), when, pay.clause)


def text(label: Label) -> Text:
    """A label as it is sent."""
    return Text(label.en, label.zh)


def setup_digest(setup: Setup) -> str:
    """A few digits that tell one setup from another, in all that it fixes."""
    return sha256(msgspec.json.encode(msgspec.to_builtins(setup), order="sorted")).hexdigest()[:16]


def table_info(setup: Setup, *, beyond_file: bool = False) -> TableInfo:
    """All that a page must know of an open table."""
    game, book = setup.rules, setup.book
    return TableInfo(
        game=setup.game,
        title=text(game.title),
        rulebook=setup.rulebook,
        version=setup.version,
        terminals=book.conduct.terminals,
        deck=game.deck.key,
        decks=setup.decks,
        virtual=setup.source is Source.VIRTUAL,
        demonstration=setup.demonstration,
        beyond_file=beyond_file,
        setup_digest=setup_digest(setup),
        ranks=setup.ranks,
        reads=setup.reads,
        permanent_7=bool(game.opening.player),
        unit_cents=setup.unit_cents,
        layout=setup.layout,
        positions=setup.positions,
        bets_ms=setup.timings.bets_ms,
        methods=book.conduct.methods,
        hlga=setup.hlga,
        differential_cents=setup.differential_cents,
        wagers=tuple(_wager(game.wager(name), setup.limits[name]) for name in setup.wagers),
    )


def _wager(wager: Wager, limit: Limit) -> WagerInfo:
    return WagerInfo(
        name=wager.name,
        label=text(wager.label),
        group=_GROUPS.get(wager.name, "side"),
        clause=wager.clause,
        pays=_rows(wager),
        min_cents=limit.min_cents,
        max_cents=limit.max_cents,
    )
