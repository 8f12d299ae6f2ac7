"""The evidence as a document: what was tried, what came of it, and what it does not show."""

from itertools import groupby
from typing import Final

from punto.cli.evidence import charts
from punto.cli.evidence.results import Evidence, Sown
from punto.lab.randomness import LEVEL
from punto.lab.report.document import (
    Code,
    Column,
    Document,
    Figure,
    Group,
    Heading,
    Listing,
    Section,
    Table,
    Text,
    named,
    plain_rows,
)
from punto.lab.report.numbers import NOTHING, decimal, whole

_SUMMARY: Final = (
    "This document is the evidence about the shuffle of virtual shoes: a battery of tests at 99 % confidence on shoes "
    "as the floor deals them, shuffles with known faults that the battery must catch, a proof that choices are scaled "
    "without bias, and a trial of processes that are copies of one another. Every figure is in evidence.json too."
)
# Bounds that the document shows; evidence.json has all of them.
_SHOWN: Final = (2, 3, 7, 10, 52, 65, 100, 208, 256, 312, 416, 455, 500, 512, 520, 600, 641, 650)
_EXACT: Final = 0.0001
_LEAST: Final = 1e-300


def document(evidence: Evidence) -> Document:
    """The whole document."""
    return Document(
        title="Evidence about the shuffle",
        subtitle=f"{evidence.decks} decks of {evidence.cards // evidence.decks} cards, "
        f"{whole(evidence.shoes)} shoes in each sample, made {evidence.made}",
        summary=_SUMMARY,
        running=evidence.made,
        sections=(
            _result(evidence),
            _method(evidence),
            _tests(evidence),
            _programs(evidence),
            _planted(evidence),
            _scaling(evidence),
            _apart(evidence),
            _limits(),
            _files(evidence),
        ),
    )


def _result(evidence: Evidence) -> Section:
    chances = evidence.chances
    least = min(chances, key=lambda chance: chance[1])
    below = sum(p < LEVEL for _, p in chances)
    caught = len(evidence.planted) - len(evidence.missed)
    apart, scaling, made = evidence.apart, evidence.scaling, evidence.machine
    wrong = "; ".join(evidence.wrong)
    tests = (
        f"{whole(len(chances) - len(evidence.failed))} of {whole(len(chances))} pass at 99 %, corrected for their "
        f"number. The smallest p is {_p(least[1])} ({least[0]}). Below 0.01 by itself: {below}; "
        f"expected by chance alone: {decimal(len(chances) * LEVEL, 1)}"
    )
    copies = (
        f"{apart.forked.distinct} of {apart.forked.shoes} shoes of {apart.forked.processes} copies are different, "
        f"{apart.spawned.distinct} of {apart.spawned.shoes} of fresh processes"
    )
    items = (
        ("Result", f"WRONG: {wrong}" if wrong else "everything passes, and every planted fault is caught"),
        ("Tests", tests),
        ("Planted faults", f"{caught} of {len(evidence.planted)} shuffles with a fault are caught"),
        (
            "Scaling",
            "no number is favoured, neither by the permutation nor by Python's shuffle"
            if scaling.holds and apart.scales_evenly
            else "NOT shown to be even",
        ),
        ("Copied processes", copies),
        ("Deck", f"{evidence.game_deck}, {evidence.decks} decks, {evidence.cards} cards"),
        ("Software", f"Punto {made.punto}, {made.python}, numpy {made.numpy}, {made.openssl}"),
        ("Machine", f"{made.kernel}, {made.processor}"),
    )
    return Section("Result", (Listing(items),))


