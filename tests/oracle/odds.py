"""A second count of what all eleven games come to: every ordered draw is dealt out, from the rulebooks alone."""

from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import chain, permutations
from math import perm
from typing import TypedDict

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Small = NDArray[np.int8]
Truth = NDArray[np.bool_]

# Ranks are 0 for the Ace to 8 for the 9, then the Ten and the three pictures of either deck; suits are numbered as the
# decks list them: spades, hearts, diamonds, clubs; Fire, Gold, Earth, Wood, Water.
RANKS = 13
FOUR = 3
SEVEN = 6
PRECIOUS = {"standard": 2, "elements": 1}
FEW = "fewer than 2**53, so that floating point adds them up without a loss"

STANDARD_GAMES = (
    "baccarat",
    "super-six",
    "fortune-six",
    "super-6",
    "no-commission",
    "tiger",
    "tiger-no-commission",
    "fabulous-4s",
    "live-tiger-no-commission",
)
ELEMENT_GAMES = ("fa-fa-fabulous-4",)
SEVEN_UP = "7-up"


class Round(TypedDict):
    """Many completed rounds at once, as `play` returns them: all that any wager asks about (EB4 3.6-3.9)."""

    player_total: Small
    banker_total: Small
    player_third: Small
    banker_third: Small
    player_pair: Small
    banker_pair: Small
    twin: Small
    player_fours: Small
    banker_fours: Small
    player_precious: Small
    banker_precious: Small
    sevens: Small


# How many values each of these can have.
SHAPE = (10, 10, 2, 2, 2, 2, 2, 2, 2, 2, 2, 7)

# A wager's lines in the order of its pay table: what each pays, and on which rounds. No two are on the same round.
Lines = list[tuple[Fraction, Truth]]


# --- cards and the draw ----------------------------------------


def points(rank: Small) -> Small:
    """Count cards (EB4 3.3, FF2 3.3, B8 3.3, TNC5 3.3, E7U 3.3)."""
    return np.where(rank <= 8, rank + 1, 0).astype(np.int8)


def banker_draws(banker_two: Small, player_drew: Truth, third: Small) -> Truth:
    """Say whether Banker draws once neither hand is natural (EB4 3.8, FF2 3.8, B8 and TNC5 3.14, E7U 3.7)."""
    after_a_card = (
        (banker_two <= 2)
        | ((banker_two == 3) & (third != 8))
        | ((banker_two == 4) & (third >= 2) & (third <= 7))
        | ((banker_two == 5) & (third >= 4) & (third <= 7))
        | ((banker_two == 6) & (third >= 6) & (third <= 7))
    )
    return np.where(player_drew, after_a_card, banker_two <= 5)


def play(ranks: Sequence[Small], precious: Sequence[Truth] = ()) -> Round:
    """Deal rounds from cards in the order in which they come, six of each round, or five after the permanent 7.

    *precious* says of the first cards whether they are of the suit that Precious Pairs ask for (EB4 3.6-3.9, E7U 3.6).
    """
    no = np.zeros(1, dtype=bool)
    if len(ranks) == 6:
        p1, b1, p2, b2, fifth, sixth = ranks
        p1_precious, b1_precious, p2_precious, b2_precious = precious[:4] or (no, no, no, no)
    else:
        b1, p2, b2, fifth, sixth = ranks
        p1 = np.full(1, SEVEN, dtype=np.int8)
        p1_precious, (b1_precious, p2_precious, b2_precious) = no, precious[:3] or (no, no, no)

    player_two = (points(p1) + points(p2)) % 10
    banker_two = (points(b1) + points(b2)) % 10
    natural = (player_two >= 8) | (banker_two >= 8)
    player_draws = ~natural & (player_two <= 5)
    banker_takes = ~natural & banker_draws(banker_two, player_draws, points(fifth))
    bankers = np.where(player_draws, sixth, fifth)

    player_pair = p1 == p2
    banker_pair = b1 == b2
    sevens = (
        (p1 == SEVEN).astype(np.int8)
        + (p2 == SEVEN)
        + (b1 == SEVEN)
        + (b2 == SEVEN)
        + (player_draws & (fifth == SEVEN))
        + (banker_takes & (bankers == SEVEN))
    )
    return {
        "player_total": np.where(player_draws, (player_two + points(fifth)) % 10, player_two),
        "banker_total": np.where(banker_takes, (banker_two + points(bankers)) % 10, banker_two),
        "player_third": player_draws.astype(np.int8),
        "banker_third": banker_takes.astype(np.int8),
        "player_pair": player_pair.astype(np.int8),
        "banker_pair": banker_pair.astype(np.int8),
        "twin": (player_pair & banker_pair & (p1 == b1)).astype(np.int8),
        "player_fours": (player_pair & (p1 == FOUR)).astype(np.int8),
        "banker_fours": (banker_pair & (b1 == FOUR)).astype(np.int8),
        "player_precious": (player_pair & p1_precious & p2_precious).astype(np.int8),
        "banker_precious": (banker_pair & b1_precious & b2_precious).astype(np.int8),
        "sevens": sevens,
    }


