"""Known holes are listed and fail the run; a database that does not answer is said aloud, and fails nothing."""

import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any

import pytest
from tools.holes import Package

from tools import holes

TOLD = {
    "GHSA-1": {
        "id": "GHSA-1",
        "aliases": ["CVE-2030-1"],
        "summary": "Cards can be\nseen.",
        "affected": [
            {"package": {"name": "click"}, "ranges": [{"events": [{"introduced": "0"}, {"fixed": "8.3.2"}]}]},
            {"package": {"name": "clack"}, "ranges": [{"events": [{"fixed": "9.9"}]}]},
        ],
    },
    "GHSA-2": {"id": "GHSA-2", "details": "Nobody has a cure."},
    "GHSA-3": {"id": "GHSA-3", "summary": "Never was one.", "withdrawn": "2030-01-01T00:00:00Z"},
}


class Osv(BaseHTTPRequestHandler):
    """A database that knows of holes by package, and tells one at a time."""

    known: dict[tuple[str, str, str], list[str]]
    asked: list[dict[str, Any]]
    status = 200

    def do_POST(self) -> None:
        question = json.loads(self.rfile.read(int(self.headers["content-length"])))
        self.asked.append(question)
        results = []
        for query in question["queries"]:
            package = query["package"]
            ids = self.known.get((package["ecosystem"], package["name"], query["version"]), [])
            at = int(query.get("page_token", 0))
            result: dict[str, Any] = {"vulns": [{"id": ids[at]}]} if ids else {}
            results.append(result | ({"next_page_token": str(at + 1)} if at + 1 < len(ids) else {}))
        self._tell({"results": results})

    def do_GET(self) -> None:
        self._tell(TOLD[self.path.rpartition("/")[2]])

    def _tell(self, answer: object) -> None:
        body = json.dumps(answer).encode()
        self.send_response(self.status)
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Nobody reads it."""


@pytest.fixture
def osv(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The address of a database that knows of nothing yet."""
    monkeypatch.setenv("no_proxy", "*")
    monkeypatch.setattr(Osv, "known", {}, raising=False)
    monkeypatch.setattr(Osv, "asked", [], raising=False)
    server = HTTPServer(("127.0.0.1", 0), Osv)
    thread = Thread(target=server.serve_forever, args=(0.01,))
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture(autouse=True)
def project(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Locks of two packages of Python and two of the pages, one of them within another."""
    (tmp_path / "requirements").mkdir()
    (tmp_path / "requirements" / "run.txt").write_text("click==8.3.1 \\\n    --hash=sha256:00\n")
    (tmp_path / "requirements" / "dev.txt").write_text("click==8.3.1\npsycopg[binary]==3.2 ; python_version > '3'\n")
    (tmp_path / "web").mkdir()
    modules = {
        "": {"name": "punto-pages", "version": "0.0.0"},
        "node_modules/svelte": {"version": "5.0.0"},
        "node_modules/svelte/node_modules/@types/node": {"version": "20.1.0"},
    }
    (tmp_path / "web" / "package-lock.json").write_text(json.dumps({"packages": modules}))
    monkeypatch.setattr(holes, "packages", lambda real=holes.packages: real(tmp_path))
    return tmp_path


def test_everything_that_the_locks_name_is_asked_for(osv: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert holes.main(osv) == 0
    [question] = Osv.asked
    assert [(*query["package"].values(), query["version"]) for query in question["queries"]] == [
        ("PyPI", "click", "8.3.1"),
        ("PyPI", "psycopg", "3.2"),
        ("npm", "@types/node", "20.1.0"),
        ("npm", "svelte", "5.0.0"),
    ]
    assert capsys.readouterr().out == "0 known vulnerabilities in 4 packages.\n"


def test_holes_are_listed_and_fail_the_run_but_not_withdrawn_ones(osv: str, capsys: pytest.CaptureFixture[str]) -> None:
    Osv.known[("PyPI", "click", "8.3.1")] = ["GHSA-3", "GHSA-1"]
    Osv.known[("npm", "svelte", "5.0.0")] = ["GHSA-2"]
    assert holes.main(osv) == 1
    assert capsys.readouterr().out.splitlines() == [
        "click 8.3.1: GHSA-1 CVE-2030-1: Cards can be seen.; mended in 8.3.2",
        "svelte 5.0.0: GHSA-2: Nobody has a cure.",
        "2 known vulnerabilities in 4 packages.",
    ]


def test_a_hole_of_which_nothing_else_can_be_read_is_one(
    osv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Osv.known[("PyPI", "click", "8.3.1")] = ["GHSA-1"]
    monkeypatch.setattr(Osv, "do_GET", lambda self: self.send_error(503))
    assert holes.main(osv) == 1
    assert capsys.readouterr().out.splitlines()[0] == "click 8.3.1: GHSA-1: no summary"


def test_holes_found_before_the_database_went_away_fail_the_run(
    osv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    Osv.known[("PyPI", "click", "8.3.1")] = ["GHSA-1"]
    monkeypatch.setattr(holes, "_MOST_QUERIES", 3)
    answers: Iterator[Callable[[Osv], None]] = iter([Osv.do_POST, lambda self: self.send_error(503)])

    def answer(self: Osv) -> None:
        next(answers)(self)

    monkeypatch.setattr(Osv, "do_POST", answer)
    assert holes.main(osv) == 1
    first, last = capsys.readouterr().out.splitlines()
    assert first.startswith("click 8.3.1: GHSA-1 ")
    assert last.startswith("KNOWN VULNERABILITIES WERE NOT LOOKED UP: ")


def test_holes_of_another_version_are_not_ours(osv: str) -> None:
    Osv.known[("PyPI", "click", "8.3.0")] = ["GHSA-1"]
    assert holes.main(osv) == 0


def test_a_night_without_a_database_says_so_and_goes_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PUNTO_TIMES", str(tmp_path / "times"))
    closed = HTTPServer(("127.0.0.1", 0), Osv)
    closed.server_close()
    address = f"http://127.0.0.1:{closed.server_port}"
    assert holes.main(address) == 0
    said = capsys.readouterr().out
    assert said.startswith(f"KNOWN VULNERABILITIES WERE NOT LOOKED UP: {address} does not answer: ")
    assert said.endswith(" This run says nothing about 4 packages.\n")
    assert json.loads((tmp_path / "times").read_text()) == {"undone": said.strip()}


@pytest.mark.parametrize("status", [404, 405, 500, 503])
def test_a_database_that_refuses_was_not_asked(
    osv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], status: int
) -> None:
    monkeypatch.setattr(Osv, "status", status)
    assert holes.main(osv) == 0
    assert f"NOT LOOKED UP: {osv} does not answer: HTTP Error {status}" in capsys.readouterr().out


@pytest.mark.parametrize("answer", [{"results": []}, {}, [], "all is well"])
def test_an_answer_that_leaves_packages_out_is_no_answer(
    osv: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], answer: object
) -> None:
    monkeypatch.setattr(Osv, "do_POST", lambda self: self._tell(answer))
    assert holes.main(osv) == 0
    assert "KNOWN VULNERABILITIES WERE NOT LOOKED UP: " in capsys.readouterr().out


def test_the_locks_of_this_repository_can_be_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.undo()
    found = holes.packages()
    assert {package.ecosystem for package in found} == {"PyPI", "npm"}
    assert {"numpy", "pytest", "svelte"} <= {package.name for package in found}
    assert Package("npm", "punto-pages", "0.0.0") not in found
