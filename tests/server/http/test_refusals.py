"""What somebody's position does not carry is on record once, whatever route it was asked by."""

import asyncio
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from tests.server.http.floor import BY_HAND, READ
from tests.server.http.test_roles import BODIES, ROUTES
from tests.server.identity.lobby import Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits

from punto.floor.handler import SECURITY
from punto.rules import RANKS, Position
from punto.server.http.routes import api

__all__ = ["_cheap_hashes"]

PLACES: Final = {"name": "zed", "table": "2", "key": "2", "session": "0", "number": "1", "round": "1"}
CASH: Final = {"table": "2", "patron": "ann", "position": 1, "cents": 5_000, "kind": "in"}
# What is asked besides, so that a request is read; by the route's own path.
MORE: Final[dict[str, Any]] = {"/api/desk": CASH, "/api/desk?out": CASH | {"kind": "out"}}
# These end the session that asks.
ENDING: Final = {("POST", "/api/sign-out")}


def routes() -> Iterator[tuple[str, str]]:
    """Every route of the floor with every method, each with values in its address."""
    for route in api().routes:
        for method in sorted(getattr(route, "methods", ())):
            path = re.sub(r"\{(\w+):\w+\}", lambda found: PLACES.get(found[1], "x"), route.path_format)
            if method in ("GET", "POST", "PUT", "DELETE") and (method, path) not in ENDING:
                yield method, path


async def lines(there: Lobby) -> list[str]:
    """The security log, once nobody is about to write into it."""
    while there.server.office._logging:  # noqa: ASYNC110, SLF001
        await asyncio.sleep(0.001)
    await there.server.hall.writer.settle_down()
    return [entry.body.decode() for entry in there.server.hall.writer.floor.store.read(SECURITY)]


@waits
async def test_each_refusal_of_a_dealer_by_any_route_is_on_record_once(tmp_path: Path) -> None:
    async with lobby(tmp_path, BY_HAND, READ) as there:
        await there.hired("zed", Position.DEALER)
        dealer = await there.hired("dan", Position.DEALER)
        asked = [*routes(), *ROUTES, ("POST", "/api/desk?out")]
        refused: list[tuple[str, str]] = []
        for method, path in dict.fromkeys(asked):
            before = await lines(there)
            body = (BODIES | MORE).get(path, {}) if method in ("POST", "PUT") else None
            answer = await dealer.request(method, path, json=body)
            new = (await lines(there))[len(before) :]
            is_refused = answer.status_code == 403 and answer.json()["code"] == "not-allowed"
            assert len(new) == is_refused, (method, path, answer.text, new)
            if is_refused:
                refused.append((method, path))
                assert '"dan"' in new[0]
        above = {route for route, least in ROUTES.items() if RANKS.index(least) > RANKS.index(Position.DEALER)}
        above -= {("DELETE", "/api/staff/zed/acting")}  # Zed acts in no other position: there is nothing to refuse
        assert {*refused} >= above | {("POST", "/api/desk"), ("POST", "/api/desk?out"), ("GET", "/api/security")}
        assert there.server.hall.trespasses.of("dan") == len(refused)
        assert len(asked) > 60


@waits
async def test_the_same_cash_at_a_table_of_another_is_on_record_each_time_with_the_table(tmp_path: Path) -> None:
    async with lobby(tmp_path, BY_HAND, READ) as there:
        dealer = await there.hired("dan", Position.DEALER)
        for times in (1, 2):
            answer = await dealer.post("/api/desk", json=CASH | {"id": "slip-1"})
            assert (answer.status_code, answer.json()["code"]) == (403, "not-allowed")
            said = await lines(there)
            assert len(said) == times
            assert "dan has not taken table 2" in said[-1]