def sides(r: Round) -> tuple[Truth, Truth, Truth]:
    """Say where Player wins, where Banker wins and where it is a tie (EB4 and FF2 3.9, B8 and TNC5 3.15, E7U 3.8)."""
    player, banker = r["player_total"], r["banker_total"]
    return player > banker, banker > player, player == banker


def naturals(r: Round) -> tuple[Truth, Truth]:
    """Say where Player and where Banker has eight or nine with two cards (EB4 1.1.8)."""
    player = (r["player_third"] == 0) & (r["player_total"] >= 8)
    banker = (r["banker_third"] == 0) & (r["banker_total"] >= 8)
    return player, banker


# --- the wagers ----------------------------------------


def player_even(r: Round) -> Lines:
    """Player at even money (EB4 4.1-4.4, 4.7, 4.8; B8 4.1; TNC5 4.1)."""
    player, _, tie = sides(r)
    return [(Fraction(1), player), (Fraction(0), tie)]


def banker_less_commission(r: Round) -> Lines:
    """Banker at 0.95 to 1 (EB4 4.7, B8 4.1)."""
    _, banker, tie = sides(r)
    return [(Fraction(19, 20), banker), (Fraction(0), tie)]


def banker_half_on_six(r: Round) -> Lines:
    """Banker at half for a win on six (EB4 4.1-4.4, 4.8; TNC5 4.1)."""
    _, banker, tie = sides(r)
    six = r["banker_total"] == 6
    return [(Fraction(1, 2), banker & six), (Fraction(1), banker & ~six), (Fraction(0), tie)]


def tie_at_eight(r: Round) -> Lines:
    """Tie at eight to one (EB4 4.1-4.4, 4.7, 4.8, 4.11; B8 4.1; TNC5 4.1)."""
    _, _, tie = sides(r)
    return [(Fraction(8), tie)]


def player_pair(r: Round) -> Lines:
    """Player Pair (EB4 4.1-4.4, B8 4.1)."""
    return [(Fraction(11), r["player_pair"] == 1)]


def banker_pair(r: Round) -> Lines:
    """Banker Pair (EB4 4.1-4.4, B8 4.1)."""
    return [(Fraction(11), r["banker_pair"] == 1)]


def any_six(r: Round) -> Lines:
    """Super Six and Super 6 (EB4 4.1, 4.3)."""
    _, banker, _ = sides(r)
    return [(Fraction(15), banker & (r["banker_total"] == 6))]


def six_by_cards(r: Round) -> Lines:
    """Fortune Six and Tiger, by the number of Banker's cards (EB4 4.2, 4.10; TNC5 4.3)."""
    _, banker, _ = sides(r)
    six = banker & (r["banker_total"] == 6)
    return [(Fraction(12), six & (r["banker_third"] == 0)), (Fraction(20), six & (r["banker_third"] == 1))]


def small_tiger(r: Round) -> Lines:
    """Small Tiger (EB4 4.10, TNC5 4.3)."""
    _, banker, _ = sides(r)
    return [(Fraction(22), banker & (r["banker_total"] == 6) & (r["banker_third"] == 0))]


def big_tiger(r: Round) -> Lines:
    """Big Tiger (EB4 4.10, TNC5 4.3)."""
    _, banker, _ = sides(r)
    return [(Fraction(50), banker & (r["banker_total"] == 6) & (r["banker_third"] == 1))]


