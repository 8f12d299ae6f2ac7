"""A floor of one's own: its name, its languages, and terminals that staff enrol."""

import json
import re
import socket
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Browser, Page, expect
from tests.children import run
from tests.web.conftest import DESKTOP, PHONE, Visit
from tests.web.floors import ROOT, folder_for, served

from punto.floor import Keys
from punto.store import open_store

NAME: Final = 'Marina <b>&"Bay"</b>'
_FILE: Final = """
name = {name}
languages = {languages}
store = "sqlite:floor.db"
second-factor = "offered"
key-file = "floor.key"
port = {port}

[[table]]
key = "1"
game = "fortune-six"
"""
Served = Callable[[Path], Visit]
Opened = Callable[..., Visit]


@pytest.fixture
def port() -> int:
    """A port that nobody has."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free: int = probe.getsockname()[1]
    return free


@pytest.fixture
def folder(tmp_path: Path, request: pytest.FixtureRequest) -> Path:
    """A folder for the floor of this test, which is judged after the run like any other."""
    folder = folder_for(request.node.name, lambda: tmp_path / "floor")
    folder.mkdir(exist_ok=True)
    return folder


@pytest.fixture
def serve(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Served]:
    """Opens the floor of a file."""
    with ExitStack() as floors:

        def serve_file(file: Path) -> Visit:
            (file.parent / "tests").write_text(f"{request.node.nodeid}\n")
            port = floors.enter_context(served(file))
            visit = Visit(chromium, f"http://127.0.0.1:{port}", file.parent)
            floors.callback(visit.close)
            return visit

        yield serve_file


@pytest.fixture
def opened(serve: Served, folder: Path, port: int) -> Opened:
    """Opens a floor of one table that is called so and offers these languages."""

    def open_floor(name: str, *languages: str) -> Visit:
        Keys.at(folder / "floor.key")
        open_store(f"sqlite:{folder / 'floor.db'}").close()
        file = folder / "floor.toml"
        told = {"name": json.dumps(name), "languages": json.dumps(languages), "port": port}
        file.write_text(_FILE.format(**told), encoding="utf-8")
        return serve(file)

    return open_floor


def _language(page: Page) -> str | None:
    expect(page.get_by_role("banner")).to_be_visible()
    return page.locator("html").get_attribute("lang")


@pytest.mark.nightly
def test_a_floor_is_called_by_its_name_and_speaks_its_one_language(opened: Opened) -> None:
    visit = opened(NAME, "zh")
    context = visit.context(locale="en-SG")
    # Chosen on this device, on a floor that offered it.
    context.add_init_script("localStorage.setItem('punto.language', 'en')")
    page = visit.watch(context.new_page())
    for path, title in (
        ("/", f"{NAME} · 大厅"),
        ("/sign-in", f"{NAME} · 员工入口"),
        ("/verify", f"{NAME} · 查验牌靴或收据"),
    ):
        page.goto(path)
        assert _language(page) == "zh-Hans"
        expect(page).to_have_title(title)
        home = page.get_by_role("link", name=f"{NAME}：回大厅")
        expect(home).to_have_text(NAME)
        expect(home.locator("svg")).to_be_visible()
        expect(page.get_by_role("button", name="English")).to_have_count(0)
        expect(page.get_by_role("button", name="中文")).to_have_count(0)
    for asked in ("en", "both"):
        page.goto(f"/display/1?lang={asked}")
        expect(page.get_by_text("1号桌")).to_be_visible()
        assert page.locator("html").get_attribute("lang") == "zh-Hans"
    page.goto("/pit")
    expect(page).to_have_title(f"监管台 · {NAME}")
    page.goto("/nowhere")
    expect(page).to_have_title(NAME)
    expect(page.get_by_role("heading", name="此地址没有页面")).to_be_visible()


@pytest.mark.nightly
def test_who_likes_none_of_the_languages_of_a_floor_gets_its_first(opened: Opened) -> None:
    visit = opened("Marina", "zh", "en")
    for locale, tag in (("fr-FR", "zh-Hans"), ("en-SG", "en"), ("zh-CN", "zh-Hans")):
        page = visit.page("/", locale=locale)
        assert _language(page) == tag, locale
    page = visit.page("/", locale="fr-FR")
    page.get_by_role("button", name="English").click()
    page.reload()
    assert _language(page) == "en", "what is chosen is kept"


@pytest.mark.nightly
def test_a_long_name_of_a_floor_has_room(opened: Opened) -> None:
    page = opened("W" * 60, "en").blank()
    for size in (PHONE, DESKTOP):
        page.set_viewport_size(size)
        for path in ("/", "/sign-in"):
            page.goto(path)
            expect(page.get_by_role("banner").get_by_text("W" * 60)).to_be_visible()
            assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path


def test_a_device_is_enrolled_once_and_is_a_terminal_from_then_on(
    serve: Served, folder: Path, port: int, tmp_path: Path
) -> None:
    secret = tmp_path / "password"
    secret.write_text("correct horse battery")
    told = ["--manager", "mona", "--password-file", str(secret), "--games", "fortune-six", "--port", str(port)]
    run([sys.executable, "-m", "punto", "init", str(folder), *told], cwd=ROOT, check=True)
    file = folder / "floor.toml"
    offered = 'second-factor = "offered"'  # what is tried is the terminal
    file.write_text(f"{offered}\n{file.read_text(encoding='utf-8')}\n[table.pace]\ncut-ms = 200\n", encoding="utf-8")
    visit = serve(file)
    pit = visit.page("/sign-in")
    pit.get_by_label("Name", exact=True).fill("mona")
    pit.get_by_label("Password", exact=True).fill("correct horse battery")
    pit.locator("form").get_by_role("button", name="Sign in").click()
    expect(pit.get_by_text("Gaming Shift Manager").first).to_be_visible()
    ours = {"origin": visit.address}
    code = pit.request.post("/api/terminals", data={"number": 9}, headers=ours).json()["code"]
    page = visit.page("/table/1")
    expect(page.get_by_role("heading", name="Enrol this terminal")).to_be_visible()
    page.get_by_label("Code").fill(code)
    page.get_by_role("button", name="Enrol").click()
    area = page.get_by_role("button", name=re.compile("^Player, pays"))
    expect(area).to_be_visible()
    bought = {"table": "1", "patron": "terminal-9", "position": 1, "cents": 100_000, "kind": "in"}
    answer = pit.request.post("/api/desk", data=bought, headers=ours)
    assert answer.ok, answer.text()
    credits_shown = page.locator("header .figure").first
    expect(credits_shown).to_contain_text("1,000.00")
    # Whatever comes, it is still that terminal, and its stake lies where it lay.
    page.get_by_role("radio", name="Chip of 25", exact=True).click()
    expect(area).to_be_enabled(timeout=30_000)
    area.click()
    expect(area).to_have_accessible_name(re.compile("your stake 25.00$|your stake 25.00,"))
    page.reload()
    expect(area).to_be_visible()
    expect(page.get_by_role("heading", name="Enrol this terminal")).to_have_count(0)
    assert page.request.get("/api/me").json()["patron"] == "terminal-9"
