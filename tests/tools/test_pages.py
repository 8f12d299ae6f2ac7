import gzip
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

from punto.games import GAMES, digest
from tools import catalogue, env, pages, wire


@pytest.fixture
def web(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository of its own, with pages that are made by a shell script in place of npm."""
    for name in ("web/src", "web/node_modules", "requirements", "bin"):
        (tmp_path / name).mkdir(parents=True)
    for name in ("web/package.json", "web/package-lock.json", "web/src/App.svelte", "requirements/node.txt"):
        (tmp_path / name).write_text(name)
    for name, target in (
        ("ROOT", tmp_path),
        ("WEB", tmp_path / "web"),
        ("WIRE", tmp_path / "web" / "src" / "wire.ts"),
        ("CATALOGUE", tmp_path / "web" / "src" / "catalogue.ts"),
        ("PAGES", tmp_path / "pages"),
        ("MODULES", tmp_path / "web" / "node_modules"),
        ("SHOE_TEXTS", tmp_path / "web" / "shoetexts.json"),
    ):
        monkeypatch.setattr(pages, name, target)
    monkeypatch.setattr(pages, "write_types", lambda: None)
    command(tmp_path, "node", "echo v22.12.0")
    command(tmp_path, "npm", 'echo "$*" >> ../said; mkdir -p ../pages; echo built > ../pages/index.html')
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    return tmp_path


def command(home: Path, name: str, script: str) -> None:
    path = home / "bin" / name
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)


def said(home: Path) -> list[str]:
    """What npm was asked for since last time."""
    path = home / "said"
    lines = path.read_text().splitlines() if path.exists() else []
    path.unlink(missing_ok=True)
    return lines


def test_pages_are_built_once_and_again_when_a_source_has_changed(web: Path) -> None:
    assert pages.main("build") == 0
    assert said(web) == ["ci --no-audit --no-fund", "run build"]
    assert pages.main("build") == 0
    assert said(web) == []
    (web / "web" / "tests").mkdir()
    for name in ("node_modules/any", "src/App.test.ts", "src/wire.ts-7.fresh", "tests/socket.ts", "vitest.config.ts"):
        (web / "web" / name).touch()  # what is installed or tests the pages is no source of them
    assert pages.main("build") == 0
    assert said(web) == []
    (web / "web" / "src" / "App.svelte").write_text("other")
    assert pages.main("build") == 0
    assert said(web) == ["run build"]
    (web / "web" / "package-lock.json").write_text("other")
    assert pages.main("build") == 0
    assert said(web) == ["ci --no-audit --no-fund", "run build"]
    (web / "pages" / "index.html").unlink()
    assert pages.main("build") == 0
    assert said(web) == ["run build"]


def test_the_types_of_the_pages_are_checked_every_time(web: Path) -> None:
    assert pages.main("check") == 0
    assert pages.main("check") == 0
    assert said(web) == ["ci --no-audit --no-fund", "run check", "run check"]


def test_the_unit_tests_of_the_pages_are_run_every_time_and_counted(
    web: Path, capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "write_shoe_texts", lambda: None)
    command(
        web,
        "npm",
        'echo "$*" >> ../said; printf "much\\n Test Files  2 passed (2)\\n      Tests  9 passed (9)\\nmore\\n"; '
        "echo Lines : 99%",
    )
    assert pages.main("test") == 0
    assert said(web) == ["ci --no-audit --no-fund", "run test"]
    assert capfd.readouterr().out == "Test Files  2 passed (2)\nTests  9 passed (9)\nLines : 99%\n"
    command(web, "npm", "echo FAIL a test; exit 1")
    assert pages.main("test") == 1
    assert "FAIL a test" in capfd.readouterr().err


def test_texts_of_shoes_that_cannot_be_written_are_a_failure(web: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert pages.main("test") == 1
    assert "tests/web/shoetexts.py cannot write its texts: " in capfd.readouterr().err
    assert said(web) == []


def test_what_npm_says_is_shown_when_it_fails(web: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command(web, "npm", "echo no such thing; exit 3")
    assert pages.main("build") == 1
    assert capfd.readouterr().err == (
        "no such thing\nThe pages: npm ci --no-audit --no-fund ended with status 3 (its words are above).\n"
    )


def test_a_build_that_leaves_nothing_is_a_failure(web: Path, capfd: pytest.CaptureFixture[str]) -> None:
    command(web, "npm", "true")
    assert pages.main("build") == 1
    assert capfd.readouterr().err == "The pages: npm run build left no pages/index.html.\n"


@pytest.mark.parametrize(
    ("version", "is_fine"),
    [
        ("v18.20.8", False),
        ("v20.18.3", False),
        ("v20.19.0", True),
        ("v21.7.3", False),
        ("v22.11.0", False),
        ("v22.12.0", True),
        ("v24.19.0", True),
        ("nonsense", False),
        ("", False),
    ],
)
def test_node_must_be_one_that_vite_runs_on(version: str, is_fine: bool) -> None:
    assert pages.is_new_enough(version) is is_fine


def test_node_comes_from_the_lock_where_the_machine_has_none_that_will_do(
    web: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    filled: list[Any] = []

    def fill(venv: Path, lock: str) -> list[str]:
        filled.append((venv, lock))
        (venv / "bin").mkdir(parents=True)
        return []

    monkeypatch.setattr(env, "fill", fill)
    command(web, "node", "echo v20.18.0")
    for _ in range(2):
        found = pages.with_node()["PATH"].split(os.pathsep)[0]
        assert found == str(env.interpreter(web / ".venv-node").parent)
    assert filled == [(web / ".venv-node", "node")]
    command(web, "node", "echo v20.19.0")
    assert pages.with_node()["PATH"] == os.environ["PATH"]


def test_without_node_and_without_a_network_one_line_says_what_to_do(
    web: Path, monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    def fill(_: Path, __: str) -> list[str]:
        raise subprocess.CalledProcessError(2, ["pip"])

    monkeypatch.setattr(env, "fill", fill)
    command(web, "node", "exit 1")
    assert pages.main("build") == 1
    error = capfd.readouterr().err
    assert error.startswith("The pages: no node: pip ended with status 2; install node 20.19, 22.12 or newer")
    assert error.count("\n") == 1


def test_the_types_of_messages_are_written_only_when_they_change(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "WIRE", tmp_path / "wire.ts")
    monkeypatch.setattr(pages, "CATALOGUE", tmp_path / "catalogue.ts")
    pages.write_types()
    games = (tmp_path / "catalogue.ts").read_text()
    assert games.startswith(catalogue.HEAD)
    assert all(digest(game) in games for game in GAMES.values())
    first = (tmp_path / "wire.ts").stat().st_mtime_ns
    text = (tmp_path / "wire.ts").read_text()
    assert text.startswith(wire.HEAD)
    for name in ("AnyAsk", "AnyTell", "TableState", "OwnState", "StaffState"):
        assert f" {name} " in text
    pages.write_types()
    assert (tmp_path / "wire.ts").stat().st_mtime_ns == first


def test_who_reads_a_file_while_it_is_written_has_the_old_one_or_the_new(tmp_path: Path) -> None:
    path = tmp_path / "wire.ts"
    path.write_bytes(b"old")
    with path.open("rb") as reader:
        pages.put(path, b"new")
        assert (reader.read(), path.read_bytes()) == (b"old", b"new")
    assert list(tmp_path.iterdir()) == [path]


def test_modules_are_installed_early_and_only_by_a_node_that_is_there(web: Path) -> None:
    command(web, "node", "echo v20.18.0")
    assert pages.main("modules") == 0
    assert said(web) == []
    command(web, "node", "echo v22.12.0")
    for _ in range(2):
        assert pages.main("modules") == 0
    assert said(web) == ["ci --no-audit --no-fund"]


def test_what_is_built_is_packed_too(web: Path) -> None:
    assert pages.main("build") == 0
    assert gzip.decompress((web / "pages" / "index.html.gz").read_bytes()) == b"built\n"
