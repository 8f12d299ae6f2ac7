"""In what a program differs from what it should be: one line for each file."""

from collections.abc import Iterable, Mapping
from enum import Enum
from typing import TYPE_CHECKING

from msgspec import Struct

if TYPE_CHECKING:
    from punto.program.manifest import Manifest
    from punto.program.measuring import Measured


class Word(Enum):
    """What is the matter with a file. The words are stable."""

    CHANGED = "changed"  # other content than it should have
    MISSING = "missing"
    ADDED = "added"  # a release does not have it
    COMPILED = "compiled"  # Python runs a compiled file that does not say what its source says
    BEFORE = "before"  # it runs before the release, or instead of a part of it
    LINK = "link"  # no file of its own, but a link to another
    UNREADABLE = "unreadable"
    UNSTEADY = "unsteady"  # it changed while it was being read
    UNCHECKED = "unchecked"  # nothing says what it should be


class Difference(Struct, frozen=True, order=True):
    """One file, what is the matter with it, and more about that where there is more to say."""

    path: str
    word: Word
    said: str = ""

    def __str__(self) -> str:
        return f"{self.word.value:<10} {self.path}{f': {self.said}' if self.said else ''}"


def compare(measured: "Measured", manifest: "Manifest") -> tuple[Difference, ...]:
    """In what the files that were measured differ from those of any manifest, and what is wrong by itself."""
    found = [*measured.findings, *_of_files(measured, manifest.files)]
    if manifest.beside and measured.beside:
        found += _of_beside(measured.beside, manifest.beside)
    return ordered(found)


def ordered(found: Iterable[Difference]) -> tuple[Difference, ...]:
    """Differences by their paths, each once."""
    return tuple(sorted(set(found), key=lambda each: (each.path, each.word.value, each.said)))


def _of_files(measured: "Measured", wanted: Mapping[str, str]) -> Iterable[Difference]:
    files = measured.files
    # What cannot be read has no digest, and is there all the same.
    unread = {each.path for each in measured.findings if each.word in (Word.UNREADABLE, Word.UNSTEADY)}
    folded = {path.casefold(): path for path in files.keys() - wanted.keys()}
    for path, digest in wanted.items():
        if path in files:
            if files[path] != digest:
                yield Difference(path, Word.CHANGED)
        elif path not in unread:
            other = folded.get(path.casefold())
            yield Difference(path, Word.MISSING, f"there it is spelled {other}" if other else "")
    for path in files.keys() - wanted.keys():
        yield Difference(path, Word.ADDED)


def _of_beside(beside: Mapping[str, str], wanted: Mapping[str, str]) -> Iterable[Difference]:
    for name in beside.keys() | wanted.keys():
        was, now = wanted.get(name), beside.get(name)
        if was is None:
            yield Difference(name, Word.ADDED, f"{_version(now)} was not there before")
        elif now is None:
            yield Difference(name, Word.MISSING, f"{_version(was)} was there before")
        elif was != now:
            before, after = _version(was), _version(now)
            said = f"{after} has other files than before" if before == after else f"{before} before, {after} now"
            yield Difference(name, Word.CHANGED, said)


def _version(what: str | None) -> str:
    return (what or "").partition(" ")[0]
