"""From the text of a shoe to a table of its own on a store: every round is played again, by command.

It is tried in memory first. Only a shoe that comes out there as it is written, line by line, is played on the store,
and that in one transaction.
"""

from collections import defaultdict
from collections.abc import Iterator
from itertools import count
from math import gcd, lcm
from typing import Any, Final

from punto.cards import USUAL_DECKS, Deck, parse_cards
from punto.errors import AreaIsFull, BadShoeFile, PuntoError, Refusal, quoted
from punto.floor.handler import TABLE, Floor
from punto.floor.keys import Keys
from punto.floor.replaying import replayed
from punto.ledger import wallet
from punto.record.exporting import export
from punto.record.shoefile import Bet, CoupLine, ShoeFile
from punto.record.verifying import game_of
from punto.rules import Game, Position
from punto.rules.money import MOST_CENTS, Cents, money, unit_of
from punto.store import MemoryStore
from punto.table import Actor, AnyCommand, Limit, Phase, Setup
from punto.table import commands as do
from punto.table.events import Ruling
from punto.table.setup import EVERY, rulebook_of

_STAFF: Final = Actor("import", Position.GAMING_SHIFT_MANAGER)
_USUAL_UNIT: Final = 100
_LONGEST: Final = 200


class Import:
    """A shoe that was verified, and the commands that play it; `BadShoeFile` says why there are none."""

    def __init__(self, shoe: ShoeFile, table: str, at_ms: int) -> None:
        self.shoe = shoe
        self.table = table
        store = MemoryStore()
        floor = Floor(store, Keys.fresh())
        floor.table(table)  # refuses what cannot be the name of a table
        self.commands = _Rehearsal(floor, table, shoe, at_ms).run()
        _compare(shoe, export(store, table, 1), game_of(shoe).deck)

    def onto(self, floor: Floor) -> None:
        """Play the shoe on a floor, in one transaction, if its table is closed and its patrons have nothing there."""
        # Read without becoming the table's owner: another floor may be playing there.
        table = replayed(floor.history, TABLE + self.table).table
        if table.phase is not Phase.CLOSED:
            raise Refusal(f"table {self.table} is open: a shoe is imported to a table of its own")
        for patron in _patrons(self.shoe):
            held = floor.holding(wallet(patron))
            if held.balance_cents or held.owed_cents:
                has = f"has {money(held.balance_cents)} and owes {money(held.owed_cents)}"
                raise Refusal(f"patron {quoted(patron)} {has} in this store: nothing was imported, use another store")
        for answer in floor.handle_all(self.commands):
            if isinstance(answer, PuntoError):
                raise answer


