"""The audit and the last head, for staff."""

from litestar import get, post
from litestar.exceptions import NotFoundException
from litestar.params import FromQuery

from punto.proof.lastheads import LastHeads
from punto.server.auditstate import AuditKind, AuditState
from punto.server.http.asking import Ask, need_pit, office_of, server_of, visitor_of
from punto.server.http.problems import documented


@post("/api/audit", status_code=202, sync_to_thread=False, responses=documented(400, 401, 403, 409))
def start_audit(request: Ask, kind: FromQuery[AuditKind] = "whole") -> AuditState:
    """Begin an audit of everything that the floor has written so far, or of what is new since the last one."""
    staff = need_pit(request, "audit the floor")
    return office_of(request).audits.start(staff.name, visitor_of(request), kind)


@get("/api/audit", sync_to_thread=False, responses=documented(401, 403))
def audit_state(request: Ask) -> AuditState:
    """How the last audit went, or goes, when the next is due, and what of audits needs somebody."""
    need_pit(request, "audit the floor")
    return office_of(request).audits.state


@get("/api/head", responses=documented(401, 403, 404, 429, 503))
async def head(request: Ask) -> LastHeads:
    """The last heads of all writers. Kept outside, they betray a history that is rewritten or cut short."""
    need_pit(request, "take the head home")
    coverage = server_of(request).hall.writer.floor.history.coverage
    found = await office_of(request).read(request, lambda _: coverage.last_heads())
    if not found.heads:
        raise NotFoundException("nothing was written yet")
    return found
