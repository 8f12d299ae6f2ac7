"""Every role on an open socket and over HTTP: what is not for it changes nothing, whenever and at whatever table.

What a role may do is in `tests/table/roles.py`, by hand. Here each role tries what it may not: at its own table, at
another's, in every phase, on pages that were opened before the authority was withdrawn. By day a sample is tried.
"""

import random
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import httpx
import msgspec
import pytest
from tests.server.house import Message, Page, setup
from tests.server.identity.lobby import MANAGER, OTHER_PASSWORD, PASSWORD, _cheap_hashes
from tests.server.test_attendance import Street, street
from tests.server.waiting import waits
from tests.table.roles import OF_PATRONS, OF_THE_CARDS, fields_of, least_of, may
from tests.width import SEED, width

from punto.rules import RANKS, Position
from punto.server import reception
from punto.server.config import TableConfig
from punto.server.ids import fresh_id
from punto.server.wire import asks
from punto.table import Actor, Source
from punto.table import commands as do

__all__ = ["_cheap_hashes"]

DEALT: Final = TableConfig(key="2", setup=setup("baccarat", source=Source.DEVICE), automatic=False)
OTHER: Final = TableConfig(key="3", setup=setup("baccarat", source=Source.DEVICE), automatic=False)
STAFF: Final = {"dan": Position.DEALER, "sue": Position.PIT_SUPERVISOR, "pam": Position.PIT_MANAGER}
STAFF_ABOVE: Final = {"abe": Position.ASSISTANT_CASINO_MANAGER}
FORMS: Final = {str(form.__struct_config__.tag): form for form in asks.COMMANDS}
PHASES: Final[dict[str, list[dict[str, Any]]]] = {
    "change-of-shoe": [],
    "ready": [{"kind": do.LoadShoe}],
    "bets-open": [{"kind": do.OpenBets}],
    "bets-closed": [{"kind": do.CloseBets}],
    "initial-deal": [{"kind": do.DrawCard, "card": "9s"}],
    "drawing": [{"kind": do.DrawCard, "card": card} for card in ("8d", "Kc", "Kh")],
    "outcome": [{"kind": do.Announce}],
    "settled": [{"kind": do.Settle}],
    "closed": [{"kind": do.EndShoe, "reason": "late"}, {"kind": do.CloseTable}],
}
GRETA: Final = Actor(MANAGER, Position.GAMING_SHIFT_MANAGER)
DENIED: Final = {"not-allowed", "not-signed-in", "not-seated", "out-of-turn", "needs-second"}


@pytest.fixture(autouse=True)
def _in_haste(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reception, "_MOST_TRESPASSES", 10_000)
    monkeypatch.setattr(reception, "_MOST_A_SECOND", 10_000)
    monkeypatch.setattr(reception, "_FAR_TOO_MANY", 100_000)


async def steps(there: Street, phase: str) -> None:
    """Bring table 2 into a phase, from the one before."""
    for step in PHASES[phase]:
        kind = step["kind"]
        fields = {name: value for name, value in step.items() if name != "kind"}
        command = kind(id=fresh_id(), table="2", by=GRETA, at_ms=there.clock(), **fields)
        await there.server.hall.writer.give(command)


def sampled(cells: list[Any], salt: object) -> list[Any]:
    """A few of the cells by day, the same each time, and all of them at night."""
    count = width(4, len(cells))
    return random.Random(f"{SEED}/{salt}").sample(cells, min(count, len(cells)))


def denied_to(position: Position | None) -> list[str]:
    """What somebody in a position may not give at a dealt table; a page of nobody may give nothing."""
    if position is None:
        return sorted(FORMS)
    least = least_of(terminals=False)
    if position is Position.PATRON:
        return sorted(FORMS.keys() - OF_PATRONS - OF_THE_CARDS)
    return sorted(name for name in FORMS if name in least and not may(position, least[name]))