def tiger_tie(r: Round) -> Lines:
    """Tiger Tie (EB4 4.10, TNC5 4.3)."""
    return [(Fraction(35), (r["player_total"] == 6) & (r["banker_total"] == 6))]


def tiger_pair(r: Round) -> Lines:
    """Tiger Pair by its best line (EB4 4.9, TNC5 4.2)."""
    player, banker, twin = r["player_pair"] == 1, r["banker_pair"] == 1, r["twin"] == 1
    return [(Fraction(100), twin), (Fraction(20), player & banker & ~twin), (Fraction(4), player ^ banker)]


def dragon_bonus(wins: Truth, own_natural: Truth, r: Round) -> Lines:
    """Either Dragon Bonus: a natural, or the margin, or a natural tie (EB4 1.1.9, 4.5, 4.6)."""
    player_natural, banker_natural = naturals(r)
    margin = np.abs(r["player_total"] - r["banker_total"])
    plain = wins & ~own_natural
    return [
        (Fraction(1), wins & own_natural),
        (Fraction(30), plain & (margin == 9)),
        (Fraction(10), plain & (margin == 8)),
        (Fraction(6), plain & (margin == 7)),
        (Fraction(4), plain & (margin == 6)),
        (Fraction(2), plain & (margin == 5)),
        (Fraction(1), plain & (margin == 4)),
        (Fraction(0), (margin == 0) & player_natural & banker_natural),
    ]


def player_dragon_bonus(r: Round) -> Lines:
    """Player Dragon Bonus (EB4 4.6)."""
    player, _, _ = sides(r)
    natural, _ = naturals(r)
    return dragon_bonus(player, natural, r)


def banker_dragon_bonus(r: Round) -> Lines:
    """Banker Dragon Bonus (EB4 4.5)."""
    _, banker, _ = sides(r)
    _, natural = naturals(r)
    return dragon_bonus(banker, natural, r)


def fabulous_player(r: Round) -> Lines:
    """Player, half on four and double on one (EB4 4.11, FF2 4.1)."""
    player, _, tie = sides(r)
    four, one = r["player_total"] == 4, r["player_total"] == 1
    return [
        (Fraction(1, 2), player & four),
        (Fraction(2), player & one),
        (Fraction(1), player & ~four & ~one),
        (Fraction(0), tie),
    ]


def fabulous_banker(r: Round) -> Lines:
    """Banker, a push on four and double on one (EB4 4.11, FF2 4.1)."""
    _, banker, tie = sides(r)
    four, one = r["banker_total"] == 4, r["banker_total"] == 1
    return [
        (Fraction(0), banker & four),
        (Fraction(2), banker & one),
        (Fraction(1), banker & ~four & ~one),
        (Fraction(0), tie),
    ]


def player_fabulous_4(r: Round) -> Lines:
    """Player Fabulous 4 (EB4 4.11, FF2 4.1)."""
    player, _, _ = sides(r)
    return [(Fraction(50), player & (r["player_total"] == 4))]


def banker_fabulous_4(r: Round) -> Lines:
    """Banker Fabulous 4 (EB4 4.11, FF2 4.1)."""
    _, banker, _ = sides(r)
    return [(Fraction(25), banker & (r["banker_total"] == 4))]


def precious_pair(pair: Small, fours: Small, precious: Small) -> Lines:
    """Either Precious Pair by its best line (EB4 4.12, FF2 4.2)."""
    paired, four, suited = pair == 1, fours == 1, precious == 1
    return [
        (Fraction(30), four & suited),
        (Fraction(15), four & ~suited),
        (Fraction(12), paired & suited & ~four),
        (Fraction(9), paired & ~suited & ~four),
    ]


def player_precious_pair(r: Round) -> Lines:
    """Player Precious Pair (EB4 4.12, FF2 4.2)."""
    return precious_pair(r["player_pair"], r["player_fours"], r["player_precious"])


def banker_precious_pair(r: Round) -> Lines:
    """Banker Precious Pair (EB4 4.12, FF2 4.2)."""
    return precious_pair(r["banker_pair"], r["banker_fours"], r["banker_precious"])


def element_tie(r: Round) -> Lines:
    """Tie, with the high price for a pair of fours against another (FF2 1.1.11, 4.1)."""
    _, _, tie = sides(r)
    eights = (r["player_fours"] == 1) & (r["banker_fours"] == 1)
    return [(Fraction(800), tie & eights), (Fraction(8), tie & ~eights)]


