"""The kinds of heavy work: what each runs, how long it may take, and how much memory.

The functions run in a worker. They import what they need when they are called, so that a worker stays small. Those that
read the record get an excerpt of how far the floor believes it, and read no further.
"""

from contextlib import contextmanager
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from punto.floor.books import Row, Wallet
    from punto.floor.cashreports import DaySum, Threshold
    from punto.floor.proving import HeadPosition
    from punto.floor.receipting import Found
    from punto.program import Check, Interpreter, Reference
    from punto.proof.receipts import Inclusion
    from punto.record import ShoeFile
    from punto.record.audit import Audited
    from punto.rules import Game
    from punto.server.chances import Outlook, Sight
    from punto.server.http.shelf import Shoes
    from punto.server.http.telling import RecallQuery, RoundQuery, ToldReplay, ToldRound, Viewer
    from punto.server.verdicts import Verdict
    from punto.store import Entry, Store
    from punto.table import Setup


class Job(NamedTuple):
    """A kind of work: whether it *reads* the store; what is *long* takes all but one of the workers at most."""

    function: str
    deadline_s: float
    memory_mb: int
    long: bool = False
    reads: bool = False

    @property
    def name(self) -> str:
        """What it is called in a log."""
        return self.function.rpartition(":")[2]


_HERE: Final = "punto.server.heavy.jobs"
DECLARATION: Final = Job(f"{_HERE}:read_declaration", 3, 160)
VERIFY: Final = Job(f"{_HERE}:judge_shoe", 5, 120)
ODDS: Final = Job(f"{_HERE}:look_at_odds", 5, 160)
SHOES: Final = Job(f"{_HERE}:list_shoes", 30, 120, reads=True)
EXPORT: Final = Job(f"{_HERE}:export_shoe", 30, 120, reads=True)
RECALL: Final = Job(f"{_HERE}:recall_rounds", 30, 160, reads=True)
REPLAY: Final = Job(f"{_HERE}:replay_round", 30, 160, reads=True)
FIND_WAGER: Final = Job(f"{_HERE}:find_wager", 30, 160, reads=True)
BOOKS: Final = Job(f"{_HERE}:keep_books", 60, 256, long=True, reads=True)
WALLETS: Final = Job(f"{_HERE}:count_wallets", 60, 256, long=True, reads=True)
CASH: Final = Job(f"{_HERE}:sum_cash", 60, 256, long=True, reads=True)
SEARCH_RECEIPT: Final = Job(f"{_HERE}:search_receipt", 30, 160, reads=True)
PROVE_INCLUSION: Final = Job(f"{_HERE}:prove_inclusion", 120, 256, long=True, reads=True)
PROGRAM: Final = Job(f"{_HERE}:check_program", 300, 512)
AUDIT: Final = Job(f"{_HERE}:audit_store", 6 * 3_600, 2_048, long=True, reads=True)


def read_declaration(text: str) -> "Game":
    """The game that a visitor's text declares, if a table can be conducted by it.

    A table asks what partial deals decide while everybody waits: a game for which that takes too long ends here.
    """
    from punto.games import loads  # noqa: PLC0415
    from punto.games.bounds import VISITORS  # noqa: PLC0415

    game = loads(text, VISITORS)
    game.tabulate()
    return game


def judge_shoe(body: bytes) -> "Verdict":
    """Whether the text of a shoe is right."""
    from punto.server.verdicts import verdict_on  # noqa: PLC0415

    return verdict_on(body)


def look_at_odds(setup: "Setup", sight: "Sight") -> "Outlook":
    """The outlook on the next round of a table whose game is its own."""
    from punto.server.chances import LAB  # noqa: PLC0415

    return LAB.outlook(setup, sight)


@contextmanager
def _on_record(address: str, excerpt: bytes) -> "Iterator[Store]":
    """The store as far as the floor believes it."""
    from punto.proof.believed import believed_by  # noqa: PLC0415
    from punto.store import open_store  # noqa: PLC0415

    store = open_store(address, read_only=True, create=False)
    try:
        yield believed_by(store, excerpt)
    finally:
        store.close()


