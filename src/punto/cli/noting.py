"""What the command line adds to a floor's journal: that somebody exported part of the record, or audited it.

That takes the floor's file or folder, which says where its key is. Whoever names a bare store leaves no trace: such a
file can be copied as well.
"""

import getpass
import time

import click

from punto.cli.stores import NamedStore
from punto.errors import PuntoError
from punto.floor import Floor
from punto.floor.keys import Keys
from punto.record.journal import FLOOR, JOURNAL, AnyJournalEvent, JournalEntry, write
from punto.store import open_store


def note(named: NamedStore, event: AnyJournalEvent) -> None:
    """Put an event on record where the floor itself was named; what prevents that is said and stops nothing else."""
    config = named.floor
    if config is None:
        return
    at_ms = time.time_ns() // 1_000_000
    try:
        store = open_store(config.store, create=False)
        try:
            floor = Floor(store, Keys.open(config.key_source, config.signer))
            floor.note([(JOURNAL, write(JournalEntry(at_ms, FLOOR, event)))], {}, at_ms)
        finally:
            store.close()
    except PuntoError as error:
        click.echo(f"punto: this is not on record: {error.message}", err=True)


def who() -> str:
    """Who runs the command, as the machine knows them."""
    try:
        return getpass.getuser()
    except (KeyError, OSError):
        return "nobody that this machine knows"
