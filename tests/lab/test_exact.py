"""Exact odds against every ordered draw, dealt out by a second implementation that shares no code with the first."""

from collections import Counter
from fractions import Fraction
from functools import cache
from math import perm, sqrt

import numpy as np
import pytest
from tests.oracle import odds as oracle
from tests.oracle import settlement
from tests.width import SEED, width

from punto.cards import DECKS, ELEMENTS, STANDARD, Card, Deck, parse_cards
from punto.errors import BadComposition, TooFewCards, UnknownWager
from punto.games import GAMES, loads
from punto.lab import Composition, Evaluator, GameOdds, Odds
from punto.rules import Deal, Game, Result, Side

# The gate has two shoes of each of the six shapes of depletion, and small shoes of each size, some with few ranks and
# some with few cards; the night deals other ones, and many more.
SHOES = width(12, 300)
AT_ONCE = width(12, 25)
SMALL_SHOES = width(10, 100)
SMALL_AT_ONCE = 10
AWKWARD_SHOES = width(4, 8)
FIRST_SEED = width(0, SEED)


@cache
def odds(key: str) -> Odds:
    return Odds(GAMES[key])


def games_of(deck: Deck) -> list[str]:
    return [key for key, game in GAMES.items() if game.deck is deck]


def depleted(deck: Deck, seed: int) -> Composition:
    """A shoe from which cards are gone: few, many, nearly all, whole ranks, whole suits, or all but a few ranks."""
    chance = np.random.default_rng([deck.size, seed])
    decks = int(chance.integers(4, 11))
    suits, ranks = len(deck.suits), len(deck.ranks)
    left = np.full((suits, ranks), decks)
    match seed % 6:
        case 0:
            left = taken(left, int(chance.integers(1, 30)), chance)
        case 1:
            left = chance.integers(0, decks + 1, (suits, ranks))
        case 2:
            left = taken(left, int(left.sum() - chance.integers(6, 40)), chance)
        case 3:
            left = chance.integers(0, decks + 1, (suits, ranks))
            left[:, chance.permutation(ranks)[: chance.integers(1, 9)]] = 0
        case 4:
            left[chance.permutation(suits)[: chance.integers(1, suits)]] = 0
            left = taken(left, int(chance.integers(0, left.sum() - 6)), chance)
        case _:
            left[:, chance.permutation(ranks)[: chance.integers(9, 12)]] = 0
            left = taken(left, int(chance.integers(0, left.sum() - 6)), chance)
    left[0, 4] += max(0, 6 - int(left.sum()))
    return Composition(deck, decks, tuple(int(number) for number in left.ravel()))


def taken(left: oracle.Ints, cards: int, chance: np.random.Generator) -> oracle.Ints:
    """What is left when so many cards are gone."""
    gone = chance.multivariate_hypergeometric(left.ravel(), cards)
    return left - gone.reshape(left.shape)


def counted(found: GameOdds) -> oracle.Count:
    """The odds in the form that the second count has."""
    return {
        "sequences": found.sequences,
        "wagers": {name: [line.count for line in wager.lines] for name, wager in found.wagers.items()},
        "player_totals": list(found.totals[Side.PLAYER]),
        "banker_totals": list(found.totals[Side.BANKER]),
        "margins": dict(found.margins),
        "naturals": dict(found.naturals),
        "cards": dict(found.cards),
    }


def small(deck: Deck, size: int, seed: int) -> tuple[Card, ...]:
    """A few cards, some of them alike, so that pairs, twins, fours and sevens are not rare."""
    chance = np.random.default_rng([deck.size, size, seed])
    few = chance.permutation(deck.size)[: chance.integers(2, 2 + size)]
    ranks = chance.permutation(len(deck.ranks))[:3]
    several = [suit * len(deck.ranks) + rank for suit in range(len(deck.suits)) for rank in ranks]
    return tuple(deck.cards[card] for card in chance.choice(several if seed % 2 else few, size))


def shoe_of(cards: tuple[Card, ...], deck: Deck) -> Composition:
    """The shoe that holds these cards and no others."""
    held = Counter(cards)
    return Composition(deck, 10, tuple(held[card] for card in deck.cards))


