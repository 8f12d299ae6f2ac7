"""The table opens and closes, and its shoes: every card of whole decks, and a virtual one as it was committed to."""

from msgspec.structs import replace

from punto.record.checks import events as on
from punto.record.checks.cards import Shoe, Spare
from punto.record.checks.contributing import end_contributions
from punto.record.checks.findings import Code, VirtualShoe
from punto.record.checks.sitting import BETWEEN, Phase, Sitting
from punto.record.checks.terms import FOURTH, SECOND, Terms, faults, faults_of_limits
from punto.record.shoeorder import FIRST, Bound, dealt_order, first_commitment, second_commitment
from punto.record.shoeorder import SECOND as SECOND_PROTOCOL

_OPEN = frozenset(Phase) - {Phase.CLOSED}
_DEALING = frozenset({Phase.DEALING})
_HEX = frozenset("0123456789abcdef")
_DIGEST_LETTERS = 64


def table_opened(sitting: Sitting, event: on.TableOpened) -> None:
    """A closed table is opened, with a setup that may be, under a rulebook in force."""
    if sitting.phase is not Phase.CLOSED:
        sitting.wrong(Code.OUT_OF_TURN, "the table was opened while it was open")
    terms = Terms.of(event.setup)
    if terms is None:
        sitting.wrong(Code.BAD_SETUP, f"{event.setup.game!r} is no game of the catalogue, and none that is declared")
        return
    for fault in faults(terms, sitting.at_ms):
        sitting.wrong(Code.BAD_SETUP, fault)
    areas = terms.conduct.areas
    sitting.terms = terms
    sitting.phase = Phase.IDLE
    sitting.method = event.setup.method
    sitting.area_most = areas.most if areas else 0
    sitting.warned.clear()
    sitting.may_draw.clear()
    sitting.device = ""
    sitting.down = {terminal for terminal in sitting.down if terminal <= event.setup.positions}
    sitting.shoe = None
    sitting.begin_round()


def table_closed(sitting: Sitting, _: on.TableClosed) -> None:
    """A table closes between rounds, its virtual shoe opened."""
    sitting.expect(BETWEEN, "the table was closed")
    if sitting.open.virtual and sitting.shoe:
        sitting.wrong(Code.BAD_SHOE, "the table was closed with a virtual shoe that was not opened")
    sitting.phase = Phase.CLOSED
    sitting.ahead = None
    sitting.shoe = None
    sitting.begin_round()


def limits_changed(sitting: Sitting, event: on.LimitsChanged) -> None:
    """Other limits, which count from the next round on (interpretation 41)."""
    sitting.expect(_OPEN, "limits were changed", free=False)
    setup = replace(sitting.open.setup, limits=event.limits, differential_cents=event.differential_cents)
    ahead = sitting.open.under(setup)
    for fault in faults_of_limits(ahead):
        sitting.wrong(Code.BAD_SETUP, fault)
    sitting.ahead = ahead


def shoe_loaded(sitting: Sitting, event: on.ShoeLoaded) -> None:
    """A fresh shoe is put in place; a virtual one is committed to."""
    if sitting.expect(BETWEEN, "a shoe was loaded") and sitting.shoe:
        sitting.wrong(Code.BAD_SHOE, f"a shoe was loaded while shoe {sitting.shoe.number} was in place")
    if event.shoe != sitting.shoes + 1:
        sitting.wrong(Code.BAD_SHOE, f"shoe {event.shoe} came after shoe {sitting.shoes}")
    if sitting.open.virtual:
        if len(event.commitment) != _DIGEST_LETTERS or not _HEX.issuperset(event.commitment) or not event.sealed:
            sitting.wrong(Code.BAD_SHOE, "a virtual shoe was loaded without a commitment to its order")
        if event.protocol not in (FIRST, SECOND_PROTOCOL):
            sitting.wrong(Code.BAD_SHOE, f"protocol {event.protocol} for virtual shoes is not known")
        elif sitting.edition >= FOURTH and event.protocol == FIRST:
            sitting.wrong(Code.BAD_SHOE, "patrons could not contribute to the order of the shoe")
        if event.protocol == SECOND_PROTOCOL and event.abandoned != max(0, sitting.unplayed):
            said = f"shoes abandoned just before this one: {max(0, sitting.unplayed)}, not {event.abandoned}"
            sitting.wrong(Code.BAD_SHOE, said)
    elif event.commitment or event.sealed or event.beacon or event.protocol != FIRST:
        sitting.wrong(Code.BAD_SHOE, "cards from a device were committed to in advance")
    sitting.shoes = event.shoe
    sitting.shoe = Shoe(number=event.shoe, commitment=event.commitment, protocol=event.protocol, beacon=event.beacon)
    sitting.shoe.loaded_ms, sitting.shoe.abandoned = sitting.at_ms, event.abandoned
    if sitting.open.virtual:
        # Before the second edition nobody marked demonstration rules, and they were such all the same.
        demonstration = not sitting.open.conduct.virtual
        sitting.virtual_shoes.append(VirtualShoe(sitting.key, event.shoe, demonstration))


