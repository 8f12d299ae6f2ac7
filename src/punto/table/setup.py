"""How a table is set up: all that is fixed while it is open, and the limits, which are fixed for a round."""

from enum import Enum
from functools import lru_cache
from math import lcm
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from punto.cards import USUAL_CUT, USUAL_DECKS, check_decks
from punto.errors import BadSetup, BadStake
from punto.games import RULEBOOKS, digest, find, loads
from punto.games.eb4 import EB4
from punto.games.names import BANKER, PLAYER
from punto.rules import HIGHER_RANKS, RANKS, Game, Method, Position, Rulebook
from punto.rules.money import MOST_CENTS, Cents, money, most_won_cents, unit_of

# The edition of the register of interpretations that tables are conducted by from now on (docs/interpretations.md).
READINGS: Final = 5
# By which a table is dealt unless a Pit Manager chooses another method (B8, TNC5 3.8.2).
USUAL_METHOD: Final = Method.B
# The limit of every wager that has none of its own.
EVERY: Final = "*"
MOST_TERMINALS: Final = 999
# A day.
LONGEST_MS: Final = 86_400_000
_CREDIT: Final = 100
_HANDS: Final = (PLAYER.en, BANKER.en)
_SECOND: Final = 1000


class Source(Enum):
    """Where cards come from: an order handed in from outside, or a device (interpretation 32)."""

    VIRTUAL = "virtual"
    DEVICE = "device"


class Limit(Struct, frozen=True, forbid_unknown_fields=True):
    """The least and the most that one wager may be."""

    min_cents: Cents
    max_cents: Cents


