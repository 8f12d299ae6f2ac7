"""A forger at the database of a floor that is open: nobody is let in, nothing is paid, and staff are told."""

import asyncio
import re
import shutil
import time
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from tests.floor.attacker import Attacker
from tests.floor.liar import Liar, short
from tests.server.http.floor import BY_HAND, RUNNING, Opened, configured, opened
from tests.server.test_syslog import receiver
from tests.server.waiting import until, waits

from punto.errors import KeyRotated, StoreRewritten
from punto.floor import Floor, Keys
from punto.floor.remote import RemoteSigner
from punto.floor.rotating import rotate
from punto.floor.sequencer import Sequencer
from punto.proof.signers import LocalSigner
from punto.record import audit
from punto.rules import Position
from punto.server import watchman
from punto.server.app import make
from punto.server.identity.events import AccountOpened, Noted, write
from punto.server.identity.passwords import Passwords
from punto.store import open_store
from punto.table import Actor
from punto.table import commands as do

__all__ = ["short"]

BOB = Actor("bob", Position.PATRON)
GRETA = Actor("greta", Position.GAMING_SHIFT_MANAGER)


async def forged_account() -> bytes:
    passwords = Passwords()
    await passwords.begin()
    hash_ = await passwords.hash("a long password of mallory's")
    passwords.stop()
    return write(Noted(1, GRETA, AccountOpened("mallory", Position.GAMING_SHIFT_MANAGER, hash_)))


async def sign_in(floor: Opened) -> Any:  # noqa: ANN401
    body = {"name": "mallory", "password": "a long password of mallory's"}
    return await floor.nobody().post("/api/sign-in", json=body)


@waits
async def test_a_forged_account_is_never_let_in(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, BY_HAND) as floor:
        Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("identity/staff", await forged_account())
        await asyncio.sleep(1.2)  # twice as long as the floor takes to read what others wrote
        answer = await sign_in(floor)
        assert answer.status_code == 401
        await floor.hall.watchman.look()
        health = (await floor.nobody("127.0.0.1").get("/health")).json()
        assert health["status"] == "damaged"
        assert "entries after 0 carry no signature" in health["damaged"]["identity/staff"]
        # The rest goes on.
        rounds = floor.hall.tables["1"].table.round
        await floor.until(lambda: floor.hall.tables["1"].table.round > rounds + 1)