def list_shoes(address: str, excerpt: bytes, table: str, known: "Shoes") -> "Shoes":
    """The shoes of a table, where those up to a version are known."""
    from punto.server.http.shelf import listed  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return listed(store, table, known)


def export_shoe(address: str, excerpt: bytes, table: str, number: int) -> "ShoeFile":
    """A shoe as a portable text."""
    from punto.record import export  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return export(store, table, number)


def recall_rounds(address: str, excerpt: bytes, asked: "RecallQuery", viewer: "Viewer") -> "tuple[ToldRound, ...]":
    """Rounds of a table at a glance."""
    from punto.server.http.telling import recalled  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return recalled(store, asked, viewer)


def replay_round(address: str, excerpt: bytes, asked: "RoundQuery", viewer: "Viewer") -> "ToldReplay":
    """A round step by step."""
    from punto.server.http.telling import replayed  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return replayed(store, asked, viewer)


def find_wager(address: str, excerpt: bytes, asked: "RoundQuery", viewer: "Viewer", number: int) -> "Entry | None":
    """The entry that placed a wager or changed it last."""
    from punto.server.http.telling import wager_entry  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return wager_entry(store, asked, viewer, number)


def keep_books(address: str, excerpt: bytes, table: str | None, by: str) -> "list[Row]":
    """The books of all tables, or of one."""
    from punto.floor.books import books  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return books(store, table, by)


def count_wallets(address: str, excerpt: bytes) -> "list[Wallet]":
    """The credits and debts of all patrons."""
    from punto.floor.books import wallets  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return list(wallets(store))


def sum_cash(address: str, excerpt: bytes, thresholds: "Sequence[Threshold]") -> "list[DaySum]":
    """The sums of cash that have reached the threshold."""
    from punto.floor.cashreports import crossings  # noqa: PLC0415

    with _on_record(address, excerpt) as store:
        return crossings(store, thresholds)


def search_receipt(address: str, excerpt: bytes, stream: str, version: int) -> "Found":
    """What the receipt of an entry needs that the floor does not know any more."""
    from punto.floor.searching import search  # noqa: PLC0415
    from punto.proof.believed import believed_by  # noqa: PLC0415
    from punto.store import open_store  # noqa: PLC0415

    store = open_store(address, read_only=True, create=False)
    try:
        believed = believed_by(store, excerpt)
        return search(store, believed, next(believed.read(stream, version - 1)))
    finally:
        store.close()


def prove_inclusion(
    address: str, floor_keys: tuple[str, ...], position: "HeadPosition", statement: bytes
) -> "Inclusion":
    """The proof that the newest checkpoint includes a head, from all heads: the tiles of the log are damaged."""
    from punto.floor.proving import Proofs  # noqa: PLC0415
    from punto.store import open_store  # noqa: PLC0415

    store = open_store(address, read_only=True, create=False)
    try:
        proofs = Proofs(store, floor_keys)
        latest = proofs.latest()
        rebuilt = proofs.rebuilt(position.place, latest.checkpoint.size - 1)
        return rebuilt.inclusion(position, statement, latest)
    finally:
        store.close()


def check_program(interpreter: "Interpreter", reference: "Reference | None", whole: bool) -> "Check":  # noqa: FBT001
    """Whether the program that the floor runs is that of its release, or what was measured first."""
    from punto.program import check  # noqa: PLC0415

    return check(interpreter, reference=reference, whole=whole)


def audit_store(address: str, public: str, progress: bytes, whole: bool) -> "Audited":  # noqa: FBT001
    """Everything that the floor has written so far, judged; the floor itself has stamped the *progress*."""
    from punto.record.audit import audit_on  # noqa: PLC0415
    from punto.store import open_store  # noqa: PLC0415

    store = open_store(address, read_only=True, create=False)
    try:
        return audit_on(store, public_key=public, progress=progress, whole=whole)
    finally:
        store.close()
