"""Floors as processes: one that another has overtaken writes nothing more and ends; one that is killed is judged."""

import asyncio
import json
import signal
import sys
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from subprocess import PIPE
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import msgspec
import pytest
from tests.children import spawn
from tests.cli.served import PATIENCE_S, Open, free_port, serving
from tests.cli.shell import punto
from tests.server.http.floor import configured, opened
from tests.server.identity.lobby import _cheap_hashes
from tests.server.waiting import waits
from tests.store.places import schemas_in
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from punto.errors import Fenced
from punto.server.app import make
from punto.server.config import FloorConfig
from punto.store import open_store
from punto.table import Table
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

ROOT = Path(__file__).resolve().parents[2]

PASSWORD = "planted-password-xyzzy"
FILE = """
store = "{store}"
key-file = "{key}"
port = {port}
[[table]]
key = "1"
game = "tiger"
always = true
"""


async def make_account(config: FloorConfig) -> None:
    """Open the first account of a floor."""
    server = make(config)
    await server.identity.begin()
    await server.identity.first_account("gus", PASSWORD)
    await server.identity.stop()
    server.hall.close()


def asked(floor: Open, path: str, **body: str) -> tuple[int, dict[str, object]]:
    """What a floor answers: the status, and the body."""
    headers = {"origin": floor.address, "content-type": "application/json"}
    request = Request(floor.address + path, json.dumps(body).encode() if body else None, headers)  # noqa: S310
    try:
        with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return answer.status, json.loads(answer.read())
    except HTTPError as error:
        return error.code, json.loads(error.read())


def heard(page: ClientConnection) -> Iterator[dict[str, Any]]:
    """Everything that a page is told until its connection is closed."""
    with suppress(ConnectionClosed):
        while True:
            yield from json.loads(page.recv(PATIENCE_S))


