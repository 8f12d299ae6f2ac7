"""`punto count`: how far a game can be counted."""

import re
from dataclasses import asdict, dataclass
from math import isfinite, nan
from typing import Any, Final

from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.progress import progress
from punto.cli.tables import heading, percent, print_csv, print_json, show, table, wager_name
from punto.errors import BadUsage, quoted
from punto.lab.counting import Counting, Plan
from punto.lab.counts import Count
from punto.lab.dealing import Procedure, check_cut
from punto.lab.exposure import Counter, Exposure, Play
from punto.lab.figures import check_target
from punto.rules import Game, Language

# The width of an effect, and of what stands before them.
_FIGURE: Final = 8
_FIRST: Final = 16
_WHOLE: Final = re.compile(r"[+-]?[0-9]{1,3}")


@dataclass(frozen=True)
class Asked:
    """What the options say."""

    game: Game
    wager: str | None
    decks: int
    procedure: Procedure
    shoes: int
    level: int
    seed: int
    tags: str | None
    trigger: str | None
    running: bool
    plot: str | None


def answer(asked: Asked, *, as_json: bool, as_csv: bool) -> None:
    """The exposure of one wager, or of all."""
    target = check_target(asked.plot) if asked.plot is not None else None
    tags, trigger = _tags(asked), _trigger(asked.trigger)
    plan = Plan(asked.procedure, asked.shoes, asked.seed, asked.level, tags, trigger, asked.running)
    counting = Counting(asked.game, asked.decks, None if asked.wager is None else [asked.wager])
    check_cut(asked.procedure.cut, counting.shoe.size)
    with progress(plan.shoes, "shoes") as show:
        exposures = counting.exposures(plan, show)
    if target:
        exposures[0].save(target)
    if as_json:
        wagers = {each.wager.name: _plain(each) for each in exposures}
        procedure = asdict(asked.procedure)
        terms = {"game": asked.game.key, "decks": asked.decks, **procedure, "shoes": asked.shoes, "seed": asked.seed}
        print_json({**terms, "wagers": wagers})
    elif as_csv:
        print_csv(*exposures)
    else:
        _show(asked.game, exposures)


def _tags(asked: Asked) -> dict[str, int] | None:
    """A count of the user's own, as in `6=-3,7=1,8=1,9=1`."""
    if asked.tags is None:
        return None
    ranks = {rank.letter: rank for rank in asked.game.deck.ranks}
    tags: dict[str, int] = {}
    for place, part in enumerate(asked.tags.split(","), 1):
        name, _, figure = (piece.strip() for piece in part.partition("="))
        name = "T" if name == "10" else name.upper()
        if name not in ranks or name in tags or not _WHOLE.fullmatch(figure):
            expected = "each rank once with its tag, as in 6=-3,7=1"
            raise BadUsage(f"--tags: part {place}: {quoted(part.strip())}: expected {expected}", place)
        tags[name] = int(figure)
    return tags


def _trigger(text: str | None) -> float | None:
    """The value of the count from which on the counter bets."""
    try:
        trigger = None if text is None else float(text)
    except ValueError:
        trigger = nan
    if trigger is not None and not isfinite(trigger):
        raise BadUsage(f"--trigger: {quoted(text or '')} is no number: expected a count, as in 4")
    return trigger


def _plain(exposure: Exposure) -> dict[str, Any]:
    return {
        "ev": str(exposure.ev),
        "effects": {effect.name: str(effect.effect) for effect in exposure.effects},
        "effects_percent": {effect.name: 100 * float(effect.effect) for effect in exposure.effects},
        "linear": {
            "tags": {effect.name: float(effect.effect) for effect in exposure.effects},
            "correlation": float(len({effect.effect for effect in exposure.effects}) > 1),
        },
        "counters": [_counter_plain(exposure, counter) for counter in exposure.counters],
        "count": _count(exposure, exposure.count),
        "trigger": exposure.trigger,
        "rounds_per_shoe": exposure.rounds,
        "perfect": _play(exposure.perfect),
        "counter": _play(exposure.counter),
        "depths": [
            {
                "decks_gone": depth.decks_gone,
                "rounds": depth.rounds,
                "favourable": depth.favourable,
                "edge": depth.edge,
                "won_per_100_rounds": depth.won_per_hundred,
            }
            for depth in exposure.depths
        ],
    }


def _counter_plain(exposure: Exposure, counter: Counter) -> dict[str, Any]:
    return {**_count(exposure, counter.count), "trigger": counter.trigger, **_play(counter.play)}


def _count(exposure: Exposure, count: Count) -> dict[str, Any]:
    return {
        "kind": "running" if count.running else "true",
        "level": count.level,
        "tags": dict(zip([effect.name for effect in exposure.effects], count.tags, strict=True)),
        "correlation": count.correlation,
    }


