"""`punto simulate`: the same answer whoever deals, interruptions that lose nothing, and one line for what is wrong."""

import csv
import io
import json
import os
import pty
import re
import select
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from fractions import Fraction
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from tests.children import spawn
from tests.cli import shell
from tests.cli.shell import PUNTO, Punto, Said, answer, environment, process, refusal
from tests.cli.tables import figure, figures, pairs, table
from tests.marks import KINDS, by_day
from tests.store.disks import unwritable
from tests.width import width

from punto.games import GAMES, digest, dumps, loads
from punto.lab import simulate
from punto.lab.simulation import Stream
from punto.rules import Winner

WAGER = ("exact edge", "simulated", "z", "χ²", "freedom", "by chance")
LINE = ("net", "rounds", "share", "exact", "z")
LAST_SEED = 2**64 - 1
DEALT = re.compile(r"[1-9][0-9,]* rounds")
RATE = re.compile(r"[0-9,.]+( M)?/s")  # a slow machine deals less than a million a second


@pytest.fixture
def punto(tmp_path: Path) -> Punto:
    """The command in an empty folder and on a screen of 80 columns."""
    return partial(shell.punto, "simulate", cwd=tmp_path, COLUMNS="80")


class UnderWay:
    """A simulation as a process of its own, whose progress goes to a terminal."""

    def __init__(self, folder: Path, *arguments: str) -> None:
        self._screen, screen = pty.openpty()
        self._out = tempfile.TemporaryFile()  # noqa: SIM115
        self._shown = b""
        self.process = spawn(
            [*PUNTO, "simulate", *arguments],
            cwd=folder,
            stdin=subprocess.DEVNULL,
            stdout=self._out,
            stderr=screen,
            start_new_session=True,
            env=environment(PYTHONUTF8="1", TERM="xterm"),
        )
        os.close(screen)

    @property
    def shown(self) -> str:
        """What has come to the terminal, without what moves its cursor."""
        return re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", self._shown.decode(errors="replace")).replace("\r", "\n")

    def until(self, pattern: re.Pattern[str], patience_s: float = 90) -> None:
        """Wait until the terminal shows something."""
        end = time.monotonic() + patience_s
        while not pattern.search(self.shown):
            assert self._look(end), self.shown

    def over(self, patience_s: float = 60) -> Said:
        """Wait for the end; nothing stays behind."""
        end = time.monotonic() + patience_s
        while self._look(end):
            pass
        status = self.process.wait(max(1.0, end - time.monotonic()))
        self._out.seek(0)
        return Said(status, self._out.read().decode(), self.shown)

    def close(self) -> None:
        """End it, if it has not ended."""
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        os.close(self._screen)
        self._out.close()

    def _look(self, end: float) -> bool:
        ready, _, _ = select.select([self._screen], [], [], max(0.0, end - time.monotonic()))
        try:
            more = os.read(self._screen, 1 << 16) if ready else b""
        except OSError:  # nobody writes to the terminal any more
            more = b""
        self._shown += more
        return bool(more)


@contextmanager
def under_way(folder: Path, *arguments: str) -> Iterator[UnderWay]:
    begun = UnderWay(folder, *arguments)
    try:
        yield begun
    finally:
        begun.close()


def rounds_in(text: str) -> int:
    """The number of rounds that a line names."""
    found = re.search(r"([0-9,]+) rounds", text)
    assert found, text
    return int(found[1].replace(",", ""))


