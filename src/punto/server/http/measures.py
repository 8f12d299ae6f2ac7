"""Whether the floor is well, and its figures for who watches over it."""

import asyncio
import hmac
import re
import time
from collections import Counter
from collections.abc import Iterable
from ipaddress import ip_address
from typing import Any, Final, Literal

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct
from msgspec.structs import replace

from punto.errors import NotAllowed, PuntoError
from punto.floor.ownership import KEY_FENCE
from punto.server.http.asking import Ask, office_of, scope_of, server_of, staff_of
from punto.server.http.problems import documented
from punto.server.identity.requests import bearer, header

_PATIENCE_S: Final = 2.0
_KEPT_S: Final = 1.0
_EXPOSITION: Final = "text/plain; version=0.0.4"
# What strangers are told of what is damaged: how many of which kind, and of no stream or folder its name.
_KINDS: Final = {
    "table": ("1 table is stopped", "{} tables are stopped"),
    "book": ("the book of 1 table is stopped", "the books of {} tables are stopped"),
    "wallet": ("1 wallet is stopped", "{} wallets are stopped"),
    "tickets": ("the tickets are stopped", "the tickets are stopped"),
    "identity": ("1 list of people is stopped", "{} lists of people are stopped"),
    "claims": ("the claims are stopped", "the claims are stopped"),
    "program": ("the program is not what it should be", "the program is not what it should be"),
    "audit": ("audits need somebody", "audits need somebody"),
    "outside": ("1 place outside is at fault", "{} places outside are at fault"),
    "checkpoints": ("no checkpoint can be taken", "no checkpoint can be taken"),
    "store": ("the store is at fault", "the store is at fault"),
    "other": ("1 other part of the record is stopped", "{} other parts of the record are stopped"),
}


class Health(Struct, frozen=True):
    """Whether the floor is well, and how many it serves.

    *damaged* says what is wrong with the record, by stream, and under `program` in what the program differs; the floor
    is *ill* when it cannot write, or when no table is left that can be played, and *waiting* while the store has taken
    nothing for *waiting_s*: *said* is why, in the store's own words, or that it has not answered. A stranger gets
    neither names nor the store's words: *damaged* says how many are stopped, by kind.
    """

    status: Literal["well", "damaged", "waiting", "ill"]
    tables: int
    connections: int
    said: str = ""
    damaged: dict[str, str] = {}
    waiting_s: float = 0.0


class Pulse:
    """Looks whether writer and store are alive: at most once in a while, however many ask."""

    def __init__(self) -> None:
        self._said = ""
        self._until = 0.0
        self._looking: asyncio.Task[str] | None = None

    async def feel(self, request: Ask) -> str:
        """What is the matter; nothing when all is well."""
        if time.monotonic() >= self._until:
            if self._looking is None:
                self._looking = asyncio.get_running_loop().create_task(_look(request))
            self._said = await asyncio.shield(self._looking)
            self._until = time.monotonic() + _KEPT_S
            self._looking = None
        return self._said


async def _look(request: Ask) -> str:
    writer = server_of(request).hall.writer
    try:
        await asyncio.wait_for(writer.call(writer.floor.store.epoch, KEY_FENCE), _PATIENCE_S)
    except TimeoutError:
        return "the writer does not answer"
    except RuntimeError:
        return "the writer has stopped"
    except PuntoError as error:
        return f"the store does not answer ({error.code})"
    return "the store takes nothing" if office_of(request).metrics.store_failed else ""


@get("/health", responses={503: ResponseSpec(Health, generate_examples=False, description="The floor is ill.")})
async def health(request: Ask) -> Response[Health]:
    """Whether the floor answers, writes and reads; what is wrong is named to those who may see the figures."""
    hall = server_of(request).hall
    waiting_s = 0.0 if hall.fenced else hall.delays.waiting_s
    said = hall.fenced.message if hall.fenced else ""
    if not said and not waiting_s:
        said = await office_of(request).pulse.feel(request)
        waiting_s = hall.delays.waiting_s
    damaged = hall.damaged()
    playable = [key for key in hall.tables if f"table/{key}" not in damaged and "" not in damaged]
    if not said and damaged and not playable:
        said = "no table can be played"
    status: Literal["well", "damaged", "waiting", "ill"] = "ill" if said else "damaged" if damaged else "well"
    if waiting_s:
        refusal = hall.writer.refusal
        status, said = "waiting", refusal.message if refusal else f"the store has not answered for {waiting_s:.0f} s"
    answer = Health(status, len(playable), len(hall.connections), said, damaged, round(waiting_s, 1))
    if not _may_know(request):
        answer = replace(answer, said=_in_general(answer, fenced=bool(hall.fenced)), damaged=in_kinds(damaged))
    return Response(answer, status_code=503 if said else 200)


def _in_general(health: Health, *, fenced: bool) -> str:
    """Why a floor does not play, without the store's own words: they may name it."""
    if fenced:
        return "another process runs this floor"
    return "the store takes nothing, or does not answer" if health.status == "waiting" else health.said


def in_kinds(streams: Iterable[str]) -> dict[str, str]:
    """How many streams of each kind, in words: a stream's name may be a person's.

    >>> in_kinds(["wallet/ann", "wallet/bob", "cashier/cy"])
    {'wallet': '2 wallets are stopped', 'other': '1 other part of the record is stopped'}
    """
    counts = Counter(_kind_of(stream) for stream in streams)
    return {kind: _KINDS[kind][count > 1].format(count) for kind, count in counts.items()}


def _kind_of(stream: str) -> str:
    if not stream:
        return "store"
    kind = re.split("[/ ]", stream, maxsplit=1)[0]
    return kind if kind in _KINDS and kind != "store" else "other"


@get("/metrics", media_type=_EXPOSITION, responses=documented(403))
async def figures(request: Ask) -> bytes:
    """All figures, as Prometheus reads them: for staff, for whoever has the token, and on the machine itself."""
    if not _may_know(request):
        raise NotAllowed("figures are for staff, for who has the token, and for the machine itself")
    return office_of(request).metrics.exposed()


def _may_know(request: Ask) -> bool:
    """Whether names and figures are told: to staff, to whoever has the token, and on the machine itself."""
    return _is_local(request) or _has_token(request) or staff_of(request) is not None


def _is_local(request: Ask) -> bool:
    """Whether the request comes from this machine; behind a proxy all of them seem to."""
    if server_of(request).config.behind_proxy:
        return False
    client: Any = scope_of(request).get("client")
    try:
        return client is not None and ip_address(client[0]).is_loopback
    except ValueError:
        return False


def _has_token(request: Ask) -> bool:
    token = getattr(server_of(request).config, "metrics_token", "")
    given = bearer(header(scope_of(request), b"authorization"))
    return bool(token) and hmac.compare_digest(token.encode(), given.encode())
