"""The report: complete for every game, drawn twice, the same bytes every time."""

import os
import re
import subprocess
import sys
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from functools import cache
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path

import msgspec
import pytest
from tests.width import width

from punto import __version__
from punto.errors import BadDecks, BadRounds, BadUsage, MissingPart
from punto.games import GAMES, RULEBOOKS, digest, dumps, loads
from punto.games.readings import readings_of
from punto.lab.hold import Mix
from punto.lab.odds import Odds
from punto.lab.report import Document, Results, as_html, as_pdf, contents, report
from punto.lab.report import results as made_of
from punto.lab.report.declared import declaration, identity, interpretations, pays, rules
from punto.lab.report.document import Code, Figure, Heading, Listing, Section, Table, Text, printed
from punto.lab.report.exposure import counting
from punto.lab.report.numbers import decimal, fraction, percent, whole
from punto.lab.report.paper import source_of
from punto.lab.report.trials import agreement, volatility
from punto.rules import Game, Language, Side
from punto.rules.wording import how_to_play

MOST_VALUES = made_of._MOST_VALUES  # noqa: SLF001
FEW_VALUES = width(1000, 4000)
# Whose whole report the gate makes; the night makes those of all games.
REPORTED = width(("tiger",), tuple(GAMES))
# The sections that need no figures: the gate makes them for every game.
DECLARED = (identity, rules, pays, interpretations, declaration)
TITLES = [
    "Identity",
    "Rules of play",
    "Pay tables",
    "Method",
    "Exact probabilities and edges",
    "All numbers of decks",
    "Volatility and the range of the return",
    "Agreement with simulation",
    "Exposure to counting",
    "Interpretations applied",
    "The declaration",
]
ODD = """
key = "odd-one"
title = 'Odd & <One> "#set" $x$ *bold* \\ #'
deck = "standard"
[[wager]]
name = "Sure <b>"
pays = [{ when = "winner banker or winner player or winner tie", odds = "push" }]
[[wager]]
name = "Long shot"
pays = [{ when = "player pair rank 4 and banker pair rank 4", odds = "2000000 to 1" }]
"""


@pytest.fixture(autouse=True, scope="module")
def _few_rounds() -> Iterator[None]:
    """The range of the return after few rounds, and of few values: long sums are tried by the tests of the hold."""
    patch = pytest.MonkeyPatch()
    patch.setattr(made_of, "DRAWN", (10**4,))
    patch.setattr(made_of, "_MOST_VALUES", FEW_VALUES)
    solver = cache(Odds)
    patch.setattr("punto.lab.hold.Odds", solver)
    patch.setattr(made_of, "Odds", solver)
    yield
    patch.undo()


@cache
def small(key: str) -> Results:
    """What a report is made from, with few rounds."""
    return Results(loads(ODD) if key == "odd-one" else GAMES[key], rounds=30_000, shoes=20)


@cache
def document(key: str) -> Document:
    return contents(small(key))


@cache
def outline(key: str) -> Document:
    """The report as far as it needs no figures; it is the report itself where that is made."""
    if key in REPORTED:
        return document(key)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(import_module("punto.lab.report.contents"), "SECTIONS", DECLARED)
        return contents(small(key))


@cache
def page(key: str) -> str:
    return as_html(document(key)).decode()


def section(key: str, title: str) -> Section:
    return section_of(document(key), title)


def section_of(document: Document, title: str) -> Section:
    return next(section for section in document.sections if section.title == title)


def tables(section: Section) -> list[Table]:
    return [block for block in section.blocks if isinstance(block, Table)]


def cells(section: Section) -> list[tuple[str, ...]]:
    return [row for table in tables(section) for group in table.groups for row in group.rows]


def words(section: Section) -> str:
    return " ".join(block.text for block in section.blocks if isinstance(block, Text))


# --- what is in it ---------------------------------------