# --- for a program -----------------------------------------


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_every_figure_is_that_of_the_lab(key: str, punto: Punto) -> None:
    found = answer(punto, key, "--rounds", "30000", "--seed", "4", "--decks", "6", "--cut", "20")
    seen = simulate(GAMES[key], 30_000, decks=6, cut=20, seed=4)
    assert [found[name] for name in ("game", "digest", "decks", "cut", "seed", "rounds")] == (
        [key, digest(GAMES[key]), 6, 20, 4, 30_000]
    )
    assert found["shoes"] == sum(seen.rounds_per_shoe.values())
    assert list(found["wagers"]) == [wager.name for wager in GAMES[key].wagers]
    for name, wager in seen.wagers.items():
        said = found["wagers"][name]
        assert Fraction(said["ev"]) == wager.ev
        assert [said["edge"], said["exact_edge"], said["z"]] == [-float(wager.ev), -float(wager.expected), wager.z]
        assert tuple(said["chi_square"].values()) == wager.chi_square
        assert list(said["chi_square"]) == ["value", "freedom", "p"]
        assert [(Fraction(line["net"]), line["count"], line["z"]) for line in said["lines"]] == [
            (each.line.net, each.seen, each.z) for each in wager.lines
        ]
        assert sum(line["count"] for line in said["lines"]) == 30_000
    assert found["cards_per_round"] == {str(cards): n for cards, n in seen.cards_per_round.items()}
    assert found["rounds_per_shoe"] == {str(rounds): n for rounds, n in seen.rounds_per_shoe.items()}
    assert found["streaks"] == {
        winner.value: {str(length): n for length, n in seen.streaks[winner].items()}
        for winner in (Winner.PLAYER, Winner.BANKER)
    }


def test_the_joint_counts_give_every_wager_and_every_pair_of_them(punto: Punto) -> None:
    found = answer(punto, "fortune-six", "--rounds", "50000", "--seed", "4")
    joint, wagers = found["joint"], found["wagers"]
    assert sum(cell["count"] for cell in joint) == 50_000
    assert all(len(cell["nets"]) == len(wagers) for cell in joint)
    assert {cell["cards"] for cell in joint} == {4, 5, 6}
    for place, (name, wager) in enumerate(wagers.items()):
        nets: dict[str, int] = {}
        for cell in joint:
            nets[cell["nets"][place]] = nets.get(cell["nets"][place], 0) + cell["count"]
        lines: dict[str, int] = {}
        for line in wager["lines"]:
            lines[line["net"]] = lines.get(line["net"], 0) + line["count"]
        assert nets == lines, name
    # Both main wagers push on a tie, and on nothing else.
    player, banker, tie = (list(wagers).index(name) for name in ("Player", "Banker", "Tie"))
    for cell in joint:
        assert (cell["nets"][player] == "0") == (cell["nets"][banker] == "0") == (cell["nets"][tie] == "8")


def test_a_declared_game_is_simulated_from_its_file(punto: Punto, tmp_path: Path) -> None:
    declared = tmp_path / "mine.toml"
    declared.write_text(dumps(GAMES["7-up"]).replace("17 to 1", "20 to 1"), encoding="utf-8")
    found = answer(punto, str(declared), "--rounds", "1000", "--seed", "4")
    assert found["digest"] == digest(loads(declared.read_text(encoding="utf-8"))) != digest(GAMES["7-up"])
    assert sum(found["cards_per_round"].values()) == 1000
    # Another declaration has other shoes for the same seed.
    assert found["cards_per_round"] != answer(punto, "7-up", "--rounds", "1000", "--seed", "4")["cards_per_round"]


@pytest.mark.parametrize(
    ("text", "rounds"),
    [("1e6", 10**6), ("1000000", 10**6), ("1.5e3", 1_500), ("1E3", 1_000), ("1", 1), ("2e0", 2), ("12300e-2", 123)],
)
def test_rounds_can_be_written_with_a_power_of_ten(text: str, rounds: int, punto: Punto) -> None:
    assert answer(punto, "7-up", "--rounds", text, "--seed", "1")["rounds"] == rounds


def test_the_answer_is_the_same_bytes_with_one_worker_and_with_more(punto: Punto) -> None:
    asked = ("tiger", "--rounds", width("2.8e6", "2e7"), "--seed", str(LAST_SEED))  # two blocks and part of a third
    for form in ("--json", "--csv"):
        one, two, eight = (punto(*asked, form, "--workers", workers) for workers in ("1", "2", "8"))
        assert one == two == eight
        assert (one.status, one.err) == (0, "")
    assert process("simulate", *asked, "--json", "--workers", "2") == punto(*asked, "--json")