def seven_up_player(r: Round) -> Lines:
    """Player, half on seven (E7U 4.1)."""
    player, _, tie = sides(r)
    seven = r["player_total"] == 7
    return [(Fraction(1, 2), player & seven), (Fraction(1), player & ~seven), (Fraction(0), tie)]


def seven_up_banker(r: Round) -> Lines:
    """Banker, nine to five on seven (E7U 4.1)."""
    _, banker, tie = sides(r)
    seven = r["banker_total"] == 7
    return [(Fraction(9, 5), banker & seven), (Fraction(1), banker & ~seven), (Fraction(0), tie)]


def seven_up_tie(r: Round) -> Lines:
    """Tie, better on seven (E7U 4.1)."""
    _, _, tie = sides(r)
    seven = r["player_total"] == 7
    return [(Fraction(9), tie & seven), (Fraction(7), tie & ~seven)]


def super_7s(r: Round) -> Lines:
    """Super 7's by the sevens of both hands, the permanent one among them (E7U 4.2)."""
    pays = {2: 2, 3: 5, 4: 17, 5: 70, 6: 700}
    return [(Fraction(won), r["sevens"] == sevens) for sevens, won in pays.items()]


# --- the games ----------------------------------------


def settle(game: str, r: Round) -> dict[str, Lines]:
    """Settle every wager that the game offers (EB4 4, FF2 4, B8 4, TNC5 4, E7U 4)."""
    if game == "baccarat":
        return {
            "Player": player_even(r),
            "Banker": banker_less_commission(r),
            "Tie": tie_at_eight(r),
            "Player Pair": player_pair(r),
            "Banker Pair": banker_pair(r),
        }
    if game in ("super-six", "fortune-six", "super-6", "no-commission"):
        table = {
            "Player": player_even(r),
            "Banker": banker_half_on_six(r),
            "Tie": tie_at_eight(r),
            "Player Pair": player_pair(r),
            "Banker Pair": banker_pair(r),
        }
        if game == "super-six":
            table["Super Six"] = any_six(r)
        if game == "fortune-six":
            table["Fortune Six"] = six_by_cards(r)
        if game == "super-6":
            table["Super 6"] = any_six(r)
        if game in ("fortune-six", "super-6"):
            table["Player Dragon Bonus"] = player_dragon_bonus(r)
            table["Banker Dragon Bonus"] = banker_dragon_bonus(r)
        return table
    if game in ("tiger", "tiger-no-commission", "live-tiger-no-commission"):
        return {
            "Player": player_even(r),
            "Banker": banker_less_commission(r) if game == "tiger" else banker_half_on_six(r),
            "Tie": tie_at_eight(r),
            "Tiger": six_by_cards(r),
            "Small Tiger": small_tiger(r),
            "Big Tiger": big_tiger(r),
            "Tiger Tie": tiger_tie(r),
            "Tiger Pair": tiger_pair(r),
        }
    if game in ("fabulous-4s", "fa-fa-fabulous-4"):
        return {
            "Player": fabulous_player(r),
            "Banker": fabulous_banker(r),
            "Tie": tie_at_eight(r) if game == "fabulous-4s" else element_tie(r),
            "Player Fabulous 4": player_fabulous_4(r),
            "Banker Fabulous 4": banker_fabulous_4(r),
            "Player Precious Pair": player_precious_pair(r),
            "Banker Precious Pair": banker_precious_pair(r),
        }
    if game == "7-up":
        return {
            "Player": seven_up_player(r),
            "Banker": seven_up_banker(r),
            "Tie": seven_up_tie(r),
            "Super 7's": super_7s(r),
        }
    raise ValueError(f"no such game: {game!r}")


def number(lines: Lines) -> Ints:
    """Number the line that each round comes to; the last one is that the stake is lost."""
    found = np.full(lines[0][1].shape, len(lines), dtype=np.int64)
    for place, (_, on) in enumerate(lines):
        if (found[on] != len(lines)).any():
            raise AssertionError("two lines on one round")
        found[on] = place
    return found


# --- counting ----------------------------------------