def the_sections_come_in_their_order_and_every_table_is_even(key: str) -> None:
    assert [section.title for section in document(key).sections] == TITLES
    assert document(key).names == (*map(str, range(1, 11)), "A")
    for section in document(key).sections:
        assert section.blocks
        for table in tables(section):
            assert table.caption.endswith(".")
            widths = {len(row) for group in table.groups for row in group.rows}
            assert widths == {len(table.columns)}, table.caption


def the_identity_names_game_rulebook_declaration_and_shoe(key: str) -> None:
    game, rulebook = GAMES[key], RULEBOOKS[GAMES[key].rulebook]
    (listing,) = [block for block in section_of(outline(key), "Identity").blocks if isinstance(block, Listing)]
    said = dict(listing.items)
    assert said["Game"] == outline(key).title == game.title.en
    assert said["Key"] == key
    assert said["Rulebook"].startswith(f"{rulebook.code}, {rulebook.title.en}")
    assert said["Rulebook"].endswith(f"version {rulebook.version}") or rulebook.version is None
    assert said["In force from"] == rulebook.in_force.strftime("%Y-%m-%d %H:%M %Z")
    assert said["Declaration"] == digest(game)
    assert said["Made with"] == f"Punto {__version__}"
    assert said["Shoe"] == f"8 decks, {8 * game.deck.size} cards"
    assert outline(key).running == f"{key} · {digest(game)[:12]}"


def rules_and_pay_lines_have_their_clauses(key: str) -> None:
    game = GAMES[key]
    steps = list(how_to_play(game, RULEBOOKS[game.rulebook], Language.ENGLISH))
    play, tableau = tables(section_of(outline(key), "Rules of play"))
    assert [row[-1] for row in play.groups[0].rows] == [step.clause or "" for step in steps]
    assert [row[1:] for row in tableau.groups[0].rows][3] == tuple("DDDDDDDDSDD")
    (paid,) = tables(section_of(outline(key), "Pay tables"))
    assert [(group.title, group.aside) for group in paid.groups] == [(each.name, each.clause) for each in game.wagers]
    for wager, group in zip(game.wagers, paid.groups, strict=True):
        assert group.rows == tuple(
            (pay.when.sentence(Language.ENGLISH), str(pay.odds), pay.clause) for pay in wager.pays
        )


def all_that_is_printed_on_paper_is_in_letters_that_its_fonts_have(key: str) -> None:
    drawn = msgspec.json.decode(source_of(outline(key)))
    assert not {letter for letter in str(drawn) if letter.isalpha() and ord(letter) > 0x2FF}


def every_exact_figure_is_there(key: str) -> None:
    odds = small(key).odds
    found = cells(section(key, "Exact probabilities and edges"))
    for wager in odds.wagers.values():
        assert (wager.name, fraction(wager.ev), percent(wager.ev, 6)) in found
        (edges,) = [row for row in found if row[0] == wager.name and len(row) == 6]
        assert edges[1] == percent(wager.edge)
        assert edges[3:] == (percent(wager.hit), percent(wager.push), decimal(wager.sd, 6))
        for line in wager.lines:
            assert any(row[2:] == (whole(line.count), decimal(line.probability, 10)) for row in found)
    for side in Side:
        for total, count in enumerate(odds.totals[side]):
            assert any(row[0] == str(total) and whole(count) in row for row in found)
    for counts in (odds.margins, odds.naturals, odds.cards):
        assert all(any(whole(count) in row for row in found) for count in counts.values())


@pytest.mark.nightly
def test_wagers_move_together_as_the_odds_say() -> None:
    odds = small("tiger").odds
    (table,) = [each for each in tables(section("tiger", TITLES[4])) if each.caption.startswith("Correlation")]
    names = list(odds.wagers)
    for place, row in enumerate(table.groups[0].rows):
        assert row[0] == f"{place + 1} {names[place]}"
        assert row[1:] == tuple(decimal(odds.correlation(names[place], other), 4) for other in names)
        assert row[place + 1] == "1.0000"


