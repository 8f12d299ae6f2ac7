"""`punto repair`: what is believed of a store, what lies beyond, and setting that aside by a recorded decision."""

import sys
import time
from collections.abc import Iterator
from pathlib import Path

import click
import msgspec

from punto.cli.options import check_line
from punto.cli.stores import NamedStore, keys_of, name_of, reading, shown, store_named
from punto.cli.wire import encode
from punto.errors import BadUsage, named
from punto.floor.repairing import StreamState, Survey, Who, set_aside, survey
from punto.rules.money import money
from punto.server.checkpointing import folders_of
from punto.store import SqliteStore, open_store

RIGHT = 0
WRONG = 1
_OF_THE_DATABASE = "docs/repair.md says what to do about the database"
_OF_THE_COPY = "docs/repair.md says what to do about an older copy"
_WHAT_TO_DO = "docs/repair.md says what to do with each"


def report(url: str, key: str | None, folders: tuple[str, ...], *, as_json: bool) -> int:
    """Say how far each stream is believed, what lies beyond, and change nothing."""
    named = store_named(url)
    with reading(named.url) as store:
        name = name_of(store, named.url)
        found = survey(store, keys_of(store, named, key), outside_of(named, folders))
    if as_json:
        sys.stdout.write(encode({"sound": found.is_sound, **msgspec.to_builtins(found)}) + "\n")
    else:
        _show(name, found)
    return RIGHT if found.is_sound else WRONG


def put_aside(url: str, key: str | None, folders: tuple[str, ...], by: str | None, reason: str) -> None:
    """Move what nobody has signed into a file, under a decision that is on record."""
    if not reason.strip() or not (by or "").strip():
        raise BadUsage("--set-aside and --by: expected the reason, and the name of whoever decides")
    check_line("--by", by or "")
    check_line("--set-aside", reason)
    named = store_named(url)
    store = open_store(named.url, create=False)
    try:
        keys = keys_of(store, named, key)
        survey(store, keys, outside_of(named, folders))  # refuses what is older, or tells another history
        at_ms = time.time_ns() // 1_000_000
        file = _file(store.path if isinstance(store, SqliteStore) else Path("store"), at_ms)
        moved = set_aside(store, keys, Who(by or "", reason, at_ms), file)
        name = name_of(store, named.url)
    finally:
        store.close()
    count = sum(each.rows for each in moved.values())
    click.echo(f"{name}: {_entries(count)} of {_streams(len(moved))} moved to {shown(file)}; the decision is on record")


def outside_of(named: NamedStore, folders: tuple[str, ...] = ()) -> Iterator[Path]:
    """The folders to compare the store with: those that were named, or else those of its floor."""
    for folder in folders:
        if not Path(folder).is_dir():
            raise BadUsage(f"{folder}: no such folder: expected a folder of checkpoints")
    return map(Path, folders or (folders_of(named.floor) if named.floor else ()))


def _file(store: Path, at_ms: int) -> Path:
    moment = time.strftime("%Y%m%d-%H%M%S", time.gmtime(at_ms / 1000))
    return store.with_name(f"{store.name}.aside-{moment}.jsonl")


def _show(name: str, found: Survey) -> None:
    for said in found.faults:
        click.echo(f"database: {said}")
    if found.lack:
        click.echo(f"{name}: {found.lack}: restore the newest copy, or record a decision with 'punto accept'")
    if not found.wrong:
        nothing = _OF_THE_DATABASE if found.faults else _OF_THE_COPY if found.lack else "there is nothing to repair"
        click.echo(f"{name}: all {_streams(found.streams)} are signed to their ends: {nothing}")
        return
    for each in found.wrong:
        how = "signed" if each.fault else "believed"  # of what is damaged within, not all is believed
        click.echo(f"{named(each.stream)}: {how} up to entry {each.believed:,}; {'; '.join(_said(each))}")
    are = "is" if len(found.wrong) == 1 else "are"
    click.echo(f"{name}: {len(found.wrong):,} of {_streams(found.streams)} {are} not sound; {_WHAT_TO_DO}")


def _said(state: StreamState) -> list[str]:
    said = [state.fault] if state.fault else []
    if state.unsigned:
        costs = [f"{state.rounds:,} round{'s' * (state.rounds != 1)}"] if state.rounds else []
        costs += [f"{money(state.cents)} moved"] if state.cents else []
        claim = f", which claim{'s' * (state.unsigned == 1)} {' and '.join(costs)}" if costs else ""
        said.append(f"{_entries(state.unsigned)} beyond it that nobody has signed{claim}")
    return said


def _entries(count: int) -> str:
    return f"{count:,} {'entry' if count == 1 else 'entries'}"


def _streams(count: int) -> str:
    return f"{count:,} stream{'s' * (count != 1)}"
