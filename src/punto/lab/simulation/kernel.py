"""The simulation kernel: whole shoes, dealt without replacement and tallied jointly for all wagers of a game.

Eight shoes at a time go through stages, each of which is one tight loop without branches that depend on the cards:

1. *draw*: bounded draws by 16-bit multiplication, 32 at a time in vector registers;
2. *shuffle*: the swaps of Fisher and Yates, in turn for the eight shoes, so that a swap does not wait for the one
   before;
3. *prepare*: for every place of a shoe at which a round could begin, in vector registers: both totals and the points
   of the fifth card (the key), and a number for the pair of cards two places apart;
4. *walk*: from round to round, by as many cards as the Table of Play says for the key, which is all that one round must
   know of another;
5. *resolve*: each round by itself, its cell of the tally by table lookups;
6. *limit*: blank the rounds that are none, after the end of a shoe or of what was asked for;
7. *count*: cells and streaks.

The stages are functions of their own, called once for eight shoes, because that keeps the registers of each loop free;
they take the arrays they need and no others, because numba passes an array as seven words, on the stack.

A round begins at its first card; in 7 Up, where Player's first card is not from the shoe, at the card before it, which
the tables then ignore: so the places of the other cards are the same in all games.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from llvmlite import ir
from numba import njit, types
from numba.extending import intrinsic
from numpy import int64, uint8, uint16, uint32, uint64

from punto.lab.simulation.tables import (
    BANKER_SLOT_SHIFT,
    MOST_CELLS,
    PLAYER_DRAWS_SHIFT,
    PLAYER_SLOT_SHIFT,
    SLOTS,
    WINNER_SHIFT,
    Bytes,
    Halves,
    Rules,
)
from punto.lab.simulation.tally import LONGEST_RUN, Part

LANES: Final = 8
MOST_CARDS: Final = 650
_LONGEST_COUP: Final = 6
# A lane's places: those of the longest shoe, and those that a walk can come to after its end, while it waits for the
# others. That takes at most 216 rounds (of 3 cards each, up to place 645), hence in a lane with 5 cards each, 1080.
STRIDE: Final = 1088
MOST_ROUNDS: Final = 224

# Draws of one lane at a time: one vector of 512 bits.
CHUNK: Final = 32
# Long enough that the compiler makes a vector loop of it and does not unroll it.
SPAN: Final = 128
WORDS: Final = CHUNK // 4
GENERATORS: Final = LANES * WORDS
# One more generator, for what takes the place of rejected draws.
SPARE: Final = GENERATORS
STATE_WORDS: Final = 4

# A card's code is a nibble that gives its points, and above it what else tells it from others: nibbles from 10 on count
# nothing, as tens and court cards do.
NIBBLE: Final = uint8(15)
TEN: Final = uint8(10)
# A key is Player's total * 256 + Banker's total * 16 + the points of the fifth card.
FIFTH: Final = uint16(15)

# What an entry of the Table of Play says of the number of cards.
CARDS_MASK: Final = uint16(7)

# Above the number of a cell: Player, Banker, tie, or that it is no round.
WINNER_MASK: Final = 3 << WINNER_SHIFT
TIE: Final = 2
NO_ROUND: Final = 3
BLANK: Final = uint16(0xFFFF)

# A streak's state: six bits of its length, one of the winner, one more to keep rounds without winner apart.
STREAKS: Final = 256

# SplitMix64
GAMMA: Final = uint64(0x9E3779B97F4A7C15)
_FIRST_MULTIPLIER: Final = uint64(0xBF58476D1CE4E5B9)
_SECOND_MULTIPLIER: Final = uint64(0x94D049BB133111EB)


class Shoe(NamedTuple):
    """A whole shoe as the kernel deals it."""

    # The cards in any order, as codes.
    cards: Bytes
    # The last place at which a round may begin, and the most rounds of a shoe.
    last: int
    most: int
    # [chunk, draw]: from how many cards each draw is (1: no draw), and 65536 modulo that.
    bounds: Halves
    thresholds: Halves


def _draws(size: int, needed: int) -> tuple[Halves, Halves]:
    """The bounds and thresholds by which so many cards of a shoe of that size are drawn."""
    assert needed <= size <= MOST_CARDS
    bounds = np.ones(-(-needed // CHUNK) * CHUNK, np.uint32)
    bounds[:needed] = size - np.arange(needed)
    thresholds = (1 << 16) % bounds
    return bounds.astype(np.uint16).reshape(-1, CHUNK), thresholds.astype(np.uint16).reshape(-1, CHUNK)


def _successors() -> Bytes:
    """[winner, state]: the state of a streak after one more round."""
    table = np.zeros((NO_ROUND + 1, MOST_CELLS), np.uint8)
    for state in range(STREAKS):
        side, run = state // LONGEST_RUN % 2, state % LONGEST_RUN
        for winner in range(TIE):
            longer = min(run + 1, LONGEST_RUN - 1) if run and winner == side else 1
            table[winner, state] = winner * LONGEST_RUN + longer
        table[TIE:, state] = 2 * LONGEST_RUN + state % (2 * LONGEST_RUN)
    return table.ravel()


SUCCESSORS: Final = _successors()


@njit(inline="always")
def _mixed(word: Any) -> Any:
    """The output function of SplitMix64."""
    word = (word ^ (word >> uint64(30))) * _FIRST_MULTIPLIER
    word = (word ^ (word >> uint64(27))) * _SECOND_MULTIPLIER
    return word ^ (word >> uint64(31))


@njit(nogil=True, cache=True)
def _seeded(seed: Any, block: Any) -> Any:
    """The generators of a block: its own stretch of the seed's SplitMix64 stream, no word of which comes twice."""
    first, second, third, fourth = (
        np.empty(GENERATORS + 1, uint64), np.empty(GENERATORS + 1, uint64),
        np.empty(GENERATORS + 1, uint64), np.empty(GENERATORS + 1, uint64),
    )  # fmt: skip
    counter = _mixed(seed) + uint64(STATE_WORDS * (GENERATORS + 1)) * block * GAMMA
    for generator in range(GENERATORS + 1):
        first[generator] = _mixed(counter + GAMMA)
        second[generator] = _mixed(counter + uint64(2) * GAMMA)
        third[generator] = _mixed(counter + uint64(3) * GAMMA)
        fourth[generator] = _mixed(counter + uint64(4) * GAMMA)
        counter += uint64(STATE_WORDS) * GAMMA
    return first, second, third, fourth


