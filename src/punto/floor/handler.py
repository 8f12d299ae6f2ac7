"""The command handler: decisions of tables and transfers between wallets, in one transaction.

Commands are handled in groups: each is judged against what those before it left, and the events, transfers and signed
head of the whole group become durable together. Only then is any of them answered, refusals too, for a refusal may rest
on what another command of the group did.
"""

import gc
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from itertools import islice
from math import inf
from typing import Final

import msgspec

from punto.errors import (
    BadStake,
    Conflict,
    Corrupt,
    Fenced,
    KnownCommand,
    Malformed,
    NeedsSecond,
    NotAllowed,
    OutcomeUnknown,
    ProveAgain,
    PuntoError,
    StaleId,
    StaleVersion,
    StoreGone,
    StreamStopped,
    Unaffordable,
    named,
    quoted,
)
from punto.floor.acceptedids import AcceptedIds
from punto.floor.answers import Answer, Refusals, in_use, is_same, name_of
from punto.floor.cashiers import CASHIER, Cashiers
from punto.floor.doubts import Doubts, Settled, not_written, unknown
from punto.floor.history import History, Written
from punto.floor.keys import Keys
from punto.floor.personal import Personal
from punto.floor.replaying import Replayed, keep, keep_body, kept_body, replayed
from punto.floor.sealing import NotCovered, seal_of
from punto.floor.shuffle import Shuffle, by_chance
from punto.floor.tickets import OF_TICKETS, TICKETS, Tickets, codes_of, issue_id, redeem_id, step_of
from punto.floor.virtual import OF_THE_SHOE, NamedBeacon, VirtualCards
from punto.floor.warrants import NO_WARRANT, Gate, Warrant
from punto.floor.work import Sent, Standing, Ungrounded, Work
from punto.ledger import WALLET, Holding, Posting, TableMeters, given, postings, wallet
from punto.ledger.book import Booked
from punto.ledger.book import read as read_booked
from punto.proof.seals import SEALS
from punto.rules import Position
from punto.rules.money import Cents
from punto.store.batch import is_name
from punto.store.contract import Row, Store, Tip
from punto.surroundings import rest
from punto.table import PLAYING, Actor, AnyCommand, AnyEvent, Table, act
from punto.table import commands as do
from punto.table import events as on
from punto.table.draft import Draft
from punto.table.log import ENCODER, Logged, checksum
from punto.table.log import read as read_logged
from punto.table.state import Offer

SECURITY: Final = "security"
TABLE: Final = "table/"
# Who recovers tables, and releases what lay aside.
FLOOR: Final = Actor("floor", Position.SYSTEM)
_SNAPSHOT_EVERY: Final = 2_000
_TICKETS_EVERY: Final = 1_000
# Floors that share a store are in each other's way at times: each waits a little, and not as long as the other.
_TRIES: Final = 20
_SHORTEST_WAIT_S: Final = 0.001
_LONGEST_WAIT_S: Final = 0.05
# So many entries are chained and handed to the store at a time.
_AT_ONCE: Final = 50
# More wallets than this are forgotten after a group, and read again when they are needed.
_MOST_WALLETS: Final = 100_000