def _method(evidence: Evidence) -> Section:
    samples = Listing(tuple((sample.title, sample.says) for sample in evidence.samples))
    return Section(
        "Method",
        (
            Text(
                f"{whole(evidence.shoes)} shoes of each of three samples were shuffled by the functions that the floor "
                "itself calls. All cards are told apart, also those of the same rank and suit, so that more is tested "
                "than a player could ever see. No seed exists for these shoes: another run has others."
            ),
            samples,
            Heading("Cards of one shoe are not independent"),
            Text(
                "Each card comes once in a shoe. A test that takes the cards for independent draws would be wrong, so "
                "each test is one of three kinds that allow for it. Independent observations (one from each shoe, or "
                "the orders within separate groups of places, which are independent in an even shuffle) are held "
                "against exact probabilities by chi-square. Several numbers of each shoe, which may depend on one "
                "another, are held against their exact expectations by Hotelling's T-square, with the covariance that "
                "the shoes show. The counts of card by place, and of card by follower, are held against chance by a "
                "sum of squares whose mean and variance are known exactly: for n cards, (n − 1)/n times the usual sum "
                "is a chi-square of (n − 1)² degrees of freedom. Chi-square is judged on both sides: counts that are "
                "too even fail as well."
            ),
            Heading("99 % confidence, corrected for the number of tests"),
            Text(
                "p is the probability that an even shuffle goes as far as these shoes. Of many tests some have a "
                f"small p by chance: of {whole(len(evidence.chances))}, about one in a hundred is below 0.01. So they "
                "are judged together, after Holm: of m tests the smallest p fails below 0.01/m, the next one below "
                "0.01/(m − 1), and so on. However the tests depend on one another, an even shuffle fails any of them "
                "with a probability of 1 % at most. All samples and all public programs are in this one judgement. "
                "Each planted shuffle is judged in the same way, by its own battery."
            ),
        ),
    )


def _tests(evidence: Evidence) -> Section:
    first = evidence.samples[0]
    groups = []
    at = 0
    for topic, tests in groupby(first.tests, key=lambda test: test.topic):
        rows = []
        for test in tests:
            same = [sample.tests[at] for sample in evidence.samples]
            rows.append((test.name, test.law, _freedom(test.freedom), *[_p(each.p) for each in same]))
            at += 1
        groups.append(Group(tuple(rows), topic.capitalize()))
    columns = (
        named("test", wide=True),
        named("law"),
        Column("d.f."),
        *[Column(f"p, {sample.title}") for sample in evidence.samples],
    )
    table = Table(
        "Every test of every sample: the probability that an even shuffle goes as far.",
        columns,
        tuple(groups),
        note="d.f.: degrees of freedom, with T-square how many numbers of a shoe are told apart. evidence.json has all "
        "values.",
    )
    figure = Figure(
        "The p of this table in their order (dots), against what is expected of an even shuffle (line).",
        "The values of p from the smallest to the largest, which lie along a straight line from 0 to 1.",
        charts.ordered([test.p for sample in evidence.samples for test in sample.tests if test.law != "repeats"]),
    )
    return Section("The tests", (table, figure))


def _programs(evidence: Evidence) -> Section:
    said = Text(
        "The choices that make each shoe from new decks are worked out again from its order, and the whole bits that "
        "they hold are written one after the other: a choice among n gives k bits where it is below 2 to the k, for "
        "the largest such k. This stream is what the programs read. Their p are part of the one judgement. Those of "
        "dieharder lean towards 1 for so few samples, which errs on the safe side. ent gives no p; it is worked out "
        "here from its chi-square, on both sides, and from its correlation."
    )
    runs = [(sample, run) for sample in evidence.samples for run in sample.programs]
    groups = [
        Group(
            tuple((row.test, row.options, f"{row.bytes:,}", _p(row.p)) for row in run.rows),
            f"{run.program} {run.version}".strip(),
            f"sample: {sample.title}",
        )
        for sample, run in runs
        if run.rows
    ]
    columns = (named("test", wide=True), named("options"), Column("bytes"), Column("p"))
    blocks = [Table("Public programs on the bits of the choices.", columns, tuple(groups))] if groups else []
    missing = [Text(f"Sample {sample.title}: {why}.") for sample, run in runs for why in run.not_run]
    return Section("Public programs", (said, *blocks, *missing))


