"""A store that hangs: whoever asks by HTTP is told in time that it does, and what became of it."""

import asyncio
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from threading import Event
from time import monotonic
from typing import Any, Final

import pytest
from tests.server.http.floor import BY_HAND
from tests.server.identity.lobby import MANAGER, PASSWORD, Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits

from punto.server.writer import Writer
from punto.store.contract import Row

__all__ = ["_cheap_hashes"]
PATIENCE_S: Final = 0.25
NEW: Final = {"name": "dora", "position": "dealer", "password": "a long enough one"}
DESK: Final = {"table": "2", "patron": "ann", "position": 1, "cents": 500, "kind": "in", "id": "first"}


@pytest.fixture(autouse=True)
def _patience(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("punto.server.patience.PATIENCE_S", PATIENCE_S)


def with_usual_patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """A store that answers is given the time that it takes on a busy machine."""
    monkeypatch.setattr("punto.server.patience.PATIENCE_S", 5.0)


def freeze(inside: Lobby) -> Callable[[], None]:
    """Have the store's next commits hang until the function is called that this returns."""
    store, thawed = inside.server.hall.writer.floor.store, Event()
    append = store.append

    def hang(entries: Iterable[Row], fences: Mapping[str, int]) -> None:
        thawed.wait(20)
        append(entries, fences)

    store.append = hang  # type: ignore[method-assign]
    return thawed.set


async def quick(asking: Any) -> tuple[int, str]:  # noqa: ANN401 (whatever is awaited)
    began = monotonic()
    answer = await asking
    assert monotonic() - began < PATIENCE_S + 2
    return answer.status_code, answer.json().get("code", "")


async def at_rest(writer: Writer) -> None:
    await writer.settle_down()
    await writer.call(lambda: None)


@waits
async def test_whoever_waits_for_a_store_that_hangs_is_told_in_time_that_nothing_was_done(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, BY_HAND, demonstration=True) as inside:
        greta, nobody = await inside.signed_in(), inside.browser()
        writer, thawed = inside.server.hall.writer, Event()
        before = inside.stored()
        hanging = asyncio.create_task(writer.call(thawed.wait, 20))
        answers = await asyncio.gather(
            quick(nobody.post("/api/sign-in", json={"name": MANAGER, "password": PASSWORD})),
            quick(nobody.post("/api/guest")),
            quick(nobody.post("/api/enrol", json={"code": "AAAA-BBBB-CCCC"})),
            quick(greta.post("/api/staff", json=NEW)),
            quick(greta.post("/api/terminals", json={"number": 7})),
            quick(greta.post("/api/shoes", json={"table": "2"})),
            quick(greta.post("/api/password", json={"old": PASSWORD, "new": "another long one"})),
            quick(greta.post("/api/desk", json=DESK)),
        )
        assert set(answers) == {(503, "store-gone")}
        thawed.set()
        await hanging
        await at_rest(writer)
        assert inside.stored() == before, "what was refused is not done later"
        with_usual_patience(monkeypatch)
        assert await quick(greta.post("/api/staff", json=NEW)) == (201, "")


@waits
async def test_what_a_store_may_have_written_is_unknown_and_asking_again_does_no_harm(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with lobby(tmp_path, BY_HAND, demonstration=True) as inside:
        greta, writer = await inside.signed_in(), inside.server.hall.writer
        assert (await greta.post("/api/patrons", json={"name": "ann"})).status_code == 200
        cases: list[tuple[Callable[[], Any], tuple[int, str]]] = [
            (lambda: greta.post("/api/staff", json=NEW), (409, "name-taken")),
            (lambda: inside.browser().post("/api/sign-in", json={"name": MANAGER, "password": PASSWORD}), (200, "")),
            (lambda: greta.post("/api/shoes", json={"table": "2"}), (201, "")),
            (lambda: greta.post("/api/desk", json=DESK), (200, "")),
            (lambda: greta.delete("/api/staff/dora"), (404, "no-such-account")),
        ]
        for asked, again in cases:
            thaw = freeze(inside)
            assert await quick(asked()) == (503, "unknown")
            thaw()
            await at_rest(writer)
            with monkeypatch.context() as patient:
                with_usual_patience(patient)
                assert await quick(asked()) == again
        assert inside.kinds("staff").count("AccountOpened") == 2
        bought = [line for line in inside.stored().splitlines() if b'"credits-bought"' in line]
        assert len(bought) == 1