class _Rehearsal:
    """Plays a shoe on a floor of its own, and notes the commands that were accepted."""

    def __init__(self, floor: Floor, table: str, shoe: ShoeFile, at_ms: int) -> None:
        self.floor = floor
        self.table = table
        self.shoe = shoe
        self.at_ms = at_ms
        self.commands: list[AnyCommand] = []
        self._most = _most_of(shoe)
        self._places: defaultdict[str, int] = defaultdict(count().__next__)
        self._line = 1

    def run(self) -> list[AnyCommand]:
        """Play every round; in the end every patron has cashed out, and the table is closed."""
        self._give(do.OpenTable, setup=_setup(self.shoe, self._most))
        self._give(do.LoadShoe)
        for coup in self.shoe.coups:
            self._line = coup.line
            self._play(coup)
        self._give(do.EndShoe, reason="the text of the shoe ends here")
        for patron in _patrons(self.shoe):
            self._cash_out(patron)
        self._give(do.CloseTable)
        return self.commands

    def _play(self, coup: CoupLine) -> None:
        """One round: bets, cards, and what came of them."""
        self._buy_in(coup)
        self._give(do.OpenBets)
        places: dict[tuple[str, str], Iterator[int]] = {}
        for bet in coup.bets:
            self._place(bet, places.setdefault((bet.patron, bet.wager), self._from_home(bet.patron)))
        self._give(do.CloseBets)
        self._correct_bets(coup)
        for card in coup.cards.split():
            self._draw(card)
        if coup.void is None:
            self._finish()
        else:
            self._rule(f"imported as void: {coup.void or 'no clause'}", Ruling.VOID)

    def _buy_in(self, coup: CoupLine) -> None:
        """Every patron buys what the stakes of this round take beyond the credits."""
        staked: defaultdict[str, int] = defaultdict(int)
        for bet in coup.bets:
            staked[bet.patron] += bet.stake_cents
        for patron, cents in staked.items():
            wanted = cents - self.floor.balance(wallet(patron))
            if wanted > 0:
                self._give(do.BuyIn, _patron(patron), patron=patron, cents=wanted, position=self._home(patron))

    def _cash_out(self, patron: str) -> None:
        """A patron cashes out all credits, in as many parts as it takes."""
        while cents := min(self.floor.balance(wallet(patron)), MOST_CENTS):
            self._give(do.CashOut, _patron(patron), patron=patron, cents=cents, position=self._home(patron))

    def _place(self, bet: Bet, places: Iterator[int]) -> None:
        """Place a wager where there is room for it, up to the maximum."""
        stake = min(bet.stake_cents, self._most[bet.wager])
        # What is found to be more than was entered can only be chips on a layout, which staff enter.
        on_terminal = self.floor.table(self.table).book.conduct.terminals
        by = _patron(bet.patron) if on_terminal or stake == bet.stake_cents else _STAFF
        for position in places:
            try:
                self._try(
                    do.PlaceWager,
                    by,
                    patron=bet.patron,
                    wager=bet.wager,
                    stake_cents=stake,
                    position=position,
                )
            except AreaIsFull:
                continue
            except PuntoError as error:
                raise self._unplayable(error) from error
            else:
                return
        raise self._unplayable(AreaIsFull(f"no position has room for {quoted(bet.patron)} on {bet.wager}"))

    def _correct_bets(self, coup: CoupLine) -> None:
        """After the close, stakes beyond the maximum are found, and what was returned goes back by a ruling."""
        numbered = list(enumerate(coup.bets, 1))
        for number, bet in numbered:
            if bet.stake_cents > self._most[bet.wager]:
                self._give(do.ReportStake, number=number, stake_cents=bet.stake_cents)
        returned = tuple(number for number, bet in numbered if not bet.counted_cents)
        if returned:
            self._rule("imported as returned", Ruling.RETURN, returned)

    def _rule(self, reason: str, ruling: Ruling, wagers: tuple[int, ...] = ()) -> None:
        self._give(do.Refer, matter=reason)
        self._give(do.Rule, ruling=ruling, reason=reason, wagers=wagers)

    def _draw(self, card: str) -> None:
        table = self.floor.table(self.table)
        if table.initial_deal_done and not table.announced:
            self._give(do.Announce)
        self._give(do.DrawCard, card=card)

    def _finish(self) -> None:
        """At a dealt table, the Dealer's announcements and the settlement."""
        while (phase := self.floor.table(self.table).phase) is not Phase.SETTLED:
            self._give(do.Settle if phase is Phase.OUTCOME else do.Announce)

    def _home(self, patron: str) -> int:
        """Every patron has a place of their own, as far as the layout goes."""
        return self._places[patron] % self.floor.table(self.table).open.positions + 1

    def _from_home(self, patron: str) -> Iterator[int]:
        """Every position once, the patron's own first."""
        home, positions = self._home(patron), self.floor.table(self.table).open.positions
        return ((home - 1 + step) % positions + 1 for step in range(positions))

    def _give(self, kind: type[Any], by: Actor = _STAFF, **fields: Any) -> None:  # noqa: ANN401
        try:
            self._try(kind, by, **fields)
        except PuntoError as error:
            raise self._unplayable(error) from error

    def _try(self, kind: type[Any], by: Actor, **fields: Any) -> None:  # noqa: ANN401
        id_ = f"import-{self.table}-{self.at_ms}-{len(self.commands) + 1}"
        command = kind(id=id_, table=self.table, by=by, at_ms=self.at_ms, **fields)
        self.floor.handle(command)
        self.commands.append(command)

    def _unplayable(self, error: PuntoError) -> BadShoeFile:
        return BadShoeFile(f"line {self._line}: the shoe cannot be played here: {error.message}", self._line)


def _patron(name: str) -> Actor:
    return Actor(name, Position.PATRON)