async def tries(page: Page, name: str, table: str) -> Message:
    """Try a command, with values that can be."""
    plain = msgspec.to_builtins(fields_of(next(kind for form, kind in asks.COMMANDS.items() if form is FORMS[name]),
                                          DEALT.setup))  # fmt: skip
    known = {field.encode_name for field in msgspec.structs.fields(FORMS[name])}
    return await page.act(table, name, **{key: value for key, value in plain.items() if key in known})


def versions(there: Street) -> dict[str, int]:
    """How far each stream of a table and of money has come."""
    tips = there.server.hall.writer.floor.store.streams()
    return {name: tip.version for name, tip in tips if name.startswith(("table/", "wallet/", "book/", "cashier/"))}


async def pages_of(there: Street) -> dict[str, tuple[Page, Position | None, str]]:
    """A page of every role, what it is, and at which table it tries."""
    found: dict[str, tuple[Page, Position | None, str]] = {}
    for name, position in {**STAFF, **STAFF_ABOVE}.items():
        await there.hired(name, position)
        _, token = await there.identity.sign_in(name, PASSWORD)
        found[name] = await there.page(staff=token), position, "2"
    await found["dan"][0].take("2")
    await there.hired("eve", Position.DEALER)
    _, token = await there.identity.sign_in("eve", PASSWORD)
    eve = await there.page(staff=token)
    await eve.take("3")
    found["eve, at the table of another"] = eve, None, "2"
    manager = await there.session()
    await there.identity.accounts.open(manager, "tim", Position.GAMING_SHIFT_MANAGER, OTHER_PASSWORD)
    _, token = await there.identity.sign_in("tim", OTHER_PASSWORD)
    found["tim, whose password is another's"] = await there.page(staff=token), None, "2"
    await there.hired("pat", Position.DEALER)
    await there.identity.accounts.let_act(manager, "pat", Position.PIT_MANAGER, 3_600_000)
    _, token = await there.identity.sign_in("pat", PASSWORD)
    found["pat, who acts"] = await there.page(staff=token), Position.PIT_MANAGER, "2"
    guest = await there.page(terminal=await there.identity.enrol_guest())
    await guest.send(t="sit", table="2")
    await guest.until(lambda: guest.own.get("2"))
    found["a patron"] = guest, Position.PATRON, "2"
    found["nobody"] = await there.page(), None, "2"
    return found


@waits
async def test_what_is_not_for_a_role_changes_nothing_in_any_phase_on_an_open_socket(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT, OTHER) as there:
        pages = await pages_of(there)
        for phase in PHASES:
            await steps(there, phase)
            before = versions(there)
            for role, (page, position, table) in pages.items():
                for name in sampled(denied_to(position), (phase, role)):
                    answer = await tries(page, name, table)
                    told = answer["t"], answer.get("code")
                    assert told[0] == "refused", (phase, role, name, answer)
                    assert told[1] in DENIED, (phase, role, name, answer)
                    if there.server.hall.tables["2"].table.setup is not None and told[1] == "out-of-turn":
                        pytest.fail(f"{phase}: {role} was refused {name} for the phase alone: {answer}")
            await there.server.hall.writer.settle_down()
            assert versions(there) == before, phase


@waits
@pytest.mark.parametrize("withdrawn", ["closed", "moved", "revoked", "password", "acting", "handed-back"])
async def test_an_open_page_gives_nothing_any_more_once_its_authority_is_withdrawn(
    tmp_path: Path, withdrawn: str
) -> None:
    async with street(tmp_path, DEALT, OTHER) as there:
        accounts, manager = there.identity.accounts, await there.session()
        await there.hired("pam", Position.DEALER if withdrawn in ("acting", "handed-back") else Position.PIT_MANAGER)
        if withdrawn == "acting":
            await accounts.let_act(manager, "pam", Position.PIT_MANAGER, 3_600_000)
        session, token = await there.identity.sign_in("pam", PASSWORD)
        page = await there.page(staff=token)
        await page.take("2")
        await steps(there, "ready")
        match withdrawn:
            case "closed":
                await accounts.close(manager, "pam")
            case "moved":
                await accounts.move(manager, "pam", Position.DEALER)
            case "revoked":
                await there.identity.revoke(manager, session.id)
            case "password":
                await accounts.set_password(manager, "pam", OTHER_PASSWORD)
            case "acting":
                await accounts.end_acting(manager, "pam")
            case "handed-back":
                assert (await page.ask("hand-back", table="2"))["t"] == "accepted"
        before = versions(there)
        of_a_dealer = withdrawn in ("moved", "acting")
        for name in ["close-table", "keep-shoe", "choose-method", "correct-credits"] + ["open-bets"] * (
            not of_a_dealer
        ):
            with suppress(Exception):  # the page is gone by then
                answer = await tries(page, name, "2")
                assert answer["t"] == "refused", answer
        await there.server.hall.writer.settle_down()
        assert versions(there) == before


