"""Look up known holes of everything that the locks name: `python -m tools.holes`; 1 when there are any.

OSV answers for packages of PyPI and of npm alike. Where it cannot be reached, the last line says that nothing
was looked up, and `make nightly` repeats it at its end. That is no failure: a night may run without a network.
"""

import json
import os
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from http.client import HTTPException
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.bom import components

ROOT: Final = Path(__file__).resolve().parent.parent
OSV: Final = "https://api.osv.dev"
_TIMEOUT_S: Final = 20
_MOST_QUERIES: Final = 1000  # as many as OSV takes at once


class Unanswered(Exception):
    """The database cannot be reached, or says what cannot be read."""


class Package(NamedTuple):
    """A package of a version, as OSV calls it."""

    ecosystem: str
    name: str
    version: str


class Hole(NamedTuple):
    """A known hole, in the words of the database."""

    package: Package
    names: tuple[str, ...]
    summary: str
    fixed: tuple[str, ...]

    def __str__(self) -> str:
        mended = f"; mended in {', '.join(self.fixed)}" if self.fixed else ""
        return f"{self.package.name} {self.package.version}: {' '.join(self.names)}: {self.summary}{mended}"


def packages(root: Path = ROOT) -> list[Package]:
    """Everything that the locks of Python and of the pages name, as the bill of materials has it."""
    return sorted({Package(each.ecosystem, each.name, each.version) for each in components(root)})


class Database:
    """OSV, at an address."""

    def __init__(self, address: str = OSV) -> None:
        self._address = address

    def holes(self, asked: list[Package]) -> Iterator[Hole]:
        """The known holes of packages, but those that were withdrawn."""
        for start in range(0, len(asked), _MOST_QUERIES):
            some = asked[start : start + _MOST_QUERIES]
            for package, ids in self._ids(some):
                for id_ in ids:
                    try:
                        told = self._ask(f"/v1/vulns/{id_}")
                    except Unanswered:  # a hole is one, whatever else is known of it
                        told = {"id": id_}
                    if "withdrawn" not in told:
                        yield _hole(package, told)

    def _ids(self, asked: list[Package]) -> Iterator[tuple[Package, list[str]]]:
        """The names of the holes of each package; a long answer comes in pages."""
        queries = [{"package": {"ecosystem": e, "name": name}, "version": version} for e, name, version in asked]
        while queries:
            results = self._ask("/v1/querybatch", {"queries": queries}).get("results", [])
            if len(results) != len(queries):
                raise Unanswered(f"{len(results)} answers came to {len(queries)} questions")
            again, more = [], []
            for package, query, result in zip(asked, queries, results, strict=True):
                yield package, [each["id"] for each in result.get("vulns", ())]
                if token := result.get("next_page_token"):
                    again.append(package)
                    more.append({**query, "page_token": token})
            asked, queries = again, more

    def _ask(self, path: str, question: object = None) -> dict[str, Any]:
        body = None if question is None else json.dumps(question).encode()
        request = urllib.request.Request(  # noqa: S310 (the address is ours)
            self._address + path, body, {"content-type": "application/json"}
        )
        try:
            with urllib.request.urlopen(request, timeout=_TIMEOUT_S) as answer:  # noqa: S310
                told = json.load(answer)
        except (OSError, HTTPException, ValueError) as error:
            raise Unanswered(f"{self._address} does not answer: {error}") from None
        if not isinstance(told, dict):
            raise Unanswered(f"{self._address}{path} says what cannot be read")
        return told


def _hole(package: Package, told: dict[str, Any]) -> Hole:
    affected = [each for each in told.get("affected", ()) if each.get("package", {}).get("name") == package.name]
    events = [event for each in affected for kind in each.get("ranges", ()) for event in kind.get("events", ())]
    fixed = tuple(dict.fromkeys(event["fixed"] for event in events if "fixed" in event))
    summary = " ".join((told.get("summary") or told.get("details") or "no summary").split())
    return Hole(package, (told["id"], *told.get("aliases", ())), summary[:200], fixed)


def main(address: str | None = None) -> int:
    """Look up every package, and say plainly what came of it."""
    asked = packages()
    found: list[Hole] = []
    unanswered = ""
    try:
        found.extend(Database(address or os.environ.get("PUNTO_OSV") or OSV).holes(asked))
    except Unanswered as reason:
        unanswered = str(reason)
    for line in sorted(map(str, found)):
        print(line)
    if unanswered:
        so = f"This run says nothing about {len(asked)} packages."
        said = f"KNOWN VULNERABILITIES WERE NOT LOOKED UP: {unanswered}. {so}"
        print(said)
        if times := os.environ.get("PUNTO_TIMES"):
            with Path(times).open("a", encoding="utf-8") as file:
                file.write(json.dumps({"undone": said}) + "\n")
    else:
        print(f"{len(found)} known vulnerabilities in {len(asked)} packages.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
