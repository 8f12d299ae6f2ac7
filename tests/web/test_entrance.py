"""The staff entrance of a floor that asks for a second factor: passkeys, codes, what is lost, and the way back.

Chromium has a virtual device with passkeys. Browsers know passkeys for names only, so the pages are
at localhost.
"""

import re
import socket
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pyotp
import pytest
from playwright.sync_api import Browser, CDPSession, Locator, Page, expect
from tests.cli.shell import process as punto
from tests.web.conftest import DESKTOP, PHONE
from tests.web.floors import folder_for, served

NAME: Final = "greta"
PASSWORD: Final = "seven green lanterns"
OTHER_PASSWORD: Final = "trombone velvet quarry lamp"
_DEVICE: Final = {
    "protocol": "ctap2",
    "transport": "internal",
    "hasResidentKey": True,
    "hasUserVerification": True,
    "isUserVerified": True,
    "automaticPresenceSimulation": True,
}


class Device:
    """A device that keeps passkeys, as one page of Chromium has it."""

    def __init__(self, page: Page) -> None:
        self._cdp: CDPSession = page.context.new_cdp_session(page)
        self._cdp.send("WebAuthn.enable")
        self._id = self._cdp.send("WebAuthn.addVirtualAuthenticator", {"options": _DEVICE})["authenticatorId"]

    def passkeys(self) -> list[Any]:
        found: list[Any] = self._cdp.send("WebAuthn.getCredentials", {"authenticatorId": self._id})["credentials"]
        return found

    def is_lost(self) -> None:
        self._cdp.send("WebAuthn.clearCredentials", {"authenticatorId": self._id})


