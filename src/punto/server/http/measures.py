"""Whether the floor is well, and its figures for who watches over it."""

import asyncio
import hmac
import time
from ipaddress import ip_address
from typing import Any, Final, Literal

from litestar import Response, get
from litestar.openapi.datastructures import ResponseSpec
from msgspec import Struct

from punto.errors import NotAllowed, PuntoError
from punto.floor.ownership import KEY_FENCE
from punto.server.http.asking import Ask, office_of, scope_of, server_of, staff_of
from punto.server.http.problems import documented
from punto.server.identity.requests import bearer, header

_PATIENCE_S: Final = 2.0
_KEPT_S: Final = 1.0
_EXPOSITION: Final = "text/plain; version=0.0.4"


class Health(Struct, frozen=True):
    """Whether the floor is well, and how many it serves.

    *damaged* says what is wrong with the record, by stream, and under `program` in what the program differs; the floor
    is *ill* when it cannot write, or when no table is left that can be played, and *waiting* while the store has taken
    nothing for *waiting_s*: *said* is why, in the store's own words, or that it has not answered.
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
    """Whether the floor answers, writes and reads."""
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
    return Response(answer, status_code=503 if said else 200)


@get("/metrics", media_type=_EXPOSITION, responses=documented(403))
async def figures(request: Ask) -> bytes:
    """All figures, as Prometheus reads them: for staff, for whoever has the token, and on the machine itself."""
    if not (_is_local(request) or _has_token(request) or staff_of(request)):
        raise NotAllowed("figures are for staff, for who has the token, and for the machine itself")
    return office_of(request).metrics.exposed()


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
