"""The verdict on the text of a shoe that somebody sends."""

from itertools import islice
from typing import Final

from msgspec import Struct

from punto.errors import BadDeclaration, BadShoeFile
from punto.games.bounds import VISITORS, check_bounds
from punto.record import read_shoe, sealed, verify

# More is not said one by one.
MOST_SAID: Final = 1_000


class WrongLine(Struct, frozen=True):
    """Something that is not right, and in which line."""

    line: int
    said: str


class Verdict(Struct, frozen=True):
    """Whether a shoe's text is right, and what is not.

    *sealed* is the commitment that was kept, and empty where the text shows none; *declared* when it is judged by the
    shoe's own declaration of its game, *more* when not everything wrong is listed.
    """

    right: bool
    sealed: str
    rounds: int
    wagers: int
    declared: bool
    wrong: tuple[WrongLine, ...]
    more: bool


def verdict_on(body: bytes) -> Verdict:
    """Whether a text is right: every card, every payment, and what it was committed to."""
    try:
        text = body.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise BadShoeFile(f"byte {error.start + 1} is not UTF-8: expected text") from None
    read = read_shoe(text)
    if read.declaration:
        try:
            check_bounds(read.declaration, VISITORS)
        except BadDeclaration as error:
            raise BadShoeFile(f"declaration: {error.message}") from None
    said = list(islice(verify(read), MOST_SAID + 1))
    return Verdict(
        right=not said,
        sealed=sealed(read),
        rounds=len(read.coups),
        wagers=sum(len(coup.bets) for coup in read.coups),
        declared=bool(read.declaration),
        wrong=tuple(WrongLine(each.line, each.said) for each in said[:MOST_SAID]),
        more=len(said) > MOST_SAID,
    )