class Entrance:
    """A browser at the staff entrance."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.device = Device(page)
        page.goto("/sign-in")

    def button(self, name: str) -> Locator:
        return self.page.get_by_role("button", name=name, exact=True)

    def fill(self, label: str, text: str) -> None:
        self.page.get_by_label(label, exact=True).fill(text)

    def sign_in(self, password: str = PASSWORD, code: str = "") -> None:
        self.fill("Name", NAME)
        self.fill("Password", password)
        if code:
            self.fill("One-time code", code)
        self.page.locator("form").get_by_role("button", name="Sign in").click()

    def add_app(self) -> pyotp.TOTP:
        """Add an app for one-time codes, whose secret is typed in."""
        self.button("Add an app for one-time codes").click()
        self.page.get_by_text("I cannot scan it").click()
        app = pyotp.TOTP(self.page.locator("code.secret").inner_text())
        self.fill("One-time code", app.now())
        self.button("The app shows this code").click()
        return app

    def at_work(self) -> None:
        self.page.wait_for_url("**/pit")
        expect(self.page.get_by_role("heading").first).to_be_attached()

    def back(self) -> None:
        """Leave, and come to the entrance again."""
        self.page.goto("/sign-in")
        self.button("Sign out").click()
        expect(self.button("Use a passkey")).to_be_visible()


class House:
    """A floor of a file, with one account, and browsers to come in with."""

    def __init__(self, chromium: Browser, folder: Path, port: int) -> None:
        self.folder = folder
        self._chromium = chromium
        self._port = port

    @contextmanager
    def entrance(self, **options: Any) -> Iterator[Entrance]:  # noqa: ANN401
        address = f"http://localhost:{self._port}"
        usual = {"viewport": DESKTOP, "locale": "en-SG", "reduced_motion": "reduce"}
        context = self._chromium.new_context(base_url=address, **usual | options)
        context.set_default_timeout(15_000)
        try:
            yield Entrance(context.new_page())
        finally:
            context.close()

    def way_back(self) -> str:
        """The code that whoever has the machine makes."""
        said = punto("recover", str(self.folder / "floor.toml"), NAME, "--by", "Ann Tan", "--reason", "phone lost")
        assert said.status == 0, said.err
        return said.out.split()[0]


@pytest.fixture
def house(chromium: Browser, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[House]:
    folder = folder_for(re.sub(r"\W+", "-", request.node.name), lambda: tmp_path / "floor")
    (tmp_path / "password").write_text(PASSWORD)
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        free = str(probe.getsockname()[1])
    secret = ("--password-file", str(tmp_path / "password"))
    made = punto(
        "init", str(folder), "--manager", NAME, *secret, "--port", free, "--checkpoints", str(tmp_path / "out")
    )
    assert made.status == 0, made.err
    file = folder / "floor.toml"
    file.write_text(getattr(request, "param", "") + file.read_text())
    with served(file) as port:
        yield House(chromium, folder, port)


def test_a_passkey_is_added_before_anything_else_and_then_lets_in_alone(house: House) -> None:
    with house.entrance() as here:
        here.sign_in()
        expect(here.page.get_by_text("Before anything else, add a passkey")).to_be_visible()
        here.page.goto("/pit")
        expect(here.page.get_by_text("The pit is for staff.")).to_be_visible()
        here.page.goto("/sign-in")
        here.fill("Name of the passkey", "office computer")
        here.button("Add a passkey").click()
        here.at_work()
        assert len(here.device.passkeys()) == 1
        here.back()
        here.button("Use a passkey").click()
        here.at_work()


def test_a_lost_device_is_removed_and_an_app_makes_codes_in_its_place(house: House) -> None:
    with house.entrance() as here:
        here.sign_in()
        here.button("Add a passkey").click()
        here.at_work()
        here.page.goto("/sign-in")
        here.page.get_by_text("How you sign in").click()
        app = here.add_app()
        expect(here.page.get_by_text("An app on your phone makes them")).to_be_visible()
        here.back()
        here.device.is_lost()
        here.button("Use a passkey").click()
        expect(here.page.get_by_role("alert").filter(has_text="No passkey was shown")).to_be_visible()
        here.sign_in()
        expect(here.page.get_by_text("now your code, or a passkey")).to_be_visible()
        here.fill("One-time code", app.at(int(time.time()) + 30))
        here.page.locator("form").get_by_role("button", name="Sign in").click()
        here.at_work()
        here.page.goto("/sign-in")
        here.page.get_by_text("How you sign in").click()
        here.button("Remove Passkey").click()
        expect(here.button("Remove Passkey")).to_have_count(0)


def test_who_has_lost_everything_comes_in_by_a_code_from_the_machine(house: House) -> None:
    with house.entrance() as here:
        here.sign_in()
        here.button("Add a passkey").click()
        here.at_work()
        here.back()
        here.device.is_lost()
        code = house.way_back()
        here.button("Way back in").click()
        for label, text in (("Name", NAME), ("Code", code), ("New password", OTHER_PASSWORD)):
            here.fill(label, text)
        here.fill("New password again", OTHER_PASSWORD)
        here.button("Come in again").click()
        expect(here.page.get_by_text("Before anything else, add a passkey")).to_be_visible()
        app = here.add_app()
        here.at_work()
        here.back()
        here.sign_in()
        expect(here.page.get_by_role("alert").filter(has_text="do not belong together")).to_be_visible()
        here.sign_in(OTHER_PASSWORD)
        here.fill("One-time code", app.at(int(time.time()) + 30))
        here.page.locator("form").get_by_role("button", name="Sign in").click()
        here.at_work()


@pytest.mark.parametrize("house", ["prove-again-s = 3\n"], indirect=True)
def test_before_an_account_is_opened_the_passkey_is_asked_for_again(house: House) -> None:
    with house.entrance() as here:
        here.sign_in()
        here.button("Add a passkey").click()
        here.at_work()
        page = here.page
        page.goto("/pit#staff")
        page.wait_for_timeout(3_100)  # until the proof is too old
        page.get_by_label("Name", exact=True).fill("dan")
        page.get_by_label("First password").fill(OTHER_PASSWORD)
        here.button("Open account").click()
        proving = page.get_by_role("dialog", name="Prove again who you are")
        # Of who has a passkey alone, no code is asked.
        expect(proving.get_by_role("button", name="Use a passkey")).to_be_visible()
        expect(proving.get_by_role("textbox")).to_have_count(0)
        proving.get_by_role("button", name="Not now").click()
        expect(page.locator("td", has_text="dan")).to_have_count(0)
        here.button("Open account").click()
        proving.get_by_role("button", name="Use a passkey").click()
        expect(proving).to_have_count(0)
        expect(page.locator("td", has_text="dan").first).to_be_visible()


@pytest.mark.parametrize(
    "shown", [{}, {"viewport": PHONE, "color_scheme": "dark", "locale": "zh-CN"}], ids=["desktop", "phone"]
)
def test_the_entrance_fits_its_page(house: House, shown: dict[str, Any], tmp_path: Path) -> None:
    with house.entrance(**shown) as here:
        here.page.screenshot(path=tmp_path / "sign-in.png")
        assert here.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
