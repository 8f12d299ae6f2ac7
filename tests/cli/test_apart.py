"""Every command here and in a process of its own: both say the same, and so the other tests may do without one."""

import json
import shutil
import sys
from pathlib import Path
from typing import Final, NamedTuple

import pytest
from tests.children import run
from tests.cli.shell import Said, environment, process, punto
from tests.cli.test_stores import LINES, example

from punto.cli.app import app
from punto.games import GAMES


class Case(NamedTuple):
    """A command, what it reads, and the status and the beginning of what it must say."""

    arguments: str
    status: int
    says: str
    stdin: bytes = b""
    more: tuple[str | bytes, ...] = ()


TABLE: Final = "t.db --table T1"
# Each kind of answer, and each command with something that works, but for those that other tests run both ways.
CASES: Final = [
    Case("", 0, "Usage: punto [OPTIONS] COMMAND"),
    Case("simulate --help", 0, "Usage: punto simulate [OPTIONS] GAME"),
    Case("deal", 2, "punto: argument 1: 'deal' is not a command"),
    Case("settle tiger --wat", 2, "punto: No such option '--wat'"),
    Case("settle tiger Xx", 2, "punto: card 1: 'Xx' is not a card"),
    Case("settle tiger Xx --json", 2, '{"error":{"code":"unknown-card"'),
    Case("settle tiger", 2, "punto: card 1: '\\udcff\\udcfe' is not a card", more=(b"\xff\xfe",)),
    Case("settle tiger --batch -", 1, '{"cards":"9s Kh Kd 9c"', b"9s Kh Kd 9c\n\xff\xfe\n\n9s Kh"),
    Case("settle fortune-six", 0, "Player K♠ 5♦ 9♠ = 4", more=("Ks 2h 5d 4c 9s",)),
    Case("games --lang zh", 0, "baccarat"),
    Case("rules 7-up", 0, "7 Up Baccarat"),
    Case("roads BbPPTPBTTBB --lang zh", 0, "珠盘路"),
    Case("play --seed 7", 0, "Fortune Six", "b 25 金 5\n\n庄 5\n\nq\n".encode()),
    Case("scenario s.jsonl", 0, "1  pit-supervisor"),
    Case("schema commands", 0, "{"),
    Case("books t.db --csv", 0, "table,period or terminal,"),
    Case("audit t.db", 0, "t.db: clean"),
    Case("head t.db", 0, '{"'),
    Case("program --digest 12", 2, "punto: --digest: '12'"),
    Case("migrate t.db", 2, "punto: the store is up to date"),
    Case("backup t.db copy.db", 0, "copy.db: a copy of t.db"),
    Case("accept none.toml --by Ann --reason lost", 2, "punto: none.toml"),
    Case("events t.db --kind configuration", 0, ""),
    Case("recover none.toml ann --by Ann --reason lost", 2, "punto: none.toml"),
    Case("claims t.db", 0, ""),
    Case("person none.toml ann", 2, "punto: none.toml"),
    Case("key public t.db.key", 0, ""),
    Case("key split t.db.key --signing a.key --sealing b.key", 0, "a.key holds the key that signs"),
    Case("key rotate none.toml --new-key new.key --by Ann", 2, "punto: none.toml"),
    Case("signer --socket s", 2, "punto: signer: expected either --key-file or --key-env"),
    Case("archive --check none.day", 2, "punto: none.day"),
    Case("repair none.db", 2, "punto: none.db"),
    Case(f"replay {TABLE} --round 1 --json", 0, '{"round":1'),
    Case(f"recall {TABLE}", 0, "Round 1"),
    Case(f"export {TABLE} --shoe 1", 0, "punto shoe 1\n"),
    Case("import shoe.txt --store in.db", 0, "2 rounds are on table imported\n"),
    Case("verify shoe.txt", 0, "shoe.txt: 2 rounds and"),
    Case("init floor --manager Ann --password-file password --games tiger", 0, "floor"),
    Case("shuffle --dump 2 raw", 0, ""),
    Case("count tiger --wager Tiger --shoes 5 --seed 4 --json", 0, '{"game":"tiger"'),
    Case("hold baccarat --mix Banker=x", 2, "punto: "),
    Case("torture --plant wat", 2, "punto: --plant: 'wat' is no fault"),
]
# Their own tests hold a process beside this one; it imports much, and is not started twice.
ELSEWHERE: Final = {"odds", "report", "serve", "session", "simulate"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What commands read: a store, a scenario, a shoe, a password."""
    folder = tmp_path_factory.mktemp("apart")
    (folder / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    (folder / "shoe.txt").write_text(example())
    (folder / "password").write_text("correct horse battery\n")
    assert punto("scenario", "s.jsonl", "--store", "t.db", cwd=folder).status == 0
    return folder


# By day every third: each is a process of its own, and all of them begin alike.
BY_DAY: Final = CASES[::3]


@pytest.mark.parametrize(
    "case",
    [pytest.param(case, marks=() if case in BY_DAY else pytest.mark.nightly) for case in CASES],
    ids=lambda case: f"{case.arguments} {case.more or ''}".strip() or "nothing",
)
def test_a_command_says_the_same_here_and_in_a_process_of_its_own(case: Case, folder: Path, tmp_path: Path) -> None:
    said = []
    for way in (punto, process):
        cwd = tmp_path / way.__name__
        shutil.copytree(folder, cwd)
        said.append(way(*case.arguments.split(), *case.more, stdin=case.stdin, cwd=cwd))
    here, apart = said
    assert here == apart
    assert here.status == case.status
    assert case.says in (here.out or here.err)
    written = [{path.name for path in (tmp_path / way.__name__).rglob("*")} for way in (punto, process)]
    assert written[0] == written[1]


def test_every_command_is_tried_in_a_process_of_its_own() -> None:
    tried = {case.arguments.split()[0] for case in CASES if case.arguments}
    assert app.commands.keys() - ELSEWHERE <= tried


def test_the_installed_command_is_the_same() -> None:
    installed = Path(sys.executable).with_name("punto")
    done = run([installed, "--version"], capture_output=True, env=environment())
    assert Said(done.returncode, done.stdout.decode(), done.stderr.decode()) == punto("--version")


def test_what_a_stream_cannot_encode_is_written_out() -> None:
    title = GAMES["tiger"].title.zh.encode("ascii", "backslashreplace").decode()
    for said in (
        process("games", "--lang", "zh", PYTHONUTF8="0", PYTHONIOENCODING="ascii"),
        process("games", "--lang", "zh", PYTHONUTF8="0", PYTHONCOERCECLOCALE="0", LC_ALL="C"),
    ):
        assert (said.status, said.err) == (0, "")
        assert title in said.out
