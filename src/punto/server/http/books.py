"""The books, for staff: meters by table, terminal, day or shift, and wallets by patron."""

from dataclasses import dataclass
from typing import Annotated, Literal

from litestar import Response, get
from litestar.openapi.spec import OpenAPIMediaType, OpenAPIResponse, OpenAPIType, Operation, Schema
from litestar.params import FromQuery, QueryParameter
from msgspec import Struct

from punto.errors import Malformed
from punto.floor.books import PATRON, Row, Wallet, books, books_csv, wallets, wallets_csv
from punto.rules.money import Cents
from punto.server.http.asking import Ask, need_pit, office_of
from punto.server.http.problems import documented
from punto.store import Store

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


class TextBooks(Struct, frozen=True):
    """The books as comma-separated values."""

    text: str


@dataclass
class AlsoCsv(Operation):
    """An operation that answers in comma-separated values too."""

    def __post_init__(self) -> None:
        answer = (self.responses or {})["200"]
        assert isinstance(answer, OpenAPIResponse)
        assert answer.content
        answer.content["text/csv"] = OpenAPIMediaType(schema=Schema(type=OpenAPIType.STRING))


@get("/api/books", operation_class=AlsoCsv, responses=documented(401, 403, 404, 429))
async def the_books(
    request: Ask,
    by: FromQuery[By] = "table",
    table: _Table = None,
    form: Annotated[Literal["json", "csv"], QueryParameter(name="format")] = "json",
) -> Response[Books]:
    """The books, as JSON or as a file of comma-separated values."""
    need_pit(request, "see the books")
    if by == PATRON and table is not None:
        raise Malformed("table: a patron's credits are the whole floor's: expected none with by=patron")
    read = _wallets if by == PATRON else _books
    answer = await office_of(request).read_long(read, by, table, form == "csv")
    if isinstance(answer, TextBooks):
        headers = {"content-disposition": f'attachment; filename="books-by-{by}.csv"'}
        return Response(answer.text, media_type="text/csv", headers=headers)  # type: ignore[arg-type]
    return Response(answer)


def _books(store: Store, by: By, table: str | None, as_csv: bool) -> Books | TextBooks:  # noqa: FBT001
    rows = books(store, table, by)
    return TextBooks(books_csv(rows)) if as_csv else Books(by, rows=tuple(map(_row, rows)))


def _wallets(store: Store, by: By, _: str | None, as_csv: bool) -> Books | TextBooks:  # noqa: FBT001
    found = list(wallets(store))
    return TextBooks(wallets_csv(found)) if as_csv else Books(by, wallets=tuple(map(_wallet, found)))


def _row(row: Row) -> BooksRow:
    figures = {name: getattr(row.meter, name) for name in BooksRow.__struct_fields__[2:]}
    return BooksRow(row.table, row.what, **figures)


def _wallet(found: Wallet) -> WalletRow:
    return WalletRow(found.patron, Cents(found.credits_cents), Cents(found.owed_cents))
