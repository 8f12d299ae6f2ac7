"""`punto recover`: a way back in, from the machine itself, for somebody on the staff who has lost what lets them in."""

import time

import click

from punto.cli.floors import floor_named
from punto.cli.options import check_line
from punto.errors import BadUsage
from punto.floor import Floor
from punto.floor.keys import Keys
from punto.server.identity.wayback import LIFE_MS, make_way_back
from punto.store import open_store


def run_recover(file: str, name: str, by: str, reason: str) -> None:
    """Print a code with which somebody comes in again, once; that it was made is on record."""
    if not by.strip() or not reason.strip():
        raise BadUsage("--by and --reason: expected the name of whoever decides, and the reason")
    for option, text in (("--by", by), ("--reason", reason), ("NAME", name)):
        check_line(option, text)
    config = floor_named(file)
    store = open_store(config.store, create=False)
    try:
        floor = Floor(store, Keys.open(config.key_source, config.signer))
        way_back = make_way_back(floor, name, by, reason, time.time_ns() // 1_000_000)
    finally:
        store.close()
    click.echo(f"{way_back.code} lets {way_back.name} in once, within {LIFE_MS // 60_000} minutes:")
    click.echo("  on the page /sign-in, under 'Way back in', with that name, this code and a new password.")
    click.echo("  Passkeys, one-time codes and the password of before count until then, and no longer.")
    click.echo("  It is on record that you made this code, with your reason.")
