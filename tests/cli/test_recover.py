"""A way back in, from the machine: who may have it, what it is good for, and what is on record of it."""

import asyncio
import time
from pathlib import Path
from typing import Any

import pyotp
import pytest
from tests.cli.shell import punto
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits

from punto.errors import BadCode, WrongPassword
from punto.floor import Keys
from punto.record import audit
from punto.server.config import SecondFactor
from punto.server.identity import Session
from punto.server.identity.wayback import make_way_back
from punto.store import open_store

__all__ = ["_cheap_hashes"]

WHY = ("--by", "Ann Tan", "--reason", "phone lost")
_FILE = 'store = "sqlite:floor.db"\nkey-file = "floor.key"\n[[table]]\nkey = "1"\ngame = "tiger"\n'


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A floor with one account."""

    @waits
    async def open_account() -> None:
        async with lobby(tmp_path):
            pass

    open_account()
    (tmp_path / "floor.toml").write_text(_FILE)
    return str(tmp_path / "floor.toml")


def recorded(file: str) -> list[Any]:
    store = open_store(f"sqlite:{Path(file).parent / 'floor.db'}", create=False)
    bodies = [entry.body for entry in store.read("identity/staff")]
    store.close()
    return bodies


def secret_and_code(opened: Lobby, session: Session) -> tuple[str, str]:
    secret = opened.identity.factors.offer(session).secret
    return secret, pyotp.TOTP(secret).at(opened.clock() // 1000)


def test_a_code_is_printed_once_and_the_record_says_who_made_it_and_why(file: str) -> None:
    said = punto("recover", file, MANAGER.upper(), *WHY)
    assert said.status == 0
    code = said.out.split()[0]
    last = recorded(file)[-1]
    assert b'"way-back-issued"' in last
    assert b"Ann Tan" in last
    assert b"phone lost" in last
    assert code.encode() not in last


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["nobody", *WHY], "nobody called 'nobody' is on the staff"),
        ([MANAGER, "--by", "Ann\tTan", "--reason", "x"], "expected one line without control characters"),
        ([MANAGER, "--by", "Ann", "--reason", "x\n\x1b[2J"], "expected one line without control characters"),
        ([MANAGER, "--by", " ", "--reason", "x"], "expected the name of whoever decides"),
        ([MANAGER, "--by", "Ann"], "--reason"),
    ],
)
def test_what_is_no_decision_is_refused_in_one_line_and_writes_nothing(
    file: str, arguments: list[str], said: str
) -> None:
    before = recorded(file)
    refused = punto("recover", file, *arguments)
    assert refused.status == 2
    assert said in refused.err
    assert "Traceback" not in refused.err
    assert recorded(file) == before


def test_without_the_floors_key_there_is_no_way_back(file: str) -> None:
    (Path(file).parent / "floor.key").rename(Path(file).parent / "elsewhere.key")
    assert punto("recover", file, MANAGER, *WHY).status == 2


@waits
async def test_the_code_is_good_once_in_time_and_ends_what_was_before(tmp_path: Path) -> None:
    async with lobby(tmp_path, second_factor=SecondFactor.REQUIRED) as opened:
        identity, floor = opened.identity, opened.server.hall.writer.floor
        before = await opened.session()

        async def issued() -> str:
            now_ms = opened.clock()
            made = await opened.server.hall.writer.call(make_way_back, floor, MANAGER, "Ann", "lost", now_ms)
            return made.code

        late = await issued()
        opened.clock.go(16)
        with pytest.raises(BadCode):
            await identity.come_back(MANAGER, late, OTHER_PASSWORD)
        first, second = await issued(), await issued()
        for name, code in ((MANAGER, first), ("nobody", second), (MANAGER, "AAAA-BBBB-CCCC"), (MANAGER, "")):
            with pytest.raises(BadCode):
                await identity.come_back(name, code, OTHER_PASSWORD)
        assert (await opened.session()).name == MANAGER, "until the code is used, the password counts"
        session, token = await identity.come_back(MANAGER, second.lower().replace("-", " "), OTHER_PASSWORD)
        assert identity.must_enrol(session)
        assert identity.acts_as(before) is None
        with pytest.raises(WrongPassword):
            await opened.session()
        with pytest.raises(BadCode):
            await identity.come_back(MANAGER, second, OTHER_PASSWORD)
        await identity.factors.set_codes(session, *secret_and_code(opened, session))
        cookie = {"cookie": f"punto_staff={token}"}
        lines = (await opened.browser(**cookie).get("/api/security")).json()
        assert [(line["do"], line["by"], line["code"]) for line in lines] == [
            ("come-back", MANAGER, "way-back"),
            *[("recover", "Ann", "way-back")] * 3,
        ]
        assert audit(floor.store, public_key=floor.keys.public).clean


@waits
async def test_a_code_of_another_process_counts_on_an_open_floor(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        (tmp_path / "floor.toml").write_text(_FILE)
        assert Keys.at(tmp_path / "floor.key").public == opened.server.hall.writer.floor.keys.public
        opened.clock.at_ms = time.time_ns() // 1_000_000
        said = await asyncio.to_thread(punto, "recover", str(tmp_path), MANAGER, *WHY)
        assert said.status == 0, said.err
        session, _ = await opened.identity.come_back(MANAGER, said.out.split()[0], OTHER_PASSWORD)
        assert session.name == MANAGER
