import json
import os
import shutil
import tempfile
import time
import tomllib
from pathlib import Path
from typing import Final

import msgspec
import pytest
from tests.children import fork_terminal
from tests.cli.served import free_port, serving
from tests.cli.shell import PUNTO, Said, punto

from punto.cli.init import _steps
from punto.games import GAMES
from punto.server.config import demonstration
from punto.server.identity import FirstAccount
from punto.store import open_store

PASSWORD: Final = "correct horse battery"
MANAGER: Final = ("--manager", "Ann Tan", "--password-file", "password")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    (tmp_path / "password").write_text(f"{PASSWORD}\nsecond line\n")
    return tmp_path


def init(home: Path, *arguments: str) -> Said:
    return punto("init", *arguments, cwd=home)


def test_a_floor_is_made_whole_and_can_be_served(home: Path) -> None:
    said = init(home, "floor", *MANAGER, "--port", str(free_port()))
    assert (said.status, said.err) == (0, "")
    assert "punto serve floor/floor.toml" in said.out
    assert "'Ann Tan'" in said.out
    assert {path.name for path in (home / "floor").iterdir()} == {"floor.toml", "floor.db"}
    assert "another disk or machine than the store" in said.out
    for secret in ("floor/floor.toml", "floor-keys", "floor-keys/floor.key"):
        assert (home / secret).stat().st_mode & 0o077 == 0
    assert punto("serve", "floor/floor.toml", "--check", cwd=home).status == 0
    with serving("floor/floor.toml", cwd=home) as floor:
        assert floor.get("/health")["tables"] == len(GAMES)
        assert floor.stop() == 0
    assert (home / "floor-checkpoints" / "checkpoint").read_text().startswith("punto/")
    assert punto("audit", "floor/floor.db", "--key", "floor-keys/floor.key", cwd=home).status == 0


def test_the_password_is_nowhere_to_be_found(home: Path) -> None:
    said = init(home, "floor", *MANAGER)
    assert PASSWORD not in said.out
    for path in (home / "floor").iterdir():
        assert PASSWORD.encode() not in path.read_bytes()


def test_what_is_told_is_written(home: Path) -> None:
    told = ["--name", 'The "Marina"', "--currency", "S$", "--games", "tiger, 7-up", "--port", "9000", "--proxy"]
    said = init(home, "floor", *MANAGER, *told, "--host", "0.0.0.0")  # noqa: S104
    assert said.status == 0, said
    text = (home / "floor" / "floor.toml").read_text()
    written = tomllib.loads(text)
    assert (written["name"], written["currency"], written["port"]) == ('The "Marina"', "S$", 9000)
    assert (written["host"], written["behind-proxy"]) == ("0.0.0.0", True)  # noqa: S104
    assert written["checkpoints"] == ["../floor-checkpoints"]
    assert [(table["key"], table["game"]) for table in written["table"]] == [("1", "tiger"), ("2", "7-up")]


def test_a_key_that_is_there_already_is_left_as_it_is(home: Path) -> None:
    (home / "mine.key").write_text("mine")
    said = init(home, "floor", *MANAGER, "--key-file", "mine.key")
    assert said == (2, "", f"punto: {home}/mine.key: already exists: expected a path where nothing is yet\n")
    assert {path.name for path in home.iterdir()} == {"password", "mine.key"}
    assert (home / "mine.key").read_text() == "mine"


def test_a_floor_with_a_signer_has_two_keys_and_its_own_does_not_sign(home: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="punto-") as short:  # the path of a socket is short
        check_signer(Path(shutil.copytree(home, Path(short) / "home")))


def check_signer(home: Path) -> None:
    said = init(home, "floor", *MANAGER, "--signer", "--games", "tiger")
    assert (said.status, said.err) == (0, "")
    assert "punto signer --key-file floor-keys/signing.key --socket floor-keys/signer.sock" in said.out
    assert {path.name for path in (home / "floor-keys").iterdir()} == {"signing.key", "sealing.key"}
    written = tomllib.loads((home / "floor" / "floor.toml").read_text())
    assert (written["key-file"], written["signer"]) == ("../floor-keys/sealing.key", "../floor-keys/signer.sock")
    assert punto("audit", "floor/floor.db", "--key", "floor-keys/signing.key", cwd=home).status == 0
    refused = punto("audit", "floor/floor.db", "--key", "floor-keys/sealing.key", cwd=home)
    assert (refused.status, refused.err.count("\n")) == (2, 1)


