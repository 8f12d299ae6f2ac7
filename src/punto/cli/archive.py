"""`punto archive`: a sealed gaming day as one file, and how such a file is checked without its store."""

from datetime import date
from pathlib import Path

import click

from punto.cli.files import LONGEST_PROOF, file_size, read_text
from punto.cli.noting import note, who
from punto.cli.options import Source, check_public
from punto.cli.showing import showing
from punto.cli.stores import store_named
from punto.errors import BadUsage, quoted
from punto.floor.keyfiles import Kind, read_key_file
from punto.floor.keys import signer_in
from punto.record.archive import check_archive
from punto.record.archiving import write_archive
from punto.record.journal import RecordExported


def write(source: Source, day: str, path: str) -> None:
    """Write a sealed day; nothing is written where an entry of it is not as it was signed."""
    try:
        date.fromisoformat(day)
    except ValueError:
        raise BadUsage(f"--day: {quoted(day)} is no day: expected one as in 2026-11-17") from None
    with showing(source) as shown:
        size = write_archive(shown.strict, day, Path(path))
        click.echo(f"{path}: the gaming day {day} of {shown.name}, {file_size(size)}")
    note(store_named(source.store), RecordExported("archive", f"the gaming day {day}", who()))


def check(path: str, public: tuple[str, ...], keys: tuple[str, ...], checkpoint: str | None) -> None:
    """Check a day's file by itself."""
    known = [check_public(each) for each in public]
    known += [signer_in(read_key_file(Path(each), Kind.WHOLE, Kind.SIGNING)).public for each in keys]
    found = check_archive(
        Path(path), *known, checkpoint=read_text(checkpoint, LONGEST_PROOF).encode() if checkpoint else None
    )
    click.echo(
        f"{path}: the gaming day {found.day} is whole: {found.entries:,} entries of {found.streams:,} streams under "
        f"{found.heads:,} heads, which the checkpoint of {found.size:,} heads covers"
    )
    unknown = ", the key that the file itself names: give the floor's key with --public or --key"
    click.echo(f"signatures were checked against {found.floor}" + ("" if known else unknown))