def _patrons(shoe: ShoeFile) -> tuple[str, ...]:
    """Everybody who has a wager in the shoe."""
    return tuple(dict.fromkeys(bet.patron for coup in shoe.coups for bet in coup.bets))


def _setup(shoe: ShoeFile, most: dict[str, int]) -> Setup:
    """A table on which the shoe can be played: large, with a unit that fits every stake, and with the shoe's limits."""
    game = game_of(shoe)
    unit = _unit(shoe, game, most)
    limits = {wager: Limit(unit, Cents(cents)) for wager, cents in most.items()}
    layouts = rulebook_of(game.key, shoe.declaration).conduct.layouts
    return Setup(
        game=game.key,
        declaration=shoe.declaration,
        decks=int(shoe.headers.get("decks", USUAL_DECKS)),
        unit_cents=unit,
        # Those for which the unit is too small are not offered, where they may be left out.
        wagers=tuple(wager.name for wager in game.wagers if unit % unit_of([wager]) == 0),
        layout=max(layouts, key=lambda layout: layout.most).key if layouts else "",
        limits={EVERY: Limit(unit, unit)} | limits,
        digest=shoe.headers.get("digest", ""),
    )


def _unit(shoe: ShoeFile, game: Game, most: dict[str, int]) -> Cents:
    """The chip unit that the shoe names, or the largest up to the usual one that divides every stake.

    No pay line may come to a part of a cent with it (interpretation 6).
    """
    if "unit" in shoe.headers:
        return Cents(int(shoe.headers["unit"]))
    conduct = rulebook_of(game.key, shoe.declaration).conduct
    always = [wager for wager in game.wagers if game.rulebook and not conduct.may_leave_out(wager)]
    least = unit_of([*always, *[game.wager(name) for name in most]])
    unit = lcm(_USUAL_UNIT, unit_of(game.wagers))
    for coup in shoe.coups:
        for bet in coup.bets:
            if bet.stake_cents % least or bet.counted_cents % least:
                stake = f"{quoted(bet.patron)}, {bet.wager}: a stake of {money(bet.stake_cents)} could break a cent"
                raise BadShoeFile(f"line {coup.line}: {stake}: expected a multiple of {money(least)}", coup.line)
            unit = gcd(unit, bet.stake_cents, bet.counted_cents)
    return Cents(unit)


def _most_of(shoe: ShoeFile) -> dict[str, int]:
    """The maximum of each wager of the shoe: what stakes beyond it were settled at, else the largest stake."""
    bets = [(coup, bet) for coup in shoe.coups for bet in coup.bets]
    most: dict[str, int] = {}
    told: dict[str, int] = {}
    for coup, bet in bets:
        if 0 < bet.counted_cents < bet.stake_cents:
            most.setdefault(bet.wager, bet.counted_cents)
            told.setdefault(bet.wager, coup.line)
    for coup, bet in bets:
        over = bet.wager in told and coup.void is None and bet.counted_cents
        if over and bet.counted_cents != min(bet.stake_cents, most[bet.wager]):
            counted, maximum = money(bet.counted_cents), money(most[bet.wager])
            said = f"{counted} was settled on {bet.wager}, and no more than {maximum} in line {told[bet.wager]}"
            raise BadShoeFile(f"line {coup.line}: {said}: a table has one maximum", coup.line)
        if bet.wager not in told:
            most[bet.wager] = max(most.get(bet.wager, 0), bet.stake_cents)
    return most


def _compare(shoe: ShoeFile, played: ShoeFile, deck: Deck) -> None:
    """Refuse a shoe that comes out otherwise than it is written, but for numbers and the clauses of void rounds."""
    for written, came in zip(shoe.coups, played.coups, strict=True):
        cards = " ".join(map(str, parse_cards(written.cards, deck)))
        void = written.void is not None, came.void is not None
        same = cards == came.cards and written.totals == came.totals and written.bets == came.bets
        if not same or void[0] is not void[1] or written.outcome not in {came.outcome, came.outcome[:1]}:
            said = f"round {written.number} would come out as {quoted(str(came), _LONGEST)}"
            raise BadShoeFile(f"line {written.line}: {said}: nothing was imported", written.line)
