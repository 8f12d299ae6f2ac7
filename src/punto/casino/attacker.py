"""Somebody who can write to the database, has read all of Punto's source, and holds no key."""

import json
from collections.abc import Callable
from hashlib import sha256
from random import Random
from typing import Any, Final

import msgspec

from punto.casino.journal import Contents
from punto.floor.history import COVERAGE
from punto.floor.keys import Keys
from punto.floor.tickets import TICKETS, issue_id
from punto.ledger import WALLET
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Move, Moves, Statement, StoredHead, head_row, joining_row, joining_rows, moves_of
from punto.proof.rotations import KEYS, Rotation, sign_rotation
from punto.proof.signers import LocalSigner
from punto.proof.writers import HEADS, fresh_writer, read_certificate
from punto.server.identity.events import STREAMS
from punto.store.chain import genesis, link, start
from punto.store.contract import Entry, Snapshot, Tip

MALLORY: Final = Keys.from_secret(b"mallory's own")
# A ticket that nobody has ever made.
FORGED_CODE: Final = "AAAA-AAAA-AAAA-AAAA"
PASSWORD: Final = "correct horse battery"
_RICH: Final = 50_000_000
_TABLE: Final = "table/"


class Forgery:
    """A copy of the database, in the attacker's hands."""

    def __init__(self, contents: Contents, earlier: Contents, chance: Random, hash_of: Callable[[str], str]) -> None:
        self._rows = {(entry.stream, entry.version): entry for entry in contents.entries}
        self.epochs = dict(contents.epochs)
        self.snapshots = dict(contents.snapshots)
        self.dossiers = dict(contents.dossiers)
        self.earlier = earlier
        self.chance = chance
        self.hash_of = hash_of

    def contents(self) -> Contents:
        """The database as it is put back."""
        return Contents(list(self._rows.values()), self.epochs, self.snapshots, self.dossiers)

    # Reading

    def names(self, prefix: str) -> list[str]:
        """The streams whose names begin so."""
        return sorted({stream for stream, _ in self._rows if stream.startswith(prefix)})

    def entries(self, stream: str) -> list[Entry]:
        """A stream as it is stored."""
        return sorted(
            (entry for (name, _), entry in self._rows.items() if name == stream), key=lambda each: each.version
        )

    def some(self, prefix: str, least: int = 1) -> str:
        """One of the streams whose names begin so, with so many entries at least; `LookupError` without one."""
        found = [name for name in self.names(prefix) if len(self.entries(name)) >= least]
        if not found:
            raise LookupError(prefix)
        return self.chance.choice(found)

    def any_stream(self, least: int = 1) -> str:
        """A stream that somebody builds on."""
        return self.some(self.chance.choice((_TABLE, WALLET, "book/", "identity/", TICKETS)), least)

    # Writing

    def put(self, entry: Entry) -> None:
        """Write an entry as it is."""
        self._rows[entry.stream, entry.version] = entry

    def remove(self, stream: str, version: int) -> None:
        """Delete an entry."""
        del self._rows[stream, version]

    def append(self, stream: str, body: dict[str, Any] | bytes, command: str | None = None) -> Entry:
        """Write an entry after the last one, chained as it should be."""
        there = self.entries(stream)
        version, before = (there[-1].version, there[-1].hash) if there else (0, genesis(stream))
        raw = body if isinstance(body, bytes) else json.dumps(body, separators=(",", ":")).encode()
        entry = Entry(stream, version + 1, command, raw, link(before, stream, version + 1, command, raw))
        self.put(entry)
        return entry

    def chain(self, stream: str) -> None:
        """Chain a whole stream anew."""
        before = genesis(stream)
        for entry in self.entries(stream):
            before = link(before, stream, entry.version, entry.command, entry.body)
            self.put(entry._replace(hash=before))

    def edit(self, stream: str, version: int, body: bytes, *, chain: bool) -> None:
        """Change what an entry says."""
        self.put(self._rows[stream, version]._replace(body=body))
        if chain:
            self.chain(stream)

    def sign(self, streams: list[str]) -> None:
        """Sign streams as a writer that one has certified oneself."""
        writer = fresh_writer(MALLORY.signing, 1)
        moves = {}
        for name in streams:
            last = self.entries(name)[-1]
            moves[name] = Move(start(name), Tip(last.version, last.hash))
        joining = joining_rows(writer, 1, self.tip(CHECKPOINTS))
        for row in (*joining, head_row(writer, Tip(joining[1][1], joining[1][4]), 1, moves)):
            self.put(Entry._make(row))

    def tip(self, stream: str) -> Tip:
        """Where a stream ends."""
        there = self.entries(stream)
        return Tip(there[-1].version, there[-1].hash) if there else start(stream)