@pytest.mark.nightly
@pytest.mark.usefixtures("_cheap_hashes")
@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
def test_a_floor_that_was_stopped_and_overtaken_writes_nothing_says_why_and_ends(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    postgres = kind == "postgres"
    store = schemas_in(request.getfixturevalue("database_url"))() if postgres else f"sqlite:{tmp_path}/floor.db"
    asyncio.run(make_account(FloorConfig(tables=(), store=store, key_file=str(tmp_path / "floor.key"))))
    other = tmp_path / "other"
    other.mkdir()
    for name in ("first.toml", "second.toml"):
        (tmp_path / name).write_text(FILE.format(store=store, key=tmp_path / "floor.key", port=free_port()))
    with serving("first.toml", cwd=tmp_path) as first:
        assert asked(first, "/api/sign-in", name="gus", password=PASSWORD)[0] == 200
        with connect(f"{first.address.replace('http', 'ws', 1)}/live", origin=first.address, proxy=None) as page:  # type: ignore[arg-type]
            page.send(json.dumps({"t": "watch", "table": "1"}))
            first.process.send_signal(signal.SIGSTOP)
            with closing(open_store(store, read_only=True)) as kept:
                written = dict(kept.streams("heads/"))
            (tmp_path / "floor.db.lock").unlink(missing_ok=True)  # as where a file system has no locks
            with serving("../second.toml", cwd=other) as second:
                first.process.send_signal(signal.SIGCONT)
                status, body = asked(first, "/api/sign-in", name="gus", password=PASSWORD)
                assert (status, body["code"]) == (503, "fenced")
                status, body = asked(first, "/health")
                assert (status, body["status"]) == (503, "ill")
                told = list(heard(page))
                assert [each["code"] for each in told if each["t"] == "ended"] == ["elsewhere"]
                shown = [each["set"] for each in told if each["t"] == "table"]
                assert shown[-1]["wait"] == {"what": "elsewhere", "clause": ""}
                assert shown[-1]["phase"] == "closed"
                assert first.process.wait(PATIENCE_S) == 2
                assert first.said.splitlines()[-1] == (
                    "punto: another process runs every table of this floor now: this one serves nothing any more"
                )
                assert "Traceback" not in first.said
                assert asked(second, "/health")[0] == 200
                with closing(open_store(store, read_only=True)) as kept:
                    assert {stream: kept.tip(stream) for stream in written} == written
                assert second.stop() == 0
    assert punto("audit", store, "--key", str(tmp_path / "floor.key")).status == 0


@waits
async def test_a_table_that_another_process_runs_is_shown_as_such_and_the_others_go_on(tmp_path: Path) -> None:
    """Floors that share a store own different tables; one that takes a table from another takes only that."""
    async with opened(tmp_path) as floor:
        nobody = floor.nobody()
        config = configured(tmp_path)
        other = make(msgspec.structs.replace(config, tables=config.tables[:1]))
        other.shares_store = True
        await other.begin()
        try:
            await floor.until(lambda: floor.hall.writer.floor.lost)
            tables = floor.hall.tables
            await floor.until(lambda: tables["1"].state().wait is not None)
            assert tables["1"].state().wait.what == "elsewhere"  # type: ignore[union-attr]
            assert (tables["1"].state().phase, tables["1"].state().cards) == ("closed", ())
            assert tables["1"].state().info is not None  # so that pages have a place to say it
            health = await nobody.get("/health")
            assert (health.status_code, health.json()["status"], health.json()["tables"]) == (200, "damaged", 2)
            _, ann = await floor.guest()  # who comes in is written down, as long as any table is this floor's
            with pytest.raises(Fenced):
                await floor.do(do.BuyIn, ann, "1", patron=ann.name, cents=500, position=1)
            await floor.do(do.BuyIn, ann, "2", patron=ann.name, cents=500, position=1)
            assert floor.hall.fenced is None
            for key in ("2", "3"):
                await other.hall.writer.call(other.hall.writer.floor.take_over, key)
            answer = await nobody.post("/api/guest")
            assert (answer.status_code, answer.json()["code"]) == (503, "fenced")
            assert floor.hall.fenced is not None
            assert (await nobody.get("/health")).status_code == 503
            await floor.until(lambda: floor.hall.is_over)
        finally:
            await other.finish()
            other.hall.close()


SQUEEZE = """
import sys
from punto.rules import Method
from punto.rules.money import Cents
from punto.server.clockwork import Pace
from punto.server.config import TableConfig
from punto.table import Limit, Setup, Timings, with_virtual_cards
from tests.web.served import main

setup = Setup(game="baccarat", method=Method.A, timings=Timings(bets_ms=1_500, answer_ms=30_000),
    limits={"*": Limit(Cents(500), Cents(500_000))})
pace = Pace(card_ms=20, speech_ms=20, result_ms=200, shoe_ms=20, cut_ms=20)
main((TableConfig(key="1", setup=with_virtual_cards(setup), pace=pace),), sys.argv[1], sys.argv[2])
"""


class Guest:
    """A guest's page at a floor that comes and goes, without a browser."""

    def __init__(self, port: int, cookie: str = "") -> None:
        self.address = f"http://127.0.0.1:{port}"
        self.cookie = cookie or self._enrol()
        headers = {"cookie": self.cookie, "origin": self.address}
        self._line = connect(f"ws://127.0.0.1:{port}/live", additional_headers=headers, proxy=None)
        self.page = self._line.__enter__()
        self.own: dict[str, Any] = {}
        self.send(t="sit", table="1")
        self.until(lambda _: self.own)

    def _enrol(self) -> str:
        request = Request(f"{self.address}/api/guest", b"{}", {"origin": self.address})  # noqa: S310
        with urlopen(request, timeout=PATIENCE_S) as answer:  # noqa: S310
            return str(answer.headers["set-cookie"]).partition(";")[0]

    def send(self, **message: Any) -> None:  # noqa: ANN401
        self.page.send(json.dumps(message))

    def until(self, is_so: Callable[[dict[str, Any]], Any]) -> None:
        """Hear what comes until a message makes something so."""
        while True:
            for message in json.loads(self.page.recv(PATIENCE_S)):
                if message["t"] == "own":
                    self.own |= message["set"]
                if is_so(message):
                    return

    def play(self, wager: str, cents: int) -> None:
        """Buy credits, and stake some as soon as bets are open."""
        self.send(t="buy", id=f"buy-{cents}", table="1", cents=10_000)
        self.until(lambda told: told["t"] == "table" and told["set"].get("phase") == "bets-open")
        self.send(t="stake", id=f"stake-{cents}", table="1", wager=wager, cents=cents)
        self.until(lambda told: told["t"] == "accepted" and told["id"] == f"stake-{cents}")


@contextmanager
def squeezed(folder: Path, port: int) -> Iterator[Any]:
    """A floor whose cards go to the patrons."""
    process = spawn([sys.executable, "-c", SQUEEZE, str(folder), str(port)], cwd=ROOT, stdout=PIPE, text=True)
    assert process.stdout
    try:
        assert process.stdout
        assert process.stdout.readline()
        yield process
    finally:
        process.kill()
        process.communicate()


@pytest.mark.nightly
def test_a_floor_killed_during_a_squeeze_lets_only_those_withdraw_who_have_not_seen_the_cards(tmp_path: Path) -> None:
    port = free_port()
    with squeezed(tmp_path, port) as process:
        ann, bob = Guest(port), Guest(port)
        bob.send(t="buy", id="bob", table="1", cents=10_000)
        ann.play("Player", 2_000)
        bob.send(t="stake", id="tie", table="1", wager="Tie", cents=1_000)
        ann.until(lambda _: ann.own["offered"])
        assert not ann.own["holding"]
        ann.send(t="do", id="take", table="1", act={"do": "accept-cards", "side": "player"})
        ann.until(lambda _: ann.own["holding"])
        assert all(ann.own["holding"]["player"])
        process.kill()
    with closing(open_store(f"sqlite:{tmp_path}/floor.db", read_only=True)) as store:
        assert any(b'"cards-accepted"' in entry.body for entry in store.read("table/1"))
    with squeezed(tmp_path, port):
        again = {guest.cookie: Guest(port, guest.cookie) for guest in (ann, bob)}
        assert again[ann.cookie].own["offer"] is None
        offer = again[bob.cookie].own["offer"]
        assert (offer["whole"], offer["clause"], len(offer["wagers"])) == (True, "B8 5.17.1", 1)
    assert punto("audit", f"{tmp_path}/floor.db", "--key", f"{tmp_path}/floor.key").status == 0


@waits
async def test_what_was_written_before_a_table_moved_elsewhere_is_answered_and_no_longer_shown(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        _, ann = await floor.guest()
        await floor.do(do.BuyIn, ann, "1", patron=ann.name, cents=500, position=1)
        hosted = floor.hall.tables["1"]
        version = hosted.version
        hosted.give_up()
        answer = await floor.do(do.BuyIn, ann, "1", patron=ann.name, cents=500, position=1)
        assert answer.version > version
        assert (hosted.version, hosted.table) == (version, Table())
        assert hosted.state().wait.what == "elsewhere"  # type: ignore[union-attr]
