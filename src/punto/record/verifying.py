"""Is the text of a shoe right? Every coup dealt by the book, every wager paid to the cent, every card in the decks."""

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final, NamedTuple

from punto.cards import USUAL_DECKS, Card, Shoe, check_decks, parse_cards
from punto.errors import BadDeclaration, BadShoeFile, PuntoError, quoted
from punto.games import RULEBOOKS, digest, edition, find, loads
from punto.games.eb4 import EB4
from punto.record.fairness import Wrong, as_permuted, committed_to, verify_contributions
from punto.record.shoefile import Bet, CoupLine, ShoeFile
from punto.roads import Outcome
from punto.rules import Deal, Game, Rulebook, Settlement
from punto.rules.money import MOST_CENTS, unit_of

_CLAUSE: Final = re.compile(r"[0-9]+(\.[0-9]+)+")
_MOMENT: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}\+08:00")
_MOMENT_SAMPLE: Final = "2026-01-31 20:15:00.000+08:00"
_WHOLE: Final = re.compile(r"[0-9]{1,9}")
_UNIT: Final = re.compile(r"[0-9]{1,15}")
_LONGEST: Final = 64
_LONGEST_SAID: Final = 200


class Cut(NamedTuple):
    """When a virtual shoe was cut, and when its first bets opened, as the text says it."""

    at: str
    first_bets: str


def verify(shoe: ShoeFile) -> Iterator[Wrong]:
    """Whatever is wrong with a shoe, in the order of its lines."""
    try:
        game = game_of(shoe)
        decks = check_decks(_whole(shoe, "decks", USUAL_DECKS))
    except PuntoError as error:
        yield Wrong(1, error.message)
        return
    yield from _verify_headers(game, shoe)
    yield from _verify_cut(shoe)
    yield from verify_contributions(shoe)
    seen: Counter[str] = Counter()
    before, discarded = 0, False
    for coup in shoe.coups:
        if coup.number < before or (coup.number == before and not discarded):
            yield Wrong(coup.line, f"round {coup.number} comes after round {before}")
        before, discarded = coup.number, coup.void is not None and not coup.bets
        yield from _verify_coup(game, decks, coup, seen)
    yield from _verify_order(game, decks, shoe)


def game_of(shoe: ShoeFile) -> Game:
    """The game of a shoe: as the shoe declares it itself, else that of the catalogue, as its digest says."""
    key, named = shoe.headers["game"], shoe.headers.get("digest", "")
    if shoe.declaration:
        return _declared(shoe.declaration, key, named)
    game = edition(key, named)
    if game is None:
        game = find(key)
        if named:
            known = f"this Punto knows {digest(game)[:16]}…"
            raise BadShoeFile(f"digest: {key} was declared otherwise: {known}, and the shoe has no declaration")
    return game


def _declared(declaration: str, key: str, named: str) -> Game:
    """The game that a shoe declares; its key and its digest must be those of the headers."""
    try:
        game = loads(declaration)
    except BadDeclaration as error:
        raise BadShoeFile(f"declaration: {error.message[:_LONGEST_SAID]}") from None
    if game.key != key:
        raise BadShoeFile(f"game {quoted(key)}: the shoe declares {quoted(game.key)}")
    if named and named != digest(game):
        raise BadShoeFile(f"digest: that of the shoe's own declaration is {digest(game)[:16]}…")
    if unit_of(game.wagers) > MOST_CENTS:
        raise BadShoeFile("declaration: every chip unit would break a cent: expected simpler odds")
    return game


def _book(game: Game) -> Rulebook:
    """The rulebook that a game is conducted by: its own, or as on terminals."""
    return RULEBOOKS[game.rulebook or EB4.code]


def _whole(shoe: ShoeFile, header: str, usual: int) -> int:
    """The number that a header gives."""
    text = shoe.headers.get(header, str(usual))
    if not _WHOLE.fullmatch(text):
        raise BadShoeFile(f"{header} is no number: {quoted(text)}")
    return int(text)