def shoe_cut(sitting: Sitting, event: on.ShoeCut) -> None:
    """A patron cuts a virtual shoe once, before its first bets open."""
    sitting.expect(_OPEN, "a shoe was cut", free=False)
    shoe = sitting.shoe
    if shoe is None or not sitting.open.virtual:
        sitting.wrong(Code.BAD_SHOE, "there was no virtual shoe to cut")
    elif shoe.cut or shoe.came:
        sitting.wrong(Code.BAD_SHOE, "the shoe was cut twice, or after its first card")
    elif shoe.reveal_until_ms:
        sitting.wrong(Code.BAD_SHOE, "the shoe was cut after its contributions were closed")
    elif not 0 < event.cards < sitting.open.total:
        sitting.wrong(Code.BAD_SHOE, f"the shoe was cut at {event.cards} of {sitting.open.total} cards")
    else:
        if shoe.used and sitting.edition >= SECOND:
            sitting.wrong(Code.BAD_SHOE, "the shoe was cut after bets had opened on it")
        shoe.cut = event.cards
        last = sitting.virtual_shoes[-1]
        last.cut, last.cut_at_ms = event.cards, sitting.at_ms


def shoe_kept(sitting: Sitting, event: on.ShoeKept) -> None:
    """A Pit Manager keeps cards whose replacement was proposed, counted where their number was in doubt (5.13)."""
    sitting.expect(BETWEEN, "the shoe was kept")
    shoe = sitting.shoe
    if shoe is None or event.shoe != shoe.number or not shoe.proposed or shoe.spent:
        sitting.wrong(Code.BAD_SHOE, "a shoe was kept whose replacement was not proposed")
        return
    if not event.reason.strip():
        sitting.wrong(Code.BAD_RULING, "a shoe was kept without a reason")
    check_counted(sitting, event.counted)
    shoe.proposed = shoe.in_doubt = False


def cards_left(sitting: Sitting) -> int:
    """How many cards the round could still have."""
    shoe = sitting.dealt_from
    later = len(shoe.surplus) - len(shoe.spare_in(sitting.round))
    return sitting.open.total - len(shoe.came) - later


def is_empty(sitting: Sitting) -> bool:
    """Whether no card of the shoe in place is left."""
    return sitting.shoe is not None and is_empty_shoe(sitting, sitting.shoe)


def is_empty_shoe(sitting: Sitting, shoe: Shoe) -> bool:
    """Whether no card of a shoe is left."""
    return len(shoe.came) >= sitting.open.total and not shoe.surplus


def check_counted(sitting: Sitting, counted: int | None) -> None:
    """Where the contents of a shoe are in doubt its cards are counted, and are all there (interpretation 17)."""
    shoe = sitting.shoe or sitting.dealt_from
    left = sitting.open.total - shoe.drawn
    if counted is None:
        if shoe.in_doubt:
            sitting.wrong(Code.BAD_COUNT, "play went on with cards that were in doubt, and were not counted")
    elif counted != left:
        sitting.wrong(Code.BAD_COUNT, f"{counted} cards were counted in the device; it holds {left}")


