"""What a page cannot do for who is behind it: what takes somebody above, what is staff's, what was ended."""

import json
import re

import pytest
from playwright.sync_api import expect
from tests.web.line import Line
from tests.web.staff.conftest import House
from tests.web.staff.console import Console, Decisions
from tests.web.staff.rounds import begun
from tests.web.staff.ruling import RulingForm, rule


def referred(house: House) -> Console:
    """A console at a table whose round waits for a Gaming Shift Manager."""
    dealer = house.wire("dealer")
    if house.record.table("barred").phase.value == "change-of-shoe":
        for do in ("load-shoe", "open-bets", "close-bets"):
            dealer.done("barred", do)
    if house.record.table("barred").awaited is None:
        # Words that somebody has typed would stand in English on every Chinese page of the pit.
        dealer.done("barred", "refer", matter="?")
    return house.console("barred")


@pytest.mark.parametrize(
    "name",
    [
        "dealer",
        "assistant",
        pytest.param("supervisor", marks=pytest.mark.nightly),
        pytest.param("manager", marks=pytest.mark.nightly),
    ],
)
def test_who_may_not_decide_is_told_who_must_come(house: House, name: str) -> None:
    console = referred(house)
    pages: list[Decisions] = [house.office("barred", name)]
    if name == "dealer":
        pages.append(console)
        expect(console.act).to_contain_text("Take the table")
    for page in pages:
        expect(page.decision).to_contain_text("A Gaming Shift Manager must come and decide")
        expect(page.decision.get_by_role("button")).to_have_count(0)
        expect(page.decision.get_by_role("radio")).to_have_count(0)
    # Nor does the floor take it from somebody who asks past the page.
    answer = house.wire(name, taken=True).act("barred", "rule", ruling="void", reason="I may")
    assert answer["code"] == "not-allowed"


def test_what_was_begun_for_one_matter_is_not_the_next_ones(house: House) -> None:
    begun(house, "matters")
    dealer, shift = house.wire("dealer"), house.wire("shift")
    dealer.done("matters", "refer", matter="A card fell")
    office = house.office("matters", "shift")
    form = office.decision
    RulingForm(office).round("void")
    form.get_by_label("Reason, for the record").fill("The card was seen")
    # Meanwhile another decides, and something else is referred.
    shift.done("matters", "rule", ruling="continue", reason="Nobody saw it")
    dealer.done("matters", "refer", matter="A chip fell")
    expect(form).to_contain_text("A chip fell")
    expect(form.get_by_label("Reason, for the record")).to_have_value("")
    ruling = form.get_by_role("radiogroup", name="The round", exact=True)
    expect(ruling.get_by_role("radio")).not_to_have_count(0)
    expect(ruling.get_by_role("radio", checked=True)).to_have_count(0)
    expect(form.get_by_role("button", name="Decide")).to_be_disabled()
    rule(office, {"ruling": "continue", "reason": "Nobody needs it"})
    assert house.record.table("matters").phase.value == "bets-open"


def test_a_patron_reaches_nothing_of_staffs(house: House) -> None:
    page = house.page("/dealer/barred", house.patron("ann").cookies)
    expect(page.get_by_text("This console is for staff.")).to_be_visible()
    page.goto("/pit#table/barred")
    expect(page.get_by_role("link", name=re.compile("Sign in", re.IGNORECASE)).first).to_be_visible()
    page.goto("/table/barred")
    expect(page.get_by_role("button", name=re.compile("^Player, pays"))).to_be_visible()
    heard = [message["t"] for frame in page.frames_heard for message in json.loads(frame)]  # type: ignore[attr-defined]
    assert "table" in heard
    assert "staff" not in heard
    wire = house.patron("ann").wire
    wire.send(t="watch", table="barred", role="staff")
    assert wire.hear("refused")["code"] == "not-allowed"
    wire.send(t="take-table", table="barred")
    assert wire.hear("refused")["code"] == "not-allowed"
    for path in ("/api/tables/barred/log", "/api/staff", "/api/sessions", "/api/security", "/api/books"):
        assert page.request.get(path).status in (401, 403), path
    assert page.request.post("/api/shoes", data={"table": "barred"}, headers={"Origin": house.address}).status in (
        401,
        403,
    )


@pytest.mark.parametrize(
    ("path", "locale", "said"),
    [
        ("/dealer/barred", "en-SG", "ended by a manager"),
        pytest.param("/dealer", "zh-CN", "会话已被经理终止", marks=pytest.mark.nightly),
        ("/pit#table/barred", "zh-CN", "会话已被经理终止"),
        pytest.param("/pit#staff", "en-SG", "ended by a manager", marks=pytest.mark.nightly),
    ],
)
def test_a_session_that_is_ended_is_dropped_at_once_and_leaves_nothing_on_the_screen(
    house: House, path: str, locale: str, said: str
) -> None:
    page = house.page(path, house.fresh_papers("supervisor"), locale=locale)
    expect(page.locator("body")).to_contain_text("supervisor" if path.endswith("staff") else "barred")
    session = next(each["id"] for each in page.request.get("/api/sessions").json() if each["own"])
    manager = house.page("/", house.papers("manager"))
    ended = manager.request.delete(f"/api/sessions/{session}", headers={"Origin": house.address})
    assert ended.ok
    main = page.get_by_role("main")
    expect(main).to_contain_text(said)
    # Whoever comes by an unattended screen reads why, and signs in; nothing of the floor and of who was there.
    expect(main.locator("> *")).to_have_count(2)
    expect(main.get_by_role("alert")).to_contain_text(said)
    expect(page.locator("body")).not_to_contain_text(re.compile(r"barred|supervisor|\$|127\.0\.0\.1"))
    expect(page.get_by_role("region")).to_have_count(0)
    assert page.request.get("/api/staff").status == 401
    door = re.compile("Sign in|登录")
    main.get_by_role("button", name=door).or_(main.get_by_role("link", name=door)).click()
    page.wait_for_url(re.compile("/sign-in$"))
    page.goto(path)
    expect(main.get_by_role("button", name=door).or_(main.get_by_role("link", name=door))).to_be_visible()


def test_a_screen_that_was_left_alone_shows_nothing_of_the_floor(house: House) -> None:
    page = house.blank(house.papers("manager"))
    line = Line(page)
    page.goto("/pit#table/barred")
    expect(page.get_by_role("region", name="Desk", exact=True)).to_be_visible()
    line.tell({"t": "ended", "code": "idle", "message": "unused for too long: sign in again"})
    expect(page.get_by_role("alert")).to_have_text("The connection has ended: unused for too long: sign in again")
    expect(page.get_by_role("region")).to_have_count(0)
    expect(page.locator("body")).not_to_contain_text(re.compile(r"barred|manager|\$"))