class Floor:
    """Tables and wallets on one store. It is used by one thread at a time: the one that writes."""

    def __init__(self, store: Store, keys: Keys, shuffle: Shuffle = by_chance) -> None:
        self.history = History(store, keys)
        self._coverage = self.history.coverage
        self.store = store
        self.keys = keys
        self._cards = VirtualCards(keys, shuffle)
        self._standings: dict[str, Standing] = {}
        # What the clock said at each table's last command.
        self._clocks: dict[str, int] = {}
        self._meters: dict[str, TableMeters] = {}
        # Durable events that the meters have not counted yet.
        self._uncounted: defaultdict[str, list[AnyEvent]] = defaultdict(list)
        # The version of the snapshot that is kept of each table.
        self._kept: dict[str, int] = {}
        self._holdings: dict[str, Holding] = {}
        self._cashiers = Cashiers(self.history)
        self._tickets = Tickets()
        self._accepted = AcceptedIds(store, keys)
        self._refusals: defaultdict[str, Refusals] = defaultdict(Refusals)
        # Whether the last look over all streams has come to its end.
        self.has_looked_over_all = True
        self.personal = Personal()
        # Refuses whoever is not let in any more by the time a command is judged.
        self.gate: Gate | None = None
        self._doubts = Doubts()
        self._work = Work(self.history.group())
        # The group that was sent, and has not landed yet: whether it is durable is not known.
        self._sent: Sent | None = None

    def _commit(self, work: Work) -> None:
        """A group is durable: count it, and go on from there."""
        uncounted = self._uncounted
        for _, answer in work.answers.values():
            uncounted[answer.table] += answer.events
        self._accepted.add(work.answers)
        if TICKETS in work.group.began:
            self._tickets.commit(work.group.end(TICKETS).version)
            self._keep_tickets(_TICKETS_EVERY)
        self._conclude(work)
        self._work.group.rest_on_record()
        self._tidy(work.before)

    def _take_back(self, work: Work) -> None:
        """A group was not written: what is known of tables, tickets and wallets is as it was before."""
        if not work.is_over:
            for stream in work.streams:
                self._holdings.pop(stream, None)
                self._cashiers.forget(stream)
            self._standings |= work.before
            if TICKETS in work.streams:
                self._tickets.take_back()
            self._conclude(work)

    def _conclude(self, work: Work) -> None:
        work.is_over = True
        if work is self._work:
            self._work = Work(self.history.group())

    def _notice(self) -> None:
        """What was worked out from streams that other floors have moved is read again when it is needed."""
        for stream in self.history.coverage.take_moved():
            self._holdings.pop(stream, None)
            self._cashiers.forget(stream)
            if stream.startswith(TABLE):
                self._standings.pop(stream.removeprefix(TABLE), None)

    def _settle(self) -> None:
        """Find out what became of the last group, before anything is built on it."""
        self._land()
        if self.history.unsure is not None:
            written = self.history.settle()
            (self._commit if written else self._take_back)(self._work)
            for command in self._doubts.settle(written=written):
                standing = self._standings.get(command.table)
                if standing is not None:
                    self._refusals[command.table].add(command, standing.table.round, not_written())
        self._notice()

    def _give_up(self) -> None:
        """The group failed: take it back, unless it may have been written; then the next call finds out."""
        if self.history.unsure is None:
            self._take_back(self._work)

    def _land(self) -> None:
        """Wait until the group that was sent is durable; what was judged since is taken back if it is not."""
        sent, self._sent = self._sent, None
        if sent is None:
            return
        try:
            self.history.land()
        except BaseException as error:
            since = self._work
            self._take_back(since)
            self._was_not_written(sent, error)
            if since.begun:
                raise Ungrounded from error
        else:
            self._has_landed(sent)

    def _has_landed(self, sent: Sent) -> None:
        """A group that was sent is durable."""
        self._commit(sent.work)
        self._turn_away_failed(sent.commands, sent.answers)

    def _was_not_written(self, sent: Sent, error: BaseException) -> None:
        """A group that was sent was not written, or it is not known: try again, or remember why not."""
        doubtful = self.in_doubt and sent.was_given
        if doubtful:
            self._work = sent.work
            self._doubts.begin(sent.commands, sent.answers, sent.work.answers)
        else:
            self._take_back(sent.work)
        if not isinstance(error, Exception):
            raise error
        if not doubtful and isinstance(error, (KnownCommand, StaleVersion, Fenced, Ungrounded)):
            self._handle_sent(sent)
        else:
            sent.tables, sent.holdings = {}, {}
            sent.error = _not_tried(error) if isinstance(error, OutcomeUnknown) and not doubtful else error
            self.turn_away(sent.commands)

    def _handle_sent(self, sent: Sent) -> None:
        """Handle commands that were sent, and wait for the store."""
        sent.tables, sent.holdings = {}, {}
        try:
            sent.answers = self.handle_all(sent.commands, sent.warrants)
        except Exception as error:  # noqa: BLE001 (whoever finishes it is told)
            sent.error = error

    @property
    def lost(self) -> frozenset[str]:
        """The tables that another process runs now."""
        return frozenset(name.removeprefix(TABLE) for name in self.history.ownership.lost)

    @property
    def in_doubt(self) -> bool:
        """Whether it is not known what became of the last group."""
        return self.history.unsure is not None

    def settle(self) -> None:
        """Find out what became of the last group, if that is not known; raises as long as it cannot be found out."""
        self._settle()

    def take_settled(self) -> Settled | None:
        """What came of commands whose answers were lost, each told once; none where nothing new is known."""
        return self._doubts.take()

    # Commands

    def handle(self, command: AnyCommand) -> Answer:
        """Handle one command, durably."""
        [answer] = self.handle_all([command])
        if isinstance(answer, PuntoError):
            raise answer
        return answer

    def handle_all(self, commands: Iterable[AnyCommand], warrants: Sequence[Warrant] = ()) -> list[Answer | PuntoError]:
        """Handle a group of commands in one transaction; each gets its answer, or the error that refuses it.

        *warrants* say what stands behind each of them; without any, nothing does.
        """
        commands = list(commands)
        try:
            answers = self._handle_all(commands, warrants or [NO_WARRANT] * len(commands))
        except Exception:
            self.turn_away(commands)
            raise
        self._turn_away_failed(commands, answers)
        return answers

    def send(
        self, commands: Iterable[AnyCommand], warrants: Sequence[Warrant] = (), more: Callable[[], bool] = lambda: True
    ) -> Sent:
        """Judge a group while the one before is being written, and then have it written, too.

        `finish` waits for it and gives the answers, or raises. If no *more* commands follow, nothing is left to do
        meanwhile, and the group is durable when this returns.
        """
        sent = Sent(commands, warrants, self._work)
        if self.in_doubt:
            self._handle_sent(sent)
            return sent
        try:
            with _collector_paused():
                self._send(sent, more)
        except BaseException as error:  # noqa: BLE001 (whoever finishes it is told)
            if isinstance(error, Exception):
                with suppress(Ungrounded):
                    self._land()
            self._was_not_written(sent, error)
        return sent

    def _send(self, sent: Sent, more: Callable[[], bool]) -> None:
        fences = self._owned({command.table for command in sent.commands if type(command.table) is str})
        if self.in_doubt:
            raise Ungrounded
        sent.work = work = self._begun(sent.commands)
        rows = [*self._judged(sent.commands, sent.warrants, sent.answers)]
        sent.tables = {key: self._standings[key].table for key in work.before}
        holdings = self._holdings
        sent.holdings = {account: holdings[account] for account in work.group.began if account in holdings}
        self._land()
        sent.was_given = True
        (self.history.send if more() else self.history.append)(work.group, rows, fences)
        if self.history.is_waiting:
            self._sent = sent
            self._work = Work(self.history.group(work.group))
        else:
            self._has_landed(sent)

    def is_writing(self, sent: Sent) -> bool:
        """Whether a group that was sent may not be durable yet."""
        return sent is self._sent

    def land(self) -> None:
        """Wait until the group that was sent is durable; what came of it, `finish` tells."""
        self._land()

    def finish(self, sent: Sent) -> list[Answer | PuntoError]:
        """Wait until a group that was sent is durable: its answers, or what `handle_all` raises."""
        if sent is self._sent:
            self._land()
        if sent.error is not None:
            raise sent.error
        return sent.answers

    def _turn_away_failed(self, commands: Sequence[AnyCommand], answers: Sequence[Answer | PuntoError]) -> None:
        failed = (Conflict, Corrupt)
        self.turn_away(asked for asked, answer in zip(commands, answers, strict=True) if isinstance(answer, failed))

    def turn_away(self, commands: Iterable[AnyCommand]) -> None:
        """Remember commands that were refused before a table had judged them; those in doubt are not refused."""
        for command in commands:
            if type(command.id) is type(command.table) is str and command.id not in self._doubts:
                standing = self._standings.get(command.table)
                self._refusals[command.table].turn_away(name_of(command), standing.table.round if standing else None)

    def _handle_all(self, commands: list[AnyCommand], warrants: Sequence[Warrant]) -> list[Answer | PuntoError]:
        try:
            self._settle()
        except Conflict as error:
            return [unknown() if command.id in self._doubts else _not_tried(error) for command in commands]
        look_up = False
        for tries in range(_TRIES):
            try:
                with _collector_paused():
                    return self._transact(commands, warrants, look_up=look_up)
            except KnownCommand:
                self._take_back(self._work)
                look_up = True
            except StaleVersion as stale:
                self._make_way(stale, tries)
            except Fenced as fenced:
                self._take_back(self._work)
                self.history.ownership.notice(fenced)
            except OutcomeUnknown as error:
                self._give_up()
                raise (error if self.in_doubt else _not_tried(error)) from None
            except BaseException:
                self._give_up()
                raise
        raise Conflict(f"the store moved on {_TRIES} times meanwhile: nothing was written, try again")

    def _make_way(self, stale: StaleVersion, tries: int) -> None:
        """A stream did not end where it was believed to end: believe what was signed, and wait a little."""
        self._take_back(self._work)
        self.history.look_into(stale)
        self._notice()
        rest(min(_LONGEST_WAIT_S, _SHORTEST_WAIT_S * 2**tries))

    def _transact(
        self, commands: Sequence[AnyCommand], warrants: Sequence[Warrant], *, look_up: bool
    ) -> list[Answer | PuntoError]:
        """Judge the commands while what they cause is being written; a signed head comes last."""
        fences = self._owned({command.table for command in commands if type(command.table) is str})
        answers: list[Answer | PuntoError] = []
        work = self._begun(commands)
        try:
            self.history.append(work.group, self._judged(commands, warrants, answers, look_up=look_up), fences)
        finally:
            if self.in_doubt:
                self._doubts.begin(commands, answers, work.answers)
        self._commit(work)
        return answers

    def _begun(self, commands: Iterable[AnyCommand]) -> Work:
        """The work on a group of commands, which begins."""
        work = self._work
        work.begun = True
        # A process that writes for the first time joins at this time; commands that are accepted set that of the group.
        work.group.at_ms = next((each.at_ms for each in commands if type(each.at_ms) is int and each.at_ms > 0), 0)
        return work

    def _judged(
        self,
        commands: Sequence[AnyCommand],
        warrants: Sequence[Warrant],
        answers: list[Answer | PuntoError],
        *,
        look_up: bool = False,
    ) -> Iterator[Row]:
        """The rows that the commands cause, as they are judged one after the other; each adds its answer."""
        work, judge = self._work, self._judge
        chain, written = work.group.chain, work.written
        for command, warrant in zip(commands, warrants, strict=True):
            answers.append(judge(command, warrant, look_up=look_up))
            if len(written) >= _AT_ONCE:
                yield from chain(written)
                written.clear()
        yield from chain(written)
        written.clear()

    def _owned(self, keys: set[str]) -> dict[str, int]:
        """The epochs under which the tables are held; the floor becomes the owner of those that it has not read yet."""
        owned = []
        for key in sorted(filter(_is_name, keys)):
            try:
                if key not in self._standings or TABLE + key in self.history.ownership.lost:
                    self.table(key)
            except (Corrupt, Fenced) as error:  # whoever asks for it is told; the other tables go on
                self._work.shut[key] = error
            else:
                owned.append(TABLE + key)
        return self.history.ownership.fences(owned)

    def _judge(self, command: AnyCommand, warrant: Warrant, *, look_up: bool) -> Answer | PuntoError:
        """The answer to one command, or the refusal; a command that came before gets its first answer."""
        id_, table = command.id, command.table
        if not type(id_) is type(table) is str:
            return Malformed("a command has an id and a table, both as text")
        work = self._work
        if table in work.shut:
            return work.shut[table]
        earlier = work.answers.get(id_)
        if earlier is not None:
            return earlier[1] if is_same(earlier[0], command) else in_use(command.id)
        if self._sent is not None and id_ in self._sent.work.answers:
            self._land()
        if look_up or id_ in self._accepted:
            first = self._earlier(command)
            if first is not None:
                return first
        refused = self._refused_before(command) if self._refusals else None
        if refused is not None:  # what was accepted long ago, and turned away since, is no longer known by heart
            return (self._earlier(command) if isinstance(refused, StaleId) else None) or refused
        try:
            answer = self._accept(command, warrant)
        except (Conflict, StoreGone):
            raise
        except PuntoError as refusal:
            return self._refuse(command, refusal)
        work.answers[id_] = command, answer
        return answer

    def _refuse(self, command: AnyCommand, refusal: PuntoError) -> Answer | PuntoError:
        """The refusal of a command, unless it was accepted before, or another floor has moved the patron's wallet.

        A refusal rests on nothing that may not be written.
        """
        self._land()
        patron = getattr(command, "patron", "")
        account = wallet(patron) if isinstance(patron, str) else ""
        if isinstance(refusal, (Unaffordable, BadStake)) and self._is_overtaken(account):
            if account in self.history.coverage.stopped:
                return self.history.coverage.stopped[account].anew()
            raise StaleVersion(f"{patron}'s wallet has moved", stream=account) from None
        if isinstance(refusal, Corrupt):
            return refusal
        first = self._earlier(command)
        if first is not None:
            return first
        if isinstance(refusal, NotAllowed) and not isinstance(refusal, NeedsSecond):
            self._log_refusal(command, refusal)
        standing = self._standings.get(command.table)
        # Whoever proves who they are gives the same command again.
        if standing is not None and not isinstance(refusal, ProveAgain):
            self._refusals[command.table].add(command, standing.table.round, refusal)
        return refusal

    def _refused_before(self, command: AnyCommand) -> PuntoError | None:
        refusals, standing = self._refusals.get(command.table), self._standings.get(command.table)
        return refusals.earlier(command, standing.table.round) if refusals and standing else None

    def _accept(self, command: AnyCommand, warrant: Warrant) -> Answer:
        cashier = self.gate(command, warrant, self) if self.gate is not None else None
        key = command.table
        before = self._standings.get(key) or self._read_table(key)
        given = command
        command = self._at_table_time(command, before)
        if type(command) in OF_THE_SHOE:
            command = self._cards.filled_in(key, before.table, command)
        draft = act(before.table, command)
        if self._coverage.stopped:
            self._withhold(key, command, draft)
        booked = self._booked(key, command, draft)
        events = tuple(draft.events)
        stream = TABLE + key
        at_ms, id_ = command.at_ms, command.id
        encode = ENCODER.encode
        written = _logged(stream, command, given, warrant, events)
        holdings = {}
        for post in booked:
            account, has, owes = post.stream, post.balance_cents, post.owed_cents
            written.append((account, None, encode(Booked(at_ms, id_, post.giver, post.taker, post.cents, has, owes))))
            if account.startswith(WALLET):
                holdings[account] = Holding(has, owes)
        if self._coverage.stopped:
            self.history.check({each[0] for each in written})
        if type(command) in OF_TICKETS and step_of(command) is not None:
            self._read_tickets()
            written += [(TICKETS, None, note) for note in self._tickets.take(key, command)]
        if cashier and isinstance(command, do.BuyIn | do.CashOut):
            handled = self._cashiers.add(cashier, given.at_ms, id_, command.cents)
            written.append((CASHIER + cashier, None, handled))
        work = self._work
        work.written += written
        self._holdings |= holdings
        work.before.setdefault(key, before)
        version = before.version + len(events)
        self._standings[key] = Standing(draft.table, version, at_ms)
        self._clocks[key] = given.at_ms
        work.group.at_ms = at_ms
        return Answer(key, version, events)

    def _booked(self, key: str, command: AnyCommand, draft: Draft) -> list[Posting]:
        """The transfers of the events; a wallet may be found to be stopped only now that it is read."""
        while True:
            try:
                return postings(key, draft.events, self._held)
            except StreamStopped:
                if not self._withhold(key, command, draft):
                    raise

    def _withhold(self, key: str, command: AnyCommand, draft: Draft) -> bool:
        """Set aside what goes to wallets whose record is stopped, so that the others are paid; whether there is any.

        Whoever asks for something of one's own is refused instead.
        """
        own = wallet(getattr(command, "patron", ""))
        done = {wallet(event.patron) for event in draft.events if isinstance(event, on.CreditsWithheld)}
        found = [
            on.CreditsWithheld(account.removeprefix(WALLET), Cents(cents))
            for account, cents in given(key, draft.events).items()
            if account in self._coverage.stopped and account not in {own, *done}
        ]
        for event in found:
            draft.add(event)
        return bool(found)

    def _at_table_time(self, command: AnyCommand, before: Standing) -> AnyCommand:
        """The command at its table's own time, which never goes back.

        A record that was written under a clock ahead of this one is no reason to wait for that time to come: while
        patrons have time to answer, the table's time runs on, and otherwise it stands still until the clock is there.
        """
        clock_ms = command.at_ms
        if type(clock_ms) is not int or not 0 <= clock_ms < before.at_ms:
            return command
        last_ms = self._clocks.setdefault(command.table, clock_ms)
        passed_ms = max(0, clock_ms - last_ms) if isinstance(before.table.pending, Offer) else 0
        return msgspec.structs.replace(command, at_ms=before.at_ms + passed_ms)

    @property
    def newest_ms(self) -> int:
        """The newest time on record at the tables that were read."""
        return max((standing.at_ms for standing in self._standings.values()), default=0)

    # Notes

    def note(self, notes: Sequence[tuple[str, bytes]], after: Mapping[str, int], at_ms: int) -> dict[str, Tip]:
        """Write entries of streams that are no table's, in one transaction with a signed head; where they end then.

        *after* is how far each of them was read: `StaleVersion` when one has moved on, and nothing is written.
        """
        self._settle()
        for tries in range(_TRIES):
            fences = self.history.ownership.house()
            self.history.check(stream for stream, _ in notes)
            for stream, version in after.items():
                if self.history.end(stream).version != version:
                    raise StaleVersion(f"{named(stream)} has moved on from entry {version}", version, stream)
            work = self._work
            try:
                work.group.at_ms = at_ms
                rows = work.group.chain((stream, None, body) for stream, body in notes)
                ends = {stream: work.group.end(stream) for stream, _ in notes}
                self.history.append(work.group, rows, fences)
            except StaleVersion as stale:
                self._make_way(stale, tries)
            except Fenced as fenced:
                self._take_back(self._work)
                self.history.ownership.notice(fenced)
            except BaseException:
                self._give_up()
                raise
            else:
                self._commit(work)
                return ends
        raise Conflict(f"the store moved on {_TRIES} times meanwhile: nothing was written, try again")

    def seal_day(self, at_ms: int) -> bool:
        """Seal the gaming day that ended last, if a checkpoint covers it and nobody has; whether it was sealed."""
        self._settle()
        try:
            found = seal_of(self.history, at_ms)
        except NotCovered:
            return False
        if found is not None:
            self.note([(SEALS, found[1])], {SEALS: found[0]}, at_ms)
        return found is not None

    # Money

    def balance(self, account: str) -> int:
        """What a wallet holds, as the store has it now."""
        if not is_name(account):
            return 0
        self._settle()
        if self._is_overtaken(account):
            self.history.look_into(StaleVersion("", stream=account))
        return self.holding(account).balance_cents

    def holding(self, account: str) -> Holding:
        """What a wallet holds, and what its patron owes, by its last signed entry."""
        self._settle()
        return self._held(account)

    def _held(self, account: str) -> Holding:
        """The same, within a group."""
        if self.history.coverage.moved:  # another floor's heads were read while the group was judged
            self._notice()
        holding = self._holdings.get(account)
        if holding is None:
            self._land()
            self.history.check([account])
            last = self.history.last(account)
            booked = read_booked(last.body) if last else None
            holding = Holding(booked.balance_cents, booked.owed_cents) if booked else Holding(0)
            self._holdings[account] = holding
        return holding

    def has_wallet(self, patron: str) -> bool:
        """Whether anything was ever booked for a patron, and is durable."""
        account = wallet(patron)
        if not is_name(account):
            return False
        if not self.history.end(account).version:
            self._land()
        return self.history.end(account).version > 0

    def cash_since(self, person: str, at_ms: int) -> int:
        """How much cash a member of staff has moved alone since a time, in cents."""
        if self.history.coverage.moved:  # another floor's heads were read while the group was judged
            self._notice()
        if not self._cashiers.is_known(person, at_ms):
            self._land()
        return self._cashiers.since(person, at_ms)

    def _is_overtaken(self, account: str) -> bool:
        """Whether a wallet has entries that this floor does not know of."""
        known = self.history.end(account)
        return known.version < (self.store.tip(account) or known).version

    def ticket_worth(self, code: str) -> Cents | None:
        """What a ticket is worth, redeemed or not; none where there is no such ticket."""
        try:
            self._settle()
        except Conflict:
            if issue_id(code) in self._doubts or redeem_id(code) in self._doubts:
                raise unknown() from None
            raise
        self._read_tickets()
        worth = self._tickets.worth(code)
        if worth is None:  # another floor may have made it
            self.history.watch([TICKETS])
            self._read_tickets()
            worth = self._tickets.worth(code)
        return worth

    def ticket_for(self, patron: str, id_: str) -> tuple[str, Cents | None]:
        """The code of the ticket that a patron asks for under an id, and what it is worth if it was made before."""
        first, *older = codes_of(self.keys, patron, id_)
        for code in (first, *older):
            worth = self.ticket_worth(code)
            if worth is not None:
                return code, worth
        return first, None

    def ticket_age_ms(self, code: str, now_ms: int) -> int:
        """How long ago a ticket was made, by its entry on record."""
        made = self.history.find(issue_id(code))
        return now_ms - read_logged(made.body).at_ms if made is not None else 0

    def _read_tickets(self) -> None:
        """Know every ticket that is on record."""
        self._land()
        self.history.check([TICKETS])
        tickets = self._tickets
        if tickets.kept is None:
            tickets.kept = 0
            found = kept_body(self.history, TICKETS)
            if found is not None:
                tickets.restore(found[0].version, found[1])
        if self.history.end(TICKETS).version > tickets.version:
            tickets.read(self.history.read(TICKETS, tickets.version))

    # The store

    def look_over(self, streams: Iterable[str]) -> dict[str, StreamStopped]:
        """Look whether streams hold what was signed; every stream that is stopped, and why."""
        self._settle()
        self.history.ownership.look()
        self.history.watch(streams)
        self._notice()
        return dict(self.history.coverage.stopped)

    def look_over_all(self, for_s: float = inf) -> dict[str, StreamStopped]:
        """Look whether all streams hold what was signed; every stream that is stopped, and why.

        After so many seconds the rest is left to the next call: `has_looked_over_all` says when all is done.
        """
        self._settle()
        self.has_looked_over_all = self.history.watch_all(for_s)
        self._notice()
        return dict(self.history.coverage.stopped)

    def table(self, key: str) -> Table:
        """A table as it stands; the floor becomes its owner when it first reads it, and is told when it is no more."""
        self._settle()
        if TABLE + key in self.history.ownership.lost:
            raise self.history.ownership.lost[TABLE + key].anew()
        standing = self._standings.get(key)
        if standing is None:
            standing = self._read_table(key)
        return standing.table

    def last_durable(self, key: str) -> Table | None:
        """A table as it stood before the group that is in doubt; none where another process has moved it since."""
        standing = self._work.before.get(key) or self._standings.get(key)
        return standing.table if standing else None

    def _read_table(self, key: str) -> Standing:
        if not _is_name(key):
            raise Malformed(f"{quoted(key)} is no name of a table: expected letters, digits, hyphens, dots")
        self._land()
        stream = TABLE + key
        self.history.ownership.own(stream)
        found = replayed(self.history, stream)
        self._learn_ids(key, found)
        self._meters[key], self._kept[key] = found.meters, found.kept
        self._uncounted.pop(key, None)
        standing = self._standings[key] = Standing(found.table, found.tip.version, found.at_ms)
        return standing

    def _learn_ids(self, key: str, found: Replayed) -> None:
        """Know the ids of the commands that a table has accepted of late."""

        def read(after: int, until: int) -> Iterator[tuple[int, str | None]]:
            for entry in self.history.coverage.read(TABLE + key, after, min(until, found.kept)):
                yield entry.version, entry.command
            first = found.tip.version - len(found.commands) + 1
            skipped, taken = max(0, after + 1 - first), max(0, until + 1 - first)
            yield from islice(enumerate(found.commands, first), skipped, taken)

        coverage = self.history.coverage
        ends = [coverage.end(stream).version for stream in coverage.streams(TABLE)]
        with _collector_paused():
            self._accepted.learn(key, found.tip.version, ends, read)

    def version(self, key: str) -> int:
        """How many entries a table's log has."""
        self.table(key)
        return self._standings[key].version

    def meters(self, key: str) -> TableMeters:
        """A copy of a table's meters, as they stand after its last durable entry."""
        self.table(key)
        return self._counted(key).copy()

    def _counted(self, key: str) -> TableMeters:
        meters = self._meters[key]
        for event in self._uncounted.pop(key, ()):
            meters.add(event)
        return meters

    def take_over(self, key: str) -> Table:
        """Become the owner of a table that another floor has, which is fenced off from now on."""
        self.history.ownership.take(TABLE + key)
        self._standings.pop(key, None)
        return self.table(key)

    def tables(self) -> Iterator[str]:
        """Every table that is on record."""
        for stream in self.history.coverage.streams(TABLE):
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

    def was_set_back(self, key: str) -> bool:
        """Whether a table has not moved since somebody decided to go on from an older store: its cards may be known."""
        self.table(key)
        return self._standings[key].at_ms < self.history.pins.at_ms

    def _interrupt(self, key: str, at_ms: int) -> Answer:
        id_ = f"interruption-{key}-{self._standings[key].version}"
        while self.store.find(id_):
            id_ += "+"
        return self.handle(do.ReportInterruption(id=id_, table=key, by=FLOOR, at_ms=at_ms))

    def _tidy(self, moved: Iterable[str]) -> None:
        """Keep snapshots of tables that have come far, and forget wallets when there are many."""
        since = self._work
        for key in moved:
            standing = since.before.get(key) or self._standings.get(key)  # what is durable
            if standing is not None and standing.version - self._kept[key] >= _SNAPSHOT_EVERY:
                with suppress(PuntoError):  # what the group did is durable, with a snapshot or without
                    self._keep(key, standing)
                self._accepted.file(key)
        if len(self._holdings) > _MOST_WALLETS:
            self._holdings = {name: self._holdings[name] for name in since.streams if name in self._holdings}

    def _keep(self, key: str, standing: Standing) -> None:
        tip = self.history.end(TABLE + key)
        assert standing.version == tip.version, "a snapshot is of what is durable"
        keep(self.history, TABLE + key, Replayed(standing.table, tip, standing.at_ms, self._counted(key), 0))
        self._kept[key] = tip.version

    def _keep_tickets(self, since: int) -> None:
        """Keep a snapshot of the tickets, if so many were noted since the last."""
        tickets = self._tickets
        end = self.history.end(TICKETS)
        if tickets.kept is not None and tickets.version == end.version >= tickets.kept + since:
            with suppress(PuntoError):
                keep_body(self.history, TICKETS, end, tickets.written())
                tickets.kept = end.version

    def keep_all(self) -> None:
        """Keep snapshots of all that was worked out, so that the next start is quick; of what is in doubt, none.

        Nor is anything kept in a store that tells another history than this process has seen: it is somebody's copy.
        """
        self._land()
        try:
            self.history.watch(())
        except PuntoError:
            return
        if not self.in_doubt:
            self._keep_tickets(1)
            for key, standing in self._standings.items():
                if standing.version > self._kept[key]:
                    with suppress(PuntoError):
                        self._keep(key, standing)
        self.history.keep()

    def _earlier(self, command: AnyCommand) -> Answer | PuntoError | None:
        """What was answered when the command first came; where that was forged, this command alone is refused."""
        self._land()
        try:
            return self._first_answer(command)
        except Corrupt as error:
            return error

    def _first_answer(self, command: AnyCommand) -> Answer | PuntoError | None:
        """What was answered when the command first came; its id may also be another's."""
        id_ = command.id
        first = self.history.find(id_) if is_name(id_) else None
        place = self._accepted.place(id_)
        if place is not None and (first is None or (first.stream, first.version) != (TABLE + place[0], place[1])):
            return self.history.coverage.stop(TABLE + place[0], f"entry {place[1]} has lost the id of its command")
        if first is None:
            return None
        logged = read_logged(first.body)
        same = logged.by == command.by and logged.asked in (0, checksum(command))
        if first.stream != TABLE + command.table or not same:
            return in_use(command.id)
        events = []
        version = first.version - 1
        for entry in self.history.read(first.stream, version):
            logged = read_logged(entry.body)
            if logged.command != id_:
                break
            events.append(logged.event)
            version = entry.version
        return Answer(first.stream.removeprefix(TABLE), version, tuple(events))

    def accepted_before(self, id_: str, by: Actor, table: str = "", asked: AnyCommand | None = None) -> int | None:
        """The version of a table's log after a command that somebody gave or confirmed under this id; none without.

        Where a *table* is named, or what was *asked*, `IdInUse` if the command was for another table, or another one.
        """
        self._settle()
        first = self.history.find(id_) if is_name(id_) else None
        if first is None or not first.stream.startswith(TABLE):
            return None
        logged = read_logged(first.body)
        if by not in (logged.by, getattr(logged.event, "confirmed_by", None)):
            return None
        if table and (first.stream != TABLE + table or (asked and logged.asked not in (0, checksum(asked)))):
            raise in_use(id_)
        version = first.version
        for entry in self.history.read(first.stream, first.version):
            if read_logged(entry.body).command != id_:
                break
            version = entry.version
        return version

    def _log_refusal(self, command: AnyCommand, refusal: NotAllowed) -> None:
        """A refusal for want of authority goes into the security log, unless that is stopped."""
        if SECURITY in self.history.coverage.stopped:
            return
        asked = str(type(command).__struct_config__.tag)
        refused = _refused(command.at_ms, command.by, command.table, asked, refusal)
        self._work.written.append((SECURITY, None, refused))
        self._work.group.at_ms = command.at_ms

    def use_beacon(self, named: NamedBeacon) -> None:
        """Have a beacon add to the order of virtual shoes from now on."""
        self._cards.beacon = named

    def log_refusal(self, at_ms: int, by: Actor, asked: str, refusal: NotAllowed, table: str = "") -> None:
        """The same of something that was refused before any command was given."""
        with suppress(StreamStopped):
            self.note([(SECURITY, _refused(at_ms, by, table, asked, refusal))], {}, at_ms)


