"""Fifty kinds of forgery by somebody who can write to the database and holds no key.

Each is a function of the attacker, and of what was stored some time before. `ENTRIES` change what the record says, and
an audit must find them; `SCRAPS` change what can be thrown away, and must change nothing.
"""

from collections.abc import Callable
from typing import Any, Final

import msgspec
from tests.floor.attacker import MALLORY, Attacker
from tests.floor.floors import KEYS as FLOOR
from tests.floor.floors import OPEN, SPENT, STAFF

from punto.floor.history import COVERAGE
from punto.floor.tickets import TICKETS, issue_id, redeem_id
from punto.proof.headlog import CHECKPOINTS
from punto.proof.heads import Move, certificate_row, head_row, joining_row, moves_of
from punto.proof.rotations import KEYS, Rotation, sign_rotation
from punto.proof.signers import LocalSigner
from punto.proof.writers import fresh_writer
from punto.store.chain import link, start
from punto.store.contract import Entry, Tip

Earlier = list[Any]
Forge = Callable[[Attacker, Earlier], object]
T1, T2, T9 = "table/T1", "table/T2", "table/T9"
ANN, BOB, MAL = "wallet/ann", "wallet/bob", "wallet/mallory"
_FORGED: Final = "AAAAAAAAAAAAAAAA"

BUY: Final = {
    "at_ms": 1_767_196_900_000,
    "by": {"name": "ann", "position": "patron"},
    "command": "forged-buy",
    "event": {"type": "credits-bought", "patron": "ann", "cents": 50_000_000, "position": 1},
}
RICH: Final = {
    "at_ms": 1_767_196_900_000,
    "command": "forged-buy",
    "giver": "cash/T1",
    "taker": ANN,
    "cents": 50_000_000,
    "balance_cents": 50_095_000,
}
ACCOUNT: Final = b'{"account":"mallory","position":"gaming-shift-manager"}'
TICKET: Final = {"at_ms": 1, "command": "x", "table": "T1", "ticket": "0" * 64, "step": "issued", "cents": 99_999}


def more(body: dict[str, Any]) -> None:
    """More money in a wallet."""
    body["balance_cents"] = 9_999_999


def richer(body: dict[str, Any]) -> None:
    """A larger event."""
    body["event"]["cents"] = 9_999_999


def forged_ticket(body: dict[str, Any]) -> None:
    """A ticket that is worth more."""
    body["cents"] = 9_999_999


def unspent(body: dict[str, Any]) -> None:
    """A ticket that was never redeemed."""
    body["step"] = "issued"


def _copied(one: str, other: str) -> Forge:
    """The last entry of a stream, appended to another."""
    return lambda db, _: db.append(other, db.entries(one)[-1].body)


def _swapped(stream: str, version: int, *, chain: bool) -> Forge:
    def forge(db: Attacker, _: Earlier) -> None:
        one, two = db.entries(stream)[version - 1 : version + 1]
        for entry, other in ((one, two), (two, one)):
            db.run(
                "UPDATE entries SET body = ?, hash = ? WHERE stream = ? AND version = ?",
                other.body,
                other.hash,
                stream,
                entry.version,
            )
        if chain:
            db.chain(stream)

    return forge


