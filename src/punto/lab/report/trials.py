"""What chance does: the range of the return, and a simulation beside the exact figures."""

from collections.abc import Mapping
from typing import Final

from punto.lab.hold import CERTAINTY
from punto.lab.report import charts
from punto.lab.report.document import Column, Figure, Group, Section, Table, Text, named, plain_rows
from punto.lab.report.numbers import NOTHING, decimal, percent, whole
from punto.lab.report.results import TABLED, Results, Spread
from punto.lab.simulation import Simulated, WagerSeen
from punto.lab.simulation.agreement import FEWEST


def volatility(results: Results) -> Section:
    """How far the return may lie from what is expected."""
    spreads = results.spreads
    said = (
        "The return to the player is what comes back of all that is staked, the stakes themselves counted. Here it is "
        "for one unit staked in every round."
    )
    independence = (
        "Rounds of one shoe are not independent: what one of them uses up, the others do not have. Any two of them "
        "have the same covariance, which follows from the exact probabilities; the table gives it as a share of the "
        "variance of one round. Rounds of different shoes are independent. So the variance of any number of rounds is"
        " known, and for whole shoes it differs from that of independent rounds by the factor in the table."
    )
    law = (
        "The ranges below have that variance. Their shape is an estimate: it is that of the sum of independent rounds, "
        "which is worked out from the exact probabilities and not approximated by a normal law, drawn together around "
        "its mean; outcomes that come less than once in twenty shoes are left as they are. The number of rounds from "
        "which on the house is ahead is given for independent rounds, where it is exact (every number of rounds up to "
        "one after which no violation can follow was looked at), and about as shoes deal them."
    )
    groups = [Group(tuple(_ranges(spread)), name) for name, spread in spreads.items()]
    columns = (
        named("rounds"),
        *[Column(heading) for heading in ("99 % from", "to", "90 % from", "to")],
    )
    returns = Table(
        "The range of the return to the player: with a probability of 99 % and of 90 % it lies between these.",
        (columns[0], *columns[1:]),
        tuple(groups),
        note="" if all(spread.returns.keys() >= set(TABLED) for spread in spreads.values()) else _TOO_MANY,
    )
    ahead = Table(
        f"From how many rounds on the house is ahead with a probability of {percent(CERTAINTY, 0)}.",
        (named("wager"), *[Column(heading) for heading in ("expected return", "rounds independent", "by shoe")]),
        plain_rows(
            [
                [name, percent(spread.expected), *map(_rounds, (spread.ahead, spread.ahead_by_shoe))]
                for name, spread in spreads.items()
            ]
        ),
        note=_NEVER if any(spread.ahead is None for spread in spreads.values()) else "",
    )
    kinship = Table(
        f"Rounds of one shoe: their covariance as a share of the variance of one round, and the variance of shoes of "
        f"{results.rounds_per_shoe} rounds as a share of that of independent rounds.",
        (named("wager"), Column("covariance"), Column("variance by shoe")),
        plain_rows(
            [
                [name, decimal(spread.kinship, 6, plus=True), _by_shoe(spread, results.rounds_per_shoe)]
                for name, spread in spreads.items()
            ]
        ),
    )
    shows = (
        "One panel for each wager: the range of its return on the vertical axis against 10,000 to 10 million rounds, a "
        "funnel that closes on the expected return."
    )
    funnel = Figure(
        "The return to the player closes in on what is expected: light, the range of 99 %; dark, of 90 %; the line is "
        "the expected return, the dashes are 100 %.",
        shows,
        charts.funnels(spreads),
    )
    return Section(
        "Volatility and the range of the return",
        (Text(said), Text(independence), kinship, Text(law), ahead, funnel, returns),
    )


_TOO_MANY: Final = f"{NOTHING}: the sum can take more values than were told apart."
_NEVER: Final = f"{NOTHING}: never, or after more rounds than were looked at."


def _rounds(number: int | None) -> str:
    return NOTHING if number is None else whole(number)


def _by_shoe(spread: Spread, rounds: int) -> str:
    return percent(1 + (rounds - 1) * spread.kinship, 2)


def _ranges(spread: Spread) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for rounds in TABLED:
        known = spread.returns.get(rounds)
        low, less, more, high = [percent(share) for share in known] if known else [NOTHING] * 4
        rows.append((whole(rounds), low, high, less, more))
    return rows


def agreement(results: Results) -> Section:
    """A simulation beside the exact figures."""
    simulated = results.simulated
    shoes = simulated.rounds_per_shoe
    said = (
        f"{whole(simulated.rounds)} rounds were dealt from shuffled shoes of {results.decks} decks, of each as many as"
        f" are certain to come before a cutting card {results.cut} cards from the end; seed {results.seed} gives the "
        "same rounds again. (To deal each shoe to the card itself would favour shoes whose coups are short, and the "
        "average round would not quite be that of a fresh shoe.) The shoes are this game's own: another game has "
        "other shoes for the same seed. Every wager was settled in every round. z is the distance of the simulated "
        "from the exact expectation, in standard deviations of such a simulation; chi-square compares how often each "
        "line of the pay table came with how often it was expected, and p is the probability that chance alone does "
        "as badly or worse. Both allow for the covariance of rounds of one shoe. Lines that were expected fewer than "
        f"{FEWEST} times are compared together with others."
    )
    columns = ("simulated edge", "exact edge", "z", "chi-square", "d.f.", "p")
    table = Table(
        "The simulation beside the exact figures.",
        (named("wager"), *[Column(heading) for heading in columns]),
        plain_rows([_seen(wager) for wager in simulated.wagers.values()]),
    )
    made_of = [Text(_shoes(shoes))] if shoes else []
    return Section("Agreement with simulation", (Text(said), table, Text(_verdict(simulated)), *made_of))


def _seen(wager: WagerSeen) -> list[str]:
    square, freedom, chance = wager.chi_square
    return [
        wager.name,
        percent(-wager.ev),
        percent(-wager.expected),
        decimal(wager.z, 2, plus=True),
        decimal(square, 2),
        whole(freedom),
        decimal(chance, 4),
    ]


def _verdict(simulated: Simulated) -> str:
    """What is to be made of it, for whoever does not read p-values every day."""
    wagers = list(simulated.wagers.values())
    farthest = max(wagers, key=lambda wager: abs(wager.z))
    unlikely = min(wagers, key=lambda wager: wager.chi_square[2])
    least = unlikely.chi_square[2]
    return (
        f"The largest |z| of {len(wagers)} is {decimal(abs(farthest.z), 2)} ({farthest.name}); the smallest p is "
        f"{decimal(least, 4)} ({unlikely.name}). Were the wagers independent of one another, the smallest of "
        f"{len(wagers)} values of p would be that small or smaller with a probability of "
        f"{decimal(1 - (1 - least) ** len(wagers), 2)} by chance alone."
    )


def _shoes(shoes: Mapping[int, int]) -> str:
    number = sum(shoes.values())
    mean = sum(rounds * times for rounds, times in shoes.items()) / number
    return (
        f"{whole(number)} shoes were dealt to their end, with {decimal(mean, 2)} rounds on average, {min(shoes)} at "
        f"least and {max(shoes)} at most."
    )
