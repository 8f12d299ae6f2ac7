"""Is the text of a shoe right? Every coup dealt by the book, every wager paid to the cent, every card in the decks."""

import re
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from hashlib import sha256
from typing import Final, NamedTuple

from punto.cards import Shoe, check_decks, parse_cards
from punto.errors import PuntoError
from punto.games import GAMES, RULEBOOKS, digest, edition, find
from punto.record.shoefile import Bet, CoupLine, ShoeFile
from punto.roads import Outcome
from punto.rules import Coup, Deal, Game
from punto.rules.money import unit_of

_USUAL_DECKS: Final = "8"
_CLAUSE: Final = re.compile(r"[0-9]+(\.[0-9]+)+")


class Wrong(NamedTuple):
    """Something that is not right, and in which line."""

    line: int
    said: str


def verify(shoe: ShoeFile) -> Iterator[Wrong]:
    """Whatever is wrong with a shoe, in the order of its lines."""
    try:
        game = _game(shoe)
        decks = check_decks(int(shoe.headers.get("decks", _USUAL_DECKS)))
    except ValueError:
        yield Wrong(1, "decks is no number")
        return
    except PuntoError as error:
        yield Wrong(1, error.message)
        return
    if shoe.headers.get("digest") and edition(game.key, shoe.headers["digest"]) is None:
        yield Wrong(1, f"digest: {game.key} was declared otherwise: this Punto knows {digest(GAMES[game.key])[:16]}…")
    yield from _verify_headers(game, shoe)
    seen: Counter[str] = Counter()
    before, discarded = 0, False
    for coup in shoe.coups:
        if coup.number < before or (coup.number == before and not discarded):
            yield Wrong(coup.line, f"round {coup.number} comes after round {before}")
        before, discarded = coup.number, coup.void is not None and not coup.bets
        yield from _verify_coup(game, decks, coup, seen)
    yield from _verify_order(game, decks, shoe)


def _verify_headers(game: Game, shoe: ShoeFile) -> Iterator[Wrong]:
    """The rulebook must be the game's, and the unit one with which no pay line breaks a cent."""
    said = shoe.headers.get("rulebook", "").split()
    if said and said[0] != game.rulebook:
        yield Wrong(1, f"rulebook: {game.key} is played under {game.rulebook}, not {said[0]}")
    unit, least = shoe.headers.get("unit", ""), unit_of(game.wagers)
    if unit and (not unit.isdecimal() or not unit.isascii() or int(unit) == 0 or int(unit) % least):
        yield Wrong(1, f"unit: expected a multiple of {least} cents")
    elif unit:
        for coup in shoe.coups:
            for bet in coup.bets:
                if bet.stake_cents % int(unit):
                    yield Wrong(coup.line, f"{bet.patron}, {bet.wager}: the stake is no multiple of the unit")


def _game(shoe: ShoeFile) -> Game:
    return edition(shoe.headers["game"], shoe.headers.get("digest", "")) or find(shoe.headers["game"])


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
    for bet in line.bets:
        yield from _verify_bet(game, coup, line, bet)


def _verify_void(game: Game, line: CoupLine) -> Iterator[Wrong]:
    book = RULEBOOKS.get(game.rulebook)
    named = line.void or ""
    # What nothing in a rulebook covers is void by nobody's clause, where not even referral has one.
    if book and not _CLAUSE.fullmatch(named.removeprefix(f"{book.code} ")) and (named or book.conduct.other_clause):
        yield Wrong(line.line, f"void by {named or 'no clause'}: expected a clause of {book.code}")
    for bet in line.bets:
        if bet.result != "void" or bet.paid_cents != bet.stake_cents:
            yield Wrong(line.line, f"{bet.patron}: a stake of a void round goes back in full")


def _verify_bet(game: Game, coup: Coup, line: CoupLine, bet: Bet) -> Iterator[Wrong]:
    settled = game.settle(coup).get(bet.wager)
    if settled is None:
        yield Wrong(line.line, f"{bet.wager!r} is not a wager of {game.key}")
        return
    book = RULEBOOKS.get(game.rulebook)
    if bet.counted_cents != bet.stake_cents and book and not (book.conduct.limits and book.conduct.limits.over):
        yield Wrong(line.line, f"{bet.patron}, {bet.wager}: {book.code} settles a stake whole or not at all")
    result = settled.result.value if bet.counted_cents else "returned"
    due = bet.stake_cents + bet.counted_cents * settled.net
    if not 0 <= bet.counted_cents <= bet.stake_cents or bet.stake_cents == 0:
        yield Wrong(line.line, f"{bet.patron}, {bet.wager}: no stake")
    elif bet.result != result:
        yield Wrong(line.line, f"{bet.patron}, {bet.wager}: {result}, not {bet.result} ({settled.clause})")
    elif Fraction(bet.paid_cents) != due:
        yield Wrong(line.line, f"{bet.patron}, {bet.wager}: {float(due / 100):.2f} is due ({settled.clause})")


def _verify_order(game: Game, decks: int, shoe: ShoeFile) -> Iterator[Wrong]:
    """An opened shoe must be what was committed to, and give the cards that were dealt."""
    headers = shoe.headers
    if not headers.get("order"):
        return
    order, salt = headers["order"], headers.get("salt", "")
    if headers.get("commitment") and _commitment(order, salt) != headers["commitment"]:
        yield Wrong(1, "commitment: the order is not what was committed to")
    try:
        whole = Shoe(game.deck, decks, parse_cards(order, game.deck), int(headers.get("behind", "0")))
        cut = whole.cut(int(headers.get("cut", "0")))
    except ValueError:
        yield Wrong(1, "cut or behind is no number")
        return
    except PuntoError as error:
        yield Wrong(1, f"order: {error.message}")
        return
    dealt = [(card, coup.line) for coup in shoe.coups for card in coup.cards.split()]
    for place, (card, line) in enumerate(dealt):
        if str(cut.order[place]) != card:
            yield Wrong(line, f"card {place + 1} of the shoe is {cut.order[place]}, not {card}")
            return


def _commitment(order: str, salt: str) -> str:
    return sha256(f"punto shoe 1\n{salt}\n{order}".encode()).hexdigest()