def test_a_floor_can_be_kept_in_postgresql(home: Path, database_url: str) -> None:
    url = f"{database_url}{'&' if '?' in database_url else '?'}schema=init_{os.getpid()}"
    said = init(home, "floor", *MANAGER, "--store", url, "--games", "tiger", "--port", str(free_port()))
    assert said.status == 0, said
    assert {path.name for path in (home / "floor").iterdir()} == {"floor.toml"}
    with serving("floor/floor.toml", cwd=home) as floor:
        assert floor.get("/health")["tables"] == 1
        assert floor.stop() == 0
    assert "?schema=init_" in floor.said.splitlines()[-1]
    again = init(home, "other", *MANAGER, "--store", url)
    assert (again.status, again.err) == (
        2,
        "punto: the store holds a floor already: expected an empty one, or another ?schema=\n",
    )
    assert not (home / "other").exists()
    assert not (home / "other-keys").exists()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--password-file", "password"], "init: there is no terminal to ask at: expected --manager"),
        (
            ["--manager", "ann", "--password-file", "password", "--second-password-file", "password"],
            "--second-password-file: expected it with --second-manager only",
        ),
        (
            ["--manager", "ann", "--password-file", "password", "--second-manager", "bo"],
            "init: there is no terminal to ask for a password at: expected --second-password-file",
        ),
        (
            [
                *("--manager", "ann", "--password-file", "password"),
                *("--second-manager", "ANN", "--second-password-file", "password"),
            ],
            "the name 'ANN' is that of the first manager",
        ),
        (["--manager", "ann"], "init: there is no terminal to ask for a password at: expected --password-file"),
        (["--manager", "ann", "--password-file", "none"], "none: cannot be read: No such file"),
        (["--manager", "ann", "--password-file", "short"], "a password has 10 to 200 characters: this one has 5"),
        ([*MANAGER, "--games", "tigger"], "'tigger' is not a game"),
        ([*MANAGER, "--host", "0.0.0.0"], "init: host: 0.0.0.0 can be reached from other machines"),  # noqa: S104
        ([*MANAGER, "--certificate", "x"], "--certificate and --key: expected both, or neither"),
        ([*MANAGER, "--certificate", "x", "--key", "y"], "init: tls-certificate: "),
        ([*MANAGER, "--store", "memory:"], "init: store: memory: is gone with its process"),
        ([*MANAGER, "--port", "0"], "init: port: 0: expected a whole number, 1 to 65535"),
        ([*MANAGER, "--name", "a\x1bb"], "init: name: "),
    ],
)
def test_what_cannot_be_is_refused_in_one_line_and_nothing_is_left(arguments: list[str], said: str, home: Path) -> None:
    (home / "short").write_text("12345")
    refused = init(home, "floor", *arguments)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1), refused
    assert refused.err.startswith(f"punto: {said}")
    assert not (home / "floor").exists()
    assert not (home / "floor-keys").exists()


def test_a_folder_that_is_not_empty_is_left_as_it_is(home: Path) -> None:
    said = init(home, ".", *MANAGER)
    assert said == (2, "", f"punto: {home}: not empty: expected an empty folder, or one that does not exist yet\n")
    assert [path.name for path in home.iterdir()] == ["password"]
    said = init(home, "password", *MANAGER)
    assert said.err == f"punto: {home}/password: Not a directory: expected a folder that is empty, or none\n"


def test_a_store_that_is_there_already_is_left_as_it_is(home: Path) -> None:
    open_store(str(home / "old.db")).close()
    before = (home / "old.db").read_bytes()
    said = init(home, "floor", *MANAGER, "--store", str(home / "old.db"))
    assert said == (2, "", f"punto: {home}/old.db: already exists: expected a place for a new store\n")
    assert (home / "old.db").read_bytes() == before
    assert not (home / "floor").exists()


