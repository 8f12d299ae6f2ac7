"""Exact odds against the figures that others have published, to the last digit printed."""

import json
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction
from functools import cache
from math import floor
from pathlib import Path
from typing import Any, Final

import pytest

from punto.cards import Card
from punto.games import GAMES, loads
from punto.lab import Composition, Line, Odds, WagerOdds
from punto.rules import EVEN, Fact, Game, Label, Pay, Reading, Side, Trait, Wager
from punto.rules.coup import total
from punto.rules.facts import winner
from punto.rules.traits import Value

FOLDER: Final = Path(__file__).parent.parent / "golden" / "published"
FILES: Final[Mapping[str, Any]] = {
    path.stem: tomllib.loads(path.read_text("utf-8")) for path in sorted(FOLDER.glob("*.toml"))
}
HEAD: Final = ["source", "author", "title", "address", "seen"]
QUANTITIES: Final = {
    "sequences",
    "count",
    "probability",
    "return",
    "hit",
    "one in",
    "edge",
    "ev",
    "sd",
    "variance",
    "effect",
    "change of hit without",
}
# Wagers of the eleven games about which others have published something.
TRIED_IN_GAMES: Final = {
    "Player",
    "Banker",
    "Tie",
    "Player Pair",
    "Banker Pair",
    "Fortune Six",
    "Player Dragon Bonus",
    "Banker Dragon Bonus",
    "Tiger",
    "Small Tiger",
    "Big Tiger",
    "Tiger Tie",
    "Player Fabulous 4",
    "Banker Fabulous 4",
}
SIX_DECKS: Final = 6
WINNERS: Final = ("player", "banker", "tie")


@dataclass(frozen=True)
class Figure:
    """One figure as it was printed; if it is explained, the exact value and how the two came to differ."""

    file: str
    wager: str
    decks: int
    of: str
    printed: str
    exact: str = ""
    how: str = ""

    def __str__(self) -> str:
        return f"{self.file}: {self.wager}, {self.decks} decks, {self.of} {self.printed}"


def published() -> Iterator[Figure]:
    """All figures about wagers that are printed as they should be."""
    for file, content in FILES.items():
        for block in content.get("figures", ()):
            for of, printed in block["printed"]:
                yield Figure(file, block["wager"], block["decks"], of, printed)


def explained() -> Iterator[Figure]:
    """All figures that are not."""
    for file, content in FILES.items():
        for each in content.get("explained", ()):
            known = {key: each[key] for key in ("wager", "decks", "of", "printed", "exact", "how")}
            assert each["why"]
            yield Figure(file, **known)


@dataclass(frozen=True)
class After:
    """Who wins how often, printed by Player's two-card total; given, perhaps, one of Banker's first cards."""

    winner: str
    player: int
    banker: int | None
    printed: str


def after_first_cards() -> Iterator[After]:
    for content in FILES.values():
        for table in content.get("after", ()):
            assert table["decks"] == 8
            for player, printed in enumerate(table["printed"]):
                yield After(table["winner"], player, table.get("banker"), printed)


FIGURES: Final = list(published())
EXPLAINED: Final = list(explained())
AFTER: Final = list(after_first_cards())


@cache
def declared(file: str) -> Odds:
    """The odds of a game that has the wagers of a file."""
    content = FILES[file]
    lines = [f"key = {json.dumps(file)}", f"title = {json.dumps(content['title'])}"]
    lines += [f"opening = {json.dumps(content['opening'])}"] if "opening" in content else []
    for wager in content["wager"]:
        pays = [f"{{ when = {json.dumps(pay['when'])}, odds = {json.dumps(pay['odds'])} }}" for pay in wager["pays"]]
        lines += ["[[wager]]", f"name = {json.dumps(wager['name'])}", f"pays = [{', '.join(pays)}]"]
    return Odds(loads("\n".join(lines)))


@cache
def of_game(key: str) -> Odds:
    return Odds(GAMES[key])


@cache
def worth(odds: Odds, decks: int, gone: str = "") -> Mapping[str, WagerOdds]:
    return odds.of(Composition.seen(gone, odds.game.deck, decks)).wagers


# --- from a figure to a number ----------------------------------------