def _planted(evidence: Evidence) -> Section:
    shoes = evidence.planted[0].shoes
    said = Text(
        f"A battery is worth what it catches. Each of these shuffles has a fault, and deals {whole(shoes)} shoes from "
        f"the seed {evidence.planted[0].seed}, so that it is the same each time. The battery must fail each of them; "
        "shown are the test with the smallest p, and how many tests fail."
    )
    rows = [(each.name, each.fault, *_caught(each)) for each in evidence.planted]
    columns = (named("shuffle"), named("fault", wide=True), named("caught by"), Column("p"), Column("tests"))
    scaling = evidence.scaling
    seen = ", ".join(scaling.planted_caught_by)
    unseen = (
        "Tests of shoes do not see everything. A good generator that is seeded from 16 bits deals shoes that look "
        "even, one by one; what gives it away is that shoes come again, so every shoe's digest is kept and compared. "
        f"A choice that is the remainder of a 16-bit word favours some numbers below {scaling.planted_bound} by "
        f"{scaling.planted_favour.replace('%', ' %')}. "
        + (f"Here it was seen by {seen}." if seen else "No test of this many shoes saw that.")
        + " So the scaling is proved in section 6 by counting words, and not tested; there the same remainder fails. A "
        "good generator whose state lies in the process passes every test of its shoes; what it does in copied "
        "processes shows in section 7."
    )
    return Section(
        "Planted faults",
        (said, Table("Shuffles with a fault, and what caught them.", columns, plain_rows(rows)), Text(unseen)),
    )


def _caught(sown: Sown) -> tuple[str, str, str]:
    if not sown.caught_by:
        return "NOT CAUGHT", NOTHING, "0"
    first = sown.caught_by[0]
    return first.name, _p(first.p), str(len(sown.caught_by))


def _scaling(evidence: Evidence) -> Section:
    scaling, apart = evidence.scaling, evidence.apart
    argument = (
        "Fisher and Yates's shuffle makes one choice for each number n of cards that are left, and each sequence of "
        "choices leads to another order. So all orders are equally likely if each choice among n is even. The "
        "permutation reads words of 64 bits. Let r be the remainder of 2⁶⁴ by n. A word is accepted if it is below "
        "2⁶⁴ − r, which is a multiple of n, and its remainder by n is the choice: each of the n numbers comes of "
        "exactly (2⁶⁴ − r)/n words. Any other word is passed over, and the next one read, so that nothing is "
        "favoured. The probability of that is r/2⁶⁴."
    )
    tried = (
        f"The function itself was tried with every word and every bound where words have {_list(scaling.small_sizes)} "
        f"values: {whole(scaling.small_words)} calls, in which "
        + ("no bound favours a number. " if not scaling.uneven_small else "some bounds favour a number. ")
        + "At 64 bits it was tried at its edges for every bound from 2 to 650: the first words, the last accepted one "
        "and the first that is passed over. "
        + ("All are as stated. " if not scaling.uneven_edges else "Some are not as stated. ")
        + f"For any bound, a share of {_p(scaling.most_passed)} of the words is passed over at most; in a whole shoe "
        f"{_p(scaling.passed_in_a_shoe)} words are."
    )
    rows = [
        (str(each.bound), f"{int(each.accepted):,}", f"{int(each.each):,}", str(each.passed))
        for each in scaling.bounds
        if each.bound in _SHOWN
    ]
    table = Table(
        "Words of 64 bits for a choice among n: those accepted, those for each number, and those passed over.",
        (Column("n"), Column("accepted"), Column("for each number"), Column("passed over")),
        plain_rows(rows),
        note="evidence.json has every n from 2 to 650.",
    )
    python = (
        "The floor's own shuffle is SystemRandom.shuffle of Python. For a choice among n it asks for as many bits as "
        "n has, and asks again while they make n or more; the bits are the first ones of whole bytes from the kernel. "
        f"For every n from 2 to 650 it was given every number of so many bits, {whole(apart.numbers)} in all: each "
        "choice comes of exactly one, and the others are thrown away. Every string of bytes was given to it for every "
        f"number of bits: each number comes as often. All choices for five cards, {apart.orders} in all, lead to all "
        f"{apart.orders} orders, once each. "
        + ("Nothing is favoured." if apart.scales_evenly else "SOMETHING IS FAVOURED.")
    )
    return Section(
        "Scaling without bias",
        (
            Heading("The permutation by contributions"),
            Text(argument),
            Text(tried),
            table,
            Heading("The floor's own shuffle"),
            Text(python),
        ),
    )


