import json
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.children import run, spawn
from tests.cli.shell import PUNTO, environment, punto
from tests.cli.tables import blocks, cells, pairs
from tests.games.golden import golden
from tests.marks import by_day

from punto.games import GAMES, dumps


def answer(*arguments: str) -> Any:  # noqa: ANN401
    said = punto("settle", *arguments, "--json")
    assert (said.status, said.err) == (0, ""), said
    return json.loads(said.out)


def refusal(*arguments: str | bytes, status: int = 2) -> dict[str, Any]:
    """The refusal of a command, which must be the same in words and in JSON."""
    in_words, in_json = punto("settle", *arguments), punto("settle", *arguments, "--json")
    assert (in_words.status, in_json.status) == (status, status)
    assert (in_words.out, in_json.err) == ("", "")
    (error,) = json.loads(in_json.out).values()
    assert in_words.err == f"punto: {error['message']}\n"
    assert isinstance(error["at"], int)
    return dict(error)


def test_a_complete_deal_is_answered_whole() -> None:
    assert answer("fortune-six", "Ks 2h 5d 4c 9s") == {
        "cards": "Ks 2h 5d 4c 9s",
        "complete": True,
        "player": {"cards": ["Ks", "5d", "9s"], "total": 4},
        "banker": {"cards": ["2h", "4c"], "total": 6},
        "winner": "banker",
        "natural": False,
        "wagers": {
            "Player": _lost("EB4 3.9", "Player"),
            "Banker": {
                "result": "win", "net": "1/2", "clause": "EB4 4.2",
                "why": "Banker wins and Banker's total is 6: pays 1 to 2",
            },
            "Tie": _lost("EB4 1.1.20", "Tie"),
            "Player Pair": _lost("EB4 1.1.13", "Player Pair"),
            "Banker Pair": _lost("EB4 1.1.13", "Banker Pair"),
            "Fortune Six": {
                "result": "win", "net": "12", "clause": "EB4 4.2",
                "why": "Banker wins and Banker's total is 6 and Banker has two cards: pays 12 to 1",
            },
            "Player Dragon Bonus": _lost("EB4 1.1.10", "Player Dragon Bonus"),
            "Banker Dragon Bonus": _lost("EB4 1.1.1", "Banker Dragon Bonus"),
        },
    }  # fmt: skip


def _lost(clause: str, name: str) -> dict[str, str]:
    return {"result": "lose", "net": "-1", "clause": clause, "why": f"No pay line of {name} fits: lost"}


def test_a_push_and_a_commission_and_a_natural() -> None:
    tie = answer("baccarat", "9s Kh Kd 9c")
    assert (tie["winner"], tie["natural"]) == ("tie", True)
    assert tie["wagers"]["Banker"] == {"result": "push", "net": "0", "clause": "B8 3.15.1", "why": "It is a tie: push"}
    assert answer("baccarat", "2s 3h 4d 4c")["wagers"]["Banker"]["net"] == "19/20"


def test_a_partial_deal_says_what_is_decided() -> None:
    assert answer("baccarat", "4s kh 4d") == {
        "cards": "4s Kh 4d",
        "complete": False,
        "next": "banker",
        "outcome_established": True,
        "wagers": {
            "Player": {"result": "undecided"},
            "Banker": {"result": "undecided"},
            "Tie": {"result": "undecided"},
            "Player Pair": {"result": "won"},
            "Banker Pair": {"result": "undecided"},
        },
    }


def test_seven_up_is_given_without_the_permanent_seven_and_shows_it() -> None:
    dealt = answer("7-up", "2s Kh 4d")
    assert dealt["cards"] == "2s Kh 4d"
    assert dealt["player"] == {"cards": ["7*", "Kh"], "total": 7}
    assert answer("7-up", "7s")["next"] == "player"


def test_cards_need_no_quotes() -> None:
    assert answer("baccarat", "9s", "Kh", "Kd 9c") == answer("baccarat", "9s Kh Kd 9c")


def test_a_declared_game_is_settled_like_any_other(tmp_path: Path) -> None:
    (tmp_path / "mine.toml").write_text(dumps(GAMES["tiger"]).replace("50 to 1", "60 to 1"))
    dealt = answer(str(tmp_path / "mine.toml"), "Ks Kh 5d 2c 8s 4h")
    assert dealt["wagers"]["Big Tiger"]["net"] == "60"


