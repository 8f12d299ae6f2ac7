"""What `punto key` does."""

import secrets
import time
from pathlib import Path

import click

from punto.cli.floors import floor_named
from punto.cli.options import check_line
from punto.errors import BadUsage, Conflict, OutsideGone, Refusal, SignerGone, UnreadableFile
from punto.floor.history import History
from punto.floor.keyfiles import SECRET_BYTES, KeyText, Kind, make_new_key_file, read_key_file
from punto.floor.keys import Keys, sealing_in, signer_in
from punto.floor.keys import split as split_key
from punto.floor.remote import RemoteSigner
from punto.floor.rotating import check_name, end_rotation, is_rotated, once_on_record, rotate
from punto.floor.sequencer import Sequencer
from punto.server.checkpointing import addresses_of, folders_of, witnesses_of
from punto.server.config import FloorConfig
from punto.server.messenger import PATIENCE_S
from punto.store import Store, open_store


def show_public(name: str) -> None:
    """Print the public key of a key file."""
    click.echo(signer_in(read_key_file(Path(name), Kind.WHOLE, Kind.SIGNING)).public)


def run_split(name: str, signing: str, sealing: str) -> None:
    """Write the two halves of a key."""
    halves = split_key(read_key_file(Path(name), Kind.WHOLE))
    for path in (Path(signing), Path(sealing)):
        if path.exists():
            raise Refusal(f"{path}: already exists: expected a path where nothing is yet")
    for path, text in zip((Path(signing), Path(sealing)), halves, strict=True):
        make_new_key_file(path, text)
    click.echo(f"{signing} holds the key that signs: only the signer needs it")
    click.echo(f"{sealing} holds the key that seals shoes: name it in the floor's file, with the signer's socket")


# Rotation


def run_rotate(name: str, new_key: str, key: str | None, by: str) -> None:
    """Put a new key in the place of a floor's key."""
    config = floor_named(name)
    check_line("--by", by)
    check_name(by)
    old = _old_keys(config, key)
    store = open_store(config.store, create=False)
    try:
        new = _rotated(config, store, old, Path(new_key), by)
        with once_on_record(new_key):
            _take_checkpoint(config, store, new)
    finally:
        store.close()
    click.echo(f"{name}: the floor has a new key, and the rotation is on record")
    click.echo(f"  1. Put {new_key} where the floor's file expects the key, or name it in the file.")
    if config.signer:
        click.echo(f"     The floor has a signer: first split the new key with 'punto key split {new_key}'.")
    click.echo("  2. Start the floor again. If it was open, it stops by itself: its key is a former one now.")
    click.echo(f"  3. Tell auditors the new public key: {new.public}")
    click.echo("  4. Make a new backup now: copies from before the rotation open only with the former key.")
    click.echo("  5. Destroy the former key once no such copy is kept: the new file holds what else is needed of it.")


def _old_keys(config: FloorConfig, key: str | None) -> Keys:
    """The keys that the floor has had so far, the signing key itself among them."""
    if not config.signer:
        if key:
            raise BadUsage("--key: the floor's file says where its key is: expected --key only where it has a signer")
        return Keys.open(config.key_source)
    try:
        RemoteSigner(config.signer)
    except SignerGone:
        pass
    else:
        raise Conflict(f"a signer answers at {config.signer}: stop it first, nothing was changed")
    if not key:
        raise BadUsage("the floor has a signer: expected --key with the old signing key")
    signing = signer_in(read_key_file(Path(key), Kind.SIGNING, Kind.WHOLE))
    return Keys(signing, sealing_in(config.key_source.read(Kind.SEALING)))


def _rotated(config: FloorConfig, store: Store, old: Keys, path: Path, by: str) -> Keys:
    """The new keys, once the rotation is durable; a run that was cut short is finished."""
    former = (old.sealing.key, *old.sealing.former)
    there = read_key_file(path, Kind.WHOLE) if path.exists() else None
    if there is not None:
        new = Keys.from_text(there)
        with once_on_record(str(path)):  # the floor's file may name the new key by now
            if new.public == old.public and end_rotation(store):
                return new
        if there.former != former:
            raise UnreadableFile(
                f"{path}: no rotation of this floor made this key: expected a path where nothing is yet, or the new "
                "key of a rotation that was cut short"
            )
        if is_rotated(store, old, new.public):
            with once_on_record(str(path)):
                end_rotation(store)
            return new
    history = History(store, old, rotating=True)
    sequencer = _sequencer(config, history)
    sequencer.comparison.gather()
    for said in sequencer.comparison.unanswered:
        click.echo(f"punto: no checkpoint could be asked for: {said}", err=True)
    sequencer.compare()
    if there is None:
        there = KeyText(Kind.WHOLE, secrets.token_bytes(SECRET_BYTES), history.coverage.trust.first, former)
        make_new_key_file(path, there)
    new = Keys.from_text(there)
    rotate(store, old, signer_in(there), _now_ms(), by, kept=str(path))
    return new


def _take_checkpoint(config: FloorConfig, store: Store, new: Keys) -> None:
    """Have the rotation covered outside, too."""
    if not config.checkpoints:
        return
    sequencer = _sequencer(config, History(store, new))
    sequencer.checkpoint(_now_ms())
    if sequencer.note is None:
        return
    raw = sequencer.note.encode()
    for address in sequencer.addresses:
        try:
            address.publish(raw, PATIENCE_S)
        except OutsideGone as error:  # the floor carries it there once it is open
            click.echo(f"punto: the checkpoint has not arrived: {error.message}", err=True)


def _sequencer(config: FloorConfig, history: History) -> Sequencer:
    """What takes checkpoints, with the folders and the addresses that the floor's file names."""
    folders = [Path(folder) for folder in folders_of(config)]
    return Sequencer(history, folders, addresses_of(config), witnesses_of(config))


def _now_ms() -> int:
    return time.time_ns() // 1_000_000