@njit(inline="always")
def _step(state: Any, generator: Any) -> Any:
    """The next word of a generator, which is xoshiro256++."""
    first, second, third, fourth = state
    a, b, c, d = first[generator], second[generator], third[generator], fourth[generator]
    sum_ = a + d
    c ^= a
    d ^= b
    first[generator] = a ^ d
    second[generator] = b ^ c
    third[generator] = c ^ (b << uint64(17))
    fourth[generator] = (d << uint64(45)) | (d >> uint64(19))
    return ((sum_ << uint64(23)) | (sum_ >> uint64(41))) + a


def _emit_draw(context: Any, builder: Any, signature: Any, args: Any) -> Any:
    """Emit a step of WORDS generators and the bounded draws from their words, all in vector registers."""
    words = ir.VectorType(ir.IntType(64), WORDS)
    halves = ir.VectorType(ir.IntType(16), CHUNK)
    products = ir.VectorType(ir.IntType(32), CHUNK)
    *arrays, lane, chunk, row = args

    def pointer(number: int, vector: ir.VectorType, index: Any) -> Any:
        data = context.make_array(signature.args[number])(context, builder, arrays[number]).data
        element = vector.element
        at = builder.mul(index, ir.Constant(index.type, vector.count))
        return builder.bitcast(builder.gep(builder.bitcast(data, element.as_pointer()), [at]), vector.as_pointer())

    def load(number: int, vector: ir.VectorType, index: Any) -> Any:
        value = builder.load(pointer(number, vector, index))
        value.align = vector.element.width // 8
        return value

    def store(value: Any, number: int, index: Any) -> None:
        builder.store(value, pointer(number, value.type, index)).align = value.type.element.width // 8

    def shifted(value: Any, left: int) -> Any:
        return builder.shl(value, ir.Constant(words, [left] * WORDS))

    def rotated(value: Any, left: int) -> Any:
        return builder.or_(shifted(value, left), builder.lshr(value, ir.Constant(words, [64 - left] * WORDS)))

    # xoshiro256++, as in _step.
    a, b, c, d = (load(number, words, lane) for number in range(STATE_WORDS))
    drawn = builder.add(rotated(builder.add(a, d), 23), a)
    c = builder.xor(c, a)
    d = builder.xor(d, b)
    after = (builder.xor(a, d), builder.xor(b, c), builder.xor(c, shifted(b, 17)), rotated(d, 45))
    for number, value in enumerate(after):
        store(value, number, lane)

    # Lemire's multiplication: the upper half is the draw, which the lower half rejects if it is too small.
    bounds, thresholds, places = range(STATE_WORDS, STATE_WORDS + 3)
    factors = builder.bitcast(drawn, halves), load(bounds, halves, chunk)
    product = builder.mul(*(builder.zext(factor, products) for factor in factors))
    store(builder.trunc(builder.lshr(product, ir.Constant(products, [16] * CHUNK)), halves), places, row)
    rejected = builder.icmp_unsigned("<", builder.trunc(product, halves), load(thresholds, halves, chunk))
    return builder.bitcast(rejected, ir.IntType(CHUNK))