def _apart(evidence: Evidence) -> Section:
    apart = evidence.apart
    columns = (named("processes", wide=True), Column("number"), Column("shoes"), Column("different"))
    rows = [
        (name, str(each.processes), str(each.shoes), str(each.distinct))
        for name, each in (
            ("a process that has shuffled, and its forked copies", apart.forked),
            ("processes that start from nothing", apart.spawned),
            ("planted: a generator with its state in the process, and its copies", apart.planted_forked),
        )
    ]
    return Section(
        "Copied processes",
        (
            Text(
                "A fork copies the memory of a process, as a snapshot of a machine does. A generator that keeps its "
                "state there deals the same shoes in every copy. A process shuffled, was forked, and then all of them "
                "dealt shoes: of the floor's own shuffle and of the whole protocol."
            ),
            Table("Shoes of copied processes.", columns, plain_rows(rows)),
            Text(
                "The floor's shuffle keeps nothing: for one shoe of 416 cards it read "
                f"{whole(apart.kernel_bytes_a_shoe)} bytes from the kernel, "
                + (
                    "and with the same bytes given again, after other shoes, it dealt the same shoe. So a shoe "
                    "depends on these bytes and on nothing that was in the process before. "
                    if apart.stateless
                    else "but WITH THE SAME BYTES IT DEALT ANOTHER SHOE. "
                )
                + (
                    "Asked for its state, Python's generator answers that it has none. "
                    if apart.refuses_state
                    else "Python's generator GAVE A STATE. "
                )
                + (
                    "The planted generator fails both trials."
                    if not apart.planted_stateless and not apart.planted_forked.diverge
                    else "THE PLANTED GENERATOR WAS NOT CAUGHT."
                )
            ),
            Text(
                "A copy of a whole machine copies its kernel too, and that generator has a state. Linux mixes new "
                "chance into it when the hypervisor says that the machine is a copy. "
                + (
                    "This machine has the device by which it is told."
                    if evidence.machine.told_of_copies
                    else "This machine has no such device: do not deal from two copies of one snapshot of it."
                )
                + " Where patrons contribute, their secrets make the shoes of two such copies different all the same."
            ),
        ),
    )


def _limits() -> Section:
    return Section(
        "What this does not show",
        (
            Text(
                "Tests find faults of the kinds that they look for, as far as the number of shoes lets them be seen. "
                "They do not prove that shoes cannot be predicted: that rests on the kernel's generator and on "
                "SHA-256, not on statistics. They say nothing about who can read a shoe before it is dealt. And of "
                "every hundred runs with an even shuffle, one is expected to fail: a fault fails again in the next "
                "run, and chance does not. Whoever repeats a run keeps the evidence of both."
            ),
        ),
    )


def _files(evidence: Evidence) -> Section:
    digests = evidence.machine.digests
    lines = "\n".join(f"{digest}  {name}" for name, digest in digests.items())
    return Section(
        "The code",
        (Text("SHA-256 of each file that shuffles or tests."), Code(lines, "text")),
        appendix=True,
    )


def _p(p: float) -> str:
    """A probability: four places, or its power of ten where these would say nothing.

    >>> _p(0.25), _p(3.21e-7), _p(0.0)
    ('0.2500', '3.2·10⁻⁷', '< 10⁻³⁰⁰')
    """
    if p >= _EXACT:
        return decimal(p, 4)
    if p < _LEAST:
        return "< 10⁻³⁰⁰"
    digits, power = f"{p:.1e}".split("e")
    return f"{digits}·10⁻{str(abs(int(power))).translate(_RAISED)}"


_RAISED: Final = str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹")


def _freedom(freedom: float) -> str:
    return whole(round(freedom)) if freedom else NOTHING


def _list(numbers: list[int]) -> str:
    return ", ".join(map(str, numbers[:-1])) + f" or {numbers[-1]}"