class Timings(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """How long the table waits: for bets, and for a patron's answer."""

    bets_ms: int = 20 * _SECOND
    answer_ms: int = 30 * _SECOND


class Setup(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """What a table is opened with; what is left out takes its usual value, and is written down with the rest."""

    game: str
    # A game of one's own, in its TOML form; it is conducted by its rulebook, or as on terminals.
    declaration: str = ""
    decks: int = USUAL_DECKS
    source: Source = Source.DEVICE
    # Whether the device reads cards, or their values are known once they are exposed (B8, TNC5 3.11.1).
    reads: bool = True
    unit_cents: Cents = Cents(0)
    limits: dict[str, Limit] = {}
    differential_cents: Cents = Cents(0)
    layout: str = ""
    positions: int = 0
    # In one of the rooms that the rulebook names (B8, TNC5 1.1.3).
    hlga: bool = False
    wagers: tuple[str, ...] = ()
    method: Method | None = None
    behind: int = USUAL_CUT
    # Which of the rulebook's phrases is announced or displayed (EB4, E7U 3.1, 3.2).
    phrase: int = 1
    ranks: tuple[Position, ...] = RANKS
    timings: Timings = Timings()
    # Virtual cards where the rulebook speaks of a dealing device or shoe: not by the book, and marked as such.
    demonstration: bool = False
    # Filled in when the table opens: what it is played under.
    rulebook: str = ""
    version: int | None = None
    digest: str = ""
    readings: int = 0

    @property
    def rules(self) -> Game:
        """The game itself."""
        return game_of(self.game, self.declaration)

    @property
    def book(self) -> Rulebook:
        """The rulebook that the game is played under."""
        return rulebook_of(self.game, self.declaration)


# Games by their declarations, so that no text is read twice.
_MOST_DECLARED: Final = 256
_DECLARED: Final[dict[str, Game]] = {}


def admit(declaration: str, game: Game) -> None:
    """Know the game of a declaration, which was read elsewhere; the one that was admitted first is forgotten first."""
    _DECLARED[declaration] = game
    if len(_DECLARED) > _MOST_DECLARED:
        _DECLARED.pop(next(iter(_DECLARED)), None)


def is_known(declaration: str) -> bool:
    """Whether the game of a declaration is known, so that nobody has to read the text."""
    return declaration in _DECLARED


@lru_cache(maxsize=64)
def game_of(key: str, declaration: str) -> Game:
    """The game of the catalogue, or the one that is declared."""
    if not declaration:
        return find(key)
    game = _DECLARED.get(declaration)
    if game is None:
        game = loads(declaration)
        admit(declaration, game)
    return game


@lru_cache(maxsize=64)
def rulebook_of(key: str, declaration: str) -> Rulebook:
    """The rulebook that a game is conducted by."""
    return RULEBOOKS[game_of(key, declaration).rulebook or EB4.code]


def with_virtual_cards(setup: Setup) -> Setup:
    """The setup with virtual cards: as demonstration rules where the rulebook has a dealing device."""
    return replace(setup, source=Source.VIRTUAL, demonstration=not setup.book.conduct.virtual)


def complete(setup: Setup, at_ms: int) -> Setup:
    """The setup with all its usual values filled in, if a table may be opened with it at that time."""
    game, book = setup.rules, setup.book
    if at_ms < book.in_force.timestamp() * _SECOND:
        raise BadSetup(f"{book.code} is in force from {book.in_force:%Y-%m-%d %H:%M} (Singapore): too early to open")
    _check_edition(setup, game, book)
    check_decks(setup.decks)
    cards = setup.decks * game.deck.size
    if not 0 <= setup.behind < cards:
        raise BadSetup(f"cutting card {setup.behind} from the end: expected 0 to {cards - 1}")
    wagers = _wagers(setup, game, book)
    unit = _unit(setup, game, wagers)
    limits = _limits(setup, game, wagers, unit)
    layout, positions = _positions(setup, book)
    _check_ranks(setup.ranks)
    if not 1 <= setup.phrase <= len(book.opens.phrases):
        raise BadSetup(f"phrase {setup.phrase}: {book.code} has {len(book.opens.phrases)}")
    if not all(0 <= time <= LONGEST_MS for time in (setup.timings.bets_ms, setup.timings.answer_ms)):
        raise BadSetup(f"timings: expected 0 to {LONGEST_MS} milliseconds, which is a day")
    return Setup(
        game=game.key,
        declaration=setup.declaration,
        decks=setup.decks,
        source=_source(setup, book),
        reads=_reads(setup),
        unit_cents=unit,
        limits=limits,
        differential_cents=_differential(setup, book, limits),
        layout=layout,
        positions=positions,
        hlga=_hlga(setup, book),
        wagers=wagers,
        method=_method(setup, book),
        behind=setup.behind,
        phrase=setup.phrase,
        ranks=setup.ranks,
        timings=setup.timings,
        demonstration=setup.demonstration,
        rulebook=book.code,
        version=book.version,
        digest=digest(game),
        readings=READINGS,
    )


def _check_ranks(ranks: tuple[Position, ...]) -> None:
    """All five positions of staff, the Dealer lowest; others may stand above the Gaming Shift Manager (6.2)."""
    higher = ranks[ranks.index(Position.GAMING_SHIFT_MANAGER) :] if Position.GAMING_SHIFT_MANAGER in ranks else ()
    known = set(RANKS) | {position for position in higher if position in HIGHER_RANKS}
    if ranks[:1] != RANKS[:1] or set(ranks) != known or len(ranks) != len(known):
        names = ", ".join(position.value for position in HIGHER_RANKS)
        raise BadSetup(
            f"ranks: expected the five positions of staff, each once, the Dealer lowest; {names} may stand above the "
            "Gaming Shift Manager"
        )


def with_limits(setup: Setup, limits: dict[str, Limit], differential_cents: Cents | None) -> Setup:
    """The setup of an open table with other limits; what is not named stays as it is."""
    every = dict.fromkeys(setup.wagers, limits[EVERY]) if EVERY in limits else {}
    named = {name: limit for name, limit in limits.items() if name != EVERY}
    changed = replace(setup, limits=setup.limits | every | named)
    if differential_cents is not None:
        changed = replace(changed, differential_cents=differential_cents)
    within = _limits(changed, setup.rules, setup.wagers, setup.unit_cents)
    return replace(changed, limits=within, differential_cents=_differential(changed, setup.book, within))


def _check_edition(setup: Setup, game: Game, book: Rulebook) -> None:
    """Refuse a rulebook, version or digest that was named and is not the game's."""
    for name, told, right in (
        ("rulebook", setup.rulebook, book.code),
        ("version", setup.version, book.version),
        ("digest", setup.digest, digest(game)),
    ):
        if told and told != right:
            raise BadSetup(f"{name} {told}: {game.key} is played under {right or 'none'}")


def _source(setup: Setup, book: Rulebook) -> Source:
    """Where the cards come from: virtual ones only as demonstration rules, where the rulebook has a dealing device."""
    virtual = setup.source is Source.VIRTUAL
    if virtual and not book.conduct.virtual and not setup.demonstration:
        raise BadSetup(
            f"{book.code} is dealt from a device or shoe: expected source device, or demonstration true beside virtual "
            "(interpretation 42)"
        )
    if setup.demonstration and (not virtual or book.conduct.virtual):
        why = f"{book.code} allows virtual cards by its own rules" if virtual else "the cards are not virtual"
        raise BadSetup(f"demonstration: {why}, so that this is no demonstration")
    return setup.source


def _wagers(setup: Setup, game: Game, book: Rulebook) -> tuple[str, ...]:
    """The wagers on offer, in the game's order: all except optional ones that the setup leaves out (interpretation 7).

    A game of one's own, with no rulebook, may leave out any.
    """
    named = {game.wager(name).name for name in setup.wagers}
    conduct = book.conduct
    for wager in game.wagers if named and game.rulebook else ():
        if wager.name not in named and not conduct.may_leave_out(wager):
            raise BadSetup(f"{wager.name} is always offered ({wager.clause}): expected it among the wagers")
    return tuple(wager.name for wager in game.wagers if not named or wager.name in named)


def _unit(setup: Setup, game: Game, wagers: tuple[str, ...]) -> Cents:
    """The chip unit, if no pay line can come to a part of a cent (interpretation 6)."""
    least = unit_of(game.wager(name) for name in wagers)
    unit = setup.unit_cents or Cents(lcm(_CREDIT, least))
    if unit < 0 or unit % least:
        raise BadSetup(f"a chip unit of {money(unit)} would break a cent: expected a multiple of {money(least)}")
    return unit


def _limits(setup: Setup, game: Game, wagers: tuple[str, ...], unit: Cents) -> dict[str, Limit]:
    """The limits of every wager, each in whole units and with no payout past 2⁵³ cents."""
    for name in setup.limits:
        if name != EVERY and game.wager(name).name not in wagers:
            raise BadSetup(f"limits: {name} is not offered")
    usual = Limit(unit, Cents(10_000 * unit))
    limits = {name: setup.limits.get(name) or setup.limits.get(EVERY) or usual for name in wagers}
    for name, limit in limits.items():
        if not 0 < limit.min_cents <= limit.max_cents or limit.min_cents % unit or limit.max_cents % unit:
            raise BadSetup(f"limits of {name}: expected whole units of {money(unit)}, the least first")
        check_payout(game, name, limit.max_cents)
    return limits


def check_payout(game: Game, wager: str, stake_cents: Cents) -> None:
    """Refuse a stake so large that what it pays could pass 2⁵³ cents."""
    if stake_cents + most_won_cents(game.wager(wager), stake_cents) > MOST_CENTS:
        raise BadStake(f"{wager}: a stake of {money(stake_cents)} could pay more than any account can hold")


def _positions(setup: Setup, book: Rulebook) -> tuple[str, int]:
    """The layout and how many playing positions it has; terminals are only counted (interpretation 35)."""
    layouts = {layout.key: layout for layout in book.conduct.layouts}
    if not layouts:
        positions = setup.positions or MOST_TERMINALS
        if setup.layout or not 1 <= positions <= MOST_TERMINALS:
            raise BadSetup(f"{book.code} is played on terminals: expected 1 to {MOST_TERMINALS} of them, and no layout")
        return "", positions
    key = setup.layout or next(iter(layouts))
    if key not in layouts:
        raise BadSetup(f"{book.code} has no layout {key!r}: expected {', '.join(layouts)}")
    layout = layouts[key]
    positions = setup.positions or layout.most
    if not layout.fewest <= positions <= layout.most:
        raise BadSetup(f"layout {key} has {layout.fewest} to {layout.most} positions, not {positions}")
    return key, positions


def _differential(setup: Setup, book: Rulebook, limits: dict[str, Limit]) -> Cents:
    if setup.differential_cents < 0:
        raise BadSetup("a table differential is an amount, or 0 for none")
    if setup.differential_cents and not book.conduct.differential:
        raise BadSetup(f"{book.code} knows no table differential")
    least = min((limits[name].min_cents for name in _HANDS if name in limits), default=Cents(0))
    if 0 < setup.differential_cents < least:
        raise BadSetup(f"a table differential under the least wager, {money(least)}, would let nobody begin")
    return setup.differential_cents


def _hlga(setup: Setup, book: Rulebook) -> bool:
    if setup.hlga and not book.conduct.methods:
        raise BadSetup(f"{book.code} knows no HLGA")
    return setup.hlga


def _method(setup: Setup, book: Rulebook) -> Method | None:
    """Method B unless another is chosen; C takes an Assistant Casino Manager, once the table is open (3.8.2)."""
    if not book.conduct.methods:
        if setup.method:
            raise BadSetup(f"{book.code} names no methods of dealing")
        return None
    if setup.method is Method.C:
        raise BadSetup("Method C is allowed by an Assistant Casino Manager once the table is open")
    return setup.method or USUAL_METHOD


def _reads(setup: Setup) -> bool:
    if not setup.reads and setup.source is Source.VIRTUAL:
        raise BadSetup("a virtual shoe always knows its cards")
    return setup.reads
