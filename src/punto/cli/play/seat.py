"""A seat at a table: credits, stakes, the shoe, and the rounds so far."""

import random
from collections.abc import Iterator
from math import lcm
from typing import Final, NamedTuple

from punto.cards import Card, Shoe
from punto.errors import BadStake, Unaffordable
from punto.roads import Outcome
from punto.rules import Coup, Deal, Game, Settlement

START_CENTS: Final = 100_000
MOST_CENTS: Final = 1_000_000
BEHIND_CUTTING_CARD: Final = 14
_CREDIT: Final = 100


def money(cents: int) -> str:
    """An amount with two decimals.

    >>> money(123456)
    '1,234.56'
    """
    return f"{cents // 100:,}.{cents % 100:02d}" if cents >= 0 else f"-{money(-cents)}"


class Paid(NamedTuple):
    """A wager after the round: its settlement, its stake, and what that won or lost."""

    settlement: Settlement
    stake_cents: int
    won_cents: int

    @classmethod
    def of(cls, settlement: Settlement, stake_cents: int) -> "Paid":
        """The settlement of a stake, in whole cents."""
        won = settlement.net * stake_cents
        assert won.denominator == 1, "the unit rules out parts of a cent"
        return cls(settlement, stake_cents, int(won))


class Seat:
    """One patron at one table. Money is whole cents; the unit is such that no pay line comes to a part of a cent."""

    def __init__(self, game: Game, decks: int, chance: random.Random) -> None:
        self.game = game
        self.decks = decks
        self.chance = chance
        self.unit_cents = lcm(_CREDIT, *[pay.odds.staked for wager in game.wagers for pay in wager.pays])
        self.credits_cents = START_CENTS
        self.bought_cents = START_CENTS
        self.stakes: dict[str, int] = {}
        self.last_stakes: dict[str, int] = {}
        self.rounds = 0
        self.shoes = 0
        self._before: list[dict[str, int]] = []
        self.change_shoe()

    def change_shoe(self) -> None:
        """Shuffle a fresh shoe; its roads begin anew."""
        order: list[Card] = list(Shoe.unshuffled(self.game.deck, self.decks).order)
        self.chance.shuffle(order)
        self.shoe = Shoe(self.game.deck, self.decks, tuple(order), BEHIND_CUTTING_CARD)
        self.drawn = 0
        self.shoes += 1
        self.outcomes: list[Outcome] = []

    @property
    def staked_cents(self) -> int:
        """All stakes together."""
        return sum(self.stakes.values())

    @property
    def free_cents(self) -> int:
        """Credits that are not staked."""
        return self.credits_cents - self.staked_cents

    @property
    def left(self) -> int:
        """Cards left in the shoe."""
        return len(self.shoe.order) - self.drawn

    @property
    def last_round(self) -> bool:
        """Whether the cutting card has come, so that the next round needs a fresh shoe."""
        return self.shoe.ends_with(self.drawn)

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
            self.stakes = self._before.pop()

    def buy(self, cents: int) -> None:
        """More credits."""
        if not 0 < cents <= MOST_CENTS:
            raise BadStake(f"a buy-in is more than zero and at most {money(MOST_CENTS)}")
        self.credits_cents += cents
        self.bought_cents += cents

    def deal(self) -> Iterator[Deal]:
        """Deal a round from the shoe: the deal before its first card, and after each."""
        self._before.clear()
        if self.last_round:
            self.change_shoe()
        self.rounds += 1
        deal = Deal.begin(self.game.opening)
        yield deal
        while deal.next:
            deal = deal.take(self.shoe.order[self.drawn])
            self.drawn += 1
            yield deal

    def settle(self, coup: Coup) -> tuple["Paid", ...]:
        """Pay the round."""
        paid = tuple(Paid.of(each, self.stakes.get(each.wager.name, 0)) for each in self.game.settle(coup).values())
        self.credits_cents += sum(each.won_cents for each in paid)
        self.last_stakes, self.stakes = self.stakes or self.last_stakes, {}
        self.outcomes.append(Outcome.of(coup))
        return paid

    def _stake(self, stakes: dict[str, int]) -> None:
        for name, cents in stakes.items():
            if cents < 0 or cents % self.unit_cents:
                raise BadStake(f"{name}: stakes are multiples of {money(self.unit_cents)}")
            if cents > MOST_CENTS:
                raise BadStake(f"{name}: the most that a wager takes is {money(MOST_CENTS)}")
        needed_cents = sum(stakes.values())
        if needed_cents > self.credits_cents:
            raise Unaffordable(f"that needs {money(needed_cents)} of {money(self.credits_cents)}")
        self._before.append(self.stakes)
        self.stakes = stakes