def _play(play: Play) -> dict[str, float]:
    return {
        "bets_per_shoe": play.bets,
        "won_per_shoe": play.won,
        "error": play.error,
        "won_per_100_rounds": play.won_per_hundred,
        "favourable": play.frequency,
        "edge": play.edge,
    }


def _show(game: Game, exposures: tuple[Exposure, ...]) -> None:
    out = console()
    first = exposures[0]
    shoe = f"{first.decks} decks, {first.procedure.cut} cards behind the cutting card"
    out.print(heading(game, Language.ENGLISH, shoe, f"{first.shoes:,} shoes of {first.rounds:.1f} rounds"))
    out.print()
    show(out, _perfect(exposures))
    out.print()
    show(out, _counter(exposures))
    for exposure in exposures:
        out.print()
        out.print(wager_name(exposure.wager.name))
        show(out, _effects(exposure, out.width))
        if len(exposures) == 1:
            out.print()
            show(out, _counters(exposure))
            out.print()
            show(out, _depths(exposure))


def _perfect(exposures: tuple[Exposure, ...]) -> Table:
    """What perfect play wins, one unit a bet."""
    drawn = table("perfect play", "in favour", "by", "won a shoe", "±", "per 100 rounds")
    for exposure in exposures:
        play = exposure.perfect
        drawn.add_row(wager_name(exposure.wager.name), percent(play.frequency, 2), percent(play.edge, 2), *_won(play))
    return drawn


def _counter(exposures: tuple[Exposure, ...]) -> Table:
    """What a counter wins, one unit a bet."""
    drawn = table("the best counter", "count", "from", "bets", "edge", "won a shoe", "±", "per 100 rounds")
    for exposure in exposures:
        play = exposure.counter
        share, edge = percent(play.frequency, 2), percent(play.edge, 2)
        kind = "–" if exposure.trigger is None else exposure.best.kind
        drawn.add_row(wager_name(exposure.wager.name), kind, _trigger_shown(exposure.best), share, edge, *_won(play))
    return drawn


def _counters(exposure: Exposure) -> Table:
    """What every counter of one wager wins."""
    drawn = table("counter", "follows", "from", "bets", "edge", "won a shoe", "±", "of perfect play")
    for counter in exposure.counters:
        play = counter.play
        share = percent(play.won / exposure.perfect.won, 1) if exposure.perfect.won else "–"
        figures = f"{counter.count.correlation:.3f}", _trigger_shown(counter), percent(play.frequency, 2)
        won = percent(play.edge, 2), f"{play.won:.4f}", f"{play.error:.4f}"
        drawn.add_row(counter.kind, *figures, *won, share)
    return drawn


def _trigger_shown(counter: Counter) -> str:
    return "–" if counter.trigger is None else f"{counter.trigger:+.4g}"


def _won(play: Play) -> tuple[str, str, str]:
    return f"{play.won:.4f}", f"{play.error:.4f}", f"{play.won_per_hundred:.4f}"


def _effects(exposure: Exposure, width: int) -> Table:
    """The effects of removal in percentage points, which are the best linear count, and the tags of the counts.

    Cards that are alike in all of it stand together.
    """
    counters = [counter for counter in exposure.counters if any(counter.count.tags)]
    alike: dict[tuple[str, ...], list[str]] = {}
    for place, effect in enumerate(exposure.effects):
        tags = [f"{tag:+d}" if tag else "0" for tag in (counter.count.tags[place] for counter in counters)]
        alike.setdefault((f"{100 * float(effect.effect):+.4f}", *tags), []).append(effect.name)
    names = ["any card"] if len(alike) == 1 else [" ".join(names) for names in alike.values()]
    headings = ["effect", *[counter.kind for counter in counters]]
    if sum(max(len(name), _FIGURE) + 1 for name in names) + _FIRST > width:
        drawn = table("card gone", *headings)
        for name, figures in zip(names, alike, strict=True):
            drawn.add_row(Text(name, style=QUIET), *figures)
        return drawn
    drawn = table("card gone", *names)
    for name, line in zip(headings, zip(*alike, strict=True), strict=True):
        drawn.add_row(Text(name, style=QUIET), *line)
    return drawn


def _depths(exposure: Exposure) -> Table:
    """What perfect play meets at each depth."""
    drawn = table("decks gone", "rounds", "in favour", "by", "per 100 rounds")
    for depth in exposure.depths:
        drawn.add_row(
            f"{depth.decks_gone - 0.25:.1f} to {depth.decks_gone + 0.25:.1f}",
            f"{depth.rounds:,}",
            percent(depth.favourable, 2),
            percent(depth.edge, 3),
            f"{depth.won_per_hundred:.4f}",
        )
    return drawn
