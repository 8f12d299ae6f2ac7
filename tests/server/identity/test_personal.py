"""Personal data on a floor: who may keep, see and erase it; what law keeps; and that none of it leaks."""

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
from tests.server.identity.lobby import MANAGER, PASSWORD, Clock, Lobby, lobby
from tests.server.waiting import until, waits

from punto.errors import Malformed, NotAllowed
from punto.floor.personal import KeptKind
from punto.record import Code, audit
from punto.record import journal as noted
from punto.rules import Position
from punto.server.http import office
from punto.server.identity.events import PERSONS, SESSIONS, PersonErased, read
from punto.server.retention import DAY_MS, Retention

FULL_NAME: Final = "Xenia Quillfeather-Zhou"
NOTE: Final = "Zyzzogeton: asks for table 3"
LAW: Final = "the Example Act, section 12"
KEPT: Final = Retention({KeptKind.FULL_NAME: 30, KeptKind.ADDRESS: 7}, LAW)


async def registered(opened: Lobby, name: str = "", full_name: str = FULL_NAME) -> str:
    browser = await opened.signed_in()
    answer = await browser.post("/api/patrons", json={"name": name, "full_name": full_name})
    assert answer.status_code == 200, answer.text
    found: str = answer.json()["name"]
    return found


def events(opened: Lobby) -> list[Any]:
    store = opened.server.hall.writer.floor.store
    return [read(entry.body).event for entry in store.read(PERSONS)]


def is_clean(opened: Lobby) -> None:
    floor = opened.server.hall.writer.floor
    report = audit(floor.store, public_key=floor.keys.public)
    assert report.clean, report.findings[:3]


