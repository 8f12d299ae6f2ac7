import json
import re
import sys
import tomllib
from pathlib import Path
from typing import Final

import pytest
from tests.children import run
from tests.cli.shell import environment, punto
from tests.cli.tables import table

from punto import __version__
from punto.games import GAMES, RULEBOOKS, digest, loads
from punto.rules import Language


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands(arguments: list[str]) -> None:
    said = punto(*arguments)
    assert (said.status, said.err) == (0, "")
    for command in ("games", "rules", "settle", "roads", "play"):
        assert f"\n  {command} " in said.out


def test_the_version_is_told() -> None:
    assert punto("--version") == (0, f"punto {__version__}\n", "")


SLOW_TO_IMPORT: Final = frozenset(
    "argon2 asyncio cryptography dask distributed litestar matplotlib msgspec numba numpy pandas polars psycopg rich "
    "sqlite3 typst uvicorn websockets".split()
)
STORED: Final = frozenset(["cryptography", "msgspec", "rich", "sqlite3"])
EXACT: Final = frozenset(["msgspec", "numpy", "rich"])


@pytest.mark.parametrize(
    ("command", "needed"),
    [
        ("--help", frozenset()),
        ("settle tiger 9s --json", {"msgspec"}),
        ("games --json", {"msgspec"}),
        ("roads B --json", {"msgspec"}),
        ("books none.db", STORED),
        ("odds 7-up --json", EXACT),
        ("simulate tiger --rounds none", EXACT),  # numba comes when there is something to deal
    ],
)
def test_what_a_command_does_not_need_is_not_imported(command: str, needed: frozenset[str]) -> None:
    look = "import sys; from punto.cli.entry import run; run(sys.argv[1:]); print('\\n', *sys.modules)"
    done = run([sys.executable, "-c", look, *command.split()], capture_output=True, env=environment())
    assert done.returncode == 0, done.stderr
    imported = set(done.stdout.decode().splitlines()[-1].split())
    assert "punto.cli.app" in imported
    assert SLOW_TO_IMPORT & imported <= needed


def test_what_cannot_be_printed_is_written_out(tmp_path: Path) -> None:
    path = tmp_path / "odd.toml"
    path.write_text('key="x"\ntitle="X"\n[[wager]]\nname="T"\npays=[{when="\\u001b[31mX", odds="1 to 1"}]\n')
    said = punto("rules", str(path))
    assert said.status == 2
    assert "'\\x1b[31mx'" in said.err
    assert "\x1b" not in said.err


def test_an_unknown_command_is_refused_in_one_line() -> None:
    said = punto("deal")
    assert (said.status, said.out) == (2, "")
    assert said.err.startswith(
        "punto: argument 1: 'deal' is not a command: expected accept, archive, audit, backup, books, "
    )
    assert said.err.endswith(", settle, shuffle, signer, simulate, torture, verify\n")


def test_games_are_listed() -> None:
    said = punto("games")
    assert said.status == 0
    listed = [line.split()[0] for line in said.out.splitlines() if line.split()]
    assert [key for key in listed if key in GAMES] == list(GAMES)
    assert "老虎百家乐" in punto("games", "--lang", "zh").out


def test_every_game_is_listed_with_its_own_title_rulebook_and_wagers() -> None:
    shown = table(punto("games", COLUMNS="400").out, "game", "title", "rulebook", "wagers")
    assert [list(row.values()) for row in shown] == [
        [key, game.title.en, game.rulebook, ", ".join(wager.name for wager in game.wagers)]
        for key, game in GAMES.items()
    ]


def test_games_are_listed_as_json() -> None:
    listed = json.loads(punto("games", "--json").out)
    assert [each["key"] for each in listed] == list(GAMES)
    assert [each["digest"] for each in listed] == [digest(game) for game in GAMES.values()]
    assert listed[-1]["rulebook"] == {
        "code": "E7U",
        "title": {"en": "Electronic 7 Up Baccarat", "zh": "电子 7 Up 百家乐"},
        "version": None,
        "in_force": "2023-05-08T00:00:00+08:00",
    }
    assert listed[-1]["opening"] == "permanent-7"


@pytest.mark.parametrize("key", GAMES)
def test_rules_show_every_row_with_its_clause(key: str) -> None:
    said = punto("rules", key, COLUMNS="200")
    assert (said.status, said.err) == (0, "")
    game = GAMES[key]
    _, _, table = said.out.partition("What it pays\n")
    rows = [line for line in table.splitlines() if re.search(r" (pays \S+ to \S+|push) ", line)]
    assert len(rows) == sum(len(wager.pays) for wager in game.wagers)
    shown = iter(rows)
    for wager in game.wagers:
        for place, pay in enumerate(wager.pays):
            row = next(shown)
            assert row.startswith(" " if place else f"{wager.name} "), row
            assert re.search(
                rf" {re.escape(pay.when.sentence(Language.ENGLISH))} +(pays )?{pay.odds} +{pay.clause} *$", row
            ), row
    play = RULEBOOKS[game.rulebook].play
    for clause in (play.decks, play.values, play.totals, play.deal, play.draw, play.outcome, play.tie):
        assert clause in said.out
    assert "赔" in punto("rules", key, "--lang", "zh").out


def test_rules_show_the_table_of_play() -> None:
    thirds = [*map(str, range(10)), "stood"]
    shown = table(punto("rules", "baccarat").out, "", *thirds)
    assert {row.pop(""): " ".join(third for third in thirds if row[third] == "●") for row in shown} == {
        "0": "0 1 2 3 4 5 6 7 8 9 stood",
        "1": "0 1 2 3 4 5 6 7 8 9 stood",
        "2": "0 1 2 3 4 5 6 7 8 9 stood",
        "3": "0 1 2 3 4 5 6 7 9 stood",
        "4": "2 3 4 5 6 7 stood",
        "5": "4 5 6 7 stood",
        "6": "6 7",
        "7": "",
    }


@pytest.mark.parametrize("key", GAMES)
def test_rules_are_exported_and_taken_as_a_game(key: str, tmp_path: Path) -> None:
    said = punto("rules", key, "--toml")
    assert loads(said.out) == GAMES[key]
    path = tmp_path / "copy.toml"
    path.write_text(said.out)
    assert punto("rules", str(path), COLUMNS="200").out == punto("rules", key, COLUMNS="200").out
    assert tomllib.loads(said.out)["key"] == key


def test_rules_of_a_game_of_ones_own_need_no_rulebook(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(
        'key="mine"\ntitle="Mine"\n[[wager]]\nname="Tie"\n[[wager.pays]]\nwhen="winner tie"\nodds="9 to 1"\n'
    )
    said = punto("rules", str(path))
    assert said.status == 0
    assert "pays 9 to 1" in said.out


def test_a_mistake_of_our_own_is_one_line_too(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("spilt\ncoffee")

    monkeypatch.setattr("punto.cli.games.show", broken)
    line = "punto: internal error (RuntimeError: spilt coffee); PUNTO_DEBUG=1 shows where\n"
    assert punto("games") == (70, "", line)
    with pytest.raises(RuntimeError):
        punto("games", PUNTO_DEBUG="1")


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("punto.cli.games.show", interrupted)
    assert punto("games") == (130, "", "")
