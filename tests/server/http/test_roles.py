"""Every route and method of the floor by every role: one table says who may, and everybody else is refused.

The routes are read off the application, so one that is not in the table fails the test. A table of a Dealer's own is
tried in `test_refusals`, and what positions may do at tables on open sockets.
"""

import re
from pathlib import Path
from typing import Any, Final

import httpx
from msgspec.structs import replace
from tests.server.house import setup
from tests.server.identity.lobby import OTHER_PASSWORD, Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits
from tests.table.roles import ASSISTANT, DEALER, SHIFT, STAFF, SUPERVISOR
from tests.table.roles import MANAGER as PIT_MANAGER
from tests.width import NIGHTLY

from punto.rules import RANKS, Position
from punto.server.config import TableConfig
from punto.server.http.routes import api
from punto.table import Source

__all__ = ["_cheap_hashes"]

DEALT: Final = TableConfig(key="2", setup=setup("baccarat", source=Source.DEVICE), automatic=False)
OTHER: Final = replace(DEALT, key="3")
METHODS: Final = ("GET", "POST", "PUT", "DELETE")
# Who is meant by more than a position: everybody; terminals; terminals and staff; staff whom the table itself ranks.
ANYBODY, TERMINALS, KNOWN, SHOES = "anybody", "terminals", "terminals and staff", "shoes"
# Of one's own account: also for whoever must change a password that another has set, and gets in nowhere else.
OWN = "whoever has an account"
# By hand, from `docs/api.md`: the least position, or who else, by the route's own path.
MAY: Final[dict[str, dict[Position | str, str]]] = {
    "GET": {
        ANYBODY: (
            "/ /api/checkpoints /api/checkpoints/consistency /api/checkpoints/latest /api/checkpoints/{size} "
            "/api/claims/own /api/clauses/{codes} /api/games /api/games/{key} /api/me /api/tables /api/tables/{key} "
            "/api/tables/{key}/irregularities /api/tables/{key}/rounds /api/tables/{key}/rounds/{number} "
            "/api/tables/{key}/shoes /api/tables/{key}/shoes/{number} /api/wire /assets/{name} /dealer /dealer/{_key} "
            "/display /display/{_key} /enter/{code} /favicon.svg /health /pit /schema /schema/openapi.json "
            "/schema/openapi.yaml /schema/openapi.yml /schema/{path} /sign-in /table/{_key} /verify"
        ),
        KNOWN: "/api/receipts/{command} /api/tables/{key}/rounds/{number}/receipts/{wager}",
        OWN: "/api/factors",
        DEALER: "/api/desk/cash/{patron} /api/patrons /api/sessions /api/tables/{key}/log /metrics",
        SUPERVISOR: (
            "/api/audit /api/books /api/cash-reports /api/claims /api/claims/{claim} /api/events /api/exclusions "
            "/api/head /api/program /api/security /api/staff /api/terminals /api/terminals/proposed"
        ),
        SHIFT: "/api/people/{name}",
    },
    "POST": {
        ANYBODY: (
            "/api/enrol /api/guest /api/receipts/ticket /api/sign-in /api/sign-in/challenge /api/sign-in/passkey "
            "/api/sign-in/way-back /api/sign-out /api/verify"
        ),
        TERMINALS: "/api/claims/{claim}/withdrawal /api/tables/{key}/rounds/{number}/claims",
        SHOES: "/api/tables/{key}/readings",
        OWN: (
            "/api/factors/codes/secret /api/factors/passkeys /api/factors/passkeys/challenge /api/password /api/prove "
            "/api/prove/challenge /api/prove/passkey"
        ),
        SUPERVISOR: (
            "/api/audit /api/cash-reports /api/claims/{claim}/answer /api/corrections /api/desk /api/desk/ticket "
            "/api/patrons /api/shoes /api/terminals /api/terminals/proposed/{digest}"
        ),
        PIT_MANAGER: "/api/exclusions /api/program /api/staff/{name}/unlock",
        SHIFT: (
            "/api/exclusions/{name}/lift /api/people/{name}/erasures /api/people/{name}/notes /api/staff "
            "/api/tables/{key}/foresight"
        ),
    },
    "PUT": {
        OWN: "/api/factors/codes",
        SUPERVISOR: "/api/terminals/{name}",
        ASSISTANT: "/api/staff/{name}/acting",
        SHIFT: "/api/staff/{name}/password /api/staff/{name}/position",
    },
    "DELETE": {
        DEALER: "/api/factors/codes /api/factors/passkeys/{passkey}",
        SUPERVISOR: "/api/terminals/proposed/{digest} /api/terminals/{name}",
        PIT_MANAGER: "/api/sessions/{session}",
        ASSISTANT: "/api/staff/{name}/acting",
        SHIFT: "/api/staff/{name} /api/staff/{name}/factors",
    },
}
# Where an act at a table is asked, the positions above the usual ranks have none, unless the table's setup names them;
# of a ticket that there is none, anybody is told first who may be at the desk at all.
AT_A_TABLE: Final = {"/api/corrections", "/api/desk", "/api/tables/{key}/foresight"}
# What stands in an address; by a route's own path, where that is another.
IN_ADDRESSES: Final = {
    "claim": "1", "codes": "EB4:4.2", "command": "x", "digest": "0", "key": "2", "number": "1", "passkey": "x",
    "patron": "ann", "session": "0", "size": "1", "wager": "1", "path": "x", "code": "x", "_key": "2",
}  # fmt: skip
NAMES: Final = {"/api/terminals": "terminal-9", "/api/exclusions": "zoe", "/assets": "x"}
BODIES: Final[dict[str, dict[str, Any]]] = {
    "/api/staff": {"name": "new", "position": "dealer", "password": "a long enough one"},
    "/api/staff/zed/position": {"position": "pit-supervisor"},
    "/api/staff/zed/password": {"password": "a long enough one"},
    "/api/staff/zed/acting": {"position": "pit-supervisor", "minutes": 5},
    "/api/terminals": {"number": 9},
    "/api/terminals/terminal-9": {"label": "by the door"},
    "/api/shoes": {"table": "3"},
    "/api/patrons": {"name": "ann"},
    "/api/claims/1/answer": {"upheld": True, "reason": "misread"},
    "/api/tables/2/rounds/1/claims": {"about": "payment", "words": "not paid"},
    "/api/tables/2/readings": {"id": "1", "card": "9s"},
    "/api/tables/2/foresight": {"ruling": "continue", "reason": "nobody was hurt"},
    "/api/people/zed/notes": {"kind": "full-name", "text": "Zed Lim"},
    "/api/people/ann/notes": {"kind": "note", "text": "asks for table 3"},
    "/api/people/zed/erasures": {"reason": "asked for it"},
    "/api/cash-reports": {"patron": "ann", "day": "2026-01-01", "kind": "in", "cents": 5, "reference": "R-1"},
    "/api/exclusions": {"patron": "zoe", "reason": "asked for it"},
    "/api/exclusions/zoe/lift": {"reason": "a mistake"},
    "/api/desk": {"table": "2", "patron": "ann", "position": 1, "cents": 500, "kind": "in"},
    "/api/desk/ticket": {"table": "2", "patron": "ann", "position": 1, "code": "ABCD-EFGH"},
    "/api/corrections": {"table": "2", "patron": "ann", "cents": 5, "reason": "misread"},
}
# Asked last: after these, somebody is not there any more, or not signed in.
LAST: Final = ("/api/staff/{name}", "/api/sign-out")
# These take a fifth of a second each, and are everybody's.
SLOW: Final = {"/schema/openapi.yaml", "/schema/openapi.yml"}
DENIED: Final = {"not-signed-in", "not-allowed"}
Route = tuple[str, str]


