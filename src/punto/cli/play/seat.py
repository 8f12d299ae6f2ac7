"""A seat at a table of one's own: a floor in memory, of which this is the only patron."""

import random
import time
from collections.abc import Iterator
from itertools import count
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from punto.cards import Card
from punto.errors import BadStake, PuntoError, Unaffordable
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.games import GAMES, dumps
from punto.ledger import wallet
from punto.roads import Outcome
from punto.rules import Coup, Deal, Game, Position, Settlement
from punto.rules.money import Cents, money
from punto.store import MemoryStore
from punto.table import BETWEEN, Actor, AnyCommand, Limit, Phase, Placed, Setup, Table, act, with_virtual_cards
from punto.table import commands as do

START_CENTS: Final = 100_000
MOST_CENTS: Final = 1_000_000
_PATRON: Final = Actor("you", Position.PATRON)
_STAFF: Final = Actor("house", Position.GAMING_SHIFT_MANAGER)
_TABLE: Final = "practice"
_POSITION: Final = 1


class Paid(NamedTuple):
    """A wager after the round: its settlement, its stake, and what that won or lost."""

    settlement: Settlement
    stake_cents: int
    won_cents: int


class Seat:
    """One patron at one table. Staff do what they must, and every stake and card goes through the table."""

    def __init__(self, game: Game, decks: int, chance: random.Random) -> None:
        self.game = game
        self.chance = chance
        self.floor = Floor(MemoryStore(), Keys.fresh(), self._shuffled)
        self.last_stakes: dict[str, int] = {}
        self.bought_cents = 0
        self._before: list[dict[str, int]] = []
        self._ids = count(1)
        self._open_table(decks)
        self.buy(START_CENTS)
        self._open_bets()

    # What is seen

    @property
    def table(self) -> Table:
        """The table as it stands."""
        return self.floor.table(_TABLE)

    @property
    def unit_cents(self) -> int:
        """What every stake is a multiple of."""
        return self.table.open.unit_cents

    @property
    def stakes(self) -> dict[str, int]:
        """The stakes on the layout, while bets are open or cards are dealt."""
        table = self.table
        return {} if table.phase in BETWEEN else {placed.wager: placed.cents for placed in table.wagers.values()}

    @property
    def staked_cents(self) -> int:
        """All stakes together."""
        return sum(self.stakes.values())

    @property
    def free_cents(self) -> int:
        """Credits that are not staked."""
        return self.floor.balance(wallet(_PATRON.name))

    @property
    def credits_cents(self) -> int:
        """Credits, with those that are staked."""
        return self.free_cents + self.staked_cents

    @property
    def rounds(self) -> int:
        """Rounds played."""
        return self.table.round - (self.table.phase is Phase.BETS_OPEN)

    @property
    def shoes(self) -> int:
        """Shoes so far."""
        return self.table.shoes

    @property
    def left(self) -> int:
        """Cards left in the shoe."""
        return self.table.open.decks * self.game.deck.size - self.table.shoe.drawn

    @property
    def last_round(self) -> bool:
        """Whether the cutting card has come, so that the next round needs a fresh shoe."""
        return self.table.shoe.spent

    @property
    def demonstration(self) -> str:
        """The rulebook, where it has a dealing device, so that virtual cards are demonstration rules; else nothing."""
        setup = self.table.open
        return setup.rulebook if setup.demonstration else ""

    @property
    def outcomes(self) -> tuple[Outcome | None, ...]:
        """The outcomes of this shoe."""
        return self.table.outcomes

    # What is done

    def place(self, added: dict[str, int]) -> None:
        """Add to the stakes, all or nothing; zero takes a wager back."""
        stakes = {name: cents for name, cents in self.stakes.items() if added.get(name) != 0}
        for name, cents in added.items():
            if cents:
                stakes[name] = stakes.get(name, 0) + cents
        self._stake(stakes)

    def rebet(self) -> None:
        """The stakes of the last round that had any."""
        self._stake(self.last_stakes)

    def double(self) -> None:
        """Every stake on the table twice over."""
        self._stake({name: 2 * cents for name, cents in self.stakes.items()})

    def clear(self) -> None:
        """Take every wager back."""
        self._stake({})

    def undo(self) -> None:
        """The stakes as they were before the last change."""
        if self._before:
            before = self._before.pop()
            self._stake(before)
            self._before.pop()

    def buy(self, cents: int) -> None:
        """More credits."""
        if not 0 < cents <= MOST_CENTS:
            raise BadStake(f"a buy-in is more than zero and at most {money(MOST_CENTS)}")
        self._give(do.BuyIn, _PATRON, patron=_PATRON.name, cents=Cents(cents), position=_POSITION)
        self.bought_cents += cents

    def deal(self) -> Iterator[Deal]:
        """Deal a round: the deal before its first card, and after each."""
        self._open_bets()
        self._before.clear()
        self.last_stakes = self.stakes or self.last_stakes
        self._give(do.CloseBets)
        yield self.table.deal
        while self.table.phase is not Phase.SETTLED:
            drawn = len(self.table.cards)
            self._go_on()
            if len(self.table.cards) > drawn:
                yield self.table.deal

    def settle(self, coup: Coup) -> tuple[Paid, ...]:
        """What every wager of the game came to, staked or not."""
        settled = self.game.settle(coup)
        payments = {payment.wager: payment for payment in self.table.payments}
        paid = []
        for name, settlement in settled.items():
            payment = payments.get(name)
            stake = payment.stake_cents if payment else 0
            paid.append(Paid(settlement, stake, payment.paid_cents - stake if payment else 0))
        return tuple(paid)

    # How it is done

    def _shuffled(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        order = list(cards)
        self.chance.shuffle(order)
        return tuple(order)

    def _open_table(self, decks: int) -> None:
        declaration = "" if GAMES.get(self.game.key) == self.game else dumps(self.game)
        setup = with_virtual_cards(Setup(game=self.game.key, declaration=declaration, decks=decks))
        unit = act(Table(), self._command(do.OpenTable, _STAFF, setup=setup)).table.open.unit_cents
        limit = Limit(unit, Cents(MOST_CENTS - MOST_CENTS % unit))
        limits = {wager.name: limit for wager in self.game.wagers}
        self._give(do.OpenTable, setup=replace(setup, limits=limits))
        self._give(do.LoadShoe)

    def _open_bets(self) -> None:
        """Bets are open after this; a spent shoe is changed first."""
        if self.table.phase in BETWEEN:
            if self.table.shoe.spent:
                self._give(do.EndShoe)
                self._give(do.LoadShoe)
            self._give(do.OpenBets)

    def _go_on(self) -> None:
        """The next thing that staff do in the round."""
        table = self.table
        if table.phase is Phase.OUTCOME:
            self._give(do.Settle)
        elif table.initial_deal_done and (not table.announced or table.deal.coup):
            self._give(do.Announce)
        else:
            self._give(do.DrawCard)

    def _stake(self, stakes: dict[str, int]) -> None:
        """Bring the layout to these stakes, all or nothing."""
        self._open_bets()
        before = self.stakes
        commands = list(self._changes(stakes))
        table = self.table
        for command in commands:
            table = act(table, command).table
        needed_cents = sum(stakes.values())
        if needed_cents > self.credits_cents:
            raise Unaffordable(f"that needs {money(needed_cents)} of {money(self.credits_cents)}")
        for answer in self.floor.handle_all(commands) if commands else ():
            if isinstance(answer, PuntoError):
                raise answer
        self._before.append(before)

    def _changes(self, stakes: dict[str, int]) -> Iterator[AnyCommand]:
        """Commands that lead from the stakes on the layout to these: first what goes, then what comes."""
        placed = {each.wager: each for each in self.table.wagers.values()}
        who: dict[str, Any] = {"by": _PATRON, "patron": _PATRON.name}
        for name, each in placed.items():
            if name not in stakes:
                yield self._command(do.TakeBackWager, number=each.number, **who)
        for name, cents in sorted(stakes.items(), key=lambda item: item[1] - _cents(placed.get(item[0]))):
            if name not in placed:
                yield self._command(do.PlaceWager, wager=name, stake_cents=cents, position=_POSITION, **who)
            elif placed[name].cents != cents:
                yield self._command(do.ChangeWager, number=placed[name].number, stake_cents=cents, **who)

    def _command(self, kind: type[Any], by: Actor = _STAFF, **fields: Any) -> AnyCommand:  # noqa: ANN401
        at_ms = int(time.time() * 1000)
        made: AnyCommand = kind(id=str(next(self._ids)), table=_TABLE, by=by, at_ms=at_ms, **fields)
        return made

    def _give(self, kind: type[Any], by: Actor = _STAFF, **fields: Any) -> None:  # noqa: ANN401
        self.floor.handle(self._command(kind, by, **fields))


def _cents(placed: Placed | None) -> int:
    return placed.cents if placed else 0
