"""The locks are resolved anew as a whole, or for one package alone: Python's and those of the pages."""

import json
import re
from importlib.metadata import PackageNotFoundError, requires
from pathlib import Path

import pytest
from packaging.requirements import Requirement

from tools import lock, pages

HASHES = "    --hash=sha256:00\n"
PINS = {"run": ("click", "msgspec"), "lab": ("click", "msgspec", "numba"), "dev": ("click", "pytest-cov"), "node": ()}
MODULES = {"svelte": "1", "@babel/parser": "1", "vite/node_modules/svelte": "1"}


@pytest.fixture
def asked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """A repository whose packages are all at version 1; uv and npm find a version 2 of each. What they were asked."""
    asked: list[list[str]] = []
    (tmp_path / "requirements").mkdir()
    for name, packages in PINS.items():
        (tmp_path / "requirements" / f"{name}.txt").write_text("".join(f"{each}==1 \\\n{HASHES}" for each in packages))
    (tmp_path / "web").mkdir()
    (tmp_path / "web" / "package.json").write_text('{"devDependencies": {"svelte": "1"}}')
    write_modules(tmp_path, MODULES)

    def uv(command: list[str], **_: object) -> None:
        asked.append(command)
        target = Path(command[command.index("-o") + 1])
        which = command[command.index("--upgrade-package") + 1] if "--upgrade-package" in command else ""
        text = target.read_text()
        target.write_text(text.replace(f"{which}==1", f"{which}==2") if which else text.replace("==1", "==2"))

    def npm(_: object, *arguments: str) -> str:
        asked.append(["npm", *arguments])
        which = arguments[-2].removesuffix("@latest")
        write_modules(tmp_path, {place: "2" if which in (place, "update") else "1" for place in MODULES})
        return ""

    monkeypatch.setattr(lock, "ROOT", tmp_path)
    monkeypatch.setattr("subprocess.run", uv)
    monkeypatch.setattr(pages, "npm", npm)
    monkeypatch.setattr(pages, "with_node", dict)
    return asked


def write_modules(folder: Path, versions: dict[str, str]) -> None:
    places = {f"node_modules/{place}": {"version": version} for place, version in versions.items()}
    (folder / "web" / "package-lock.json").write_text(json.dumps({"packages": {"": {}, **places}}))


def pins(folder: Path) -> dict[str, dict[str, str]]:
    return {name: lock.pinned((folder / "requirements" / f"{name}.txt").read_text()) for name in PINS}


def test_without_a_name_everything_moves(
    tmp_path: Path, asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main() == 0
    assert pins(tmp_path) == {name: dict.fromkeys(packages, "2") for name, packages in PINS.items()}
    assert ["--upgrade" in command for command in asked[:-1]] == [True] * 4
    assert asked[-1] == ["npm", "update", "--package-lock-only"]
    assert capsys.readouterr().out.splitlines() == [
        "click: 1 to 2",
        "msgspec: 1 to 2",
        "numba: 1 to 2",
        "pytest-cov: 1 to 2",
        "@babel/parser: 1 to 2",
        "svelte: 1 to 2",
    ]


def test_with_a_name_that_package_alone_moves_in_the_locks_that_have_it(
    tmp_path: Path, asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main("Msgspec") == 0
    assert pins(tmp_path) == {
        "run": {"click": "1", "msgspec": "2"},
        "lab": {"click": "1", "msgspec": "2", "numba": "1"},
        "dev": {"click": "1", "pytest-cov": "1"},
        "node": {},
    }
    assert [command[-1].rpartition("/")[2] for command in asked] == ["run.txt", "lab.txt"]
    assert not [command for command in asked if "--upgrade" in command]
    assert capsys.readouterr().out == "msgspec: 1 to 2\n"


@pytest.mark.usefixtures("asked")
def test_a_name_is_spelled_as_in_the_locks(tmp_path: Path) -> None:
    assert lock.main("Pytest_Cov") == 0
    assert pins(tmp_path)["dev"] == {"click": "1", "pytest-cov": "2"}


def test_a_name_that_is_in_no_lock_is_refused(asked: list[list[str]], capsys: pytest.CaptureFixture[str]) -> None:
    assert lock.main("msgpsec") == 2
    assert asked == []
    expected = "expected a package of requirements/ or web/package-lock.json"
    assert capsys.readouterr().err == f"No lock names msgpsec: {expected}\n"


def test_a_package_that_the_pages_pin_is_pinned_anew(
    asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main("svelte") == 0
    assert asked == [["npm", "install", "--save-dev", "--save-exact", "svelte@latest", "--package-lock-only"]]
    assert capsys.readouterr().out == "svelte: 1 to 1 and 2\n", "vite has one of its own, which stays"


def test_a_package_that_others_bring_moves_as_far_as_they_allow(
    asked: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert lock.main("@babel/parser") == 0
    assert asked == [["npm", "update", "@babel/parser", "--package-lock-only"]]
    assert capsys.readouterr().out == "@babel/parser: 1 to 2\n"


@pytest.mark.usefixtures("asked")
def test_what_npm_refuses_is_one_line(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def refuse(*_: object) -> str:
        raise pages.Failed("npm update ended with status 1 (its words are above)")

    monkeypatch.setattr(pages, "npm", refuse)
    assert lock.main("svelte") == 1
    assert capsys.readouterr().err == "npm update ended with status 1 (its words are above)\n"


@pytest.mark.usefixtures("asked")
def test_a_lock_of_the_pages_that_names_an_address_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def resolve(*_: object) -> str:
        (tmp_path / "web" / "package-lock.json").write_text(
            '{"packages": {"node_modules/svelte": {"version": "2", "resolved": "https://example.org/svelte.tgz"}}}'
        )
        return ""

    monkeypatch.setattr(pages, "npm", resolve)
    assert lock.main("svelte") == 1
    assert capsys.readouterr().err == "package-lock.json names an address; it must not be committed\n"


@pytest.mark.usefixtures("asked")
def test_a_lock_that_names_an_address_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with (tmp_path / "requirements" / "lab.txt").open("a") as file:
        file.write("--index-url https://example.org/simple\n")
    assert lock.main("numba") == 1
    assert capsys.readouterr().err == "lab.txt names an address; it must not be committed\n"


def test_versions_and_extras_are_read_as_they_are_written() -> None:
    text = f"a-b==1.2.3 ; sys_platform == 'win32' \\\n{HASHES}psycopg[binary]==3.2.9 \\\n{HASHES}"
    assert lock.pinned(text) == {"a-b": "1.2.3", "psycopg": "3.2.9"}


def test_the_lock_names_every_extra_that_a_package_asks_for() -> None:
    """Otherwise an older pip looks for the newest version of that package, and the lock has no hash of it."""
    text = (lock.ROOT / "requirements" / "dev.txt").read_text()
    named = set(re.findall(r"^([a-z0-9-]+)\[", text, re.MULTILINE))
    requirements = (Requirement(each) for name in lock.pinned(text) for each in _requires(name))
    asked = {
        lock.spelled(each.name)
        for each in requirements
        if each.extras and (each.marker is None or each.marker.evaluate({"extra": ""}))
    }
    assert asked, "pytest-cov asks for coverage[toml]"
    assert asked <= named


def _requires(name: str) -> list[str]:
    try:
        return requires(name) or []
    except PackageNotFoundError:  # of another platform
        return []
