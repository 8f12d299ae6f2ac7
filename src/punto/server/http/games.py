"""The games: how each is played, what it pays, and by which clause."""

from functools import lru_cache
from typing import Final

from litestar import get
from litestar.params import FromPath
from msgspec import Struct

from punto.games import GAMES, RULEBOOKS, digest, find
from punto.games.readings import readings_of
from punto.rules import Game, Label, Language, Method, Pay, Rulebook
from punto.rules.pay import odds_in_words
from punto.rules.tableau import BANKER_DRAWS, PLAYER_DRAWS, STOOD
from punto.rules.wording import how_to_play, prices
from punto.server.faces.info import text
from punto.server.http.problems import documented
from punto.server.wire.tells import Text

_POINTS: Final = range(10)


class LayoutInfo(Struct, frozen=True):
    """A layout of the rulebook: how many playing positions it has, at least and at most."""

    key: str
    fewest: int
    most: int


class RulebookInfo(Struct, frozen=True):
    """The rulebook that a game is played under; *in_force* is when that began."""

    code: str
    title: Text
    version: int | None
    in_force: str
    # The methods of dealing that it knows; terminals have none.
    methods: tuple[Method, ...]
    # The layouts that a table may have; terminals have none.
    layouts: tuple[LayoutInfo, ...]
    # Whether the cards may be virtual by the book; elsewhere virtual cards are demonstration rules.
    virtual: bool


class GameInfo(Struct, frozen=True):
    """A game of the catalogue."""

    key: str
    title: Text
    rulebook: RulebookInfo
    deck: str
    opening: str
    digest: str
    wagers: tuple[Text, ...]
    # Those that a table may do without, by their English names (interpretation 7).
    optional: tuple[str, ...]


class PlayStep(Struct, frozen=True):
    """One step of a round in words, and where that stands."""

    text: Text
    clause: str


class PayLine(Struct, frozen=True):
    """A line of the pay table: when it pays, how much, and where that stands. The first that fits is paid."""

    when: Text
    odds: str
    pays: Text
    clause: str


class WagerRules(Struct, frozen=True):
    """A wager: the clause that defines it, its prices in short, and its pay table."""

    name: str
    label: Text
    clause: str
    prices: str
    pays: tuple[PayLine, ...]


class BankerDraws(Struct, frozen=True):
    """On which of Player's third cards Banker draws with a total, by points; *stood*: also when Player stood."""

    total: int
    thirds: tuple[int, ...]
    stood: bool


class ReadingInfo(Struct, frozen=True):
    """How we have settled what the rulebook leaves open, in English; its number is that of the register."""

    number: int
    statement: str


class GameRules(Struct, frozen=True):
    """How a game is played and what it pays."""

    game: GameInfo
    play: tuple[PlayStep, ...]
    player_draws: tuple[int, ...]
    banker_draws: tuple[BankerDraws, ...]
    wagers: tuple[WagerRules, ...]
    readings: tuple[ReadingInfo, ...]


@get("/api/games", sync_to_thread=False)
def games() -> tuple[GameInfo, ...]:
    """Every game of the catalogue."""
    return tuple(_info(game.key) for game in GAMES.values())


@get("/api/games/{key:str}", sync_to_thread=False, responses=documented(404))
def game_rules(key: FromPath[str]) -> GameRules:
    """How a game is played, what it pays, and by which clause."""
    return _rules(find(key).key)


@lru_cache(maxsize=64)
def _info(key: str) -> GameInfo:
    game = GAMES[key]
    return GameInfo(
        key=game.key,
        title=text(game.title),
        rulebook=_rulebook(RULEBOOKS[game.rulebook]),
        deck=game.deck.key,
        opening=game.opening.key,
        digest=digest(game),
        wagers=tuple(text(wager.label) for wager in game.wagers),
        optional=tuple(wager.name for wager in game.wagers if RULEBOOKS[game.rulebook].conduct.may_leave_out(wager)),
    )


def _rulebook(book: Rulebook) -> RulebookInfo:
    return RulebookInfo(
        code=book.code,
        title=text(book.title),
        version=book.version,
        in_force=book.in_force.isoformat(),
        methods=book.conduct.methods,
        layouts=tuple(LayoutInfo(layout.key, layout.fewest, layout.most) for layout in book.conduct.layouts),
        virtual=book.conduct.virtual,
    )


@lru_cache(maxsize=64)
def _rules(key: str) -> GameRules:
    game = GAMES[key]
    return GameRules(
        game=_info(key),
        play=_play(game),
        player_draws=tuple(sorted(PLAYER_DRAWS)),
        banker_draws=tuple(
            BankerDraws(total, tuple(points for points in _POINTS if points in draws), STOOD in draws)
            for total, draws in BANKER_DRAWS.items()
        ),
        wagers=tuple(
            WagerRules(wager.name, text(wager.label), wager.clause, prices(wager), tuple(map(_line, wager.pays)))
            for wager in game.wagers
        ),
        readings=tuple(ReadingInfo(reading.number, reading.statement) for reading in readings_of(game)),
    )


def _play(game: Game) -> tuple[PlayStep, ...]:
    book = RULEBOOKS[game.rulebook]
    both = zip(how_to_play(game, book, Language.ENGLISH), how_to_play(game, book, Language.CHINESE), strict=True)
    return tuple(PlayStep(Text(english.text, chinese.text), english.clause or "") for english, chinese in both)


def _line(pay: Pay) -> PayLine:
    when = Label(*(pay.when.sentence(language) for language in Language))
    pays = Label(*(odds_in_words(pay.odds, language) for language in Language))
    return PayLine(text(when), str(pay.odds), text(pays), pay.clause)
