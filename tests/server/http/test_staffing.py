"""Staffing by HTTP: who may open accounts, lend positions, end sessions and enrol devices, and who may not."""

from pathlib import Path

from httpx import AsyncClient, Response
from tests.server.house import setup
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, Lobby, lobby
from tests.server.waiting import waits

from punto.rules import Position
from punto.server.config import TableConfig

NEW = {"name": "dan", "position": "dealer", "password": OTHER_PASSWORD}


def told(answer: Response) -> tuple[int, str]:
    problem = answer.json()
    assert problem.keys() == {"code", "message"}
    return answer.status_code, problem["code"]


async def position(browser: AsyncClient) -> tuple[str, bool]:
    me = (await browser.get("/api/me")).json()
    return me["position"], me["acting"]


async def hired(opened: Lobby) -> dict[Position, AsyncClient]:
    """A browser of somebody in each position."""
    return {each: await opened.hired(each.value, each) for each in (
        Position.DEALER,
        Position.PIT_SUPERVISOR,
        Position.PIT_MANAGER,
        Position.ASSISTANT_CASINO_MANAGER,
    )} | {Position.GAMING_SHIFT_MANAGER: await opened.signed_in()}  # fmt: skip


@waits
async def test_a_gaming_shift_manager_puts_somebody_on_the_staff(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.signed_in()
        answer = await greta.post("/api/staff", json=NEW)
        assert answer.status_code == 201
        assert answer.json()["must_change"]
        dan = await opened.signed_in("dan", OTHER_PASSWORD)
        me = (await dan.get("/api/me")).json()
        assert (me["staff"], me["position"], me["must_change"]) == ("dan", "", True)
        assert told(await dan.get("/api/sessions")) == (401, "not-signed-in")
        await dan.post("/api/password", json={"old": OTHER_PASSWORD, "new": PASSWORD})
        assert await position(dan) == ("dealer", False)
        assert [each["name"] for each in (await greta.get("/api/staff")).json()] == ["dan", MANAGER]


@waits
async def test_what_cannot_be_an_account_is_refused(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.signed_in()
        await greta.post("/api/staff", json=NEW)
        cases = [
            ({"name": "DAN"}, (409, "name-taken")),
            ({"name": "house"}, (409, "name-taken")),
            ({"name": "Clock"}, (409, "name-taken")),
            ({"name": "Guest-1"}, (409, "name-taken")),
            ({"name": "a/b"}, (400, "malformed")),
            ({"name": " eve"}, (400, "malformed")),
            ({"name": "eve", "password": "short"}, (400, "bad-password")),
            ({"name": "eve", "position": "patron"}, (403, "not-allowed")),
            ({"name": "eve", "position": "emperor"}, (400, "malformed")),
        ]
        for changes, problem in cases:
            assert told(await greta.post("/api/staff", json=NEW | changes)) == problem, changes


@waits
async def test_nobody_but_a_gaming_shift_manager_touches_accounts(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers = await hired(opened)
        for held, browser in browsers.items():
            if held is Position.GAMING_SHIFT_MANAGER:
                continue
            answers = [
                await browser.post("/api/staff", json=NEW),
                await browser.delete("/api/staff/dealer"),
                await browser.put("/api/staff/dealer/position", json={"position": "pit-manager"}),
                await browser.put(f"/api/staff/{MANAGER}/password", json={"password": OTHER_PASSWORD}),
            ]
            assert {told(answer) for answer in answers} == {(403, "not-allowed")}, held
        assert told(await opened.browser().get("/api/staff")) == (401, "not-signed-in")


@waits
async def test_who_acts_as_gaming_shift_manager_does_not_touch_accounts(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers = await hired(opened)
        greta = browsers[Position.GAMING_SHIFT_MANAGER]
        acting = {"position": "gaming-shift-manager", "minutes": 60}
        assert (await greta.put("/api/staff/pit-manager/acting", json=acting)).status_code == 200
        pit = browsers[Position.PIT_MANAGER]
        assert await position(pit) == ("gaming-shift-manager", True)
        assert told(await pit.post("/api/staff", json=NEW)) == (403, "not-allowed")
        assert told(await pit.put("/api/staff/dealer/acting", json=acting)) == (403, "not-allowed")


@waits
async def test_nobody_changes_their_own_position(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta = await opened.signed_in()
        own = f"/api/staff/{MANAGER}"
        assert told(await greta.put(f"{own}/position", json={"position": "dealer"})) == (403, "not-allowed")
        assert told(await greta.delete(own)) == (403, "not-allowed")
        assert told(await greta.put(f"{own}/password", json={"password": OTHER_PASSWORD})) == (403, "not-allowed")


@waits
async def test_a_position_changes_at_once_and_a_closed_account_is_gone(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        dan, greta = await opened.hired("dan", Position.DEALER), await opened.signed_in()
        answer = await greta.put("/api/staff/Dan/position", json={"position": "pit-supervisor"})
        assert answer.json()["position"] == "pit-supervisor"
        assert await position(dan) == ("pit-supervisor", False)
        assert (await greta.delete("/api/staff/dan")).status_code == 204
        assert await position(dan) == ("", False)
        assert told(await greta.delete("/api/staff/dan")) == (404, "no-such-account")
        assert told(await greta.post("/api/staff", json=NEW)) == (409, "name-taken")
        again = await opened.browser().post("/api/sign-in", json={"name": "dan", "password": PASSWORD})
        assert told(again) == (401, "wrong-password")


@waits
async def test_positions_above_the_gaming_shift_manager_have_accounts_too(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        cora = await opened.hired("cora", Position.CASINO_MANAGER)
        assert await position(cora) == ("casino-manager", False)
        assert (await cora.post("/api/staff", json=NEW | {"name": "dora"})).status_code == 201


@waits
async def test_an_assistant_casino_manager_lends_positions_below_their_own(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers = await hired(opened)
        al = browsers[Position.ASSISTANT_CASINO_MANAGER]

        async def lend(by: AsyncClient, name: str, lent: str) -> Response:
            return await by.put(f"/api/staff/{name}/acting", json={"position": lent, "minutes": 30})

        answer = await lend(al, "dealer", "pit-manager")
        assert (answer.json()["acting"], answer.json()["position"]) == ("pit-manager", "dealer")
        assert await position(browsers[Position.DEALER]) == ("pit-manager", True)
        for lent in ("assistant-casino-manager", "gaming-shift-manager"):
            assert told(await lend(al, "dealer", lent)) == (403, "not-allowed")
        assert told(await lend(al, "assistant-casino-manager", "pit-manager")) == (403, "not-allowed")
        assert told(await lend(al, "pit-manager", "pit-supervisor")) == (400, "malformed")
        assert told(await lend(al, "nobody", "pit-manager")) == (404, "no-such-account")
        assert told(await lend(browsers[Position.PIT_MANAGER], "dealer", "pit-supervisor")) == (403, "not-allowed")
        dealer = browsers[Position.DEALER]
        assert (await dealer.delete("/api/staff/dealer/acting")).json()["acting"] == ""
        assert await position(dealer) == ("dealer", False)
        await lend(al, "dealer", "pit-manager")
        opened.clock.go(30)
        assert await position(dealer) == ("dealer", False)


@waits
async def test_a_manager_has_somebody_wait_no_longer(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers = await hired(opened)
        wrong = {"name": "dealer", "password": "wrong"}
        for _ in range(5):
            await opened.browser().post("/api/sign-in", json=wrong)
        right = wrong | {"password": PASSWORD}
        assert told(await opened.browser().post("/api/sign-in", json=right)) == (429, "too-fast")
        supervisor, manager = browsers[Position.PIT_SUPERVISOR], browsers[Position.PIT_MANAGER]
        assert told(await supervisor.post("/api/staff/dealer/unlock")) == (403, "not-allowed")
        assert (await manager.post("/api/staff/dealer/unlock")).status_code == 204
        assert (await opened.browser().post("/api/sign-in", json=right)).status_code == 200


@waits
async def test_a_password_set_by_a_manager_ends_all_sessions(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        dan, greta = await opened.hired("dan", Position.DEALER), await opened.signed_in()
        answer = await greta.put("/api/staff/dan/password", json={"password": OTHER_PASSWORD})
        assert answer.status_code == 204
        assert (await dan.get("/api/me")).json()["staff"] == ""
        again = await opened.signed_in("dan", OTHER_PASSWORD)
        assert (await again.get("/api/me")).json()["must_change"]


@waits
async def test_sessions_are_listed_and_ended_by_who_may(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browsers = await hired(opened)
        dealer, manager = browsers[Position.DEALER], browsers[Position.PIT_MANAGER]
        second = await opened.signed_in("dealer")
        own = (await dealer.get("/api/sessions")).json()
        assert [each["name"] for each in own] == ["dealer", "dealer"]
        assert [each["own"] for each in own] == [True, False]
        everybodys = {each["name"]: each["id"] for each in (await manager.get("/api/sessions")).json()}
        assert MANAGER in everybodys
        assert told(await dealer.delete(f"/api/sessions/{everybodys[MANAGER]}")) == (403, "not-allowed")
        assert told(await manager.delete(f"/api/sessions/{everybodys[MANAGER]}")) == (403, "not-allowed")
        assert told(await manager.delete("/api/sessions/none")) == (404, "no-such-session")
        assert (await dealer.delete(f"/api/sessions/{own[1]['id']}")).status_code == 204
        assert (await second.get("/api/me")).json()["staff"] == ""
        assert (await manager.delete(f"/api/sessions/{own[0]['id']}")).status_code == 204
        assert (await dealer.get("/api/me")).json()["staff"] == ""


@waits
async def test_terminals_are_listed_renamed_and_revoked_by_pit_supervisors_and_above(tmp_path: Path) -> None:
    async with lobby(tmp_path, demonstration=True) as opened:
        pit, dealer = await opened.hired("eve", Position.PIT_SUPERVISOR), await opened.hired("dan", Position.DEALER)
        device, guest = opened.browser(), opened.browser()
        await guest.post("/api/guest")
        assert told(await dealer.post("/api/terminals", json={"number": 7})) == (403, "not-allowed")
        offered = (await pit.post("/api/terminals", json={"number": 7})).json()
        await device.post("/api/enrol", json={"code": offered["code"]})
        [terminal] = (await pit.get("/api/terminals")).json()
        assert (terminal["name"], terminal["kind"], terminal["label"]) == ("terminal-7", "terminal", "")
        assert len((await pit.get("/api/terminals?guests=true")).json()) == 2
        renamed = await pit.put("/api/terminals/terminal-7", json={"label": "by the door"})
        assert renamed.json()["label"] == "by the door"
        assert told(await pit.put("/api/terminals/terminal-9", json={"label": "x"})) == (404, "no-such-terminal")
        for asked in (dealer.get("/api/terminals"), dealer.delete("/api/terminals/terminal-7")):
            assert told(await asked) == (403, "not-allowed")
        assert (await pit.delete("/api/terminals/terminal-7")).status_code == 204
        assert (await device.get("/api/me")).json()["patron"] == ""
        assert told(await pit.delete("/api/terminals/terminal-7")) == (404, "no-such-terminal")


@waits
async def test_another_device_takes_the_place_and_the_credits_of_a_terminal(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        greta, devices = await opened.signed_in(), [opened.browser(), opened.browser()]
        for device in devices:
            offered = (await greta.post("/api/terminals", json={"number": 7})).json()
            assert (await device.post("/api/enrol", json={"code": offered["code"]})).json() == {"patron": "terminal-7"}
        assert [(await device.get("/api/me")).json()["patron"] for device in devices] == ["", "terminal-7"]


@waits
async def test_a_shoe_has_a_token_for_one_table_until_it_is_revoked(tmp_path: Path) -> None:
    async with lobby(tmp_path, TableConfig(key="1", setup=setup(), automatic=False)) as opened:
        greta, dan = await opened.signed_in(), await opened.hired("dan", Position.DEALER)
        assert told(await dan.post("/api/shoes", json={"table": "1"})) == (403, "not-allowed")
        assert told(await greta.post("/api/shoes", json={"table": "9"})) == (404, "no-such-table")
        first = (await greta.post("/api/shoes", json={"table": "1"})).json()["token"]
        assert opened.identity.device(f"Bearer {first}") == "1"
        second = (await greta.post("/api/shoes", json={"table": "1", "label": "Angel Eye"})).json()["token"]
        assert opened.identity.device(f"Bearer {first}") is None
        assert opened.identity.device(f"Bearer {second}") == "1"
        browser = opened.browser()
        browser.cookies.set("punto_terminal", second)
        assert (await browser.get("/api/me")).json()["patron"] == ""
        assert (await greta.delete("/api/terminals/shoe-1")).status_code == 204
        assert opened.identity.device(f"Bearer {second}") is None
        assert opened.identity.device(None) is None


@waits
async def test_what_somebody_was_refused_is_counted_by_person(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        manager, dan = await opened.signed_in(), await opened.hired("dan", Position.DEALER)
        for _ in range(3):
            assert told(await dan.delete(f"/api/staff/{MANAGER}")) == (403, "not-allowed")
        counts = {each["name"]: each["refused"] for each in (await manager.get("/api/staff")).json()}
        assert counts == {MANAGER: 0, "dan": 3}
        assert 'punto_refused_people_total{person="dan"} 3.0' in (await manager.get("/metrics")).text
        trespasses = opened.server.hall.trespasses
        for number in range(2_000):
            trespasses.count(f"guest-{number}")
        assert len(trespasses.most(2_000)) == 1_000
        assert trespasses.of("dan") == 3
