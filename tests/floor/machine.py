"""Random commands by random people at tables of every rulebook, and what must hold whatever they do."""

import random
from collections import Counter
from collections.abc import Callable
from collections.abc import Set as AbstractSet
from typing import Any

import msgspec
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from punto.cards import DECKS, Card
from punto.errors import PuntoError
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.floor.replaying import replayed
from punto.games import GAMES
from punto.ledger import TableMeters, escrow, house
from punto.ledger.book import read as read_booked
from punto.record import audit
from punto.rules import RANKS, Found, Method, Position, Side
from punto.rules.money import Cents
from punto.store.contract import Store
from punto.table import PLAYING, Actor, AnyCommand, Limit, Phase, Setup, Source, Table, Timings
from punto.table import commands as do
from punto.table.events import Ruling
from punto.table.log import ENCODER
from punto.table.log import read as read_logged
from punto.table.remedies import OF_CARDS, OF_DELIVERY, OF_ORDER
from punto.table.state import Asked, Counting, Laid, Offer, Ordering, Shoe
from punto.table.view import view

PATRONS = ("ann", "bob", "cho")
START_MS = 1_767_196_800_000
KEYS = Keys.from_secret(b"machine")
SYSTEM = Actor("clock", Position.SYSTEM)
STAFF = tuple(Actor(position.value, position) for position in RANKS)
DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = STAFF
ACTORS = (SYSTEM, *STAFF, *[Actor(name, Position.PATRON) for name in PATRONS])
OUTSIDER = Actor("zed", Position.PATRON)
SIDES = st.sampled_from(Side)
PATRON = st.sampled_from(PATRONS)
STAKES = st.sampled_from([100, 200, 300, 500, 1_000])
AMOUNTS = st.sampled_from([-100, 0, 1, 50, 100, 200, 500, 1_000, 5_000, 9_900, 10_100, 20_000, 2**53, 2**60])
# Another card for each of a deck.
NEXT_CARDS = {
    deck.key: dict(zip(map(str, deck.cards), map(str, (*deck.cards[1:], deck.cards[0])), strict=True))
    for deck in DECKS.values()
}
Draw = Callable[[Any], Any]


@st.composite
def setups(draw: Draw, games: tuple[str, ...]) -> Setup:
    """Tables of these games; some of them cannot be opened."""
    game = draw(st.sampled_from(games))
    dealt = GAMES[game].rulebook in ("B8", "TNC5")
    virtual = draw(st.booleans())
    return Setup(
        game=game,
        decks=draw(st.sampled_from([4, 8])),
        source=Source.VIRTUAL if virtual else Source.DEVICE,
        reads=virtual or draw(st.booleans()),
        method=draw(st.sampled_from([None, Method.A, Method.B])) if dealt else None,
        hlga=dealt and draw(st.booleans()),
        differential_cents=draw(st.sampled_from([0, 300, 1_000])) if dealt else 0,  # type: ignore[arg-type]
        behind=draw(st.sampled_from([0, 14, 200])),
        timings=Timings(bets_ms=1_000, answer_ms=2_000),
    )


