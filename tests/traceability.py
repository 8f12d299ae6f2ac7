"""From clauses to code and tests, and back: what `make clauses` prints and the documents link to.

The links in docs/rules and docs/interpretations.md are derived: tests from their marks, code from what it cites.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Final

import pytest

from punto.floor.scenario import read_scenario
from punto.games import RULEBOOKS
from tests.marks import ANSWERS, CLAUSES, REASONS, ROOT, RULES

REGISTER: Final = ROOT / "docs" / "interpretations.md"
CODES: Final = tuple(dict.fromkeys(name.split()[0] for name in CLAUSES))
_CODE: Final = f"(?:{'|'.join(CODES)})"
_NUMBER: Final = r"\d+(?:\.\d+)+"
_CITATION: Final = re.compile(rf"({_CODE}(?:, {_CODE})*) ({_NUMBER}(?:, {_NUMBER})*)")
_ENTRY: Final = re.compile(rf"^### ({_NUMBER}) ", re.MULTILINE)
_LINKS: Final = re.compile(r"\n\n\*(?:Code|Tests|Awaiting|Attested|No behaviour)[^\n]*", re.MULTILINE)
_READING: Final = re.compile(r'^<a id="(\d+)"></a>$', re.MULTILINE)
_TESTS_LINE: Final = re.compile(r"^\*Tests:\*.*$", re.MULTILINE)

Found = Mapping[str, list[str]]


def citations(text: str) -> set[str]:
    """The clauses that a text cites; "EB4, E7U 3.4, 3.5" cites four.

    >>> sorted(citations("the total (EB4, E7U 3.4) and more (B8 5.17)"))
    ['B8 5.17', 'E7U 3.4', 'EB4 3.4']
    """
    found = set()
    for codes, numbers in _CITATION.findall(text):
        found |= {f"{code} {number}" for code in codes.split(", ") for number in numbers.split(", ")}
    return found


def code_by_clause() -> Found:
    """Which files of the package cite each clause."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for path in sorted((ROOT / "src").rglob("*.py")):
        for name in citations(path.read_text()):
            found[name].append(path.relative_to(ROOT).as_posix())
    for rulebook in RULEBOOKS.values():
        for name in set(_clauses_in(rulebook.conduct)):
            found[name].append("src/punto/games/conducts.py")
    # What answers to a clause answers to its parts, unless they are cited themselves.
    return {name: found.get(name) or found.get(name.rpartition(".")[0], []) for name in CLAUSES}


def _clauses_in(value: object) -> Iterator[str]:
    """The clauses that a rulebook's data name."""
    if isinstance(value, str):
        yield from citations(value)
    elif is_dataclass(value):
        for each in fields(value):
            yield from _clauses_in(getattr(value, each.name))
    elif isinstance(value, Mapping):
        for each in value.values():
            yield from _clauses_in(each)
    elif isinstance(value, tuple):
        for each in value:
            yield from _clauses_in(each)


