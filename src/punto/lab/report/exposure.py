"""How far a game can be counted: effects of removal, the best counts, what they win."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Final

from punto.cards import Card, Deck, Rank
from punto.lab.counting import FEWEST_SEARCHED, MOST_SEARCHED
from punto.lab.exposure import Exposure, Play
from punto.lab.report import charts
from punto.lab.report.document import Column, Figure, Heading, Section, Table, Text, named, plain_rows
from punto.lab.report.numbers import NOTHING, decimal, percent, tag, whole
from punto.lab.report.results import Results

# As many kinds of card as a sheet has room for side by side.
_ACROSS: Final = 10


def counting(results: Results) -> Section:
    """How far the game can be counted."""
    exposures = results.exposures
    first = exposures[0]
    removal = (
        "The effect of removal is what the player's expectation gains when one card of a kind is gone from the whole "
        "shoe, in percentage points; it is exact. Cards that are alike to every wager stand together."
    )
    searched = whole(min(MOST_SEARCHED, max(FEWEST_SEARCHED, first.shoes)))
    dealt, rounds = whole(first.shoes), decimal(first.rounds, 1)
    counts = (
        "A count gives every card a tag and adds up the tags of the cards that have come. That sum is the running "
        "count. Less what as many cards of the whole shoe hold on average, and divided by the decks left, it is the "
        "true count; so a count need not be balanced. Tens, Jacks, Queens and Kings may have different tags. For "
        "tags from −1 to +1 and from −2 to +2 the count that wins the most units was searched for, as a true and as "
        f"a running count: on {searched} other shoes, one tag or two at a time. Where the count that follows the "
        "effects of removal best wins more on the half of them that the search did not see, it takes the place of "
        "what was found. Shown are the tags of the count that won the most of the four there, and how well these "
        "follow the effects."
    )
    won = (
        f"{dealt} shoes were dealt (seed {results.seed}, {rounds} rounds a shoe, cutting card {first.procedure.cut} "
        "cards from the end), and before every round the exact expectation of each wager was worked out from the "
        "cards left. Perfect play stakes one unit whenever the expectation is above zero and waits otherwise; no "
        "player can do better with such a stake, whatever the count. A counter stakes one unit from that value of "
        "the count on which served best in the shoes that the count was chosen on, so that what is said here is "
        "what it wins on shoes that had no part in the choice. A search does not prove that no other count wins "
        "more; what perfect play wins is the bound for all of them. ± is one standard error."
    )
    shows = (
        "Lines of what perfect play wins in 100 rounds on each wager, against the number of decks that are gone: the "
        "deeper the shoe, the more."
    )
    figure = Figure(
        "What perfect play wins in 100 rounds, by depth. Lines of wagers that are worth the same lie on one another.",
        shows,
        charts.counted(exposures),
    )
    kinds = _kinds(exposures)
    return Section(
        "Exposure to counting",
        (
            Heading("Effects of removal"),
            Text(removal),
            *_effects(exposures, kinds),
            Heading("Best counts"),
            Text(counts),
            *_tags(exposures, kinds),
            _follows(exposures),
            Heading("What can be won"),
            Text(won),
            _perfect(exposures),
            _counter(exposures),
            _counters(exposures),
            figure,
        ),
    )


def _kinds(exposures: Sequence[Exposure]) -> list[tuple[Card, ...]]:
    """The cards in groups that no wager tells apart, in the order of the deck."""
    cards = exposures[0].game.deck.cards
    alike: dict[tuple[tuple[Fraction, int], ...], list[Card]] = {}
    found = [_by_card(exposure) for exposure in exposures]
    for card in cards:
        alike.setdefault(tuple(each[card] for each in found), []).append(card)
    ranks = exposures[0].game.deck.ranks
    return sorted(map(tuple, alike.values()), key=lambda kind: ranks.index(kind[0].rank))


def _by_card(exposure: Exposure) -> dict[Card, tuple[Fraction, int]]:
    """The effect of each card, and its tag."""
    return {
        card: (effect.effect, number)
        for effect, number in zip(exposure.effects, exposure.count.tags, strict=True)
        for card in effect.cards
    }


def _name(kind: Sequence[Card], deck: Deck) -> str:
    """A kind of card in few letters."""
    if len(kind) == deck.size:
        return "any"
    ranks = [_rank(rank) for rank in deck.ranks if any(card.rank is rank for card in kind)]
    if len(kind) == len(ranks) * len(deck.suits):
        return " ".join(ranks)
    suits = [suit.letter for suit in deck.suits if any(card.suit is suit for card in kind)]
    others = [suit.letter for suit in deck.suits if suit.letter not in suits]
    return " ".join([*ranks, *(suits if len(suits) <= len(others) else ["not", *others])])


def _rank(rank: Rank) -> str:
    return rank.sign if rank.sign.isascii() else rank.name.title()


def _blocks(kinds: Sequence[tuple[Card, ...]]) -> list[Sequence[tuple[Card, ...]]]:
    """As many at once as fit on a sheet, about as many in each block."""
    number = -(-len(kinds) // _ACROSS)
    size = -(-len(kinds) // number)
    return [kinds[start : start + size] for start in range(0, len(kinds), size)]


def _effects(exposures: Sequence[Exposure], kinds: Sequence[tuple[Card, ...]]) -> list[Table]:
    def shown(effect: Fraction, _tag: int) -> str:
        return decimal(100 * effect, 4, plus=True)

    return _by_kind(exposures, kinds, "Effects of removal, in percentage points", shown)


def _tags(exposures: Sequence[Exposure], kinds: Sequence[tuple[Card, ...]]) -> list[Table]:
    def shown(_effect: Fraction, number: int) -> str:
        return tag(number)

    return _by_kind(exposures, kinds, "Tags of the best count", shown)


def _by_kind(
    exposures: Sequence[Exposure],
    kinds: Sequence[tuple[Card, ...]],
    caption: str,
    shown: Callable[[Fraction, int], str],
) -> list[Table]:
    """Wagers down, kinds of card across, in as many tables as it takes."""
    deck = exposures[0].game.deck
    found = {exposure.wager.name: _by_card(exposure) for exposure in exposures}
    tables = []
    for place, block in enumerate(_blocks(kinds)):
        rows = [[name, *[shown(*cards[kind[0]]) for kind in block]] for name, cards in found.items()]
        columns = (named("wager"), *[Column(_name(kind, deck)) for kind in block])
        title = f"{caption}, continued." if place else f"{caption}."
        tables.append(Table(title, columns, plain_rows(rows), note=_suits(block, deck)))
    return tables


def _suits(kinds: Sequence[tuple[Card, ...]], deck: Deck) -> str:
    """What the letters of suits stand for, where there are any."""
    if all(len(kind) == len({card.rank for card in kind}) * len(deck.suits) for kind in kinds):
        return ""
    return "Suits: " + ", ".join(f"{suit.letter} {suit.name.title()}" for suit in deck.suits) + "."


def _follows(exposures: Sequence[Exposure]) -> Table:
    rows = [[each.wager.name, *([NOTHING] * 2 if each.trigger is None else _follow(each))] for each in exposures]
    columns = (named("wager"), Column("count"), Column("correlation"))
    return Table("The counts, and their correlation with the effects of removal.", columns, plain_rows(rows))


def _follow(exposure: Exposure) -> list[str]:
    return [exposure.best.kind, decimal(exposure.count.correlation, 4)]


def _counters(exposures: Sequence[Exposure]) -> Table:
    kinds = [counter.kind for counter in exposures[0].counters]
    rows = [
        [each.wager.name, decimal(each.perfect.won, 4), *[decimal(counter.play.won, 4) for counter in each.counters]]
        for each in exposures
    ]
    return Table(
        "What is won a shoe, in units: by perfect play, and by counts of each kind.",
        (named("wager"), Column("perfect play"), *[Column(kind) for kind in kinds]),
        plain_rows(rows),
    )


def _perfect(exposures: Sequence[Exposure]) -> Table:
    columns = ("rounds in favour", "by", "won a shoe", "±", "in 100 rounds")
    return Table(
        "Perfect play: how often a wager is in the player's favour and by how much, and what that wins, in units.",
        (named("wager"), *[Column(heading) for heading in columns]),
        plain_rows([[each.wager.name, *_won(each.perfect)] for each in exposures]),
    )


def _counter(exposures: Sequence[Exposure]) -> Table:
    columns = ("count", "from", "rounds bet on", "edge", "won a shoe", "±", "in 100 rounds")
    rows = [
        [
            each.wager.name,
            NOTHING if each.trigger is None else each.best.kind,
            NOTHING if each.trigger is None else decimal(each.trigger, 2, plus=True),
            *_won(each.counter),
        ]
        for each in exposures
    ]
    return Table(
        "The best counter: from which value of the count on there is a bet, and what that wins, in units.",
        (named("wager"), *[Column(heading) for heading in columns]),
        plain_rows(rows),
    )


def _won(play: Play) -> list[str]:
    if not play.bets:
        return [percent(0, 2), NOTHING, decimal(0, 4), NOTHING, decimal(0, 4)]
    return [
        percent(play.frequency, 2),
        percent(play.edge, 2),
        decimal(play.won, 4),
        decimal(play.error, 4),
        decimal(play.won_per_hundred, 4),
    ]