@intrinsic
def _draw(
    _context: Any, first: Any, second: Any, third: Any, fourth: Any, bounds: Any, thresholds: Any, places: Any,
    lane: Any, chunk: Any, row: Any,
) -> Any:  # fmt: skip
    """Draw the chunk of a lane; return a bit for each draw that is rejected.

    It is written for LLVM because what it makes of the same loop in Python takes half as long again for a shuffle.
    """
    return types.uint32(first, second, third, fourth, bounds, thresholds, places, lane, chunk, row), _emit_draw


@njit(nogil=True, cache=True)
def _draw_all(state: Any, bounds: Any, thresholds: Any, places: Any) -> None:
    """Draw, for every card of every lane, how many places further on lies the card that takes its place."""
    first, second, third, fourth = state
    for chunk in range(len(bounds)):
        for lane in range(LANES):
            row = chunk * LANES + lane
            rejected = _draw(first, second, third, fourth, bounds, thresholds, places, lane, chunk, row)
            if rejected:
                for draw in range(CHUNK):
                    if (rejected >> uint32(draw)) & uint32(1):
                        product = uint32(0)
                        while uint16(product) < thresholds[chunk, draw]:
                            product = uint32(uint32(_step(state, SPARE) >> uint64(48)) * uint32(bounds[chunk, draw]))
                        places[chunk, lane, draw] = uint16(product >> uint32(16))


@njit(nogil=True, cache=True)
def _shuffle(chunks: Any, places: Any, held: Any, shoes: Any) -> None:
    """Shuffle the shoe of each lane as far as it can be dealt: Fisher and Yates, from whatever order it has."""
    for chunk in range(chunks):
        for draw in range(CHUNK):
            here = uint64(held + chunk * CHUNK + draw)
            for lane in range(LANES):
                at = uint64(lane * STRIDE) + here
                other = at + uint64(places[chunk, lane, draw])
                card = shoes[other]
                shoes[other] = shoes[at]
                shoes[at] = card