def _verify_headers(game: Game, shoe: ShoeFile) -> Iterator[Wrong]:
    """The rulebook must be the game's, and the unit one with which no wager of the shoe breaks a cent."""
    said, book = shoe.headers.get("rulebook", "").split(), _book(game)
    if said and said[0] != book.code:
        yield Wrong(1, f"rulebook: {game.key} is played under {book.code}, not {quoted(said[0])}")
    if shoe.headers.get("demonstration") and book.conduct.virtual:
        yield Wrong(1, f"demonstration: under {book.code} cards may be virtual by the book")
    text = shoe.headers.get("unit")
    if text is None:
        return
    if not _UNIT.fullmatch(text):
        yield Wrong(1, f"unit is no number of cents: {quoted(text)}")
        return
    unit, least = int(text), _least_unit(game, shoe)
    if not unit or unit % least:
        yield Wrong(1, f"unit: expected a multiple of {least} cents")
        return
    for coup in shoe.coups:
        for bet in coup.bets:
            if bet.stake_cents % unit or bet.counted_cents % unit:
                yield Wrong(coup.line, f"{_who(bet)}: the stake is no multiple of the unit")


def is_demonstration(shoe: ShoeFile) -> bool:
    """Whether the cards were virtual though the rulebook has a dealing device (interpretation 42)."""
    said = bool(shoe.headers.get("demonstration"))
    try:
        return (said or bool(shoe.headers.get("commitment"))) and not _book(game_of(shoe)).conduct.virtual
    except PuntoError:
        return said


def cut_of(shoe: ShoeFile) -> Cut | None:
    """When the shoe was cut; none where nobody cut it, or the text does not say when."""
    at = shoe.headers.get("cut-at", "")
    return Cut(at, shoe.headers.get("first-bets", "")) if at else None


def _verify_cut(shoe: ShoeFile) -> Iterator[Wrong]:
    """A virtual shoe is cut before its first bets open, never later."""
    for header in ("cut-at", "contributions-closed", "first-bets"):
        text = shoe.headers.get(header)
        if text is not None and not _MOMENT.fullmatch(text):
            yield Wrong(1, f"{header} is no time: {quoted(text, _LONGEST)}: expected as in {_MOMENT_SAMPLE}")
            return
    cut = cut_of(shoe)
    if cut and cut.first_bets and cut.at > cut.first_bets:  # all in one zone: the later text is the later time
        yield Wrong(1, f"the shoe was cut at {cut.at}, after its first bets had opened at {cut.first_bets}")
    closed = shoe.headers.get("contributions-closed", "")
    if cut and closed and cut.at > closed:
        yield Wrong(1, f"the shoe was cut at {cut.at}, after its contributions were closed at {closed}")
    first_bets = shoe.headers.get("first-bets", "")
    if closed and first_bets and closed > first_bets:
        yield Wrong(1, f"contributions were closed at {closed}, after the first bets had opened at {first_bets}")


def _least_unit(game: Game, shoe: ShoeFile) -> int:
    """The smallest unit with which no wager of the shoe breaks a cent; of a shoe with none, the game's smallest."""
    names = {bet.wager for coup in shoe.coups for bet in coup.bets}
    placed = [wager for wager in game.wagers if wager.name in names]
    return unit_of(placed) if placed else min(unit_of([wager]) for wager in game.wagers)


def _verify_coup(game: Game, decks: int, line: CoupLine, seen: Counter[str]) -> Iterator[Wrong]:
    try:
        cards = parse_cards(line.cards, game.deck)
        deal = Deal.of(game.opening, cards)
    except PuntoError as error:
        yield Wrong(line.line, error.message)
        return
    for card in map(str, cards):
        seen[card] += 1
        if seen[card] == decks + 1:
            yield Wrong(line.line, f"{card} comes {decks + 1} times in {decks} decks")
    if line.void is not None:
        yield from _verify_void(game, line)
        return
    coup = deal.coup
    if coup is None:
        yield Wrong(line.line, f"the coup is not complete: {deal.next.value if deal.next else ''} draws another card")
        return
    totals = coup.player.total, coup.banker.total
    if line.totals != totals:
        yield Wrong(line.line, f"the totals are {totals[0]}-{totals[1]}")
    outcome = str(Outcome.of(coup))
    if line.outcome not in {outcome, outcome[0]}:
        yield Wrong(line.line, f"the outcome is {outcome}")
    settled = game.settle(coup) if line.bets else {}
    for bet in line.bets:
        for said in _verify_bet(game, settled, bet):
            yield Wrong(line.line, said)


