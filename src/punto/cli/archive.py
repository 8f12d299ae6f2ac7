"""`punto archive`: a sealed gaming day as one file, and how such a file is checked without its store."""

from pathlib import Path

import click

from punto.cli.files import read_text
from punto.cli.stores import name_of
from punto.errors import BadUsage
from punto.floor.keys import Keys
from punto.record.archive import check_archive, write_archive
from punto.store import open_store


def write(url: str, day: str, path: str) -> None:
    """Write a sealed day."""
    store = open_store(url, read_only=True)
    try:
        size = write_archive(store, day, Path(path))
        click.echo(f"{path}: {day} of {name_of(store, url)}, {size / 1e6:,.1f} MB")
    finally:
        store.close()


def check(path: str, public: str | None, key: str | None, checkpoint: str | None) -> None:
    """Check a day's file by itself."""
    if public and key:
        raise BadUsage("--public and --key: expected one of them")
    known = public or (Keys.at(Path(key), create=False).public if key else None)
    found = check_archive(Path(path), known, read_text(checkpoint).encode() if checkpoint else None)
    click.echo(
        f"{path}: {found.day}, {found.entries:,} entries of {found.streams:,} streams under {found.heads:,} heads, "
        f"as the checkpoint of {found.size:,} heads covers them"
    )
    click.echo(f"signed by {found.floor}" + ("" if known else ": nobody has said that this is the floor's key"))
