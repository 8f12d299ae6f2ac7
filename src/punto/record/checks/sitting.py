"""One table as the audit sees it after each event: only what is needed to judge the next one."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum, auto
from typing import TYPE_CHECKING, Final, NamedTuple

from punto.cards import Card
from punto.record.checks.cards import UNREAD, Laid, Shoe
from punto.record.checks.findings import Code, Findings, VirtualShoe
from punto.record.checks.meters import Meters
from punto.record.checks.terms import SECOND, THIRD, Terms
from punto.record.checks.written import Actor, Payment
from punto.rules import Deal, Found, Method, Position, Remedy, Side

if TYPE_CHECKING:
    from punto.record.checks import matters
    from punto.record.checks.awaited import Asked, Count, Matter, Offer, Ordering


class Phase(Enum):
    """Where the round is."""

    CLOSED = auto()
    IDLE = auto()
    BETS_OPEN = auto()
    DEALING = auto()
    OUTCOME = auto()
    SETTLED = auto()
    VOID = auto()


VOIDS: Final = frozenset({Remedy.VOID, Remedy.VOID_AND_PROPOSE, Remedy.VOID_AND_REPLACE})
# What is found of the contents of a shoe, and of cards that are still in the device.
OF_CONTENTS: Final = frozenset({Found.EXTRA_CARDS, Found.MISSING_CARDS, Found.FOREIGN_CARDS})
IN_DEVICE: Final = frozenset({Found.FACE_UP_IN_DEVICE, Found.EXPOSED_IN_MOVING})
# What is found of the cards or the device, whether or not a round is under way.
OF_CARDS: Final = IN_DEVICE | OF_CONTENTS | {Found.UNSHUFFLED_CARDS, Found.ORDER_ALTERED, Found.DISORDERED_IN_MOVING}
# The most third cards that a coup may want, Player's and Banker's.
MOST_WANTING: Final = 2
# What is found of the order or number of cards; the report names them as they lie.
OF_THE_DEAL: Final = frozenset({Found.WRONG_ORDER, Found.WRONG_NUMBER, Found.DRAWN_TOGETHER})
BETWEEN = frozenset({Phase.IDLE, Phase.SETTLED, Phase.VOID})
IN_ROUND = frozenset({Phase.BETS_OPEN, Phase.DEALING, Phase.OUTCOME})
AFTER_CLOSE = frozenset({Phase.DEALING, Phase.OUTCOME})


@dataclass(slots=True)
class Bet:
    """A wager on the table; *since* is when it last changed."""

    number: int
    patron: str
    wager: str
    cents: int
    position: int
    since: int


@dataclass(slots=True)
class Custody:
    """Who handles a hand."""

    offered: str = ""
    refused: set[str] = field(default_factory=set)
    holder: str = ""
    designee: str = ""
    wanted: bool = False
    # The patron is not there, and the Dealer exposes the hand (5.10).
    kept: bool = False
    # Who may squeeze the hand, and in whose place; that is for the whole round (3.16).
    permitted: tuple[str, str] = ("", "")

    def take(self, patron: str) -> None:
        """The hand is given to a patron; whoever had leave to squeeze it has it no more."""
        self.holder, self.designee, self.offered, self.wanted = patron, "", "", False
        if any(self.permitted):
            self.permitted = patron, ""

    def drop(self) -> None:
        """The hand is with nobody but who has leave to squeeze it."""
        self.offered = ""
        self.holder, self.designee = self.permitted


class Withholding(NamedTuple):
    """Shoes that were abandoned because a contribution was withheld: who withheld one, and who revealed theirs."""

    shoes: int = 0
    barred: frozenset[str] = frozenset()
    revealed: frozenset[str] = frozenset()


class Sitting:
    """A table from its first event on."""

    def __init__(self, key: str, stream: str, findings: Findings) -> None:
        self.key = key
        self.stream = stream
        self.findings = findings
        self.meters = Meters()
        # The event that is being looked at
        self.version = 0
        self.at_ms = 0
        self.by = Actor("", Position.SYSTEM)
        # The table
        self.phase = Phase.CLOSED
        self.terms: Terms | None = None
        # The terms from the next round on, where limits were changed.
        self.ahead: Terms | None = None
        self.round = 0
        self.shoes = 0
        # The shoe in place, if there is one, and the one that the round was dealt from.
        self.shoe: Shoe | None = None
        self.dealt_from = Shoe()
        self.virtual_shoes: list[VirtualShoe] = []
        # What patrons have withheld since bets last opened, and how many shoes were taken out since the last wager.
        self.withholding = Withholding()
        self.unplayed = 0
        # The method of the round, and the one chosen for the next while a paid round of another is put in order.
        self.method: Method | None = None
        self.dealt_by: Method | None = None
        self.next_method: Method | None = None
        self.area_most = 0
        self.warned: dict[str, int] = {}
        self.may_draw: set[str] = set()
        self.device = ""
        # The terminals that are down.
        self.down: set[int] = set()
        # What lies aside for patrons.
        self.withheld: dict[str, int] = {}
        self.matters = 0
        # Who may have reported what the command that is looked at refers; nobody where the table found it by itself.
        self.reporters: frozenset[str] = frozenset({""})
        # The table is being opened: the ranks of its setup are not in force yet.
        self.opening = False
        # The edition of the register of interpretations that the table is conducted by.
        self.edition = 0
        # Of the command that is being looked at: what was found or taken up again, what was ruled, and which offer
        # was closed.
        self.matter: Matter | None = None
        self.ruling = ""
        self.ruled_round = 0
        self.closed: Offer | None = None
        # What is still to be referred, and the cards that a decision has played.
        self.to_refer: Found | None = None
        self.played: list[str] = []
        # The report that was taken up, if what it leads to is still to come; and one that was dropped.
        self.due_report: matters.ReportKept | None = None
        self.dropped: list[Found] = []
        self.begin_round()

    def __getstate__(self) -> dict[str, object]:
        """The deal is worked out again from the cards."""
        return self.__dict__ | {"_deal": None}

    def begin_round(self) -> None:
        """Forget the last round."""
        self.bets: dict[int, Bet] = {}
        # The wagers that staff placed for patrons, and those whose amount staff entered last.
        self.by_staff: set[int] = set()
        self.in_chips: set[int] = set()
        self.serial = 0
        self.moves = 0
        self.heavier: Side | None = None
        self.payments: tuple[Payment, ...] = ()
        self.lost_device = ""
        self.stated: dict[int, tuple[str, str]] = {}
        self.stands_in = False
        # The cutting card came before the round's first card.
        self.cutting_first = False
        # An interruption came while something else was awaited, and has still to take its course (interpretation 38).
        self.interrupted = False
        # What wagers came to at the close, where they were found to be otherwise since.
        self.accepted: dict[int, int] = {}
        # The round has been paid once, and so is over (interpretation 43).
        self.paid = False
        self.custody = {Side.PLAYER: Custody(), Side.BANKER: Custody()}
        self.clear_cards()
        self.decided()

    def end_round(self) -> None:
        """The round is over: the method that was chosen meanwhile is in force."""
        if self.next_method is not None:
            self.method, self.next_method = self.next_method, None
            if self.method is not Method.C:
                self.device = ""

    def end_command(self) -> None:
        """Forget what this command found or decided: no later event may rest on it."""
        self.matter = self.closed = None
        self.ruling = ""
        self.to_refer = self.due_report = None
        self.played, self.dropped = [], []

    def decided(self) -> None:
        """Nobody is waited for."""
        self.offer: Offer | None = None
        self.withdrawn: dict[str, int] = {}
        self.ordering: Ordering | None = None
        self.asked: list[Asked] = []
        self.kept: list[matters.ReportKept] = []
        # Who made each of them.
        self.kept_by: list[str] = []
        self.count: Count | None = None

    def clear_cards(self) -> None:
        """No card of this round lies on the table."""
        self.lay([])
        self.announced = False
        self.first: Side | None = None
        for side, custody in self.custody.items():
            self.custody[side] = Custody(permitted=custody.permitted, kept=custody.kept)
            self.custody[side].drop()

    def wrong(self, code: Code, said: str) -> None:
        """What the event says cannot be."""
        self.findings.of_play(code, self.stream, self.version, self.round or None, said)

    @property
    def open(self) -> Terms:
        """What the table is played under; nothing is asked of a closed one."""
        assert self.terms, "the table is open"
        return self.terms

    @property
    def betting_round(self) -> int:
        """The round whose wagers are placed now, or will be next."""
        return self.round + (self.phase in BETWEEN)

    @property
    def concerns_coming_round(self) -> bool:
        """Whether the shoe in place is that of the coming round: none is under way, or one of another shoe."""
        return self.phase in BETWEEN or (self.dealt_from is not self.shoe and self.edition >= SECOND)

    @property
    def pending(self) -> str:
        """Who the round waits for, if for anybody."""
        if self.offer:
            return "patrons to answer an offer of withdrawal"
        if self.ordering:
            return "a Pit Manager to order the cards"
        if self.asked:
            return "the Gaming Shift Manager to decide"
        return "cards to be counted" if self.count else ""

    @property
    def waits_for_others(self) -> bool:
        """Whether the round waits for anybody but the Gaming Shift Manager."""
        return bool(self.offer or self.ordering or self.count)

    @property
    def free_for_reports(self) -> bool:
        """Whether the event must wait for whatever is pending.

        A matter before the Gaming Shift Manager alone does not hold it up.
        """
        return self.edition < SECOND or self.waits_for_others

    def expect(self, phases: frozenset[Phase], what: str, *, free: bool = True) -> bool:
        """Find fault with an event in the wrong phase, or while the round waits for somebody."""
        if self.phase not in phases:
            self.wrong(Code.OUT_OF_TURN, f"{what} while the table was in {self.phase.name.lower().replace('_', ' ')}")
        elif free and self.pending:
            self.wrong(Code.OUT_OF_TURN, f"{what} while the round waited for {self.pending}")
        else:
            return True
        return False

    def expect_clause(self, said: str, clause: str | None, code: Code = Code.BAD_REMEDY) -> None:
        """Find fault with an event that rests on the wrong clause."""
        if said != (clause or ""):
            self.wrong(code, f"rests on {said or 'no clause'}, not on {clause or 'none'}")

    def bet(self, number: int, patron: str, cents: int | None = None) -> Bet | None:
        """A wager on the table, if it is that patron's and of that amount."""
        bet = self.bets.get(number)
        if bet is None:
            self.wrong(Code.BAD_WAGER, f"wager {number} does not lie on the table")
        elif bet.patron != patron:
            self.wrong(Code.BAD_WAGER, f"wager {number} is {bet.patron}'s, not {patron}'s")
        elif cents is not None and bet.cents != cents:
            self.wrong(Code.BAD_WAGER, f"wager {number} is of {bet.cents} cents, not of {cents}")
        return bet

    def is_decided_for(self, patron: str) -> bool:
        """Whether an outcome is established by what a patron may know; before the third edition, anybody."""
        deal = self.seen_deal(patron=patron) if self.edition >= THIRD else self.seen_deal()
        return self.open.game.outcome_established(deal, self.open.setup.wagers)

    # The cards of the round

    def lay(self, cards: list[Laid]) -> None:
        """These cards, and no others, lie on the table."""
        self.cards = cards
        self._deal: Deal | None = None

    def draw(self, laid: Laid) -> None:
        """One more card lies on the table."""
        card = self.open.cards.get(laid.card)
        deal = self._deal if card and len(self.cards) == (self._deal.drawn if self._deal else 0) else None
        self.cards.append(laid)
        self._deal = deal.take(card) if deal and card and deal.next else None

    def hand(self, side: Side) -> list[Laid]:
        """The cards of a hand."""
        return [laid for laid in self.cards if laid.side is side]

    def known(self) -> Iterator[Card]:
        """The cards up to the first that nobody has read."""
        kinds = self.open.cards
        for laid in self.cards:
            card = kinds.get(laid.card)
            if card is None:
                return
            yield card

    def handle(self) -> None:
        """Cards that are in patrons' hands may have been seen from now on (interpretation 48)."""
        for laid in self.cards:
            if not self.in_hands(laid.side):
                continue
            if not laid.in_hands or laid.seen_by:
                laid.seen_by |= self._lookers(laid.side)
            laid.in_hands = True

    def _lookers(self, side: Side) -> frozenset[str]:
        """Who may look at a hand that is in patrons' hands: who drew it, who was given it, and who is to turn it."""
        custody = self.custody[side]
        given = (custody.holder, custody.designee) if self.initial_deal_done else ()
        return frozenset(filter(None, (*given, self.device if self.method is Method.C else "")))

    def is_known_to(self, patron: str, laid: Laid) -> bool:
        """Whether a patron may have seen a card."""
        return laid.up or (laid.in_hands and (not laid.seen_by or patron in laid.seen_by))

    def in_hands(self, side: Side) -> bool:
        """Whether a patron handles a hand: passed after the initial deal, or drawn by the patron (3.9.2, 3.11.1)."""
        custody = self.custody[side]
        held = self.initial_deal_done and (custody.holder or custody.designee)
        return bool(held or (self.method is Method.C and self.device))

    def is_seen(self, laid: Laid) -> bool:
        """Whether anybody at the table may have seen a card; before the second edition, whether it lies open."""
        return laid.up or (laid.in_hands and self.edition >= SECOND)

    @property
    def unread_in_hands(self) -> bool:
        """Whether a patron may know a card that nobody has read."""
        return any(laid.in_hands and not laid.card for laid in self.cards) and self.edition >= SECOND

    def seen_deal(self, first: int | None = None, patron: str = "") -> Deal:
        """What is known of each hand, or of its first cards: a card that nobody can have seen has decided nothing.

        A card that is out of the device, was seen and comes next is known, too. With a *patron*, it is what that patron
        may know.
        """
        deal = self.deal
        cards = self.cards[:first] if first is not None else [*self.cards, *self._seen_next()]
        if deal.drawn == len(cards) and all(laid.up for laid in cards):
            return deal
        opening = self.open.game.opening
        hands: dict[Side, list[Card]] = {Side.PLAYER: [], Side.BANKER: []}
        gap = False
        for place, laid in enumerate(cards):
            card = self.open.cards.get(laid.card)
            known = self.is_known_to(patron, laid) if patron else self.is_seen(laid)
            if card is None or not known or (gap and place >= len(opening.order)):
                gap = True
            else:
                hands[laid.side].append(card)
        return Deal(opening, (*opening.player, *hands[Side.PLAYER]), tuple(hands[Side.BANKER]))

    def _seen_next(self) -> Iterator[Laid]:
        """The cards that come next for certain, and were seen, where it is certain whose they are."""
        usable = self.dealt_from.spare_in(self.round) if self.edition >= SECOND else []
        order = self.open.game.opening.order
        deal: Deal | None = self.deal if all(laid.card and self.is_seen(laid) for laid in self.cards) else None
        for place, spare in enumerate(usable, len(self.cards)):
            kind = self.open.cards.get(spare.card)
            side = order[place] if place < len(order) else deal.next if deal else None
            awaited = any(each.number == spare.matter for each in self.asked)
            certain = spare.allowed == self.round or (self.phase is not Phase.BETS_OPEN and not awaited)
            if side is None or not (spare.seen and kind and certain):
                return
            deal = deal.take(kind) if deal else None
            yield Laid(spare.card, side, up=True)

    @property
    def deal(self) -> Deal:
        """The deal as far as its cards are known, and are not too many."""
        deal = self._deal
        if deal is None:
            deal = self.open.game.begin()
            for card in self.known():
                if deal.next is None:
                    break
                deal = deal.take(card)
            self._deal = deal
        return deal

    @property
    def initial_deal_done(self) -> bool:
        """Whether the initial cards are all out."""
        return len(self.cards) >= len(self.open.game.opening.order)

    @property
    def all_up(self) -> bool:
        """Whether every card lies open."""
        return all(laid.up for laid in self.cards)

    @property
    def written(self) -> str:
        """The cards of the round in the order drawn."""
        return " ".join(laid.card or UNREAD for laid in self.cards)