def test_without_a_seed_the_shoes_are_different_every_time_and_the_seed_is_said(punto: Punto) -> None:
    one, two = (answer(punto, "tiger", "--rounds", "2000") for _ in range(2))
    assert one["seed"] != two["seed"]
    assert one["joint"] != two["joint"]
    assert answer(punto, "tiger", "--rounds", "2000", "--seed", str(one["seed"])) == one


def test_nothing_is_written_where_nothing_was_asked_to_be_kept(punto: Punto, tmp_path: Path) -> None:
    answer(punto, "tiger", "--rounds", "2e6")
    assert list(tmp_path.iterdir()) == []


# --- for a spreadsheet, for a person -----------------------------------------


def test_csv_has_a_line_for_every_pay_line(punto: Punto) -> None:
    said = punto("tiger", "--rounds", "1e4", "--seed", "3", "--csv")
    rows = list(csv.DictReader(io.StringIO(said.out)))
    assert list(rows[0]) == ["game", "rounds", "wager", "net", "count", "share", "probability", "z"]
    lines = [
        (name, line)
        for name, wager in answer(punto, "tiger", "--rounds", "1e4", "--seed", "3")["wagers"].items()
        for line in wager["lines"]
    ]
    assert [(row["wager"], int(row["count"]), float(row["z"])) for row in rows] == [
        (name, line["count"], line["z"]) for name, line in lines
    ]
    assert {(row["game"], row["rounds"]) for row in rows} == {("tiger", "10000")}


@pytest.mark.parametrize("key", by_day(GAMES, KINDS))
def test_a_person_sees_every_figure_in_its_place_on_eighty_columns(key: str, punto: Punto) -> None:
    asked = (key, "--rounds", "2e6", "--seed", "3", "--cut", "0", "--decks", "10", "--workers", "2")
    said, found = punto(*asked), answer(punto, *asked)
    assert (said.status, said.err) == (0, "")
    assert "…" not in said.out
    assert all(cell_len(line) <= 80 for line in said.out.splitlines())
    assert "2,000,000 rounds" in said.out
    assert "10 decks, 0 cards behind the cutting card" in said.out
    shown = {row["wager"]: [figure(row[heading]) for heading in WAGER] for row in table(said.out, "wager", *WAGER)}
    assert {name: _of_wager(wager) for name, wager in found["wagers"].items()} == shown
    lines = table(said.out, "pay line", *LINE)
    assert [row.pop("pay line") for row in lines] == [
        "" if place else name for name, wager in found["wagers"].items() for place, _ in enumerate(wager["lines"])
    ]
    assert [
        [float(Fraction(line["net"])), line["count"], line["share"], line["probability"], line["z"]]
        for wager in found["wagers"].values()
        for line in wager["lines"]
    ] == [list(map(figure, row.values())) for row in lines]
    assert {name: figures(beside) for name, beside in pairs(said.out, "cards in a round").items()} == _of_shoes(found)


def _of_wager(wager: dict[str, Any]) -> list[float]:
    return [wager["exact_edge"], wager["edge"], wager["z"], *wager["chi_square"].values()]


def _of_shoes(found: dict[str, Any]) -> dict[str, list[float]]:
    """The figures of cards, rounds and runs, in the order in which they are shown."""
    cards, shoes = _numbers(found["cards_per_round"]), _numbers(found["rounds_per_shoe"])
    shares = {number: times / found["rounds"] for number, times in cards.items()}
    wanted = {
        "cards in a round": [_mean(cards), *chain.from_iterable(shares.items())],
        "rounds in a shoe": [_mean(shoes), min(shoes), max(shoes)],
    }
    for side in ("player", "banker"):
        runs = _numbers(found["streaks"][side])
        shares = {length: runs[length] / sum(runs.values()) for length in range(1, 7)}
        wanted[f"runs of {side}"] = [*chain.from_iterable(shares.items()), max(runs)]
    return wanted


