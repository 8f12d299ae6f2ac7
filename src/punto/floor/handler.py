"""The command handler: decisions of tables and transfers between wallets, in one transaction.

Commands are handled in groups: each is judged against what those before it left, and the events, transfers and signed
head of the whole group become durable together. Only then is any of them answered, refusals too, for a refusal may rest
on what another command of the group did.
"""

import gc
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from hashlib import sha256
from random import uniform
from time import sleep
from typing import Final

import msgspec

from punto.errors import (
    BadStake,
    Conflict,
    Corrupt,
    IdInUse,
    KnownCommand,
    Malformed,
    NotAllowed,
    PuntoError,
    StaleVersion,
    StoreGone,
    Unaffordable,
    WrongKey,
    quoted,
)
from punto.floor.keys import Keys
from punto.floor.replaying import keep, replayed
from punto.floor.shuffle import Shuffle, by_chance
from punto.floor.virtual import OF_THE_SHOE, VirtualCards
from punto.ledger import WALLET, Holding, postings, wallet
from punto.ledger.book import Booked
from punto.ledger.book import read as read_booked
from punto.rules import Position
from punto.store import chain, heads
from punto.store.batch import is_name
from punto.store.contract import Hash, Row, Store, Tip
from punto.table import PLAYING, Actor, AnyCommand, AnyEvent, Table, act
from punto.table import commands as do
from punto.table.log import ENCODER, Logged, checksum
from punto.table.log import read as read_logged

SECURITY: Final = "security"
TABLE: Final = "table/"
_SNAPSHOT_EVERY: Final = 2_000
# Floors that share a store are in each other's way at times: each waits a little, and not as long as the other.
_TRIES: Final = 20
_SHORTEST_WAIT_S: Final = 0.001
_LONGEST_WAIT_S: Final = 0.05
# More wallets than this are forgotten after a group, and read again when they are needed.
_MOST_WALLETS: Final = 100_000


class Answer(msgspec.Struct, frozen=True):
    """What came of a command: its events, and the version of the table's log after them."""

    table: str
    version: int
    events: tuple[AnyEvent, ...]


