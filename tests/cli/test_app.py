import json
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest
from tests.cli.shell import punto

from punto import __version__
from punto.cli import entry
from punto.games import GAMES, RULEBOOKS, digest, loads


@pytest.mark.parametrize("arguments", [[], ["--help"], ["-h"]])
def test_help_lists_the_commands(arguments: list[str]) -> None:
    said = punto(*arguments)
    assert (said.status, said.err) == (0, "")
    for command in ("games", "rules", "settle", "roads", "play"):
        assert f"\n  {command} " in said.out


def test_the_version_is_told() -> None:
    assert punto("--version") == (0, f"punto {__version__}\n", "")


@pytest.mark.parametrize("command", ["--help", "settle tiger 9s --json", "games --json", "roads B --json"])
def test_what_a_command_does_not_need_is_not_imported(command: str) -> None:
    look = "import sys; from punto.cli.entry import run; run(sys.argv[1:]); sys.exit('rich' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", look, *command.split()], capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


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
    assert said.err.startswith("punto: argument 1: 'deal' is not a command: expected audit, books, ")
    assert said.err.endswith(", settle, shuffle, simulate, verify\n")


def test_games_are_listed() -> None:
    said = punto("games")
    assert said.status == 0
    for game in GAMES.values():
        assert game.key in said.out
    assert "老虎百家乐" in punto("games", "--lang", "zh").out


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
    for wager in game.wagers:
        assert wager.name in said.out
        for pay in wager.pays:
            assert pay.clause in said.out
            assert str(pay.odds) in said.out
    play = RULEBOOKS[game.rulebook].play
    for clause in (play.decks, play.values, play.totals, play.deal, play.draw, play.outcome, play.tie):
        assert clause in said.out
    assert "赔" in punto("rules", key, "--lang", "zh").out


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


def test_a_mistake_of_our_own_is_one_line_too(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("spilt\ncoffee")

    monkeypatch.setattr("punto.cli.games.show", broken)
    assert entry.run(["games"]) == 70
    assert capsys.readouterr().err == "punto: internal error (RuntimeError: spilt coffee); PUNTO_DEBUG=1 shows where\n"
    monkeypatch.setenv("PUNTO_DEBUG", "1")
    with pytest.raises(RuntimeError):
        entry.run(["games"])


def test_an_interrupt_ends_quietly(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def interrupted(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("punto.cli.games.show", interrupted)
    assert entry.run(["games"]) == 130
    assert capsys.readouterr() == ("", "")
