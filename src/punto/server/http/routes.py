"""Every route of the server, and what all of them share."""

from functools import cache
from typing import Any

from litestar import Litestar
from litestar.exceptions import HTTPException
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin, YamlRenderPlugin

from punto import __version__
from punto.errors import PuntoError
from punto.server.http import (
    audits,
    books,
    cashreports,
    checkpoints,
    claims,
    clauses,
    desk,
    doors,
    exclusions,
    factors,
    foresight,
    games,
    irregularities,
    logbook,
    measures,
    pages,
    patrons,
    people,
    program,
    readings,
    receipts,
    rounds,
    shoes,
    staffing,
    tables,
)
from punto.server.http.asking import LONGEST_BODY, Bounded
from punto.server.http.origin import ours_only
from punto.server.http.problems import on_fault, on_http, on_refusal, on_unreadable
from punto.server.http.schemas import PLUGINS

# Nothing but what we serve ourselves, no script or style within a document, and nobody's frame.
POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    "connect-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'"
)
# With every answer, whatever it is.
HEADERS = (
    (b"content-security-policy", POLICY.encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=()"),
)

# For anybody, for patrons and staff, for staff, and for devices and those who watch over the floor.
PUBLIC: list[Any] = [
    tables.tables,
    tables.table,
    games.games,
    games.game_rules,
    clauses.clause_texts,
    irregularities.irregularities,
    shoes.shoes,
    shoes.shoe_text,
    shoes.verify_text,
    checkpoints.checkpoints,
    checkpoints.latest_checkpoint,
    checkpoints.checkpoint,
    checkpoints.consistency,
    receipts.ticket_receipt,
]
OF_PERSONS: list[Any] = [
    rounds.rounds,
    rounds.replay,
    receipts.wager_receipt,
    receipts.command_receipt,
    claims.raise_claim,
    claims.own_claims,
    claims.withdraw,
]
OF_STAFF: list[Any] = [
    books.the_books,
    audits.start_audit,
    audits.audit_state,
    audits.head,
    program.check_program,
    program.program_state,
    logbook.log,
    logbook.security,
    logbook.significant_events,
    desk.desk,
    desk.correct,
    patrons.patrons,
    patrons.register,
    exclusions.excluded_patrons,
    exclusions.exclude_patron,
    exclusions.lift_exclusion,
    desk.pay_ticket,
    cashreports.cash_reports,
    cashreports.file_report,
    cashreports.cash_today,
    foresight.foresight,
    claims.listed_claims,
    claims.opened_claim,
    claims.answer,
]
OF_MACHINES: list[Any] = [readings.readings, measures.health, measures.figures]
ROUTES: list[Any] = [
    pages.page,
    pages.asset,
    *doors.ROUTES,
    *factors.ROUTES,
    *staffing.ROUTES,
    *people.ROUTES,
    *PUBLIC,
    *OF_PERSONS,
    *OF_STAFF,
    *OF_MACHINES,
]


@cache
def api() -> Litestar:
    """The HTTP side of every server of this process; each request says in its scope which server it is for."""
    return Litestar(
        ROUTES,
        guards=[ours_only],
        plugins=PLUGINS,
        exception_handlers={
            PuntoError: on_refusal,
            HTTPException: on_http,
            RecursionError: on_unreadable,
            UnicodeDecodeError: on_unreadable,
            Exception: on_fault,
        },
        openapi_config=OpenAPIConfig(
            title="Punto",
            version=__version__,
            description="What is asked of another host than the floor's own is answered with 421, a method that an "
            "address does not have with 405, each with a code and a message as all that is refused.",
            path="/schema",
            render_plugins=[JsonRenderPlugin(), YamlRenderPlugin()],  # pages of others would come from elsewhere
            use_handler_docstrings=True,
        ),
        logging_config=None,
        request_class=Bounded,
        request_max_body_size=LONGEST_BODY,
    )
