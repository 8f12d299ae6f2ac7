"""What a table is played under: its rulebook and game, and all that its setup fixes."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from math import lcm
from typing import Final

from punto.cards import FEWEST_DECKS, MOST_DECKS, Card
from punto.errors import PuntoError
from punto.games import GAMES, RULEBOOKS, digest, loads
from punto.record.checks.written import Limit, Setup
from punto.rules import HIGHER_RANKS, RANKS, Conduct, Game, Method, Position, Rulebook, Wager

# The edition of the register since which a seen card decides no later wager, and a paid round is over.
SECOND: Final = 2
# The edition since which a card that a patron has seen is known to that patron, and to no other.
THIRD: Final = 3
# The edition since which patrons contribute to the order of a virtual shoe.
FOURTH: Final = 4
# The edition since which nobody decides a matter that the same person has reported or referred.
FIFTH: Final = 5
# From this moment on (1 January 2027, Singapore) no table is opened under an older one.
SECOND_FROM_MS: Final = 1_798_732_800_000
# Amounts and payouts stay at or below this.
MOST_CENTS: Final = 2**53
MOST_TERMINALS: Final = 999
VIRTUAL: Final = "virtual"
DEVICE: Final = "device"
_CONDUCTED_LIKE: Final = "EB4"
_DIGESTS: Final = {game.key: digest(game) for game in GAMES.values()}


@dataclass(frozen=True)
class Terms:
    """A setup with the game and the rulebook that it names."""

    setup: Setup
    game: Game
    book: Rulebook
    conduct: Conduct
    digest: str
    cards: dict[str, Card]
    offered: frozenset[str]
    total: int
    virtual: bool
    # Whole chips; 1 where a setup that cannot be has none.
    unit: int

    @classmethod
    def of(cls, setup: Setup) -> "Terms | None":
        """The terms, if there is such a game: of the catalogue, or one's own, which is conducted as on terminals."""
        try:
            game = loads(setup.declaration) if setup.declaration else GAMES.get(setup.game)
        except PuntoError:
            return None
        if game is None or game.key != setup.game:
            return None
        book = RULEBOOKS[game.rulebook or _CONDUCTED_LIKE]
        return cls(
            setup=setup,
            game=game,
            book=book,
            conduct=book.conduct,
            digest=digest(game) if setup.declaration else _DIGESTS[game.key],
            cards={str(card): card for card in game.deck.cards},
            offered=frozenset(setup.wagers),
            total=setup.decks * game.deck.size,
            virtual=setup.source == VIRTUAL,
            unit=max(setup.unit_cents, 1),
        )

    def __reduce__(self) -> tuple[object, tuple[Setup]]:
        """A copy is made from the setup."""
        return terms_of, (self.setup,)

    def under(self, setup: Setup) -> "Terms":
        """The same game under other limits."""
        return replace(self, setup=setup)

    def ranks_at_least(self, position: Position, least: Position) -> bool:
        """Whether a position is another, or above it, as this table ranks them (interpretation 33)."""
        return ranks_at_least(self.setup.ranks, position, least)

    @property
    def usual_ranks(self) -> tuple[Position, ...]:
        """The ranks by which a table is opened: the usual ones, and the positions above them that the setup names."""
        return (*RANKS, *[position for position in self.setup.ranks if position in HIGHER_RANKS])

    def limit(self, wager: str) -> Limit | None:
        """The limits of a wager."""
        return self.setup.limits.get(wager)


def terms_of(setup: Setup) -> Terms:
    """The terms of a setup whose game is known."""
    terms = Terms.of(setup)
    assert terms, "its game was known before"
    return terms


def ranks_at_least(ranks: tuple[Position, ...], position: Position, least: Position) -> bool:
    """Whether a position is another, or above it, by these ranks."""
    return position in ranks and least in ranks and ranks.index(position) >= ranks.index(least)


def faults(terms: Terms, at_ms: int) -> Iterator[str]:
    """Everything in a setup that no table may be opened with."""
    setup, book, deck = terms.setup, terms.book, terms.game.deck
    if at_ms < book.in_force.timestamp() * 1000:
        yield f"{book.code} was not in force yet (interpretation 34)"
    if (setup.rulebook, setup.version) != (book.code, book.version):
        yield f"{setup.game} is played under {book.code} version {book.version}, not under {setup.rulebook}"
    if setup.digest != terms.digest:
        yield f"the declaration of {setup.game} is not the one that is known by that digest"
    if not FEWEST_DECKS <= setup.decks <= MOST_DECKS:
        yield f"{setup.decks} decks: expected {FEWEST_DECKS} to {MOST_DECKS} ({book.play.decks})"
    if at_ms >= SECOND_FROM_MS and setup.readings < SECOND:
        yield f"edition {setup.readings} of the register was no longer in use"
    yield from _faults_of_source(terms)
    if not 0 <= setup.behind < setup.decks * deck.size:
        yield f"the cutting card lies {setup.behind} cards from the end, outside the shoe"
    if not _are_ranked(setup.ranks):
        yield "the positions of staff are not ranked each once, with the Dealer lowest (interpretation 33)"
    if not 1 <= setup.phrase <= len(book.opens.phrases):
        yield f"{book.code} has no phrase {setup.phrase} to announce"
    if setup.timings.bets_ms < 0 or setup.timings.answer_ms < 0:
        yield "a time to wait is negative"
    yield from _faults_of_wagers(terms)
    yield from _faults_of_conduct(setup, terms.conduct, book.code)