@waits
async def test_a_register_that_is_stopped_takes_nobody_and_says_so_by_its_code(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        await floor.server.identity.first_account("greta", "a long password of greta's")
        manager = await floor.staff(Position.GAMING_SHIFT_MANAGER, "greta")
        Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("identity/staff", await forged_account())
        body = {"name": "dan", "position": "dealer", "password": "a long password of dan's"}
        answer = await manager.post("/api/staff", json=body)
        assert (answer.status_code, answer.json()["code"]) == (503, "stream-stopped")
        assert answer.json()["message"].startswith("this part of the record is stopped")


@waits
async def test_a_forged_stream_without_a_name_stops_nothing_else(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, BY_HAND) as floor:
        row = ("INSERT INTO entries VALUES (?, 1, NULL, ?, ?)", "", b"{}", bytes(32))
        Attacker(f"sqlite:{tmp_path / 'floor.db'}").run(*row)
        await floor.hall.watchman.look_at_all()
        health = (await floor.nobody("127.0.0.1").get("/health")).json()
        assert (health["status"], health["tables"]) == ("damaged", 2)
        assert [*health["damaged"]] == ["''"]
        assert all(hosted.state().wait is None for hosted in floor.hall.tables.values())
        rounds = floor.hall.tables["1"].table.round
        await floor.until(lambda: floor.hall.tables["1"].table.round > rounds + 1)


@waits
async def test_what_is_added_where_nobody_plays_is_named_while_the_floor_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(watchman, "_BETWEEN_LOOKS_S", 0.1)
    async with opened(tmp_path, RUNNING, BY_HAND) as floor:
        attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
        await floor.do(do.BuyIn, BOB, patron="bob", cents=500, position=2)
        idle = {"wallet/bob", "wallet/mallory", "table/T9", "book/9", "seals", "anything"}
        for stream in sorted(idle):
            attacker.append(stream, b"{}")
        await floor.until(lambda: idle <= floor.hall.watchman.stopped.keys())
        health = (await floor.nobody("127.0.0.1").get("/health")).json()
        assert health["status"] == "damaged"
        assert idle == health["damaged"].keys()
        rounds = floor.hall.tables["1"].table.round
        await floor.until(lambda: floor.hall.tables["1"].table.round > rounds + 1)


@waits
async def test_a_stream_that_was_added_to_is_a_significant_event_once(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND) as floor:
        pit = await floor.staff(Position.PIT_SUPERVISOR)
        attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
        for stream in ("wallet/mallory", "wallet/zoe"):
            attacker.append(stream, b"{}")
            for _ in range(2):
                await floor.hall.watchman.look_at_all()
        await floor.until(lambda: not floor.hall.journal.waiting)
        found = (await pit.get("/api/events", params={"kind": "store"})).json()
        assert [(each["what"], each["severity"], each["stream"]) for each in found] == [
            ("record-altered", 1, "journal")
        ] * 2
        for each, stream in zip(reversed(found), ("wallet/mallory", "wallet/zoe"), strict=True):
            assert each["said"].startswith(f"The record is not as the floor wrote it: {stream}: entries after 0")
            assert each["said_zh"].startswith("记录与场地所写不符")
    with closing(open_store(f"sqlite:{tmp_path / 'floor.db'}", read_only=True)) as store:
        assert not [each for each in audit(store).findings if each.stream == "journal"], "the audit knows the event"


@waits
async def test_that_the_journal_itself_was_altered_is_on_the_page_and_in_syslog_all_the_same(tmp_path: Path) -> None:
    with receiver("udp", tmp_path) as heard:
        async with opened(tmp_path, BY_HAND, syslog=heard.address) as floor:
            await floor.server.identity.first_account("greta", "a long password of greta's")
            pit = await floor.staff(Position.GAMING_SHIFT_MANAGER, "greta")
            await heard.until("start")
            attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
            attacker.run("UPDATE entries SET body = ? WHERE stream = 'journal' AND version = 1", b"{}")
            attacker.append("journal", b"{}")
            for _ in range(2):
                await floor.hall.watchman.look_at_all()
            await heard.until("store")
            found = (await pit.get("/api/events", params={"kind": "store"})).json()
            assert [(each["what"], each["stream"], each["version"]) for each in found] == [("record-altered", "", 1)]
            assert ": journal: " in found[0]["said"]
            # What other streams have is still shown and sent.
            body = {"name": "dan", "position": "dealer", "password": "a long password of dan's"}
            assert (await pit.post("/api/staff", json=body)).status_code < 300
            await until(lambda: b"dan was put on the staff" in heard.raw)
            assert {each["kind"] for each in (await pit.get("/api/events")).json()} >= {"store", "authority"}


@waits
async def test_a_floor_whose_journal_was_altered_opens_and_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path, BY_HAND):
        pass
    attacker = Attacker(f"sqlite:{tmp_path / 'floor.db'}")
    attacker.run("UPDATE entries SET body = ? WHERE stream = 'journal' AND version = 2", b"{}")
    async with opened(tmp_path, BY_HAND) as floor:
        pit = await floor.staff(Position.GAMING_SHIFT_MANAGER, "greta")
        await floor.hall.watchman.look_at_all()
        found: list[Any] = []
        while not found:
            found = (await pit.get("/api/events", params={"kind": "store"})).json()
        assert {each["what"] for each in found} == {"record-altered"}
        assert floor.hall.tables["2"].state().wait is None, "play goes on"


