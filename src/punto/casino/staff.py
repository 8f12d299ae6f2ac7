"""Staff at their consoles: a Dealer who deals, and managers who decide; people who make mistakes."""

from random import Random
from typing import TYPE_CHECKING, Any, Final

from punto.casino.people import Person, State
from punto.rules import Found, Method, Side
from punto.table import PLAYING, Phase, Source, Table
from punto.table.commands import ReportCards, ReportDelivery
from punto.table.reports import REPORTED_WITH

if TYPE_CHECKING:
    from punto.casino.house import Casino

_OF_CARDS: Final = [found.value for found, kind in REPORTED_WITH.items() if kind is ReportCards]
_OF_DELIVERY: Final = [found.value for found, kind in REPORTED_WITH.items() if kind is ReportDelivery]
# After so many cards, the cutting card comes out of a device.
_CUTTING_CARD_AFTER: Final = 46
_OUT_OF_TURN: Final = (
    "open-bets",
    "close-bets",
    "announce",
    "settle",
    "draw-card",
    "load-shoe",
    "end-shoe",
    "call-time",
)
_WRONG: Final = "a chair fell over"


class Staff(Person):
    """Somebody at a console."""

    is_known_as = "staff"

    def watch(self, key: str) -> None:
        """Look at a table as staff do."""
        self.send({"t": "watch", "table": key, "role": "staff"})

    def true(self, key: str) -> Table:
        """The table as it lies there, for whoever stands at it."""
        return self.casino.truth.table(key)

    def is_waiting(self) -> bool:
        """Whether something was asked that has no answer yet."""
        return bool(self.pending)


class Dealer(Staff):
    """Somebody who deals at one table."""

    thinks_s = 0.5

    def __init__(self, casino: "Casino", name: str, table: str) -> None:
        super().__init__(casino, name)
        self.table = table
        self._has_come = False
        self._shoes: dict[int, list[str]] = {}

    def arrive(self) -> None:
        """Take the table, or take it again."""
        self.send({"t": "take-table", "table": self.table, "again": self._has_come})
        self._has_come = True
        self.watch(self.table)

    def think(self) -> None:
        """Do what is due, or something else by mistake."""
        staff, state = self.staff.get(self.table), self.tables.get(self.table)
        if staff is None or state is None or self.is_waiting():
            return
        if staff["dealer"] != self.name:
            if self.now_and_then(0.2):
                self.send({"t": "take-table", "table": self.table})
            return
        if self.now_and_then(0.03):
            self.casino.trace.count("mistakes of staff")
            self._do(self.chance.choice(_OUT_OF_TURN))
        elif self.now_and_then(0.03):
            self._mishap(self.true(self.table))
        elif staff["pending"] and staff["pending"]["what"] == "answers" and self.now_and_then(0.2):
            self._do("call-time")
        elif staff["next"]:
            due = staff["next"]
            named = {name: due[name] for name in ("side", "patron") if due[name]}
            self._do(due["do"], named, due["needs_cards"])

    def _do(self, do: str, named: State | None = None, cards: int = 0) -> None:
        table, named = self.true(self.table), dict(named or {})
        if table.setup is None:
            return
        match do:
            case "draw-card" if table.open.source is Source.DEVICE:
                if table.shoe.drawn >= _CUTTING_CARD_AFTER and not table.shoe.cutting_card:
                    do = "show-cutting-card"
                elif not (table.spare and table.spare[0].card):
                    named["card"] = self._next_card(table)
            case "expose-cards" if cards:
                named["cards"] = " ".join(self._face_down(table, Side(named["side"])))
            case "refer":
                named["matter"] = "nobody controls the device"
        self.act(self.table, do, **named)

    def _shoe(self, table: Table) -> list[str]:
        """The cards in the device, in the order in which they come."""
        if table.shoes not in self._shoes:
            cards = [str(card) for card in table.game.deck.cards] * table.open.decks
            Random(f"{self.casino.seed}/{self.table}/{table.shoes}").shuffle(cards)
            self._shoes[table.shoes] = cards
        return self._shoes[table.shoes]

    def _next_card(self, table: Table) -> str | None:
        """The card that comes; none where nobody can read it yet; now and then it is misread."""
        order = table.game.opening.order
        place = len(table.cards)
        side = order[place] if place < len(order) else table.deal.next
        if side is not None and not table.open.reads and table.face_down(side):
            return None
        if self.now_and_then(0.02):
            self.casino.trace.count("cards misread")
            return str(self.chance.choice(table.game.deck.cards))
        shoe = self._shoe(table)
        return shoe[min(table.shoe.drawn, len(shoe) - 1)]

    def _face_down(self, table: Table, side: Side) -> list[str]:
        """The names of a hand's cards that nobody has read."""
        shoe, out = self._shoe(table), table.shoe.drawn - len(table.cards)
        places = [place for place, laid in enumerate(table.cards) if laid.side is side and not laid.card]
        return [shoe[min(out + place, len(shoe) - 1)] for place in places]

    def _mishap(self, table: Table) -> None:
        """Something goes wrong at the table, and is reported."""
        if table.setup is None:
            return
        self.casino.trace.count("irregularities reported")
        choice = self.chance.choice
        side = choice([each.value for each in Side])
        seen = [laid.card or "?" for laid in table.cards]
        if table.phase not in PLAYING and table.phase is not Phase.SETTLED:
            self.act(self.table, "refer", matter=_WRONG)
            return
        match choice(("refer", "cards", "order", "order", "delivery", "reset", "absence", "stake", "display", "off")):
            case "refer":
                self.act(self.table, "refer", matter=_WRONG)
            case "cards":
                known = str(choice(table.game.deck.cards)) if self.now_and_then(0.3) else ""
                fields: dict[str, Any] = {
                    "found": choice(_OF_CARDS),
                    "cards": known,
                    "order_known": self.now_and_then(0.5),
                }
                self.act(self.table, "report-cards", **fields)
            case "order":
                found = choice((Found.WRONG_ORDER, Found.WRONG_NUMBER, Found.DRAWN_TOGETHER))
                order = " ".join(self.chance.sample(seen, len(seen))) if self.now_and_then(0.8) else None
                together = [1, 2] if found is Found.DRAWN_TOGETHER else []
                fields = {"found": found.value, "player": " ".join(seen), "banker": "", "together": together}
                self.act(self.table, "report-order", order=order, **fields)
            case "delivery":
                self.act(self.table, "report-delivery", found=choice(_OF_DELIVERY), side=side)
            case "reset":
                self.act(self.table, "report-reset")
            case "absence":
                self.act(self.table, "report-absence", side=side)
            case "stake":
                number = choice(sorted(table.wagers) or [1])
                self.act(self.table, "report-stake", number=number, stake_cents=choice((100, 5_000, 1_000_000)))
            case "display":
                self.act(self.table, "report-display", shown="Banker wins")
            case "off":
                self.act(self.table, "report-carried-off", side=side, cards=2)


