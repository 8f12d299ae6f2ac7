"""A store that is damaged when its floor opens: health and the pit name the damage, or the floor stays closed."""

import shutil
from collections.abc import Callable, Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

import pytest
from tests.floor.attacker import Attacker
from tests.server.http.floor import BY_HAND, READ, Opened, configured
from tests.server.waiting import waits

from punto.errors import PuntoError, StreamStopped
from punto.floor import Keys
from punto.floor.history import History
from punto.floor.sequencer import Sequencer
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.app import Server, make
from punto.server.config import FloorConfig
from punto.store import open_store
from punto.table import Actor
from punto.table import commands as do

ANN: Final = Actor("ann", Position.PATRON)
Damage = Callable[[Attacker, str], object]


def add(attacker: Attacker, stream: str) -> None:
    attacker.append(stream, b"{}")


def cut(attacker: Attacker, stream: str) -> None:
    attacker.cut(stream, len(attacker.entries(stream)) - 1)


def garble(attacker: Attacker, stream: str) -> None:
    last = attacker.entries(stream)[-1]
    attacker.run("UPDATE entries SET hash = ? WHERE stream = ? AND version = ?", b"\0" * 32, stream, last.version)


PLAIN: Final = ("table/2", "wallet/ann", "tickets", "security")
AT_ONCE: Final = (
    (PLAIN, cut),
    (PLAIN, garble),
    ((*PLAIN, "book/2", "identity/staff", "identity/sessions", "heads"), add),
)
# What may keep the floor closed.
ALONE: Final = (
    ("identity/staff", garble),
    ("checkpoints", add),
    ("checkpoints", garble),
    ("heads", cut),
    ("heads", garble),
)


async def lived(folder: Path) -> FloorConfig:
    """A floor on which something of every kind was written, and that is closed."""
    config = configured(folder, BY_HAND, READ, checkpoints=(str(folder / "outside"),))
    server = make(config)
    await server.begin()
    await server.identity.first_account("greta", "a password of some length")
    floor = Opened(server)
    await floor.do(do.BuyIn, ANN, "2", patron="ann", cents=Cents(10_000), position=1)
    out = do.CashOut(id="ticket-" + "0" * 64, table="2", by=ANN, at_ms=0, patron="ann", cents=Cents(500), position=1)
    await server.hall.writer.give(out)
    with pytest.raises(PuntoError):
        await floor.do(do.OpenTable, ANN, "2", setup=BY_HAND.setup)
    with pytest.raises(PuntoError):
        await floor.do(do.CloseTable, ANN, "2")
    await server.checkpointing.take()
    await server.finish()
    server.hall.close()
    return config


async def opened_again(config: FloorConfig) -> tuple[str, dict[str, str]]:
    """What stops the floor from opening; else what health says is damaged."""
    server: Server | None = None
    try:
        server = make(config)
        await server.begin()
    except PuntoError as error:
        if server is not None:
            await server.finish()
            server.hall.close()
        return error.message, {}
    floor = Opened(server)
    health = (await floor.nobody("127.0.0.1").get("/health")).json()
    alarms = [hosted.for_staff(hosted.glance()).alarms for hosted in server.hall.tables.values()]
    await floor.close()
    await server.finish()
    server.hall.close()
    assert health["status"] in ("damaged", "ill") or not health["damaged"]
    assert not health["damaged"] or any(alarms) or all(key.startswith("wallet/") for key in health["damaged"])
    return "", health["damaged"]


def damage(config: FloorConfig, whole: bytes, streams: Iterable[str], how: Damage) -> list[str]:
    """Damage streams of a store that was whole, with nothing kept outside that would tell; the streams' names."""
    path = Path(config.store.removeprefix("sqlite:"))
    for other in (*path.parent.glob("floor.db*"), *(path.parent / "outside").glob("*")):
        other.unlink()
    path.write_bytes(whole)
    attacker = Attacker(config.store)
    names = [attacker.heads() if stream == "heads" else stream for stream in streams]
    for name in names:
        how(attacker, name)
    return names


def give_up_outside(config: FloorConfig, folder: Path) -> None:
    """Decide to open the floor without what is kept outside."""
    shutil.rmtree(folder / "outside")
    with closing(open_store(config.store)) as store:
        history = History(store, Keys.open(config.key_source, config.signer))
        Sequencer(history, [folder / "outside"]).accept(1, "Ann Tan", "the folder is lost")


@waits
async def test_damage_of_any_kind_is_named_when_the_floor_opens_or_it_stays_closed(tmp_path: Path) -> None:
    config = await lived(tmp_path)
    give_up_outside(config, tmp_path)
    whole = (tmp_path / "floor.db").read_bytes()
    assert await opened_again(config) == ("", {}), "whole, it opens and is well"
    for streams, how in AT_ONCE:
        names = damage(config, whole, streams, how)
        said, damaged = await opened_again(config)
        assert (said, names) == ("", [name for name in names if name in damaged]), how
    for stream, how in ALONE:
        [name] = damage(config, whole, [stream], how)
        said, damaged = await opened_again(config)
        assert "\n" not in said
        assert said or name in damaged, (stream, how)