def _numbers(counts: dict[str, int]) -> dict[int, int]:
    return {int(number): times for number, times in counts.items()}


def _mean(counts: dict[int, int]) -> float:
    return sum(number * times for number, times in counts.items()) / sum(counts.values())


def test_the_exact_edge_is_that_of_the_odds_and_the_other_is_that_of_the_rounds(punto: Punto) -> None:
    exact = json.loads(shell.punto("odds", "7-up", "--json").out)["wagers"]
    said = punto("7-up", "--rounds", "3000", "--seed", "4").out
    for row in table(said, "wager", *WAGER):
        assert exact[row["wager"]]["edge"] == figure(row["exact edge"])
    name, lost = "", dict.fromkeys(exact, 0.0)
    for row in table(said, "pay line", *LINE):
        name = row["pay line"] or name
        lost[name] -= figure(row["net"]).expected * figure(row["rounds"]).expected / 3000
    assert lost == {row["wager"]: figure(row["simulated"]) for row in table(said, "wager", *WAGER)}


def test_a_person_is_told_of_a_few_rounds_too(punto: Punto) -> None:
    said = punto("7-up", "--rounds", "1", "--seed", "3")
    assert (said.status, said.err) == (0, "")
    assert "1 rounds, 0 whole shoes" in said.out
    assert "rounds in a shoe" not in said.out


# --- going on -----------------------------------------


def test_a_file_to_go_on_from_is_made_and_gone_on_from(punto: Punto, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    first = answer(punto, "tiger", "--rounds", "3e6", "--seed", "6", "--resume", str(kept))
    assert first == answer(punto, "tiger", "--rounds", "3e6", "--seed", "6")
    content = json.loads(kept.read_bytes())
    assert (content["seed"], content["blocks"]) == (6, 2)
    # The seed is that of the file when none is given.
    more = answer(punto, "tiger", "--rounds", "7e6", "--resume", str(kept), "--workers", "2")
    assert more == answer(punto, "tiger", "--rounds", "7e6", "--seed", "6")
    assert json.loads(kept.read_bytes())["blocks"] == 5
    assert [path.name for path in tmp_path.iterdir()] == ["kept.json"]


@pytest.fixture(scope="module")
def tiger_6(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """The file of a simulation of Tiger with seed 6."""
    kept = tmp_path_factory.mktemp("tiger") / "kept.json"
    said = shell.punto("simulate", "tiger", "--rounds", "3e6", "--seed", "6", "--resume", str(kept))
    assert (said.status, said.err) == (0, "")
    return kept.read_bytes()


def test_a_file_goes_on_only_with_more_rounds_than_it_has(punto: Punto, tmp_path: Path, tiger_6: bytes) -> None:
    kept = tmp_path / "kept.json"
    kept.write_bytes(tiger_6)
    before = kept.read_bytes()
    error = refusal(punto, "tiger", "--rounds", "2e6", "--resume", str(kept))
    assert error["code"] == "bad-rounds"
    assert "are dealt already" in error["message"]
    assert kept.read_bytes() == before


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("7-up", "--rounds", "9e6"), "another declaration of the game"),
        (("tiger", "--rounds", "9e6", "--decks", "6"), "other decks"),
        (("tiger", "--rounds", "9e6", "--cut", "15"), "another cut"),
        (("tiger", "--rounds", "9e6", "--seed", "7"), "another seed"),
    ],
)
def test_another_simulation_does_not_go_on_from_a_file(
    arguments: tuple[str, ...], reason: str, punto: Punto, tmp_path: Path, tiger_6: bytes
) -> None:
    kept = tmp_path / "kept.json"
    kept.write_bytes(tiger_6)
    before = kept.read_bytes()
    error = refusal(punto, *arguments, "--resume", str(kept))
    assert error["code"] == "bad-tally"
    assert reason in error["message"]
    assert kept.read_bytes() == before