def _flipped(stream: str, version: int, column: str) -> Forge:
    def forge(db: Attacker, _: Earlier) -> None:
        entry = db.entries(stream)[version - 1]
        data = bytearray(entry.body if column == "body" else entry.hash)
        data[len(data) // 2] ^= 1
        query = f"UPDATE entries SET {column} = ? WHERE stream = ? AND version = ?"  # noqa: S608
        db.run(query, bytes(data), stream, version)

    return forge


def _blanked(command: str) -> Forge:
    return lambda db, _: db.run("UPDATE entries SET command = NULL WHERE command = ?", command)


def _own_head(db: Attacker, _: Earlier) -> None:
    """A head on the end of the floor's own heads, signed with another key."""
    db.append(T1, BUY, "forged-buy")
    stream = db.heads()
    writer = fresh_writer(MALLORY.signing, 1)
    last = db.entries(stream)[-1]
    row = head_row(writer, Tip(last.version, last.hash), 1, {})
    body = row[3]
    hash_ = link(last.hash, stream, last.version + 1, None, body)
    db.insert(Entry(stream, last.version + 1, None, body, hash_))


def _old_head_again(db: Attacker, _: Earlier) -> None:
    """An earlier head of the floor's, replayed at the end."""
    db.append(T1, BUY, "forged-buy")
    stream = db.heads()
    db.append(stream, db.entries(stream)[4].body)


def _head_of_another_time(db: Attacker, _: Earlier) -> None:
    """An earlier head calls itself another moment's."""
    head, moved, signature = msgspec.msgpack.decode(db.entries(db.heads())[4].body)
    said = msgspec.json.encode(msgspec.json.decode(head) | {"at_ms": 1})
    _put(db, 5, msgspec.msgpack.encode((said, moved, signature)))


def _edited_head(db: Attacker, _: Earlier) -> None:
    """The last head says that it covers the forged entry, too."""
    entry = db.append(T1, BUY, "forged-buy")
    last = db.entries(db.heads())[-1]
    head, _moved, signature = msgspec.msgpack.decode(last.body)
    moved = moves_of({T1: Move(Tip(entry.version - 1, bytes(32)), Tip(entry.version, entry.hash))})
    _put(db, last.version, msgspec.msgpack.encode((head, msgspec.msgpack.encode(moved), signature)))


def _put(db: Attacker, number: int, body: bytes) -> None:
    """Other bytes in the place of a head, and all heads after it chained anew."""
    db.run("UPDATE entries SET body = ? WHERE stream = ? AND version = ?", body, db.heads(), number)
    db.chain(db.heads())


def _stolen_certificate(db: Attacker, _: Earlier) -> None:
    """The floor's own certificate, above heads of another key."""
    entry = db.append(T1, BUY, "forged-buy")
    writer = fresh_writer(MALLORY.signing, 1)
    certificate = db.entries(db.heads())[0].body
    hash_ = link(start(writer.stream).hash, writer.stream, 1, None, certificate)
    db.insert(Entry(writer.stream, 1, None, certificate, hash_))
    last = db.entries(CHECKPOINTS)[-1]
    joining = joining_row(writer, Tip(1, hash_), 1, Tip(last.version, last.hash))
    moves = {T1: Move(start(T1), Tip(entry.version, entry.hash))}
    for row in (joining, head_row(writer, Tip(joining[1], joining[4]), 1, moves)):
        db.insert(Entry._make(row))


def _own_writer(db: Attacker, _: Earlier) -> None:
    """A writer that nobody has certified but the attacker."""
    db.append(STAFF, ACCOUNT)
    db.sign([STAFF])


def _torn_writer(db: Attacker, _: Earlier) -> None:
    """A certificate without a floor's signature, and nothing else."""
    writer = fresh_writer(MALLORY.signing, 1)
    db.append(STAFF, ACCOUNT)
    db.insert(Entry._make(certificate_row(writer, start(writer.stream))))


def _forked(db: Attacker, earlier: Earlier) -> None:
    """A stream brought back to what it was, and continued otherwise."""
    old = [row for row in earlier if row[0] == ANN]
    db.run("DELETE FROM entries WHERE stream = ?", ANN)
    for row in old:
        db.insert(Entry(row[0], row[1], row[2], bytes(row[3]), bytes(row[4])))
    db.append(ANN, RICH)


def _rolled_back_stream(stream: str) -> Forge:
    def forge(db: Attacker, earlier: Earlier) -> None:
        db.run("DELETE FROM entries WHERE stream = ?", stream)
        for row in earlier:
            if row[0] == stream:
                db.insert(Entry(row[0], row[1], row[2], bytes(row[3]), bytes(row[4])))

    return forge


def _moved(db: Attacker, _: Earlier) -> None:
    """Bob's wallet under Ann's name."""
    db.run("DELETE FROM entries WHERE stream = ?", ANN)
    db.run("UPDATE entries SET stream = ? WHERE stream = ?", ANN, BOB)


def _command_moved(db: Attacker, _: Earlier) -> None:
    """The id of a redeemed ticket, given to another entry."""
    db.run("UPDATE entries SET command = NULL WHERE command = ?", redeem_id(SPENT))
    db.run("UPDATE entries SET command = ? WHERE stream = ? AND version = 1", redeem_id(SPENT), T2)


def forged_rotation(db: Attacker) -> bytes:
    """A rotation from the floor's key to the attacker's, in the right place, that the attacker alone has signed."""
    there = db.entries(KEYS)
    version, before = (there[-1].version, there[-1].hash) if there else start(KEYS)
    said = Rotation(version + 1, before, FLOOR.public, MALLORY.public, FLOOR.public, 1, "mallory", 0, {})
    assert isinstance(MALLORY.signing, LocalSigner)
    return sign_rotation(said, MALLORY.signing, MALLORY.signing)


def _rotation(db: Attacker, _: Earlier) -> None:
    """A rotation of the floor's key to the attacker's, signed by the attacker alone."""
    db.append(KEYS, forged_rotation(db))
    db.append(STAFF, ACCOUNT)
    db.sign([STAFF])


def _checkpoint(db: Attacker, _: Earlier) -> None:
    db.append("checkpoints", {"at_ms": 1, "note": "forged", "took": {}})


def _resigned(db: Attacker, _: Earlier) -> None:
    db.append(STAFF, ACCOUNT)
    db.resign()


ENTRIES: Final[dict[str, Forge]] = {
    # append
    "append an account": lambda db, _: db.append(STAFF, ACCOUNT),
    "append a purchase to a table and a wallet": lambda db, _: (db.append(T1, BUY, "forged-buy"), db.append(ANN, RICH)),
    "append a balance": lambda db, _: db.append(ANN, RICH),
    "append a wallet of one's own": lambda db, _: db.append(MAL, RICH | {"taker": MAL}),
    "append a table of one's own": lambda db, _: db.append(T9, BUY, "forged-buy"),
    "append a ticket": lambda db, _: db.append(TICKETS, TICKET),
    "append a cash-out that is a ticket": lambda db, _: db.append(T1, BUY, issue_id(_FORGED)),
    "append a refusal": lambda db, _: db.append("security", {"at_ms": 1}),
    "append a line that does not read": lambda db, _: db.append(T1, b"\xff\xfe", "x"),
    "append a checkpoint": _checkpoint,
    # edit
    "edit the last balance": lambda db, _: db.edit(ANN, len(db.entries(ANN)), more, chain=False),
    "edit the last balance and chain it": lambda db, _: db.edit(ANN, len(db.entries(ANN)), more, chain=True),
    "edit an earlier balance": lambda db, _: db.edit(ANN, 1, more, chain=False),
    "edit an earlier balance and chain all": lambda db, _: db.edit(ANN, 1, more, chain=True),
    "edit a purchase at the table": lambda db, _: db.edit(T1, 3, richer, chain=False),
    "edit a purchase at the table and chain all": lambda db, _: db.edit(T1, 3, richer, chain=True),
    "edit the worth of a ticket": lambda db, _: db.edit(TICKETS, 2, forged_ticket, chain=True),
    "edit a spent ticket": lambda db, _: db.edit(TICKETS, 3, unspent, chain=True),
    "edit an account": lambda db, _: db.edit(STAFF, 1, lambda body: body.update(account="mallory"), chain=True),
    "edit a head": _head_of_another_time,
    "edit the last head to cover more": _edited_head,
    "edit a certificate": lambda db, _: db.edit(
        db.heads(), 1, lambda body: body["certificate"].update(key="00" * 32), chain=True
    ),
    # cut
    "cut the last entry of a wallet": lambda db, _: db.cut(ANN, len(db.entries(ANN)) - 1),
    "cut a wallet to nothing": lambda db, _: db.cut(ANN, 0),
    "cut the redemption of a ticket": lambda db, _: db.cut(TICKETS, 2),
    "cut the log of a table": lambda db, _: db.cut(T1, len(db.entries(T1)) - 1),
    "cut the accounts": lambda db, _: db.cut(STAFF, 0),
    "cut the last head": lambda db, _: db.cut(db.heads(), len(db.entries(db.heads())) - 1),
    "cut all heads": lambda db, _: db.run("DELETE FROM entries WHERE substr(stream, 1, 6) = 'heads/'"),
    "cut an entry out of the middle": lambda db, _: db.run("DELETE FROM entries WHERE stream = ? AND version = 2", T1),
    # swap
    "swap two entries of a wallet": _swapped(BOB, 1, chain=False),
    "swap two entries of a wallet and chain all": _swapped(BOB, 1, chain=True),
    "swap two entries of a table": _swapped(T1, 3, chain=True),
    # roll back
    "roll the whole store back": lambda db, earlier: db.put_back(earlier),
    "roll a wallet back": _rolled_back_stream(BOB),
    "roll the tickets back": _rolled_back_stream(TICKETS),
    # fork
    "fork a wallet": _forked,
    "fork the heads": _own_head,
    # replay
    "replay an entry of the same wallet": lambda db, _: db.append(ANN, db.entries(ANN)[0].body),
    "replay an entry of the same table": lambda db, _: db.append(T1, db.entries(T1)[2].body),
    "replay a head": _old_head_again,
    # blank a column
    "blank the id of a redemption": _blanked(redeem_id(SPENT)),
    "blank the id of a ticket": _blanked(issue_id(OPEN)),
    "blank the id of a wager": _blanked("wager-ann"),
    "blank a body": lambda db, _: db.run("UPDATE entries SET body = ? WHERE stream = ? AND version = 2", b"", T1),
    # flip a bit
    "flip a bit of a balance": _flipped(ANN, 1, "body"),
    "flip a bit of a hash": _flipped(T1, 2, "hash"),
    # move between streams
    "move an entry to another wallet": _copied(BOB, ANN),
    "move a whole wallet": _moved,
    "move the id of a command": _command_moved,
    # sign with another key
    "sign an account as a writer of one's own": _own_writer,
    "sign under a stolen certificate": _stolen_certificate,
    "sign the whole store with another key": _resigned,
    "rotate the key to one's own": _rotation,
    "certify oneself": _torn_writer,
}


def _scrap(stream: str) -> Forge:
    def forge(db: Attacker, _: Earlier) -> None:
        db.run("DELETE FROM snapshots WHERE stream = ?", stream)
        body = MALLORY.stamped(b"3:{}", stream.encode())
        query = "INSERT INTO snapshots (stream, version, hash, body) VALUES (?, ?, ?, ?)"
        db.run(query, stream, 5, b"x" * 32, body)

    return forge


SCRAPS: Final[dict[str, Forge]] = {
    "forge the snapshot of a table": _scrap(T1),
    "forge the snapshot of the coverage": _scrap(COVERAGE),
    "remove every snapshot": lambda db, _: db.run("DELETE FROM snapshots"),
    "set the epochs back": lambda db, _: db.run("DELETE FROM epochs"),
}