class Floor:
    """Tables and wallets on one store. It is used by one thread at a time: the one that writes."""

    def __init__(self, store: Store, keys: Keys, shuffle: Shuffle = by_chance) -> None:
        self.store = store
        self.keys = keys
        self._cards = VirtualCards(keys, shuffle)
        self._check_key()
        self._epochs: dict[str, int] = {}
        self._forget()

    def _check_key(self) -> None:
        """Refuse to go on with a store that was signed with another key."""
        tip = self.store.tip(heads.HEADS)
        for entry in self.store.read(heads.HEADS, tip.version - 1) if tip else ():
            signed = heads.read(entry.body)[1]
            if signed.key != self.keys.public:
                raise WrongKey(f"the store was signed with {signed.key[:16]}…, and the key is {self.keys.public[:16]}…")

    def _forget(self) -> None:
        """Drop all that was worked out from the store, to be read again."""
        self._tables: dict[str, Table] = {}
        self._tips: dict[str, tuple[int, Hash]] = {}
        self._versions: dict[str, int] = {}
        self._times: dict[str, int] = {}
        self._holdings: dict[str, Holding] = {}
        self._kept: dict[str, int] = {}
        self._begin()

    def _begin(self) -> None:
        # What the group has written so far: stream, command, body; and when the last of it was.
        self._written: list[tuple[str, str | None, bytes]] = []
        self._written_ms = 0
        # The tables that the group has moved, as they were before, and the streams that it has written to.
        self._before: dict[str, Table] = {}
        self._moved: dict[str, tuple[int, Hash]] = {}
        self._broken: dict[str, Corrupt] = {}
        self._answers: dict[str, tuple[AnyCommand, Answer]] = {}

    def _take_back(self) -> None:
        """The group was not written, and nobody else wrote either: what is known of tables is as it was before."""
        for stream in (*self._moved, heads.HEADS):
            self._tips.pop(stream, None)
            self._holdings.pop(stream, None)
        for key, table in self._before.items():
            self._tables[key] = table
            self._versions[key], _ = self._tip(TABLE + key)
            self._times[key] = self._time_of(TABLE + key, self._versions[key])
        self._begin()

    # Commands

    def handle(self, command: AnyCommand) -> Answer:
        """Handle one command, durably."""
        [answer] = self.handle_all([command])
        if isinstance(answer, PuntoError):
            raise answer
        return answer

    def handle_all(self, commands: Iterable[AnyCommand]) -> list[Answer | PuntoError]:
        """Handle a group of commands in one transaction; each gets its answer, or the error that refuses it."""
        commands = list(commands)
        look_up = False
        for tries in range(_TRIES):
            try:
                with _collector_paused():
                    answers = self._transact(commands, look_up=look_up)
            except KnownCommand:
                self._take_back()
                look_up = True
            except StaleVersion:
                self._forget()
                sleep(uniform(0, min(_LONGEST_WAIT_S, _SHORTEST_WAIT_S * 2**tries)))  # noqa: S311 (only to differ)
            except BaseException:
                self._forget()
                raise
            else:
                return answers
        raise Conflict(f"the store moved on {_TRIES} times meanwhile: nothing was written, try again")

    def _transact(self, commands: Sequence[AnyCommand], *, look_up: bool) -> list[Answer | PuntoError]:
        """Judge the commands while what they cause is being written; a signed head comes last."""
        fences = self._owned({command.table for command in commands if type(command.table) is str})
        answers: list[Answer | PuntoError] = []
        moved = self._moved

        def rows() -> Iterator[Row]:
            for command in commands:
                answers.append(self._judge(command, look_up=look_up))
                yield from self._chained(moved)
            if moved:
                yield self._head(moved)

        self.store.append(rows(), fences)
        self._begin()
        self._tidy(moved.keys() & fences.keys())
        return answers

    def _owned(self, keys: set[str]) -> dict[str, int]:
        """The epochs under which the tables are held; the floor becomes the owner of those that it has not read yet."""
        fences = {}
        for key in filter(_is_name, keys):
            try:
                self.table(key)
            except Corrupt as error:  # whoever asks for it is told; the other tables go on
                self._broken[key] = error
            else:
                fences[TABLE + key] = self._epochs[TABLE + key]
        return fences

    def _judge(self, command: AnyCommand, *, look_up: bool) -> Answer | PuntoError:
        """The answer to one command, or the refusal; a command that was accepted before gets its first answer."""
        if not type(command.id) is type(command.table) is str:
            return Malformed("a command has an id and a table, both as text")
        if command.table in self._broken:
            return self._broken[command.table]
        earlier = self._answers.get(command.id)
        if earlier is not None:
            return earlier[1] if _is_same(earlier[0], command) else _in_use(command)
        answer = self._first_answer(command) if look_up else None
        if answer is not None:
            return answer
        try:
            answer = self._accept(command)
        except (Conflict, StoreGone):
            raise
        except PuntoError as refusal:
            patron = getattr(command, "patron", "")
            if isinstance(refusal, (Unaffordable, BadStake)) and self._is_overtaken(wallet(patron)):
                raise StaleVersion(f"{patron}'s wallet has moved") from None
            first = self._first_answer(command)
            if first is not None:
                return first
            if isinstance(refusal, NotAllowed):
                self._log_refusal(command, refusal)
            return refusal
        self._answers[command.id] = command, answer
        return answer

    def _accept(self, command: AnyCommand) -> Answer:
        key = command.table
        table = self._tables.get(key) or self.table(key)
        given = command
        if type(command.at_ms) is int and 0 <= command.at_ms < self._times[key]:
            command = msgspec.structs.replace(command, at_ms=self._times[key])
        if type(command) in OF_THE_SHOE:
            command = self._cards.filled_in(key, table, command)
        draft = act(table, command)
        events = tuple(draft.events)
        booked = postings(key, events, self.holding)
        stream = TABLE + key
        by, at_ms, id_ = command.by, command.at_ms, command.id
        encode = ENCODER.encode
        written: list[tuple[str, str | None, bytes]] = []
        write = written.append
        first: str | None = id_
        try:
            asked = checksum(given)
            for event in events:
                write((stream, first, encode(Logged(at_ms, by, id_, event, asked))))
                first, asked = None, 0
        except UnicodeEncodeError:
            raise Malformed("the command has signs that cannot be written down") from None
        self._written += written
        write = self._written.append
        for post in booked:
            account, has, owes = post.stream, post.balance_cents, post.owed_cents
            write((account, None, encode(Booked(at_ms, id_, post.giver, post.taker, post.cents, has, owes))))
            if account.startswith(WALLET):
                self._holdings[account] = Holding(has, owes)
        self._before.setdefault(key, table)
        version = self._versions[key] = self._versions[key] + len(events)
        self._tables[key], self._times[key], self._written_ms = draft.table, at_ms, at_ms
        return Answer(key, version, events)

    # Notes

    def note(self, notes: Sequence[tuple[str, bytes]], after: Mapping[str, int], at_ms: int) -> dict[str, Tip]:
        """Write entries of streams that are no table's, in one transaction with a signed head; where they end then.

        *after* is how far each of them was read: `StaleVersion` when one has moved on, and nothing is written.
        """
        for tries in range(_TRIES):
            for stream, version in after.items():
                if (self.store.tip(stream) or chain.start(stream)).version != version:
                    self._forget()
                    raise StaleVersion(f"{stream} has moved on from entry {version}")
            try:
                return self._append_notes(notes, at_ms)
            except StaleVersion:  # another floor wrote in between, if only a head
                self._forget()
                sleep(uniform(0, min(_LONGEST_WAIT_S, _SHORTEST_WAIT_S * 2**tries)))  # noqa: S311 (only to differ)
            except BaseException:
                self._forget()
                raise
        raise Conflict(f"the store moved on {_TRIES} times meanwhile: nothing was written, try again")

    def _append_notes(self, notes: Sequence[tuple[str, bytes]], at_ms: int) -> dict[str, Tip]:
        self._written = [(stream, None, body) for stream, body in notes]
        self._written_ms = at_ms
        moved: dict[str, tuple[int, Hash]] = {}
        rows = self._chained(moved)
        self.store.append([*rows, self._head(moved)], {})
        self._begin()
        return {stream: Tip(*end) for stream, end in moved.items()}

    # Money

    def balance(self, account: str) -> int:
        """What a wallet holds, as the store has it now."""
        if not is_name(account):
            return 0
        if self._is_overtaken(account):
            self._holdings.pop(account, None)
            self._tips.pop(account, None)
        return self.holding(account).balance_cents

    def holding(self, account: str) -> Holding:
        """What a wallet holds, and what its patron owes; its last entry is held against the one before."""
        holding = self._holdings.get(account)
        if holding is None:
            version, hash_ = self._tip(account)
            holding = Holding(0)
            since = self._tip_before(account, version)
            for entry in chain.verified(self.store.read(account, since.version), since) if version else ():
                booked = read_booked(entry.body)
                holding = Holding(booked.balance_cents, booked.owed_cents)
                if (entry.version, entry.hash) == (version, hash_):
                    break
            self._holdings[account] = holding
        return holding

    def _tip_before(self, account: str, version: int) -> Tip:
        """Where a wallet ended before its last entry."""
        for entry in self.store.read(account, version - 2) if version > 1 else ():
            return Tip(entry.version, entry.hash)
        return chain.start(account)

    def _is_overtaken(self, account: str) -> bool:
        """Whether another floor has moved a wallet since it was read."""
        known = self._tips.get(account)
        return known is not None and known[0] < (self.store.tip(account) or known)[0]

    # The store

    def table(self, key: str) -> Table:
        """A table as it stands; the floor becomes its owner when it first reads it."""
        table = self._tables.get(key)
        if table is None:
            if not _is_name(key):
                raise Malformed(f"{quoted(key)} is no name of a table: expected letters, digits, hyphens, dots")
            stream = TABLE + key
            if stream not in self._epochs:
                self._epochs[stream] = self.store.claim(stream)
            table, tip, kept = replayed(self.store, self.keys, stream)
            self._tables[key], self._tips[stream], self._kept[stream] = table, tip, kept
            self._versions[key] = tip.version
            self._times[key] = self._time_of(stream, tip.version)
        return table

    def version(self, key: str) -> int:
        """How many entries a table's log has."""
        self.table(key)
        return self._versions[key]

    def _time_of(self, stream: str, version: int) -> int:
        """When the last command of a table was given: its time does not run backwards, whatever a clock says."""
        for entry in self.store.read(stream, version - 1) if version else ():
            return read_logged(entry.body).at_ms
        return 0

    def take_over(self, key: str) -> Table:
        """Become the owner of a table that another floor has, which is fenced off from now on."""
        self._epochs.pop(TABLE + key, None)
        self._forget()
        return self.table(key)

    def tables(self) -> Iterator[str]:
        """Every table that the store knows."""
        for stream, _ in self.store.streams():
            if stream.startswith(TABLE):
                yield stream.removeprefix(TABLE)

    def recover(self, at_ms: int, tables: Iterable[str] | None = None) -> list[Answer]:
        """Apply the rules of interruption to every round that was under way when the floor last stopped.

        Where several floors share a store, each names its own *tables*: those that it recovers, it takes over. A table
        that is damaged is told once all others are recovered.
        """
        answers: list[Answer] = []
        broken: list[Corrupt] = []
        for key in list(self.tables() if tables is None else tables):
            try:
                if self.table(key).phase in PLAYING:
                    answers.append(self._interrupt(key, at_ms))
            except Corrupt as error:
                broken.append(error)
        if broken:
            raise broken[0]
        return answers

    def _interrupt(self, key: str, at_ms: int) -> Answer:
        id_ = f"interruption-{key}-{self._tips[TABLE + key][0]}"
        while self.store.find(id_):
            id_ += "+"
        by = Actor("floor", Position.SYSTEM)
        return self.handle(do.ReportInterruption(id=id_, table=key, by=by, at_ms=at_ms))

    def _tip(self, stream: str) -> tuple[int, Hash]:
        tip = self._tips.get(stream)
        if tip is None:
            tip = self._tips[stream] = self.store.tip(stream) or chain.start(stream)
        return tip

    def _chained(self, moved: dict[str, tuple[int, Hash]]) -> list[Row]:
        """What was written last, each entry chained to the one before it; the ends of its streams are noted."""
        tips = self._tips
        rows: list[Row] = []
        for stream, command, body in self._written:
            version, before = tips.get(stream) or self._tip(stream)
            hash_ = sha256(before + body).digest()
            tips[stream] = moved[stream] = (version + 1, hash_)
            rows.append((stream, version + 1, command, body, hash_))
        self._written.clear()
        return rows

    def _head(self, moved: Mapping[str, tuple[int, Hash]]) -> Row:
        """A signed head over the streams that moved."""
        before = self._tip(heads.HEADS)
        body = heads.sign(self.keys.signing, self.keys.public, before, self._written_ms, moved)
        version, hash_ = self._tips[heads.HEADS] = (before[0] + 1, chain.link(before[1], body))
        return heads.HEADS, version, None, body, hash_

    def _tidy(self, tables: set[str]) -> None:
        """Keep snapshots of tables that have come far, and forget wallets when there are many."""
        for stream in tables:
            version, hash_ = self._tips[stream]
            if version - self._kept[stream] >= _SNAPSHOT_EVERY:
                with suppress(PuntoError):  # what the group did is durable, with a snapshot or without
                    self._keep(stream, version, hash_)
        if len(self._holdings) > _MOST_WALLETS:
            self._forget()

    def _keep(self, stream: str, version: int, hash_: Hash) -> None:
        keep(self.store, self.keys, stream, Tip(version, hash_), self._tables[stream.removeprefix(TABLE)])
        self._kept[stream] = version

    def _first_answer(self, command: AnyCommand) -> Answer | PuntoError | None:
        """What was answered when the command first came; its id may also be another's."""
        id_ = command.id
        first = self.store.find(id_) if is_name(id_) else None
        if first is None:
            return None
        logged = read_logged(first.body)
        same = logged.by == command.by and logged.asked in (0, checksum(command))
        if first.stream != TABLE + command.table or not same:
            return _in_use(command)
        events = []
        version = first.version - 1
        for entry in self.store.read(first.stream, version):
            logged = read_logged(entry.body)
            if logged.command != id_:
                break
            events.append(logged.event)
            version = entry.version
        return Answer(first.stream.removeprefix(TABLE), version, tuple(events))

    def _log_refusal(self, command: AnyCommand, refusal: NotAllowed) -> None:
        """A refusal for want of authority goes into the security log."""
        asked = str(type(command).__struct_config__.tag)
        self._written.append((SECURITY, None, _refused(command.at_ms, command.by, command.table, asked, refusal)))
        self._written_ms = command.at_ms

    def log_refusal(self, at_ms: int, by: Actor, asked: str, refusal: NotAllowed, table: str = "") -> None:
        """The same of something that was refused before any command was given."""
        self.note([(SECURITY, _refused(at_ms, by, table, asked, refusal))], {}, at_ms)


def _refused(at_ms: int, by: Actor, table: str, asked: str, refusal: NotAllowed) -> bytes:
    said = {"code": refusal.code, "said": refusal.message}
    return ENCODER.encode({"at_ms": at_ms, "by": by, "table": table, "do": asked} | said)


@contextmanager
def _collector_paused() -> Iterator[None]:
    """Nothing that a group makes goes round in circles: the collector would look through all of it in vain."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _is_same(first: AnyCommand, command: AnyCommand) -> bool:
    """Whether a command that has the id of another asks just that again."""
    try:
        return (first.table, first.by) == (command.table, command.by) and checksum(first) == checksum(command)
    except (UnicodeEncodeError, OverflowError):  # what cannot be written down was never accepted
        return False


def _in_use(command: AnyCommand) -> IdInUse:
    return IdInUse(f"the id {quoted(command.id)} is another command's: nothing was done")


def _is_name(key: str) -> bool:
    return 0 < len(key) <= 64 and all(sign.isalnum() or sign in "-._" for sign in key)  # noqa: PLR2004
