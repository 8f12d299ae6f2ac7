"""The commands of the lab. What a command needs is imported when it runs."""

from typing import Final

import click

from punto.cli.options import (
    AS_CSV,
    AS_JSON,
    CUT,
    DECKS,
    GAME,
    LANGUAGE,
    PLOT,
    SEED,
    WAGER,
    Whole,
    language_of,
    number_of,
    one_form,
    was_given,
)
from punto.errors import BadUsage


@click.command()
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

    one_form(as_json=as_json, as_csv=as_csv)
    comparing = compare or plot is not None
    if sum(given is not None for given in (remaining, seen)) + comparing > 1:
        raise BadUsage("odds: expected one of --remaining, --seen, and --compare or --plot")
    if comparing and (against is not None or was_given("decks")):
        raise BadUsage("odds: --compare has its own decks and no other game: expected neither --decks nor --against")
    if against is not None and as_csv:
        raise BadUsage("odds: --csv has no room for --against: expected --json, or neither")
    declared, language = game_named(game), language_of(lang)
    if comparing:
        command.compare(declared, language, plot, as_json=as_json, as_csv=as_csv)
        return
    other = game_named(against, "--against") if against is not None else None
    command.answer(declared, decks, remaining, seen, other, language, as_json=as_json, as_csv=as_csv)


@click.command()
@GAME
@WAGER
@DECKS
@CUT
@click.option("--shoes", type=Whole("shoes", "2 or more"), default=2000, show_default=True, help="Shoes to deal.")
@click.option(
    "--level", type=Whole("level", "1 to 4"), default=2, show_default=True, help="The largest tag of a count."
)
@click.option("--tags", metavar="TAGS", help='A count of your own, as in "6=-3,7=1,8=1,9=1".')
@click.option("--trigger", metavar="N", help="Bet from this count on; else from the best.")
@click.option("--running", is_flag=True, help="Use your tags as a running count, not as a true one.")
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
    running: bool,
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

    one_form(as_json=as_json, as_csv=as_csv)
    if plot is not None and wager is None:
        raise BadUsage("count: --plot draws one wager: expected --wager WAGER too")
    if more < 0:
        raise BadUsage(f"--more: {more} is below 0: expected 0 or more")
    for name, given in (("--running", running), ("--trigger", trigger is not None)):
        if given and tags is None:
            raise BadUsage(f"count: {name} is for tags of your own: expected --tags TAGS too")
    seed = 1 if seed is None else seed
    procedure = Procedure(cut, more, burn)
    asked = command.Asked(game_named(game), wager, decks, procedure, shoes, level, seed, tags, trigger, running, plot)
    command.answer(asked, as_json=as_json, as_csv=as_csv)


@click.command()
@GAME
@click.option("--mix", metavar="STAKES", required=True, help='Stakes in a round, as in "Banker=60,Player=35,Tie=5".')
@click.option("--rounds", metavar="N", default="10000", show_default=True, help="Rounds, as in 10000 or 1e6.")
@DECKS
@CUT
@PLOT
@AS_JSON
@AS_CSV
def hold(
    game: str, mix: str, rounds: str, decks: int, cut: int, plot: str | None, *, as_json: bool, as_csv: bool
) -> None:
    """Say what the house holds after so many rounds.

    And after how many it is ahead with certainty.
    """
    from punto.cli import hold as command
    from punto.cli.files import game_named

    one_form(as_json=as_json, as_csv=as_csv)
    command.answer(game_named(game), mix, number_of("rounds", rounds), decks, cut, plot, as_json=as_json, as_csv=as_csv)


@click.command()
@GAME
@click.option("--rounds", metavar="N", required=True, help="Rounds to deal, as in 1000000 or 1e9.")
@DECKS
@CUT
@SEED
@click.option("--workers", type=Whole("workers", "1 or more"), help="Threads, or processes of a local cluster.")
@click.option("--cluster", metavar="ADDRESS", help="A Dask scheduler's address, or local.")
@click.option("--same-rounds", is_flag=True, help="As many rounds from every shoe: no effect of the cutting card.")
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
    same_rounds: bool,
    as_json: bool,
    as_csv: bool,
) -> int:
    """Deal whole shoes, and hold every wager against its exact odds.

    A seed gives the same rounds whoever deals them. Ctrl-C keeps what is done.
    """
    from punto.cli import simulate as command
    from punto.cli.files import game_named

    one_form(as_json=as_json, as_csv=as_csv)
    asked = command.Asked(
        game_named(game), number_of("rounds", rounds), decks, cut, seed, workers, cluster, resume, same_rounds
    )
    return command.answer(asked, as_json=as_json, as_csv=as_csv)


@click.command()
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
    "--limit",
    type=Whole("limit", "units"),
    default=500,
    show_default=True,
    help="Martingale's largest stake; beyond it, it begins again.",
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

    The chance that it cannot pay the next stake, the chance that it reaches a goal, and its quantiles.
    """
    from punto.cli import session as command
    from punto.cli.files import game_named

    one_form(as_json=as_json, as_csv=as_csv)
    asked = command.Asked(
        game_named(game),
        wager,
        stakes,
        bankroll,
        goal,
        limit,
        number_of("rounds", rounds),
        number_of("sessions", sessions),
        decks,
        cut,
        seed,
        plot,
    )
    command.answer(asked, as_json=as_json, as_csv=as_csv)


@click.command()
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
    command.write(declared, decks, output, number_of("rounds", rounds), shoes, 1 if seed is None else seed)


COMMANDS: Final = (odds, count, hold, simulate, session, report)
