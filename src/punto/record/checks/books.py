"""The ledger: every transfer that the events call for is booked, and no other; balances run, and none is negative."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Final

from punto.record.checks.findings import Code, Counts, Findings
from punto.record.checks.meters import Meters
from punto.record.checks.sitting import Sitting
from punto.record.checks.transfers import Flow, cash, corrections, escrow, house, wallet, withheld
from punto.record.checks.written import Booked, read_booked
from punto.store.contract import Entry

WALLET: Final = "wallet/"
OWED: Final = "owed/"
ESCROW: Final = "escrow/"
HOUSE: Final = "house/"
WITHHELD: Final = "withheld/"
BOOK: Final = "book/"
_OTHER_KINDS: Final = ("escrow", "house", "cash", "corrections", "owed", "withheld")
Pair = tuple[str, str]


@dataclass(slots=True)
class Due:
    """What a command's events move; *reversed* is what of it undoes a settlement, by giver."""

    table: str
    stream: str
    version: int
    round: int | None
    at_ms: int
    between_rounds: bool = False
    moves: defaultdict[Pair, int] = field(default_factory=lambda: defaultdict(int))
    undone: defaultdict[str, int] = field(default_factory=lambda: defaultdict(int))

    def add(self, flows: list[Flow], *, undo: bool) -> None:
        """Count more transfers of the command."""
        for giver, taker, cents in flows:
            self.moves[giver, taker] += cents
            if undo and giver.startswith(WALLET):
                self.undone[giver] += cents

    def put_aside(self, patron: str) -> int:
        """What the table gave to a wallet lies aside; how much that is."""
        from_table = [
            (pair, cents)
            for pair, cents in self.moves.items()
            if pair[1] == wallet(patron) and pair[0].startswith((ESCROW, HOUSE))
        ]
        for (giver, taker), cents in from_table:
            del self.moves[giver, taker]
            self.moves[giver, withheld(patron)] += cents
        return sum(cents for _, cents in from_table)


@dataclass(slots=True)
class Done:
    """What was booked for a command; *before* is what each wallet held until then."""

    stream: str
    version: int
    moves: defaultdict[Pair, int] = field(default_factory=lambda: defaultdict(int))
    before: dict[str, int] = field(default_factory=dict)
    owed: dict[str, int] = field(default_factory=dict)


