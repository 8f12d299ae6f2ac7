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
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.replaying import replayed
from punto.games import GAMES
from punto.ledger import TableMeters, escrow, house
from punto.ledger.book import read as read_booked
from punto.record import audit
from punto.rules import RANKS, Found, Method, Position, Result, Side
from punto.rules.money import Cents
from punto.store.contract import Store
from punto.table import PLAYING, Actor, AnyCommand, Limit, Phase, Setup, Source, Table, Timings, with_virtual_cards
from punto.table import commands as do
from punto.table.commands.irregularities import Part
from punto.table.events import Ruling, ShoeRuling, StatedResult
from punto.table.log import ENCODER
from punto.table.log import read as read_logged
from punto.table.reports import REPORTED_WITH
from punto.table.state import Asked, Counting, Laid, Offer, Ordering, Shoe
from punto.table.view import view

PATRONS = ("ann", "bob", "cho")
START_MS = 1_767_196_800_000
OF_CARDS, OF_ORDER, OF_DELIVERY = (
    [found for found, command in REPORTED_WITH.items() if command is kind]
    for kind in (do.ReportCards, do.ReportOrder, do.ReportDelivery)
)
KEYS = Keys.from_secret(b"machine")
SYSTEM = Actor("clock", Position.SYSTEM)
STAFF = tuple(Actor(position.value, position) for position in RANKS)
DEALER, SUPERVISOR, MANAGER, ASSISTANT, SHIFT = STAFF
# Decides what others have reported, whoever they are.
DECIDES = Actor("somebody else", Position.GAMING_SHIFT_MANAGER)
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
    setup = Setup(
        game=game,
        decks=draw(st.sampled_from([4, 8])),
        reads=virtual or draw(st.booleans()),
        method=draw(st.sampled_from([None, Method.A, Method.B])) if dealt else None,
        hlga=dealt and draw(st.booleans()),
        differential_cents=draw(st.sampled_from([0, 300, 1_000])) if dealt else 0,  # type: ignore[arg-type]
        behind=draw(st.sampled_from([0, 14, 200])),
        timings=Timings(bets_ms=1_000, answer_ms=2_000),
    )
    return with_virtual_cards(setup) if virtual else setup


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
            self.give(do.Refer, DEALER, matter="the evening is over")
        # A void may refer cards that were seen; there are only so many.
        for _ in range(20 if self.table.asked else 0):
            in_place = self.table.phase is not Phase.CHANGE_OF_SHOE and not self.table.shoe.out
            fields = {"reason": "it is late", "shoe": ShoeRuling.REPLACE if in_place else None}
            self.give(do.Rule, DECIDES, ruling=Ruling.VOID, **fields)
            if self.table.phase not in PLAYING and self.table.asked:
                self.give(do.Rule, DECIDES, ruling=Ruling.CONTINUE, **fields)
        assert self.table.awaited is None, "a decision ends whatever is awaited"
        assert self.table.phase not in PLAYING, "a void ends every round"
        self.give(do.EndShoe, SHIFT, reason="to see the cards")

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
        match table.awaited:
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
                self.give(do.OpenTable, SHIFT, setup=draw(setups(self.games)), **self.beyond_the_file(draw))
            case Phase.CHANGE_OF_SHOE:
                self.give(do.LoadShoe, DEALER)
            case Phase.IDLE | Phase.SETTLED | Phase.VOID:
                self.begin_another(draw)
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
                self.draw_card(draw)

    def begin_another(self, draw: Draw) -> None:
        shoe = self.table.shoe
        if shoe.proposed and not shoe.spent and draw(st.booleans()):
            self.keep_shoe(draw)
        else:
            kind: type[Any] = do.EndShoe if shoe.spent or shoe.proposed else do.OpenBets
            self.give(kind, DEALER)

    def draw_card(self, draw: Draw) -> None:
        table = self.table
        by = Actor(table.device, Position.PATRON) if table.device else DEALER
        if table.method is Method.C and not table.device and not table.dealer_stands_in:
            self.give(do.Refer, DEALER, matter="nobody is at the device")
        else:
            self.give(do.DrawCard, by, card=self.next_card(draw))

    def next_card(self, draw: Draw) -> str | None:
        table = self.table
        if table.open.source is Source.VIRTUAL or (table.spare and table.spare[0].card):
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
        by = draw(st.sampled_from([Actor(patron, Position.PATRON), DEALER]))
        same = draw(st.sampled_from([0, 0, 1])) if by is DEALER else 0
        fields = {"wager": wager, "stake_cents": cents, "position": position, "same_moment_as": same}
        self.give(do.PlaceWager, by, patron=patron, **fields)

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
        found = draw(st.sampled_from(OF_CARDS) | st.sampled_from(Found))
        deck = self.table.game.deck.cards if self.table.setup else ()
        cards = " ".join(map(str, draw(st.lists(st.sampled_from(deck), max_size=2)))) if deck else ""
        by = self.somebody(draw, DEALER)
        self.give(do.ReportCards, by, found=found, order_known=draw(st.booleans()), cards=cards)

    def keep_shoe(self, draw: Draw) -> None:
        table = self.table
        left = table.open.decks * table.game.deck.size - table.shoe.drawn if table.setup else 0
        counted = draw(st.sampled_from([None, left, left, left + 1]))
        self.give(do.KeepShoe, self.somebody(draw, MANAGER), reason="counted twice", counted=counted)

    def restore_terminals(self, draw: Draw) -> None:
        self.give(do.RestoreTerminals, self.somebody(draw, SYSTEM), terminals=self.table.down or (1,))

    def report_order(self, draw: Draw) -> None:
        """The cards that were seen, perhaps with another one, in some order."""
        table = self.table
        if table.setup is None:
            return
        hidden = draw(st.booleans())
        seen = ["?" if not laid.card or (hidden and not laid.up) else laid.card for laid in table.cards]
        extra = draw(st.lists(st.sampled_from([*table.game.deck.cards, "?", "?"]), max_size=2))
        cards = draw(st.permutations([*seen, *map(str, extra)]) | st.just([*seen, *map(str, extra)]))
        order = " ".join(cards) if draw(st.booleans()) else None
        found = draw(st.sampled_from(OF_ORDER))
        first = draw(st.integers(1, max(len(cards) - 1, 1)))
        together = (first, first + 1) if found is Found.DRAWN_TOGETHER else ()
        hands = {"player": " ".join(cards), "banker": "", "order": order}
        self.give(do.ReportOrder, DEALER, found=found, together=together, **hands)

    def interrupt(self, draw: Draw) -> None:
        terminals = draw(st.sampled_from([(), (), (1,), (1, 2)]))
        self.give(do.ReportInterruption, self.somebody(draw, SYSTEM), terminals=terminals)

    def mishandle(self, draw: Draw) -> None:
        by, side = self.somebody(draw, DEALER), draw(SIDES)
        found = draw(st.sampled_from(OF_DELIVERY))
        hand = self.table.hand(side)
        down = [laid.card for laid in hand if not laid.up]
        named = draw(st.integers(0, len(down)))
        cards = " ".join(card or name for card, name in zip(down[:named], ["As", "Kh", "5d"], strict=False))
        places = (draw(st.integers(1, 3)),) if draw(st.booleans()) and named == 1 else ()
        self.give(do.ReportDelivery, by, side=side, found=found, cards=cards, places=places)

    def absence(self, draw: Draw) -> None:
        self.give(do.ReportAbsence, self.somebody(draw, DEALER), side=draw(SIDES | st.none()))

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
        in_play = Counter(laid.card for laid in table.cards if laid.card) + Counter(each.card for each in table.spare)
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
        fields = {"limits": limits, "differential_cents": differential, **self.beyond_the_file(draw)}
        self.give(do.ChangeLimits, self.somebody(draw, draw(st.sampled_from([SUPERVISOR, SHIFT]))), **fields)

    def beyond_the_file(self, draw: Draw) -> dict[str, Any]:
        """Mostly what a table is set up with is the file's; else a second person confirms it, or should."""
        if draw(st.integers(0, 3)):
            return {}
        return {"beyond_file": True, "confirmed_by": draw(st.none() | st.sampled_from(STAFF))}

    def run_table(self, draw: Draw) -> None:
        kinds = [do.CloseTable, do.EndShoe, do.LoadShoe, do.OpenBets, do.CloseBets, do.Announce, do.Settle]
        kind: type[Any] = draw(st.sampled_from([*kinds, do.ShowCuttingCard, do.AllowWithdrawal, do.CallTime]))
        self.give(kind, self.somebody(draw, MANAGER))

    def cut(self, draw: Draw) -> None:
        patron = draw(PATRON)
        self.give(do.CutShoe, Actor(patron, Position.PATRON), patron=patron, cards=draw(st.integers(-1, 600)))

    def find_stake(self, draw: Draw) -> None:
        number, cents = draw(st.integers(1, 4)), draw(STAKES | AMOUNTS)
        by, second = self.somebody(draw, DEALER), draw(st.none() | st.sampled_from(STAFF))
        self.give(do.ReportStake, by, number=number, stake_cents=cents, confirmed_by=second)

    def decide(self, draw: Draw) -> None:
        """A decision with one of its parts, or none."""
        table = self.table
        if table.setup is None:
            return
        ruling = draw(st.sampled_from(Ruling))
        fields: dict[str, Any] = {"ruling": ruling, "round": draw(st.sampled_from([0, 0, 0, 1, table.round + 1]))}
        if ruling is Ruling.RETURN:
            fields["wagers"] = tuple(draw(st.lists(st.integers(1, 3), min_size=1)))
        elif ruling is Ruling.ORDER:
            out = [laid.card or "?" for laid in table.cards] + [spare.told for spare in table.spare]
            fields["order"] = " ".join(draw(st.permutations(out)))
        for _ in range(draw(st.integers(0, 2))):
            fields |= self.part_of_a_decision(draw)
        left = table.open.decks * table.game.deck.size - table.shoe.drawn
        if draw(st.booleans()):
            fields["shoe"] = draw(st.sampled_from(ShoeRuling))
            fields["counted"] = draw(st.sampled_from([None, left, left - 1]))
        self.give(do.Rule, self.somebody(draw, SHIFT), reason="seen on camera", **fields)

    def part_of_a_decision(self, draw: Draw) -> dict[str, Any]:
        known = [each.told for each in self.table.loose]
        match draw(st.sampled_from(["", "part", "result", "burn", "next", "play", "reopen", "method"])):
            case "part":
                return {"parts": (Part(draw(st.integers(1, 3)), Cents(draw(st.sampled_from([100, 200])))),)}
            case "result":
                return {"results": (StatedResult(draw(st.integers(1, 3)), draw(st.sampled_from(Result))),)}
            case "burn" | "play" as part:
                deck = [str(card) for card in self.table.game.deck.cards]
                return {part: draw(st.sampled_from(known or deck) | st.sampled_from(deck))}
            case "next":
                return {"burn_next": draw(st.integers(-1, 5))}
            case "reopen":
                return {"reopen": True}
            case "method":
                return {"method": draw(st.sampled_from(Method))}
        return {}

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
    def bets_are_open_on_no_card_that_was_seen(self) -> None:
        if self.table.phase is Phase.BETS_OPEN and not self.table.asked:
            assert not self.table.barred

    @invariant()
    def what_is_hidden_is_not_seen(self) -> None:
        table = self.table
        if table.setup is None:
            return
        twins: dict[frozenset[Side], Table] = {}
        for viewer in (None, OUTSIDER, *ACTORS):
            own = frozenset(side for side in Side if viewer and table.handler(side) == viewer.name)
            if own not in twins:
                twins[own] = twin(table, own)
            assert ENCODER.encode(view(twins[own], viewer)) == ENCODER.encode(view(table, viewer))

    @invariant()
    def replay_gives_the_same_table(self) -> None:
        found = replayed(History(self.store, KEYS), "table/T1")
        assert found.table == self.table
        assert found.tip == self.store.tip("table/T1")
        assert found.meters == self.floor.meters("T1")


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
    TableMachine.keep_shoe,
    TableMachine.restore_terminals,
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
        laid
        if laid.up or not laid.card or laid.side in own
        else Laid(other[laid.card], laid.side, laid.up, laid.in_hands)
        for laid in table.cards
    )
    shoe: Shoe = msgspec.structs.replace(table.shoe, sealed="other", seen={})
    spare = tuple(msgspec.structs.replace(each, card=other.get(each.card, "")) for each in table.spare)
    return msgspec.structs.replace(table, cards=cards, shoe=shoe, spare=spare)