Forge = Callable[[Forgery], object]


def _purchase(db: Forgery) -> None:
    """A purchase at a table, and the balance that follows from it."""
    wallet = db.some(WALLET)
    patron, table = wallet.removeprefix(WALLET), db.some(_TABLE).removeprefix(_TABLE)
    event = {"type": "credits-bought", "patron": patron, "cents": _RICH, "position": 1}
    by = {"name": patron, "position": "patron"}
    at_ms = json.loads(db.entries(wallet)[-1].body)["at_ms"]
    db.append(_TABLE + table, {"at_ms": at_ms, "by": by, "command": "forged-buy", "event": event}, "forged-buy")
    _balance(db, wallet, table)


def _balance(db: Forgery, wallet: str, table: str = "E1") -> Entry:
    last = json.loads(db.entries(wallet)[-1].body)
    more = {"command": "forged-buy", "giver": f"cash/{table}", "taker": wallet, "cents": _RICH}
    return db.append(wallet, last | more | {"balance_cents": last.get("balance_cents", 0) + _RICH})


def _account(db: Forgery) -> Entry:
    """An account for a Gaming Shift Manager, whose password the attacker knows."""
    [stream] = [name for name in STREAMS if "staff" in name]
    event = {"name": "mallory", "position": "gaming-shift-manager", "password": db.hash_of(PASSWORD)}
    by = {"name": "house", "position": "gaming-shift-manager"}
    return db.append(stream, {"at_ms": 1, "by": by, "event": {"type": "account-opened", **event}})


def _ticket(db: Forgery) -> Entry:
    digest = issue_id(FORGED_CODE).removeprefix("ticket-")
    note = {
        "at_ms": 1,
        "command": issue_id(FORGED_CODE),
        "table": "E1",
        "ticket": digest,
        "step": "issued",
        "cents": 99_999,
    }
    return db.append(TICKETS, note)


def _edited(*, chain: bool, last: bool) -> Forge:
    def forge(db: Forgery) -> None:
        stream = db.some(WALLET)
        entry = db.entries(stream)[-1] if last else db.entries(stream)[0]
        body = json.loads(entry.body) | {"balance_cents": _RICH}
        db.edit(stream, entry.version, json.dumps(body, separators=(",", ":")).encode(), chain=chain)

    return forge


def _edited_event(db: Forgery) -> None:
    stream = db.some(_TABLE)
    entry = db.chance.choice(db.entries(stream))
    body = json.loads(entry.body)
    body["at_ms"] += 1
    db.edit(stream, entry.version, json.dumps(body, separators=(",", ":")).encode(), chain=True)


def _edited_head(db: Forgery) -> None:
    """The last head says that it covers a forged entry, too."""
    entry = _balance(db, db.some(WALLET))
    stream = db.some(HEADS, 2)
    last = db.entries(stream)[-1]
    stored = msgspec.msgpack.decode(last.body, type=StoredHead)
    before = db.entries(entry.stream)[-2]
    forged = moves_of({entry.stream: Move(Tip(before.version, before.hash), Tip(entry.version, entry.hash))})
    moves = msgspec.msgpack.decode(stored.moved, type=Moves)
    if entry.stream in moves.names:
        raise LookupError(entry.stream)
    names, befores = [*moves.names, *forged.names], moves.befores + forged.befores
    moved = msgspec.msgpack.encode(Moves(names, befores, moves.afters + forged.afters, digests=moves.digests))
    said = msgspec.structs.replace(msgspec.json.decode(stored.head, type=Statement), moves=sha256(moved).digest())
    body = msgspec.msgpack.encode(StoredHead(msgspec.json.encode(said), moved, stored.signature))
    db.edit(stream, last.version, body, chain=True)


