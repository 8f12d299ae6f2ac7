"""Reading from a store that speaks SQL: the same questions, whatever a parameter's mark is."""

from abc import ABC, abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, ClassVar, Final

from punto.errors import NotAStore
from punto.store.contract import PAGE, Dossier, Entry, Snapshot, StoredRow, Tip
from punto.store.epochs import epoch_of

Found = tuple[Any, ...]

_FIRST_PAGE: Final = 8
BEYOND: Final = 2**63 - 1

_ENTRY: Final = "SELECT stream, version, command, body, hash FROM entries WHERE"
READ: Final = f"{_ENTRY} stream = ? AND version > ? ORDER BY version LIMIT ?"
FIND: Final = f"{_ENTRY} command = ?"
TIP: Final = "SELECT version, hash FROM entries WHERE stream = ? ORDER BY version DESC LIMIT 1"
EPOCH: Final = "SELECT epoch FROM epochs WHERE name = ?"
# The key of a person and what is sealed under it, in one look, so that both belong together.
DOSSIER: Final = """
    SELECT 0, '', key FROM persons WHERE person = ?
    UNION ALL SELECT 1, ref, sealed FROM personal WHERE person = ?
"""
DOSSIER_ROW: Final = f"{DOSSIER} AND ref = ?"
PERSONS: Final = "SELECT person FROM persons WHERE person > ? ORDER BY person LIMIT ?"
SNAPSHOT: Final = "SELECT version, hash, body FROM snapshots WHERE stream = ?"


class Reading(ABC):
    """What a store answers by reading; how a query is put to it is its own business."""

    # From name to name by the index, without a look at the entries between.
    names_query: ClassVar[str]

    @abstractmethod
    def _rows(self, query: str, *parameters: str | int | bytes | list[str]) -> list[Found]:
        """The rows of a query, all at once; `?` marks a parameter."""

    @abstractmethod
    def _places_beyond(self, stream: str, end: int) -> list[int]:
        """Where the rows of a stream lie that are none of its entries 1 to *end*, in order."""

    @abstractmethod
    def _rows_at(self, stream: str, places: list[int]) -> list[Found]:
        """The rows of a stream that lie there, in order."""

    def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
        """The entries of a stream after a version, a page at a time, so that no reader holds up writers."""
        size = _FIRST_PAGE  # many want one entry, or two
        while page := self._rows(READ, stream, after, size):
            yield from map(_entry, page)
            if len(page) < size:
                return
            after, size = page[-1][1], PAGE

    def beyond(self, stream: str, end: int) -> Iterator[StoredRow]:
        """The rows of a stream that are none of its entries 1 to *end*, each value as the database has it."""
        # A version can be of any type, so that no page could begin after the last one of the page before.
        places = self._places_beyond(stream, end)
        for first in range(0, len(places), PAGE):
            yield from map(StoredRow._make, self._rows_at(stream, places[first : first + PAGE]))

    def tip(self, stream: str) -> Tip | None:
        """The end of a stream."""
        found = self._rows(TIP, stream)
        return _tip(stream, *found[0]) if found else None

    def streams(self, prefix: str = "") -> Iterator[tuple[str, Tip]]:
        """Every stream whose name begins so, with its end, by name.

        Without a prefix also a stream that has no name, which nobody but a forger can have made. One whose name is no
        text cannot be asked for, and is passed over; `faults` tells it.
        """
        named = self.tip(prefix)
        if named:
            yield prefix, named
        last: str | bytes = prefix
        while page := self._rows(self.names_query, last, PAGE):
            for name, version, head in page:
                if not name.startswith(prefix):
                    return
                if is_text(name):
                    yield name, _tip(name, version, head)
            last = name if is_text(name) else name.encode("utf-8", "surrogateescape")

    def find(self, command: str) -> Entry | None:
        """The first entry of a command."""
        found = self._rows(FIND, command)
        return _entry(found[0]) if found else None

    def epoch(self, name: str) -> int:
        """The epoch under which a name is held."""
        found = self._rows(EPOCH, name)
        return epoch_of(found[0][0]) if found else 0

    def snapshot(self, stream: str) -> Snapshot | None:
        """The snapshot of a stream."""
        for version, head, body in self._rows(SNAPSHOT, stream):
            if isinstance(version, int):
                return Snapshot(version, _bytes(head), _bytes(body))
        return None

    def dossier(self, person: str, ref: str = "") -> Dossier | None:
        """What is kept about a person, or the row of one reference."""
        found = self._rows(DOSSIER_ROW, person, person, ref) if ref else self._rows(DOSSIER, person, person)
        return dossier_of(found)

    def persons(self) -> Iterator[str]:
        """Everybody about whom something is kept, by name; a name that is no text is nobody's."""
        last = ""
        while page := self._rows(PERSONS, last, PAGE):
            names = [name for (name,) in page if isinstance(name, str) and is_text(name)]
            yield from names
            if len(page) < PAGE or not names:
                return
            last = names[-1]


def dossier_of(found: Iterable[Found]) -> Dossier | None:
    """The dossier that a key and rows make; whatever else stands in their place opens nothing."""
    key, rows, there = b"", {}, False
    for of_row, ref, value in found:
        there = True
        if not of_row:
            key = _bytes(value)
        elif isinstance(ref, str) and is_text(ref):
            rows[ref] = _bytes(value)
    return Dossier(key, dict(sorted(rows.items()))) if there else None


def is_text(name: str) -> bool:
    """Whether a name is text, and not bytes that only look like it."""
    try:
        name.encode()
    except UnicodeEncodeError:
        return False
    return True


def _entry(row: Found) -> Entry:
    stream, version, command, body, head = row
    return Entry(stream, _tip(stream, version, head).version, command, _bytes(body), _bytes(head))


def _tip(stream: object, version: object, head: object) -> Tip:
    if not isinstance(stream, str):
        raise NotAStore(f"the store is damaged: an entry calls itself {version!r} of {stream!r}")
    return Tip(number_of(version), _bytes(head))


def number_of(version: object) -> int:
    """A version; whatever else a forger or a damaged file has there lies beyond every entry, where no chain holds."""
    return version if isinstance(version, int) else BEYOND


def _bytes(value: object) -> bytes:
    """The bytes; a damaged file can hold anything in their place, and then no chain holds."""
    return value if isinstance(value, bytes) else b""
