"""The audit and the last head, for staff."""

from litestar import Response, get, post
from litestar.exceptions import NotFoundException
from msgspec import Struct

from punto.server.audits import AuditState
from punto.server.http.asking import Ask, need_pit, office_of
from punto.server.http.problems import documented
from punto.store import Store
from punto.store.heads import HEADS


class HeadMoved(Struct, frozen=True):
    """Where streams ended when the head was signed: version and hash of each that had moved."""

    number: int
    at_ms: int
    moved: dict[str, tuple[int, str]]


class LastHead(Struct, frozen=True):
    """The last head with its signature, to be kept elsewhere exactly as it is."""

    head: HeadMoved
    before: str
    key: str
    signature: str


@post("/api/audit", status_code=202, sync_to_thread=False, responses=documented(401, 403, 409))
def start_audit(request: Ask) -> AuditState:
    """Begin an audit of everything that the floor has written so far."""
    staff = need_pit(request, "audit the floor")
    return office_of(request).audits.start(staff.name)


@get("/api/audit", sync_to_thread=False, responses=documented(401, 403))
def audit_state(request: Ask) -> AuditState:
    """How the last audit went, or goes."""
    need_pit(request, "audit the floor")
    return office_of(request).audits.state


@get("/api/head", responses=documented(401, 403, 404, 429))
async def head(request: Ask) -> Response[LastHead]:
    """The last signed head. Kept outside, it betrays a history that is rewritten or cut short."""
    need_pit(request, "take the head home")
    body = await office_of(request).read(_last_head)
    return Response(body, media_type="application/json")  # type: ignore[arg-type]


def _last_head(store: Store) -> bytes:
    tip = store.tip(HEADS)
    if tip is None:
        raise NotFoundException("nothing was written yet")
    return next(iter(store.read(HEADS, tip.version - 1))).body