def _cut_last(db: Forgery) -> None:
    stream = db.any_stream()
    db.remove(stream, db.entries(stream)[-1].version)


def _cut_stream(db: Forgery) -> None:
    for entry in db.entries(db.any_stream()):
        db.remove(entry.stream, entry.version)


def _cut_middle(db: Forgery) -> None:
    stream = db.any_stream(3)
    db.remove(stream, db.chance.choice(db.entries(stream)[1:-1]).version)


def _cut_heads(db: Forgery) -> None:
    stream = db.some(HEADS, 2)
    db.remove(stream, db.entries(stream)[-1].version)


def _cut_all_heads(db: Forgery) -> None:
    for stream in db.names(HEADS):
        for entry in db.entries(stream):
            db.remove(stream, entry.version)


def _swapped(*, chain: bool) -> Forge:
    def forge(db: Forgery) -> None:
        stream = db.any_stream(2)
        one, two = db.entries(stream)[:2]
        if one.body == two.body:
            raise LookupError("two alike")
        db.put(one._replace(body=two.body, hash=two.hash))
        db.put(two._replace(body=one.body, hash=one.hash))
        if chain:
            db.chain(stream)

    return forge


def _rolled_back(db: Forgery) -> None:
    """The whole store as it was some time before."""
    for stream in db.names(""):
        for entry in db.entries(stream):
            db.remove(stream, entry.version)
    for entry in db.earlier.entries:
        db.put(entry)
    db.snapshots.clear()


def _stream_rolled_back(db: Forgery) -> str:
    before = {stream for stream in db.names("") if not stream.startswith(HEADS)}
    ends = {entry.stream: entry.version for entry in db.earlier.entries}
    moved = sorted(name for name in before if len(db.entries(name)) > ends.get(name, 0))
    if not moved:
        raise LookupError("nothing has moved")
    stream = db.chance.choice(moved)
    for entry in db.entries(stream)[ends.get(stream, 0) :]:
        db.remove(stream, entry.version)
    return stream


def _forked(db: Forgery) -> None:
    """A stream brought back to what it was, and continued otherwise."""
    stream = _stream_rolled_back(db)
    db.append(stream, b'{"forged":true}')


def _replayed(db: Forgery) -> None:
    stream = db.any_stream()
    db.append(stream, db.chance.choice(db.entries(stream)).body)


def _head_replayed(db: Forgery) -> None:
    stream = db.some(HEADS, 4)
    _balance(db, db.some(WALLET))
    db.append(stream, db.entries(stream)[2].body)


def _head_of_another(db: Forgery) -> None:
    """A head on the end of the floor's own heads, signed with another key."""
    entry = _balance(db, db.some(WALLET))
    stream = db.some(HEADS, 2)
    last = db.entries(stream)[-1]
    writer = fresh_writer(MALLORY.signing, 1)
    moves = {entry.stream: Move(Tip(entry.version - 1, b""), Tip(entry.version, entry.hash))}
    db.append(stream, head_row(writer, Tip(last.version, last.hash), 1, moves)[3])


def _blanked(db: Forgery) -> None:
    named = [entry for stream in db.names(_TABLE) for entry in db.entries(stream) if entry.command]
    db.put(db.chance.choice(named)._replace(command=None))


def _blank_body(db: Forgery) -> None:
    entry = db.chance.choice(db.entries(db.any_stream()))
    db.put(entry._replace(body=b""))


def _flipped(*, hash_: bool) -> Forge:
    def forge(db: Forgery) -> None:
        entry = db.chance.choice(db.entries(db.any_stream()))
        data = bytearray(entry.hash if hash_ else entry.body)
        data[db.chance.randrange(len(data))] ^= 1 << db.chance.randrange(7)
        db.put(entry._replace(hash=bytes(data)) if hash_ else entry._replace(body=bytes(data)))

    return forge


def _moved_entry(db: Forgery) -> None:
    one, other = db.some(WALLET), db.some(WALLET)
    db.append(other, db.entries(one)[-1].body)