def test_for_a_person_the_hands_and_the_wagers_are_drawn() -> None:
    said = punto("settle", "fortune-six", "Ks 2h 5d 4c 9s")
    assert said.status == 0
    assert "Player K♠ 5♦ 9♠ = 4" in said.out
    assert "Banker 2♥ 4♣ = 6" in said.out
    assert "Banker wins  4 : 6" in said.out
    assert "Fortune Six          win   +12   EB4 4.2" in said.out
    said = punto("settle", "fortune-six", "Ks 2h 5d", "--lang", "zh")
    assert "下一张：庄家；已有结果" in said.out
    assert "闲对    已输" in said.out
    assert punto("settle", "7-up", "2s Kh", "--lang", "en").out.startswith("Player 7★ K♥ = 7\n")


@pytest.mark.parametrize(
    ("key", "cards"), [("fortune-six", "Ks 2h 5d 4c 9s"), ("baccarat", "9s Kh Kd 9c"), ("7-up", "2s Kh 4d")]
)
def test_every_wager_has_its_own_result_net_clause_and_reason(key: str, cards: str) -> None:
    found = answer(key, cards)
    _, drawn = blocks(punto("settle", key, cards, COLUMNS="200").out)
    assert cells(drawn) == [
        [name, each["result"], signed(each["net"]), each["clause"], each["why"]]
        for name, each in found["wagers"].items()
    ]


def signed(net: str) -> str:
    return net if net in {"0", "-1"} else f"+{net}"


def test_every_wager_stands_as_the_cards_so_far_leave_it() -> None:
    said = {"won": "won already", "lost": "lost already", "undecided": "undecided"}
    for cards in ("4s kh 4d", "Ks 2h 5d", "9s Kh"):
        found = answer("baccarat", cards)["wagers"]
        assert pairs(punto("settle", "baccarat", cards).out, "Player") == {
            name: said[each["result"]] for name, each in found.items()
        }


@pytest.mark.parametrize(
    ("arguments", "code", "at", "message"),
    [
        (["tigger", "As"], "unknown-game", 1, "argument 1: 'tigger' is not a game: expected baccarat, "),
        (["", "As"], "unknown-game", 1, "argument 1: '' is not a game: expected baccarat, "),
        (
            ["tiger", "As Xx"],
            "unknown-card",
            2,
            "card 2: 'Xx' is not a card: expected a rank A 2-9 T J Q K followed by",
        ),
        (["tiger", "As Kd 4g"], "foreign-card", 3, "card 3: '4g' is not in the standard deck: expected a rank "),
        (["fa-fa-fabulous-4", "As"], "foreign-card", 1, "card 1: 'As' is not in the elements deck: expected a rank "),
        (
            ["7-up", "As 7*"],
            "foreign-card",
            2,
            "card 2: '7*' is the permanent 7, which is never dealt: expected a rank ",
        ),
        (["tiger", ""], "no-cards", 1, "card 1 is missing: expected the cards of tiger in the order dealt"),
        (["tiger", "  "], "no-cards", 1, "card 1 is missing: expected the cards of tiger in the order dealt"),
        (["tiger", "9s Kh Kd 9c 2s"], "surplus-card", 5, "card 5: 2s is one too many: expected no card after card 4"),
        (
            ["tiger", "As As As As As 4h", "--decks", "4"],
            "too-many-copies",
            5,
            "card 5: As comes 5 times: expected at most 4",
        ),
        (["tiger", "As", "--decks", "3"], "bad-decks", 1, "3 decks: expected 4 to 10"),
        (
            ["tiger", "As", "--decks", "eight"],
            "bad-usage",
            1,
            "--decks: 'eight' is no number: expected 4 to 10",
        ),
        (["tiger", "As", "--lang", "fr"], "bad-usage", 1, "--lang: 'fr' is not a language: expected en or zh"),
        (["tiger"], "bad-usage", 1, "settle: expected either CARDS or --batch FILE"),
        (["tiger", "As", "--batch", "-"], "bad-usage", 1, "settle: expected either CARDS or --batch FILE"),
        ([], "bad-usage", 1, "Missing argument 'GAME': expected punto settle [OPTIONS] GAME [CARDS]"),
        (["tiger", "As", "Xd"], "unknown-card", 2, "card 2: 'Xd' is not a card: expected a rank "),
        (["tiger", "As", "--wat"], "bad-usage", 1, "No such option '--wat'"),
        (
            ["nowhere.toml", "As"],
            "unreadable-file",
            1,
            "nowhere.toml: cannot be read: No such file or directory: expected a text",
        ),
        (
            ["tests.toml", "As"],
            "unreadable-file",
            1,
            "tests.toml: cannot be read: Is a directory: expected a text file",
        ),
    ],
)
def test_bad_input_is_refused_in_one_line(
    arguments: list[str], code: str, at: int, message: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "tests.toml").mkdir()
    error = refusal(*arguments)
    assert (error["code"], error["at"]) == (code, at)
    assert error["message"].startswith(message)


