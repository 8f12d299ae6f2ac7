/* Player, Banker and Tie for a batch of shoes: the factorised count, third cards first, in plain C.
 *
 * What the evaluator of the lab is measured against. For each choice of third cards the first cards of both hands are
 * counted by a small product (v v' - u n u' + 2 diag v); eight shoes go through it side by side in one vector. All numbers
 * are whole and below 2^53, so that doubles hold them exactly.
 */
#include <stddef.h>

typedef double lane __attribute__((vector_size(64)));
enum { LANES = 8, POINTS = 10, NATURAL = 8, MOST_DRAWN = 6 };

/* Whether Banker draws on a total, by the points of Player's third card; the last column is for a Player who stood. */
static const unsigned char draws[8][11] = {
    {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1}, {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1},
    {1, 1, 1, 1, 1, 1, 1, 1, 0, 1, 1}, {0, 0, 1, 1, 1, 1, 1, 1, 0, 0, 1}, {0, 0, 0, 0, 1, 1, 1, 1, 0, 0, 1},
    {0, 0, 0, 0, 0, 0, 1, 1, 0, 0, 0}, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
};

/* The ways to deal two cards of a total from what is left, and those that use a certain card of each kind. */
typedef struct {
    lane left[POINTS], v[POINTS], u[POINTS][POINTS], nu[POINTS][POINTS];
} Hands;

static void count_hands(Hands *h, int totals)
{
    for (int s = 0; s < totals; s++) {
        lane v = {0};
        for (int r = 0; r < POINTS; r++) {
            int other = (s - r + POINTS) % POINTS;
            lane rest = h->left[other] - (double)(other == r);
            h->u[s][r] = rest + rest;
            h->nu[s][r] = h->left[r] * h->u[s][r];
            v += h->left[r] * rest;
        }
        h->v[s] = v;
    }
}

static inline lane ways(const Hands *h, int s, int t)
{
    lane shared = {0};
    for (int r = 0; r < POINTS; r++) shared += h->nu[s][r] * h->u[t][r];
    lane w = h->v[s] * h->v[t] - shared;
    return s == t ? w + h->v[s] + h->v[s] : w;
}

static inline void add(lane *player, lane *tie, int p, int b, lane w)
{
    if (p > b) *player += w;
    if (p == b) *tie += w;
}

static void eight(const double *shoes, double *counts)
{
    Hands h;
    lane left[POINTS], size = {0};
    for (int r = 0; r < POINTS; r++) {
        for (int k = 0; k < LANES; k++) left[r][k] = shoes[k * POINTS + r];
        size += left[r];
    }
    lane player = {0}, tie = {0}, p = {0}, t = {0};

    /* Nobody draws: the other two of six cards are any. */
    for (int r = 0; r < POINTS; r++) h.left[r] = left[r];
    count_hands(&h, POINTS);
    for (int s = 0; s < POINTS; s++)
        for (int b = 0; b < POINTS; b++)
            if (s >= NATURAL || b >= NATURAL || (s >= MOST_DRAWN && !draws[b][10])) add(&p, &t, s, b, ways(&h, s, b));
    player += p * (size - 4.0) * (size - 5.0);
    tie += t * (size - 4.0) * (size - 5.0);

    /* One draws, Banker (Player stood) or Player (Banker stands): the sixth card is any. */
    lane p1 = {0}, t1 = {0};
    for (int x = 0; x < POINTS; x++) {
        h.left[x] = left[x] - 1.0;
        count_hands(&h, NATURAL);
        p = t = (lane){0};
        for (int s = MOST_DRAWN; s < NATURAL; s++)
            for (int b = 0; b < NATURAL; b++)
                if (draws[b][10]) add(&p, &t, s, (b + x) % POINTS, ways(&h, s, b));
        for (int s = 0; s < MOST_DRAWN; s++)
            for (int b = 0; b < NATURAL; b++)
                if (!draws[b][x]) add(&p, &t, (s + x) % POINTS, b, ways(&h, s, b));
        p1 += p * left[x];
        t1 += t * left[x];
        h.left[x] = left[x];
    }
    player += p1 * (size - 5.0);
    tie += t1 * (size - 5.0);

    /* Both draw, x and y or the other way round. */
    for (int x = 0; x < POINTS; x++)
        for (int y = x; y < POINTS; y++) {
            h.left[x] -= 1.0;
            h.left[y] -= 1.0;
            count_hands(&h, NATURAL - 1);
            p = t = (lane){0};
            for (int s = 0; s < MOST_DRAWN; s++)
                for (int b = 0; b < NATURAL - 1; b++) {
                    if (!draws[b][x] && !draws[b][y]) continue;
                    lane w = ways(&h, s, b);
                    if (draws[b][x]) add(&p, &t, (s + x) % POINTS, (b + y) % POINTS, w);
                    if (x != y && draws[b][y]) add(&p, &t, (s + y) % POINTS, (b + x) % POINTS, w);
                }
            lane drawn = left[x] * (left[y] - (double)(x == y));
            player += p * drawn;
            tie += t * drawn;
            h.left[x] = left[x];
            h.left[y] = left[y];
        }

    lane all = size * (size - 1.0) * (size - 2.0) * (size - 3.0) * (size - 4.0) * (size - 5.0);
    for (int k = 0; k < LANES; k++) {
        counts[k * 3] = player[k];
        counts[k * 3 + 1] = all[k] - player[k] - tie[k];
        counts[k * 3 + 2] = tie[k];
    }
}

/* The counts of Player, Banker and Tie for a number of shoes that eight divides, each ten numbers of cards left. */
void evaluate(const double *shoes, double *counts, size_t number)
{
    for (size_t k = 0; k < number; k += LANES) eight(shoes + k * POINTS, counts + k * 3);
}