class Manager(Staff):
    """Somebody who decides what is referred, at any table."""

    thinks_s = 1.5

    def arrive(self) -> None:
        """Look at the whole floor, and at each table."""
        self.send({"t": "watch-floor"})
        for table in self.casino.config.tables:
            self.watch(table.key)

    def think(self) -> None:
        """Decide what waits for a decision, confirm what another has proposed, and interfere a little."""
        if self.is_waiting():
            return
        for key in self.staff:
            staff = self.staff[key]
            other = [each for each in staff["proposals"] if each["by"] != self.name]
            if other and self.now_and_then(0.7):
                kind = "confirm" if self.now_and_then(0.7) else "withdraw"
                self.ask({"t": kind, "table": key, "digest": other[0]["digest"]})
                return
            if staff["pending"] and self.now_and_then(0.6):
                self._decide(key, staff["pending"])
                return
        if self.now_and_then(0.05) and self.staff:
            self._interfere(self.chance.choice(sorted(self.staff)))

    def _decide(self, key: str, pending: State) -> None:
        table = self.true(key)
        if table.setup is None:
            return
        match pending["what"]:
            case "decision":
                self.act(key, "rule", **self._ruling(table))
            case "order":
                cards = pending["cards"].split()
                certain, rest = cards[: pending["certain"]], cards[pending["certain"] :]
                self.act(key, "order-cards", order=" ".join([*certain, *self.chance.sample(rest, len(rest))]))
            case "balance" if table.wagers:
                self.act(key, "remove-wager", number=self.chance.choice(sorted(table.wagers)), stake_cents=0)
            case "count":
                self.act(key, "refer", matter="the count comes to nothing")
            case "answers":
                self.act(key, "call-time")

    def _ruling(self, table: Table) -> State:
        ruling = self.chance.choice(("continue", "continue", "void", "void", "return"))
        fields: State = {"reason": "seen on camera", "ruling": ruling}
        if ruling == "return":
            if not table.wagers:
                return fields | {"ruling": "continue"}
            fields["wagers"] = [self.chance.choice(sorted(table.wagers))]
        if ruling == "void" and self.now_and_then(0.3):
            fields["shoe"] = "replace"
        return fields

    def _interfere(self, key: str) -> None:
        table = self.true(key)
        if table.setup is None:
            return
        match self.chance.choice(("refer", "limits", "close", "terminal", "restore", "method", "correct", "open")):
            case "refer":
                self.act(key, "refer", matter=_WRONG)
            case "limits":
                most = self.chance.choice((50_000, 500_000, 1_000_000))
                self.act(key, "change-limits", limits={"*": {"min_cents": 500, "max_cents": most}})
            case "close":
                self.act(key, "close-table")
            case "terminal":
                self.act(key, "report-interruption", terminals=[self.chance.randint(1, 3)])
            case "restore":
                self.act(key, "restore-terminals", terminals=list(table.down) or [1])
            case "method":
                self.act(key, "choose-method", method=self.chance.choice(list(Method)).value)
            case "correct":
                self.casino.correct(self, key)
            case "open":
                self.act(key, "restrict-areas", most=self.chance.randint(1, 3))
