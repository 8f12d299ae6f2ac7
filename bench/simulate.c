/* Baccarat shoes dealt card by card: the plain kernel that the compiled Python one is measured against.
 *
 * gcc -O3 -march=native -shared -fPIC -o simulate.so simulate.c
 */
#include <stdint.h>
#include <string.h>

enum {
    MOST_CARDS = 650,
    RUNS = 64,
    SIDES = 2,
    OUTCOMES = 3,
    /* A streak's state: its length, its winner, and a bit to keep rounds without winner apart. */
    STATES = 2 * SIDES * RUNS,
    WINNER_BITS = 2,
    WINNER_MASK = (1 << WINNER_BITS) - 1,
    TOTALS_MASK = 255,
    CLASS_SHIFT = 8,
    DRAWN = 16,
    PLAYER_DRAWS = 1 << 15,
};

static const uint64_t GAMMA = 0x9E3779B97F4A7C15u;

typedef struct {
    uint64_t a, b, c, d;
} Xoshiro;

static inline uint64_t rotated(uint64_t word, int by) { return word << by | word >> (64 - by); }

static uint64_t mixed(uint64_t word) {
    word = (word ^ word >> 30) * 0xBF58476D1CE4E5B9u;
    word = (word ^ word >> 27) * 0x94D049BB133111EBu;
    return word ^ word >> 31;
}

/* Block b takes the words 4b+1 to 4b+4 of the SplitMix64 stream of the seed: no two blocks have one in common. */
static Xoshiro seeded(uint64_t seed, uint64_t block) {
    uint64_t start = mixed(seed) + 4 * block * GAMMA;
    return (Xoshiro){mixed(start + GAMMA), mixed(start + 2 * GAMMA), mixed(start + 3 * GAMMA), mixed(start + 4 * GAMMA)};
}

static inline uint64_t next(Xoshiro *s) {
    uint64_t word = rotated(s->a + s->d, 23) + s->a;
    uint64_t shifted = s->b << 17;
    s->c ^= s->a;
    s->d ^= s->b;
    s->b ^= s->c;
    s->a ^= s->d;
    s->c ^= shifted;
    s->d = rotated(s->d, 45);
    return word;
}

/* Lemire's multiplication with rejection: the exact threshold is worked out only when it can matter. */
static inline uint64_t below(Xoshiro *s, uint64_t bound) {
    unsigned __int128 product = (unsigned __int128)next(s) * bound;
    if (__builtin_expect((uint64_t)product < bound, 0)) {
        uint64_t threshold = -bound % bound;
        while ((uint64_t)product < threshold) product = (unsigned __int128)next(s) * bound;
    }
    return (uint64_t)(product >> 64);
}

/* What a streak becomes by one more round, for each outcome: nothing of it is left to a branch that cannot be foretold. */
static void tabulate(uint8_t successors[OUTCOMES][STATES]) {
    for (unsigned state = 0; state < STATES; state++) {
        const unsigned side = state / RUNS % SIDES, run = state % RUNS;
        for (unsigned winner = 0; winner < SIDES; winner++) {
            const unsigned longer = run + 1 < RUNS ? run + 1 : RUNS - 1;
            successors[winner][state] = winner * RUNS + (run && winner == side ? longer : 1);
        }
        successors[SIDES][state] = SIDES * RUNS + state % (SIDES * RUNS);
    }
}

/* The next card: any of those left, whose place the last of them takes. */
#define DRAW(card)                       \
    do {                                 \
        uint64_t at = below(&s, left--); \
        card = pool[at];                 \
        pool[at] = pool[left];           \
        pool[left] = card;               \
    } while (0)

/* Deal so many shoes of a block, or fewer if the limit of rounds is reached; add to the tallies; return the rounds. */
int64_t run(uint64_t seed, uint64_t block, int64_t shoes, int64_t limit, const uint8_t *cards, int64_t size,
            int64_t last_start, int64_t permanent, int64_t kinds, const uint8_t *points, const uint32_t *open_player,
            const uint32_t *open_banker, const uint16_t *tableau, const uint16_t *final_player,
            const uint16_t *final_banker, const uint16_t *joint, int64_t *tally, int64_t *reach, int64_t *lengths) {
    Xoshiro s = seeded(seed, block);
    uint8_t pool[MOST_CARDS];
    memcpy(pool, cards, size);
    uint8_t successors[OUTCOMES][STATES];
    tabulate(successors);
    int64_t reached[STATES] = {0};
    int64_t dealt = 0;

    for (int64_t shoe = 0; shoe < shoes && dealt < limit; shoe++) {
        /* What the shoe before left is as good an order to begin with as any. */
        uint64_t left = size;
        const uint64_t least = size - last_start;
        const int64_t before = dealt;
        unsigned streak = 0;

        while (left >= least && dealt < limit) {
            uint8_t player_first = 0, player_second, banker_first, banker_second;
            if (!permanent) DRAW(player_first);
            DRAW(banker_first);
            DRAW(player_second);
            DRAW(banker_second);
            const uint32_t player = open_player[player_first * kinds + player_second];
            const uint32_t banker = open_banker[banker_first * kinds + banker_second];
            const unsigned draws = tableau[(player | banker) & TOTALS_MASK];
            uint32_t player_slot = player >> CLASS_SHIFT, banker_slot = banker >> CLASS_SHIFT;
            if (draws) {
                if (draws & PLAYER_DRAWS) {
                    uint8_t third;
                    DRAW(third);
                    const unsigned counts = points[third];
                    player_slot += DRAWN + counts;
                    if (draws >> counts & 1) {
                        DRAW(third);
                        banker_slot += DRAWN + points[third];
                    }
                } else {
                    uint8_t third;
                    DRAW(third);
                    banker_slot += DRAWN + points[third];
                }
            }
            const unsigned cell = joint[final_player[player_slot] + final_banker[banker_slot]];
            tally[cell >> WINNER_BITS]++;
            streak = successors[cell & WINNER_MASK][streak];
            reached[streak]++;
            dealt++;
        }
        if (left < least) lengths[dealt - before]++;
    }
    for (int state = 0; state < SIDES * RUNS; state++) reach[state] += reached[state];
    return dealt;
}