@pytest.mark.nightly
def test_a_game_of_many_wagers_has_no_table_wider_than_the_sheet() -> None:
    pays = 'pays = [{ when = "winner tie", odds = "8 to 1" }]'
    wagers = "\n".join(f'[[wager]]\nname = "Wager {number}"\n{pays}' for number in range(11))
    game = loads(f'key = "many"\ntitle = "Many"\ndeck = "elements"\n{wagers}\n')
    made = contents(Results(game, rounds=1000, shoes=2))
    assert max(len(table.columns) for section in made.sections for table in tables(section)) <= 12
    assert as_pdf(made).startswith(b"%PDF")


def the_edges_of_all_numbers_of_decks_stand_side_by_side(key: str) -> None:
    (table,) = tables(section(key, "All numbers of decks"))
    assert [column.heading for column in table.columns[1:]] == [f"{decks} decks" for decks in range(4, 11)]
    for row, name in zip(table.groups[0].rows, small(key).odds.wagers, strict=True):
        edges = [100 * odds.wagers[name].edge for odds in small(key).comparison.odds]
        assert row == (name, *[decimal(edge, 4) for edge in edges])


@pytest.mark.nightly
def test_the_range_of_the_return_is_that_of_the_hold(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_of, "_MOST_VALUES", MOST_VALUES)
    kinship, ahead, returns = tables(volatility(Results(GAMES["baccarat"])))
    mix = Mix.read("Banker", GAMES["baccarat"])
    rounds = whole(41_588), whole(mix.rounds_until_ahead(by_shoe=True) or 0)
    assert ("Banker", percent(1 - mix.mean), *rounds) in ahead.groups[0].rows
    share = mix.covariance / float(mix.variance)
    assert ("Banker", decimal(share, 6, plus=True), percent(1 + 81 * share, 2)) in kinship.groups[0].rows
    banker = next(group for group in returns.groups if group.title == "Banker")
    holding = mix.after(10_000, by_shoe=True)
    bounds = [percent(1 - holding.quantile(share) / 10_000) for share in (0.995, 0.005, 0.95, 0.05)]
    assert banker.rows[0] == ("10,000", *bounds)


def test_a_sum_with_too_many_values_is_left_out_and_said_so() -> None:
    _, ahead, returns = tables(section("odd-one", "Volatility and the range of the return"))
    sure, long_shot = returns.groups
    assert sure.rows[0][1:] == ("100.0000 %",) * 4
    assert long_shot.rows[-1][1:] == ("–",) * 4
    assert returns.note.startswith("–: ")
    assert [row[-1] for row in ahead.groups[0].rows] == ["–", "–"]


def the_simulation_is_stated_with_its_terms_and_held_against_the_exact_edges(key: str) -> None:
    said = section(key, "Agreement with simulation")
    assert "30,000 rounds" in words(said)
    assert "cutting card 14 cards from the end" in words(said)
    assert "seed 1 " in words(said)
    for row, wager in zip(cells(said), small(key).simulated.wagers.values(), strict=True):
        square, freedom, chance = wager.chi_square
        assert row[:4] == (wager.name, percent(-wager.ev), percent(-wager.expected), decimal(wager.z, 2, plus=True))
        assert row[4:] == (decimal(square, 2), str(freedom), decimal(chance, 4))


def the_exposure_of_every_wager_is_there_with_its_error(key: str) -> None:
    said = section(key, "Exposure to counting")
    found = cells(said)
    assert "20 shoes" in words(said)
    for exposure in small(key).exposures:
        name, perfect = exposure.wager.name, exposure.perfect
        rows = [row for row in found if row[0] == name]
        for effect in exposure.effects:
            text = decimal(100 * effect.effect, 4, plus=True)
            assert any(text in row for row in rows), effect
        kinds = [f"{'running' if each.count.running else 'true'} ±{each.level}" for each in exposure.counters]
        assert kinds == ["true ±1", "true ±2", "running ±1", "running ±2"]
        best = "–" if exposure.trigger is None else kinds[exposure.counters.index(exposure.best)]
        follows = "–" if exposure.trigger is None else decimal(exposure.count.correlation, 4)
        assert (name, best, follows) in rows
        won = [decimal(each.play.won, 4) for each in exposure.counters]
        assert (name, decimal(perfect.won, 4), *won) in rows
        assert any(row[-1] == decimal(perfect.won_per_hundred, 4) for row in rows)
        assert not perfect.bets or any(decimal(perfect.error, 4) in row for row in rows)


