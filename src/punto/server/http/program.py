"""The check of the program, for staff."""

from litestar import get, post

from punto.server.http.asking import Ask, need_pit, need_staff, server_of
from punto.server.http.problems import documented
from punto.server.identity import authority
from punto.server.programcheck import ProgramState


@post("/api/program", status_code=202, sync_to_thread=False, responses=documented(401, 403))
def check_program(request: Ask) -> ProgramState:
    """Check the program, Python and the dependencies now (pit managers and above)."""
    staff = need_staff(request)
    authority.check(staff.position, authority.PROGRAM, "have the program checked")
    return server_of(request).hall.program.ask(staff.name)


@get("/api/program", sync_to_thread=False, responses=documented(401, 403))
def program_state(request: Ask) -> ProgramState:
    """The last check of the program: whether its files are those of its release."""
    need_pit(request, "read about the program")
    return server_of(request).hall.program.state