class TableMachine(RuleBasedStateMachine):
    """One table on one store."""

    games: tuple[str, ...] = tuple(sorted(GAMES))

    def __init__(self) -> None:
        super().__init__()
        self.chance = random.Random(1)
        self.store = self.open_store()
        self.floor = self.open_floor()
        self.now_ms = START_MS
        self.serial = 0
        self.balances: Counter[str] = Counter()
        self.meters = TableMeters()
        self.read: Counter[str] = Counter()
        self.accepted: list[AnyCommand] = []

    def open_store(self) -> Store:
        raise NotImplementedError

    def open_floor(self) -> Floor:
        return Floor(self.store, KEYS, self.shuffle)

    def shuffle(self, cards: tuple[Card, ...]) -> tuple[Card, ...]:
        return tuple(self.chance.sample(cards, len(cards)))

    @property
    def table(self) -> Table:
        return self.floor.table("T1")

    def teardown(self) -> None:
        self.wind_up()
        report = audit(self.store, public_key=KEYS.public)
        self.store.close()
        assert not report.findings, str(report.findings[0])

    def wind_up(self) -> None:
        """End the round and the shoe, so that a virtual order is opened and held against the cards that came."""
        if self.table.phase in PLAYING:
            self.give(do.Refer, SHIFT, matter="the evening is over")
            self.give(do.Rule, SHIFT, ruling=Ruling.VOID, reason="it is late")
        self.give(do.EndShoe, SHIFT)

    # What is done

    def give(self, kind: type[Any], by: Actor, **fields: Any) -> None:  # noqa: ANN401
        self.serial += 1
        self.now_ms += 100
        command = kind(id=f"c{self.serial}", table="T1", by=by, at_ms=self.now_ms, **fields)
        self.send(command)

    def send(self, command: AnyCommand) -> None:
        before = self.table
        try:
            self.floor.handle(command)
        except PuntoError:
            assert self.table == before, "a refusal leaves the table as it was"
        else:
            self.accepted.append(command)
        self.catch_up()

    @initialize(data=st.data(), seed=st.integers(0, 2**32))
    def open(self, data: st.DataObject, seed: int) -> None:
        self.chance.seed(seed)
        setup = data.draw(setups(self.games))
        self.give(do.OpenTable, SHIFT, setup=setup)
        if self.table.setup is None:
            self.give(do.OpenTable, SHIFT, setup=Setup(game=setup.game))
        for position, patron in enumerate(PATRONS, 1):
            buyer = Actor(patron, Position.PATRON)
            self.give(do.BuyIn, buyer, patron=patron, cents=10_000, position=position)
        if setup.hlga and setup.behind:
            self.give(do.ChooseMethod, ASSISTANT, method=Method.C)
        self.give(do.LoadShoe, SHIFT)
        if data.draw(st.booleans()):
            self.cut(data.draw)
        self.give(do.OpenBets, DEALER)

    @rule(data=st.data(), steps=st.integers(1, 8))
    def play(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            self.go_on(data.draw)

    @rule(data=st.data(), steps=st.integers(1, 4))
    def bet_and_play(self, data: st.DataObject, steps: int) -> None:
        self.bet(data.draw)
        for _ in range(steps):
            self.go_on(data.draw)

    @rule(data=st.data(), wagers=st.integers(1, 4))
    def bet_more(self, data: st.DataObject, wagers: int) -> None:
        for _ in range(wagers):
            self.bet(data.draw)
        if data.draw(st.booleans()):
            self.change(data.draw)

    @rule(data=st.data(), steps=st.integers(0, 6))
    def play_and_disturb(self, data: st.DataObject, steps: int) -> None:
        for _ in range(steps):
            self.go_on(data.draw)
        data.draw(st.sampled_from(DISTURBANCES))(self, data.draw)

    @rule(data=st.data())
    def disturb(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(DISTURBANCES[::-1]))(self, data.draw)

    @rule(data=st.data())
    def handle(self, data: st.DataObject) -> None:
        data.draw(st.sampled_from(HANDLING))(self, data.draw)

    @rule(data=st.data())
    def repeat(self, data: st.DataObject) -> None:
        """A command that was accepted comes again: the first answer, and nothing else happens."""
        command = data.draw(st.sampled_from(self.accepted))
        before = self.table
        self.floor.handle(command)
        assert self.table == before
        self.catch_up()

    @rule()
    def restart(self) -> None:
        """The floor stops and starts again; what it knew, it knows."""
        before, credits_ = self.table, {patron: self.balances[f"wallet/{patron}"] for patron in PATRONS}
        self.floor = self.open_floor()
        assert self.table == before
        assert {patron: self.floor.balance(f"wallet/{patron}") for patron in PATRONS} == credits_
        self.floor.recover(self.now_ms)
        self.catch_up()

    def go_on(self, draw: Draw) -> None:
        """Whatever brings the round forward, by whom it should be."""
        table = self.table
        match table.pending:
            case Offer():
                self.answer(draw)
            case Ordering(cards=cards):
                self.give(do.OrderCards, MANAGER, order=" ".join(draw(st.permutations(cards.split()))))
            case Counting():
                self.count(draw)
            case Asked():
                self.decide(draw)
            case None:
                self.play_on(draw)

    def play_on(self, draw: Draw) -> None:
        table = self.table
        match table.phase:
            case Phase.CLOSED:
                self.give(do.OpenTable, SHIFT, setup=draw(setups(self.games)))
            case Phase.CHANGE_OF_SHOE:
                self.give(do.LoadShoe, DEALER)
            case Phase.IDLE | Phase.SETTLED | Phase.VOID:
                kind: type[Any] = do.EndShoe if table.shoe.spent else do.OpenBets
                self.give(kind, DEALER)
            case Phase.BETS_OPEN:
                self.give(do.CloseBets, DEALER)
            case Phase.OUTCOME:
                self.give(do.Settle, DEALER)
            case _ if table.heavier:
                self.balance(draw)
            case _ if table.initial_deal_done and not table.all_up:
                self.expose(draw)
            case _ if table.initial_deal_done and (not table.announced or table.deal.coup):
                self.give(do.Announce, DEALER)
            case _:
                by = Actor(table.device, Position.PATRON) if table.device else DEALER
                self.give(do.DrawCard, by, card=self.next_card(draw))

    def next_card(self, draw: Draw) -> str | None:
        table = self.table
        if table.open.source is Source.VIRTUAL or table.surplus:
            return None
        place = len(table.cards)
        order = table.game.opening.order
        if place < len(order) and not table.open.reads and table.face_down(order[place]):
            return None
        return str(draw(st.sampled_from(table.game.deck.cards)))

    def expose(self, draw: Draw) -> None:
        table = self.table
        side = draw(st.sampled_from([side for side in Side if not table.lies_open(side)]))
        if table.method is Method.A and table.first is None and not table.announced:
            self.give(do.ChooseFirst, DEALER, side=side)
        custody = table.custody(side)
        if custody.offered:
            kind = draw(st.sampled_from([do.AcceptCards, do.RefuseCards]))
            self.give(kind, Actor(custody.offered, Position.PATRON), patron=custody.offered, side=side)
        if custody.wanted and draw(st.booleans()):
            self.give(do.ChooseHolder, SUPERVISOR, side=side, patron=draw(PATRON))
        holder = self.table.custody(side).hand
        unread = sum(not laid.card for laid in table.hand(side))
        cards = draw(st.lists(st.sampled_from(table.game.deck.cards), min_size=unread, max_size=unread))
        by = Actor(holder, Position.PATRON) if holder else DEALER
        self.give(do.ExposeCards, by, side=side, patron=holder, cards=" ".join(map(str, cards)))

    def answer(self, draw: Draw) -> None:
        offer = self.table.pending
        assert isinstance(offer, Offer)
        if draw(st.booleans()):
            patron = draw(st.sampled_from(offer.waiting))
            wagers = self.table.wagers
            own = tuple(n for n in offer.wagers if n in wagers and wagers[n].patron == patron)
            chosen = own if offer.whole else tuple(draw(st.sets(st.sampled_from(own))))
            by = Actor(patron, Position.PATRON)
            self.give(do.AnswerOffer, by, patron=patron, withdraw=draw(st.sampled_from([(), chosen])))
        else:
            self.now_ms = offer.until_ms
            self.give(do.CallTime, SYSTEM)

    def balance(self, draw: Draw) -> None:
        """One side is too heavy: less there, more on the other, or a wager goes."""
        table = self.table
        placed = draw(st.sampled_from(sorted(table.wagers.values(), key=lambda each: each.number)))
        by = Actor(placed.patron, Position.PATRON)
        match draw(st.sampled_from(["change", "back", "remove"])):
            case "change":
                cents = draw(AMOUNTS)
                self.give(do.ChangeWager, by, patron=placed.patron, number=placed.number, stake_cents=cents)
            case "back":
                self.give(do.TakeBackWager, by, patron=placed.patron, number=placed.number)
            case _:
                cents = draw(st.sampled_from([0, 100]))
                self.give(do.RemoveWager, MANAGER, number=placed.number, stake_cents=cents)

    def bet(self, draw: Draw) -> None:
        table = self.table
        wagers = table.open.wagers if table.setup else ("Player",)
        patron = draw(PATRON)
        wager = draw(st.sampled_from(wagers[:2]) | st.sampled_from(wagers))
        cents, position = draw(STAKES | AMOUNTS), draw(st.integers(1, 3))
        by = Actor(patron, Position.PATRON)
        self.give(do.PlaceWager, by, patron=patron, wager=wager, stake_cents=cents, position=position)

    def change(self, draw: Draw) -> None:
        number = draw(st.integers(1, 4))
        placed = self.table.wagers.get(number)
        patron = placed.patron if placed else draw(PATRON)
        by = Actor(patron, Position.PATRON)
        if draw(st.booleans()):
            self.give(do.TakeBackWager, by, patron=patron, number=number)
        else:
            self.give(do.ChangeWager, by, patron=patron, number=number, stake_cents=draw(STAKES | AMOUNTS))

    def cash(self, draw: Draw) -> None:
        kind: type[Any] = draw(st.sampled_from([do.CashOut, do.BuyIn]))
        patron, position = draw(PATRON), draw(st.integers(0, 3))
        by = Actor(patron, Position.PATRON)
        self.give(kind, by, patron=patron, cents=draw(STAKES | AMOUNTS), position=position)

    def report_cards(self, draw: Draw) -> None:
        found = draw(st.sampled_from(sorted(OF_CARDS, key=str)) | st.sampled_from(Found))
        self.give(do.ReportCards, self.somebody(draw, DEALER), found=found, order_known=draw(st.booleans()))

    def report_order(self, draw: Draw) -> None:
        """The cards that were seen, perhaps with another one, in some order."""
        table = self.table
        if table.setup is None:
            return
        seen = [laid.card for laid in table.cards if laid.card]
        extra = draw(st.lists(st.sampled_from(table.game.deck.cards), max_size=2))
        cards = draw(st.permutations([*seen, *map(str, extra)]))
        order = " ".join(cards) if draw(st.booleans()) else None
        found = draw(st.sampled_from(sorted(OF_ORDER, key=str)))
        self.give(do.ReportOrder, DEALER, found=found, player=" ".join(cards), banker="", order=order)

    def interrupt(self, draw: Draw) -> None:
        terminals = draw(st.sampled_from([(), (), (1,), (1, 2)]))
        self.give(do.ReportInterruption, self.somebody(draw, SYSTEM), terminals=terminals)

    def mishandle(self, draw: Draw) -> None:
        by, side = self.somebody(draw, DEALER), draw(SIDES)
        found = draw(st.sampled_from(sorted(OF_DELIVERY, key=str)))
        unread = sum(not laid.card for laid in self.table.hand(side))
        self.give(do.ReportDelivery, by, side=side, found=found, cards=" ".join(["As", "Kh", "5d"][:unread]))

    def absence(self, draw: Draw) -> None:
        self.give(do.ReportAbsence, self.somebody(draw, DEALER), side=draw(SIDES))

    def set_clock_back(self, draw: Draw) -> None:
        """The clock that commands are stamped by is put right."""
        self.now_ms -= draw(st.integers(1, 20_000))

    def reset(self, draw: Draw) -> None:
        self.give(do.ReportReset, self.somebody(draw, DEALER))

    def carried_off(self, draw: Draw) -> None:
        """Somebody walks off with a hand that was not read, after the other was shown, or with both."""
        table = self.table
        side = draw(SIDES)
        unread = sum(not laid.card for laid in table.hand(side))
        others = sum(not laid.card for laid in table.cards) - unread if draw(st.booleans()) else 0
        left = draw(st.sampled_from(["", "", "7d"]))
        self.give(
            do.ReportCarriedOff,
            self.somebody(draw, DEALER),
            side=side,
            cards=unread - bool(left),
            left=left,
            other_cards=others,
        )

    def display(self, draw: Draw) -> None:
        self.give(do.ReportDisplay, self.somebody(draw, DEALER), shown="Banker wins")

    def refer(self, draw: Draw) -> None:
        self.give(do.Refer, self.somebody(draw, DEALER), matter="a chair fell over")

    def count(self, draw: Draw) -> None:
        """The steps of a count, with cards that may be right."""
        table = self.table
        if table.setup is None:
            return
        two = draw(st.lists(st.sampled_from(table.game.deck.cards), min_size=2, max_size=2))
        self.give(do.SetCardsAside, SHIFT, cards=" ".join(map(str, two)))
        table = self.table
        full = Counter({str(card): table.open.decks for card in table.game.deck.cards})
        seen = Counter(table.shoe.seen)
        in_play = Counter(laid.card for laid in table.cards if laid.card) + Counter(table.surplus)
        left = sorted((full - seen).elements())
        hidden = sum(not laid.card for laid in table.cards)
        gone = [draw(st.sampled_from(left)) for _ in range(hidden)]
        rest = Counter(left) - Counter(gone)
        discards = " ".join((seen - in_play).elements())
        self.give(do.CountCards, SHIFT, device=" ".join(rest.elements()), discards=discards)
        self.give(do.AssignMissing, SHIFT, cards=" ".join(gone))

    def handle_cards(self, draw: Draw) -> None:
        kind: type[Any] = draw(st.sampled_from([do.ChooseHolder, do.PermitSqueeze, do.PassHand]))
        self.give(kind, self.somebody(draw, MANAGER), side=draw(SIDES), patron=draw(PATRON))

    def handle_device(self, draw: Draw) -> None:
        patron = draw(PATRON)
        kind: type[Any] = draw(st.sampled_from([do.TakeDevice, do.TakeDevice, do.GiveUpDevice]))
        self.give(kind, Actor(patron, Position.PATRON), patron=patron)

    def permit_drawing(self, draw: Draw) -> None:
        permitted = draw(st.booleans())
        self.give(do.PermitDrawing, self.somebody(draw, ASSISTANT), patron=draw(PATRON), permitted=permitted)

    def choose_method(self, draw: Draw) -> None:
        self.give(do.ChooseMethod, self.somebody(draw, ASSISTANT), method=draw(st.sampled_from(Method)))

    def restrict(self, draw: Draw) -> None:
        self.give(do.RestrictAreas, self.somebody(draw, MANAGER), most=draw(st.integers(0, 4)))

    def change_limits(self, draw: Draw) -> None:
        name, least = draw(st.sampled_from(["*", "Player", "Tie"])), draw(st.sampled_from([100, 500, 1000]))
        limits = {name: Limit(Cents(least), Cents(draw(st.sampled_from([500, 10_000, 1_000_000]))))}
        differential = draw(st.none() | st.sampled_from([0, 5_000]))
        self.give(do.ChangeLimits, self.somebody(draw, SUPERVISOR), limits=limits, differential_cents=differential)

    def run_table(self, draw: Draw) -> None:
        kinds = [do.CloseTable, do.EndShoe, do.LoadShoe, do.OpenBets, do.CloseBets, do.Announce, do.Settle]
        kind: type[Any] = draw(st.sampled_from([*kinds, do.ShowCuttingCard, do.AllowWithdrawal, do.CallTime]))
        self.give(kind, self.somebody(draw, MANAGER))

    def cut(self, draw: Draw) -> None:
        patron = draw(PATRON)
        self.give(do.CutShoe, Actor(patron, Position.PATRON), patron=patron, cards=draw(st.integers(-1, 600)))

    def find_stake(self, draw: Draw) -> None:
        number, cents = draw(st.integers(1, 4)), draw(STAKES | AMOUNTS)
        self.give(do.ReportStake, self.somebody(draw, DEALER), number=number, stake_cents=cents)

    def decide(self, draw: Draw) -> None:
        ruling = draw(st.sampled_from(Ruling))
        wagers = tuple(draw(st.lists(st.integers(1, 3), min_size=1))) if ruling is Ruling.RETURN else ()
        self.give(do.Rule, self.somebody(draw, SHIFT), ruling=ruling, reason="seen on camera", wagers=wagers)

    def correct(self, draw: Draw) -> None:
        cents, other = draw(STAKES | AMOUNTS), draw(st.sampled_from(STAFF))
        self.give(do.CorrectCredits, SUPERVISOR, patron=draw(PATRON), cents=cents, reason="misread", approved_by=other)

    def somebody(self, draw: Draw, right: Actor) -> Actor:
        """Mostly who should, and sometimes anybody."""
        return right if draw(st.integers(0, 4)) else draw(st.sampled_from(ACTORS))

    # What must hold

    def catch_up(self) -> None:
        """Read what was written since, as anybody could."""
        for stream, tip in list(self.store.streams()):
            if tip.version == self.read[stream]:
                continue
            for entry in self.store.read(stream, self.read[stream]):
                if stream.startswith("table/"):
                    self.meters.add(read_logged(entry.body).event)
                elif stream.startswith(("wallet/", "book/")):
                    booked = read_booked(entry.body)
                    assert booked.cents > 0
                    self.balances[booked.giver] -= booked.cents
                    self.balances[booked.taker] += booked.cents
                    if stream.startswith("wallet/"):
                        assert booked.balance_cents == self.balances[stream]
            self.read[stream] = tip.version

    @invariant()
    def money_is_conserved(self) -> None:
        assert sum(self.balances.values()) == 0
        for account, cents in self.balances.items():
            assert cents >= 0 or account.split("/")[0] in ("cash", "house", "corrections", "owed"), account

    @invariant()
    def meters_agree_with_the_ledger(self) -> None:
        total = self.meters.total
        assert total.escrow_cents == self.balances[escrow("T1")]
        assert total.hold_cents == self.balances[house("T1")]
        assert total.out_cents - total.in_cents == self.balances["cash/T1"]
        staked = sum(placed.cents for placed in self.table.wagers.values())
        assert total.escrow_cents == (0 if self.table.settled else staked)
        for name in ("in_cents", "wagered_cents", "won_cents", "returned_cents", "escrow_cents"):
            assert getattr(total, name) == sum(getattr(each, name) for each in self.meters.positions.values())

    @invariant()
    def cards_are_conserved(self) -> None:
        table = self.table
        if table.setup is None or table.shoe.spent:
            return
        assert all(0 < copies <= table.setup.decks for copies in table.shoe.seen.values())
        unread = sum(not laid.card for laid in table.cards) if table.phase in PLAYING else 0
        assert sum(table.shoe.seen.values()) + unread <= table.shoe.drawn
        assert table.shoe.drawn <= table.setup.decks * table.game.deck.size

    @invariant()
    def what_is_hidden_is_not_seen(self) -> None:
        table = self.table
        if table.setup is None:
            return
        twins: dict[frozenset[Side], Table] = {}
        for viewer in (None, OUTSIDER, *ACTORS):
            own = frozenset(side for side in Side if viewer and table.custody(side).hand == viewer.name)
            if own not in twins:
                twins[own] = twin(table, own)
            assert ENCODER.encode(view(twins[own], viewer)) == ENCODER.encode(view(table, viewer))

    @invariant()
    def replay_gives_the_same_table(self) -> None:
        table, tip, _ = replayed(self.store, KEYS, "table/T1")
        assert table == self.table
        assert tip == self.store.tip("table/T1")


DISTURBANCES = (
    TableMachine.absence,
    TableMachine.set_clock_back,
    TableMachine.carried_off,
    TableMachine.cash,
    TableMachine.change,
    TableMachine.correct,
    TableMachine.count,
    TableMachine.cut,
    TableMachine.decide,
    TableMachine.display,
    TableMachine.find_stake,
    TableMachine.interrupt,
    TableMachine.mishandle,
    TableMachine.refer,
    TableMachine.report_cards,
    TableMachine.report_order,
    TableMachine.report_order,
    TableMachine.reset,
    TableMachine.run_table,
)
HANDLING = (
    TableMachine.choose_method,
    TableMachine.handle_cards,
    TableMachine.handle_device,
    TableMachine.permit_drawing,
    TableMachine.restrict,
    TableMachine.change_limits,
)


def twin(table: Table, own: AbstractSet[Side]) -> Table:
    """The same table with other cards wherever a viewer may not see them, who handles only *own* hands."""
    other = NEXT_CARDS[table.game.deck.key]
    cards = tuple(
        laid if laid.up or not laid.card or laid.side in own else Laid(other[laid.card], laid.side, laid.up)
        for laid in table.cards
    )
    shoe: Shoe = msgspec.structs.replace(table.shoe, sealed="other", seen={})
    return msgspec.structs.replace(table, cards=cards, shoe=shoe, surplus=tuple(other[card] for card in table.surplus))
