"""The documents are checked like code: every clause has its entry, every link leads somewhere, nothing is stale."""

import csv
import importlib
import pkgutil
import re
import sys
import tomllib
from pathlib import Path

import pytest

import punto
from punto.errors import PuntoError
from punto.games.citations import READING_NUMBERS
from punto.rules import FACTS
from tests.children import run
from tests.marks import ANSWERS, CLAUSES, REASONS, ROOT, RULES
from tests.traceability import CODES, REGISTER, code_by_clause

UNREAD = {".venv", ".venv-node", "node_modules", "mutants", ".pytest_cache"}
MARKDOWN = sorted(path for path in ROOT.rglob("*.md") if not UNREAD & set(path.relative_to(ROOT).parts))
LINK = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")


def test_there_are_424_clauses() -> None:
    with (RULES / "clauses.csv").open() as file:
        counts = [row["rulebook"] for row in csv.DictReader(file)]
    assert {code: counts.count(code) for code in CODES} == {"EB4": 90, "FF2": 53, "B8": 109, "TNC5": 121, "E7U": 51}
    assert len(CLAUSES) == 424


@pytest.mark.parametrize("code", CODES)
def test_every_clause_has_one_entry_in_our_own_words(code: str) -> None:
    text = (RULES / f"{code.lower()}.md").read_text()
    entries = re.findall(r"^### (\S+) .+$", text, re.MULTILINE)
    assert [f"{code} {number}" for number in entries] == [name for name in CLAUSES if name.split()[0] == code]
    assert all(len(entry.split("\n\n")) >= 2 for entry in re.split(r"^### ", text, flags=re.MULTILINE)[1:])


def test_the_links_from_clauses_to_code_and_tests_are_fresh_and_none_is_missing() -> None:
    # Both commands in one process: to collect all tests takes longer than all the rest.
    both = (
        "import sys; from tests import traceability as links; items = links.collected();"
        "links.collected = lambda: items; sys.exit(links.main(['check']) or links.main(['print']))"
    )
    done = run([sys.executable, "-c", both], cwd=ROOT, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    printed = done.stdout
    assert "stale" not in printed
    lines = [line for line in printed.splitlines() if line.split(" ")[0] in CODES]
    assert len(lines) == 424
    assert not [line for line in lines if line.endswith("NONE")], "a clause has no test"
    assert printed.splitlines()[-1].startswith("424 of 424 clauses are answered: ")


def test_every_clause_that_is_enforced_is_cited_in_the_code() -> None:
    files = code_by_clause()
    assert [name for name, answer in CLAUSES.items() if answer == "enforced" and not files[name]] == []


def test_every_clause_is_answered_and_what_is_not_enforced_has_its_reason() -> None:
    assert set(CLAUSES.values()) == set(ANSWERS)
    assert all(bool(REASONS[name]) is (answer != "enforced") for name, answer in CLAUSES.items())


def test_the_register_has_all_readings_with_their_tests() -> None:
    text = REGISTER.read_text()
    assert re.findall(r'<a id="(\d+)"></a>', text) == [str(number) for number in READING_NUMBERS]
    assert len(re.findall(r"^\*Tests:\* ", text, re.MULTILINE)) == len(READING_NUMBERS)
    assert "*Tests:* none" not in text


@pytest.mark.parametrize("path", MARKDOWN, ids=lambda path: path.relative_to(ROOT).as_posix())
def test_every_link_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(path.read_text()):
        if "://" in target:
            continue
        file, _, anchor = target.partition("#")
        found = (path.parent / file).resolve() if file else path
        assert found.exists(), f"{path}: {target}"
        if anchor and found.suffix == ".md":
            text = found.read_text()
            headings = [_slug(heading) for heading in re.findall(r"^#+ (.+)$", text, re.MULTILINE)]
            assert f'<a id="{anchor}"></a>' in text or anchor in headings, f"{path}: {target}"


def _slug(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def test_the_public_api_page_names_everything_that_rooms_export() -> None:
    text = (ROOT / "docs" / "api.md").read_text()
    for room in (
        "cards",
        "rules",
        "games",
        "roads",
        "table",
        "ledger",
        "store",
        "proof",
        "floor",
        "record",
        "lab",
        "server",
    ):
        module = __import__(f"punto.{room}", fromlist=["__all__"])
        missing = [name for name in module.__all__ if not re.search(rf"`{re.escape(name)}\b", text)]
        assert missing == [], f"punto.{room}"


def test_the_guide_to_adding_a_game_names_every_fact() -> None:
    text = (ROOT / "docs" / "adding-a-game.md").read_text()
    assert [name for name in FACTS if f"`{name}" not in text] == []


def test_every_code_of_an_error_is_documented() -> None:
    text = (ROOT / "docs" / "api.md").read_text()

    for module in pkgutil.walk_packages(punto.__path__, "punto."):
        if not module.name.endswith("__main__"):
            importlib.import_module(module.name)

    def codes(error: type[PuntoError]) -> set[str]:
        return {error.code}.union(*[codes(child) for child in error.__subclasses__()])

    assert [code for code in sorted(codes(PuntoError)) if f"`{code}`" not in text] == []


def test_the_changelog_has_the_version() -> None:
    assert f"## {punto.__version__}" in (ROOT / "CHANGELOG.md").read_text()


def test_the_locks_are_hashed_and_name_no_address() -> None:
    for lock in sorted((ROOT / "requirements").glob("*.txt")):
        text = lock.read_text()
        assert "://" not in text
        pinned = [line for line in text.splitlines() if "==" in line]
        assert pinned
        assert text.count("--hash=sha256:") >= len(pinned)
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    locked = (ROOT / "requirements" / "run.txt").read_text()
    for need in project["dependencies"]:
        name = re.split(r"[\[<>=]", need)[0]
        assert re.search(rf"^{re.escape(name)}(\[\w+\])?==", locked, re.MULTILINE), need