FOREIGN = {
    "a text": b"These are not the counts you are looking for.\n",
    "nothing": b"",
    "another JSON": b'{"game": "7-up"}',
    "a seed beyond all bounds": b'{"seed": 99999999999999999999999}',
    "a negative seed": b'{"seed": -1}',
    "binary": bytes(range(256)),
    "text that is not UTF-8": b'{"format": "\xff\xfe"}',
    "a seed in what is not UTF-8": b'{"seed": 5, "format": "\xff\xfe"}',
    "deep": b'{"format": ' + b"[" * 100_000,
}


@pytest.mark.parametrize("name", FOREIGN)
def test_a_foreign_file_is_refused_and_left_alone(name: str, punto: Punto, tmp_path: Path) -> None:
    foreign = tmp_path / "foreign.json"
    foreign.write_bytes(FOREIGN[name])
    for seed in ((), ("--seed", "5")):
        assert refusal(punto, "7-up", "--rounds", "10", "--resume", str(foreign), *seed)["code"] == "bad-tally"
    assert foreign.read_bytes() == FOREIGN[name]
    assert [path.name for path in tmp_path.iterdir()] == ["foreign.json"]


# --- interrupted -----------------------------------------


def test_ctrl_c_keeps_what_is_dealt_and_it_is_gone_on_from_as_if_nothing_had_happened(tmp_path: Path) -> None:
    with under_way(tmp_path, "fortune-six", "--rounds", "1e12", "--seed", "5", "--json", "--workers", "2") as begun:
        begun.until(DEALT)
        assert RATE.search(begun.shown)
        begun.process.send_signal(signal.SIGINT)
        said = begun.over()
    assert said.status == 130
    assert "Traceback" not in said.err
    told = re.search(r"punto: interrupted after [0-9,]+ rounds; go on with --resume (\S+)", said.err)
    assert told
    assert told[1] == "punto-fortune-six-5.json"
    assert [path.name for path in tmp_path.iterdir()] == ["punto-fortune-six-5.json"]
    # The answer is that of the rounds dealt so far.
    kept = json.loads((tmp_path / told[1]).read_bytes())
    assert json.loads(said.out)["rounds"] == rounds_in(told[0]) == kept["rounds"] > 0
    rounds = str(kept["rounds"] + 2_000)
    resumed = process("simulate", "fortune-six", "--rounds", rounds, "--json", "--resume", told[1], cwd=tmp_path)
    whole = shell.punto("simulate", "fortune-six", "--rounds", rounds, "--json", "--seed", "5")
    assert resumed == whole
    assert (whole.status, whole.err) == (0, "")


@pytest.mark.nightly
def test_ctrl_c_keeps_what_is_dealt_where_it_was_asked_to(tmp_path: Path) -> None:
    asked = ("7-up", "--rounds", "1e12", "--seed", "5", "--resume", "mine.json")
    with under_way(tmp_path, *asked) as begun:
        begun.until(DEALT)
        os.killpg(begun.process.pid, signal.SIGINT)
        said = begun.over()
    assert said.status == 130
    assert "go on with --resume mine.json" in said.err
    assert "7 Up Baccarat" in said.out
    before = json.loads((tmp_path / "mine.json").read_bytes())
    # It goes on from there, and is interrupted again.
    with under_way(tmp_path, *asked, "--csv") as begun:
        begun.until(DEALT)
        begun.process.send_signal(signal.SIGINT)
        said = begun.over()
    assert (said.status, said.out.partition(",")[0]) == (130, "game")
    assert json.loads((tmp_path / "mine.json").read_bytes())["rounds"] >= before["rounds"]
    assert [path.name for path in tmp_path.iterdir()] == ["mine.json"]