def numbered(cards: tuple[Card, ...], deck: Deck) -> list[tuple[int, int]]:
    """The cards as the second count has them: rank and suit."""
    return [(deck.ranks.index(card.rank), deck.suits.index(card.suit)) for card in cards if card.suit]


def drawn(key: str) -> int:
    return 5 if key == oracle.SEVEN_UP else 6


@pytest.mark.parametrize("key", GAMES)
def test_the_second_count_has_the_same_wagers_and_lines_in_the_same_order(key: str) -> None:
    table = oracle.settle(key, oracle.play(oracle.orders(1, drawn(key))))
    lines = {name: [net for net, _ in oracle.with_loss(lines)] for name, lines in table.items()}
    assert lines == {wager.name: [line.net for line in wager.settlements] for wager in GAMES[key].wagers}
    assert (*oracle.STANDARD_GAMES, *oracle.ELEMENT_GAMES, oracle.SEVEN_UP) == tuple(
        sorted(GAMES, key=[*oracle.STANDARD_GAMES, *oracle.ELEMENT_GAMES, oracle.SEVEN_UP].index)
    )


@pytest.mark.parametrize("key", GAMES)
def test_the_second_count_settles_as_the_second_settlement_does(key: str) -> None:
    deck = GAMES[key].deck
    chance = np.random.default_rng(1)
    cards = chance.integers(0, deck.size, (drawn(key), 3000))
    cards[:, ::2] = chance.choice([2, 3, 6, 16, 19, 29, 32, 35, 42], (drawn(key), 1500))
    ranks = [(card % 13).astype(np.int8) for card in cards]
    precious = [card // 13 == oracle.PRECIOUS[deck.key] for card in cards]
    table = oracle.settle(key, oracle.play(ranks, precious))
    nets = {name: [net for net, _ in oracle.with_loss(lines)] for name, lines in table.items()}
    numbers = {name: oracle.number(lines) for name, lines in table.items()}
    for place, column in enumerate(cards.T):
        settled = settlement.settle(key, [str(deck.cards[card]) for card in column])
        assert {name: nets[name][numbers[name][place]] for name in nets} == {
            name: net for name, (net, _) in settled.items()
        }, place


@pytest.mark.parametrize("first", range(0, SHOES, AT_ONCE))
@pytest.mark.parametrize("kind", DECKS)
def test_every_count_from_a_depleted_shoe_is_that_of_dealing_every_order_of_ranks(kind: str, first: int) -> None:
    deck = DECKS[kind]
    for seed in range(FIRST_SEED + first, FIRST_SEED + first + AT_ONCE):
        shoe = depleted(deck, seed)
        left = shoe.array.reshape(len(deck.suits), len(deck.ranks))
        ranks = left.sum(axis=0)
        draws = {cards: oracle.draws_by_rank(ranks, cards) for cards in {drawn(key) for key in games_of(deck)}}
        of_suits = oracle.draws_by_suit(ranks, left[oracle.PRECIOUS[kind]])
        for key in games_of(deck):
            expected = oracle.count(key, draws[drawn(key)], of_suits)
            assert counted(odds(key).of(shoe)) == expected, (key, seed)


@pytest.mark.parametrize("first", range(0, SMALL_SHOES, SMALL_AT_ONCE))
@pytest.mark.parametrize("kind", DECKS)
def test_every_count_from_a_small_shoe_is_that_of_dealing_every_card(kind: str, first: int) -> None:
    deck = DECKS[kind]
    for seed in range(FIRST_SEED + first, FIRST_SEED + first + SMALL_AT_ONCE):
        cards = small(deck, 6 + seed % 9, seed)
        every = {
            number: oracle.draws_by_card(numbered(cards, deck), oracle.PRECIOUS[kind], number)
            for number in {drawn(key) for key in games_of(deck)}
        }
        for key in games_of(deck):
            found = odds(key).of(shoe_of(cards, deck))
            assert counted(found) == oracle.count(key, every[drawn(key)]), (key, seed, cards)


@pytest.mark.parametrize("key", GAMES)
def test_the_fewest_cards_that_a_coup_may_need_are_enough_and_one_less_is_not(key: str) -> None:
    deck = GAMES[key].deck
    for seed in range(FIRST_SEED, FIRST_SEED + width(6, 20)):
        cards = small(deck, drawn(key), seed)
        draws = oracle.draws_by_card(numbered(cards, deck), oracle.PRECIOUS[deck.key], drawn(key))
        assert counted(odds(key).of(shoe_of(cards, deck))) == oracle.count(key, draws), (seed, cards)
        with pytest.raises(TooFewCards, match=f"expected at least the {drawn(key)} that a coup of {key} may need"):
            odds(key).of(shoe_of(cards[1:], deck))


@pytest.mark.parametrize("key", GAMES)
@pytest.mark.parametrize("decks", [4, 8, 10])
def test_every_count_adds_up_to_the_number_of_ordered_draws(key: str, decks: int) -> None:
    found = odds(key).of(Composition.full(GAMES[key].deck, decks))
    assert found.sequences == perm(GAMES[key].deck.size * decks, drawn(key))
    spreads = [*found.totals.values(), *(tuple(each.values()) for each in (found.margins, found.naturals, found.cards))]
    lines = [tuple(line.count for line in wager.lines) for wager in found.wagers.values()]
    assert {sum(counts) for counts in spreads + lines} == {found.sequences}
    assert sum(sum(line.probability for line in wager.lines) for wager in found.wagers.values()) == len(found.wagers)


@pytest.mark.parametrize("key", GAMES)
def test_what_a_wager_is_worth_follows_from_every_deal(key: str) -> None:
    game, deck = GAMES[key], GAMES[key].deck
    for seed, size in ((0, 9), (1, 10), (3, 8), (5, 11)):
        cards = small(deck, size, seed)
        draws = oracle.draws_by_card(numbered(cards, deck), oracle.PRECIOUS[deck.key], drawn(key))
        found = odds(key).of(shoe_of(cards, deck))
        counts = oracle.line_counts(key, draws)
        for wager in game.wagers:
            nets = [line.net for line in wager.settlements]
            shares = [Fraction(count, draws["sequences"]) for count in counts[wager.name]]
            each = found.wagers[wager.name]
            ev = sum((net * share for net, share in zip(nets, shares, strict=True)), Fraction(0))
            assert (each.name, each.ev, each.edge) == (wager.name, ev, -ev)
            assert each.hit == sum(share for net, share in zip(nets, shares, strict=True) if net > 0)
            push = sum((share for net, share in zip(nets, shares, strict=True) if net == 0), Fraction(0))
            assert each.push == push
            assert each.resolved_edge == (None if push == 1 else -ev / (1 - push))
            assert each.variance == sum((net - ev) ** 2 * share for net, share in zip(nets, shares, strict=True))
            assert each.sd == pytest.approx(sqrt(each.variance))
            for place, line in enumerate(each.lines):
                assert line.probability == shares[place]
                fair = each.break_even(line)
                if not line.count:
                    assert fair is None
                    continue
                repriced = [*nets[:place], fair, *nets[place + 1 :]]
                assert fair is not None
                assert sum(net * share for net, share in zip(repriced, shares, strict=True) if net is not None) == 0


@pytest.mark.parametrize("key", GAMES)
def test_two_wagers_move_together_as_every_deal_says(key: str) -> None:
    deck = GAMES[key].deck
    for seed, size in ((0, 9), (1, 10), (3, 8), (5, 11)):
        cards = small(deck, size, seed)
        draws = oracle.draws_by_card(numbered(cards, deck), oracle.PRECIOUS[deck.key], drawn(key))
        found = odds(key).of(shoe_of(cards, deck))
        for (one, other), together in oracle.moments(key, draws).items():
            first, second = found.wagers[one], found.wagers[other]
            covariance = together - first.ev * second.ev
            assert found.covariance(one, other) == covariance, (one, other, seed)
            spread = sqrt(first.variance * second.variance)
            assert found.correlation(one, other) == pytest.approx(float(covariance) / spread if spread else 0.0)


@pytest.mark.parametrize("key", GAMES)
def test_a_wager_moves_with_itself_by_its_variance(key: str) -> None:
    found = odds(key).of(Composition.full(GAMES[key].deck, 10))
    for name, wager in found.wagers.items():
        assert found.covariance(name, name) == wager.variance
        assert found.correlation(name, name) == pytest.approx(1)


def test_a_wager_that_the_game_does_not_have_moves_with_none() -> None:
    found = odds("tiger").of()
    for ask in (found.covariance, found.correlation):
        with pytest.raises(UnknownWager, match="'Lion' is not a wager of tiger"):
            ask("Player", "Lion")
        with pytest.raises(UnknownWager, match="'Lion' is not a wager of tiger"):
            ask("Lion", "Player")


def test_suits_that_are_open_are_refused_only_where_they_matter() -> None:
    shoe = Composition.remaining("A=30,4=31", STANDARD)
    assert odds("tiger").of(shoe).shoe.size == 61
    with pytest.raises(BadComposition, match=r"^fabulous-4s pays by suits, and the number of A left does not tell"):
        odds("fabulous-4s").of(shoe)
    # A number that the suits could share equally says no more of them.
    for text in ("4=8", "A=32,4=28", "A=32,K=4"):
        with pytest.raises(BadComposition, match="pays by suits"):
            odds("fabulous-4s").of(Composition.remaining(text, STANDARD))
    whole = odds("fabulous-4s").of(Composition.remaining("A=32,4=32,K=0", STANDARD))
    assert whole == odds("fabulous-4s").of(Composition.remaining("As=8,Ah=8,Ad=8,Ac=8,4s=8,4h=8,4d=8,4c=8", STANDARD))
    assert odds("tiger").of(Composition.remaining("A=28,4=8", STANDARD)).shoe.size == 36


def test_a_shoe_of_the_other_deck_is_refused() -> None:
    with pytest.raises(BadComposition):
        odds("tiger").of(Composition.full(ELEMENTS))


def test_fewer_than_no_cards_are_refused() -> None:
    with pytest.raises(BadComposition):
        odds("tiger").of(Composition(STANDARD, 8, (-1, *[8] * 51)))


def test_more_cards_than_can_be_counted_are_refused() -> None:
    with pytest.raises(BadComposition):
        odds("tiger").of(Composition(STANDARD, 8, (1000,) * 52))


# --- games that are declared in words ----------------------------------------

AWKWARD = {
    "suits with outcomes": (
        "standard", "classic",
        "player pair suit d and winner player",
        "banker pair suit s and winner tie",
        "(player pair suit d or banker pair suit d) and not natural",
        "player pair suit h and banker pair suit c",
    ),
    "all four suits": (
        "standard", "classic",
        "(player pair suit s or player pair suit h or banker pair suit d or banker pair suit c) and winner banker",
        "player pair suit s or player pair suit h or player pair suit d or player pair suit c",
        "player pair and not (player pair suit s or player pair suit h or player pair suit d or player pair suit c)",
    ),
    "twins and pairs": (
        "standard", "classic",
        "twin pairs and winner banker",
        "twin pairs and not player pair rank K",
        "player pair or not banker pair",
        "not (player pair and banker pair) and margin 3",
        "player pair rank T or banker pair rank J",
        "(player pair rank 4 or player pair rank 9) and banker pair and cards 4",
        "not player pair and not banker pair and winner player",
    ),
    "sevens": (
        "standard", "classic",
        "sevens 0", "sevens 1 and winner tie", "sevens 2 and not player natural", "sevens 3 or sevens 4",
        "sevens 1 and banker pair suit s",
    ),
    "numbers": (
        "standard", "classic",
        "cards 5", "cards 6 and margin 1", "player cards 3 and banker cards 2", "player total 0 or banker total 9",
        "natural and not winner tie", "player natural and banker natural", "margin 0 and cards 4",
    ),
    "always and nearly": (
        "standard", "classic",
        "winner player or not winner player", "player pair or not player pair", "not (player natural and winner tie)",
    ),
    "elements": (
        "elements", "classic",
        "player pair suit g and winner player", "banker pair suit f or player pair suit w",
        "twin pairs and player pair suit o", "player pair rank S or player pair rank L or banker pair rank F",
        "player pair suit e and not banker pair and cards 6",
    ),
    "permanent seven": (
        "standard", "permanent-7",
        "player pair", "twin pairs and winner tie", "sevens 2 and banker pair suit h", "banker pair and player pair",
        "player pair rank 7 and cards 4", "not player pair and banker pair rank K", "sevens 1 and margin 0",
    ),
    "permanent seven and elements": (
        "elements", "permanent-7",
        "player pair and banker pair suit g", "sevens 3 and winner player", "banker pair rank L or sevens 4",
    ),
}  # fmt: skip


def declared(name: str) -> Game:
    """A game with one wager for each condition, and one that tries them all in order."""
    deck, opening, *conditions = AWKWARD[name]
    lines = [f'key = "awkward"\ntitle = "Awkward"\ndeck = "{deck}"\nopening = "{opening}"']
    rows = [f'{{ when = "{when}", odds = "{place} to 1" }}' for place, when in enumerate(conditions, 1)]
    for place, pays in enumerate([*([row] for row in rows), rows], 1):
        lines.append(f'[[wager]]\nname = "Wager {place}"\npays = [{", ".join(pays)}]')
    return loads("\n".join(lines))


def settled(game: Game, cards: tuple[Card, ...]) -> dict[str, list[int]]:
    """In how many ordered draws of the cards each line of each wager is reached, by settling every deal there is."""
    counts = {wager.name: [0] * len(wager.settlements) for wager in game.wagers}
    most = 6 - len(game.opening.player)

    def go_on(deal: Deal, left: Counter[Card], ways: int) -> None:
        if deal.next:
            for card, number in left.items():
                if number:
                    go_on(deal.take(card), left - Counter([card]), ways * number)
            return
        assert deal.coup
        # The cards that a draw would have, and the deal does not need, come in any order.
        ways *= perm(left.total(), most - deal.drawn)
        for name, settlement_ in game.settle(deal.coup).items():
            counts[name][-1 if settlement_.row is None else settlement_.row] += ways

    go_on(Deal.begin(game.opening), Counter(cards), 1)
    return counts


@pytest.mark.parametrize("name", AWKWARD)
def test_conditions_of_every_sort_count_as_settling_every_deal_does(name: str) -> None:
    game = declared(name)
    exact, evaluator = Odds(game), Evaluator(game)
    shoes = [small(game.deck, 6 + seed % 3, seed) for seed in range(FIRST_SEED, FIRST_SEED + AWKWARD_SHOES)]
    if game.deck is STANDARD:
        shoes += [
            parse_cards("Kd Kd Kd Ks 7d 7d 2c", STANDARD),
            parse_cards("7s 7s 7h 7h 7d 7c 7c", STANDARD),
            parse_cards("4s 4s 4h 4h 9d 9c 9c", STANDARD),
            parse_cards("Ts Ts Js Js Qs Ks Ks", STANDARD),
        ]
    batch = evaluator.counts(np.array([shoe_of(cards, game.deck).counts for cards in shoes]))
    for cards, row in zip(shoes, batch.tolist(), strict=True):
        expected = settled(game, cards)
        found = exact.of(shoe_of(cards, game.deck))
        assert counted(found)["wagers"] == expected, cards
        assert row == [count for counts in expected.values() for count in counts], cards
    larger = [depleted(game.deck, seed) for seed in range(FIRST_SEED, FIRST_SEED + width(2, 6))]
    batch = evaluator.counts(np.array([shoe.counts for shoe in larger]))
    for shoe, row in zip(larger, batch.tolist(), strict=True):
        found = exact.of(shoe)
        assert row == [line.count for wager in found.wagers.values() for line in wager.lines], shoe
        assert {sum(line.count for line in wager.lines) for wager in found.wagers.values()} == {found.sequences}


def test_a_wager_that_always_pushes_has_no_edge_on_what_is_decided() -> None:
    rows = 'pays = [{ when = "winner tie or not winner tie", odds = "push" }]'
    found = Odds(loads(f'key = "still"\ntitle = "Still"\n[[wager]]\nname = "Still"\n{rows}')).of()
    still = found.wagers["Still"]
    assert [still.ev, still.push, still.variance] == [0, 1, 0]
    assert still.resolved_edge is None
    assert [line.settlement.result for line in still.lines] == [Result.PUSH, Result.LOSE]
    assert [still.break_even(line) for line in still.lines] == [0, None]
    assert found.correlation("Still", "Still") == 0