# HTTP

# By hand: what staff ask by HTTP, and the least position for it.
ROUTES: Final[dict[tuple[str, str], Position]] = {
    ("GET", "/api/staff"): Position.PIT_SUPERVISOR,
    ("POST", "/api/staff"): Position.GAMING_SHIFT_MANAGER,
    ("DELETE", "/api/staff/zed"): Position.GAMING_SHIFT_MANAGER,
    ("PUT", "/api/staff/zed/position"): Position.GAMING_SHIFT_MANAGER,
    ("PUT", "/api/staff/zed/password"): Position.GAMING_SHIFT_MANAGER,
    ("PUT", "/api/staff/zed/acting"): Position.ASSISTANT_CASINO_MANAGER,
    ("POST", "/api/staff/zed/unlock"): Position.PIT_MANAGER,
    ("GET", "/api/sessions"): Position.DEALER,
    ("GET", "/api/terminals"): Position.PIT_SUPERVISOR,
    ("POST", "/api/terminals"): Position.PIT_SUPERVISOR,
    ("GET", "/api/terminals/proposed"): Position.PIT_SUPERVISOR,
    ("POST", "/api/terminals/proposed/0"): Position.PIT_SUPERVISOR,
    ("DELETE", "/api/terminals/proposed/0"): Position.PIT_SUPERVISOR,
    ("PUT", "/api/terminals/terminal-9"): Position.PIT_SUPERVISOR,
    ("DELETE", "/api/terminals/terminal-9"): Position.PIT_SUPERVISOR,
    ("POST", "/api/shoes"): Position.PIT_SUPERVISOR,
    ("GET", "/api/patrons"): Position.DEALER,
    ("POST", "/api/patrons"): Position.PIT_SUPERVISOR,
    ("GET", "/api/cash-reports"): Position.PIT_SUPERVISOR,
    ("POST", "/api/cash-reports"): Position.PIT_SUPERVISOR,
    ("GET", "/api/desk/cash/ann"): Position.DEALER,
    ("GET", "/api/exclusions"): Position.PIT_SUPERVISOR,
    ("POST", "/api/exclusions"): Position.PIT_MANAGER,
    ("POST", "/api/exclusions/zoe/lift"): Position.GAMING_SHIFT_MANAGER,
    ("POST", "/api/desk/ticket"): Position.PIT_SUPERVISOR,
    ("POST", "/api/corrections"): Position.PIT_SUPERVISOR,
    ("GET", "/api/program"): Position.PIT_SUPERVISOR,
    ("POST", "/api/program"): Position.PIT_MANAGER,
    ("GET", "/api/claims"): Position.PIT_SUPERVISOR,
    ("GET", "/api/claims/1"): Position.PIT_SUPERVISOR,
    ("POST", "/api/claims/1/answer"): Position.PIT_SUPERVISOR,
    ("GET", "/api/people/zed"): Position.GAMING_SHIFT_MANAGER,
    ("POST", "/api/people/zed/notes"): Position.GAMING_SHIFT_MANAGER,
    ("POST", "/api/people/ann/notes"): Position.PIT_SUPERVISOR,
    ("POST", "/api/people/zed/erasures"): Position.GAMING_SHIFT_MANAGER,
}
BODIES: Final[dict[str, dict[str, Any]]] = {
    "/api/staff": {"name": "new", "position": "dealer", "password": "a long enough one"},
    "/api/staff/zed/position": {"position": "pit-supervisor"},
    "/api/staff/zed/password": {"password": "a long enough one"},
    "/api/staff/zed/acting": {"position": "pit-supervisor", "minutes": 5},
    "/api/terminals": {"number": 9},
    "/api/terminals/terminal-9": {"label": "by the door"},
    "/api/shoes": {"table": "2"},
    "/api/patrons": {"name": "ann"},
    "/api/claims/1/answer": {"upheld": True, "reason": "misread"},
    "/api/people/zed/notes": {"kind": "full-name", "text": "Zed Lim"},
    "/api/people/ann/notes": {"kind": "note", "text": "asks for table 3"},
    "/api/people/zed/erasures": {"reason": "asked for it"},
    "/api/cash-reports": {"patron": "ann", "day": "2026-01-01", "kind": "in", "cents": 5, "reference": "R-1"},
    "/api/exclusions": {"patron": "zoe", "reason": "asked for it"},
    "/api/exclusions/zoe/lift": {"reason": "a mistake"},
    "/api/desk/ticket": {"table": "2", "patron": "ann", "position": 1, "code": "ABCD-EFGH"},
    "/api/corrections": {"table": "2", "patron": "ann", "cents": 5, "reason": "misread"},
}