def test_progress_is_shown_on_a_terminal_only(tmp_path: Path) -> None:
    asked = ("tiger", "--rounds", "1e7", "--seed", "5", "--json")
    with under_way(tmp_path, *asked) as begun:
        on_terminal = begun.over()
    assert on_terminal.status == 0
    assert DEALT.search(on_terminal.err)
    assert RATE.search(on_terminal.err)
    elsewhere = shell.punto("simulate", *asked, cwd=tmp_path)
    assert (elsewhere.status, elsewhere.err) == (0, "")
    assert elsewhere.out == on_terminal.out


# --- what is wrong -----------------------------------------


NO_ROUNDS = (
    *("x", "1e16", "-5", "0", "1/2", "1e400", "9" * 50, "", "1e", "1.5", "nan", "inf", "1e-1", "4/2", "0x10"),
    *("1000000000000001", "1e99999999", "1e1e1", "e5"),
)


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        *((("tiger", "--rounds", rounds), "bad-rounds") for rounds in NO_ROUNDS),
        (("tiger", "--rounds", "10", "--cut", "416"), "bad-cut"),
        (("tiger", "--rounds", "10", "--cut", "-1"), "bad-cut"),
        (("tiger", "--rounds", "10", "--cut", "x"), "bad-usage"),
        (("tiger", "--rounds", "10", "--decks", "3"), "bad-decks"),
        (("tiger", "--rounds", "10", "--decks", "11"), "bad-decks"),
        (("tiger", "--rounds", "10", "--workers", "0"), "bad-usage"),
        (("tiger", "--rounds", "10", "--workers", "-1"), "bad-usage"),
        (("tiger", "--rounds", "10", "--workers", "1025"), "bad-usage"),
        (("tiger", "--rounds", "10", "--workers", "two"), "bad-usage"),
        (("tiger", "--rounds", "10", "--seed", "-1"), "bad-usage"),
        (("tiger", "--rounds", "10", "--seed", str(2**64)), "bad-usage"),
        (("tiger", "--rounds", "10", "--seed", "0.5"), "bad-usage"),
        (("tiger", "--rounds", "10", "--resume", "no/such/kept.json"), "unwritable-file"),
        (("tiger", "--rounds", "10", "--resume", "."), "unwritable-file"),
        (("tiger", "--rounds", "10", "--resume", ""), "unwritable-file"),
        (("tiger", "--rounds", "10", "--resume", "k" * 300), "unwritable-file"),
        (("lion", "--rounds", "10"), "unknown-game"),
        (("none.toml", "--rounds", "10"), "unreadable-file"),
        (("tiger",), "bad-usage"),
        (("--rounds", "10"), "bad-usage"),
        (("tiger", "--rounds", "10", "--csv", "--json"), "bad-usage"),
    ],
)
def test_what_cannot_be_simulated_is_said_in_one_line_and_nothing_is_written(
    arguments: tuple[str, ...], code: str, punto: Punto, tmp_path: Path
) -> None:
    if "--json" in arguments:
        said = punto(*arguments)
        assert (said.status, said.err, said.out.count("\n")) == (2, "", 1)
        assert json.loads(said.out)["error"]["code"] == code
    else:
        error = refusal(punto, *arguments)
        assert error["code"] == code
        assert "expected" in error["message"]
        assert len(error["message"]) < 400
    assert list(tmp_path.iterdir()) == []


def test_a_file_that_cannot_be_written_is_refused_before_anything_is_dealt(
    punto: Punto, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def deal(*_: object) -> None:
        raise AssertionError("a round was dealt")

    monkeypatch.setattr(Stream, "deal", deal)
    folder = tmp_path / "kept"
    folder.mkdir()
    with unwritable(folder):
        said = punto("tiger", "--rounds", "10", "--resume", str(folder / "kept.json"))
    assert (said.status, said.out, said.err.count("\n")) == (2, "", 1)
    assert "cannot be written" in said.err