@waits
async def test_damage_long_before_the_end_of_a_wallet_is_named_while_the_floor_is_open(tmp_path: Path) -> None:
    config = await lived(tmp_path)
    Attacker(config.store).run("UPDATE entries SET body = ? WHERE stream = 'wallet/ann' AND version = 1", b"{}")
    server = make(config)
    await server.begin()
    floor = Opened(server)
    try:
        assert (await floor.nobody("127.0.0.1").get("/health")).json()["damaged"] == {}
        await server.hall.watchman.look()
        health = (await floor.nobody("127.0.0.1").get("/health")).json()
        assert [*health["damaged"]] == ["wallet/ann"]
    finally:
        await floor.close()
        await server.finish()
        server.hall.close()


@waits
async def test_a_table_that_is_damaged_when_the_floor_opens_is_shown_as_stopped(tmp_path: Path) -> None:
    config = await lived(tmp_path)
    garble(Attacker(config.store), "table/2")
    server = make(config)
    await server.begin()
    floor = Opened(server)
    anybody, pit = floor.nobody(), await floor.staff()
    tiles = {tile["key"]: tile for tile in (await anybody.get("/api/tables")).json()}
    [seen] = [tile for tile in (await pit.get("/api/tables")).json() if tile["key"] == "2"]
    shown = (await anybody.get("/api/tables/2")).json()
    health = (await pit.get("/health")).json()
    figures = (await pit.get("/metrics")).text
    with pytest.raises(StreamStopped):
        await floor.do(do.LoadShoe, ANN, "2")
    await floor.do(do.BuyIn, ANN, "3", patron="ann", cents=Cents(100), position=1)
    await floor.close()
    await server.finish()
    server.hall.close()
    assert {key: tile["held_up"] for key, tile in tiles.items()} == {"2": "record", "3": ""}
    assert (tiles["2"]["title"]["en"], tiles["2"]["min_cents"]) == ("Baccarat", 500), "as the floor's file has it"
    assert [alarm["what"] for alarm in seen["alarms"]] == ["damaged"]
    assert (shown["wait"]["what"], shown["clock"]) == ("record", None)
    assert (health["tables"], health["status"], list(health["damaged"])) == (1, "damaged", ["table/2"])
    assert "punto_open_tables 1.0" in figures


@waits
async def test_a_floor_without_a_table_that_can_be_played_is_ill(tmp_path: Path) -> None:
    config = await lived(tmp_path)
    give_up_outside(config, tmp_path)
    keys = [table.key for table in config.tables]
    for stopped, status, code in ((keys[:1], "damaged", 200), (keys, "ill", 503)):
        for key in stopped:
            add(Attacker(config.store), f"table/{key}")
        server = make(config)
        await server.begin()
        floor = Opened(server)
        answer = await floor.nobody("127.0.0.1").get("/health")
        health = answer.json()
        await floor.close()
        await server.finish()
        server.hall.close()
        assert (answer.status_code, health["status"]) == (code, status)
        assert health["tables"] == len(keys) - len(stopped)
        assert {f"table/{key}" for key in stopped} <= health["damaged"].keys()
        assert ("no table can be played" in health["said"]) is (status == "ill")


@waits
async def test_a_stream_with_a_forged_name_is_named_quoted_and_cut_and_many_of_them_in_short(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    config = await lived(tmp_path)
    attacker = Attacker(config.store)
    for place in range(20):
        name = f"\x1b[2J\u202e{place}" + "x" * 500
        attacker.run("INSERT INTO entries VALUES (?, 1, NULL, ?, ?)", name, b"{}", b"\0" * 32)
    server = make(config)
    await server.begin()
    floor = Opened(server)
    try:
        damaged = (await floor.nobody("127.0.0.1").get("/health")).json()["damaged"]
        table = server.hall.tables["2"]
        alarm = (table.for_staff(table.glance()).alarms or ())[0]
    finally:
        await floor.close()
        await server.finish()
        server.hall.close()
    assert len(damaged) == 20
    for said in (*damaged, *damaged.values(), alarm.text.en, alarm.text.zh):
        assert said.isprintable()
        assert "x" * 101 not in said
    assert alarm.text.en.endswith("; and 15 more")
    assert not {"\x1b", "\u202e"} & set(capsys.readouterr().out)


@waits
async def test_where_there_are_very_many_streams_the_last_are_looked_at_while_the_floor_is_open(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    config = await lived(tmp_path)
    give_up_outside(config, tmp_path)
    Attacker(config.store).append("wallet/ann", b"{}")
    monkeypatch.setattr("punto.server.watchman._AT_THE_START_S", 0.0)
    monkeypatch.setattr("punto.server.watchman._AT_A_TIME_S", 0.0)
    server = make(config)
    await server.begin()
    floor = Opened(server)
    assert not server.hall.damaged()
    for _ in range(len([*server.hall.writer.floor.store.streams()])):
        await server.hall.watchman.look()
    assert [*server.hall.damaged()] == ["wallet/ann"]
    await floor.close()
    await server.finish()
    server.hall.close()
