import numpy as np
from numba import njit

LANES = 8
STRIDE = 704
CHUNK = 32
GENERATORS = 64
SPARE = 64
MOST_ROUNDS = 176
GAMMA = np.uint64(0x9E3779B97F4A7C15)
M1 = np.uint64(0xBF58476D1CE4E5B9)
M2 = np.uint64(0x94D049BB133111EB)
U1 = np.uint64(1)
U2 = np.uint64(2)
U3 = np.uint64(3)
U4 = np.uint64(4)
U8 = np.uint64(8)
U12 = np.uint64(15)
U16 = np.uint64(16)
U32_16 = np.uint32(16)


@njit(inline="always")
def mixed(w):
    w = (w ^ (w >> np.uint64(30))) * M1
    w = (w ^ (w >> np.uint64(27))) * M2
    return w ^ (w >> np.uint64(31))


@njit(nogil=True, cache=True)
def run(
    seed,
    block,
    shoes,
    limit,
    cards,
    last_start,
    opening,
    kinds,
    points,
    open_player,
    open_banker,
    tableau,
    final_player,
    final_banker,
    joint,
    follow,
    bounds,
    thresholds,
    tally,
    reach,
    lengths,
):
    size = len(cards)
    phantom = 4 - opening
    chunks = len(bounds)
    state = np.empty((4, GENERATORS + 1), np.uint64)
    s0 = np.empty(GENERATORS + 1, np.uint64)
    s1 = s0.copy()
    s2 = s0.copy()
    s3 = s0.copy()
    start = mixed(seed) + np.uint64(4 * (GENERATORS + 1)) * block * GAMMA
    for k in range(GENERATORS + 1):
        s0[k] = mixed(start + GAMMA)
        s1[k] = mixed(start + GAMMA * U2)
        s2[k] = mixed(start + GAMMA * U3)
        start += GAMMA * U4
        s3[k] = mixed(start)
    words = np.empty(GENERATORS, np.uint64)
    halves = words.view(np.uint16).reshape(LANES, CHUNK)
    places = np.empty((LANES, CHUNK), np.uint16)
    stack = np.zeros(LANES * STRIDE, np.uint8)
    for lane in range(LANES):
        for k in range(size):
            stack[lane * STRIDE + phantom + k] = cards[k]
    position = np.zeros(LANES, np.uint16)
    streak = np.zeros(LANES, np.uint8)
    counts = np.zeros(LANES, np.int64)
    cells = np.zeros(MOST_ROUNDS * LANES, np.uint16)
    nothing = len(tally)
    tallied = np.zeros(nothing + 1, np.int64)
    reached = np.zeros(256, np.int64)
    dummy = np.uint16(nothing * 4 + 3)
    dealt = 0
    shoe = 0
    while shoe < shoes and dealt < limit:
        for chunk in range(chunks):
            for g in range(GENERATORS):
                a = s0[g]
                b = s1[g]
                c = s2[g]
                d = s3[g]
                t = a + d
                words[g] = ((t << np.uint64(23)) | (t >> np.uint64(41))) + a
                c ^= a
                d ^= b
                s1[g] = b ^ c
                s0[g] = a ^ d
                s2[g] = c ^ (b << np.uint64(17))
                s3[g] = (d << np.uint64(45)) | (d >> np.uint64(19))
            for lane in range(LANES):
                bad = np.uint16(0)
                for g in range(CHUNK):
                    product = np.uint32(np.uint32(halves[lane, g]) * np.uint32(bounds[chunk, g]))
                    places[lane, g] = np.uint16(product >> U32_16)
                    bad |= np.uint16(np.uint16(product) < thresholds[chunk, g])
                if bad:
                    for g in range(CHUNK):
                        product = np.uint32(np.uint32(halves[lane, g]) * np.uint32(bounds[chunk, g]))
                        while np.uint16(product) < thresholds[chunk, g]:
                            a = s0[SPARE]
                            b = s1[SPARE]
                            c = s2[SPARE]
                            d = s3[SPARE]
                            t = a + d
                            word = ((t << np.uint64(23)) | (t >> np.uint64(41))) + a
                            c ^= a
                            d ^= b
                            s1[SPARE] = b ^ c
                            s0[SPARE] = a ^ d
                            s2[SPARE] = c ^ (b << np.uint64(17))
                            s3[SPARE] = (d << np.uint64(45)) | (d >> np.uint64(19))
                            product = np.uint32(np.uint32(word >> np.uint64(48)) * np.uint32(bounds[chunk, g]))
                        places[lane, g] = np.uint16(product >> U32_16)
            for g in range(CHUNK):
                for lane in range(LANES):
                    here = np.uint64(lane * STRIDE + phantom + chunk * CHUNK + g)
                    there = here + np.uint64(places[lane, g])
                    card = stack[there]
                    stack[there] = stack[here]
                    stack[here] = card
        for lane in range(LANES):
            position[lane] = 0
            streak[lane] = 0
            counts[lane] = 0
        # deal
        rounds = 0
        more = True
        while more:
            more = False
            for lane in range(LANES):
                pos = np.uint64(position[lane])
                at = np.uint64(lane * STRIDE) + pos
                player = open_player[np.uint64(stack[at]) * np.uint64(kinds) + np.uint64(stack[at + U2])]
                banker = open_banker[np.uint64(stack[at + U1]) * np.uint64(kinds) + np.uint64(stack[at + U3])]
                draws = np.uint64(tableau[(player | banker) & np.uint32(255)])
                fifth = np.uint64(points[stack[at + U4]])
                pdraws = draws >> U12
                bdraws = (draws >> fifth) & U1
                lastc = np.uint64(points[stack[at + U4 + pdraws]])
                p = np.uint64(player >> np.uint32(8)) + (pdraws << U4) + fifth
                b = np.uint64(banker >> np.uint32(8)) + (bdraws << U4) + lastc
                cell = joint[np.uint64(final_player[p]) + np.uint64(final_banker[b])]
                live = pos <= np.uint64(last_start)
                cells[np.uint64(rounds * LANES + lane)] = cell if live else dummy
                counts[lane] += live
                more |= live
                position[lane] = pos + np.uint64(opening) + pdraws + bdraws if live else pos
            rounds += 1
        # limit
        for lane in range(LANES):
            room = min(counts[lane], limit - dealt)
            if shoe + lane >= shoes:
                room = 0
            elif room == counts[lane]:
                lengths[room] += 1
            if room < counts[lane]:
                for r in range(room, counts[lane]):
                    cells[r * LANES + lane] = dummy
            dealt += room
        # count
        for r in range(rounds):
            for lane in range(LANES):
                cell = np.uint64(cells[np.uint64(r * LANES + lane)])
                tallied[cell >> U2] += 1
                s = follow[((cell & U3) << U8) | np.uint64(streak[lane])]
                streak[lane] = s
                reached[s] += 1
        shoe += LANES
    for k in range(nothing):
        tally[k] += tallied[k]
    for k in range(128):
        reach[k] += reached[k]
    return dealt


def _follow():
    t = np.zeros((4, 256), np.uint8)
    for s in range(256):
        side, run = (s >> 6) & 1, s & 63
        for w in (0, 1):
            t[w, s] = w * 64 + (min(run + 1, 63) if (w == side and run) else 1)
        t[2, s] = (s & 127) | 128
    t = t.ravel()
    t[768:] = 255
    return t


class Kernel:
    def __init__(self, tables, pool, last):
        T = tables
        size = len(pool)
        need = min(size, last + 6)
        needed = -(-need // 32) * 32
        b = np.array([size - k if k < need else 1 for k in range(needed)], np.uint32)
        th = (65536 % b).astype(np.uint16)
        b = b.astype(np.uint16)
        self.args = (
            pool,
            last,
            4 - T.held,
            T.kinds,
            T.points,
            T.open_player,
            T.open_banker,
            T.tableau,
            T.final_player,
            T.final_banker,
            T.joint,
            _follow(),
            b.reshape(-1, 32),
            th.reshape(-1, 32),
        )

    def __call__(self, seed, block, shoes, limit, tally, reach, lengths):
        return run(np.uint64(seed), np.uint64(block), shoes, min(limit, 1 << 62), *self.args, tally, reach, lengths)