def test_arguments_that_are_not_text_are_refused_too() -> None:
    assert refusal("tiger", b"As \xff\xfe")["code"] == "unknown-card"
    assert refusal(b"\xff", "As")["code"] == "unknown-game"
    assert refusal("tiger", "As \x1b[31mKd")["message"].startswith("card 2: '\\x1b[31mKd' is not a card")
    assert refusal("tiger", "As\nXX")["at"] == 2


def test_a_bad_declaration_is_shown_at_its_place(tmp_path: Path) -> None:
    path = tmp_path / "mine.toml"
    path.write_text(dumps(GAMES["tiger"]).replace("banker total 6", "banker total 66", 1))
    error = refusal(str(path), "As")
    assert (error["code"], error["at"], error["column"]) == ("bad-declaration", 39, 44)
    assert error["message"].startswith(f"{path}: line 39, column 44: 'banker total' cannot be '66': expected 0 1")


@pytest.mark.parametrize(
    ("content", "at", "message"),
    [
        (b"key = \0", 7, "byte 7 is NUL, a binary file: expected text"),
        (b"abc \xff", 5, "byte 5 is not UTF-8: expected text"),
    ],
)
def test_a_binary_file_is_no_declaration_and_no_batch(content: bytes, at: int, message: str, tmp_path: Path) -> None:
    path = tmp_path / "binary.toml"
    path.write_bytes(content)
    for arguments in ([str(path), "As"], ["tiger", "--batch", str(path)]):
        error = refusal(*arguments)
        assert (error["code"], error["at"], error["message"]) == ("unreadable-file", at, f"{path}: {message}")


def test_an_unreadable_batch_is_refused(tmp_path: Path) -> None:
    assert refusal("tiger", "--batch", str(tmp_path / "none"))["code"] == "unreadable-file"
    assert refusal("tiger", "--batch", str(tmp_path))["code"] == "unreadable-file"


def test_a_batch_answers_line_by_line() -> None:
    lines = ["9s Kh Kd 9c", "", "  ", "9s Xx", "As", "9s Kh Kd 9c 2s", "\xff", "9s Kh Kd 8c"]
    said = punto("settle", "tiger", "--batch", "-", stdin="\n".join(lines).encode("latin-1"))
    assert (said.status, said.err) == (1, "")
    answers = [json.loads(line) for line in said.out.splitlines()]
    assert [each.get("winner", each.get("next")) for each in answers if "error" not in each] == [
        "tie",
        "banker",
        "player",
    ]
    errors = [each["error"] for each in answers if "error" in each]
    assert [(error["code"], error["at"]) for error in errors] == [
        ("unknown-card", 2), ("surplus-card", 5), ("unreadable-file", 1),
    ]  # fmt: skip
    assert errors[0]["message"].startswith("line 4: card 2: 'Xx' is not a card: expected ")
    assert list(errors[0]) == ["code", "message", "at"]


@pytest.mark.parametrize("key", GAMES)
def test_a_batch_gives_the_golden_nets(key: str, tmp_path: Path) -> None:
    deals = golden(key)
    path = tmp_path / "deals"
    path.write_text("\ufeff" + "\r\n".join(deal.cards for deal in deals))
    said = punto("settle", key, "--batch", str(path))
    assert (said.status, said.err) == (0, "")
    nets = [{name: w["net"] for name, w in json.loads(line)["wagers"].items()} for line in said.out.splitlines()]
    assert nets == [{name: str(net) for name, net in deal.nets.items()} for deal in deals]


