"""The signer: what it signs, what it never signs, and a floor that goes on writing when it is gone."""

import json
import os
import signal
import socket
import stat
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import BoundedSemaphore

import pytest
from tests.children import spawn
from tests.cli.shell import PUNTO, environment
from tests.floor.floors import START_MS, House
from tests.floor.liar import Liar, short

from punto.errors import Conflict, NotSigned, SignerGone, UnreadableFile, UnwritableFile
from punto.floor import Keys
from punto.floor.keyfiles import KeySource, KeyText, Kind, make_new_key_file
from punto.floor.keys import signer_in, split
from punto.floor.remote import RemoteSigner
from punto.floor.sequencer import Sequencer
from punto.floor.signer import CERTIFICATE_S, MOST_CERTIFICATES, Signer, _attend, _make_way, sole
from punto.proof.headlog import open_checkpoint, origin_of
from punto.proof.notes import Checkpoint
from punto.proof.writers import read_certificate
from punto.record import audit
from punto.store import MemoryStore

__all__ = ["short"]

WHOLE = KeyText(Kind.WHOLE, b"\x07" * 32)
PUBLIC = signer_in(WHOLE).public
ORIGIN = origin_of(PUBLIC)
WRITER = Keys.from_secret(b"some writer").public


class Asked:
    """A signer that is asked here, with a clock that stands."""

    def __init__(self, folder: Path) -> None:
        self.said: list[str] = []
        self.now = 0.0
        self.state = folder / "signer.state"
        self.signer = Signer(signer_in(WHOLE), ORIGIN, self.state, self.said.append, lambda: self.now)

    def __call__(self, **ask: object) -> dict[str, str]:
        return dict(json.loads(self.signer.answer(json.dumps(ask).encode())))

    def checkpoint(self, size: int, root: bytes = b"\x01" * 32, origin: str = ORIGIN, *more: str) -> dict[str, str]:
        return self(type="checkpoint", text=Checkpoint(origin, size, root, more).text())


@pytest.fixture
def asked(tmp_path: Path) -> Asked:
    return Asked(tmp_path)


def test_it_certifies_a_writer_and_says_so(asked: Asked) -> None:
    found = read_certificate(asked(type="certify", key=WRITER)["certificate"].encode())
    assert (found.key, found.floor) == (WRITER, PUBLIC)
    assert abs(found.at_ms - time.time_ns() // 1_000_000) < 60_000, "the time is the signer's own"
    assert asked.said == [f"certified writer {WRITER[:16]}"]


def test_it_certifies_only_a_few_writers_a_minute(asked: Asked) -> None:
    for _ in range(MOST_CERTIFICATES):
        assert "certificate" in asked(type="certify", key=WRITER)
    assert "refused" in asked(type="certify", key=WRITER)
    asked.now += CERTIFICATE_S
    assert "certificate" in asked(type="certify", key=WRITER)
    assert "refused" in asked(type="certify", key=WRITER)


def test_it_signs_a_log_that_grows_and_no_other(asked: Asked, tmp_path: Path) -> None:
    note = asked.checkpoint(5)["note"].encode()
    assert open_checkpoint(note, (PUBLIC,)).size == 5
    assert asked.checkpoint(5)["note"].encode() == note, "the same one again is the same one"
    for again in (asked, Asked(tmp_path)):  # also after a start, for what was signed is kept
        assert "the last one that was signed has 5" in again.checkpoint(4)["refused"]
        assert "another root for 5 heads" in again.checkpoint(5, b"\x02" * 32)["refused"]
        assert "expected one of" in again.checkpoint(6, origin="punto/other")["refused"]
        assert "more lines" in again.checkpoint(6, b"\x01" * 32, ORIGIN, "more")["refused"]
    assert "note" in asked.checkpoint(6, b"\x03" * 32)


def test_its_refusal_says_what_to_do_after_a_copy_was_restored_by_a_decision(asked: Asked, tmp_path: Path) -> None:
    assert "note" in asked.checkpoint(5)
    for refused in (asked.checkpoint(4), asked.checkpoint(5, b"\x02" * 32)):
        assert f"restored by a decision, stop the signer, move {asked.state.name} away, and start" in refused["refused"]
    asked.state.rename(tmp_path / "away")
    assert "note" in Asked(tmp_path).checkpoint(4)


@pytest.mark.parametrize(
    "ask",
    [
        {"type": "sign", "bytes": "x"},
        {"type": "certify", "key": "x"},
        {"type": "certify", "key": 7},
        {"type": "certify"},
        {"type": "checkpoint", "text": "punto writer 1\0{}\n"},
        {"type": "checkpoint", "text": "x\n1\n"},
        {},
    ],
)
def test_it_signs_nothing_else(asked: Asked, ask: dict[str, object]) -> None:
    assert asked(**ask).keys() == {"refused"}
    assert not asked.state.exists()


def test_a_state_that_does_not_read_or_cannot_be_kept_keeps_it_from_signing(asked: Asked, tmp_path: Path) -> None:
    asked.state.write_bytes(b"{")
    with pytest.raises(UnreadableFile):
        Asked(tmp_path)
    asked.state.write_bytes(b'{"origin":"punto/other","size":1,"root":""}')
    with pytest.raises(UnreadableFile, match="is of 'punto/other'"):
        Asked(tmp_path)
    lost = Asked(Path(tempfile.mkdtemp(dir=tmp_path)))
    lost.state.parent.rmdir()
    assert "cannot be kept" in lost.checkpoint(1)["refused"]


def test_one_signer_at_a_time_keeps_a_state(tmp_path: Path) -> None:
    with sole(tmp_path / "a.state"), pytest.raises(Conflict), sole(tmp_path / "a.state"):
        pass


def test_what_is_no_socket_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(UnwritableFile, match="no socket"):
        _make_way(tmp_path / "file")
    assert (tmp_path / "file").read_text() == "x"


@pytest.mark.parametrize(("peers", "told"), [({os.getuid()}, "public"), (set(), "refused")])
def test_only_users_that_it_knows_are_answered(asked: Asked, peers: set[int], told: str) -> None:
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_STREAM)
    with theirs:
        theirs.sendall(b'{"type":"public"}\n')
        free = BoundedSemaphore(1)
        free.acquire()
        _attend(asked.signer, ours, frozenset(peers), free)
        assert json.loads(theirs.recv(65_536)).keys() == {told}