def exact(odds: Odds, wager: str, decks: int, of: str) -> Fraction:
    """What a printed figure ought to be."""
    found = worth(odds, decks)[wager]
    match of.split():
        case ["sequences"]:
            return Fraction(found.lines[0].of)
        case ["count", row]:
            return Fraction(line(found, row).count)
        case ["probability", row]:
            return line(found, row).probability
        case ["return", row]:
            return line(found, row).net * line(found, row).probability
        case ["one", "in"]:
            return 1 / found.hit
        case ["sd"]:
            return root(found.variance)
        case ["effect", rank, *times]:
            return (less(odds, wager, decks, rank).ev - found.ev) * (int(times[1]) if times else 1)
        case ["change", "of", "hit", "without", *ranks]:
            return less(odds, wager, decks, *ranks).hit - found.hit
    value: Fraction = {"hit": found.hit, "edge": found.edge, "ev": found.ev, "variance": found.variance}[of]
    return value


def line(found: WagerOdds, row: str) -> Line:
    return found.lines[-1 if row == "lost" else int(row) - 1]


def less(odds: Odds, wager: str, decks: int, *ranks: str) -> WagerOdds:
    """The wager's odds when a card of each of these ranks is gone."""
    return worth(odds, decks, " ".join(f"{rank}s" for rank in ranks))[wager]


def root(value: Fraction) -> Fraction:
    """The square root, to many more digits than anybody prints."""
    digits = Context(prec=40)
    return Fraction(digits.sqrt(digits.divide(Decimal(value.numerator), Decimal(value.denominator))))


# --- from a number to print ----------------------------------------


def as_printed(value: Fraction, printed: str, whole: Callable[[Fraction], int] = round) -> str:
    """The value in the form of what was printed, to as many digits."""
    percent = "%" if printed.endswith("%") else ""
    places = len(printed.removesuffix("%").partition(".")[2])
    scaled = whole(value * (100 if percent else 1) * 10**places)
    digits = f"{abs(scaled):0{places + 1}d}"
    before, behind = digits[: len(digits) - places], digits[len(digits) - places :]
    number = f"{int(before):,}" if "," in printed else before
    return ("-" if scaled < 0 else "") + number + ("." + behind if places else "") + percent


def half_up(value: Fraction) -> int:
    return floor(abs(value) + Fraction(1, 2)) * (-1 if value < 0 else 1)


def holds(value: Fraction, printed: str) -> bool:
    """Whether the value is printed like that, however halves are rounded."""
    return as_printed(value, printed) == printed == as_printed(value, printed, half_up)


@pytest.mark.parametrize(
    ("value", "printed"),
    [
        (Fraction(1, 3), "0.333"),
        (Fraction(2, 3), "66.67%"),
        (Fraction(-1, 1000), "-0.0010"),
        (Fraction(-1, 1000), "-0.1%"),
        (Fraction(1234567), "1,234,567"),
        (Fraction(1234567), "1234567"),
        (Fraction(206), "206.0"),
    ],
)
def test_a_value_is_put_into_the_form_of_what_was_printed(value: Fraction, printed: str) -> None:
    assert as_printed(value, printed) == printed
    assert holds(value, printed)
    assert not holds(value + 1, printed)


# --- the files ----------------------------------------


def test_there_are_hundreds_of_figures_from_many_sources() -> None:
    assert len(FIGURES) + len(EXPLAINED) + len(AFTER) >= 440
    assert len({content["source"] for content in FILES.values()}) >= 9
    assert len(EXPLAINED) < len(FIGURES) / 10


@pytest.mark.parametrize("file", FILES)
def test_every_file_says_who_published_it_and_where(file: str) -> None:
    content = FILES[file]
    assert [key for key in HEAD if content.get(key)] == HEAD
    pages = [block["page"] for kind in ("figures", "explained") for block in content.get(kind, ()) if "page" in block]
    assert {address.partition("://")[0] for address in [content["address"], *pages]} <= {"http", "https"}
    assert set(content) <= {*HEAD, "opening", "wager", "figures", "explained", "after"}