# What patrons do by HTTP, at whatever table.
OF_PATRONS_ALONE: Final = ("/api/tables/2/rounds/1/claims", "/api/claims/1/withdrawal")
CLAIM: Final = {"about": "payment", "words": "not paid"}


async def asked(browser: httpx.AsyncClient, route: tuple[str, str]) -> tuple[int, str]:
    method, path = route
    body = BODIES.get(path) if method in ("POST", "PUT") else None
    answer = await browser.request(method, path, json=body)
    try:
        return answer.status_code, str(answer.json().get("code", ""))
    except (ValueError, AttributeError):
        return answer.status_code, ""


@waits
async def test_by_http_every_position_gets_what_it_may_and_is_refused_what_it_may_not(tmp_path: Path) -> None:
    async with street(tmp_path, DEALT) as there:
        people = {**STAFF, **STAFF_ABOVE}
        for name, position in {**people, "zed": Position.DEALER}.items():
            await there.hired(name, position)
        strangers = {"nobody": there.browser(), "tim": there.browser(), "ivy": await there.signed_in("zed")}
        await there.identity.accounts.open(await there.session(), "tim", Position.GAMING_SHIFT_MANAGER, OTHER_PASSWORD)
        came = await strangers["tim"].post("/api/sign-in", json={"name": "tim", "password": OTHER_PASSWORD})
        assert came.status_code == 200
        for name, browser in {"nobody": strangers["nobody"], "tim": strangers["tim"]}.items():
            for route in ROUTES:
                assert (await asked(browser, route))[0] == 401, (name, route)
        for name, position in people.items():
            browser = await there.signed_in(name)
            for route, least in ROUTES.items():
                status, code = await asked(browser, route)
                if RANKS.index(position) >= RANKS.index(least):
                    assert status not in (401, 403), (name, route, status, code)
                else:
                    assert (status, code) == (403, "not-allowed"), (name, route)
        # No position of the staff makes a patron, and a patron has none.
        [*_, manager] = [await there.signed_in(name) for name in people]
        for path in OF_PATRONS_ALONE:
            assert (await manager.post(path, json=CLAIM)).status_code == 401, path
        guest = there.browser()
        guest.cookies.set("punto_terminal", await there.identity.enrol_guest())
        for route in ROUTES:
            assert (await asked(guest, route))[0] == 401, route
        # Whoever is taken off the staff gets nothing from then on, in a browser that was signed in before.
        await there.identity.accounts.close(await there.session(), "zed")
        for route in ROUTES:
            assert (await asked(strangers["ivy"], route))[0] == 401, route
