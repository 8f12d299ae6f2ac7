"""What the program depends on: installed distributions, and whether their files are those that were installed.

Each distribution has a RECORD with the digests of its files. Whoever changes a file can change its RECORD as well, so
there is one digest over the files themselves, too, which is compared with what was measured before.
"""

import base64
import csv
import hashlib
import os
import re
from collections.abc import Iterator
from importlib.machinery import EXTENSION_SUFFIXES
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Final, NamedTuple

from punto.program.compiled import CACHE
from punto.program.differences import Difference, Word
from punto.program.disk import Entry, Unmeasured, digest_of, walk
from punto.program.interpreter import Interpreter
from punto.program.manifest import spelled

# What Python imports by itself. Other files do nothing.
CODE: Final = (".py", ".pyc", *EXTENSION_SUFFIXES, ".so", ".pyd", ".dylib")
OURS: Final = "punto"
_REQUIREMENT: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[([^\]]*)\])?")
_OF_EXTRA: Final = re.compile(r"""\bextra\s*==\s*["']([^"']+)""")
_OF_METADATA: Final = (".dist-info", ".egg-info", ".data")


class Record(NamedTuple):
    """A line of a RECORD: the file on disk, what it is called, and the digest that it should have."""

    path: str
    name: str
    algorithm: str
    digest: bytes


class Installed(NamedTuple):
    """A distribution, where it is installed, and the files that it says it has; none where it does not say."""

    name: str
    version: str
    site: str
    requires: tuple[str, ...]
    records: tuple[Record, ...]

    @property
    def shown(self) -> str:
        """The distribution as people name it."""
        return f"{self.name} {self.version}"


