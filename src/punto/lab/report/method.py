"""How the figures are found, and what they are held against."""

from math import perm

from punto.lab.report.document import Heading, Section, Text
from punto.lab.report.numbers import whole
from punto.lab.report.results import Results


def method(results: Results) -> Section:
    """The method in words."""
    drawn = 6 - len(results.game.opening.player)
    size = results.shoe.size
    held = " (Player's first card is not drawn)" if drawn < 6 else ""  # noqa: PLR2004
    exact = (
        f"A round takes at most {drawn} cards out of the shoe{held}. The {whole(size)} cards of a whole shoe can come "
        f"in {' × '.join(str(size - place) for place in range(drawn))} = {whole(perm(size, drawn))} ordered draws of "
        f"{drawn}, all equally likely. For every line of every pay table it is counted, exactly, how many of these "
        "draws lead to it; cards that a round leaves undealt are drawn all the same and decide nothing. A probability "
        "is such a count over the number of ordered draws, and an expectation is a fraction made from these counts and "
        "the odds."
    )
    order = (
        "Cards that nobody has seen are exchangeable: it makes no difference to any probability in which order they "
        "are taken. So the two third cards are taken first, every pair of kinds in turn. What is then left of the shoe "
        "deals the first cards of both hands, and these fall apart into a product: the ways to deal Player's, times "
        "the ways to deal Banker's, less those in which both hands would hold the same card, plus those in which they "
        "would share two, which have then been taken away twice. Whether each third card is drawn at all, and which "
        "line is paid, is asked of the same rules that settle rounds at a table; nothing of the game is written a "
        "second time."
    )
    integers = (
        "Counts are integers from the first card to the last. Where floating point is used to multiply, no number "
        "reaches 2⁵³, below which it holds integers without loss; sums are made in 64-bit integers, and ten decks, the "
        "most that a shoe may have, stay below 2⁶³. No sampling, no approximation and no rounding enters the figures "
        "of sections 5 and 6: decimals are rounded once, when they are printed."
    )
    second = (
        "A second method writes the same counts as polynomials in the numbers of cards left and evaluates them for "
        "many shoes at once; the counts of both methods are compared, number by number, on random shoes. A third "
        "program, which shares no code with either and has its own settlement, deals out every ordered draw of "
        "depleted and of small shoes one by one; again every count must agree. For each number of decks the counts of "
        "every wager must add up to the number of ordered draws. These comparisons are part of the tests that every "
        "version of Punto has to pass, and so are known figures of baccarat as others have published them."
    )
    chance = (
        "Section 7 rests on the same exact probabilities, and on the covariance of two rounds of one shoe. That is "
        "the sum of what one card, two cards and three cards that a round uses up do to another round, each from the "
        "exact values of shoes that lack them; what more cards do together is less than 2·10⁻⁵ of the variance of a "
        "round, and for most wagers less than 5·10⁻⁷. Section 8 deals whole shoes, card by card and with none of the "
        "arithmetic above, and holds what comes "
        "against it. Section 9 works out the exact value of each wager before every round of shoes that are dealt by "
        "chance; only which shoes come is left to chance there."
    )
    return Section(
        "Method",
        (
            Heading("How exact figures are found"),
            Text(exact),
            Text(order),
            Text(integers),
            Heading("What is verified against what"),
            Text(second),
            Text(chance),
        ),
    )