def test_no_wager_is_declared_in_vain() -> None:
    tried = {(figure.file, figure.wager) for figure in FIGURES + EXPLAINED}
    assert tried == {(file, wager["name"]) for file, content in FILES.items() for wager in content["wager"]}


def test_no_figure_is_given_twice_in_a_file() -> None:
    given = Counter((figure.file, figure.wager, figure.decks, figure.of, figure.printed) for figure in FIGURES)
    assert not [figure for figure, times in given.items() if times > 1]


def test_the_quantities_are_those_that_the_readme_explains() -> None:
    used = {figure.of for figure in FIGURES + EXPLAINED}
    assert {name for name in QUANTITIES if any(of.startswith(name) for of in used)} == QUANTITIES
    assert all(any(of.startswith(name) for name in QUANTITIES) for of in used)
    readme = (FOLDER / "README.md").read_text("utf-8")
    assert all(f"`{name}" in readme for name in QUANTITIES)


def test_the_best_known_figures_are_among_them() -> None:
    printed = {figure.printed for figure in FIGURES}
    assert printed >= {
        "4,998,398,275,503,360",
        "2,292,252,566,437,888",
        "2,230,518,282,592,256",
        "475,627,426,473,216",
        *("1.2351%", "1.0579%", "14.3596%", "1.2374%", "1.0558%", "14.4382%"),
        *("1.4581%", "2.6517%", "9.3731%", "16.6836%", "15.2533%", "-0.026049"),
    }


# --- the figures ----------------------------------------


@pytest.mark.parametrize("figure", FIGURES, ids=str)
def test_a_published_figure_is_exact_to_its_last_digit(figure: Figure) -> None:
    value = exact(declared(figure.file), figure.wager, figure.decks, figure.of)
    assert holds(value, figure.printed), as_printed(value, figure.printed)


@pytest.mark.parametrize("figure", EXPLAINED, ids=str)
def test_a_figure_that_differs_does_so_as_explained(figure: Figure) -> None:
    value = exact(declared(figure.file), figure.wager, figure.decks, figure.of)
    assert holds(value, figure.exact), as_printed(value, figure.exact)
    assert len(figure.exact) > len(figure.printed) or figure.how in {"fifteen digits", "misprint"}
    assert not holds(value, figure.printed)
    assert SLIPS[figure.how](figure, value)


def slip_misprint(_figure: Figure, _value: Fraction) -> bool:
    """Nothing more can be said of it."""
    return True


def slip_cut_off(figure: Figure, value: Fraction) -> bool:
    """The digits that follow were left out."""
    return as_printed(value, figure.printed, floor) == figure.printed


def slip_fifteen_digits(figure: Figure, value: Fraction) -> bool:
    """The sixteenth digit is a nought, and the fifteenth not far off."""
    printed = int(figure.printed.replace(",", ""))
    return len(str(printed)) == 16 and printed % 10 == 0 and abs(value - printed) < 10


def slip_from_rounded_figures(figure: Figure, _value: Fraction) -> bool:
    """The probability was rounded to six digits first."""
    first, lost = worth(declared(figure.file), figure.decks)[figure.wager].lines
    probability = Fraction(round(first.probability * 10**6), 10**6)
    value = probability * first.net + (1 - probability) * lost.net
    return as_printed(value, figure.printed, half_up) == figure.printed


def slip_not_centred(figure: Figure, value: Fraction) -> bool:
    """The mean was not taken off before squaring."""
    mean = exact(declared(figure.file), figure.wager, figure.decks, "ev")
    return holds(root(value**2 + mean**2), figure.printed)


def slip_six_decks(figure: Figure, _value: Fraction) -> bool:
    """It is the figure of a smaller shoe."""
    return holds(exact(declared(figure.file), figure.wager, SIX_DECKS, figure.of), figure.printed)


SLIPS: Final[Mapping[str, Callable[[Figure, Fraction], bool]]] = {
    "misprint": slip_misprint,
    "cut off": slip_cut_off,
    "fifteen digits": slip_fifteen_digits,
    "from rounded figures": slip_from_rounded_figures,
    "not centred": slip_not_centred,
    "six decks": slip_six_decks,
}


# --- the same through the eleven games ----------------------------------------