def test_a_batch_of_nothing_is_answered_with_nothing() -> None:
    assert punto("settle", "tiger", "--batch", "-") == (0, "", "")


def test_a_line_without_end_is_refused_and_the_next_is_answered() -> None:
    said = punto("settle", "tiger", "--batch", "-", stdin=b"As " * 1_000_000 + b"\n9s Kh Kd 9c\n")
    first, second = [json.loads(line) for line in said.out.splitlines()]
    assert (said.status, first["error"]["code"], second["winner"]) == (1, "long-line", "tie")


@pytest.mark.parametrize("line", ["A" * 70_000, "As Kd 4h 9c " + "x" * 70_000, "As Kd 4h 9c" + " " * 70_000 + "zz"])
def test_a_line_too_long_is_neither_dropped_nor_cut(line: str) -> None:
    said = punto("settle", "tiger", "--batch", "-", stdin=f"9s Kh Kd 9c\n{line}\n9s Kh Kd 8c".encode())
    answers = [json.loads(each) for each in said.out.splitlines()]
    assert (said.status, len(answers)) == (1, 3)
    assert answers[1]["error"]["message"] == "line 2: longer than 65,536 bytes: expected the cards of one deal"


def test_space_of_any_kind_is_blank_and_does_no_harm() -> None:
    said = punto("settle", "tiger", "--batch", "-", stdin=("\u00a0\u2028\n" + " " * 5000 + "9s\tKh  Kd 9c\n").encode())
    assert (said.status, said.out.count("\n")) == (0, 1)


def test_one_bad_byte_spoils_one_line_even_the_first() -> None:
    said = punto("settle", "tiger", "--batch", "-", stdin=b"\xff\xfe\n9s Kh Kd 9c\n")
    first, second = [json.loads(each) for each in said.out.splitlines()]
    assert (said.status, first["error"]["code"], second["winner"]) == (1, "unreadable-file", "tie")
    said = punto("settle", "tiger", "--batch", "-", stdin=("金" * 30_000).encode())
    assert (said.status, json.loads(said.out)["error"]["code"]) == (1, "long-line")


SHELL = f"{shlex.quote(sys.executable)} -m punto"


CLOSED = [
    ("settle tiger 9s --json >&-", 0),
    ("settle tiger xx --json >&-", 2),
    ("settle tiger xx 2>&-", 2),
    ("games >&-", 0),
    ("settle tiger --batch - <&-", 0),
    ("play <&-", 0),
]
BROKEN = [
    ("settle tiger xx --json >/dev/full", 2),
    ("settle tiger xx 2>/dev/full", 2),
    ("settle tiger 9s --json >/dev/full", 74),
    ("settle tiger xx --json | true; exit ${PIPESTATUS[0]}", 2),
    ("games | true; exit ${PIPESTATUS[0]}", 0),
    ("roads BPBP | true; exit ${PIPESTATUS[0]}", 0),
]


@pytest.mark.parametrize(
    ("command", "status", "unbuffered"),
    # A closed stream has no buffer.
    by_day(
        [(*case, "") for case in CLOSED + BROKEN] + [(*case, "1") for case in BROKEN],
        [(*case, "") for case in CLOSED + BROKEN] + [(*case, "1") for case in BROKEN[1:4]],
    ),
)
def test_closed_full_and_broken_streams_leave_no_traceback(command: str, status: int, unbuffered: str) -> None:
    told = environment(PYTHONUNBUFFERED=unbuffered)
    done = run(["bash", "-c", f"{SHELL} {command}"], capture_output=True, env=told)
    assert (done.returncode, b"Traceback" in done.stderr, b"ignored" in done.stderr) == (status, False, False)


def test_a_reader_that_goes_away_is_no_error(tmp_path: Path) -> None:
    path = tmp_path / "deals"
    path.write_text("9s Kh Kd 9c\n" * 50_000)
    command = [*PUNTO, "settle", "tiger", "--batch", str(path)]
    with spawn(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment()) as process:
        assert process.stdout
        assert process.stderr
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == b""
    assert process.returncode == 0
