"""The doors by HTTP: signing in and out, guests, terminals, and whose pages are listened to."""

from pathlib import Path
from typing import Any

import pytest
from httpx import Response
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, lobby
from tests.server.waiting import waits

from punto.rules import Position


def told(answer: Response) -> tuple[int, str]:
    """The status and the code of a problem, which has one shape."""
    problem = answer.json()
    assert problem.keys() == {"code", "message"}
    return answer.status_code, problem["code"]


def flags(answer: Response) -> set[str]:
    return {part.strip().lower() for part in answer.headers["set-cookie"].split(";")[1:]}


@waits
async def test_a_body_that_is_missing_is_missed_in_one_line(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        answer = await opened.browser().post("/api/sign-in")
        assert (answer.status_code, answer.json()["message"]) == (400, "the body is missing: expected JSON")


@waits
async def test_somebody_signs_in_is_known_and_signs_out(tmp_path: Path) -> None:
    async with lobby(tmp_path, idle_s=900) as opened:
        browser = opened.browser()
        assert (await browser.get("/api/me")).json()["staff"] == ""
        answer = await browser.post("/api/sign-in", json={"name": "Greta", "password": PASSWORD})
        assert answer.status_code == 200
        assert {"httponly", "samesite=strict", "path=/", "max-age=43200"} <= flags(answer)
        assert answer.headers["cache-control"] == "no-store"
        assert "secure" not in flags(answer)
        me = (await browser.get("/api/me")).json()
        assert (me["staff"], me["position"], me["acting"]) == (MANAGER, "gaming-shift-manager", False)
        assert (me["must_change"], me["idle_s"]) == (False, 900)
        cookies = dict(browser.cookies)
        assert (await browser.post("/api/sign-out")).status_code == 204
        assert list(browser.cookies) == ["punto_browser"]  # the next sign-in here waits for no stranger
        browser.cookies.update(cookies)
        assert (await browser.get("/api/me")).json()["staff"] == ""


@waits
async def test_signing_in_again_ends_the_session_before(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = await opened.signed_in()
        first = (await browser.get("/api/me")).json()["session"]
        await browser.post("/api/sign-in", json={"name": MANAGER, "password": PASSWORD})
        sessions = (await browser.get("/api/sessions")).json()
        assert [each["id"] for each in sessions if each["id"] == first] == []


@waits
async def test_behind_tls_cookies_are_secure_and_for_this_very_host(tmp_path: Path) -> None:
    async with lobby(tmp_path, behind_proxy=True) as opened:
        browser = opened.browser(origin="https://127.0.0.1:8421")
        answer = await browser.post("/api/sign-in", json={"name": MANAGER, "password": PASSWORD})
        assert answer.headers["set-cookie"].startswith("__Host-punto_staff=")
        assert {"secure", "httponly", "samesite=strict", "path=/"} <= flags(answer)


@pytest.mark.parametrize(
    "body",
    [
        {},
        ["x"],
        {"name": MANAGER},
        {"name": "", "password": "x"},
        {"name": 1, "password": "x"},
        {"name": "x" * 65, "password": "y"},
        {"name": "a", "password": "b", "position": "dealer"},
    ],
)
def test_what_does_not_read_is_malformed(tmp_path: Path, body: Any) -> None:  # noqa: ANN401
    @waits
    async def run(folder: Path) -> None:
        async with lobby(folder) as opened:
            assert told(await opened.browser().post("/api/sign-in", json=body)) == (400, "malformed")

    run(tmp_path)


@waits
async def test_a_wrong_password_and_too_many_of_them_have_their_own_codes(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = opened.browser()
        answers = [
            told(await browser.post("/api/sign-in", json={"name": MANAGER, "password": "wrong"})) for _ in range(11)
        ]
        assert answers == [(401, "wrong-password")] * 5 + [(429, "too-fast")] * 6


@waits
async def test_what_another_sites_page_asks_is_not_done(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        browser = await opened.signed_in()
        for headers in ({"origin": "http://evil.test"}, {"origin": "null"}, {"origin": ""}):
            assert told(await browser.post("/api/sign-out", headers=headers)) == (403, "not-allowed")
            assert told(await browser.delete(f"/api/staff/{MANAGER}", headers=headers)) == (403, "not-allowed")
        with_token = {"origin": "", "authorization": "Bearer x"}
        assert told(await browser.post("/api/sign-out", headers=with_token)) == (403, "not-allowed")
        same = {"origin": "", "sec-fetch-site": "same-origin"}
        assert (await browser.post("/api/sign-out", headers=same)).status_code == 204


@waits
async def test_a_device_with_a_token_needs_no_page(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        answer = await opened.browser().post("/api/guest", headers={"origin": "", "authorization": "Bearer x"})
        assert answer.status_code == 200


@waits
async def test_somebody_changes_the_password_and_must_know_the_old_one(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        assert told(await opened.browser().post("/api/password", json={"old": "x", "new": "y"})) == (
            401,
            "not-signed-in",
        )
        browser, elsewhere = await opened.signed_in(), await opened.signed_in()

        async def change(old: str, new: str) -> Response:
            return await browser.post("/api/password", json={"old": old, "new": new})

        assert told(await change("wrong", OTHER_PASSWORD)) == (401, "wrong-password")
        assert told(await change(PASSWORD, "short")) == (400, "bad-password")
        assert told(await change(PASSWORD, PASSWORD)) == (400, "bad-password")
        assert (await change(PASSWORD, OTHER_PASSWORD)).status_code == 204
        assert (await browser.get("/api/me")).json()["staff"] == MANAGER
        assert (await elsewhere.get("/api/me")).json()["staff"] == ""
        await opened.signed_in(password=OTHER_PASSWORD)


@waits
async def test_a_guest_of_a_demonstration_gets_a_terminal_and_keeps_it(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        browser = opened.browser()
        answer = await browser.post("/api/guest")
        name = answer.json()["patron"]
        assert name.startswith("guest-")
        assert len(name) == 12
        assert (await browser.post("/api/guest")).json() == {"patron": name}
        me = await browser.get("/api/me")
        assert me.json()["patron"] == name
        assert me.headers["set-cookie"].split(";")[0] == answer.headers["set-cookie"].split(";")[0]


@waits
async def test_one_address_gets_only_so_many_guests(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        statuses = [(await opened.browser().post("/api/guest")).status_code for _ in range(61)]
        assert statuses == [200] * 60 + [429]
        assert (await opened.browser("10.0.0.8").post("/api/guest")).status_code == 200


@waits
async def test_a_floor_that_is_no_demonstration_takes_no_guests(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        assert told(await opened.browser().post("/api/guest")) == (403, "not-allowed")


@waits
async def test_a_code_makes_a_device_a_terminal_once_and_in_time(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        pit = await opened.hired("eve", Position.PIT_SUPERVISOR)
        offered = (await pit.post("/api/terminals", json={"number": 7, "label": "by the window"})).json()
        device = opened.browser()
        typed = offered["code"].lower().replace("-", " ")
        assert (await device.post("/api/enrol", json={"code": typed})).json() == {"patron": "terminal-7"}
        assert (await device.get("/api/me")).json()["label"] == "by the window"
        # When its page is loaded anew, it is still that terminal.
        assert (await device.post("/api/guest")).json() == {"patron": "terminal-7"}
        for code in (offered["code"], "AAAA-BBBB-CCCC", ""):
            assert told(await opened.browser().post("/api/enrol", json={"code": code})) == (409, "bad-code")
        late = (await pit.post("/api/terminals", json={"number": 8})).json()
        opened.clock.go(10)
        assert told(await opened.browser().post("/api/enrol", json={"code": late["code"]})) == (409, "bad-code")


@waits
async def test_codes_cannot_be_guessed_by_trying_many(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = opened.browser()
        answers = [told(await browser.post("/api/enrol", json={"code": f"AAAA-{n}"})) for n in range(13)]
        assert answers == [(409, "bad-code")] * 10 + [(429, "too-fast")] * 3
        # The right code is good from there all the same.
        pit = await opened.hired("eve", Position.PIT_SUPERVISOR)
        offered = (await pit.post("/api/terminals", json={"number": 7, "label": "by the window"})).json()
        enrolled = await browser.post("/api/enrol", json={"code": offered["code"]})
        assert enrolled.json() == {"patron": "terminal-7"}
        assert told(await browser.post("/api/enrol", json={"code": offered["code"]})) == (429, "too-fast")


@waits
async def test_a_link_leads_to_the_pit_once(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        code = opened.identity.link("Pit", Position.PIT_MANAGER)
        browser = opened.browser()
        answer = await browser.get(f"/enter/{code}")
        assert (answer.status_code // 100, answer.headers["location"]) == (3, "/pit")
        me = (await browser.get("/api/me")).json()
        assert (me["staff"], me["position"], me["idle_s"]) == ("Pit", "pit-manager", 0)
        assert told(await browser.get(f"/enter/{code}")) == (404, "not-found")


@waits
async def test_every_route_of_ours_says_what_else_it_may_answer(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        document = (await opened.browser().get("/schema/openapi.json")).json()
        ours = (
            "/api/sign",
            "/api/password",
            "/api/guest",
            "/api/enrol",
            "/api/staff",
            "/api/sess",
            "/api/term",
            "/api/shoes",
        )
        found = 0
        for path, operations in document["paths"].items():
            for operation in operations.values() if path.startswith(ours) else ():
                found += 1
                problems = {status: each for status, each in operation["responses"].items() if status >= "400"}
                assert "403" in problems, path
                for each in problems.values():
                    [content] = each["content"].values()
                    assert content["schema"]["$ref"].endswith("Problem"), path
        assert found == 27
