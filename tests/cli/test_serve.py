import re
import signal
import ssl
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Final, NamedTuple, cast

import msgspec
import pytest
from tests.cli.served import Open, free_port, serving, taken
from tests.cli.shell import process, punto
from tests.server.certificates import make_certificate

from punto.cli.serve import MOST_SHOWN, user_data
from punto.floor import Keys
from punto.games import GAMES
from punto.server import config as configs
from punto.server.serving import settings
from punto.store import open_store

if TYPE_CHECKING:
    from punto.server.app import Server

TIGER: Final = '[[table]]\nkey = "1"\ngame = "tiger"\n'
HEAD: Final = 'store = "floor.db"\nkey-file = "floor.key"\n'


@pytest.fixture
def floor(tmp_path: Path) -> Path:
    """A folder with a floor's key, store and file, on a port that was free just now."""
    Keys.at(tmp_path / "floor.key")
    open_store(str(tmp_path / "floor.db")).close()
    (tmp_path / "floor.toml").write_text(f"port = {free_port()}\n{HEAD}{TIGER}")
    return tmp_path


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_demonstration_opens_and_closes_in_order(number: int, tmp_path: Path) -> None:
    with serving("--demonstration", "--folder", "kept", "--port", "0", cwd=tmp_path) as floor:
        assert floor.get("/health")["tables"] == len(GAMES)
        assert floor.stop(number) == 0
    assert floor.said.endswith(f"the floor is closed; its record is in {tmp_path}/kept/floor.db\n")
    assert "Traceback" not in floor.said
    said = punto("audit", str(tmp_path / "kept" / "floor.db"), "--key", str(tmp_path / "kept" / "floor.key"))
    assert said.status == 0, said


class Demonstration(NamedTuple):
    """A demonstration that is open, where it is kept, and the port it was to have, which another process has."""

    floor: Open
    store: Path
    wanted: int


@pytest.fixture(scope="module")
def demonstration(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demonstration]:
    home = tmp_path_factory.mktemp("demonstration")
    with taken() as port, serving("--demonstration", "--folder", "kept", "--port", str(port), cwd=home) as floor:
        yield Demonstration(floor, home / "kept" / "floor.db", port)


def test_a_demonstration_shows_a_link_for_each_position_of_staff(demonstration: Demonstration) -> None:
    floor = demonstration.floor
    floor.until("Ctrl-C closes the floor.")
    for who in ("Dealer", "Pit supervisor", "Pit manager", "Gaming shift manager"):
        assert re.search(rf"^  {who} +{re.escape(floor.address)}/enter/\S{{16,}}$", floor.said, re.MULTILINE), (
            floor.said
        )
    assert re.search(rf"^  Patrons +{re.escape(floor.address)}/$", floor.said, re.MULTILINE)
    assert "Demonstration rules at tables 1, 9, 10: virtual cards, where the rulebook has" in floor.said


def test_a_demonstration_takes_the_next_port_where_one_is_taken_and_says_so(demonstration: Demonstration) -> None:
    floor, _, port = demonstration
    got = int(floor.address.rpartition(":")[2])
    assert got != port
    floor.until(f"Port {port} is taken by another process, so this is {got}.")


def test_a_second_demonstration_in_the_same_folder_is_told_where_the_first_is(demonstration: Demonstration) -> None:
    floor, store, _ = demonstration
    said = punto("serve", "--demonstration", "--folder", str(store.parent), "--port", "0")
    assert said == (2, "", f"punto: {store}: another floor is open on it, at {floor.address}\n")
    assert floor.get("/health")["status"]


def test_a_demonstration_without_its_key_is_not_opened(tmp_path: Path) -> None:
    (tmp_path / "kept").mkdir()
    open_store(str(tmp_path / "kept" / "floor.db")).close()
    said = punto("serve", "--demonstration", "--folder", "kept", "--port", "0", cwd=tmp_path)
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert "floor.key: no such file, and floor.db was signed with it: expected the key, or --fresh" in said.err
    assert not (tmp_path / "kept" / "floor.key").exists()