@njit(nogil=True, cache=True)
def _prepare(shoes: Any, row: Any, held: Any, held_points: Any, last: Any, points: Any, keys: Any, pairs: Any) -> None:
    """Work out the key and the pair of every place at which a round could begin, and of the place after it."""
    # With a permanent card the points of the card in its place are masked out, and its own put in.
    mask = uint8(0) if held else uint8(255)
    instead = uint8(held_points) if held else uint8(0)
    # Up to the sixth card of the last round; what follows is whatever cards are there, and is never a round's.
    spans = (last + 6 + SPAN - 1) // SPAN
    for lane in range(LANES):
        for span in range(spans):
            for place in range(SPAN):
                within = uint64(span * SPAN) + uint64(place)
                at = uint64(lane * STRIDE) + within
                nibble = uint8(shoes[at] & NIBBLE)
                points[within] = nibble if nibble < TEN else uint8(0)
                pairs[at] = uint16(uint16(uint16(shoes[at]) * row) + uint16(shoes[at + uint64(2)]))
        for span in range(spans):
            for place in range(SPAN):
                at = uint64(span * SPAN) + uint64(place)
                player = uint8(uint8(uint8(points[at] & mask) + instead) + points[at + uint64(2)])
                banker = uint8(points[at + uint64(1)] + points[at + uint64(3)])
                # Less than ten, ten less wraps round to something large.
                player = min(player, uint8(player - TEN))
                banker = min(banker, uint8(banker - TEN))
                totals = uint16(uint16(uint16(player) << uint16(8)) | uint16(uint16(banker) << uint16(4)))
                keys[uint64(lane * STRIDE) + at] = uint16(totals | uint16(points[at + uint64(4)]))


@njit(nogil=True, cache=True)
def _walk(keys: Any, tableau: Any, last: Any, starts: Any, entries: Any) -> Any:
    """Find where the rounds of each lane begin, lanes in turn, until all shoes are at their end; return how many."""
    for lane in range(LANES):
        starts[lane] = lane * STRIDE
    count = uint64(0)
    more: Any = True
    while more:
        more = False
        for lane in range(LANES):
            at = uint64(starts[count + uint64(lane)])
            entry = tableau[keys[at]]
            entries[count + uint64(lane)] = entry
            after = at + uint64(entry & CARDS_MASK)
            starts[count + uint64(LANES + lane)] = after
            more |= after <= uint64(lane * STRIDE + last)
        count += uint64(LANES)
    return count


@njit(nogil=True, cache=True)
def _resolve(
    count: Any, starts: Any, entries: Any, keys: Any, pairs: Any, open_player: Any, open_banker: Any,
    final_player: Any, final_banker: Any, joint: Any, cells: Any,
) -> None:  # fmt: skip
    """Find the joint class of every round."""
    # Two short loops overtake one long one: more of their rounds are under way at the same time.
    for number in range(count):
        at = uint64(starts[number])
        slot = (uint32(entries[number]) >> uint32(PLAYER_SLOT_SHIFT)) & uint32(SLOTS - 1)
        cells[number] = final_player[uint32(uint32(open_player[pairs[at]]) + slot)]
    for number in range(count):
        at = uint64(starts[number])
        entry = uint32(entries[number])
        # Banker's third card is the fifth of the round, or the sixth if Player has drawn the fifth.
        drawn = uint64((entry >> uint32(PLAYER_DRAWS_SHIFT)) & uint32(1))
        slot = uint32(uint32(entry >> uint32(BANKER_SLOT_SHIFT)) + uint32(keys[at + drawn] & FIFTH))
        hand = uint32(final_banker[uint32(uint32(open_banker[pairs[at + uint64(1)]]) + slot)])
        cells[number] = joint[uint32(uint32(cells[number]) + hand)]


@njit(nogil=True, cache=True)
def _limit(count: Any, starts: Any, last: Any, most: Any, shoes: Any, limit: Any, cells: Any, lengths: Any) -> Any:
    """Blank what is no round, and what is beyond so many shoes or rounds; return how many rounds are left."""
    dealt = int64(0)
    for lane in range(LANES):
        end = uint64(lane * STRIDE + last)
        rounds = int64(count) // LANES
        while uint64(starts[uint64((rounds - 1) * LANES + lane)]) > end:
            rounds -= 1
            cells[uint64(rounds * LANES + lane)] = BLANK
        while rounds > most:
            rounds -= 1
            cells[uint64(rounds * LANES + lane)] = BLANK
        room = limit - dealt if lane < shoes else int64(0)
        if rounds <= room:
            lengths[rounds] += 1
        else:
            for number in range(room, rounds):
                cells[uint64(number * LANES + lane)] = BLANK
            rounds = room
        dealt += rounds
    return dealt