@waits
async def test_a_table_whose_log_was_added_to_stops_and_says_so(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING, BY_HAND) as floor:
        await floor.until(lambda: floor.hall.tables["1"].table.round > 1)
        Attacker(f"sqlite:{tmp_path / 'floor.db'}").append("table/2", b"{}", "forged")
        hall = floor.hall
        await floor.until(lambda: "table/2" in hall.watchman.stopped)
        wait = hall.tables["2"].state().wait
        assert wait is not None
        assert wait.what == "record"
        assert hall.tables["1"].state().wait is None
        alarms = hall.tables["2"].for_staff(hall.tables["2"].glance()).alarms
        assert alarms is not None
        assert [alarm.what for alarm in alarms] == ["damaged"]
        assert "table/2" in alarms[0].text.en
        rounds = hall.tables["1"].table.round
        await floor.until(lambda: hall.tables["1"].table.round > rounds + 1)


@waits
async def test_without_a_signer_the_floor_plays_on_and_says_that_no_checkpoint_can_be_taken(
    tmp_path: Path, short: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with opened(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),)) as floor:
        keys = floor.hall.writer.floor.keys
        rounds = floor.hall.tables["1"].table.round
        with Liar(short / "s", b'{"public":"%s"}\n' % keys.public.encode()):
            signer = RemoteSigner(str(short / "s"))
        with monkeypatch.context() as gone:
            gone.setattr(floor.hall.writer.floor.history, "keys", Keys(signer, keys.sealing))
            await floor.until(lambda: floor.hall.tables["1"].table.round > rounds)
            await floor.server.checkpointing.take()
            health = (await floor.nobody("127.0.0.1").get("/health")).json()
            assert health["status"] == "damaged"
            assert re.match("no checkpoint can be taken: .*no signer answers there", health["damaged"]["checkpoints"])
        await floor.server.checkpointing.take()
        assert "checkpoints" not in floor.hall.damaged()


@waits
async def test_a_floor_whose_key_is_rotated_says_that_it_must_close(tmp_path: Path) -> None:
    async with opened(tmp_path, RUNNING) as floor:
        keys = floor.hall.writer.floor.keys
        new = Keys.fresh().signing
        assert isinstance(new, LocalSigner)
        await floor.hall.writer.call(rotate, floor.hall.writer.floor.store, keys, new, 1, "greta")
        await floor.hall.watchman.look()
        await floor.hall.watchman.look()
        assert isinstance(floor.hall.fenced, KeyRotated)
        await floor.until(lambda: floor.hall.is_over)
        assert "the floor's key was rotated by greta" in floor.hall.damaged()[""]


@waits
async def test_an_older_copy_of_the_store_is_not_opened(tmp_path: Path) -> None:
    config = configured(tmp_path, RUNNING, checkpoints=(str(tmp_path / "outside"),))
    for life in range(2):
        server = make(config)
        await server.begin()
        while server.hall.tables["1"].table.round < 3 * (life + 1):  # noqa: ASYNC110 (the table has no event for it)
            await asyncio.sleep(0.01)
        await server.finish()
        server.hall.close()
        if not life:
            shutil.copy(tmp_path / "floor.db", tmp_path / "old.db")
    shutil.copy(tmp_path / "old.db", tmp_path / "floor.db")
    server = make(config)
    with pytest.raises(StoreRewritten, match="older than the checkpoint outside"):
        await server.begin()
    server.checkpointing.give_up()
    server.hall.close()
    # After a decision it opens, with a fresh shoe: the cards that the old one would deal were seen.
    with closing(open_store(config.store)) as store:
        floor = Floor(store, Keys.open(config.key_source, config.signer))
        shoe = floor.table("1").shoe.number
        Sequencer(floor.history, [tmp_path / "outside"]).accept(time.time_ns() // 10**6, "Ann Tan", "the disk broke")
    server = make(config)
    await server.begin()
    assert server.hall.writer.floor.table("1").shoe.number > shoe or server.hall.writer.floor.table("1").shoe.out
    await server.finish()
    server.hall.close()
    with closing(open_store(config.store)) as store:
        assert not audit(store, public_key=Keys.open(config.key_source, config.signer).public).findings
