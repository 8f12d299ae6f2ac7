"""`punto archive`: a sealed gaming day as one file, and how such a file is checked without its store."""

from pathlib import Path

import click

from punto.cli.files import read_text
from punto.cli.options import check_public
from punto.cli.stores import name_of, reading, store_named
from punto.floor.keyfiles import Kind, read_key_file
from punto.floor.keys import signer_in
from punto.record.archive import check_archive
from punto.record.archiving import write_archive


def write(name: str, day: str, path: str) -> None:
    """Write a sealed day."""
    url = store_named(name).url
    with reading(url) as store:
        size = write_archive(store, day, Path(path))
        click.echo(f"{path}: {day} of {name_of(store, url)}, {size / 1e6:,.1f} MB")


def check(path: str, public: tuple[str, ...], keys: tuple[str, ...], checkpoint: str | None) -> None:
    """Check a day's file by itself."""
    known = [check_public(each) for each in public]
    known += [signer_in(read_key_file(Path(each), Kind.WHOLE, Kind.SIGNING)).public for each in keys]
    found = check_archive(Path(path), *known, checkpoint=read_text(checkpoint).encode() if checkpoint else None)
    click.echo(
        f"{path}: {found.day}, {found.entries:,} entries of {found.streams:,} streams under {found.heads:,} heads, "
        f"as the checkpoint of {found.size:,} heads covers them"
    )
    click.echo(f"signed by {found.floor}" + ("" if known else ": nobody has said that this is the floor's key"))