def _faults_of_source(terms: Terms) -> Iterator[str]:
    setup = terms.setup
    if setup.source not in (VIRTUAL, DEVICE) or (terms.virtual and not setup.reads):
        yield f"cards cannot come from a source {setup.source!r} that does not know them"
    if setup.readings >= SECOND and setup.demonstration is not (terms.virtual and not terms.conduct.virtual):
        yield f"virtual cards are demonstration rules under {terms.book.code}, and nothing else is (interpretation 42)"


def _are_ranked(ranks: tuple[Position, ...]) -> bool:
    """The five positions that rulebooks name, each once; others only above the Gaming Shift Manager."""
    highest = ranks.index(Position.GAMING_SHIFT_MANAGER) + 1 if Position.GAMING_SHIFT_MANAGER in ranks else 0
    named = [position for position in ranks if position in RANKS]
    above = [position for position in ranks if position not in RANKS]
    in_place = set(above) <= set(ranks[highest:]) and set(above) <= set(HIGHER_RANKS) and len(set(above)) == len(above)
    return sorted(named, key=RANKS.index) == [*RANKS] and ranks[0] is Position.DEALER and in_place


def _faults_of_wagers(terms: Terms) -> Iterator[str]:
    setup = terms.setup
    declared = {wager.name: wager for wager in terms.game.wagers}
    if not setup.wagers or list(setup.wagers) != [name for name in declared if name in terms.offered]:
        yield f"the wagers on offer are not wagers of {setup.game}, each once and in its order"
        return
    for wager in terms.game.wagers if setup.readings >= SECOND and terms.game.rulebook else ():
        if wager.name not in terms.offered and not terms.conduct.may_leave_out(wager):
            yield f"{wager.name} was not on offer, and always is (interpretation 7)"
    unit = setup.unit_cents
    least = lcm(*[pay.odds.staked for name in setup.wagers for pay in declared[name].pays])
    if unit <= 0 or unit % least:
        yield f"a chip unit of {unit} cents would break a cent (interpretation 6)"
        return
    yield from _faults_of_ranges(terms)


def faults_of_limits(terms: Terms) -> Iterator[str]:
    """Everything in the limits that no round may be played under."""
    yield from _faults_of_ranges(terms)
    yield from _faults_of_differential(terms.setup, terms.conduct, terms.book.code)


def _faults_of_ranges(terms: Terms) -> Iterator[str]:
    setup, unit = terms.setup, terms.unit
    declared = {wager.name: wager for wager in terms.game.wagers}
    if set(setup.limits) != terms.offered or not terms.offered <= set(declared):
        yield "not every wager on offer has its limits, and no other"
        return
    for name, limit in setup.limits.items():
        if not 0 < limit.min_cents <= limit.max_cents or limit.min_cents % unit or limit.max_cents % unit:
            yield f"the limits of {name} are not whole units, the least first"
        elif limit.max_cents + most_won(declared[name], limit.max_cents) > MOST_CENTS:
            yield f"the most that {name} allows could pay more than 2^53 cents"


def most_won(wager: Wager, stake_cents: int) -> int:
    """The most that a stake can win."""
    return max(stake_cents * pay.odds.won // pay.odds.staked for pay in wager.pays)


def _faults_of_conduct(setup: Setup, conduct: Conduct, code: str) -> Iterator[str]:
    layouts = {layout.key: layout for layout in conduct.layouts}
    if not layouts:
        if setup.layout or not 1 <= setup.positions <= MOST_TERMINALS:
            yield f"{code} is played on 1 to {MOST_TERMINALS} terminals, without a layout"
    elif setup.layout not in layouts:
        yield f"{code} has no layout {setup.layout!r} (interpretation 35)"
    elif not layouts[setup.layout].fewest <= setup.positions <= layouts[setup.layout].most:
        yield f"layout {setup.layout} does not have {setup.positions} positions (interpretation 35)"
    yield from _faults_of_differential(setup, conduct, code)
    if setup.hlga and not conduct.methods:
        yield f"{code} knows no HLGA"
    if conduct.methods:
        if setup.method not in conduct.methods or setup.method is Method.C:
            yield "a table opens with Method A or B (3.8.2)"
    elif setup.method is not None:
        yield f"{code} names no methods of dealing"


def _faults_of_differential(setup: Setup, conduct: Conduct, code: str) -> Iterator[str]:
    if setup.differential_cents < 0 or (setup.differential_cents and conduct.differential is None):
        yield f"a table differential of {setup.differential_cents} cents, which {code} does not know"
