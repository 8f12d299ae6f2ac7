"""The table of faults: which faults are planted for which clause, and which clauses none can break."""

import re
import tomllib
from collections import defaultdict
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from tests.clause_faults.derived import derived_faults
from tests.clause_faults.fault import DeclarationWrong, Edit, Fault
from tests.marks import CLAUSES, ROOT
from tests.traceability import citations

FOLDER: Final = Path(__file__).parent
WRITTEN: Final = FOLDER / "faults.toml"
# The clauses that say how something is to be, and not only what a word means.
WITH_BEHAVIOUR: Final = tuple(name for name, answer in CLAUSES.items() if answer != "no behaviour")
_MARKED: Final = re.compile(r"^from tests\.marks import .*\bclause\b", re.MULTILINE)


@cache
def all_faults() -> tuple[Fault, ...]:
    """Every fault: those written by hand, then those derived."""
    return (*written_faults(WRITTEN), *derived_faults())


def written_faults(path: Path) -> tuple[Fault, ...]:
    """The faults that are written by hand in a file."""
    rows: list[dict[str, str]] = tomllib.loads(path.read_text())["fault"]
    return tuple(_fault(row) for row in rows)


def _fault(row: dict[str, str]) -> Fault:
    clauses = tuple(sorted(citations(row["clauses"]), key=list(CLAUSES).index))
    if "declaration" in row:
        return Fault(row["wrong"], clauses, DeclarationWrong(row["game"], row["wager"], row["declaration"]))
    return Fault(row["wrong"], clauses, Edit(row["file"], row["old"], row["new"]))


@cache
def unplantable() -> Mapping[str, str]:
    """The clauses that no fault can break, each with the reason."""
    rows: list[dict[str, str]] = tomllib.loads((FOLDER / "unplantable.toml").read_text()).get("unplantable", [])
    return {name: row["reason"] for row in rows for name in sorted(citations(row["clauses"]))}


def without_fault() -> list[str]:
    """Clauses with behaviour that have neither a fault nor a reason for having none."""
    broken = {name for fault in all_faults() for name in fault.clauses}
    return [name for name in WITH_BEHAVIOUR if name not in broken and name not in unplantable()]


def linked_tests() -> Mapping[str, tuple[str, ...]]:
    """The tests linked to each clause, by their full ids; what needs a browser is left to the browser's own run."""
    collector = _Collector()
    files = [path for path in sorted((ROOT / "tests").rglob("test_*.py")) if _MARKED.search(path.read_text())]
    chosen = [str(path) for path in files if "web" not in path.relative_to(ROOT).parts]
    status = pytest.main(
        ["--collect-only", "-p", "no:terminal", "-p", "no:cacheprovider", *chosen], plugins=[collector]
    )
    assert status == pytest.ExitCode.OK, "the tests cannot be collected"
    found: defaultdict[str, list[str]] = defaultdict(list)
    for item in collector.items:
        for marker in item.iter_markers("clause"):
            for name in marker.args:
                found[name].append(item.nodeid)
    return {name: tuple(tests) for name, tests in found.items()}


class _Collector:
    """Remembers what pytest collects."""

    items: list[pytest.Item]

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.items = list(session.items)