class Count(TypedDict):
    """What the ordered draws from a shoe come to."""

    sequences: int
    wagers: dict[str, list[int]]
    player_totals: list[int]
    banker_totals: list[int]
    margins: dict[int, int]
    naturals: dict[str, int]
    cards: dict[int, int]


class Draws(TypedDict):
    """Rounds that differ in something a wager may ask, and in how many ordered draws each comes."""

    rounds: Round
    ways: Ints
    sequences: int


def pack(r: Round) -> Ints:
    """Put all that is known of each round into one number."""
    packed = np.zeros(1, dtype=np.int64)
    for values, size in zip(parts(r), SHAPE, strict=True):
        packed = packed * size + values
    return packed


def parts(r: Round) -> list[Small]:
    """List what is known of rounds, in the order of `SHAPE`."""
    return [
        r["player_total"],
        r["banker_total"],
        r["player_third"],
        r["banker_third"],
        r["player_pair"],
        r["banker_pair"],
        r["twin"],
        r["player_fours"],
        r["banker_fours"],
        r["player_precious"],
        r["banker_precious"],
        r["sevens"],
    ]


def unpack(packed: Ints) -> Round:
    """Take the numbers apart again."""
    (
        player_total,
        banker_total,
        player_third,
        banker_third,
        player_pair,
        banker_pair,
        twin,
        player_fours,
        banker_fours,
        player_precious,
        banker_precious,
        sevens,
    ) = (part.astype(np.int8) for part in np.unravel_index(packed, SHAPE))
    return {
        "player_total": player_total,
        "banker_total": banker_total,
        "player_third": player_third,
        "banker_third": banker_third,
        "player_pair": player_pair,
        "banker_pair": banker_pair,
        "twin": twin,
        "player_fours": player_fours,
        "banker_fours": banker_fours,
        "player_precious": player_precious,
        "banker_precious": banker_precious,
        "sevens": sevens,
    }


def orders(kinds: int, cards: int) -> list[Small]:
    """Lay out every order of so many cards of some kinds: one axis for each card."""
    axis = np.arange(kinds, dtype=np.int8)
    return [axis.reshape([-1 if place == mine else 1 for place in range(cards)]) for mine in range(cards)]


def ways(left: Ints, cards: int) -> Ints:
    """Count the ways to draw each order of so many cards, one after the other without putting any back."""
    kinds = len(left)
    product = np.ones((1,) * cards, dtype=np.int64)
    for drawn in range(cards):
        product = product * still_left(left, drawn).reshape((kinds,) * (drawn + 1) + (1,) * (cards - drawn - 1))
    return product


def still_left(left: Ints, drawn: int) -> Ints:
    """Count the cards left of the kind that comes next, after each order of those drawn; the last axis is the next."""
    still: Ints = np.maximum(left - gone(len(left), drawn), 0)
    return still


@cache
def gone(kinds: int, drawn: int) -> Small:
    """Count how many of those drawn are of the kind that comes next."""
    *before, following = orders(kinds, drawn + 1)
    count = np.zeros((kinds,) * (drawn + 1), dtype=np.int8)
    for card in before:
        count += card == following
    return count


@cache
def rounds_by_rank(cards: int) -> tuple[NDArray[np.intp], Round]:
    """Play every order of ranks once: the class of each, and the round of each class."""
    packed = pack(play(orders(RANKS, cards)))
    classes, place = np.unique(packed, return_inverse=True)
    return place.reshape(RANKS, -1), unpack(classes)


def draws_by_rank(left: Ints, cards: int = 6) -> Draws:
    """Deal every order of ranks, with the ways in which each can be drawn."""
    place, rounds = rounds_by_rank(cards)
    counts = np.zeros(len(rounds["twin"]), dtype=np.int64)
    for first in range(RANKS):
        if not left[first]:
            continue
        rest = left.copy()
        rest[first] -= 1
        weights = (left[first] * ways(rest, cards - 1)).ravel()
        if int(left[first]) * perm(int(rest.sum()), cards - 1) >= 2**53:
            raise AssertionError(f"expected {FEW}")
        counts += np.bincount(place[first], weights, len(counts)).astype(np.int64)
    return {"rounds": rounds, "ways": counts, "sequences": perm(int(left.sum()), cards)}


