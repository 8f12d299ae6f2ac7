"""What a decision would do to the cards and to each patron's money, before it is given (interpretation 46)."""

from typing import Any, Final

from litestar import post
from litestar.params import FromPath, JSONBody

from punto.floor.foresight import Foresight, foresee
from punto.server.http.asking import Ask, need_staff, server_of, staff_only
from punto.server.http.problems import documented
from punto.server.wire.asks import COMMANDS
from punto.table import commands as do

Decision: Final[Any] = next(form for form, kind in COMMANDS.items() if kind is do.Rule)
# A decision may name every wager on a table. As long as what a page may send otherwise.
_LONGEST_DECISION: Final = 20_000


@post(
    "/api/tables/{key:str}/foresight",
    status_code=200,
    guards=[staff_only],
    request_max_body_size=_LONGEST_DECISION,
    responses=documented(400, 401, 403, 404, 409, 413),
)
async def foresight(request: Ask, key: FromPath[str], data: JSONBody[Decision]) -> Foresight:
    """What a decision would do at a table; it is refused as the decision itself would be."""
    by = need_staff(request)
    hall = server_of(request).hall
    hosted = hall.find(key)
    decision: Any = data
    fields = {name: getattr(decision, name) for name in decision.__struct_fields__}
    command = do.Rule(id="foresight", table=hosted.key, by=by, at_ms=hall.now_ms(), **fields)
    return foresee(hosted.table, command)