def _verify_void(game: Game, line: CoupLine) -> Iterator[Wrong]:
    book = _book(game)
    named = line.void or ""
    # What nothing in a rulebook covers is void by nobody's clause, where not even referral has one.
    if not _CLAUSE.fullmatch(named.removeprefix(f"{book.code} ")) and (named or book.conduct.other_clause):
        by = quoted(named, _LONGEST) if named else "no clause"
        yield Wrong(line.line, f"void by {by}: expected a clause of {book.code}")
    names = {wager.name for wager in game.wagers} if line.bets else set()
    for bet in line.bets:
        if bet.wager not in names:
            yield Wrong(line.line, f"{quoted(bet.wager)} is not a wager of {game.key}")
        elif not bet.stake_cents:
            yield Wrong(line.line, f"{_who(bet)}: no stake")
        elif not _goes_back(bet):
            yield Wrong(line.line, f"{_who(bet)}: a stake of a void round goes back in full")


def _goes_back(bet: Bet) -> bool:
    """Whether a stake went back in full: because the round was void, or by a ruling before that."""
    counted = {"void": bet.stake_cents, "returned": 0}.get(bet.result)
    return bet.counted_cents == counted and bet.paid_cents == bet.stake_cents


def _verify_bet(game: Game, settled: Mapping[str, Settlement], bet: Bet) -> Iterator[str]:
    settlement = settled.get(bet.wager)
    if settlement is None:
        yield f"{quoted(bet.wager)} is not a wager of {game.key}"
        return
    book = _book(game)
    if 0 < bet.counted_cents < bet.stake_cents and not (book.conduct.limits and book.conduct.limits.over):
        yield f"{_who(bet)}: {book.code} settles a stake whole or not at all"
    result = settlement.result.value if bet.counted_cents else "returned"
    due = bet.stake_cents + bet.counted_cents * settlement.net
    if not 0 <= bet.counted_cents <= bet.stake_cents or bet.stake_cents == 0:
        yield f"{_who(bet)}: no stake"
    elif bet.result != result:
        yield f"{_who(bet)}: {result}, not {_short(bet.result)} ({settlement.clause})"
    elif bet.paid_cents != due:
        yield f"{_who(bet)}: {_amount(due)} is due ({settlement.clause})"


def _who(bet: Bet) -> str:
    return f"{_short(bet.patron)}, {_short(bet.wager)}"


def _short(text: str) -> str:
    """The text, fit for a message: escaped, and cut where it is long."""
    return quoted(text, _LONGEST)[1:-1]


def _amount(cents: Fraction) -> str:
    """An amount exactly; parts of a cent, which nothing can pay, as a fraction.

    >>> _amount(Fraction(1500)), _amount(Fraction(19, 2))
    ('15.00', '0.09 and 1/2 cents')
    """
    whole, part = divmod(cents, 1)
    return f"{whole // 100}.{whole % 100:02d}" + (f" and {part} cents" if part else "")


def sealed(shoe: ShoeFile) -> str:
    """The commitment that the text shows to have been kept; empty where it does not show that it was made or opened."""
    headers = shoe.headers
    order, made = headers.get("order", ""), headers.get("commitment", "")
    return made if order and made and committed_to(shoe) == made else ""


def _verify_order(game: Game, decks: int, shoe: ShoeFile) -> Iterator[Wrong]:
    """An opened shoe must be what was committed to, and give the cards that were dealt."""
    headers = shoe.headers
    if not headers.get("order"):
        return
    order = headers["order"]
    if headers.get("commitment") and not sealed(shoe):
        yield Wrong(1, "commitment: the order is not what was committed to for this shoe of this table")
    try:
        floors = parse_cards(order, game.deck)
        behind = _whole(shoe, "behind", 0)
        Shoe(game.deck, decks, floors, behind)
        whole = Shoe(game.deck, decks, parse_cards(" ".join(as_permuted(shoe)), game.deck), behind)
        cut = whole.cut(_whole(shoe, "cut", 0))
    except PuntoError as error:
        yield Wrong(1, f"order: {error.message}")
        return
    for place, (card, line) in enumerate(_dealt(game, shoe)):
        if place == len(cut.order):
            yield Wrong(line, f"card {place + 1} of the shoe is {card}: the order has no more than {place}")
            return
        if cut.order[place] != card:
            yield Wrong(line, f"card {place + 1} of the shoe is {cut.order[place]}, not {card}")
            return


def _dealt(game: Game, shoe: ShoeFile) -> Iterator[tuple[Card, int]]:
    """Every card of the shoe with its line, up to the first line that does not read, of which more is said there."""
    for coup in shoe.coups:
        try:
            cards = parse_cards(coup.cards, game.deck)
        except PuntoError:
            return
        for card in cards:
            yield card, coup.line