@njit(nogil=True, cache=True)
def _count(count: Any, cells: Any, streaks: Any, tally: Any, reach: Any) -> None:
    """Count the joint classes and the states of the streaks."""
    for lane in range(LANES):
        streaks[lane] = 0
    for row in range(uint64(0), count, uint64(LANES)):
        for lane in range(LANES):
            cell = uint64(cells[uint64(row) + uint64(lane)])
            tally[cell] += uint32(1)
            streak = SUCCESSORS[(cell & uint64(WINNER_MASK)) | uint64(streaks[lane])]
            streaks[lane] = streak
            reach[streak] += 1


@njit(nogil=True, cache=True)
def _deal(
    seed: Any, block: Any, shoes: Any, limit: Any, rules: Any, shoe: Any, tally: Any, reach: Any, lengths: Any
) -> Any:
    """Deal the first shoes of a block, as far as the limit of rounds; add to the tallies; return the rounds.

    The order of the rounds is that of the shoes, and *shoes* and *limit* only cut it short. Added to: *tally*[cell],
    *reach*[winner * LONGEST_RUN + length of the run, 63 at most] and *lengths*[rounds], of shoes dealt to the end.
    """
    state = _seeded(seed, block)
    places = np.empty((len(shoe.bounds), LANES, CHUNK), uint16)
    stack = np.zeros(LANES * STRIDE, uint8)
    points = np.zeros(STRIDE, uint8)
    keys = np.zeros(LANES * STRIDE, uint16)
    pairs = np.zeros(LANES * STRIDE, uint16)
    starts = np.zeros((MOST_ROUNDS + 1) * LANES, uint16)
    entries = np.zeros(MOST_ROUNDS * LANES, uint16)
    cells = np.zeros(MOST_ROUNDS * LANES, uint16)
    streaks = np.zeros(LANES, uint8)
    tallied = np.zeros(1 << 16, uint32)
    reached = np.zeros(STREAKS, int64)

    for lane in range(LANES):
        for place in range(len(shoe.cards)):
            stack[uint64(lane * STRIDE + rules.held + place)] = shoe.cards[place]

    dealt = int64(0)
    done = int64(0)
    while done < shoes and dealt < limit:
        _draw_all(state, shoe.bounds, shoe.thresholds, places)
        _shuffle(len(shoe.bounds), places, rules.held, stack)
        _prepare(stack, rules.row, rules.held, rules.held_points, shoe.last, points, keys, pairs)
        count = _walk(keys, rules.tableau, shoe.last, starts, entries)
        _resolve(
            count, starts, entries, keys, pairs, rules.open_player, rules.open_banker,
            rules.final_player, rules.final_banker, rules.joint, cells,
        )  # fmt: skip
        dealt += _limit(count, starts, shoe.last, shoe.most, shoes - done, limit - dealt, cells, lengths)
        _count(count, cells, streaks, tallied, reached)
        done += LANES

    for number in range(len(tally)):
        for winner in range(NO_ROUND):
            tally[number] += tallied[(winner << WINNER_SHIFT) + number]
    for number in range(len(reach)):
        reach[number] += reached[number]
    return dealt


class Kernel:
    """Deals the blocks of one game and shoe.

    *last* is the most cards that may be gone when a round begins, *most* the most rounds that are dealt of a shoe.
    """

    def __init__(self, rules: Rules, cards: Bytes, last: int, most: int = MOST_ROUNDS) -> None:
        self._rules = rules
        self._shoe = Shoe(cards, last, most, *_draws(len(cards), min(len(cards), last + _LONGEST_COUP)))

    def deal(self, seed: int, block: int, shoes: int, limit: int, part: Part) -> int:
        """Deal the first shoes of a block, as far as a limit of rounds; add to the counts; give back the rounds."""
        rounds: int = _deal(
            uint64(seed), uint64(block), shoes, limit, self._rules, self._shoe, part.cells, part.reach, part.lengths
        )
        return rounds