def tests_by_mark(items: Iterable[pytest.Item], mark: str) -> Found:
    """Which tests carry each argument of a mark, as `path::test`, each once."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for item in items:
        test = _name(item)
        for marker in item.iter_markers(mark):
            for argument in marker.args:
                if test not in found[str(argument)]:
                    found[str(argument)].append(test)
    return found


def _name(item: pytest.Item) -> str:
    """A test as `path::name`; a scenario is known by its file and its title."""
    if item.nodeid.startswith("tests/floor/test_scenarios.py") and "[" in item.nodeid:
        path: Path = item.callspec.params["path"]  # type: ignore[attr-defined]
        title = read_scenario(path.read_text()).heading.title
        return f"{path.relative_to(ROOT).as_posix()}::{title}"
    return item.nodeid.split("[")[0]


def report(items: list[pytest.Item]) -> str:
    """Every clause with how it is answered and its tests, one a line."""
    tests = tests_by_mark(items, "clause")
    lines = []
    for name, answer in CLAUSES.items():
        proofs = " ".join(test.replace(" ", "-") for test in tests.get(name, []))
        lines.append(f"{name:<14} {answer:<13} {proofs or REASONS[name] or 'NONE'}")
    answered = [name for name in CLAUSES if tests.get(name) or CLAUSES[name] == "no behaviour"]
    counts = [f"{list(CLAUSES.values()).count(answer)} {answer}" for answer in ANSWERS]
    return "\n".join([*lines, "", f"{len(answered)} of {len(CLAUSES)} clauses are answered: {', '.join(counts)}"])


def with_links(text: str, code: str, files: Found, tests: Found) -> str:
    """A rulebook's document with the links of each entry brought up to date."""
    head, *entries = re.split(r"(?=^### )", _LINKS.sub("", text), flags=re.MULTILINE)
    linked = [head]
    for entry in entries:
        match = _ENTRY.match(entry)
        assert match, entry
        body, section, after = entry.partition("\n## ")
        links = _links(f"{code} {match.group(1)}", files, tests)
        linked.append(f"{body.rstrip()}\n\n{links}\n" + ("\n## " + after if section else "\n"))
    return "".join(linked).rstrip() + "\n"


def _links(name: str, files: Found, tests: Found) -> str:
    parts = []
    if files.get(name):
        parts.append(
            "*Code:* " + ", ".join(_link(path, path.removeprefix("src/punto/"), "../../") for path in files[name])
        )
    if tests.get(name):
        parts.append("*Tests:* " + ", ".join(_test_link(test, "../../") for test in tests[name]))
    if REASONS[name]:
        parts.append(f"*{CLAUSES[name].capitalize()}:* {REASONS[name]}")
    return " · ".join(parts)


def _link(path: str, text: str, up: str) -> str:
    return f"[{text}]({up}{path})"


def _test_link(test: str, up: str) -> str:
    path, name = test.split("::", 1)
    return _link(path, name.removeprefix("test_").replace("_", " ").replace("|", "/"), up)


def register_with_links(text: str, tests: Found) -> str:
    """The register of interpretations with each entry's tests brought up to date."""
    pieces = _READING.split(text)
    for place in range(1, len(pieces), 2):
        number = pieces[place]
        proofs = ", ".join(_test_link(test, "../") for test in tests.get(number, [])) or "none"
        pieces[place + 1] = _TESTS_LINE.sub(f"*Tests:* {proofs}", pieces[place + 1])
        pieces[place] = f'<a id="{number}"></a>'
    return "".join(pieces)


def documents(items: list[pytest.Item]) -> dict[str, str]:
    """Every document with links, as it should be."""
    tests, files = tests_by_mark(items, "clause"), code_by_clause()
    found = {}
    for code in CODES:
        path = RULES / f"{code.lower()}.md"
        found[str(path)] = with_links(path.read_text(), code, files, tests)
    found[str(REGISTER)] = register_with_links(REGISTER.read_text(), tests_by_mark(items, "interpretation"))
    return found


class _Collector:
    """Remembers what pytest collects."""

    items: list[pytest.Item]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = list(session.items)


def collected() -> list[pytest.Item]:
    """Every test there is."""
    collector = _Collector()
    status = pytest.main(["--collect-only", "-p", "no:terminal", str(ROOT / "tests")], plugins=[collector])
    assert status == pytest.ExitCode.OK, "the tests cannot be collected"
    return collector.items


def main(arguments: list[str]) -> int:
    """`print` the clauses, `write` the links, or `check` that the documents have them."""
    items = collected()
    stale = [path for path, text in documents(items).items() if Path(path).read_text() != text]
    match arguments:
        case ["write"]:
            for path, text in documents(items).items():
                Path(path).write_text(text)
        case ["check"] if stale:
            sys.stdout.write("".join(f"{path} is stale: run make clause-links\n" for path in stale))
            return 1
        case ["print"]:
            sys.stdout.write(report(items) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