def shoe_ended(sitting: Sitting, event: on.ShoeEnded) -> None:
    """The shoe is taken out between rounds; a virtual one is opened, and must be what was dealt."""
    sitting.expect(BETWEEN, "the shoe was taken out")
    shoe, sitting.shoe = sitting.shoe, None
    sitting.unplayed += 1
    if shoe and sitting.edition >= SECOND:  # with all cards that were out of the device and next
        discard_spare(sitting, shoe, [*shoe.surplus])
        shoe.glimpsed = []
    if shoe is None or event.shoe != shoe.number:
        said = f"shoe {event.shoe} was taken out; {f'shoe {shoe.number}' if shoe else 'none'} was in place"
        sitting.wrong(Code.BAD_SHOE, said)
        return
    if event.cause is not None or sitting.edition >= FOURTH:
        _check_cause(sitting, shoe, event)
    if sitting.open.virtual:
        if sitting.virtual_shoes:
            sitting.virtual_shoes[-1].ended = event.cause or ""
        end_contributions(sitting, shoe, event)
        _check_opened(sitting, shoe, event)
    elif event.order or event.salt:
        sitting.wrong(Code.BAD_SHOE, "cards from a device were opened as a virtual shoe")


def _check_cause(sitting: Sitting, shoe: Shoe, event: on.ShoeEnded) -> None:
    """A shoe is taken out for a reason: because it must be, or because somebody decided it and says why."""
    withheld = shoe.is_withheld(sitting.by, sitting.at_ms)
    if shoe.spent or is_empty_shoe(sitting, shoe):
        cause = "spent"
    elif shoe.proposed:
        cause = "proposed"
    else:
        cause = "unrevealed" if withheld else "decided"
    if event.cause != cause:
        sitting.wrong(Code.BAD_SHOE, f"the shoe was taken out as {event.cause or 'nothing'}; it was {cause}")
    if cause == "decided" and not event.reason.strip():
        sitting.wrong(Code.BAD_SHOE, "the shoe was abandoned without a reason")
    if event.unrevealed != (shoe.unrevealed if cause == "unrevealed" else ()):
        sitting.wrong(Code.BAD_SHOE, "those named as having revealed nothing are not those who revealed nothing")


def _check_opened(sitting: Sitting, shoe: Shoe, event: on.ShoeEnded) -> None:
    terms = sitting.open
    if shoe.protocol == SECOND_PROTOCOL:
        committed = second_commitment(_bound(sitting, shoe), event.order, event.salt)
    else:
        committed = first_commitment(event.order, event.salt)
    if committed != shoe.commitment:
        sitting.wrong(Code.BAD_SHOE, "the order that was opened is not the one that was committed to")
    order = event.order.split(" ")
    held = dict.fromkeys(terms.cards, 0)
    for card in order:
        held[card] = held.get(card, 0) + 1
    for card, copies in held.items():
        if card not in terms.cards or copies != terms.setup.decks:
            sitting.wrong(Code.BAD_SHOE, f"the shoe that was opened holds {card} {copies} times")
            return
    if shoe.protocol == SECOND_PROTOCOL:
        order = dealt_order(order, shoe.commitment, shoe.brought, shoe.beacon_value)
    cut = order[shoe.cut :] + order[: shoe.cut]
    for place, (card, came) in enumerate(zip(cut, shoe.came, strict=False), 1):
        if came not in ("", card):
            said = f"card {place} of the shoe was dealt as {came}; the order that was opened has {card} there"
            sitting.wrong(Code.BAD_SHOE, said)
            return


def _bound(sitting: Sitting, shoe: Shoe) -> Bound:
    setup = sitting.open.setup
    book = " ".join(str(part) for part in (setup.rulebook, setup.version) if part)
    beacon = str(shoe.beacon) if shoe.beacon else ""
    numbers = (str(setup.decks), str(setup.behind))
    return Bound(sitting.key, str(shoe.number), setup.game, book, setup.digest, *numbers, beacon, str(shoe.abandoned))


