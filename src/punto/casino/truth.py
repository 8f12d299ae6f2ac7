"""The truth of a run: what honest processes have made durable, worked out again beside the floor, and held against it.

Everything that is checked here is checked when a transaction is made, so the first one that is wrong is the one named.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping
from typing import Final

from punto.casino.trace import Broken
from punto.ledger import WALLET, cash, escrow
from punto.ledger.book import read as read_booked
from punto.store.chain import link, start
from punto.store.contract import Entry, Row, Tip
from punto.table import PLAYING, Phase, Table
from punto.table import events as on
from punto.table.contributions import Cause
from punto.table.evolve import evolve
from punto.table.log import read as read_logged

TABLE: Final = "table/"
_BOOKED: Final = (WALLET, "book/")
_MAY_OWE: Final = ("cash", "house", "corrections", "owed")
CONTRIBUTIONS: Final = "contributions to the order of shoes"
ABANDONED: Final = "shoes abandoned for a contribution withheld"
# So many states of a table are kept, for frames that tell of an older one.
_KEPT: Final = 400


class Truth:
    """What is durable, by stream, and what follows from it."""

    def __init__(self) -> None:
        self.tips: dict[str, Tip] = {}
        self.commands: dict[str, tuple[str, int]] = {}
        self.tables: defaultdict[str, dict[int, Table]] = defaultdict(lambda: {0: Table()})
        self.balances: Counter[str] = Counter()
        # Every value that a wallet has had.
        self.held: defaultdict[str, set[int]] = defaultdict(lambda: {0})
        self.bought: Counter[str] = Counter()
        self.owners: dict[str, object] = {}
        self.rounds = 0
        self.voids = 0
        # What became of virtual shoes before their first bets.
        self.shoes: Counter[str] = Counter()
        self.entries = 0

    # What honest processes do

    def claimed(self, name: str, owner: object) -> None:
        """A process has become the owner of a name."""
        self.owners[name] = owner

    def written(self, rows: Iterable[Row], owner: object) -> None:
        """A process has made a transaction."""
        moved = set()
        for stream, version, command, body, hash_ in rows:
            before = self.tips.get(stream) or start(stream)
            if version != before.version + 1 or hash_ != link(before.hash, stream, version, command, body):
                raise Broken(f"{stream}: entry {version} is built on something that no honest process has written")
            if stream.startswith(TABLE):
                if owner is not None and self.owners.get(stream) is not owner:
                    raise Broken(f"{stream}: entry {version} was written by a process that is not the table's owner")
                moved.add(stream.removeprefix(TABLE))
            self._take(Entry(stream, version, command, body, hash_))
        self._check_money()
        for key in sorted(moved):
            self._check_table(key)

    def found(self, streams: Mapping[str, list[Entry]]) -> None:
        """The store was opened anew: all that was durable is there, and perhaps what nobody was told of."""
        for stream, tip in self.tips.items():
            entries = streams.get(stream, [])
            there = entries[tip.version - 1] if len(entries) >= tip.version else None
            if there is None or there.hash != tip.hash:
                raise Broken(f"{stream}: entry {tip.version} was made durable, and is not there any more")
        more = [entry for name in sorted(streams) for entry in streams[name][self._end(name) :]]
        if more:
            self.written(more, None)

    def _end(self, stream: str) -> int:
        tip = self.tips.get(stream)
        return tip.version if tip else 0

    # What follows

    def _take(self, entry: Entry) -> None:
        stream = entry.stream
        self.entries += 1
        self.tips[stream] = Tip(entry.version, entry.hash)
        if entry.command is not None:
            if entry.command in self.commands:
                raise Broken(f"command {entry.command} is on record twice")
            self.commands[entry.command] = stream, entry.version
        if stream.startswith(TABLE):
            self._move(stream.removeprefix(TABLE), entry)
        elif stream.startswith(_BOOKED):
            booked = read_booked(entry.body)
            self.balances[booked.giver] -= booked.cents
            self.balances[booked.taker] += booked.cents
            if stream.startswith(WALLET):
                self.held[stream].add(booked.balance_cents)
                if booked.balance_cents != self.balances[stream]:
                    raise Broken(
                        f"{stream}: entry {entry.version} says {booked.balance_cents} cents, and it is another"
                    )

    def _move(self, key: str, entry: Entry) -> None:
        event = read_logged(entry.body).event
        tables = self.tables[key]
        tables[entry.version] = evolve(tables[entry.version - 1], event)
        if entry.version >= _KEPT:
            tables.pop(entry.version - _KEPT, None)
        match event:
            case on.CreditsBought():
                self.bought[key] += event.cents
            case on.CreditsCashedOut():
                self.bought[key] -= event.cents
            case on.RoundSettled():
                self.rounds += 1
            case on.RoundVoided():
                self.voids += 1
            case on.ContributionRevealed():
                self.shoes[CONTRIBUTIONS] += 1
            case on.ShoeEnded(cause=Cause.UNREVEALED):
                self.shoes[ABANDONED] += 1

    def table(self, key: str) -> Table:
        """A table as it stands."""
        tables = self.tables[key]
        return tables[max(tables)]

    def at(self, key: str, version: int) -> Table | None:
        """A table as it stood after an entry; none where that is too long ago."""
        return self.tables[key].get(version)

    # What must hold

    def _check_money(self) -> None:
        if sum(self.balances.values()):
            raise Broken(f"money: all accounts together hold {sum(self.balances.values())} cents, and must hold none")
        for account, cents in self.balances.items():
            if cents < 0 and account.split("/")[0] not in _MAY_OWE:
                raise Broken(f"money: {account} holds {cents} cents")

    def _check_table(self, key: str) -> None:
        table = self.table(key)
        staked = 0 if table.settled else sum(placed.cents for placed in table.wagers.values())
        if self.balances[escrow(key)] != staked:
            raise Broken(f"money: table {key} has {staked} cents at stake, and {self.balances[escrow(key)]} in escrow")
        if self.balances[cash(key)] != -self.bought[key]:
            raise Broken(f"money: at table {key} {self.bought[key]} cents were bought, and the cash says another sum")
        if table.setup is None or table.shoe.spent:
            return
        seen, drawn = table.shoe.seen, table.shoe.drawn
        unread = sum(not laid.card for laid in table.cards) if table.phase in PLAYING else 0
        if not all(0 < copies <= table.setup.decks for copies in seen.values()):
            raise Broken(f"cards: table {key} has seen a card more often than its shoe holds it")
        if sum(seen.values()) + unread > drawn or drawn > table.setup.decks * table.game.deck.size:
            raise Broken(f"cards: table {key} has seen {sum(seen.values())} cards and {drawn} were drawn")
        if table.phase is Phase.BETS_OPEN and not table.asked and table.barred:
            raise Broken(f"cards: table {key} takes bets on a card that was seen")
