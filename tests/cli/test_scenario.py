"""`punto scenario`: a file line by line, a folder scenario by scenario, and nothing that breaks it."""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from tests.cli.shell import Said, punto, refusal
from tests.marks import ROOT

OPEN = {"by": "pit-manager", "do": "open-table", "setup": {"game": "baccarat"}}
LOAD = {"by": "dealer", "do": "load-shoe"}
BETS = {"by": "dealer", "do": "open-bets"}
CLOSE = {"by": "dealer", "do": "close-bets"}
REFUSED = "expected to be accepted, was refused with out-of-turn: bets cannot open in phase change-of-shoe"


def write(path: Path, *lines: dict[str, Any]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines))
    return path


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Scenarios that go as written, that do not, and that cannot be read."""
    write(tmp_path / "a" / "good.jsonl", {"scenario": "Bets open", "under": ["B8", "TNC5"]}, OPEN | {"setup": {}})
    write(tmp_path / "bad.jsonl", OPEN, BETS, BETS)
    write(tmp_path / "half.jsonl", {"scenario": "x", "under": ["B8", "FF2"], "clauses": ["5.18"]}, OPEN | {"setup": {}})
    (tmp_path / "empty.jsonl").write_text("")
    (tmp_path / "binary.jsonl").write_bytes(b"\x00\xff")
    (tmp_path / "latin.jsonl").write_bytes(b"\xe9")
    (tmp_path / "folder.jsonl").mkdir()
    (tmp_path / "nowhere.jsonl").symlink_to("nothing")
    (tmp_path / "round").symlink_to(tmp_path)
    os.mkfifo(tmp_path / "pipe.jsonl")
    (tmp_path / "notes.txt").write_text("no scenario")
    return tmp_path


# A file


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ({"expect": ["shoe-loadd"]}, "expect: 'shoe-loadd' is no event: expected one of areas-restricted, attested, "),
        ({"expect": [{"type": "x"}]}, "expect: 'x' is no event: expected one of areas-restricted, attested, "),
        ({"refused": "no-such-code"}, "refused: 'no-such-code' is no code: expected one of altered-schema, "),
    ],
)
def test_an_event_or_a_code_that_there_is_not_is_answered_with_those_there_are(
    tmp_path: Path, line: dict[str, Any], said: str
) -> None:
    write(tmp_path / "s.jsonl", OPEN, LOAD | line)
    assert punto("scenario", "s.jsonl", cwd=tmp_path).err.startswith(f"punto: line 2: {said}")


def test_a_value_of_the_wrong_type_is_told_in_plain_words(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", OPEN, {"by": "dealer", "do": "report-interruption", "terminals": ["one"]})
    assert "terminals[0]: expected a whole number, not text" in " ".join(
        punto("scenario", "s.jsonl", cwd=tmp_path).out.split()
    )


def test_a_rulebook_is_named_in_any_case(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", {"scenario": "x", "under": ["B8", "TNC5"]}, OPEN | {"setup": {}})
    for path in ("s.jsonl", "."):
        said = punto("scenario", path, "--under", "tnc5", cwd=tmp_path)
        assert (said.status, "B8" in said.out) == (0, False)


def test_a_refused_line_fails_unless_it_says_so(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", OPEN, BETS)
    said = punto("scenario", "s.jsonl", cwd=tmp_path)
    assert said.status == 1
    assert (
        "      otherwise than written: expected to be accepted, was refused with out-of-turn: bets cannot" in said.out
    )
    assert said.out.count("out-of-turn") == 1, "the refusal is told once"
    assert said.out.endswith("\notherwise than written: line 2\n\n")
    write(tmp_path / "s.jsonl", OPEN, BETS | {"refused": "out-of-turn"})
    said = punto("scenario", "s.jsonl", cwd=tmp_path)
    assert said.status == 0
    assert "      refused: out-of-turn  bets cannot open in phase change-of-shoe\n" in said.out
    assert said.out.endswith("\nas written\n\n")


def test_what_was_drawn_before_a_refused_card_is_shown(tmp_path: Path) -> None:
    write(tmp_path / "s.jsonl", OPEN, LOAD, BETS, CLOSE, {"by": "dealer", "draw": "K♠ 2h 4g 5d"})
    said = punto("scenario", "s.jsonl", cwd=tmp_path, COLUMNS="200")
    shown = said.out.splitlines()
    start = shown.index(f"   5  {'dealer':<26} draw-card  K♠ 2h 4g 5d")
    assert shown[start + 1 : start + 3] == [
        "      card-drawn  card Ks, side player, face up",
        "      card-drawn  card 2h, side banker, face up",
    ]
    wrong = (
        "otherwise than written: expected to be accepted, was refused with foreign-card: card 3 of 4, 4g: '4g' is not"
    )
    assert wrong in shown[start + 3]
    last = json.loads(punto("scenario", "s.jsonl", "--json", cwd=tmp_path).out.splitlines()[-1])
    assert [event["card"] for event in last["events"]] == ["Ks", "2h"]
    assert (last["error"]["code"], last["error"]["at"]) == ("foreign-card", 3)
    assert last["error"]["message"].startswith("card 3 of 4, 4g: ")


def test_mistakes_in_the_heading_are_told_with_its_line(tmp_path: Path) -> None:
    heading = {"scenario": "x", "clauses": ["9.9"], "readings": [999], "under": ["B8"]}
    write(tmp_path / "s.jsonl", heading, OPEN)
    said = punto("scenario", "s.jsonl", cwd=tmp_path)
    assert said.status == 1
    assert "   1  the heading\n" in said.out
    assert "      otherwise than written: clauses: B8 has no clause '9.9': expected a number such as 3.1\n" in said.out
    assert "      otherwise than written: readings: the register has no entry 999: expected 1 to " in said.out
    first = json.loads(punto("scenario", "s.jsonl", "--json", cwd=tmp_path).out.splitlines()[0])
    assert (first["line"], first["under"], len(first["wrong"])) == (1, "B8", 2)


def test_an_interruption_says_whether_it_is_of_the_whole_table(tmp_path: Path) -> None:
    opened = OPEN | {"setup": {"game": "tiger"}}
    whole, some = ({"by": "dealer", "do": "report-interruption", "terminals": each} for each in ([], [3, 4]))
    write(tmp_path / "s.jsonl", opened, LOAD, BETS, some, whole, BETS, {"by": "dealer", "do": "report-interruption"})
    said = punto("scenario", "s.jsonl", cwd=tmp_path).out
    assert f"   4  {'dealer':<26} report-interruption  terminals 3, 4\n" in said
    assert f"   5  {'dealer':<26} report-interruption  the whole table\n" in said
    assert f"   7  {'dealer':<26} report-interruption  the whole table\n" in said


def test_who_does_what_is_shown_as_it_is_written(tmp_path: Path) -> None:
    acting = {"position": "pit-manager", "name": "eve", "acting": True}
    write(
        tmp_path / "s.jsonl",
        OPEN | {"by": acting},
        LOAD,
        {"by": "dealer", "do": "buy-in", "patron": "ann", "cents": 100_000, "position": 1},
        {"by": "dealer", "do": "answer-offer", "patron": "ann", "withdraw": [], "refused": "nothing-pending"},
        {"by": "dealer", "do": "report-cards", "found": "order altered", "order_known": True},
        {"by": "\x1b[31mx", "do": "fly\n", "refused": "bad-command"},
    )
    said = punto("scenario", "s.jsonl", cwd=tmp_path)
    assert said.status == 0
    for line in (
        "   1  acting pit-manager eve     open-table",
        "   3  dealer                     buy-in  patron ann, 1,000.00, position 1",
        "   4  dealer                     answer-offer  patron ann, withdraw none",
        "   5  dealer                     report-cards  order altered, order known",
        "   6  \\x1b[31mx                  fly",
    ):
        assert f"{line}\n" in said.out


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "a scenario without a line: expected one command a line"),
        (b"\x00", "s.jsonl: byte 1 is NUL, a binary file: expected text"),
        (b"\xff\xfe", "s.jsonl: byte 1 is not UTF-8: expected text"),
        (b"[]", "line 1: expected a JSON object"),
        (b'{"do": "x", "credits": 5}', 'line 1: credits: 5: expected whole cents by patron, such as {"ann": 5000}'),
    ],
)
def test_a_file_that_cannot_be_read_is_told_in_one_line(content: bytes, said: str, tmp_path: Path) -> None:
    (tmp_path / "s.jsonl").write_bytes(content)

    def here(*arguments: str, **_: str) -> Said:
        return punto(*arguments, cwd=tmp_path)

    assert refusal(here, "scenario", "s.jsonl")["message"] == said


# A folder


def test_a_folder_is_played_scenario_by_scenario_and_summed_up(folder: Path) -> None:
    said = punto("scenario", str(folder))
    assert (said.status, said.err) == (1, "")
    assert said.out.splitlines() == [
        "ok          B8    a/good.jsonl",
        "ok          TNC5  a/good.jsonl",
        f"otherwise         bad.jsonl  line 2: {REFUSED} (and 1 more)",
        "unreadable        binary.jsonl  byte 1 is NUL, a binary file: expected text",
        "unreadable        empty.jsonl  a scenario without a line: expected one command a line",
        "ok          B8    half.jsonl",
        "otherwise   FF2   half.jsonl  line 1: clauses: FF2 has no clause '5.18': section 5 goes from 5.1 to 5.7",
        "unreadable        latin.jsonl  byte 1 is not UTF-8: expected text",
        "unreadable        nowhere.jsonl  it leads to no file: expected a text file",
        "unreadable        pipe.jsonl  it leads to no file: expected a text file",
        "",
        "8 scenarios, 1 as written, 2 otherwise, 5 unreadable",
        "5 runs: each scenario once under each of its rulebooks",
    ]


def test_a_folder_answers_a_program_with_one_object_each_and_a_sum(folder: Path) -> None:
    said = punto("scenario", str(folder), "--json")
    assert (said.status, said.err) == (1, "")
    *runs, total = map(json.loads, said.out.splitlines())
    assert total == {"sum": {"scenarios": 8, "runs": 5, "as_written": 1, "otherwise": 2, "unreadable": 5}}
    assert runs[0] == {"scenario": "a/good.jsonl", "title": "Bets open", "under": "B8", "verdict": "ok"}
    assert [each["line"] for each in runs[2]["wrong"]] == [2, 3]
    assert runs[3]["error"] == {
        "code": "unreadable-file",
        "message": "byte 1 is NUL, a binary file: expected text",
        "at": 1,
    }


def test_a_folder_may_be_played_under_one_rulebook(folder: Path) -> None:
    for name in ("bad", "binary", "empty", "latin", "nowhere", "pipe"):
        (folder / f"{name}.jsonl").unlink()
    said = punto("scenario", str(folder), "--under", "B8")
    assert said.status == 0
    assert said.out.splitlines() == [
        "ok          B8    a/good.jsonl",
        "ok          B8    half.jsonl",
        "",
        "2 scenarios, 2 as written, 0 otherwise",
    ]
    assert punto("scenario", str(folder), "--under", "B9").err == (
        "punto: --under: 'B9': expected EB4, FF2, B8, TNC5, E7U\n"
    )
    assert punto("scenario", str(folder), "--under", "E7U").err == (
        f"punto: {folder}: there is no scenario below it that is played under E7U: expected files that end in .jsonl\n"
    )


def test_a_folder_without_scenarios_is_told_in_one_line(tmp_path: Path) -> None:
    said = punto("scenario", str(tmp_path))
    assert said.status == 2
    assert said.err == f"punto: {tmp_path}: there is no scenario below it: expected files that end in .jsonl\n"


def test_a_folder_is_not_kept_in_a_store(folder: Path) -> None:
    said = punto("scenario", str(folder), "--store", "t.db", cwd=folder)
    assert (said.status, said.out) == (2, "")
    assert said.err == "punto: --store: a folder is played in memory: name one FILE.jsonl to keep it in a store\n"
    assert not (folder / "t.db").exists()


def test_a_folder_within_that_cannot_be_read_is_told_and_the_run_goes_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    scandir = os.scandir

    def closed(path: str) -> Any:  # noqa: ANN401
        if Path(path).name == "a":
            raise PermissionError(13, "Permission denied", path)
        return scandir(path)

    monkeypatch.setattr("os.scandir", closed)
    said = punto("scenario", str(folder))
    assert said.status == 1
    assert "unreadable        a  this folder cannot be read: Permission denied" in said.out.splitlines()


def test_one_scenario_that_breaks_punto_itself_leaves_the_others(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.floor.scenario.running.Runner._step", lambda *_: 1 // 0 and None)
    monkeypatch.setattr("punto.floor.scenario.running._SLIPS", ())
    lines = punto("scenario", str(folder)).out.splitlines()
    assert lines[0].startswith("unreadable  B8    a/good.jsonl  internal error (ZeroDivisionError: ")
    assert lines[-1] == "8 scenarios, 0 as written, 0 otherwise, 8 unreadable"


@pytest.mark.parametrize("name", ["fa-fa", "terminals"])
def test_the_scenarios_of_the_documents_go_as_written(name: str) -> None:
    said = punto("scenario", str(ROOT / "docs" / "scenarios" / name))
    count = len(list((ROOT / "docs" / "scenarios" / name).rglob("*.jsonl")))
    assert said.status == 0
    assert f"\n{count} scenarios, {count} as written, 0 otherwise\n" in said.out
