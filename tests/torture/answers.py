"""Every command that was answered is there, as it was answered; every one that was refused left no trace."""

from collections.abc import Iterator

from punto.store.contract import Store
from tests.torture.entries import Entries, plain
from tests.torture.evidence import Evidence
from tests.torture.journal import Given


def check_answers(store: Store, entries: Entries, evidence: Evidence) -> Iterator[str]:
    """What is wrong with answers that were given."""
    firsts = {entry.command: entry for stream in entries.values() for entry in stream if entry.command}
    for given in evidence.answers:
        if given.refusal:
            if given.command in firsts:
                yield f"{given.command} was refused ({given.refusal}), and is there"
        elif given.command not in firsts:
            yield f"{given.command} was acknowledged at version {given.version} of {given.table}, and is lost"
        else:
            yield from _check_events(entries, given)
    for given in evidence.answers[-evidence.fresh :] if evidence.fresh else ():
        found = store.find(given.command)
        if (found is None) is not bool(given.refusal):
            yield f"{given.command}: the store finds {found}"


def _check_events(entries: Entries, given: Given) -> Iterator[str]:
    """The events lie where the answer said."""
    log = entries[f"table/{given.table}"]
    mine = log[given.version - given.events : given.version]
    if len(mine) != given.events or mine[0].command != given.command:
        yield f"{given.command}: its {given.events} events do not end at version {given.version} of {given.table}"
    elif any(plain(entry.body)["command"] != given.command for entry in mine):
        yield f"{given.command}: other events lie among its own"
