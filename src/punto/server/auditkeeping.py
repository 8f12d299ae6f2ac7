"""What is kept of audits in the store: what the last one said, and from where the next one goes on.

It lies among the snapshots, and can be thrown away. The progress is in several pieces, so that the thread that writes
is never held up by it. What was kept last is stamped with the floor's sealing key, and has the digest of all pieces:
whoever can write to the database can put back what this floor has kept before, and nothing else.
"""

from functools import partial
from hashlib import sha256
from typing import Final

import msgspec
from msgspec import Struct

from punto.floor.keys import Keys
from punto.server.auditstate import AuditState
from punto.server.writer import Writer
from punto.store.contract import Snapshot, Store

NAME: Final = "audit"
_PIECE: Final = 256 * 1024
_ABOUT: Final = NAME.encode()
# Of very many findings the first are enough to see again what was wrong.
MOST_FINDINGS: Final = 100


class KeptAudit(Struct, frozen=True):
    """What the last audit said, when the whole was last read, and the pieces of its progress with their digest."""

    state: AuditState
    whole_ms: int = 0
    pieces: int = 0
    digest: bytes = b""


_ENCODER: Final = msgspec.json.Encoder()
_DECODER: Final = msgspec.json.Decoder(KeptAudit)


def read_kept(store: Store, keys: Keys) -> KeptAudit | None:
    """What the last audit said; none where nothing was kept, or nothing that this floor has stamped."""
    snapshot = store.snapshot(NAME)
    body = keys.unstamped(snapshot.body, _ABOUT) if snapshot else None
    try:
        return _DECODER.decode(body) if body is not None else None
    except msgspec.DecodeError:  # it was kept by another Punto
        return None


def read_progress_of(store: Store, kept: KeptAudit) -> bytes:
    """The progress that was kept with it; none where any piece is not as it was kept."""
    pieces = [store.snapshot(_piece(number)) for number in range(kept.pieces)]
    whole = b"".join(each.body for each in pieces if each is not None)
    return whole if sha256(whole).digest() == kept.digest else b""


async def keep(writer: Writer, kept: KeptAudit, progress: bytes) -> None:
    """Keep what an audit said, piece by piece; until the last of them is there, what was kept before is of no use."""
    store, keys = writer.floor.store, writer.floor.keys
    pieces = [progress[start : start + _PIECE] for start in range(0, len(progress), _PIECE)]
    state = msgspec.structs.replace(kept.state, findings=kept.state.findings[:MOST_FINDINGS])
    kept = msgspec.structs.replace(kept, state=state, pieces=len(pieces), digest=sha256(progress).digest())
    for number, piece in enumerate(pieces):
        await writer.call(partial(store.keep, _piece(number), Snapshot(number, b"", piece)))
    body = keys.stamped(_ENCODER.encode(kept), _ABOUT)
    await writer.call(partial(store.keep, NAME, Snapshot(kept.state.started_ms, b"", body)))


def _piece(number: int) -> str:
    return f"{NAME}/{number}"