def routes() -> list[Route]:
    """Every route of the floor with every method that it has."""
    found = {(method, route.path_format) for route in api().routes for method in getattr(route, "methods", ())}
    return sorted(((method, path) for method, path in found if method in METHODS), key=_order)


def _order(route: Route) -> tuple[bool, Route]:
    return route in {("DELETE", path) for path in LAST} | {("POST", path) for path in LAST}, route


def address(path: str) -> str:
    """A route's path with values in it."""
    name = next((value for start, value in NAMES.items() if path.startswith(start)), "zed")
    return re.sub(r"\{(\w+)\}", lambda found: (IN_ADDRESSES | {"name": name})[found[1]], path)


MAY_BY_ROUTE: Final[dict[Route, Position | str]] = {
    (method, path): who for method, by_whom in MAY.items() for who, paths in by_whom.items() for path in paths.split()
}
# What staff ask, with values in the addresses, and the least position for it; also where it depends on the name.
ROUTES: Final[dict[Route, Position]] = {
    (method, address(path)): who for (method, path), who in MAY_BY_ROUTE.items() if isinstance(who, Position)
} | {("POST", "/api/people/ann/notes"): SUPERVISOR}


def may(role: str, route: Route) -> bool:
    """Whether a role is not refused for want of authority."""
    who, positions = MAY_BY_ROUTE[route], [each.value for each in (RANKS if route[1] in AT_A_TABLE else STAFF)]
    if isinstance(who, Position):
        return role in positions[positions.index(who.value) :]
    return (
        role
        in {
            ANYBODY: {role},
            TERMINALS: {"terminal"},
            KNOWN: {"terminal", *positions},
            OWN: {"temporary", *positions},
            SHOES: {"shoe"},
        }[who]
    )


