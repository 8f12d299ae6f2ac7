"""The signer: a process that holds the floor's signing key and answers over a unix socket, and nothing else.

The process that talks to browsers then need not hold the key. Whoever takes that process over can have writers
certified, a few a minute and each on the signer's log, and can have the log of heads go on; he gets neither the key nor
a signature over anything else. A log that goes back, or has two roots at one size, is never signed.
"""

import os
import socket
import stat
import struct
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import mkstemp
from threading import BoundedSemaphore, Lock, Thread
from time import monotonic, time_ns
from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Conflict, Malformed, NotSigned, PuntoError, UnreadableFile, UnwritableFile, quoted
from punto.floor.remote import ANSWER_S, LONGEST, Ask, AskCertificate, AskCheckpoint, AskPublic, Told, read_line
from punto.proof.notes import Checkpoint
from punto.proof.signers import LocalSigner
from punto.proof.writers import name_of

try:
    import fcntl
except ImportError:  # no such locks on Windows
    fcntl = None  # type: ignore[assignment]

# So many writers are certified at once, and one more after each so many seconds.
MOST_CERTIFICATES: Final = 10
CERTIFICATE_S: Final = 6.0
_MOST_PEERS: Final = 16
# How much of a path a unix socket takes on every system.
LONGEST_PATH: Final = 100
_OWNER_ONLY: Final = 0o177

Say = Callable[[str], None]


class LastSigned(Struct, frozen=True):
    """The last checkpoint that was signed, as it is kept."""

    origin: str
    size: int
    root: bytes


_ENCODER: Final = msgspec.json.Encoder()
_ASK: Final = msgspec.json.Decoder(Ask)
_LAST: Final = msgspec.json.Decoder(LastSigned)