def _logged(
    stream: str, command: AnyCommand, given: AnyCommand, warrant: Warrant, events: Sequence[AnyEvent]
) -> list[Written]:
    """The events of a command as they are written; the first says how the command was *given*."""
    if not events:
        return []
    by, at_ms, id_ = command.by, command.at_ms, command.id
    encode = ENCODER.encode
    session, second, device, _ = warrant
    given_ms = given.at_ms if given.at_ms != at_ms else 0
    try:
        asked = checksum(given)
        first = Logged(at_ms, by, id_, events[0], asked, given_ms, session, second, device)
        written: list[Written] = [(stream, id_, encode(first))]
        if len(events) > 1:
            written += [(stream, None, encode(Logged(at_ms, by, id_, event))) for event in events[1:]]
    except UnicodeEncodeError:
        raise Malformed("the command has signs that cannot be written down") from None
    return written


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


def _not_tried(error: Conflict) -> Conflict:
    """The refusal of a command that the store was never given: whatever it is not sure of, that is something else."""
    return StoreGone(f"{error.message}: nothing was done") if isinstance(error, OutcomeUnknown) else error


def _is_name(key: str) -> bool:
    return 0 < len(key) <= 64 and all(sign.isalnum() or sign in "-._" for sign in key)  # noqa: PLR2004