def rules_of(game: Game, wager: Wager) -> tuple[object, ...]:
    """All that decides what a wager pays."""
    return game.deck, game.opening, *[(pay.when, pay.odds) for pay in wager.pays]


def same_wagers(figure: Figure) -> list[tuple[str, str]]:
    """The wagers of the eleven games that are the same as the figure's."""
    own = declared(figure.file).game
    rules = rules_of(own, own.wager(figure.wager))
    return [(key, each.name) for key, game in GAMES.items() for each in game.wagers if rules_of(game, each) == rules]


@pytest.mark.parametrize("figure", [each for each in FIGURES + EXPLAINED if same_wagers(each)], ids=str)
def test_a_published_figure_of_a_wager_that_a_game_has_is_exact_there_too(figure: Figure) -> None:
    for key, wager in same_wagers(figure):
        value = exact(of_game(key), wager, figure.decks, figure.of)
        right = figure.exact or figure.printed
        assert holds(value, right), (key, wager, as_printed(value, right))


def test_most_wagers_of_the_games_are_tried_like_that() -> None:
    found = {same for figure in FIGURES + EXPLAINED for same in same_wagers(figure)}
    assert {name for _, name in found} == TRIED_IN_GAMES
    assert {key for key, _ in found} == {*GAMES} - {"fa-fa-fabulous-4"}
    assert {("7-up", "Player"), ("7-up", "Banker"), ("fabulous-4s", "Player"), ("fabulous-4s", "Banker")} <= found


@pytest.mark.parametrize(("key", "wager"), [("super-six", "Super Six"), ("super-6", "Super 6")])
def test_super_six_wins_as_often_as_a_banker_six_is_published_to_come(key: str, wager: str) -> None:
    (printed,) = (each.printed for each in FIGURES if each.wager == "Banker, half on 6" and each.of == "count 1")
    assert f"{worth(of_game(key), 8)[wager].lines[0].count:,}" == printed


# --- given some of the first cards ----------------------------------------


def points_of_first(first: Card, _second: Card) -> int:
    return first.points


def total_of_two(first: Card, second: Card) -> int:
    return total((first, second))


def itself(value: Value) -> Value:
    return value


def fact(name: str, side: Side, trait: Trait) -> Fact:
    return Fact(name, (Reading(side, trait),), itself, tuple(range(10)), Label("{}", "{}"), Label("{}", "{}"))


PLAYERS_TWO: Final = fact("player's two cards", Side.PLAYER, Trait("two cards", total_of_two))
BANKERS_FIRST: Final = fact("banker's first card", Side.BANKER, Trait("first card", points_of_first))


@cache
def after_odds(player: int) -> Mapping[int | None, WagerOdds]:
    """Wagers on that total of Player's two cards, and on each card that Banker may have first; won in three ways."""
    wagers = []
    for banker in (None, *range(10)):
        known = PLAYERS_TWO(player) if banker is None else PLAYERS_TWO(player) & BANKERS_FIRST(banker)
        pays = tuple(Pay("", known & winner(side), EVEN) for side in WINNERS)
        wagers.append(Wager(Label(f"{banker}", ""), "", pays))
    model = GAMES["baccarat"]
    found = Odds(Game("after", model.title, "", model.deck, tuple(wagers), model.opening)).of().wagers
    return {banker: found[f"{banker}"] for banker in (None, *range(10))}


@pytest.mark.parametrize("figure", AFTER, ids=str)
def test_the_chances_after_some_of_the_first_cards_are_those_published(figure: After) -> None:
    *ways, _ = after_odds(figure.player)[figure.banker].lines
    value = Fraction(ways[WINNERS.index(figure.winner)].count, sum(way.count for way in ways))
    assert holds(value, figure.printed), as_printed(value, figure.printed)


def test_what_can_be_known_of_the_first_cards_adds_up() -> None:
    known = [[sum(way.count for way in each.lines[:-1]) for each in after_odds(total).values()] for total in range(10)]
    assert all(without == sum(by_card) for without, *by_card in known)
    assert sum(without for without, *_ in known) == after_odds(0)[None].lines[0].of
    assert after_odds(9)[None].lines[1].count == 0
