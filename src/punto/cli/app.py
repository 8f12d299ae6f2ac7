"""The commands and their options. What a command needs is imported when it runs."""

from typing import TYPE_CHECKING

import click

from punto import __version__
from punto.cards import FEWEST_DECKS, MOST_DECKS, USUAL_DECKS
from punto.errors import BadUsage, quoted

if TYPE_CHECKING:
    from punto.rules import Language


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


class Commands(click.Group):
    """The commands; one that does not exist is refused with those that do."""

    def resolve_command(
        self, context: click.Context, arguments: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that the first argument names."""
        if arguments[0] not in self.commands and not arguments[0].startswith("-"):
            known = ", ".join(self.list_commands(context))
            raise BadUsage(f"argument 1: {quoted(arguments[0])} is not a command: expected {known}")
        return super().resolve_command(context, arguments)


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


@click.group(cls=Commands, context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100})
@click.version_option(__version__, message="punto %(version)s")
def app() -> None:
    """Baccarat by the book: games, settlement, roads, odds, tables and their record.

    A GAME is a game's key (see `punto games`) or a FILE.toml that declares one.
    """


@app.command()
@AS_JSON
@LANGUAGE
def games(*, as_json: bool, lang: str) -> None:
    """List the eleven games."""
    from punto.cli import games as command

    command.show(as_json=as_json, language=_language(lang))


@app.command()
@GAME
@LANGUAGE
@click.option("--toml", "as_toml", is_flag=True, help="Print the declaration as TOML.")
def rules(game: str, lang: str, *, as_toml: bool) -> None:
    """Show how a game is played and what it pays.

    Each line has the clause that is behind it.
    """
    from punto.cli import rules as command
    from punto.cli.files import game_named

    command.show(game_named(game), _language(lang), as_toml=as_toml)


@app.command()
@GAME
@click.argument("cards", metavar="[CARDS]", nargs=-1)
@DECKS
@click.option("--batch", metavar="FILE", help="One deal a line, one JSON object a line; - is standard input.")
@AS_JSON
@LANGUAGE
def settle(game: str, cards: tuple[str, ...], decks: int, batch: str | None, lang: str, *, as_json: bool) -> int:
    """Settle every wager on a deal.

    Of a partial deal, say what it already decides.

    CARDS are in the order dealt, as in "As Kd 7h 9c"; 7 Up's without the permanent 7.
    """
    from punto.cli import settle as command
    from punto.cli.files import game_named

    if bool(cards) == (batch is not None):
        raise BadUsage("settle: expected either CARDS or --batch FILE")
    answers = command.Answers(game_named(game), decks, _language(lang))
    if batch is not None:
        return command.batch(answers, batch)
    command.show(answers, " ".join(cards), as_json=as_json)
    return 0


@app.command()
@click.argument("outcomes", metavar="OUTCOMES")
@AS_JSON
@LANGUAGE
def roads(outcomes: str, lang: str, *, as_json: bool) -> None:
    """Draw the roads of a shoe.

    Bead plate, big road, the three derived roads, ask-the-road.

    OUTCOMES are letters as in BPTPbPB: B, P or T, each followed by b and p for its pairs.
    """
    from punto.cli import roads as command

    command.show(outcomes, _language(lang), as_json=as_json)


@app.command()
@click.argument("game", metavar="[GAME]", default="fortune-six")
@DECKS
@click.option("--seed", type=Whole("seed", "a whole number"), help="The same shoes every time, for practice.")
@click.option("--fast", is_flag=True, help="No pauses while cards are dealt.")
@LANGUAGE
def play(game: str, decks: int, seed: int | None, lang: str, *, fast: bool) -> None:
    """Sit down at a table in the terminal."""
    from punto.cli.files import game_named
    from punto.cli.play import sit_down

    sit_down(game_named(game), decks, seed=seed, fast=fast, language=_language(lang))


STORE = click.argument("store", metavar="STORE")
TABLE = click.option("--table", metavar="TABLE", help="The table, by its name.")
KEY = click.option("--key", metavar="FILE", help="The floor's key; beside an SQLite file unless named.")


@app.command()
@click.argument("file", metavar="FILE.jsonl")
@click.option("--store", default="memory:", show_default=True, metavar="STORE", help="Where the tables are kept.")
@click.option("--under", metavar="RULEBOOK", help="Only under this one of the rulebooks that it names.")
@KEY
@AS_JSON
def scenario(file: str, store: str, under: str | None, key: str | None, *, as_json: bool) -> int:
    """Play a scenario, one command a line.

    What is expected of each is checked (docs/scenarios).
    """
    from punto.cli import scenario as command

    return command.run(file, store, key, under, as_json=as_json)


@app.command()
@click.argument("kind", metavar="commands|events")
def schema(kind: str) -> None:
    """Print the JSON Schema of commands or of events."""
    from punto.cli import schema as command

    command.show(kind)


@app.command()
@STORE
@TABLE
@click.option(
    "--by", default="table", show_default=True, metavar="table|terminal|day|shift|patron", help="One line for each."
)
@click.option("--csv", "as_csv", is_flag=True, help="In cents, as comma-separated values.")
def books(store: str, table: str | None, by: str, *, as_csv: bool) -> None:
    """Add up the meters of tables.

    In, out, wagered, won, returned, drop and hold, from the events and not from the ledger; by patron, credits and
    debts.
    """
    from punto.cli import books as command

    command.show(store, table, by, as_csv=as_csv)


@app.command()
@STORE
@click.option("--head", metavar="FILE", help="A head that was kept elsewhere (see `punto head`).")
@click.option("--public", metavar="KEY", help="The floor's public key; else it is taken from the key file.")
@KEY
@AS_JSON
def audit(store: str, head: str | None, public: str | None, key: str | None, *, as_json: bool) -> int:
    """Check all that a store holds.

    Everything is replayed with none of the floor's code, and the first thing that is wrong is named first.
    """
    from punto.cli import audit as command

    return command.run(store, key, public, head, as_json=as_json)


@app.command("head")
@STORE
def head_(store: str) -> None:
    """Print the last signed head of a store, to be kept elsewhere."""
    from punto.cli import audit as command

    command.show_head(store)


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option(
    "--round", "number", type=Whole("round", "a whole number"), required=True, help="The round, by its number."
)
@AS_JSON
@LANGUAGE
def replay(store: str, table: str, number: int, lang: str, *, as_json: bool) -> None:
    """Show a round step by step, and why each wager was paid."""
    from punto.cli import replay as command

    command.show_round(store, table, number, _language(lang), as_json=as_json)


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option("--rounds", type=Whole("rounds", "1 or more"), default=10, show_default=True, help="How many.")
@click.option("--patron", metavar="NAME", help="Only this patron's wagers.")
@AS_JSON
def recall(store: str, table: str, rounds: int, patron: str | None, *, as_json: bool) -> None:
    """Show the last rounds of a table.

    With wagers, cards, and credits before and after; the unfinished round too.
    """
    from punto.cli import replay as command

    command.show_recall(store, table, rounds, patron, as_json=as_json)


@app.command()
@STORE
@click.option("--table", metavar="TABLE", required=True, help="The table, by its name.")
@click.option("--shoe", type=Whole("shoe", "a whole number"), required=True, help="The shoe's number.")
def export(store: str, table: str, shoe: int) -> None:
    """Print a shoe as a portable text, one coup a line."""
    from punto.cli import shoes as command

    command.write_shoe(store, table, shoe)


@app.command("import")
@click.argument("file", metavar="FILE")
@click.option("--store", metavar="STORE", required=True, help="Where the shoe goes.")
@click.option("--table", metavar="TABLE", default="imported", show_default=True, help="The table that it becomes.")
@KEY
def import_(file: str, store: str, table: str, key: str | None) -> None:
    """Check a shoe's text and play it again on a table of its own."""
    from punto.cli import shoes as command

    command.bring_in(file, store, table, key)


@app.command()
@click.argument("file", metavar="FILE")
@AS_JSON
def verify(file: str, *, as_json: bool) -> int:
    """Check a shoe's text, whoever made it.

    Cards, coups, outcomes, payments, and what it was committed to.
    """
    from punto.cli import shoes as command

    return command.check(file, as_json=as_json)


AS_CSV = click.option("--csv", "as_csv", is_flag=True, help="Answer in comma-separated values.")
PLOT = click.option("--plot", metavar="FILE", help="Draw it into a .png, .svg or .pdf.")


@app.command()
@GAME
@DECKS
@click.option("--remaining", metavar="COUNTS", help='What is left, by rank or by card, as in "A=30,2=32,Kd=7".')
@click.option("--seen", metavar="CARDS", help='Cards that are gone, as in "As Kd 7h".')
@click.option("--compare", is_flag=True, help="The edges for four to ten decks, side by side.")
@click.option("--against", metavar="GAME", help="What the house gains on this one.")
@PLOT
@AS_JSON
@AS_CSV
@LANGUAGE
def odds(
    game: str,
    decks: int,
    remaining: str | None,
    seen: str | None,
    against: str | None,
    plot: str | None,
    lang: str,
    *,
    compare: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Work out what every wager is worth, exactly.

    From whole decks, or from whatever is left of them.
    """
    from punto.cli import odds as command
    from punto.cli.files import game_named

    _one_form(as_json=as_json, as_csv=as_csv)
    comparing = compare or plot is not None
    if sum(given is not None for given in (remaining, seen)) + comparing > 1:
        raise BadUsage("odds: expected one of --remaining, --seen, and --compare or --plot")
    if comparing and (against is not None or _given("decks")):
        raise BadUsage("odds: --compare has its own decks and no other game: expected neither --decks nor --against")
    if against is not None and as_csv:
        raise BadUsage("odds: --csv has no room for --against: expected --json, or neither")
    declared, language = game_named(game), _language(lang)
    if comparing:
        command.compare(declared, language, plot, as_json=as_json, as_csv=as_csv)
        return
    other = game_named(against, "--against") if against is not None else None
    command.answer(declared, decks, remaining, seen, other, language, as_json=as_json, as_csv=as_csv)


WAGER = click.option("--wager", metavar="WAGER", help="Only this wager.")
CUT = click.option(
    "--cut",
    type=Whole("cut", "the number of cards behind the cutting card"),
    default=14,
    show_default=True,
    help="Cards behind the cutting card.",
)
SEED = click.option("--seed", type=Whole("seed", "a whole number"), help="The same cards every time.")


@app.command()
@GAME
@WAGER
@DECKS
@CUT
@click.option("--shoes", type=Whole("shoes", "2 or more"), default=2000, show_default=True, help="Shoes to deal.")
@click.option(
    "--level", type=Whole("level", "1 to 4"), default=2, show_default=True, help="The largest tag of a count."
)
@click.option("--tags", metavar="TAGS", help='A count of your own, as in "6=-3,7=1,8=1,9=1".')
@click.option("--trigger", metavar="N", help="Bet from this true count on; else from the best.")
@click.option("--more", type=Whole("more", "0 or more"), default=0, help="Rounds after the one in which it comes.")
@click.option("--burn", is_flag=True, help="The first card is shown, and burns as many as it counts.")
@SEED
@PLOT
@AS_JSON
@AS_CSV
def count(
    game: str,
    wager: str | None,
    decks: int,
    cut: int,
    shoes: int,
    level: int,
    tags: str | None,
    trigger: str | None,
    more: int,
    seed: int | None,
    plot: str | None,
    *,
    burn: bool,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Say how far a game can be counted.

    The effect of every card that is gone, the best counts, and what they win.
    """
    from punto.cli import count as command
    from punto.cli.files import game_named
    from punto.lab.dealing import Procedure

    _one_form(as_json=as_json, as_csv=as_csv)
    if plot is not None and wager is None:
        raise BadUsage("count: --plot draws one wager: expected --wager WAGER too")
    if more < 0:
        raise BadUsage(f"--more: {more} is below 0: expected 0 or more")
    seed = 1 if seed is None else seed
    procedure = Procedure(cut, more, burn)
    asked = command.Asked(game_named(game), wager, decks, procedure, shoes, level, seed, tags, trigger, plot)
    command.answer(asked, as_json=as_json, as_csv=as_csv)


@app.command()
@GAME
@click.option("--mix", metavar="STAKES", required=True, help='Stakes in a round, as in "Banker=60,Player=35,Tie=5".')
@click.option("--rounds", metavar="N", default="10000", show_default=True, help="Rounds, as in 10000 or 1e6.")
@DECKS
@PLOT
@AS_JSON
@AS_CSV
def hold(game: str, mix: str, rounds: str, decks: int, plot: str | None, *, as_json: bool, as_csv: bool) -> None:
    """Say what the house holds after so many rounds.

    And after how many it is ahead with certainty.
    """
    from punto.cli import hold as command
    from punto.cli.files import game_named

    _one_form(as_json=as_json, as_csv=as_csv)
    command.answer(game_named(game), mix, _number("rounds", rounds), decks, plot, as_json=as_json, as_csv=as_csv)


@app.command()
@GAME
@click.option("--rounds", metavar="N", required=True, help="Rounds to deal, as in 1000000 or 1e9.")
@DECKS
@CUT
@SEED
@click.option("--workers", type=Whole("workers", "1 or more"), help="Threads, or processes of a local cluster.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler's address, or local.")
@click.option("--resume", metavar="FILE", help="Go on from what was kept, and keep there what is dealt.")
@AS_JSON
@AS_CSV
def simulate(
    game: str,
    rounds: str,
    decks: int,
    cut: int,
    seed: int | None,
    workers: int | None,
    cluster: str | None,
    resume: str | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Deal whole shoes, and hold every wager against its exact odds.

    A seed gives the same rounds whoever deals them. Ctrl-C keeps what is done.
    """
    from punto.cli import simulate as command
    from punto.cli.files import game_named

    _one_form(as_json=as_json, as_csv=as_csv)
    asked = command.Asked(game_named(game), _number("rounds", rounds), decks, cut, seed, workers, cluster, resume)
    return command.answer(asked, as_json=as_json, as_csv=as_csv)


@app.command()
@GAME
@click.option("--wager", metavar="WAGER", default="Banker", show_default=True, help="The wager.")
@click.option(
    "--stakes",
    metavar="WAY",
    default="flat",
    show_default=True,
    help="flat, martingale, paroli, 1-3-2-6, or a FILE.toml.",
)
@click.option(
    "--bankroll", type=Whole("bankroll", "units"), default=100, show_default=True, help="Units to begin with."
)
@click.option("--goal", type=Whole("goal", "units"), help="Units to leave with.")
@click.option(
    "--limit", type=Whole("limit", "units"), default=500, show_default=True, help="Martingale's largest stake."
)
@click.option("--rounds", metavar="N", default="200", show_default=True, help="Rounds in a session.")
@click.option("--sessions", metavar="N", default="20000", show_default=True, help="How many.")
@DECKS
@CUT
@SEED
@PLOT
@AS_JSON
@AS_CSV
def session(
    game: str,
    wager: str,
    stakes: str,
    bankroll: int,
    goal: int | None,
    limit: int,
    rounds: str,
    sessions: str,
    decks: int,
    cut: int,
    seed: int | None,
    plot: str | None,
    *,
    as_json: bool,
    as_csv: bool,
) -> None:
    """Follow a bankroll through shoes.

    Risk of ruin, quantiles, drawdown, under a way of staking.
    """
    from punto.cli import session as command
    from punto.cli.files import game_named

    _one_form(as_json=as_json, as_csv=as_csv)
    asked = command.Asked(
        game_named(game),
        wager,
        stakes,
        bankroll,
        goal,
        limit,
        _number("rounds", rounds),
        _number("sessions", sessions),
        decks,
        cut,
        seed,
        plot,
    )
    command.answer(asked, as_json=as_json, as_csv=as_csv)


@app.command()
@GAME
@DECKS
@click.option("-o", "--output", metavar="FILE", required=True, help="Where it goes: a .pdf or an .html.")
@click.option("--rounds", metavar="N", default="1e7", show_default=True, help="Rounds to simulate.")
@click.option("--shoes", type=Whole("shoes", "2 or more"), default=1000, show_default=True, help="Shoes to count.")
@SEED
def report(game: str, decks: int, output: str, rounds: str, shoes: int, seed: int | None) -> None:
    """Write the report for a test laboratory.

    Rules, pay tables, exact odds, the range of the return, simulation and counting, as PDF or HTML.
    """
    from punto.cli import report as command
    from punto.cli.files import game_named

    declared = game_named(game)
    command.write(declared, decks, output, _number("rounds", rounds), shoes, 1 if seed is None else seed)


def _given(option: str) -> bool:
    """Whether an option was written on the command line."""
    source = click.get_current_context().get_parameter_source(option)
    return source is click.core.ParameterSource.COMMANDLINE


def _one_form(*, as_json: bool, as_csv: bool) -> None:
    if as_json and as_csv:
        raise BadUsage("--json and --csv: expected one of them")


def _number(option: str, text: str) -> int:
    """A whole number, which may be written as in 1e9."""
    from fractions import Fraction

    from punto.errors import BadRounds

    try:
        number = Fraction(text) if len(text) < 40 and abs(int(text.lower().partition("e")[2] or 0)) < 40 else None  # noqa: PLR2004
    except (ValueError, ZeroDivisionError):
        number = None
    if number is None or number.denominator != 1 or "/" in text:
        raise BadRounds(f"--{option}: {quoted(text)} is no whole number: expected one as in 100000 or 1e9")
    return int(number)


def _language(code: str) -> "Language":
    from punto.rules import Language

    codes = {language.value: language for language in Language}
    if code not in codes:
        raise BadUsage(f"--lang: {quoted(code)} is not a language: expected {' or '.join(codes)}")
    return codes[code]