def cutting_card_came(sitting: Sitting, event: on.CuttingCardCame) -> None:
    """The cutting card comes once a shoe, in a virtual one at its place; the round is the shoe's last."""
    terms, shoe = sitting.open, sitting.dealt_from
    sitting.expect(_DEALING, "the cutting card came", free=sitting.edition < SECOND)
    if shoe.cutting_card:
        sitting.wrong(Code.BAD_SHOE, "the cutting card came twice")
    # Cards that a decision burns may go beyond its place: then it comes before the next card that is drawn.
    if terms.virtual and len(shoe.came) < terms.total - terms.setup.behind:
        said = f"the cutting card came after {len(shoe.came)} cards, not after {terms.total - terms.setup.behind}"
        sitting.wrong(Code.BAD_SHOE, said)
    if event.first is bool(sitting.cards or shoe.spare_in(sitting.round)):
        sitting.wrong(Code.BAD_SHOE, f"the cutting card came after {len(sitting.cards)} cards of the round")
    sitting.expect_clause(event.clause, terms.book.play.cutting_card, Code.BAD_SHOE)
    shoe.cutting_card = shoe.spent = True
    sitting.cutting_first = event.first


def take_card(sitting: Sitting, card: str) -> bool:
    """A card comes out of the shoe, one that it can still hold or that nobody has read; whether it was seen before."""
    terms, shoe = sitting.open, sitting.dealt_from
    if shoe is not sitting.shoe:
        sitting.wrong(Code.BAD_SHOE, "a card was drawn for a round whose shoe is out")
    usable = shoe.spare_in(sitting.round)
    seen = False
    if usable:
        shoe.surplus.remove(usable[0])
        due, seen = usable[0].card, usable[0].seen
        if due and card != due:
            sitting.wrong(Code.BAD_CARD, f"{card or 'a card unread'} came; {due} was surplus, and the next to come")
    else:
        known = [each for name in (card, "") for each in shoe.glimpsed if each.card == name]
        if known:
            shoe.glimpsed.remove(known[0])
            seen = True
    if not usable and sitting.edition >= SECOND and not shoe.can_be_drawn_from:
        sitting.wrong(Code.BAD_SHOE, "a card was drawn from a shoe that must be replaced")
    if len(shoe.came) >= terms.total:
        sitting.wrong(Code.BAD_CARD, f"more cards came than the {terms.total} of the shoe")
    if terms.virtual and not shoe.cutting_card and len(shoe.came) >= terms.total - terms.setup.behind:
        sitting.wrong(Code.BAD_SHOE, "the cutting card was due before this card")
    shoe.came.append(card)
    if card:
        see(sitting, card)
    return seen


def miss(sitting: Sitting, shoe: Shoe, cards: list[str]) -> None:
    """Cards that are missing are out of the count (interpretation 44)."""
    for card in cards:
        see(sitting, card, shoe)
    shoe.came += cards
    shoe.missing += cards


def discard_spare(sitting: Sitting, shoe: Shoe, cards: list[Spare]) -> None:
    """Cards that were out of the device and next to come are discarded."""
    for spare in cards:
        shoe.surplus.remove(spare)
        shoe.came.append(spare.card)
        if spare.card:
            see(sitting, spare.card, shoe)


def see(sitting: Sitting, card: str, shoe: Shoe | None = None) -> None:
    """A card is seen: one of the deck, and no more copies than there are decks."""
    terms, seen = sitting.open, (shoe or sitting.dealt_from).seen
    if card not in terms.cards:
        sitting.wrong(Code.BAD_CARD, f"{card!r} is no card of the {terms.game.deck.key} deck")
        return
    seen[card] = seen.get(card, 0) + 1
    if seen[card] > terms.setup.decks:
        sitting.wrong(Code.BAD_CARD, f"{card} came {seen[card]} times out of {terms.setup.decks} decks")


def check_waiting(sitting: Sitting, cards: list[str], shoe: Shoe | None = None) -> None:
    """Cards that are known and have not come: the shoe can still hold them."""
    terms, seen = sitting.open, (shoe or sitting.dealt_from).seen
    for card in cards:
        if card not in terms.cards:
            sitting.wrong(Code.BAD_CARD, f"{card!r} is no card of the {terms.game.deck.key} deck")
        elif seen.get(card, 0) + cards.count(card) > terms.setup.decks:
            sitting.wrong(Code.BAD_CARD, f"{terms.setup.decks} decks hold no more of {card}")