@cache
def rounds_by_suit() -> tuple[NDArray[np.intp], Round]:
    """Play every order of four first cards, by rank and by whether the suit is precious; nobody asks for more."""
    kinds = orders(2 * RANKS, 4)
    nothing = np.zeros(1, dtype=np.int8)
    packed = pack(play([*(kind % RANKS for kind in kinds), nothing, nothing], [kind >= RANKS for kind in kinds]))
    classes, place = np.unique(packed, return_inverse=True)
    return place.reshape(-1), unpack(classes)


def draws_by_suit(left: Ints, precious: Ints) -> Draws:
    """Deal the first four cards by rank and suit, and any two cards after them."""
    place, rounds = rounds_by_suit()
    size = int(left.sum())
    if perm(size, 4) >= 2**53:
        raise AssertionError(f"expected {FEW}")
    weights = ways(np.concatenate([left - precious, precious]), 4).ravel()
    counts = np.bincount(place, weights, len(rounds["twin"])).astype(np.int64)
    return {"rounds": rounds, "ways": counts * ((size - 4) * (size - 5)), "sequences": perm(size, 6)}


@cache
def permuted(size: int, cards: int) -> NDArray[np.int8]:
    """List every ordered draw of so many cards from a shoe, card by card."""
    flat = np.fromiter(chain.from_iterable(permutations(range(size), cards)), dtype=np.int8)
    return np.ascontiguousarray(flat.reshape(-1, cards).T)


def draws_by_card(cards: Sequence[tuple[int, int]], precious: int, drawn: int = 6) -> Draws:
    """Deal every ordered draw of cards from a small shoe; each card is a rank and a suit."""
    ranks = np.array([rank for rank, _ in cards], dtype=np.int8)
    suited = np.array([suit == precious for _, suit in cards])
    draws = permuted(len(cards), drawn)
    counts = np.bincount(pack(play([ranks[card] for card in draws], [suited[card] for card in draws[:4]])))
    classes = np.flatnonzero(counts)
    return {
        "rounds": unpack(classes),
        "ways": counts[classes].astype(np.int64),
        "sequences": draws.shape[1],
    }


def line_counts(game: str, draws: Draws) -> dict[str, list[int]]:
    """Count for each wager of a game the draws that lead to each of its lines; the last is that it is lost."""
    found = {}
    for wager, lines in settle(game, draws["rounds"]).items():
        line = number(lines)
        found[wager] = [int(draws["ways"][line == place].sum()) for place in range(len(lines) + 1)]
    return found


def count(game: str, draws: Draws, of_suits: Draws | None = None) -> Count:
    """Count all that a game comes to; *of_suits* are the draws that know suits, where the others do not."""
    wagers = line_counts(game, draws)
    if of_suits and "Player Precious Pair" in wagers:
        by_suit = line_counts(game, of_suits)
        wagers |= {name: by_suit[name] for name in ("Player Precious Pair", "Banker Precious Pair")}
    r = draws["rounds"]
    player, banker = naturals(r)

    def where(on: Truth) -> int:
        return int(draws["ways"][on].sum())

    return {
        "sequences": draws["sequences"],
        "wagers": wagers,
        "player_totals": [where(r["player_total"] == total) for total in range(10)],
        "banker_totals": [where(r["banker_total"] == total) for total in range(10)],
        "margins": {margin: where(r["player_total"] - r["banker_total"] == margin) for margin in range(-9, 10)},
        "naturals": {
            "none": where(~player & ~banker),
            "player": where(player & ~banker),
            "banker": where(~player & banker),
            "both": where(player & banker),
        },
        "cards": {cards: where(4 + r["player_third"] + r["banker_third"] == cards) for cards in (4, 5, 6)},
    }


def moments(game: str, draws: Draws) -> dict[tuple[str, str], Fraction]:
    """Average for any two wagers the product of what they win on the same round."""
    table = settle(game, draws["rounds"])
    found = {}
    for one, first in table.items():
        for other, second in table.items():
            together = Fraction(0)
            for net, on in with_loss(first):
                for another, also in with_loss(second):
                    together += net * another * int(draws["ways"][on & also].sum())
            found[one, other] = together / draws["sequences"]
    return found


def with_loss(lines: Lines) -> Lines:
    """Add the last line, that the stake is lost."""
    return [*lines, (Fraction(-1), number(lines) == len(lines))]