def readings_and_the_whole_declaration_stand_at_the_end(key: str) -> None:
    rows = cells(section_of(outline(key), "Interpretations applied"))
    assert rows == [(str(each.number), each.statement) for each in readings_of(GAMES[key])]
    (code,) = [block for block in outline(key).sections[-1].blocks if isinstance(block, Code)]
    assert code.text == dumps(GAMES[key])


def the_declaration_on_paper_is_still_the_game(key: str) -> None:
    code = msgspec.json.decode(source_of(outline(key)))["sections"][-1]["blocks"][-1]["text"]
    assert tomllib.loads(code) == tomllib.loads(dumps(GAMES[key]))
    assert loads(code) == GAMES[key]


WAGERS = ["Player", "Banker", "Tie", "Tiger", "Small Tiger", "Big Tiger", "Tiger Tie", "Tiger Pair"]
# For each drawing: what it must say to those who do not see it, and the labels that it must then bear, in their order.
FIGURES = {
    "Exact probabilities and edges": (
        ["Bars of the probability", "total from 0 to 9", "9 with 13.37 % for Player", "9 with 12.84 % for Banker"],
        [*"0123456789", "final total", "probability, %", "Player", "Banker"],
    ),
    "All numbers of decks": (
        ["Lines of the house edge of each wager", "from 4 to 10 decks"],
        [*map(str, range(4, 11)), "decks", "house edge, %", *WAGERS],
    ),
    "Volatility and the range of the return": (
        ["One panel for each wager", "range of its return", "10,000 to 10 million rounds"],
        ["$10^4$", "$10^7$", *WAGERS, "rounds", "return to the player, %"],
    ),
    "Exposure to counting": (
        ["Lines of what perfect play wins in 100 rounds on each wager", "decks that are gone"],
        ["0", "8", "decks gone", "units won in 100 rounds", *WAGERS],
    ),
}


def test_every_figure_says_what_it_shows() -> None:
    figures = {
        each.title: block for each in document("tiger").sections for block in each.blocks if isinstance(block, Figure)
    }
    assert list(figures) == list(FIGURES)
    for title, (said, labels) in FIGURES.items():
        figure = figures[title]
        assert [words for words in said if words not in figure.shows] == []
        assert figure.svg.startswith("<?xml")
        assert "<dc:date>" not in figure.svg
        drawn = iter(re.findall(r"<!-- (.*?) -->", figure.svg))
        assert [label for label in labels if label not in drawn] == [], title


def test_the_bars_of_the_totals_are_blue_for_player_and_red_for_banker_as_they_say() -> None:
    (figure,) = [block for block in section("tiger", TITLES[4]).blocks if isinstance(block, Figure)]
    assert "Player's in blue beside Banker's in red" in figure.shows
    fills = [[int(part, 16) for part in fill] for fill in re.findall(r"fill: #(..)(..)(..)", figure.svg)]
    strong = [("blue" if blue > red else "red") for red, _, blue in fills if abs(blue - red) > 64]
    assert strong == ["blue"] * 10 + ["red"] * 10 + ["blue", "red"]  # the bars, and the legend


# --- on a screen -----------------------------------------


class Page(HTMLParser):
    """A page, held to what it promises while it is read."""

    VOID = frozenset({"meta"})

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.open: list[str] = []
        self.seen: Counter[str] = Counter()
        self.ids: Counter[str] = Counter()
        self.used: set[str] = set()
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_startendtag(tag, attrs)
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen[tag] += 1
        given = dict(attrs)
        if "id" in given:
            self.ids[str(given["id"])] += 1
        for name, value in attrs:
            assert not name.startswith("on"), (tag, name)
            if name in {"href", "xlink:href", "src", "action", "data", "srcset"}:
                assert str(value).startswith("#"), (tag, value)
                self.used.add(str(value)[1:])
            self.used |= set(re.findall(r"url\(#([^)]*)\)", str(value)))
        if tag == "th":
            assert given["scope"] in {"col", "row", "rowgroup"}
        if tag == "svg":
            assert given["role"] == "img"
            assert given["aria-label"]

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open and self.open[-1] not in {"style", "svg"}:
            self.text += data


