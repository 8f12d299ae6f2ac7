"""Tables, games, clauses and irregularities: what anybody may read."""

import json
from pathlib import Path

import pytest
from tests.marks import CLAUSES
from tests.server.http.floor import opened, setup, texts
from tests.server.waiting import waits

from punto.games import GAMES, RULEBOOKS
from punto.rules import Found, Language
from punto.rules.wording import how_to_play
from punto.server.http.games import game_rules
from punto.table import commands as do
from punto.table.reports import REPORTED_WITH


@waits
async def test_tables_are_shown_at_a_glance_and_to_staff_with_their_money(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        for browser, is_staff in ((floor.nobody(), False), (await floor.staff(), True)):
            tiles = (await browser.get("/api/tables")).json()
            assert [tile["key"] for tile in tiles] == ["1", "2", "3"]
            assert all((tile["money"] is not None) is is_staff for tile in tiles)
        state = (await floor.nobody().get("/api/tables/2")).json()
        assert (state["info"]["game"], state["info"]["rulebook"]) == ("baccarat", "B8")
        missing = await floor.nobody().get("/api/tables/%2e%2e")
        assert missing.status_code == 404


@waits
async def test_games_are_told_in_both_languages_with_every_clause(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        games = {game["key"]: game for game in (await nobody.get("/api/games")).json()}
        assert list(games) == list(GAMES)
        # By the book: which wagers a table may do without, and whether its cards may be virtual.
        assert games["fortune-six"]["optional"] == ["Player Dragon Bonus", "Banker Dragon Bonus"]
        assert games["7-up"]["optional"] == games["baccarat"]["optional"] == []
        assert [key for key in games if not games[key]["rulebook"]["virtual"]] == [
            "baccarat",
            "fa-fa-fabulous-4",
            "live-tiger-no-commission",
        ]
        for key, game in GAMES.items():
            rules = (await nobody.get(f"/api/games/{key}")).json()
            steps = list(how_to_play(game, RULEBOOKS[game.rulebook], Language.CHINESE))
            assert [step["text"]["zh"] for step in rules["play"]] == [step.text for step in steps]
            assert [step["clause"] for step in rules["play"]] == [step.clause or "" for step in steps]
            assert [len(wager["pays"]) for wager in rules["wagers"]] == [len(wager.pays) for wager in game.wagers]
            assert all(line["clause"] in CLAUSES for wager in rules["wagers"] for line in wager["pays"])
        answer = await nobody.get("/api/games/tigger")
        assert (answer.status_code, answer.json()["code"]) == (404, "unknown-game")


def test_the_rules_of_a_game_are_worked_out_once() -> None:
    assert game_rules.fn("tiger") is game_rules.fn("tiger")


@waits
async def test_clauses_are_told_in_our_own_words(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        codes = list(CLAUSES)
        for first in range(0, len(codes), 50):
            asked = codes[first : first + 50]
            answer = await nobody.get(f"/api/clauses/{', '.join(asked)}")
            told = answer.json()
            assert [each["code"] for each in told] == asked
            assert all(each["title"] and each["text"] for each in told)
            assert not any("](" in each["text"] or "*Code:*" in each["text"] for each in told)
        for unknown in ("EB4 99.1", "EB4", "nix", ",", ",".join(codes[:51])):
            answer = await nobody.get(f"/api/clauses/{unknown}")
            assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


@pytest.mark.parametrize(
    ("game", "book"), [("tiger", "EB4"), ("fa-fa-fabulous-4", "FF2"), ("baccarat", "B8"), ("7-up", "E7U")]
)
def test_every_irregularity_is_told_with_its_report_and_its_rules(tmp_path: Path, game: str, book: str) -> None:
    from punto.server.config import TableConfig  # noqa: PLC0415

    @waits
    async def test(folder: Path) -> None:
        async with opened(folder, TableConfig(key="1", setup=setup(game), automatic=False)) as floor:
            told = (await floor.nobody().get("/api/tables/1/irregularities")).json()
        assert told["rulebook"] == book
        by_found = {each["found"]: each for each in told["irregularities"]}
        assert list(by_found) == [found.value for found in Found if found in REPORTED_WITH]
        assert all(text for text in texts([each["title"] for each in by_found.values()]))
        for each in by_found.values():
            assert each["rules"]
            assert each["report"]["do"]
            assert each["report"]["by"] is not None or not each["covered"]
            assert all(rule["clause"] in CLAUSES or rule["clause"] == "" for rule in each["rules"])
            referred = [rule for rule in each["rules"] if rule["remedy"] == "refer"]
            assert all(rule["decides"]["position"] == "gaming-shift-manager" for rule in referred)

    test(tmp_path)


def test_every_report_of_the_table_reports_something_and_everything_is_reported() -> None:
    assert set(REPORTED_WITH) == set(Found)
    reports = {kind for kind in do.AnyCommand.__args__ if kind.__name__.startswith("Report")}
    assert reports <= set(REPORTED_WITH.values())


@waits
async def test_the_documents_of_the_api_are_served_and_no_pages_of_others(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        document = json.loads((await nobody.get("/schema/openapi.json")).content)
        assert (await nobody.get("/schema/openapi.yaml")).status_code == 200
        for page in ("redoc", "swagger", "elements", "scalar"):
            assert (await nobody.get(f"/schema/{page}")).status_code == 404
        for path, operations in document["paths"].items():
            for operation in operations.values():
                for status, answer in operation["responses"].items():
                    if int(status) >= 400 and path != "/health":
                        [content] = answer["content"].values()
                        assert content["schema"] == {"$ref": "#/components/schemas/Problem"}, (path, status)
