"""The options that several commands share, and how their values are read."""

import re
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple
from unicodedata import category

import click

from punto.cards import FEWEST_DECKS, MOST_DECKS, USUAL_CUT, USUAL_DECKS
from punto.errors import BadRounds, BadUsage, quoted

if TYPE_CHECKING:
    from punto.rules import Language

# Long enough for any number that can be meant, and short enough to be read at once.
_NUMBER: Final = re.compile(r"[+-]?[0-9]{1,30}(\.[0-9]{0,30})?([eE][+-]?[0-9]{1,2})?")
_PUBLIC_KEY: Final = re.compile(r"[0-9a-f]{64}")


class Whole(click.ParamType[int]):
    """A whole number, refused in our own words."""

    name = "n"

    def __init__(self, what: str, expected: str) -> None:
        self.what = what
        self.expected = expected

    def convert(self, value: object, _parameter: click.Parameter | None, _context: click.Context | None) -> int:
        """The number that the argument names."""
        try:
            return int(str(value))
        except ValueError:
            raise BadUsage(f"--{self.what}: {quoted(str(value))} is no number: expected {self.expected}") from None


def check_line(option: str, text: str) -> None:
    """Refuse what goes on record as somebody's words and is not one line that can be printed."""
    if not all(sign.isprintable() or category(sign) == "Zs" for sign in text):
        raise BadUsage(f"{option}: {quoted(text, 60)}: expected one line without control characters; nothing was done")


class Source(NamedTuple):
    """Where a command reads a record: the store as it was named, and the file with the floor's key, if it was named."""

    store: str
    key: str | None


GAME = click.argument("game", metavar="GAME")
AS_JSON = click.option("--json", "as_json", is_flag=True, help="Answer in JSON.")
DECKS = click.option(
    "--decks",
    type=Whole("decks", f"{FEWEST_DECKS} to {MOST_DECKS}"),
    default=USUAL_DECKS,
    show_default=True,
    help="Decks in the shoe.",
)
LANGUAGE = click.option("--lang", default="en", metavar="en|zh", help="English or Simplified Chinese.")
AS_CSV = click.option("--csv", "as_csv", is_flag=True, help="Answer in comma-separated values.")
PLOT = click.option("--plot", metavar="FILE", help="Draw it into a .png, .svg or .pdf.")
WAGER = click.option("--wager", metavar="WAGER", help="Only this wager.")
SEED = click.option("--seed", type=Whole("seed", "a whole number"), help="The same cards every time.")
CUT = click.option(
    "--cut",
    type=Whole("cut", "the number of cards behind the cutting card"),
    default=USUAL_CUT,
    show_default=True,
    help="Cards behind the cutting card.",
)


def was_given(option: str) -> bool:
    """Whether an option was written on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def check_public(key: str) -> str:
    """A public key that was given with --public."""
    if not _PUBLIC_KEY.fullmatch(key):
        raise BadUsage(f"--public: {quoted(key)}: expected the 64 hexadecimal digits of a public key")
    return key


def one_form(*, as_json: bool, as_csv: bool) -> None:
    """Refuse two forms of one answer."""
    if as_json and as_csv:
        raise BadUsage("--json and --csv: expected one of them")


def number_of(option: str, text: str) -> int:
    """A whole number, which may be written as in 1e9."""
    read = _NUMBER.fullmatch(text)
    number = Fraction(text) if read else Fraction(1, 2)
    if number.denominator != 1:
        raise BadRounds(f"--{option}: {quoted(text)} is no whole number: expected one as in 100000 or 1e9")
    return int(number)


def language_of(code: str) -> "Language":
    """The language with that code."""
    from punto.rules import Language

    codes = {language.value: language for language in Language}
    if code not in codes:
        raise BadUsage(f"--lang: {quoted(code)} is not a language: expected {' or '.join(codes)}")
    return codes[code]
