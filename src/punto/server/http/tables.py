"""Tables as anybody may see them: at a glance, and one by one."""

from litestar import get
from litestar.params import FromPath

from punto.server.hosted import Hosted
from punto.server.http.asking import Ask, server_of, staff_of
from punto.server.http.problems import documented
from punto.server.wire.tells import TableState, Tile


@get("/api/tables", sync_to_thread=False)
def tables(request: Ask) -> tuple[Tile, ...]:
    """Every table at a glance; staff see stakes, meters and alarms besides."""
    staff = staff_of(request) is not None
    return tuple(_tile(hosted, staff=staff) for hosted in server_of(request).hall.tables.values())


@get("/api/tables/{key:str}", sync_to_thread=False, responses=documented(404))
def table(request: Ask, key: FromPath[str]) -> TableState:
    """A table as it stands on the wall: nothing in it tells a card that lies face down."""
    return server_of(request).hall.find(key).state()


def _tile(hosted: Hosted, *, staff: bool) -> Tile:
    plain = hosted.glance()
    return hosted.for_staff(plain) if staff else plain