def read(html: str) -> Page:
    page = Page()
    page.feed(html)
    page.close()
    return page


def the_page_is_well_formed_and_asks_for_nothing_from_elsewhere(key: str) -> None:
    found = read(page(key))
    assert found.open == []
    assert page(key).startswith('<!DOCTYPE html>\n<html lang="en">')
    assert not {"script", "link", "img", "iframe", "object", "base"} & set(found.seen)
    assert (found.seen["h1"], found.seen["main"], found.seen["svg"]) == (1, 1, 4)
    assert found.seen["table"] == sum(len(tables(section)) for section in document(key).sections)
    assert max(found.ids.values()) == 1
    assert found.used <= set(found.ids)
    assert "@import" not in page(key)
    assert "url(http" not in page(key)


def the_page_has_all_that_the_document_has(key: str) -> None:
    text = read(page(key)).text
    for each in document(key).sections:
        assert printed(each.title) in text
        for block in each.blocks:
            match block:
                case Text() | Heading():
                    assert printed(block.text) in text
                case Code():
                    assert block.text in text
                case Figure():
                    assert printed(block.caption) in text
                case Listing():
                    assert all(said in text or printed(said) in text for _, said in block.items)
                case Table():
                    assert printed(block.caption) in text
    for row in cells(section(key, TITLES[4])):
        assert all(printed(cell) in text for cell in row)


def test_letters_that_would_be_commands_are_letters() -> None:
    game = loads(ODD)
    html = page("odd-one")
    assert "<One>" not in html
    assert "Sure <b>" not in html
    assert r"<h1>Odd &amp; &lt;One&gt; &quot;#set&quot; $x$ *bold* \ #</h1>" in html
    assert msgspec.json.decode(source_of(document("odd-one")))["title"] == game.title.en
    assert as_pdf(document("odd-one")).startswith(b"%PDF")


# --- on paper, and the same every time -------------------


def every_game_is_drawn_on_paper(key: str) -> None:
    drawn = as_pdf(document(key))
    assert drawn.startswith(b"%PDF-1.")
    assert drawn.rstrip().endswith(b"%%EOF")
    assert b"/CreationDate" not in drawn
    assert b"<xmp:CreateDate>" not in drawn


# In the gate with few values of the return, as in the other tests here.
PROGRAM = f"""
import sys
from punto.games import find
from punto.lab.report import Results, as_html, as_pdf, contents
from punto.lab.report import results as made_of
if {width(True, False)}:
    made_of.DRAWN, made_of._MOST_VALUES = (10**4,), {FEW_VALUES}
made = contents(Results(find("7-up"), 6, 30_000, 20, 7))
for write in (as_pdf, as_html):
    sys.stdout.buffer.write(write(made) + b"\\n--cut--\\n")
"""


