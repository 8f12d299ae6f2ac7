"""The browser of the tests is the one that is named, or one that is there."""

import sys
from pathlib import Path

import pytest
from tests.children import run

_TOOL = Path(__file__).resolve().parents[2] / "tools" / "browser.py"


def _found(browser: str, monkeypatch: pytest.MonkeyPatch) -> tuple[int, str, str]:
    monkeypatch.setenv("PUNTO_BROWSER", browser)
    done = run([sys.executable, _TOOL], capture_output=True, text=True)
    return done.returncode, done.stdout, done.stderr


def test_a_browser_that_is_named_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    named = tmp_path / "a browser"
    named.write_text("#!/bin/sh\n")
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
    assert said == f"PUNTO_BROWSER={named}: there is no file that can be executed: expected Chromium\n"
