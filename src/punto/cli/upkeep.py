"""`punto migrate`, `punto backup` and `punto accept`: what a person does for a store, beside running it."""

import getpass
import time
from pathlib import Path

import click

from punto.cli.files import file_size
from punto.cli.floors import floor_named
from punto.cli.noting import note, who
from punto.cli.options import check_line
from punto.cli.stores import keys_of, name_of, store_named
from punto.errors import BadStore, BadUsage
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.migrating import migrate
from punto.floor.sequencer import Sequencer
from punto.record.journal import RecordExported
from punto.server.checkpointing import addresses_of, folders_of, witnesses_of
from punto.store import open_store
from punto.store.backup import back_up


def run_migrate(name: str, key: str | None, by: str | None) -> None:
    """Bring a store of an older Punto up to date; its entries stay as they are."""
    by = by if by is not None else getpass.getuser()
    if not by.strip():
        raise BadUsage("--by: expected the name of whoever migrates the store")
    check_line("--by", by)
    named = store_named(name)
    store = open_store(named.url, create=False)
    try:
        streams = migrate(store, keys_of(store, named, key), _now_ms(), by)
        click.echo(f"{name_of(store, named.url)}: {streams:,} streams are signed anew; no entry was changed")
    finally:
        store.close()


def run_backup(name: str, copy: str) -> None:
    """Copy a store while its floor is open."""
    named = store_named(name)
    url = named.url
    if url.partition(":")[0] in ("postgresql", "postgres"):
        raise BadStore("a PostgreSQL store is copied with PostgreSQL's own tools: pg_dump or pg_basebackup")
    if url == "memory:":
        raise BadStore("memory: is gone with its process: expected a file")
    path = Path(url.removeprefix("sqlite:"))
    size = back_up(path, Path(copy))
    click.echo(f"{copy}: a copy of {path}, {file_size(size)}")
    note(named, RecordExported("backup", "the store", who()))


def run_accept(name: str, by: str, reason: str) -> None:
    """Record the decision to open a floor without what is kept outside."""
    if not by.strip() or not reason.strip():
        raise BadUsage("--by and --reason: expected the name of whoever decides, and the reason")
    check_line("--by", by)
    check_line("--reason", reason)
    floor = floor_named(name)
    store = open_store(floor.store, create=False)
    try:
        history = History(store, Keys.open(floor.key_source, floor.signer), older=True)
        folders = [Path(each) for each in folders_of(floor)]
        Sequencer(history, folders, addresses_of(floor), witnesses_of(floor)).accept(_now_ms(), by, reason)
    finally:
        store.close()
    click.echo(f"{name}: the decision is on record; whatever the folders held has been set aside")
    if floor.signer:
        click.echo(
            "  The floor has a signer, which signs no checkpoint of a log that is shorter than its last one was:"
        )
        click.echo("  stop the signer, move its file of what it signed last (--state) away, and start it again.")
    if history.lack:
        click.echo(f"  What the missing heads had signed, and is still there, is told by 'punto repair {name}'.")


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
