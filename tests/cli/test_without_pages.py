"""`punto serve` where an installation has no pages: one line says how to get them, and the floor opens all the same."""

import asyncio
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, cast

import pytest

from punto.cli import serve
from punto.server.config import demonstration
from punto.server.http import pages

if TYPE_CHECKING:
    from punto.server.app import Server

LACKING = "punto: the pages of the floor are not installed, and browsers will see none: "


@pytest.fixture
def installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where Punto lies, with its pages if there were any."""
    built = tmp_path / "src" / "punto" / "server" / "pages"
    built.mkdir(parents=True)
    monkeypatch.setattr(pages, "BUILT", built)
    return tmp_path


def told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What is told once a floor is open."""
    server = cast("Server", SimpleNamespace(config=demonstration(tmp_path, 8421)))
    asyncio.run(serve._tell_floor(server))  # noqa: SLF001
    return capsys.readouterr().err.splitlines()


@pytest.mark.parametrize(
    ("in_a_clone", "how"),
    [
        (True, "run make pages"),
        (False, "install a release of Punto, or run make pages in a clone of it and pip install . there"),
    ],
)
def test_one_line_says_how_to_get_the_pages(
    installed: Path, capsys: pytest.CaptureFixture[str], in_a_clone: bool, how: str
) -> None:
    if in_a_clone:
        (installed / "web").mkdir()
        (installed / "web" / "package.json").touch()
    first, second, marked = told(installed, capsys)
    assert first == LACKING + how
    assert second.endswith(" is open at http://127.0.0.1:8421: 11 tables")
    assert marked.startswith("Demonstration rules at tables 1, 9, 10: ")
    lacking = pages.without_pages()
    assert lacking is not None
    assert lacking.code == "missing-part"


def test_nothing_is_said_of_pages_that_are_there(installed: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (pages.BUILT / "index.html").touch()
    first, _ = told(installed, capsys)
    assert " is open at " in first
    assert pages.without_pages() is None
