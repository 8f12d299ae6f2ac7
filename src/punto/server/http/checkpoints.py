"""Checkpoints for anybody: what the floor has signed over all that is on record, and that it has only grown."""

from typing import Annotated

from litestar import get
from litestar.params import FromPath, QueryParameter
from msgspec import Struct

from punto.floor.proving import Proofs
from punto.proof.consistency import Consistency
from punto.server.http.asking import Ask, office_of, server_of
from punto.server.http.problems import documented

_LARGEST = 2**53
_Last = Annotated[int, QueryParameter(ge=1, le=100, description="How many.")]
_Before = Annotated[int | None, QueryParameter(ge=1, le=_LARGEST, description="Those of fewer heads than this.")]
_From = Annotated[int, QueryParameter(name="from", ge=0, le=_LARGEST, description="How many heads the smaller has.")]
_To = Annotated[
    int | None, QueryParameter(name="to", ge=0, le=_LARGEST, description="And the larger; without it, the newest.")
]


class ToldCheckpoint(Struct, frozen=True):
    """A checkpoint: how many heads it covers, their root in hexadecimal, and when it was taken."""

    size: int
    root: str
    at_ms: int


class ToldCheckpoints(Struct, frozen=True):
    """Checkpoints, the newest first, and the public key that signs them now."""

    key: str
    origin: str
    checkpoints: tuple[ToldCheckpoint, ...]


@get("/api/checkpoints", responses=documented(429, 503))
async def checkpoints(request: Ask, last: _Last = 10, before: _Before = None) -> ToldCheckpoints:
    """The newest checkpoints, or those before one."""
    proofs = server_of(request).hall.receipts.proofs
    found = await office_of(request).read(request, lambda _: list(proofs.listed(last, before)))
    told = [ToldCheckpoint(each.checkpoint.size, each.checkpoint.root.hex(), each.at_ms) for each in found]
    return ToldCheckpoints(proofs.keys[0], proofs.origin, tuple(told))


@get("/api/checkpoints/latest", media_type="text/plain", responses=documented(404, 429, 503))
async def latest_checkpoint(request: Ask) -> bytes:
    """The newest checkpoint as a signed note, with the cosignatures of witnesses that have come."""
    proofs = server_of(request).hall.receipts.proofs
    return await office_of(request).read(request, lambda store: proofs.note(proofs.latest(), store))


@get("/api/checkpoints/{size:int}", media_type="text/plain", responses=documented(404, 429, 503))
async def checkpoint(request: Ask, size: FromPath[int]) -> bytes:
    """The checkpoint over so many heads as a signed note."""
    proofs = server_of(request).hall.receipts.proofs
    return await office_of(request).read(request, lambda store: proofs.note(proofs.of_size(size), store))


@get("/api/checkpoints/consistency", media_type="text/plain", responses=documented(404, 429, 503))
async def consistency(request: Ask, since: _From = 0, to: _To = None) -> str:
    """The proof that one checkpoint begins with another: `punto verify --consistency` reads it."""
    proofs = server_of(request).hall.receipts.proofs
    found = await office_of(request).read(request, lambda _: _consistency(proofs, since, to))
    return found.text()


def _consistency(proofs: Proofs, since: int, to: int | None) -> Consistency:
    return proofs.consistency(since, proofs.latest().checkpoint.size if to is None else to)