class Environment:
    """Everything that is installed where a process takes its modules from."""

    def __init__(self, interpreter: Interpreter) -> None:
        self._interpreter = interpreter
        self._every = [_read(found) for found in distributions(path=list(interpreter.path))]
        self.installed: dict[str, Installed] = {}
        for each in self._every:
            self.installed.setdefault(normal(each.name), each)  # the first on the path is the one that is imported
        self.needed = self._needed()
        self._records = {record.path: record for each in self._every for record in each.records}

    def _needed(self) -> dict[str, Installed]:
        """Punto's own distribution and all that it depends on, as far as it is installed."""
        needed: dict[str, set[str]] = {}
        ours = self.installed.get(OURS)
        extras = {extra for text in (ours.requires if ours else ()) for extra in _OF_EXTRA.findall(text)}
        left = [(OURS, extras)]
        while left:
            name, wanted = left.pop()
            found = self.installed.get(name)
            if found is None or (name in needed and wanted <= needed[name]):
                continue
            needed[name] = wanted = wanted | needed.get(name, set())
            for text in found.requires:
                only = set(_OF_EXTRA.findall(text))
                read = _REQUIREMENT.match(text)
                if read and (not only or only & wanted):
                    left.append((normal(read[1]), {each.strip() for each in (read[2] or "").split(",")} - {""}))
        return {name: self.installed[name] for name in sorted(needed)}

    def is_listed(self, path: str) -> bool:
        """Whether some distribution has the file, and it is as it was installed."""
        record = self._records.get(path)
        if record is None or not record.digest:
            return False
        try:
            return digest_of(path, record.algorithm) == record.digest
        except Unmeasured:
            return False

    def sources(self) -> Iterator[Record]:
        """The sources of all dependencies."""
        for name, each in self.needed.items():
            yield from (record for record in each.records if name != OURS and record.path.endswith(".py"))

    def modules(self) -> dict[str, str]:
        """The names that dependencies are imported by, and whose they are."""
        found = {}
        for each in self.needed.values():
            for record in each.records:
                top = _top(record, each.site)
                if top and (top != record.name or top.endswith(CODE)) and not top.endswith(_OF_METADATA):
                    found[top.partition(".")[0]] = each.shown
        return found | {OURS: OURS}

    def measure(self) -> tuple[dict[str, str], list[Difference]]:
        """One digest for each dependency, by its name, and what is wrong with any of their files."""
        beside, found = {}, []
        for name, each in self.needed.items():
            if not each.records:
                found.append(Difference(each.shown, Word.UNCHECKED, "it has no RECORD of its files"))
            digest, wrong = self._measure_one(each)
            found += wrong
            if name != OURS:
                beside[name] = f"{each.version} {digest}"
        return beside, [*found, *self._added()]

    def _measure_one(self, each: Installed) -> tuple[str, list[Difference]]:
        lines, found = [], []
        ours = f"{self._interpreter.package}{os.sep}"
        for record in each.records:
            # Our own files are the manifest's matter; what Python compiles has no digest when it is installed.
            if record.path.startswith(ours) or f"{os.sep}{CACHE}{os.sep}" in record.path:
                continue
            of = f"of {each.shown}"
            if not os.path.lexists(record.path):
                found.append(Difference(record.name, Word.MISSING, of))
                continue
            try:
                digest = digest_of(record.path)
                same = not record.digest or record.digest == (
                    digest if record.algorithm == "sha256" else digest_of(record.path, record.algorithm)
                )
            except Unmeasured as trouble:
                found.append(Difference(record.name, trouble.word, f"{of}: {trouble.said}"))
                continue
            except ValueError:
                found.append(Difference(record.name, Word.UNCHECKED, f"{of}: its digest is of no known kind"))
                continue
            if not same:
                found.append(Difference(record.name, Word.CHANGED, of))
            elif not record.digest and record.name.endswith(CODE):
                found.append(Difference(record.name, Word.UNCHECKED, f"{of}: its RECORD has no digest of it"))
            if record.digest or record.name.endswith(CODE):
                lines.append(f"{digest.hex()}  {record.name}\n")
        return hashlib.sha256("".join(sorted(lines)).encode()).hexdigest(), found

    def _added(self) -> Iterator[Difference]:
        """Code beside or within dependencies that no distribution has."""
        tops = {
            (each.site, top) for each in self._every for record in each.records
            if (top := _top(record, each.site))
        }  # fmt: skip
        needed = {
            (each.site, top) for each in self.needed.values() for record in each.records
            if (top := _top(record, each.site)) and not top.endswith(_OF_METADATA) and top != record.name
        }  # fmt: skip
        sites = {each.site for each in self.needed.values()}
        without = {each.site for each in self._every if not each.records}
        for site, top in sorted(needed):
            if os.path.join(site, top) != self._interpreter.package:
                yield from self._unlisted(os.path.join(site, top), top)
        for site in sorted(sites - without):
            for entry in sorted(os.scandir(site), key=lambda each: each.name):
                if (site, entry.name) in tops or entry.name == CACHE or entry.name.endswith(_OF_METADATA):
                    continue
                if entry.path != self._interpreter.package:
                    yield from self._unlisted(entry.path, entry.name)

    def _unlisted(self, path: str, name: str) -> Iterator[Difference]:
        is_link = os.path.islink(path)
        found = walk(path, name) if os.path.isdir(path) and not is_link else [Entry(path, name, is_link)]
        for each in found:
            is_code = each.name.endswith(CODE) or (each.is_link and os.path.isdir(each.path))
            if is_code and f"/{CACHE}/" not in each.name and each.path not in self._records:
                yield Difference(spelled(each.name), Word.ADDED, "no distribution has it")


def normal(name: str) -> str:
    """A distribution's name as it is compared.

    >>> normal("Argon2_CFFI.bindings")
    'argon2-cffi-bindings'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def _top(record: Record, site: str) -> str:
    """The folder or file directly in the site that a file belongs to; nothing for one that lies elsewhere."""
    return record.path[len(site) + 1 :].partition(os.sep)[0] if record.path.startswith(site + os.sep) else ""


def _read(found: Distribution) -> Installed:
    site = os.path.realpath(str(found.locate_file("")))
    name = found.metadata["Name"] or "?"
    text = found.read_text("RECORD") or ""
    records = tuple(_record(row, site) for row in csv.reader(text.splitlines()) if row)
    return Installed(name, found.version or "?", site, tuple(found.requires or ()), records)


def _record(row: list[str], site: str) -> Record:
    path = os.path.normpath(os.path.join(site, row[0]))
    name = path[len(site) + 1 :] if path.startswith(site + os.sep) else path
    algorithm, _, digest = (row[1] if len(row) > 1 else "").partition("=")
    try:
        read = base64.urlsafe_b64decode(digest + "=" * (-len(digest) % 4))
    except ValueError:
        read = b"?"
    return Record(path, spelled(Path(name).as_posix()), algorithm, read)
