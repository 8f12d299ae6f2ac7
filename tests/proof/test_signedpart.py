"""The signed part of a store: where a stream ends that was damaged, and what is noted of it."""

from pathlib import Path

import pytest
from tests.floor.attacker import Attacker
from tests.floor.floors import KEYS, START_MS

from punto.errors import KeyRotated
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.rotating import rotate
from punto.proof.signedpart import SignedPart
from punto.proof.signers import LocalSigner
from punto.store import SqliteStore

STREAM = "wallet/ann"
LENGTH = 600


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """A store with one stream of 600 entries, of which runs of 256 are checked together."""
    path = tmp_path / "floor.db"
    store = SqliteStore(path)
    history = History(store, KEYS)
    for number in range(LENGTH):
        group = history.group()
        group.at_ms = START_MS
        history.append(group, group.chain([(STREAM, None, b"%d" % number)]), {})
    store.close()
    return path


def seen(path: Path) -> tuple[int, int, str]:
    """Where the stream ends, how many of its entries are shown, and what is noted."""
    store = SqliteStore(path, read_only=True)
    part = SignedPart(store, KEYS.public)
    tip = part.tip(STREAM)
    shown = list(part.read(STREAM))
    assert [entry.body for entry in shown] == [b"%d" % number for number in range(len(shown))]
    assert [name for name, _ in part.streams("wallet/")] == ([STREAM] if tip else [])
    store.close()
    return tip.version if tip else 0, len(shown), part.left_out.get(STREAM, "")


def edit(path: Path, version: int) -> None:
    Attacker(str(path)).run("UPDATE entries SET body = x'00' WHERE stream = ? AND version = ?", STREAM, version)


def test_a_stream_is_shown_up_to_the_run_that_was_altered(path: Path) -> None:
    assert seen(path) == (LENGTH, LENGTH, "")
    edit(path, 590)
    assert seen(path) == (512, 512, "wallet/ann: entries 513 to 600 are not those that were signed")
    edit(path, 300)
    assert seen(path)[:2] == (256, 256)
    edit(path, 3)
    assert seen(path)[:2] == (0, 0)


def test_damage_before_the_end_ends_the_reading_and_not_the_stream(path: Path) -> None:
    edit(path, 300)
    assert seen(path) == (LENGTH, 256, "wallet/ann: entries 257 to 512 are not those that were signed")


def test_what_was_cut_off_and_what_was_added_is_noted(path: Path) -> None:
    attacker = Attacker(str(path))
    attacker.append(STREAM, b"forged")
    assert seen(path) == (LENGTH, LENGTH, "wallet/ann: entries after 600 carry no signature of this floor")
    attacker.cut(STREAM, 520)
    assert seen(path) == (512, 512, "wallet/ann: entries 513 to 600 are not those that were signed")
    attacker.cut(STREAM, 0)
    assert seen(path)[:2] == (0, 0)


def test_a_key_that_was_rotated_is_refused_and_the_new_one_shows_all(path: Path) -> None:
    new = Keys.from_secret(b"another", (KEYS.sealing.key,))
    assert isinstance(new.signing, LocalSigner)
    store = SqliteStore(path)
    rotate(store, KEYS, new.signing, START_MS, "Greta")
    with pytest.raises(KeyRotated):
        SignedPart(store, KEYS.public)
    part = SignedPart(store, new.public)
    assert (len(list(part.read(STREAM))), part.left_out, part.doubts) == (LENGTH, {}, [])
    store.close()
