"""Whose signature an audit believes: a store that somebody else has signed is an unknown key, and never clean."""

from pathlib import Path

import msgspec
import pytest
from tests.floor.attacker import MALLORY, Attacker
from tests.floor.floors import KEYS, START_MS, House
from tests.floor.forgeries import forged_rotation

from punto.floor import Keys
from punto.floor.rotating import rotate
from punto.floor.sequencer import Sequencer
from punto.proof.lastheads import last_heads
from punto.proof.rotations import KEYS as STREAM
from punto.proof.signers import LocalSigner
from punto.record import audit
from punto.store import SqliteStore

NEW = Keys.from_secret(b"the new one", (KEYS.sealing.key,))


class Kept:
    """A floor in a file, and what was kept of it outside."""

    def __init__(self, folder: Path) -> None:
        self.store = SqliteStore(folder / "floor.db")
        self.house = House(self.store)
        sequencer = Sequencer(self.house.floor.history, [folder / "outside"])
        self.house.round_only()
        sequencer.checkpoint(START_MS)
        self.attacker = Attacker(f"sqlite:{folder / 'floor.db'}")
        self.heads = msgspec.json.encode(last_heads(self.store))
        self.note = (folder / "outside" / "checkpoint").read_bytes()

    def codes(self, public: str | None = None, head: bytes | None = None) -> set[str]:
        return {finding.code.value for finding in audit(self.store, public_key=public, head=head).findings}


@pytest.fixture
def kept(tmp_path: Path) -> Kept:
    return Kept(tmp_path)


def test_the_honest_record_is_clean_whatever_vouches_for_it(kept: Kept) -> None:
    for public, head in ((KEYS.public, None), (None, kept.heads), (None, kept.note), (KEYS.public, kept.note)):
        assert kept.codes(public, head) == set()
    kept.house.round("T2")
    assert kept.codes(None, kept.note) == kept.codes(None, kept.heads) == set()


def test_a_store_that_was_signed_anew_is_an_unknown_key(kept: Kept) -> None:
    kept.attacker.resign()
    assert "unknown-key" in kept.codes(KEYS.public)
    assert "unknown-key" in kept.codes(None, kept.heads)
    assert "unknown-key" in kept.codes(None, kept.note)
    assert {"unknown-key", "outside-head"} <= kept.codes(KEYS.public, kept.heads)


def test_a_rotation_to_a_key_of_ones_own_does_not_help(kept: Kept) -> None:
    """The rotation lacks the old key's signature, and all that was signed before is signed anew."""
    kept.attacker.append(STREAM, forged_rotation(kept.attacker))
    kept.attacker.resign()
    for public, head in ((KEYS.public, None), (None, kept.heads), (None, kept.note)):
        assert {"unknown-key", "bad-rotation"} <= kept.codes(public, head)
    assert "bad-rotation" in kept.codes()


def test_one_writer_that_is_left_does_not_vouch_for_the_others(kept: Kept) -> None:
    kept.attacker.append("security", b"{}")
    kept.attacker.sign(["security"], MALLORY)
    for public, head in ((KEYS.public, None), (None, kept.heads), (None, kept.note), (None, None)):
        assert "unknown-key" in kept.codes(public, head)


def test_what_was_kept_before_a_rotation_vouches_for_the_key_after_it(kept: Kept) -> None:
    assert isinstance(NEW.signing, LocalSigner)
    rotate(kept.store, KEYS, NEW.signing, START_MS, "greta")
    for public, head in ((NEW.public, None), (None, kept.heads), (None, kept.note), (None, None)):
        assert kept.codes(public, head) == set()
    assert "unknown-key" in kept.codes(KEYS.public), "a former key is told as one"


@pytest.mark.parametrize("note", [b"punto/x\n1\n\n\xe2\x80\x94 x y\n", b"a\n\nb", b"{}\n\n", b"\n\n"])
def test_what_is_no_checkpoint_is_told(kept: Kept, note: bytes) -> None:
    assert "outside-head" in kept.codes(KEYS.public, note)
    assert "unknown-key" in kept.codes(None, note)


def test_a_checkpoint_that_the_store_has_not_reached_is_told(kept: Kept, tmp_path: Path) -> None:
    earlier = kept.attacker.all()
    kept.house.round("T2")
    Sequencer(kept.house.floor.history, [tmp_path / "outside"]).checkpoint(START_MS)
    later = (tmp_path / "outside" / "checkpoint").read_bytes()
    assert kept.codes(KEYS.public, later) == set()
    kept.attacker.put_back(earlier)
    assert kept.codes(KEYS.public, later) == {"outside-head"}