async def asked(browser: httpx.AsyncClient, method: str, path: str) -> tuple[int, str]:
    """The status and the code of an answer; whoever asks stays who they are."""
    body = BODIES.get(path, {}) if method in ("POST", "PUT") else None
    cookies = dict(browser.cookies)
    answer = await browser.request(method, path, json=body)
    browser.cookies.clear()
    for name, value in cookies.items():
        browser.cookies.set(name, value)
    try:
        return answer.status_code, str(answer.json().get("code", ""))
    except (ValueError, AttributeError):
        return answer.status_code, ""


async def roles(there: Lobby) -> dict[str, httpx.AsyncClient]:
    """A browser of every role."""
    identity, manager = there.identity, await there.session()
    found = {"nobody": there.browser()}
    await identity.accounts.open(manager, "tim", Position.GAMING_SHIFT_MANAGER, OTHER_PASSWORD)
    found["temporary"] = there.browser()
    came = await found["temporary"].post("/api/sign-in", json={"name": "tim", "password": OTHER_PASSWORD})
    assert came.status_code == 200
    found["terminal"] = there.browser()
    found["terminal"].cookies.set("punto_terminal", await identity.enrol_guest())
    greta = await there.signed_in()
    shoe = await greta.post("/api/shoes", json={"table": "2"})
    found["shoe"] = there.browser()
    found["shoe"].headers["authorization"] = f"Bearer {shoe.json()['token']}"
    for number, position in enumerate(STAFF):
        there.clock.go(1)  # nobody signs in too often
        found[position.value] = await there.hired(f"staff-{number}", position)
    return found


def test_one_table_says_of_every_route_who_may() -> None:
    assert MAY_BY_ROUTE.keys() == set(routes())
    assert {Position(role) for role in (each.value for each in STAFF)} == {*Position} - {
        Position.SYSTEM,
        Position.PATRON,
    }


@waits
async def test_every_route_answers_whom_it_should_and_refuses_everybody_else(tmp_path: Path) -> None:
    cells, wrong = 0, list[Any]()
    async with lobby(tmp_path, DEALT, OTHER, demonstration=True, prove_again_s=3_600) as there:
        await there.hired("zed", Position.DEALER)
        await there.identity.house.register_patron(await there.session(), "ann")
        browsers, manager = await roles(there), await there.session()
        for route in routes():
            method, path = route
            for role, browser in browsers.items():
                if path in SLOW and role != "nobody" and not NIGHTLY:
                    continue
                if route == ("DELETE", "/api/staff/{name}/acting"):
                    await there.identity.accounts.let_act(manager, "zed", SUPERVISOR, 60_000)
                status, code = await asked(browser, method, address(path))
                cells += 1
                is_staff = role in {each.value for each in STAFF}
                expected = 403 if is_staff and MAY_BY_ROUTE[route] not in (TERMINALS, SHOES) else 401
                refused = (403 if path == "/metrics" else expected) if code in DENIED else None
                right = code not in DENIED if may(role, route) else status == refused
                wrong += [] if right else [(role, route, status, code)]
    assert not wrong, "\n".join(map(str, wrong))
    print(f"{cells} cells of {len(MAY_BY_ROUTE)} routes and {len(browsers)} roles")  # noqa: T201
    assert cells >= len(MAY_BY_ROUTE) * len(browsers) - len(SLOW) * (len(browsers) - 1)


@waits
async def test_whoever_is_taken_off_the_staff_gets_nothing_in_a_browser_that_was_signed_in_before(
    tmp_path: Path,
) -> None:
    async with lobby(tmp_path, DEALT) as there:
        browser = await there.hired("ivy", Position.CASINO_DIRECTOR)
        assert (await asked(browser, "GET", "/api/staff"))[0] == 200
        await there.identity.accounts.close(await there.session(), "ivy")
        for method, path in ROUTES:
            if path != "/metrics":
                assert (await asked(browser, method, path))[0] == 401, (method, path)
