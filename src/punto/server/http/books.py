"""The books, for staff: meters by table, terminal, day or shift, and wallets by patron."""

from dataclasses import dataclass
from typing import Annotated, Literal

from litestar import Response, get
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from punto.errors import Malformed
from punto.floor.books import PATRON, Row, Wallet, books_csv, wallets_csv
from punto.rules.money import Cents
from punto.server.heavy.jobs import BOOKS, WALLETS
from punto.server.http.asking import Ask, need_pit, office_of
from punto.server.http.problems import documented

By = Literal["table", "terminal", "day", "shift", "patron"]
_Table = Annotated[str | None, QueryParameter(max_length=64, description="Only this table.")]


class BooksRow(Struct, frozen=True):
    """One line of the books: a table, or all of them, in a period or at a terminal."""

    table: str
    what: str
    rounds: int
    voids: int
    in_cents: int
    out_cents: int
    wagered_cents: int
    won_cents: int
    returned_cents: int
    escrow_cents: int
    corrected_cents: int
    drop_cents: int
    hold_cents: int


class WalletRow(Struct, frozen=True):
    """A patron's credits and debts."""

    patron: str
    credits_cents: Cents
    owed_cents: Cents


class Books(Struct, frozen=True):
    """The books, kept by something: rows of tables, or of wallets."""

    by: By
    rows: tuple[BooksRow, ...] = ()
    wallets: tuple[WalletRow, ...] = ()


@dataclass
class AlsoCsv(Operation):
    """An operation that answers in comma-separated values too."""

    def __post_init__(self) -> None:
        answer = (self.responses or {})["200"]
        assert isinstance(answer, OpenAPIResponse)
        assert answer.content
        answer.content["text/csv"] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))


@get("/api/books", operation_class=AlsoCsv, responses=documented(401, 403, 404, 409, 429, 503))
async def the_books(
    request: Ask,
    by: FromQuery[By] = "table",
    table: _Table = None,
    form: Annotated[Literal["json", "csv"], QueryParameter(name="format")] = "json",
) -> Response[Books]:
    """The books, as JSON or as a file of comma-separated values."""
    staff = need_pit(request, "see the books")
    if by == PATRON and table is not None:
        raise Malformed("table: a patron's credits are the whole floor's: expected none with by=patron")
    office, as_csv = office_of(request), form == "csv"
    if by == PATRON:
        found: list[Wallet] = await office.work(request, WALLETS, office.address, await office.excerpt(request))
        if not as_csv:
            return Response(Books(by, wallets=tuple(map(_wallet, found))))
        text = wallets_csv(found)
    else:
        rows: list[Row] = await office.work(request, BOOKS, office.address, await office.excerpt(request), table, by)
        if not as_csv:
            return Response(Books(by, rows=tuple(map(_row, rows))))
        text = books_csv(rows)
    office.note_export(request, staff, "books", f"by {by}" + (f", table {table}" if table else ""))
    headers = {"content-disposition": f'attachment; filename="books-by-{by}.csv"'}
    return Response(text, media_type="text/csv", headers=headers)  # type: ignore[arg-type]


def _row(row: Row) -> BooksRow:
    figures = {name: getattr(row.meter, name) for name in BooksRow.__struct_fields__[2:]}
    return BooksRow(row.table, row.what, **figures)


def _wallet(found: Wallet) -> WalletRow:
    return WalletRow(found.patron, Cents(found.credits_cents), Cents(found.owed_cents))
