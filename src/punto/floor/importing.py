"""From the text of a shoe to a table of its own on a store: every round is played again, by command."""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from typing import Any

from punto.errors import BadShoeFile, PuntoError
from punto.floor.handler import Answer, Floor
from punto.record.shoefile import CoupLine, ShoeFile
from punto.rules import Position
from punto.rules.money import Cents
from punto.table import Actor, Limit, Phase, Setup
from punto.table import commands as do
from punto.table.events import RoundSettled, Ruling

_STAFF = Actor("import", Position.GAMING_SHIFT_MANAGER)


class Import:
    """Plays a shoe that was verified, on a table that is closed."""

    def __init__(self, floor: Floor, table: str, shoe: ShoeFile, at_ms: int) -> None:
        self.floor = floor
        self.table = table
        self.shoe = shoe
        self.at_ms = at_ms
        self._ids = count(1)
        self._places: defaultdict[str, int] = defaultdict(count(1).__next__)

    def run(self) -> int:
        """Play every round, and say how many there were."""
        if self.floor.table(self.table).phase is not Phase.CLOSED:
            raise BadShoeFile(f"table {self.table} is open: a shoe is imported to a table of its own")
        self._open()
        for coup in self.shoe.coups:
            self._play(coup)
        self._give(do.EndShoe)
        self._give(do.CloseTable)
        return len(self.shoe.coups)

    def _open(self) -> None:
        headers = self.shoe.headers
        bets = [bet for coup in self.shoe.coups for bet in coup.bets]
        unit = Cents(int(headers.get("unit", "0")))
        most = max([bet.stake_cents for bet in bets], default=0)
        setup = Setup(game=headers["game"], decks=int(headers.get("decks", "8")), unit_cents=unit)
        if most:
            step = unit or 1
            setup = Setup(
                game=setup.game,
                decks=setup.decks,
                unit_cents=unit,
                limits={"*": Limit(Cents(step), Cents(-(-most // step) * step))},
            )
        self._give(do.OpenTable, setup=setup)
        self._give(do.LoadShoe)
        bought: defaultdict[str, int] = defaultdict(int)
        for bet in bets:
            bought[bet.patron] += bet.stake_cents
        for patron, cents in bought.items():
            self._give(do.BuyIn, Actor(patron, Position.PATRON), patron=patron, cents=cents, position=self._at(patron))

    def _play(self, coup: CoupLine) -> None:
        """One round: bets, cards, and what came of them, which must be what is written."""
        if self.floor.table(self.table).phase is not Phase.BETS_OPEN:
            self._give(do.OpenBets)
        bets = [bet for bet in coup.bets if bet.counted_cents]
        for bet in bets:
            by = Actor(bet.patron, Position.PATRON)
            stake, at = bet.counted_cents, self._at(bet.patron)
            self._give(do.PlaceWager, by, patron=bet.patron, wager=bet.wager, stake_cents=stake, position=at)
        self._give(do.CloseBets)
        paid: list[int] = []
        for card in coup.cards.split():
            paid += self._paid(self._drawn(card))
        if coup.void is not None:
            self._give(do.Refer, matter=f"void by {coup.void or 'the record'}")
            self._give(do.Rule, ruling=Ruling.VOID, reason=f"imported as void: {coup.void}")
            return
        for answer in self._finished():
            paid += self._paid(answer)
        if paid != [bet.paid_cents - (bet.stake_cents - bet.counted_cents) for bet in bets]:
            raise BadShoeFile(f"line {coup.line}: round {coup.number} comes out otherwise here", coup.line)

    def _drawn(self, card: str) -> Answer:
        table = self.floor.table(self.table)
        if table.initial_deal_done and not table.announced:
            self._give(do.Announce)
        return self._give(do.DrawCard, card=card)

    def _finished(self) -> Iterator[Answer]:
        """At a dealt table, the Dealer's announcements and the settlement."""
        while self.floor.table(self.table).phase is not Phase.SETTLED:
            outcome = self.floor.table(self.table).phase is Phase.OUTCOME
            yield self._give(do.Settle if outcome else do.Announce)

    def _paid(self, answer: Answer) -> list[int]:
        return [
            payment.paid_cents
            for event in answer.events
            if isinstance(event, RoundSettled)
            for payment in event.payments
        ]

    def _at(self, patron: str) -> int:
        """Every patron has a place of their own, as far as the layout goes."""
        return (self._places[patron] - 1) % self.floor.table(self.table).open.positions + 1

    def _give(self, kind: type[Any], by: Actor = _STAFF, **fields: Any) -> Answer:  # noqa: ANN401
        id_ = f"import-{self.table}-{self.at_ms}-{next(self._ids)}"
        try:
            return self.floor.handle(kind(id=id_, table=self.table, by=by, at_ms=self.at_ms, **fields))
        except PuntoError as error:
            raise BadShoeFile(f"the shoe cannot be played here: {error.message}") from error
