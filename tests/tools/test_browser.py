"""The browser of the tests is the one that is named, or one that is there."""

import sys
from pathlib import Path

import pytest
from tests.children import run

from tools import browser

_TOOL = Path(__file__).resolve().parents[2] / "tools" / "browser.py"


def _found(browser: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    monkeypatch.setenv("PUNTO_BROWSER", browser)
    done = run([sys.executable, _TOOL], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_browser_that_is_named_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "a browser"
    named.write_text("#!/bin/sh\necho Chromium 140.0.7339.80\n")
    named.chmod(0o755)
    status, path, _ = _found(str(named), monkeypatch)
    assert (status, path) == (0, f"{named}\n")


@pytest.mark.parametrize("there", [True, False])
def test_a_file_that_cannot_be_executed_is_no_browser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    named = tmp_path / "letter"
    if there:
        named.write_text("Dear Chromium")
        named.chmod(0o644)
    status, path, said = _found(str(named), monkeypatch)
    assert (status, path) == (1, "")
    assert said == f"PUNTO_BROWSER={named}: not found, or not executable: expected the path of Chromium or Chrome\n"


@pytest.mark.parametrize("text", ["#!/bin/sh\necho true 9.1\n", "#!/bin/nothing\n"])
def test_a_program_that_is_no_browser_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    named = tmp_path / "true"
    named.write_text(text)
    named.chmod(0o755)
    status, path, said = _found(str(named), monkeypatch)
    assert (status, path) == (1, "")
    assert said == f"PUNTO_BROWSER={named}: not a browser: expected the path of Chromium or Chrome\n"


@pytest.mark.parametrize(
    ("there", "letters", "installed"),
    [
        (True, True, ()),
        (True, False, browser.FONTS),
        (False, True, (browser.PACKAGE,)),
        (False, False, (browser.PACKAGE, *browser.FONTS)),
    ],
)
def test_only_what_is_missing_is_installed(
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    there: bool,
    letters: bool,
    installed: tuple[str, ...],
) -> None:
    asked: list[str] = []
    monkeypatch.delenv("PUNTO_BROWSER", raising=False)
    monkeypatch.setattr(browser, "found", lambda: "/usr/bin/chromium" if there or asked else None)
    monkeypatch.setattr(browser, "has_chinese", lambda: letters)
    monkeypatch.setattr(browser, "install", lambda *packages: asked.extend(packages))
    assert browser.main() == 0
    assert tuple(asked) == installed
    told = capsys.readouterr()
    assert told.out == "/usr/bin/chromium\n"
    assert ("is missing" in told.err) is not letters
