"""The pit's page of significant events, on a floor where one of every kind has happened."""

import asyncio
import re
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, expect
from tests.program.laid import Laid
from tests.server.http.running import running
from tests.server.identity.lobby import MANAGER, PASSWORD, _cheap_hashes, configured
from tests.server.test_programcheck import laid
from tests.server.test_significant import BY_HAND, whole_evening
from tests.server.test_syslog import receiver
from tests.web.conftest import DESKTOP, Visit

from punto.record.significant import EventKind, last_events
from punto.store import SqliteStore

__all__ = ["_cheap_hashes", "laid"]

_MOST: Final = 500


def test_the_pits_page_shows_a_line_of_every_kind_of_event(
    chromium: Browser, tmp_path: Path, laid: Laid, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "floor"
    folder.mkdir()
    # The browser has a loop in this thread.
    with receiver("udp", tmp_path) as heard, ThreadPoolExecutor(1) as beside:
        beside.submit(lambda: asyncio.run(whole_evening(folder, heard, laid, monkeypatch))).result()
    monkeypatch.undo()
    with running(configured(folder, BY_HAND)) as floor:
        context = chromium.new_context(
            base_url=floor.address, viewport=DESKTOP, locale="en-SG", reduced_motion="reduce"
        )
        page = Visit(chromium, floor.address, folder).watch(context.new_page())
        by = {"name": MANAGER, "password": PASSWORD}
        answer = context.request.post("/api/sign-in", data=by, headers={"origin": floor.address})
        assert answer.ok, answer.text()
        page.goto("/pit#events")
        lines = page.locator("tbody tr")
        expect(lines.filter(has=page.get_by_role("cell", name="Start", exact=True)).first).to_be_visible()
        more = page.get_by_role("button", name="Show more")
        if more.count():
            more.click()
            expect(more).to_have_count(0)
        store = SqliteStore(folder / "floor.db", read_only=True)
        said = {event.kind: event.said for event in last_events(store, most=_MOST)}
        store.close()
        assert said.keys() == set(EventKind)
        names = page.get_by_role("combobox", name="Kind").locator("option")
        shown = {each.get_attribute("value"): each.inner_text() for each in names.all()}
        for kind, sentence in said.items():
            line = lines.filter(has=page.get_by_role("cell", name=shown[kind.value], exact=True))
            expect(line.filter(has_text=re.compile(re.escape(sentence))).first).to_be_visible()
        context.close()