class Signer:
    """What is signed and what is not. Several threads may ask."""

    def __init__(
        self, key: LocalSigner, origin: str, state: Path, say: Say, clock: Callable[[], float] = monotonic
    ) -> None:
        self._key = key
        self._origin = origin
        self._state = state
        self._say = say
        self._clock = clock
        self._lock = Lock()
        self._last = _read_state(state, origin)
        self._certificates = float(MOST_CERTIFICATES)
        self._counted_at = clock()

    def answer(self, line: bytes) -> bytes:
        """The answer to one line."""
        try:
            told = self._told(_ASK.decode(line))
        except (msgspec.DecodeError, UnicodeDecodeError):
            told = Told(refused="the question does not read")
        except PuntoError as error:
            self._say(f"refused: {error.message}")
            told = Told(refused=error.message)
        return _ENCODER.encode(told) + b"\n"

    def _told(self, ask: Ask) -> Told:
        match ask:
            case AskPublic():
                return Told(public=self._key.public)
            case AskCertificate():
                return Told(certificate=self._certified(ask.key).decode())
            case AskCheckpoint():
                return Told(note=self._signed(ask.text).decode())

    def _certified(self, key: str) -> bytes:
        with self._lock:
            now = self._clock()
            self._certificates += (now - self._counted_at) / CERTIFICATE_S
            self._certificates = min(self._certificates, float(MOST_CERTIFICATES))
            self._counted_at = now
            if self._certificates < 1:
                raise NotSigned(f"more than {MOST_CERTIFICATES} writers were certified within a minute: wait")
            body = self._key.certify(key, time_ns() // 1_000_000)
            self._certificates -= 1
            self._say(f"certified writer {name_of(key)}")
            return body

    def _signed(self, text: str) -> bytes:
        checkpoint = Checkpoint.parse(text)
        with self._lock:
            self._check(checkpoint)
            # What is signed must not be forgotten: it is kept before anybody has the signature.
            if self._last is None or checkpoint.size > self._last.size:
                self._keep(LastSigned(checkpoint.origin, checkpoint.size, checkpoint.root))
            return self._key.sign_checkpoint(checkpoint).encode()

    def _check(self, checkpoint: Checkpoint) -> None:
        if checkpoint.origin != self._origin:
            raise NotSigned(f"a checkpoint of {quoted(checkpoint.origin, 60)}: expected one of {self._origin}")
        if checkpoint.extensions:
            raise NotSigned("a checkpoint with more lines than a floor writes")
        last = self._last
        if last is None:
            return
        if checkpoint.size < last.size:
            said = f"a checkpoint of {checkpoint.size} heads: the last one that was signed has {last.size}"
            raise NotSigned(f"{said}: {self._way_back()}")
        if checkpoint.size == last.size and checkpoint.root != last.root:
            said = f"another root for {checkpoint.size} heads than the one that was signed"
            raise NotSigned(f"{said}: {self._way_back()}")

    def _way_back(self) -> str:
        """What is to be done where somebody has decided to go on from an older store."""
        return (
            f"if an older store was restored by a decision, stop the signer, move {self._state.name} away, and start "
            "the signer again"
        )

    def _keep(self, last: LastSigned) -> None:
        try:
            number, name = mkstemp(prefix=f".{self._state.name}.", dir=self._state.parent)
            try:
                with os.fdopen(number, "wb") as file:
                    file.write(_ENCODER.encode(last))
                    file.flush()
                    os.fsync(file.fileno())
                Path(name).replace(self._state)
            except BaseException:
                Path(name).unlink(missing_ok=True)
                raise
            folder = os.open(self._state.parent, os.O_RDONLY)
            try:
                os.fsync(folder)
            finally:
                os.close(folder)
        except OSError as error:
            raise NotSigned(f"{self._state}: what is signed cannot be kept there: {error.strerror}") from None
        self._last = last


def _read_state(path: Path, origin: str) -> LastSigned | None:
    try:
        found = _LAST.decode(path.read_bytes())
    except FileNotFoundError:
        return None
    except (OSError, ValueError):
        raise UnreadableFile(f"{path}: does not read: expected what the signer has signed last") from None
    if found.origin != origin:
        raise UnreadableFile(f"{path}: is of {quoted(found.origin, 60)}: expected that of {origin}")
    return found


# The process


def serve(signer: Signer, path: Path, peers: frozenset[int], owner: int | None, ready: Callable[[], None]) -> None:
    """Answer on a unix socket until the process is stopped; only processes of these users are answered."""
    with _listening(path, owner) as listener:
        ready()
        free = BoundedSemaphore(_MOST_PEERS)
        while True:
            peer, _ = listener.accept()
            free.acquire()
            Thread(target=_attend, args=(signer, peer, peers, free), daemon=True).start()


def _attend(signer: Signer, peer: socket.socket, peers: frozenset[int], free: BoundedSemaphore) -> None:
    """Answer one question of one peer."""
    try:
        with peer, suppress(OSError):
            user = _user_of(peer)
            if user is not None and user not in peers:
                peer.sendall(_ENCODER.encode(Told(refused="this signer does not know who asks")) + b"\n")
                return
            line = read_line(peer, monotonic() + ANSWER_S)
            if line.endswith(b"\n") and len(line) < LONGEST:
                peer.sendall(signer.answer(line))
    finally:
        free.release()


def _user_of(peer: socket.socket) -> int | None:
    """The user whose process is at the other end, where the system tells."""
    if sys.platform != "linux":
        return None
    size = struct.calcsize("3i")
    _, user, _ = struct.unpack("3i", peer.getsockopt(socket.SOL_SOCKET, socket.SO_PEERCRED, size))
    return int(user)


@contextmanager
def _listening(path: Path, owner: int | None) -> Iterator[socket.socket]:
    if len(os.fsencode(path)) > LONGEST_PATH:
        raise Malformed(f"{path}: is too long for a socket: expected at most {LONGEST_PATH} bytes")
    _make_way(path)
    before = os.umask(_OWNER_ONLY)
    listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    try:
        listener.bind(str(path))
        if owner is not None:
            os.chown(path, owner, -1)
        listener.listen(_MOST_PEERS)
    except OSError as error:
        listener.close()
        raise UnwritableFile(f"{path}: no socket can be made there: {error.strerror}") from None
    finally:
        os.umask(before)
    try:
        yield listener
    finally:
        listener.close()
        path.unlink(missing_ok=True)


def _make_way(path: Path) -> None:
    """Remove the socket of a signer that was killed; refuse to take that of one that answers."""
    try:
        if not stat.S_ISSOCK(path.lstat().st_mode):
            raise UnwritableFile(f"{path}: is there already, and no socket: expected a path where nothing is")
    except FileNotFoundError:
        return
    except OSError as error:
        raise UnwritableFile(f"{path}: {error.strerror}") from None
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as probe:
        probe.settimeout(ANSWER_S)
        try:
            probe.connect(str(path))
        except ConnectionRefusedError:
            path.unlink(missing_ok=True)
            return
        except OSError as error:
            raise UnwritableFile(f"{path}: {error.strerror or error}") from None
    raise Conflict(f"{path}: another signer answers there")


@contextmanager
def sole(state: Path) -> Iterator[None]:
    """One signer at a time keeps what it has signed in a file."""
    beside = state.with_name(f"{state.name}.lock")
    try:
        lock = beside.open("a")
    except OSError as error:
        raise UnwritableFile(f"{beside.parent}: what is signed cannot be kept there: {error.strerror}") from None
    with lock:
        try:
            if fcntl is not None:
                fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise Conflict(f"{state}: another signer keeps there what it signs") from None
        yield