@waits
async def test_a_patron_gets_a_name_that_says_nothing_and_the_full_name_is_not_on_record(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = await opened.signed_in()
        assert await registered(opened) == "patron-1"
        assert await registered(opened, full_name="") == "patron-2"
        assert await registered(opened, "ann", "Ann Tan") == "ann"
        told = (await browser.get("/api/patrons")).json()
        assert told == [
            {"name": "ann", "full_name": "Ann Tan"},
            {"name": "patron-1", "full_name": FULL_NAME},
            {"name": "patron-2", "full_name": ""},
        ]
        # The name of somebody else is not given once more, nor is that person's full name changed by it.
        for name in ("ann", "ANN", MANAGER):
            again = await browser.post("/api/patrons", json={"name": name, "full_name": "Bea Lim"})
            assert (again.status_code, again.json()["code"]) == (409, "name-taken")
        assert (await browser.get("/api/patrons")).json() == told
        assert FULL_NAME.encode() not in opened.stored()
        assert b"Ann Tan" not in opened.stored()
        is_clean(opened)


@waits
async def test_staff_see_full_names_beside_names_and_nobody_else_does(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        manager = await opened.signed_in()
        new = {"name": "dealer-1", "position": "dealer", "password": "a long enough one", "full_name": FULL_NAME}
        assert (await manager.post("/api/staff", json=new)).json()["full_name"] == FULL_NAME
        [_, dealer] = sorted((await manager.get("/api/staff")).json(), key=lambda each: each["name"] != MANAGER)
        assert (dealer["name"], dealer["full_name"]) == ("dealer-1", FULL_NAME)
        assert FULL_NAME.encode() not in opened.stored()
        for path in ("/api/staff", "/api/patrons", "/api/people/dealer-1"):
            assert (await opened.browser().get(path)).status_code == 401
        is_clean(opened)


@waits
async def test_only_a_shift_manager_sees_all_that_is_kept_and_has_it_erased_and_nobody_their_own(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as opened:
        pam = await opened.hired("pam", Position.PIT_MANAGER)
        await registered(opened, "ann")
        assert (await pam.post("/api/people/ann/notes", json={"kind": "note", "text": NOTE})).status_code == 204
        wish = {"reason": "asked at the desk"}
        for method, path in (("GET", "/api/people/ann"), ("POST", "/api/people/ann/erasures")):
            answer = await pam.request(method, path, json=wish if method == "POST" else None)
            assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
        told = await pam.post(f"/api/people/{MANAGER}/notes", json={"kind": "note", "text": NOTE})
        assert (told.status_code, told.json()["code"]) == (403, "not-allowed")
        greta = await opened.signed_in()
        own = await greta.post(f"/api/people/{MANAGER}/erasures", json=wish)
        assert (own.status_code, own.json()["code"]) == (403, "not-allowed")
        found = (await greta.get("/api/people/ANN")).json()
        assert found["name"] == "ann"
        assert {(each["kind"], each["text"]) for each in found["kept"]} == {("full-name", FULL_NAME), ("note", NOTE)}
        done = (await greta.post("/api/people/ann/erasures", json=wish)).json()
        assert (done["erased"], done["stays"]) == (2, [])
        assert (await greta.get("/api/people/ann")).json()["kept"] == []
        assert (await greta.get("/api/patrons")).json() == [{"name": "ann", "full_name": ""}]
        again = await greta.post("/api/people/ann/erasures", json=wish)
        assert (again.status_code, again.json()["code"]) == (409, "refused")
        nobody = await greta.get("/api/people/zoe")
        assert (nobody.status_code, nobody.json()["code"]) == (404, "no-such-person")
        is_clean(opened)


@waits
async def test_before_personal_data_is_shown_or_erased_somebody_proves_again_who_it_is(tmp_path: Path) -> None:
    async with lobby(tmp_path, prove_again_s=60) as opened:
        await registered(opened, "ann")
        greta = await opened.signed_in()
        opened.clock.go(2)
        for method, path in (("GET", "/api/people/ann"), ("POST", "/api/people/ann/erasures")):
            answer = await greta.request(method, path, json={"reason": "asked"} if method == "POST" else None)
            assert (answer.status_code, answer.json()["code"]) == (401, "prove-again")


@waits
async def test_whoever_is_shown_what_is_kept_about_somebody_is_on_record_and_a_page_that_asks_again_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    now_s = [0.0]
    monkeypatch.setattr(office, "monotonic", lambda: now_s[0])
    async with lobby(tmp_path) as opened:
        for name in ("ann", "bob"):
            await registered(opened, name)
        store = opened.server.hall.writer.floor.store
        greta, again = await opened.signed_in(), await opened.signed_in()

        async def looks(browser: httpx.AsyncClient, person: str) -> list[str]:
            assert (await browser.get(f"/api/people/{person}")).status_code == 200
            await until(lambda: not opened.server.hall.journal.waiting)
            found = [noted.read(entry.body) for entry in store.read(noted.JOURNAL)]
            assert {each.by.name for each in found if isinstance(each.event, noted.RecordExported)} <= {MANAGER}
            return [each.event.of for each in found if isinstance(each.event, noted.RecordExported)]

        assert await looks(greta, "ANN") == ["ann"]
        now_s[0] = 59
        assert await looks(greta, "ann") == ["ann"]
        assert await looks(greta, "bob") == ["ann", "bob"]
        assert await looks(again, "ann") == ["ann", "bob", "ann"], "another session is another look"
        now_s[0] = 61
        assert await looks(greta, "ann") == ["ann", "bob", "ann", "ann"]
        dealer = await opened.hired("dan", Position.DEALER)
        assert (await dealer.get("/api/people/ann")).status_code == 403
        assert await looks(greta, "ann") == ["ann", "bob", "ann", "ann"], "what is refused shows nothing"
        is_clean(opened)


@waits
async def test_a_reason_is_short_and_does_not_name_the_person(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await registered(opened, "ann")
        greta = await opened.session()
        for reason in ("", " ", "two\nlines", "x" * 201, "Ms Quillfeather asked", "asked by XENIA", "asked by zhou"):
            with pytest.raises(Malformed):
                await opened.identity.personal.erase(greta, "ann", reason)
        assert not [each for each in events(opened) if isinstance(each, PersonErased)]


@waits
async def test_what_law_requires_stays_until_its_day_and_then_goes_by_itself(tmp_path: Path) -> None:
    clock = Clock()
    async with lobby(tmp_path, clock=clock, retention=KEPT) as opened:
        await registered(opened, "ann")
        registered_ms = clock()
        greta = await opened.signed_in()
        await greta.post("/api/people/ann/notes", json={"kind": "note", "text": NOTE})
        clock.go(60)
        greta = await opened.signed_in()
        done = (await greta.post("/api/people/ann/erasures", json={"reason": "asked at the desk"})).json()
        until_ms = registered_ms + 30 * DAY_MS
        assert done == {
            "name": "ann",
            "erased": 1,
            "stays": [{"kind": "full-name", "until_ms": until_ms, "count": 1, "why": "law"}],
            "basis": LAW,
        }
        [line] = (await greta.get("/api/people/ann")).json()["kept"]
        assert (line["text"], line["until_ms"]) == (FULL_NAME, until_ms)
        clock.at_ms = until_ms - 1
        await opened.identity.sweep()
        assert opened.server.hall.writer.floor.personal.of("ann").kept
        clock.go(1)
        await opened.identity.sweep()
        await opened.identity.sweep()
        assert opened.server.hall.writer.floor.personal.of("ann") == ((), ())
        asked, gone = (each for each in events(opened) if isinstance(each, PersonErased))
        assert (asked.reason, asked.basis, len(asked.erased)) == ("asked at the desk", LAW, 1)
        assert (gone.reason, gone.stays, gone.erased) == ("", (), asked.stays[0].commitments)
        is_clean(opened)


@waits
async def test_whoever_is_active_again_stays_on_file_for_as_long_as_law_says(tmp_path: Path) -> None:
    clock = Clock()
    async with lobby(tmp_path, clock=clock, retention=Retention({KeptKind.ADDRESS: 7}, LAW)) as opened:
        await opened.hired("dan", Position.DEALER)
        async with opened.browser() as browser:
            await browser.post("/api/sign-in", json={"name": "dan", "password": PASSWORD})
        greta = await opened.session()
        event = await opened.identity.personal.erase(greta, "dan", "left the house")
        [stay] = event.stays
        clock.go(24 * 60)
        await opened.identity.sign_in("dan", PASSWORD)
        clock.at_ms = stay.until_ms
        await opened.identity.sweep()
        later = events(opened)[-1]
        assert later.stays[0].until_ms == stay.until_ms + DAY_MS
        assert later.stays[0].commitments == stay.commitments
        clock.at_ms = later.stays[0].until_ms
        await opened.identity.sweep()
        assert events(opened)[-1].erased == stay.commitments
        is_clean(opened)


@waits
async def test_the_address_of_a_session_lies_beside_the_record_and_is_seen_by_whoever_sees_sessions(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path) as opened:
        browser = opened.browser("198.51.100.77")
        await browser.post("/api/sign-in", json={"name": MANAGER, "password": PASSWORD})
        assert b"198.51.100.77" not in opened.stored()
        assert "198.51.100.77" in {each["address"] for each in (await browser.get("/api/sessions")).json()}
    async with lobby(tmp_path) as opened:
        browser = await opened.signed_in()
        assert "198.51.100.77" in {each["address"] for each in (await browser.get("/api/sessions")).json()}
        floor = opened.server.hall.writer.floor
        assert KeptKind.ADDRESS in {each.kind for each in floor.personal.of(MANAGER).kept}


@waits
async def test_an_address_that_an_older_punto_wrote_down_is_still_read(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        floor, at_ms = opened.server.hall.writer.floor, opened.clock()
        old = {
            "at_ms": at_ms,
            "by": {"name": MANAGER, "position": "gaming-shift-manager"},
            "event": {
                "type": "session-began",
                "session": "0123456789abcdef",
                "token": "0" * 64,
                "name": MANAGER,
                "until_ms": at_ms + 60_000,
                "address": "192.0.2.9",
            },
        }
        await opened.server.hall.writer.call(floor.note, [(SESSIONS, msgspec.json.encode(old))], {}, at_ms)
        browser = await opened.signed_in()
        assert "192.0.2.9" in {each["address"] for each in (await browser.get("/api/sessions")).json()}


@waits
async def test_labels_of_devices_lie_beside_the_record(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.session()
        offered = await opened.identity.devices.offer(greta, 7, "Xenia's window")
        await opened.identity.enrol(offered.code)
        await opened.identity.devices.rename(greta, "terminal-7", "Xenia's door")
        assert b"Xenia" not in opened.stored()
        browser = await opened.signed_in()
        [device] = (await browser.get("/api/terminals")).json()
        assert device["label"] == "Xenia's door"
        is_clean(opened)


@waits
async def test_what_was_erased_is_erased_again_when_somebody_puts_the_rows_back(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    async with lobby(tmp_path) as opened:
        await registered(opened, "ann")
        with closing(sqlite3.connect(path)) as somebody:
            rows = {table: somebody.execute(f"SELECT * FROM {table}").fetchall() for table in ("persons", "personal")}  # noqa: S608
        await opened.identity.personal.erase(await opened.session(), "ann", "asked for it")
    with closing(sqlite3.connect(path)) as somebody:
        somebody.executemany("INSERT OR REPLACE INTO persons VALUES (?, ?)", rows["persons"])
        somebody.executemany("INSERT OR REPLACE INTO personal VALUES (?, ?, ?)", rows["personal"])
        somebody.commit()
    async with lobby(tmp_path) as opened:
        kept = opened.server.hall.writer.floor.personal
        assert not [each for each in kept.of("ann").kept if each.kind is KeptKind.FULL_NAME]
        assert not kept.of("ann").kept


@waits
async def test_a_copy_from_before_an_erasure_learns_of_it_from_the_folder_of_checkpoints(tmp_path: Path) -> None:
    """The record of the copy knows of no erasure; the list outside does."""
    live, copy, outside = tmp_path / "live", tmp_path / "copy", tmp_path / "outside"
    live.mkdir()
    outside.mkdir()
    async with lobby(live) as opened:
        await registered(opened, "ann")
        await registered(opened, "bob", "Robert Lim")
    shutil.copytree(live, copy)
    async with lobby(live, checkpoints=(str(outside),)) as opened:
        await opened.identity.personal.erase(await opened.session(), "ann", "asked for it")
    (outside / "erased").write_bytes((outside / "erased").read_bytes() + b"torn \xff line")
    listed = (outside / "erased").read_text(errors="replace")
    assert FULL_NAME not in listed
    assert "ann" not in listed
    for place in outside.iterdir():
        if place.name != "erased":
            place.unlink()
    async with lobby(copy) as opened:
        assert opened.server.hall.writer.floor.personal.of("ann").kept, "without the list it has all again"
    async with lobby(copy, checkpoints=(str(outside),)) as opened:
        kept = opened.server.hall.writer.floor.personal
        assert kept.of("ann").kept == ()
        assert kept.of("bob").kept
        browser = await opened.signed_in()
        assert {"name": "ann", "full_name": ""} in (await browser.get("/api/patrons")).json()


@waits
async def test_whoever_lost_the_right_meanwhile_leaves_nothing_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("sue", Position.PIT_SUPERVISOR)
        await registered(opened, "ann", "")
        sue, greta, personal = await opened.session("sue"), await opened.session(), opened.identity.personal
        keep = personal._keep  # noqa: SLF001

        async def slow(*asked: Any) -> str:  # noqa: ANN401
            commitment = await keep(*asked)
            await opened.identity.accounts.move(greta, "sue", Position.DEALER)
            return commitment

        monkeypatch.setattr(personal, "_keep", slow)
        with pytest.raises(NotAllowed):
            await personal.note(sue, "ann", KeptKind.NOTE, NOTE)
        assert opened.server.hall.writer.floor.personal.of("ann") == ((), ())
        assert events(opened) == []


@waits
async def test_damage_is_shown_to_nobody_and_keeps_nobody_out(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        await registered(opened, "ann")
        await registered(opened, "bob", "Robert Lim")
    with closing(sqlite3.connect(tmp_path / "floor.db")) as somebody:
        swapped = somebody.execute("SELECT sealed FROM personal WHERE person = 'bob'").fetchone()
        somebody.execute("UPDATE personal SET sealed = ? WHERE person = 'ann'", swapped)
        somebody.execute("UPDATE persons SET key = x'00' WHERE person = ?", (MANAGER,))
        somebody.commit()
    async with lobby(tmp_path) as opened:
        browser = await opened.signed_in()
        told = (await browser.get("/api/patrons")).json()
        assert told == [{"name": "ann", "full_name": ""}, {"name": "bob", "full_name": "Robert Lim"}]
        found = (await browser.get("/api/people/ann")).json()
        assert (found["kept"], found["damaged"]) == ([], 1)
        done = await browser.post("/api/people/ann/erasures", json={"reason": "asked for it"})
        assert done.status_code == 200
        assert (await browser.get("/api/people/ann")).json()["damaged"] == 0
        is_clean(opened)


# What the floor writes


@waits
async def test_a_full_name_is_in_nothing_that_the_floor_writes_and_once_erased_in_no_file(
    tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    outside = tmp_path / "outside"
    async with lobby(tmp_path, checkpoints=(str(outside),), checkpoint_every_s=1) as opened:
        await registered(opened, "ann")
        browser = await opened.signed_in()
        await browser.post("/api/people/ann/notes", json={"kind": "note", "text": NOTE})
        there = opened.server.hall.writer.floor.store.dossier("ann")
        assert there
        sealed = [there.key, *there.rows.values()]
        said = [await browser.post("/api/patrons", json={"name": "ann", "full_name": FULL_NAME})]
        said.append(await browser.post("/api/patrons", json={"name": "x" * 500, "full_name": FULL_NAME}))
        said.append(await browser.post("/api/people/nobody/notes", json={"kind": "note", "text": NOTE}))
        said.append(await browser.post("/api/people/ann/erasures", json={"reason": f"{FULL_NAME} asked"}))
        assert all(answer.status_code >= 400 for answer in said)
        said.append(await opened.browser("127.0.0.1").get("/metrics"))
        said.append(await opened.browser().get("/health"))
        said += [await opened.browser().get(path) for path in ("/api/me", "/api/tables", "/api/checkpoints")]
        assert _named_in("".join(answer.text for answer in said).encode()) == []
        assert _named_in(opened.stored()) == []
        is_clean(opened)
        await browser.post("/api/people/ann/erasures", json={"reason": "asked for it"})
        assert [path for path, held in _files(tmp_path).items() if any(each in held for each in sealed)] == []
    assert {path: _named_in(held) for path, held in _files(tmp_path).items() if _named_in(held)} == {}
    out, err = capfd.readouterr()
    assert _named_in((out + err).encode()) == []


def _files(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def _named_in(held: bytes) -> list[str]:
    return [word for word in (*FULL_NAME.replace("-", " ").split(), "Zyzzogeton") if word.encode() in held]


# The audit


@waits
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reason": ""}, "without a reason"),
        ({"by": {"name": "ann", "position": "gaming-shift-manager"}}, "ann had erased what is kept about ann"),
        ({"by": {"name": "dan", "position": "dealer"}}, "may not have personal data erased"),
        ({"decided_by": "somebody"}, "which only the machine does"),
        ({"by": {"name": "floor", "position": "system"}}, "nobody decided to erase"),
        ({"by": {"name": "floor", "position": "system"}, "reason": ""}, "before its time, or unasked"),
        ({"erased": ["a" * 64, "a" * 64]}, "erased once more"),
        ({"stays": [{"kind": "note", "until_ms": 1, "commitments": ["a" * 64]}]}, "until a time that was over"),
    ],
)
async def test_the_audit_finds_an_erasure_that_nobody_may_have_asked_for(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    async with lobby(tmp_path) as opened:
        await opened.hired("dan", Position.DEALER)
        await registered(opened, "ann", "")
        floor, at_ms = opened.server.hall.writer.floor, opened.clock()
        session = await opened.session()
        event = {"type": "person-erased", "person": "ann", "erased": ["b" * 64], "reason": "asked"}
        by = changed.get("by", {"name": MANAGER, "position": "gaming-shift-manager"})
        event |= {key: value for key, value in changed.items() if key != "by"}
        body = {"at_ms": at_ms, "by": by, "event": event, "session": session.id}
        await opened.server.hall.writer.call(floor.note, [(PERSONS, msgspec.json.encode(body))], {}, at_ms)
        findings = audit(floor.store, public_key=floor.keys.public).findings
        assert [(each.code, said in each.said) for each in findings if each.stream == PERSONS] == [
            (Code.BAD_REGISTER, True)
        ], findings


@waits
@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"kind": "address"}, "which nobody does by hand"),
        ({"commitment": "c" * 64}, "was on record already"),
        ({"by": "dan"}, "may not write about people"),
        ({"person": MANAGER, "by": "sue"}, "may not write about people"),
    ],
)
async def test_the_audit_finds_a_note_that_nobody_may_have_written(
    tmp_path: Path, changed: dict[str, Any], said: str
) -> None:
    async with lobby(tmp_path) as opened:
        positions = {"dan": "dealer", "sue": "pit-supervisor", MANAGER: "gaming-shift-manager"}
        await opened.hired("dan", Position.DEALER)
        await opened.hired("sue", Position.PIT_SUPERVISOR)
        floor, at_ms = opened.server.hall.writer.floor, opened.clock()
        event = {"type": "person-noted", "person": "ann", "kind": "note", "commitment": "c" * 64}
        lines = [(MANAGER, event), (changed.get("by", MANAGER), event | {"commitment": "d" * 64} | changed)]
        for name, each in lines:
            session = await opened.session(name)
            by = {"name": name, "position": positions[name]}
            told = {key: value for key, value in each.items() if key != "by"}
            body = msgspec.json.encode({"at_ms": at_ms, "by": by, "event": told, "session": session.id})
            await opened.server.hall.writer.call(floor.note, [(PERSONS, body)], {}, at_ms)
        findings = audit(floor.store, public_key=floor.keys.public).findings
        assert [said in each.said for each in findings if each.stream == PERSONS] == [True], findings
