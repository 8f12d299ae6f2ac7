"""Measuring the program: the digest of each of its files, and what is wrong with them whatever they should be."""

import hashlib
import os
import time
from collections.abc import Iterator
from typing import Final

from msgspec import Struct

from punto import __version__
from punto.program.compiled import CACHE, Pair, differences_of, pairs_of
from punto.program.dependencies import Environment
from punto.program.differences import Difference, Word, ordered
from punto.program.disk import Entry, Unmeasured, digest_of, walk
from punto.program.interpreter import Interpreter
from punto.program.manifest import MANIFEST, Manifest, read_manifest, root_of, spelled
from punto.program.startup import what_runs_before

# The name under which Python itself is measured.
PYTHON: Final = "python"
# Folders of Python's own library that no program imports from, or that are measured as what they are.
_APART: Final = frozenset({"site-packages", "dist-packages", "test", "tests", "idlelib", "turtledemo"})
_LARGEST_MANIFEST: Final = 16_000_000
# What simulations and Python itself leave beside compiled files: no floor loads it.
_LEFT: Final = (".nbi", ".nbc")


class Measured(Struct, frozen=True):
    """The program as it lies on disk.

    *findings* is what is wrong by itself, such as a compiled file that does not say what its source says. *whole* says
    whether Python and the dependencies were looked at, too; then *beside* has a digest for each.
    """

    version: str
    folder: str
    root: str
    files: dict[str, str]
    python: str
    beside: dict[str, str]
    findings: tuple[Difference, ...]
    whole: bool
    took_ms: int

    @property
    def manifest(self) -> Manifest:
        """What was measured, to be compared with later."""
        return Manifest(self.version, self.root, self.files, self.beside)


def measure(interpreter: Interpreter | None = None, *, whole: bool = True) -> Measured:
    """Measure the program that a process runs; not *whole* leaves out Python and the dependencies."""
    began = time.monotonic()
    interpreter = interpreter or Interpreter.here()
    files: dict[str, str] = {}
    pairs: list[Pair] = []
    found: list[Difference] = []
    for entry in walk(interpreter.package, "punto"):
        name = spelled(entry.name)
        if f"/{CACHE}/" in entry.name:
            found += _beside_sources(entry, name)
            continue
        if name == MANIFEST:
            continue
        if entry.is_link:
            found.append(Difference(name, Word.LINK, f"to {spelled(_target(entry.path))}"))
        try:
            files[name] = digest_of(entry.path).hex()
        except Unmeasured as trouble:
            found.append(Difference(name, trouble.word, trouble.said))
            continue
        if entry.path.endswith(".py"):
            pairs += pairs_of(entry.path, name, interpreter)
    beside: dict[str, str] = {}
    environment = Environment(interpreter)
    found += what_runs_before(interpreter, environment)
    if whole:
        beside, wrong = environment.measure()
        found += wrong
        for record in environment.sources():
            pairs += pairs_of(record.path, record.name, interpreter)
        digest, sources = _of_python(interpreter)
        beside[PYTHON] = f"{interpreter.version} {digest}"
        for entry in sources:
            pairs += pairs_of(entry.path, spelled(entry.path), interpreter)
    found += differences_of(pairs, interpreter)
    return Measured(
        version=__version__,
        folder=interpreter.package,
        root=root_of(files),
        files=dict(sorted(files.items())),
        python=interpreter.version,
        beside=dict(sorted(beside.items())),
        findings=ordered(found),
        whole=whole,
        took_ms=round(1000 * (time.monotonic() - began)),
    )


def installed_manifest(package: str) -> Manifest | None:
    """The manifest of the release that is installed; none where it is no release. `ValueError` where it is damaged."""
    path = os.path.join(package, MANIFEST.rpartition("/")[2])
    if not os.path.lexists(path):
        return None
    try:
        with open(path, "rb") as file:
            content = file.read(_LARGEST_MANIFEST)
    except OSError as error:
        raise ValueError(f"it cannot be read: {error.strerror}") from None
    return read_manifest(content)


def _beside_sources(entry: Entry, name: str) -> Iterator[Difference]:
    """What lies among compiled files and is none. Those that are compiled from no source Python does not use."""
    folder, _, file = entry.name.rpartition("/")
    written = ".pyc" in file and not file.endswith((".py", ".so"))  # Python first writes x.pyc under x.pyc.1234
    if not folder.endswith(f"/{CACHE}") or not (written or file.endswith(_LEFT)):
        yield Difference(name, Word.ADDED, "no compiled file")


def _of_python(interpreter: Interpreter) -> tuple[str, list[Entry]]:
    """One digest over Python's own library and executable, and the sources among them."""
    lines, sources = [], []
    for library in interpreter.library:
        for entry in _library(library):
            try:
                digest = digest_of(entry.path).hex()
            except Unmeasured as trouble:
                digest = trouble.word.value
            lines.append(f"{digest}  {entry.name}\n")
            if entry.path.endswith(".py"):
                sources.append(entry)
    try:
        executable = digest_of(interpreter.executable).hex()
    except Unmeasured as trouble:
        executable = trouble.word.value
    lines.append(f"{executable}  {interpreter.executable}\n")
    text = "".join(sorted(lines))
    return hashlib.sha256(text.encode("utf-8", "surrogateescape")).hexdigest(), sources


def _library(folder: str) -> Iterator[Entry]:
    """The files of Python's own library, but compiled ones, which are compared with their sources."""
    with os.scandir(folder) as found:
        entries = sorted(found, key=lambda each: each.name)
    for entry in entries:
        if entry.is_dir():
            if entry.name not in _APART and entry.name != CACHE:
                yield from _library(entry.path)
        elif not entry.name.endswith(".pyc"):
            yield Entry(entry.path, entry.path, entry.is_symlink())


def _target(path: str) -> str:
    try:
        return os.readlink(path)
    except OSError:
        return "?"
