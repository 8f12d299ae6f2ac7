"""How far an audit has come, as bytes: the next one goes on from there.

The bytes are a pickle, and whoever can write a pickle can have its reader do much: they are read only by whoever knows
that they are his own. What they may name besides is a short list of plain types of the audit's.
"""

import io
import pickle
import sys
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from hashlib import sha256
from importlib import import_module
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

import punto
from punto.proof.headlog import HeadLog
from punto.proof.pins import Pins
from punto.proof.rotations import Trust
from punto.record.checks.books import Books
from punto.record.checks.cashiers import Cashiers
from punto.record.checks.cashreports import CashReports
from punto.record.checks.claims import ClaimBook
from punto.record.checks.exclusions import Exclusions
from punto.record.checks.findings import Counts, Findings
from punto.record.checks.heads import Order, Reached
from punto.record.checks.interventions import Intervention
from punto.record.checks.journal import JournalBook
from punto.record.checks.offices import Offices
from punto.record.checks.register import Register, key
from punto.record.checks.replay import Replay
from punto.record.checks.terms import terms_of
from punto.record.checks.tickets import TicketBook
from punto.record.checks.warrants import Warrants
from punto.store.contract import Store, Tip

# Of what grows with the record there are some hundred bytes for each session and ticket; more than this is not kept.
MOST_BYTES: Final = 64 * 2**20
_LONGEST_DIGEST: Final = 32
# What the audit rests on: with other code it might judge otherwise, and begins anew.
_ROOMS: Final = ("cards", "errors.py", "games", "proof", "record", "rules", "store")
_OWN: Final = ("punto.record.", "punto.rules", "punto.cards", "punto.proof.", "punto.store.contract")
_PLAIN: Final = {
    "builtins": frozenset({"set", "frozenset", "int", "list", "dict"}),
    "msgspec._utils": frozenset({"rebuild"}),
    "collections": frozenset({"Counter", "defaultdict", "OrderedDict", "deque"}),
}


class Missing(NamedTuple):
    """A stream that does not hold any more what was read of it: at which entry, and what is the matter."""

    stream: str
    version: int
    said: str


@dataclass
class Progress:
    """All that an audit has worked out up to some head, and nothing that it concluded from the end of the record."""

    public_key: str = ""
    # The keys that it believed, and as far as which heads and checkpoints.
    trust: bytes = b""
    # How far each stream was read, and the heads of each writer.
    ends: dict[str, Tip] = field(default_factory=dict)
    reached: dict[str, Reached] = field(default_factory=dict)
    order: Order = field(default_factory=Order)
    # How many heads were read, and how many entries in all.
    heads: int = 0
    entries: int = 0
    # The time of the last head.
    at_ms: int = 0

    findings: Findings = field(default_factory=Findings)
    counts: Counts = field(default_factory=Counts)
    books: Books = field(init=False)
    tickets: TicketBook = field(init=False)
    register: Register = field(default_factory=Register)
    warrants: Warrants = field(init=False)
    offices: Offices = field(init=False)
    cashiers: Cashiers = field(init=False)
    journal: JournalBook = field(init=False)
    claims: ClaimBook = field(init=False)
    reports: CashReports = field(init=False)
    exclusions: Exclusions = field(init=False)
    log: HeadLog = field(default_factory=HeadLog)
    tables: dict[str, Replay] = field(default_factory=dict)
    # How far each stream is sealed.
    sealed: dict[str, int] = field(default_factory=dict)
    # Where writers ended when somebody decided to go on from an older store.
    pins: Pins = field(default_factory=Pins)
    # What people did to the store itself.
    interventions: list[Intervention] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.books = Books(self.findings, self.counts)
        self.tickets = TicketBook(self.findings)
        self.warrants = Warrants(self.register, self.findings)
        self.reports = CashReports(self.register, self.warrants, self.findings, self.counts)
        self.exclusions = Exclusions(self.register, self.warrants, self.findings)
        self.offices = Offices(self.register, self.warrants, self.books, self.findings, self.reports)
        self.cashiers = Cashiers(self.register, self.warrants, self.books, self.findings)
        self.journal = JournalBook(self.register, self.warrants, self.findings)
        self.claims = ClaimBook(self.register, self.warrants, self.findings, self.counts)

    @property
    def known(self) -> Mapping[str, Tip]:
        """The ends of all streams that were read, those of heads among them."""
        return self.ends | {name: reached.end for name, reached in self.reached.items()}

    def missing(self, store: Store) -> Iterator[Missing]:
        """The streams that do not hold any more what was read of them."""
        tips = dict(store.streams())
        for name, known in sorted(self.known.items()):
            there = tips.get(name) or Tip(0, b"")
            if there.version < known.version:
                said = f"an audit before has read {known.version} entries, and {there.version} are there"
                yield Missing(name, there.version + 1, said)
                continue
            if there.version > known.version:
                there = next((Tip(each.version, each.hash) for each in store.read(name, known.version - 1)), there)
            if there != known:
                said = f"entry {known.version} is not the one that an audit before has read"
                yield Missing(name, known.version, said)

    def written(self) -> bytes:
        """All of it as bytes; none where there would be too many."""
        body = zlib.compress(pickle.dumps(self, pickle.HIGHEST_PROTOCOL), 1)
        return code_digest() + body if len(body) < MOST_BYTES else b""


def read_progress(written: bytes) -> Progress | None:
    """The progress that an audit of this very code has written; none where it was another's."""
    if written[:_LONGEST_DIGEST] != code_digest():
        return None
    found = _Reader(io.BytesIO(zlib.decompress(written[_LONGEST_DIGEST:]))).load()
    return found if isinstance(found, Progress) else None


class _Reader(pickle.Unpickler):
    """Reads nothing but plain types and the audit's own."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ANN401 (whatever it is called)
        """A type that progress is made of."""
        found = getattr(import_module(module), name) if module.startswith(_OWN) or module in _PLAIN else None
        plain = module in _PLAIN and name in _PLAIN[module]
        own = module.startswith(_OWN) and isinstance(found, type) and found.__module__ == module
        if not (plain or own or found in (terms_of, key)):
            raise pickle.UnpicklingError(f"{module}.{name} is no part of what an audit keeps")
        return found


def trust_digest(trust: Trust) -> bytes:
    """What keys are believed, and how far, in short."""
    said = [trust.key, trust.former, sorted(trust.sizes.items()), sorted(trust.pinned.items())]
    return sha256(repr(said).encode()).digest()


@cache
def code_digest() -> bytes:
    """The digest of all code that an audit rests on."""
    root = Path(punto.__file__).parent
    digest = sha256(f"{sys.version}\0{msgspec.__version__}\0".encode())
    for room in _ROOMS:
        for path in sorted((root / room).rglob("*.py")) if not room.endswith(".py") else [root / room]:
            digest.update(f"{path.relative_to(root).as_posix()}\0".encode() + sha256(path.read_bytes()).digest())
    return digest.digest()
