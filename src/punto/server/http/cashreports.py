"""Reports of cash: who has reached the threshold within a gaming day, and the reports that were filed of it."""

from typing import Annotated, Literal

from litestar import get, post
from litestar.params import FromPath, JSONBody
from msgspec import Meta, Struct

from punto.errors import NothingToReport, quoted
from punto.floor.cashreports import CashMove, DaySum, Direction, cash_of_day
from punto.rules.money import MOST_CENTS, Cents
from punto.server.heavy.jobs import CASH
from punto.server.http.asking import Ask, need_pit, office_of, scope_of, server_of, staff_only
from punto.server.http.problems import documented
from punto.server.identity import events as on
from punto.table.actor import LONGEST_NAME, check_person

_Name = Annotated[str, Meta(min_length=1, max_length=LONGEST_NAME)]
_ANSWERS = (401, 403, 409, 429, 503)


class FiledReport(Struct, frozen=True):
    """That a report was filed: of what sum, by whom, when, and under which reference."""

    cents: Cents
    by: str
    at_ms: int
    reference: str


class CashReport(Struct, frozen=True):
    """A sum that has reached the threshold; it is *due* until it was filed as it is now."""

    patron: str
    day: str
    kind: Literal["in", "out"]
    cents: Cents
    due: bool
    moves: tuple[CashMove, ...]
    filed: FiledReport | None


class CashReports(Struct, frozen=True):
    """The threshold of today (0: none), and all reports that are due or were filed, by day."""

    threshold_cents: Cents
    reports: tuple[CashReport, ...]


class NewReport(Struct, frozen=True, forbid_unknown_fields=True):
    """A report that was filed, of the sum that the page has shown."""

    patron: _Name
    day: Annotated[str, Meta(pattern=r"^\d{4}-\d{2}-\d{2}$")]
    kind: Literal["in", "out"]
    cents: Annotated[int, Meta(ge=1, le=MOST_CENTS)]
    reference: Annotated[str, Meta(min_length=1, max_length=100)]


class CashToday(Struct, frozen=True):
    """What a patron has paid in and was paid in cash in this gaming day, and the threshold (0: none)."""

    threshold_cents: Cents
    in_cents: Cents
    out_cents: Cents


@get("/api/cash-reports", responses=documented(*_ANSWERS))
async def cash_reports(request: Ask) -> CashReports:
    """The reports of cash that are due, and those that were filed (pit supervisors and above)."""
    need_pit(request, "see the reports of cash")
    orders = server_of(request).identity.house.orders
    found = await _found(request)
    return CashReports(Cents(orders.report_cents if orders else 0), tuple(_told(request, each) for each in found))


@post("/api/cash-reports", status_code=204, guards=[staff_only], responses=documented(400, 413, *_ANSWERS))
async def file_report(request: Ask, data: JSONBody[NewReport]) -> None:
    """Put on record that a report was filed (pit supervisors and above, to be proved again).

    It is filed once; more cash on that day makes it due again.
    """
    server = server_of(request)
    need_pit(request, "file reports of cash")
    session = server.identity.signed_in(scope_of(request))
    found = [_told(request, each) for each in await _found(request)]
    same = [each for each in found if (each.patron, each.day, each.kind) == (data.patron, data.day, data.kind)]
    if not same:
        raise NothingToReport(f"{data.patron} has not reached the threshold on {data.day}: nothing was done")
    if not same[0].due:
        raise NothingToReport(f"this report was filed already, as {_filed_as(same[0])}: nothing was done")
    if same[0].cents != data.cents:
        raise NothingToReport("more cash has moved meanwhile: look at the report again; nothing was done")
    report = on.CashReportFiled(data.patron, data.day, data.kind, data.cents, data.reference)
    await server.identity.house.file_report(session, report)


@get("/api/desk/cash/{patron:str}", guards=[staff_only], responses=documented(400, 401, 503))
async def cash_today(request: Ask, patron: FromPath[str]) -> CashToday:
    """What a patron has moved in cash today, so that the desk knows which act makes a report due."""
    check_person(patron)
    server = server_of(request)
    orders, writer = server.identity.house.orders, server.hall.writer
    if orders is None or not orders.report_cents:
        return CashToday(Cents(0), Cents(0), Cents(0))
    sums = await writer.ask(cash_of_day, writer.floor.history, patron, server.hall.now_ms())
    return CashToday(Cents(orders.report_cents), Cents(sums[Direction.IN]), Cents(sums[Direction.OUT]))


def _filed_as(report: CashReport) -> str:
    """Under which reference a report was filed, in quotes."""
    return quoted(report.filed.reference if report.filed else "", 100)


async def _found(request: Ask) -> list[DaySum]:
    office, house = office_of(request), server_of(request).identity.house
    thresholds = house.thresholds()
    if not any(each.cents for each in thresholds):
        return []
    found: list[DaySum] = await office.work(request, CASH, office.address, await office.excerpt(request), thresholds)
    return found


def _told(request: Ask, found: DaySum) -> CashReport:
    day = found.day.isoformat()
    kind: Literal["in", "out"] = "in" if found.direction is Direction.IN else "out"
    filed = server_of(request).identity.house.filed(found.patron, day, kind)
    told = FiledReport(Cents(filed.cents), filed.by, filed.at_ms, filed.reference) if filed else None
    return CashReport(
        found.patron,
        day,
        kind,
        found.cents,
        filed is None or filed.cents != found.cents,
        found.moves,
        told,
    )