class Books:
    """All accounts, as the ledger's entries leave them."""

    def __init__(self, findings: Findings, counts: Counts) -> None:
        self._findings = findings
        self._counts = counts
        self.wallets: dict[str, int] = {}
        # Since when each wallet has held something without a break.
        self.filled_ms: dict[str, int] = {}
        self.accounts: defaultdict[str, int] = defaultdict(int)
        # What each wallet's patron owes.
        self.debts: defaultdict[str, int] = defaultdict(int)
        self._due: dict[str, Due] = {}
        self._done: dict[str, Done] = {}
        # All that each wallet held under this head.
        self._held: dict[str, set[int]] = {}

    def expect(self, command: str, due: Due) -> None:
        """A command's events move this."""
        if command in self._due:
            said = f"command {command[:40]!r} was given twice"
            self._wrong(Code.BAD_COMMAND, due.stream, due.version, said, due.round)
        self._due[command] = due

    # Entries

    def entry(self, stream: str, entry: Entry) -> None:
        """One transfer, as it was booked."""
        try:
            booked = read_booked(entry.body)
        except ValueError as error:
            self._wrong(Code.UNREADABLE, stream, entry.version, f"a transfer that does not read: {error}")
            return
        giver, taker, cents = booked.giver, booked.taker, booked.cents
        if cents <= 0 or giver == taker:
            said = f"{cents} cents from {giver} to {taker} are no transfer"
            self._wrong(Code.BAD_BALANCE, stream, entry.version, said)
        self._counts.cents += max(cents, 0)
        done = self._done.get(booked.command)
        if done is None:
            done = self._done[booked.command] = Done(stream, entry.version)
        done.moves[giver, taker] += cents
        due = self._due.get(booked.command)
        if due is not None and due.at_ms != booked.at_ms:
            self._wrong(Code.NOT_BOOKED, stream, entry.version, "booked at another time than its command was given")
        for account, change in ((giver, -cents), (taker, cents)):
            if account != stream:
                self._check_kind(stream, entry.version, account)
                self.accounts[account] += change
        if stream.startswith(WALLET):
            self._wallet(stream, entry.version, done, booked)
        elif booked.balance_cents or booked.owed_cents:
            self._wrong(Code.BAD_BALANCE, stream, entry.version, "a balance was booked where no wallet is touched")

    def _wallet(self, stream: str, version: int, done: Done, booked: Booked) -> None:
        """What a transfer does to a wallet and to its patron's debt."""
        giver, taker, cents = booked.giver, booked.taker, booked.cents
        debt = OWED + stream.removeprefix(WALLET)
        done.owed.setdefault(stream, self.debts[stream])
        self.debts[stream] += cents * ((giver == debt) - (taker == debt))
        if booked.owed_cents != self.debts[stream]:
            said = f"the debt after it is {self.debts[stream]} cents, and is written as {booked.owed_cents}"
            self._wrong(Code.BAD_BALANCE, stream, version, said)
        if giver != debt:
            change = cents * ((taker == stream) - (giver == stream))
            self._run(stream, version, done, booked.balance_cents, change)
        if self.wallets.get(stream, 0) <= 0:
            self.filled_ms.pop(stream, None)
        else:
            self.filled_ms.setdefault(stream, booked.at_ms)

    def _run(self, stream: str, version: int, done: Done, said: int, change: int) -> None:
        """The running balance of a wallet."""
        held = self.wallets.get(stream, 0)
        self._held.setdefault(stream, {held})
        done.before.setdefault(stream, held)
        balance = held + change
        if not change:
            self._wrong(Code.BAD_BALANCE, stream, version, "a transfer was booked that does not touch this wallet")
        elif said != balance:
            said_ = f"the balance after it is {balance} cents ({held} and {change:+}), and is written as {said}"
            self._wrong(Code.BAD_BALANCE, stream, version, said_)
        if balance < 0:
            self._wrong(Code.NEGATIVE_BALANCE, stream, version, f"the wallet went to {balance} cents")
        self._held[stream].add(balance)
        self.wallets[stream] = balance

    def _check_kind(self, stream: str, version: int, account: str) -> None:
        """A transfer between two wallets, or with an account of no kind, is none of ours."""
        kind, _, whose = account.partition("/")
        if kind not in _OTHER_KINDS or not whose:
            self._wrong(Code.BAD_BALANCE, stream, version, f"{account!r} is no account that this stream can book")

    # Commands

    def reconcile(self) -> None:
        """Hold what was booked against what the events call for, command by command."""
        if not self._due and not self._done:
            return
        last: dict[str, Due] = {}
        for command, due in self._due.items():
            done = self._done.pop(command) if command in self._done else Done(due.stream, due.version)
            self._compare(due, done)
            last[due.table] = due
        for table, due in last.items():
            cents = self.accounts.get(escrow(table), 0)
            if cents < 0 or (cents and due.between_rounds):
                said = f"{cents} cents lie in escrow" + " though no round is under way" * due.between_rounds
                self._wrong(Code.BAD_BOOKS, due.stream, due.version, said, due.round)
        for command, done in self._done.items():
            said = f"a transfer was booked for command {command[:40]!r}, which moved no money"
            self._wrong(Code.NOT_BOOKED, done.stream, done.version, said)
        self._due.clear()
        self._done.clear()
        self._held.clear()

    def _compare(self, due: Due, done: Done) -> None:
        if done.moves == due.moves:
            booked = done.moves
        else:
            booked = defaultdict(int)
            for (giver, taker), cents in done.moves.items():
                if _whose(giver) != _whose(taker):  # what goes against a debt stays with the patron
                    booked[_whose(giver), _whose(taker)] += cents
        if booked != due.moves:
            for giver, taker in {**due.moves, **booked}:
                right, said = due.moves.get((giver, taker), 0), booked.get((giver, taker), 0)
                if right != said:
                    said_ = f"from {giver} to {taker} the event moves {right} cents; {said} were booked"
                    self._wrong(Code.NOT_BOOKED, due.stream, due.version, said_, due.round)
        owing = any(self.debts.get(taker) for _, taker in due.moves)
        if due.undone or owing or booked is not done.moves:
            self._check_debts(due, done)

    def _check_debts(self, due: Due, done: Done) -> None:
        """A reversal makes a debt as far as the wallet is short, and what the table pays goes against it first."""
        owing = [taker for _, taker in due.moves if self.debts.get(taker)]
        for account in {*due.undone, *owing, *[_whose(a) for pair in done.moves for a in pair if a.startswith(OWED)]}:
            debt = OWED + account.removeprefix(WALLET)
            lent = sum(cents for (giver, _), cents in done.moves.items() if giver == debt)
            squared = sum(cents for (_, taker), cents in done.moves.items() if taker == debt)
            held = done.before.get(account)
            if held is None:
                # A wallet that the command did not touch had nothing then.
                held = min(self._held.get(account, {self.wallets.get(account, 0)}))
            short = max(0, due.undone[account] - held)
            paid = sum(
                cents
                for (giver, taker), cents in due.moves.items()
                # A correction is no payment of a table's.
                if taker == account and giver.startswith((ESCROW, HOUSE, WITHHELD))
            )
            owed = done.owed.get(account, self.debts[account]) + short
            if (lent, squared) != (short, min(owed, paid)):
                said = f"{lent} cents were lent and {squared} taken against {owed}; the wallet was short of {short}"
                self._wrong(Code.NOT_BOOKED, due.stream, due.version, f"{account}: {said}", due.round)

    # The whole

    def close(self, tables: Iterable[Sitting]) -> None:
        """All accounts together, and each table's against its meters.

        Credits, escrow, what the house won, corrections and debts together are what was bought less what was cashed
        out: cash is the account that they are balanced by, so the sum over all accounts must be nothing.
        """
        lies: defaultdict[str, int] = defaultdict(int)
        for table in tables:
            self._check_table(table.stream, table.key, table.meters)
            for patron, cents in table.withheld.items():
                lies[withheld(patron)] += cents
        for account in sorted(lies.keys() | {each for each in self.accounts if each.startswith(WITHHELD)}):
            booked = self.accounts.get(account, 0)
            if booked != lies[account]:
                said = f"{account} stands at {booked} cents; by the tables {lies[account]} lie aside"
                self._wrong(Code.BAD_BOOKS, account, 0, said)
        whole = sum(self.wallets.values()) + sum(self.accounts.values())
        if whole:
            self._wrong(Code.BAD_BOOKS, BOOK, 0, f"all accounts together come to {whole} cents, not to nothing")
        for account, cents in sorted(self.accounts.items()):
            if account.startswith(OWED) and cents > 0:
                said = f"{account} stands at {cents} cents: nobody can owe less than nothing"
                self._wrong(Code.BAD_BOOKS, account, 0, said)

    def _check_table(self, stream: str, key: str, meters: Meters) -> None:
        total = meters.total
        for account, right, words in (
            (escrow(key), total.escrow_cents, "what lies on the table"),
            (house(key), total.hold_cents, "what the house has won"),
            (cash(key), total.out_cents - total.in_cents, "what was cashed out less what was bought"),
            (corrections(key), -meters.corrected_cents, "what was put right"),
        ):
            booked = self.accounts.get(account, 0)
            if booked != right:
                said = f"{account} stands at {booked} cents; by the meters {words} is {right}"
                self._wrong(Code.BAD_BOOKS, stream, 0, said)

    def _wrong(self, code: Code, stream: str, version: int, said: str, round_: int | None = None) -> None:
        self._findings.of_play(code, stream, version, round_, said)


def _whose(account: str) -> str:
    """A debt stands in for the wallet that is short."""
    return WALLET + account.removeprefix(OWED) if account.startswith(OWED) else account