def _moved_stream(db: Forgery) -> None:
    one, other = db.some(WALLET), db.some(_TABLE)
    moved = db.entries(one)
    for entry in moved:
        db.remove(one, entry.version)
    for entry in moved:
        db.append(other, entry.body)


def _own_writer(db: Forgery) -> None:
    db.sign([_account(db).stream])


def _stolen_certificate(db: Forgery) -> None:
    """The floor's own certificate, above heads of another key."""
    entry = _balance(db, db.some(WALLET))
    writer = fresh_writer(MALLORY.signing, 1)
    certificate = db.entries(db.some(HEADS))[0].body
    first = db.append(writer.stream, certificate)
    joining = joining_row(writer, Tip(1, first.hash), 1, db.tip(CHECKPOINTS))
    moves = {entry.stream: Move(start(entry.stream), Tip(entry.version, entry.hash))}
    for row in (joining, head_row(writer, Tip(joining[1], joining[4]), 1, moves)):
        db.put(Entry._make(row))


def _resigned(db: Forgery) -> None:
    """The whole store, signed with another key."""
    _account(db)
    _cut_all_heads(db)
    db.sign(db.names(""))


def _rotation(db: Forgery) -> None:
    there = db.entries(KEYS)
    version, before = (there[-1].version, there[-1].hash) if there else start(KEYS)
    floor = read_certificate(db.entries(db.some(HEADS))[0].body).floor
    said = Rotation(version + 1, before, floor, MALLORY.public, floor, 1, "mallory", 0, {})
    assert isinstance(MALLORY.signing, LocalSigner), "the attacker's own key"
    db.append(KEYS, sign_rotation(said, MALLORY.signing, MALLORY.signing))
    _own_writer(db)


def _checkpoint(db: Forgery) -> None:
    db.append("checkpoints", {"at_ms": 1, "note": "forged", "took": {}})


def _refusal(db: Forgery) -> None:
    db.append("security", {"at_ms": 1})


FORGERIES: Final[dict[str, Forge]] = {
    "append a purchase": _purchase,
    "append a balance": lambda db: _balance(db, db.some(WALLET)),
    "append an account": _account,
    "append a ticket": _ticket,
    "append a checkpoint": _checkpoint,
    "append a refusal": _refusal,
    "append what does not read": lambda db: db.append(db.some(_TABLE), b"\xff\xfe", "x"),
    "append a stream of one's own": lambda db: db.append("wallet/mallory", b"{}"),
    "edit the last balance": _edited(chain=False, last=True),
    "edit the last balance and chain it": _edited(chain=True, last=True),
    "edit an old balance": _edited(chain=False, last=False),
    "edit an old balance and chain all": _edited(chain=True, last=False),
    "edit an event and chain all": _edited_event,
    "edit a head to cover more": _edited_head,
    "cut the last entry": _cut_last,
    "cut a stream": _cut_stream,
    "cut an entry out of the middle": _cut_middle,
    "cut the last head": _cut_heads,
    "cut all heads": _cut_all_heads,
    "swap two entries": _swapped(chain=False),
    "swap two entries and chain all": _swapped(chain=True),
    "roll the store back": _rolled_back,
    "roll a stream back": _stream_rolled_back,
    "fork a stream": _forked,
    "fork the heads": _head_of_another,
    "replay an entry": _replayed,
    "replay a head": _head_replayed,
    "blank the id of a command": _blanked,
    "blank a body": _blank_body,
    "flip a bit of a body": _flipped(hash_=False),
    "flip a bit of a hash": _flipped(hash_=True),
    "move an entry": _moved_entry,
    "move a stream": _moved_stream,
    "sign as a writer of one's own": _own_writer,
    "sign under a stolen certificate": _stolen_certificate,
    "sign the whole store anew": _resigned,
    "rotate the key": _rotation,
}


def _forged_snapshot(db: Forgery) -> None:
    for stream in (COVERAGE, *db.names(_TABLE)):
        db.snapshots[stream] = Snapshot(5, b"x" * 32, MALLORY.stamped(b"3:{}", stream.encode()))


# What can be thrown away: whoever forges it changes nothing.
SCRAPS: Final[dict[str, Forge]] = {
    "forge the snapshots": _forged_snapshot,
    "remove the snapshots": lambda db: db.snapshots.clear(),
}