def made(folder: Path, **environment: str) -> list[bytes]:
    """A report of both kinds, made by another process in another folder."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM], cwd=folder, env=os.environ | environment, capture_output=True, check=True
    )
    assert done.stderr == b""
    return done.stdout.split(b"\n--cut--\n")[:2]


@pytest.mark.nightly
def test_the_same_game_gives_the_same_bytes_in_other_processes_folders_and_zones(tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    first = made(tmp_path, PYTHONHASHSEED="1", TZ="UTC", LC_ALL="C")
    second = made(other, PYTHONHASHSEED="2", TZ="Asia/Singapore", OMP_NUM_THREADS="1")
    assert first == second
    assert [len(each) > 50_000 for each in first] == [True, True]
    assert not any(str(tmp_path).encode() in each for each in first)


@pytest.mark.nightly
def test_another_seed_or_number_of_decks_gives_another_report() -> None:
    asked = [Results(GAMES["7-up"], decks, 5000, 5, seed) for decks, seed in ((8, 1), (8, 2), (4, 1))]
    kept = [(agreement(results), counting(results)) for results in asked]
    assert kept[0] == (agreement(asked[0]), counting(asked[0]))
    assert len(set(kept)) == 3


# --- what cannot be made ---------------------------------


@pytest.mark.parametrize(
    ("asked", "error"),
    [
        ({"decks": 3}, BadDecks),
        ({"decks": 11}, BadDecks),
        ({"rounds": 0}, BadRounds),
        ({"rounds": 10**16}, BadRounds),
        ({"shoes": 1}, BadUsage),
        ({"shoes": 10**7}, BadUsage),
        ({"seed": -1}, BadUsage),
        ({"seed": 1 << 64}, BadUsage),
    ],
)
def test_what_cannot_be_worked_out_is_refused_at_once(asked: dict[str, int], error: type[Exception]) -> None:
    with pytest.raises(error, match="expected"):
        Results(GAMES["tiger"], **asked)


def test_a_page_needs_no_typst(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "typst", None)
    assert as_html(document("tiger")).startswith(b"<!DOCTYPE html>")


@pytest.mark.parametrize(
    ("kind", "missing"),
    [("pdf", "matplotlib"), ("pdf", "numba"), ("pdf", "typst"), ("html", "matplotlib"), ("html", "numba")],
)
def test_a_part_that_is_missing_is_named_before_the_work(
    kind: str, missing: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, missing, None)
    results = Results(GAMES["tiger"])
    with pytest.raises(MissingPart, match=f"a report as {kind.upper()} needs {missing}"):
        report(results, kind)
    assert not {"odds", "simulated"} & set(vars(results))


def test_a_game_of_no_rulebook_says_so() -> None:
    game: Game = loads(ODD)
    (listing,) = [block for block in section("odd-one", "Identity").blocks if isinstance(block, Listing)]
    assert dict(listing.items)["Rulebook"] == "none"
    (paid,) = tables(section("odd-one", "Pay tables"))
    assert [column.heading for column in paid.columns] == ["when it pays", "odds"]
    assert digest(game) in page("odd-one")


# --- all of that, for every game -------------------------

OF_ANY_GAME: tuple[Callable[[str], None], ...] = (
    the_sections_come_in_their_order_and_every_table_is_even,
    every_exact_figure_is_there,
    the_page_is_well_formed_and_asks_for_nothing_from_elsewhere,
    the_page_has_all_that_the_document_has,
)
OF_EVERY_DECLARATION: tuple[Callable[[str], None], ...] = (
    the_identity_names_game_rulebook_declaration_and_shoe,
    rules_and_pay_lines_have_their_clauses,
    all_that_is_printed_on_paper_is_in_letters_that_its_fonts_have,
    readings_and_the_whole_declaration_stand_at_the_end,
    the_declaration_on_paper_is_still_the_game,
)
OF_EVERY_RULEBOOK: tuple[Callable[[str], None], ...] = (
    the_edges_of_all_numbers_of_decks_stand_side_by_side,
    the_simulation_is_stated_with_its_terms_and_held_against_the_exact_edges,
    the_exposure_of_every_wager_is_there_with_its_error,
    every_game_is_drawn_on_paper,
)


@pytest.mark.parametrize("key", GAMES)
def test_the_report_of_every_game_is_complete(key: str) -> None:
    """One test a game, so that each report is made once, whichever worker makes it."""
    for holds in OF_EVERY_DECLARATION:
        holds(key)
    if key in REPORTED:
        for holds in (*OF_ANY_GAME, *OF_EVERY_RULEBOOK):
            holds(key)


def test_the_report_of_a_game_from_a_file_is_complete_too() -> None:
    for holds in OF_ANY_GAME:
        holds("odd-one")
