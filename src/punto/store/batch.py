"""What every store asks of a batch before it writes it, in this order: names, fences, versions; then commands."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Final

from punto.errors import Fenced, KnownCommand, Malformed, StaleVersion, named, quoted
from punto.store.contract import Dossier, Row

LONGEST_NAME: Final = 200


def is_name(text: str) -> bool:
    """Whether the text can name a stream, an owner or a command in every store.

    >>> is_name("table/7"), is_name("赌桌 7"), is_name(""), is_name("7" * 201)
    (True, True, False, False)
    """
    return 0 < len(text) <= LONGEST_NAME and text.isprintable()


def check_name(text: str) -> None:
    """Refuse what cannot be a name."""
    if not is_name(text):
        raise Malformed(f"{quoted(text)} is no name: expected 1 to {LONGEST_NAME} printable characters")


def check_names(entries: Iterable[Row]) -> None:
    """Refuse a stream or a command that cannot be a name."""
    names = list({entry[0] for entry in entries})
    names += [entry[2] for entry in entries if entry[2] is not None]
    # All at once, for there are many: one by one only to find the culprit.
    if names and not ("".join(names).isprintable() and all(names) and max(map(len, names)) <= LONGEST_NAME):
        for name in names:
            check_name(name)


def check_fences(fences: Mapping[str, int], epochs: Mapping[str, int]) -> None:
    """Refuse a writer whose names are not held under its epochs; a name never claimed is at 0."""
    for name, epoch in fences.items():
        held = epochs.get(name, 0)
        if held != epoch:
            raise Fenced(f"{name}: is held under epoch {held}, not {epoch}: nothing was written", name=name)


def follow(entries: Iterable[Row], ends: Mapping[str, int]) -> dict[str, int]:
    """Where the streams of the entries will end; `StaleVersion` at one that is not the next of its stream."""
    after: dict[str, int] = {}
    for stream, version, _, _, _ in entries:
        end = after.get(stream) or ends.get(stream, 0)
        if version != end + 1:
            raise StaleVersion(
                f"{named(stream)}: entry {version}: expected {end + 1}; nothing was written", end + 1, stream
            )
        after[stream] = version
    return after


def check_commands(entries: Iterable[Row], known: Callable[[str], object]) -> None:
    """Refuse a command whose id is already there, or comes twice."""
    seen = set()
    for _, _, command, _, _ in entries:
        if command is None:
            continue
        if command in seen or known(command):
            raise KnownCommand(f"command {command} is already there: nothing was written")
        seen.add(command)


def check_dossier(person: str, more: Dossier) -> None:
    """Refuse names that are none, of a person or of what is kept."""
    for name in (person, *more.rows):
        check_name(name)


def check_addition(person: str, there: Dossier | None, more: Dossier) -> None:
    """Refuse to add to a dossier that has another key, or has such a reference."""
    if there is not None and ((there.key and there.key != more.key) or not there.rows.keys().isdisjoint(more.rows)):
        raise StaleVersion(f"what is kept about {named(person)} was changed meanwhile: nothing was written")


def check_before(person: str, there: Dossier | None, before: Dossier) -> None:
    """Refuse to change a dossier that is not as it was."""
    if there is None or there.key != before.key or dict(there.rows) != dict(before.rows):
        raise StaleVersion(f"what is kept about {named(person)} was changed meanwhile: nothing was erased")


def streams_of(entries: Sequence[Row]) -> set[str]:
    """The streams that a batch writes to."""
    return {entry[0] for entry in entries}
