"""What is kept about somebody, shown and erased from the machine itself."""

import json
import time
from asyncio import to_thread
from pathlib import Path
from typing import Final

import pytest
from tests.cli.shell import punto
from tests.server.identity.lobby import Clock, _cheap_hashes, lobby
from tests.server.test_attendance import street
from tests.server.test_claims import DEALT, pit
from tests.server.waiting import waits

from punto.cli.noting import who
from punto.floor import Keys
from punto.floor.personal import KeptKind
from punto.record import audit
from punto.record.significant import EventKind, last_events
from punto.server.identity.events import PERSONS, read
from punto.store import open_store

__all__ = ["_cheap_hashes"]

WHY: Final = ("--by", "it-operations", "--reason", "asked by letter")
_FILE: Final = """
store = "sqlite:floor.db"
key-file = "floor.key"
checkpoints = ["outside"]
[retention]
full-name-days = 3650
basis = "the Example Act, section 12"
[[table]]
key = "1"
game = "tiger"
"""


@pytest.fixture
def file(tmp_path: Path) -> str:
    """A floor that knows somebody."""

    @waits
    async def live() -> None:
        async with lobby(tmp_path) as opened:
            greta = await opened.session()
            await opened.identity.personal.register_patron(greta, "ann", "Xenia Quillfeather")
            await opened.identity.personal.note(greta, "ann", KeptKind.NOTE, "asks for\ntable 3 \x1b[2J")

    live()
    (tmp_path / "floor.toml").write_text(_FILE)
    return str(tmp_path / "floor.toml")


def test_what_is_kept_is_shown_with_its_time_and_law_and_as_json_for_the_person(file: str) -> None:
    said = punto("person", file, "ANN")
    assert said.status == 0
    assert said.out.splitlines()[0].startswith("ann, last active ")
    assert "full-name, since " in said.out
    assert "; stays until 20" in said.out
    assert ": Xenia Quillfeather\n" in said.out
    assert "asks for / table 3 ?[2J" in said.out
    assert "Kept by law: the Example Act, section 12" in said.out
    told = json.loads(punto("person", file, "ann", "--json").out)
    assert {each["kind"]: each["text"] for each in told["kept"]} == {
        "full-name": "Xenia Quillfeather",
        "note": "asks for\ntable 3 \x1b[2J",
    }
    assert told["basis"] == "the Example Act, section 12"
    store = open_store(f"sqlite:{Path(file).parent / 'floor.db'}", read_only=True)
    looks = last_events(store, [EventKind.EXPORT])
    report = audit(store, public_key=Keys.at(Path(file).parent / "floor.key").public)
    store.close()
    assert [each.said for each in looks] == [
        f"Somebody was shown all that is kept about ann (by {who()}, on the machine)"
    ] * 2
    assert report.clean, report.findings[:3]


def test_where_law_keeps_nothing_no_law_is_named(file: str) -> None:
    path = Path(file)
    path.write_text(path.read_text().replace("full-name-days", "address-days"))
    assert punto("person", file, "ann", "--erase", *WHY).status == 0
    said = punto("person", file, "ann").out
    assert "  Nothing is kept beside the record.\n" in said
    assert "Kept by law" not in said


@waits
async def test_the_machine_erases_no_words_of_a_claim_before_its_time(tmp_path: Path) -> None:
    clock = Clock()
    clock.at_ms = time.time_ns() // 1_000_000  # the machine's own
    async with street(tmp_path, DEALT, clock=clock) as there:
        opened = await pit(there)
        (tmp_path / "floor.toml").write_text(_FILE)
        for answered, stays in (
            (False, "Stays: 1 of claim until "),
            (True, "Stays: 2 of claim until "),
        ):
            assert (await (opened.answers(1) if answered else opened.claims())).status_code == 200
            told = json.loads((await to_thread(punto, "person", str(tmp_path), opened.guest, "--json")).out)
            assert {each["stays_for"] for each in told["kept"]} == {"claim" if answered else "open-claim"}
            said = await to_thread(punto, "person", str(tmp_path), opened.guest, "--erase", *WHY)
            assert said.out.startswith(f"Erased: 0 texts about {opened.guest}."), said
            assert stays in said.out
        store = open_store(f"sqlite:{tmp_path / 'floor.db'}", read_only=True)
        assert not audit(store).total
        store.close()


def test_an_erasure_from_the_machine_is_on_record_and_the_audit_is_content(file: str) -> None:
    folder = Path(file).parent
    said = punto("person", file, "ann", "--erase", *WHY)
    assert said.status == 0, said.err
    assert said.out.startswith("Erased: 1 text about ann.")
    assert "Stays: 1 of full-name until " in said.out
    store = open_store(f"sqlite:{folder / 'floor.db'}", read_only=True)
    event = read([*store.read(PERSONS)][-1].body).event
    assert (event.decided_by, event.reason) == ("it-operations", "asked by letter")  # type: ignore[union-attr]
    report = audit(store, public_key=Keys.at(folder / "floor.key").public)
    store.close()
    assert report.clean, report.findings[:3]
    assert (folder / "outside" / "erased").read_text().split() == [*event.erased]  # type: ignore[union-attr]
    assert [each["kind"] for each in json.loads(punto("person", file, "ann", "--json").out)["kept"]] == ["full-name"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["zoe"], "nothing is kept about 'zoe'"),
        (["ann", "--erase"], "expected --by with the name of whoever decides it"),
        (["ann", "--erase", "--by", "Ann", "--reason", "two\nlines"], "expected one line"),
        (["ann", "--erase", "--by", "Ann", "--reason", "for Ms Quillfeather"], "must not name the person"),
        (["ann", "--erase", "--by", "ANN", "--reason", "for myself"], "your own personal data erased"),
    ],
)
def test_what_is_no_decision_erases_nothing(file: str, arguments: list[str], said: str) -> None:
    refused = punto("person", file, *arguments)
    assert refused.status == 2, refused.out
    assert said in refused.err
    assert "Traceback" not in refused.err
    assert len(json.loads(punto("person", file, "ann", "--json").out)["kept"]) == 2


@waits
async def test_while_the_floor_is_open_it_hears_of_an_erasure_from_the_machine(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        (tmp_path / "floor.toml").write_text(_FILE.replace("full-name-days = 3650\n", ""))
        greta = await opened.session()
        await opened.identity.personal.register_patron(greta, "ann", "Xenia Quillfeather")
        browser = await opened.signed_in()
        assert (await browser.get("/api/patrons")).json()[0]["full_name"]
        assert punto("person", str(tmp_path), "ann", "--erase", *WHY).status == 0
        await opened.identity.sweep()
        assert not (await browser.get("/api/patrons")).json()[0]["full_name"]