def test_a_folder_that_cannot_be_is_told_in_one_line(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    said = punto("serve", "--demonstration", "--folder", "file/floor", cwd=tmp_path)
    assert said == (2, "", f"punto: {tmp_path}/file/floor: a floor cannot be kept there: Not a directory\n")


def test_a_floor_of_a_file_opens_and_closes_in_order_and_is_the_only_one_on_its_store(floor: Path) -> None:
    with serving("floor.toml", cwd=floor) as served:
        assert served.get("/health")["tables"] == 1
        served.until("the program is (?:no release|what it should be)")  # it was checked soon after the start
        said = punto("serve", "floor.toml", cwd=floor)
        assert said == (2, "", f"punto: {floor}/floor.db: another floor is open on it, at {served.address}\n")
        assert served.stop(signal.SIGINT) == 0
    assert served.said.startswith(f"Punto is open at {served.address}: 1 table\n")
    assert served.said.endswith(f"the floor is closed; its record is in {floor}/floor.db\n")
    assert "/enter/" not in served.said


def test_a_file_can_be_checked_without_being_served(floor: Path) -> None:
    said = punto("serve", "floor.toml", "--check", cwd=floor)
    assert (said.status, said.err) == (0, "")
    assert said.out.startswith("floor.toml: a floor of 1 table, http://127.0.0.1:")


def test_every_mistake_of_a_file_is_a_line_with_its_place(floor: Path) -> None:
    (floor / "bad.toml").write_text(f"prot = 1\n{HEAD}{TIGER}decks = 3\n")
    for arguments in (["bad.toml"], ["bad.toml", "--check"]):
        said = punto("serve", *arguments, cwd=floor)
        assert (said.status, said.out) == (2, "")
        assert said.err == (
            "bad.toml:1: prot: unknown key; did you mean 'port'?\n"
            "bad.toml:7: table.decks: 3: expected a whole number, 4 to 10\n"
        )


def test_of_many_mistakes_the_first_twenty_are_told(floor: Path) -> None:
    (floor / "bad.toml").write_text("".join(f"quux{number} = 1\n" for number in range(30)) + HEAD + TIGER)
    lines = punto("serve", "bad.toml", cwd=floor).err.splitlines()
    assert len(lines) == MOST_SHOWN + 1
    assert lines[-1] == "bad.toml: and 10 more"


def test_a_port_that_is_taken_is_told_in_one_line(floor: Path) -> None:
    with taken() as port:
        (floor / "floor.toml").write_text(f"port = {port}\n{HEAD}{TIGER}")
        said = punto("serve", "floor.toml", cwd=floor)
    assert said == (2, "", f"punto: port {port} of 127.0.0.1 is taken by another process: expected a free one\n")


def test_a_store_that_is_not_there_is_not_made(floor: Path) -> None:
    (floor / "floor.db").unlink()
    said = punto("serve", "floor.toml", cwd=floor)
    assert said == (2, "", f"punto: {floor}/floor.db: no such file: expected a store\n")


def test_another_floors_key_is_told_in_one_line(floor: Path) -> None:
    (floor / "s.jsonl").write_text('{"by": "pit-supervisor", "do": "open-table", "setup": {"game": "tiger"}}\n')
    assert punto("scenario", "s.jsonl", "--store", "floor.db", "--key", "other.key", cwd=floor).status == 0
    said = process("serve", "floor.toml", cwd=floor)
    assert (said.status, said.err.count("\n")) == (2, 1)
    assert said.err.startswith("punto: the store was signed with ")


def test_a_floor_speaks_tls_with_its_certificate(floor: Path) -> None:
    make_certificate(floor)
    text = (floor / "floor.toml").read_text()
    (floor / "floor.toml").write_text(f'tls-certificate = "cert.pem"\ntls-key = "key.pem"\n{text}')
    with serving("floor.toml", cwd=floor) as served:
        assert served.address.startswith("https://127.0.0.1:")
        trusting = ssl.create_default_context(cafile=floor / "cert.pem")
        trusting.check_hostname = False
        assert served.get("/health", trusting)["tables"] == 1
        assert served.stop() == 0


def test_who_asks_is_believed_of_a_proxy_and_of_nobody_else(tmp_path: Path) -> None:
    config = configs.demonstration(tmp_path)
    plain = settings(cast("Server", SimpleNamespace(config=config)))
    assert not plain.proxy_headers
    behind = msgspec.structs.replace(config, behind_proxy=True, proxies=("10.0.0.5",))
    trusting = settings(cast("Server", SimpleNamespace(config=behind)))
    assert (trusting.proxy_headers, trusting.forwarded_allow_ips) == (True, ["10.0.0.5"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ([], "serve: expected either a FILE.toml or --demonstration"),
        (["x.toml", "--demonstration"], "serve: expected either a FILE.toml or --demonstration"),
        (["--demonstration", "--check"], "--check: a demonstration has no file: expected FILE.toml"),
        (["x.toml", "--port", "5"], "--folder, --fresh and --port are for a demonstration"),
        (["--demonstration", "--fresh", "--folder", "x"], "--folder and --fresh: expected one of them"),
        (["--demonstration", "--port", "65536"], "--port: 65536 is no port: expected 0 to 65535"),
        (["none.toml"], "none.toml: cannot be read: No such file or directory"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_line(arguments: list[str], said: str, tmp_path: Path) -> None:
    refused = punto("serve", *arguments, cwd=tmp_path)
    assert (refused.status, refused.out, refused.err.count("\n")) == (2, "", 1)
    assert refused.err.startswith(f"punto: {said}")


def test_a_demonstration_is_kept_where_the_system_keeps_such_things(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Path, "home", lambda: Path("/home/ann"))
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert user_data() == Path("/home/ann/.local/share/punto")
    monkeypatch.setenv("XDG_DATA_HOME", "/data")
    assert user_data() == Path("/data/punto")
    monkeypatch.setenv("XDG_DATA_HOME", "relative")
    assert user_data() == Path("/home/ann/.local/share/punto")
    monkeypatch.setattr(sys, "platform", "darwin")
    assert user_data() == Path("/home/ann/Library/Application Support/Punto")
    monkeypatch.setattr(sys, "platform", "win32")
    monkeypatch.setenv("LOCALAPPDATA", "/local")
    assert user_data() == Path("/local/Punto")