@contextmanager
def answering(folder: Path) -> Iterator["subprocess.Popen[bytes]"]:
    """A signer in a process of its own."""
    process = spawn(
        [*PUNTO, "signer", "--key-file", "signing.key", "--socket", "s"],
        cwd=folder,
        stderr=subprocess.PIPE,
        env=environment(),
    )
    assert process.stderr is not None
    try:
        assert b"answers at s" in process.stderr.readline()
        yield process
    finally:
        process.kill()
        process.wait()
        process.stderr.close()


def test_a_floor_with_a_signer_plays_is_audited_clean_and_goes_on_when_the_signer_is_gone(short: Path) -> None:
    for name, half in zip(("signing.key", "sealing.key"), split(WHOLE), strict=True):
        make_new_key_file(short / name, half)
    source = KeySource(file=str(short / "sealing.key"))
    with answering(short) as process:
        assert stat.S_IMODE((short / "s").stat().st_mode) == 0o600
        keys = Keys.open(source, str(short / "s"))
        house = House(MemoryStore(), keys).round_only()
        sequencer = Sequencer(house.floor.history, [short / "outside"])
        assert sequencer.checkpoint(START_MS)
        assert not audit(house.store, public_key=PUBLIC).findings
        with pytest.raises(NotSigned, match=r"the signer refuses: .*and start the signer again'"):
            keys.signing.sign_checkpoint(Checkpoint(ORIGIN, 1, b"\x01" * 32))
        process.send_signal(signal.SIGKILL)
        process.wait()
        house.round("T2")  # its writer is certified
        for _ in range(2):
            with pytest.raises(SignerGone, match="no signer answers there"):
                sequencer.checkpoint(START_MS)
    with pytest.raises(SignerGone):
        Keys.open(source, str(short / "s"))
    with answering(short):  # in the place of the socket that was left
        house.round("T2")
        assert sequencer.checkpoint(START_MS)
    assert not audit(house.store, public_key=PUBLIC).findings
    state = json.loads((short / f"{ORIGIN.replace('/', '-')}.state").read_text())
    assert open_checkpoint((short / "outside" / "checkpoint").read_bytes(), (PUBLIC,)).size == state["size"]


def test_what_a_signer_answers_is_checked_before_it_is_used(short: Path) -> None:
    mallory = Keys.from_secret(b"mallory's own")
    public = json.dumps({"public": PUBLIC}).encode() + b"\n"
    forged = json.dumps({"certificate": mallory.signing.certify(WRITER, 1).decode()}).encode() + b"\n"
    asked = Checkpoint(ORIGIN, 3, b"\x01" * 32)
    other = signer_in(WHOLE).sign_checkpoint(Checkpoint(ORIGIN, 4, b"\x01" * 32)).encode().decode()
    wrong = mallory.signing.sign_checkpoint(asked).encode().decode()
    notes = [json.dumps({"note": note}).encode() + b"\n" for note in (other, wrong, "")]
    with Liar(short / "s", public, forged, b'{"certificate":"x"}\n', *notes, b"not JSON\n"):
        signer = RemoteSigner(str(short / "s"))
        for _ in range(2):
            with pytest.raises(SignerGone):
                signer.certify(WRITER, 1)
        for _ in range(4):
            with pytest.raises(SignerGone):
                signer.sign_checkpoint(asked)


def test_a_signer_that_hangs_holds_nobody_up_for_long(short: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    public = json.dumps({"public": PUBLIC}).encode() + b"\n"
    with Liar(short / "s", public):
        signer = RemoteSigner(str(short / "s"))
    monkeypatch.setattr("punto.floor.remote.ANSWER_S", 0.1)
    hanging = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    (short / "s").unlink()
    hanging.bind(str(short / "s"))
    hanging.listen()
    with hanging:
        with pytest.raises(SignerGone, match="does not answer within"):
            signer.certify(WRITER, 1)
        began = time.monotonic()
        with pytest.raises(SignerGone, match="did not answer a moment ago"):
            signer.certify(WRITER, 1)
        assert time.monotonic() - began < 0.1


def test_the_key_of_a_floor_is_not_in_a_process_that_has_a_signer(short: Path) -> None:
    make_new_key_file(short / "floor.key", WHOLE)
    with pytest.raises(UnreadableFile, match="punto key split"):
        Keys.open(KeySource(file=str(short / "floor.key")), str(short / "s"))