def test_at_a_terminal_what_was_not_told_is_asked_for(home: Path) -> None:
    typed = ["Marina", "", "tiger", "", "", "", "", "Ann", PASSWORD, PASSWORD, ""]
    status, shown = at_a_terminal(home, ["init", "floor"], typed)
    assert status == 0, shown
    for question in ("Name of the floor [Punto]: ", "Games, with commas between them [all]: ", "Password of 'Ann': "):
        assert question in shown
    assert PASSWORD not in shown
    written = tomllib.loads((home / "floor" / "floor.toml").read_text())
    assert (written["name"], len(written["table"])) == ("Marina", 1)


def test_two_managers_are_made_together_and_what_one_alone_cannot_do_is_said(home: Path) -> None:
    (home / "other").write_text("four unrelated plain words\n")
    second = ("--second-manager", "Bo Lim", "--second-password-file", "other")
    said = init(home, "floor", *MANAGER, *second)
    assert (said.status, said.err) == (0, "")
    assert "Sign in as 'Ann Tan' or 'Bo Lim' at " in said.out
    assert "waits for a second person" not in said.out
    store = open_store(str(home / "floor" / "floor.db"))
    opened = [json.loads(entry.body) for entry in store.read("identity/staff")]
    store.close()
    assert [(each["by"]["name"], each["event"]["name"]) for each in opened] == [
        ("house", "Ann Tan"),
        ("house", "Bo Lim"),
    ]
    assert punto("audit", "floor/floor.db", "--key", "floor-keys/floor.key", cwd=home).status == 0
    assert "waits for a second person" in init(home, "alone", *MANAGER).out


def test_two_managers_are_asked_for_at_a_terminal(home: Path) -> None:
    typed = ["", "", "tiger", "", "", "", "", "Ann", PASSWORD, PASSWORD, "Bo", *["four unrelated words"] * 2]
    status, shown = at_a_terminal(home, ["init", "floor"], typed)
    assert status == 0, shown
    assert "Sign in as 'Ann' or 'Bo' at " in shown


def test_two_passwords_that_differ_make_nothing(home: Path) -> None:
    status, shown = at_a_terminal(home, ["init", "floor", "--manager", "Ann", *GIVEN], [PASSWORD, "another"])
    assert status == 2
    assert "the two passwords differ" in shown
    assert not (home / "floor").exists()


GIVEN: Final = (
    "--name",
    "x",
    "--currency",
    "$",
    "--games",
    "all",
    "--store",
    "sqlite:floor.db",
    "--host",
    "127.0.0.1",
    "--checkpoints",
    "../outside",
    "--key-file",
    "floor.key",
)


def at_a_terminal(home: Path, arguments: list[str], typed: list[str]) -> tuple[int, str]:
    """Run `punto` on a terminal of its own, with somebody who types a line for each question."""
    child, terminal = fork_terminal([*PUNTO, *arguments], home)
    shown, asked = "", 0
    until = time.monotonic() + 60
    while time.monotonic() < until:
        try:
            shown += os.read(terminal, 4096).decode()
        except OSError:  # the other end is closed
            break
        if shown.endswith(": ") and asked < len(typed):
            os.write(terminal, typed[asked].encode() + b"\n")
            asked += 1
    _, status = os.waitpid(child, 0)
    os.close(terminal)
    return os.waitstatus_to_exitcode(status), shown


def test_who_keeps_the_record_on_another_machine_is_told_to_have_its_certificate_looked_at(tmp_path: Path) -> None:
    for store, told in (("postgresql://db.example/pit", True), ("sqlite:floor.db", False)):
        config = msgspec.structs.replace(demonstration(tmp_path), store=store)
        managers = [FirstAccount("ann", "correct horse")]
        steps = " ".join(line for step in _steps(tmp_path / "floor.toml", managers, config) for line in step)
        assert ("add sslmode=verify-full to the address of the store in floor.toml" in steps) is told
