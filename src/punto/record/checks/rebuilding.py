"""Reconstruction: the very cards that came, in the order that they should have had."""

from collections import Counter

from punto.record.checks import matters
from punto.record.checks.awaited import Ordering
from punto.record.checks.cards import UNREAD, Laid, Spare
from punto.record.checks.custody import must_be_down
from punto.record.checks.findings import Code
from punto.record.checks.shoes import cards_left, check_waiting, see
from punto.record.checks.sitting import AFTER_CLOSE, MOST_WANTING, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.rules import Deal, Found, Remedy, Side


def cards_rebuilt(sitting: Sitting, event: matters.CardsRebuilt) -> None:
    """The cards lie as they should have come; what the coup does not need is surplus (interpretation 23)."""
    sitting.expect(AFTER_CLOSE, "cards were rebuilt", free=False)
    terms, shoe = sitting.open, sitting.dealt_from
    _check_cause(sitting, event.clause)
    cards, surplus = event.cards.split(), event.surplus.split()
    _check_order(sitting, event.before.split(), cards + surplus)
    _check_added(sitting, cards + surplus)
    _check_certain(sitting, cards)
    order = sitting.matter.order if sitting.matter else ""
    if any(told not in (UNREAD, card) for told, card in zip(order.split(), cards + surplus, strict=False)):
        sitting.wrong(Code.BAD_CARD, f"the cards were put in another order than was told, {order}")
    spare = [each.card for each in shoe.spare_in(sitting.round)]
    if terms.virtual and cards + surplus != [laid.card for laid in sitting.cards] + spare:
        sitting.wrong(Code.BAD_SHOE, "a virtual shoe comes in the order that was committed to, and in no other")
    # What had come, comes anew, in the order that it should have had.
    before = [*sitting.cards]
    del shoe.came[len(shoe.came) - len(before) :]
    for laid in before:
        if laid.card in shoe.seen:
            shoe.seen[laid.card] -= 1
    open_ = {side: _lies_open(sitting, side) for side in Side}
    unseen = _unseen(sitting, cards, surplus, event.unseen)
    beside = [Laid(spare.card, Side.PLAYER, False, spare.seen) for spare in shoe.spare_in(sitting.round)]
    sitting.lay(_laid(sitting, cards, [*before, *beside], open_))
    if surplus and _is_wanting(sitting) and not _comes_to_be_turned(sitting, surplus[0]):
        sitting.wrong(Code.BAD_CARD, f"{surplus[0]} is called surplus though the coup is not complete")
    shoe.surplus = _spare(sitting, surplus, unseen)
    check_waiting(sitting, [card for card in surplus if card != UNREAD])
    if sitting.edition >= SECOND:
        if shoe.drawn > terms.total:
            sitting.wrong(Code.BAD_CARD, f"more cards lay there than the {terms.total} of the shoe")
        if sitting.paid:
            _check_can_be_finished(sitting)
    sitting.announced = False
    sitting.phase = Phase.DEALING
    sitting.handle()


def _check_can_be_finished(sitting: Sitting) -> None:
    """What was paid is undone only if the round, put in order, can get every card that it may need."""
    shoe = sitting.dealt_from
    wanting = len(sitting.open.game.opening.order) - len(sitting.cards)
    if wanting <= 0 and all(laid.card for laid in sitting.cards):
        next_ = sitting.deal.next
        wanting = MOST_WANTING if next_ is Side.PLAYER else 1 if next_ else 0
    else:
        wanting += MOST_WANTING
    if not wanting:
        return
    if shoe is not sitting.shoe or not shoe.can_be_drawn_from:
        sitting.wrong(Code.BAD_CARD, "the round needs another card, and its shoe is out or must be replaced")
    elif cards_left(sitting) < wanting:
        sitting.wrong(Code.BAD_CARD, "the round needs another card, and its shoe may have none")


def _check_cause(sitting: Sitting, clause: str) -> None:
    """Cards are put in order by a rule or a decision of the same command, or once patrons have answered an offer."""
    matter, offer = sitting.matter, sitting.closed
    told = offer is not None and offer.sequel == "rebuild"
    if matter is None or not (told or matter.remedy is Remedy.REBUILD):
        sitting.wrong(Code.BAD_REMEDY, "the cards were put in another order without a cause")
    else:
        sitting.expect_clause(clause, matter.clause)


def _check_added(sitting: Sitting, order: list[str]) -> None:
    """A wrong order, and an order by decision, are of the cards that had come, and of no others."""
    matter = sitting.matter
    if matter is None or sitting.edition < SECOND:
        return
    had = [laid.card or UNREAD for laid in sitting.cards]
    usable = sitting.dealt_from.spare_in(sitting.round)
    wrong_order = matter.found is Found.WRONG_ORDER and not matter.by_decision
    if (wrong_order or matter.by_decision) and len(order) != len(had) + len(usable):
        sitting.wrong(Code.BAD_CARD, "cards were put in order that had not come")
    known = Counter(had) + Counter(spare.card for spare in usable) + Counter(matter.named)
    if Counter(card for card in order if card != UNREAD) - known and not matter.by_decision:
        sitting.wrong(Code.BAD_CARD, "cards were put in order that the report had not named")
    if wrong_order and order == had:
        sitting.wrong(Code.BAD_REMEDY, "cards were put in the order that they had")


def _spare(sitting: Sitting, surplus: list[str], unseen: set[int]) -> list[Spare]:
    """The cards that the coup does not need, before those that came out for a later round; decisions on them stay."""
    shoe = sitting.dealt_from
    before = shoe.spare_in(sitting.round)
    later = [each for each in shoe.surplus if each.round > sitting.round]
    spare = []
    for place, card in enumerate(surplus, 1):
        name = "" if card == UNREAD else card
        was = next((each for each in before if each.card == name), None)
        if was:
            before.remove(was)
            was.seen = place not in unseen
        spare.append(was or Spare(name, place not in unseen, sitting.round))
    return [*spare, *later]


def _comes_to_be_turned(sitting: Sitting, card: str) -> bool:
    """Whether an unread card is due face up. If so, it is the next card and is turned over."""
    order = sitting.open.game.opening.order
    drawn = len(sitting.cards)
    due = order[drawn] if drawn < len(order) else sitting.deal.next
    return card == UNREAD and due is not None and not must_be_down(sitting, due)


def _check_certain(sitting: Sitting, cards: list[str]) -> None:
    """Cards that came before those that came together stay where they are."""
    certain = zip(cards[: _certain(sitting)], sitting.cards, strict=False)
    if any(card not in (UNREAD, laid.card) for card, laid in certain):
        sitting.wrong(Code.BAD_CARD, "cards were moved that had come before those that came together")


def _certain(sitting: Sitting) -> int:
    """How many cards came before those that came together."""
    return min(sitting.matter.together if sitting.matter else (), default=1) - 1


def _laid(sitting: Sitting, cards: list[str], before: list[Laid], open_: dict[Side, bool]) -> list[Laid]:
    """The cards in their new places: what was seen stays seen, and a card lies open where its hand does."""
    terms, shoe = sitting.open, sitting.dealt_from
    deal: Deal | None = terms.game.begin()
    order = terms.game.opening.order
    laid = []
    for place, card in enumerate(cards):
        name = "" if card == UNREAD else card
        side = order[place] if place < len(order) else deal.next if deal else Side.BANKER
        kind = terms.cards.get(name)
        if side is None or (name and kind is None):
            sitting.wrong(Code.BAD_CARD, f"{card} is not needed in the coup that was rebuilt")
            break
        if name:
            see(sitting, name)
        shoe.came.append(name)
        deal = deal.take(kind) if deal and kind else None
        was = next((each for each in before if each.card == name), Laid(name, side, False))
        if was in before:
            before.remove(was)
        laid.append(Laid(name, side, bool(name) and (was.up or open_[side]), was.in_hands, was.seen_by))
    return laid


def _is_wanting(sitting: Sitting) -> bool:
    """Whether the round needs another card for certain."""
    if any(not laid.card for laid in sitting.cards):
        return not sitting.initial_deal_done
    return sitting.deal.next is not None


def _unseen(sitting: Sitting, cards: list[str], surplus: list[str], said: tuple[int, ...]) -> set[int]:
    """The places of surplus cards that nobody has seen.

    A card was seen if it lay open, if a patron may have looked at it, or if somebody named it (interpretations 23, 48).
    """
    usable = sitting.dealt_from.spare_in(sitting.round)
    hidden = [laid.card for laid in sitting.cards if not sitting.is_seen(laid)]
    hidden += [spare.card for spare in usable if not spare.seen]
    named = Counter(sitting.matter.named if sitting.matter else ())
    for card in [*cards, *[card for place, card in enumerate(surplus, 1) if place not in said]]:
        named[card] -= 1
    # A card that is new to the table came out with the others: nobody knows it if nobody held them.
    new = len(cards) + len(surplus) - len(sitting.cards) - len(usable)
    fresh = new if not any(sitting.in_hands(side) for side in Side) else 0
    for place in said:
        card = surplus[place - 1] if 1 <= place <= len(surplus) else ""
        name = "" if card == UNREAD else card
        told = named[card] > 0
        if card and not told and name in hidden:
            hidden.remove(name)
        elif card == UNREAD and fresh > 0:
            fresh -= 1
        else:
            sitting.wrong(Code.SEEN_CARD, f"surplus card {place}, {card or 'which is not there'}, had been seen")
        named[card] -= told
    return set(said)


def _check_order(sitting: Sitting, before: list[str], order: list[str]) -> None:
    """The order holds all that had come; what was surplus came before anything that nobody had seen."""
    had = [laid.card for laid in sitting.cards if laid.card]
    usable = sitting.dealt_from.spare_in(sitting.round)
    spare = [each.card for each in usable if each.card]
    hidden = len(sitting.cards) - len(had) + len(usable) - len(spare)
    told = [each.card for each in usable if each.seen and each.card]
    if [card for card in before if card != UNREAD] != had + told:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(before)} were rebuilt; on the table lay {' '.join(had)}")
    laid, waiting = Counter(had), Counter(spare)
    for card in order:
        if laid[card]:
            laid[card] -= 1
        elif waiting[card]:
            waiting[card] -= 1
        elif hidden:
            hidden -= 1
        elif waiting.total():
            next_ = next(waiting.elements())
            sitting.wrong(Code.BAD_CARD, f"{card} is said to have come while {next_} was the next to come")
            return
    gone = (+laid) + (+waiting)
    if gone or hidden:
        sitting.wrong(Code.BAD_CARD, f"{' '.join(gone) or 'a card'} had come, and is not among the cards rebuilt")


def _lies_open(sitting: Sitting, side: Side) -> bool:
    """Whether a hand lies open, or its cards will once they come."""
    hand = sitting.hand(side)
    return all(laid.up for laid in hand) if hand else not must_be_down(sitting, side)


def order_wanted(sitting: Sitting, event: matters.OrderWanted) -> None:
    """A Pit Manager is asked for the order (B8, TNC5 5.8.2.2)."""
    sitting.expect(AFTER_CLOSE | {Phase.SETTLED}, "an order was asked for")
    if sitting.matter is None or sitting.matter.remedy is not Remedy.ORDER_THEN_OFFER:
        sitting.wrong(Code.BAD_REMEDY, "an order of cards was asked for without need")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    if sitting.edition >= SECOND and event.certain != _certain(sitting):
        sitting.wrong(Code.BAD_REMEDY, f"{event.certain} cards were called certain; {_certain(sitting)} are")
    sitting.ordering = Ordering(sitting.matter, event.cards, event.certain)


def order_determined(sitting: Sitting, event: matters.OrderDetermined) -> None:
    """The order is one of the very cards that were to be ordered."""
    ordering, sitting.ordering = sitting.ordering, None
    if ordering is None:
        sitting.wrong(Code.OUT_OF_TURN, "an order of cards was determined that nobody had asked for")
        return
    if sorted(event.order.split()) != sorted(ordering.cards.split()):
        sitting.wrong(Code.BAD_CARD, f"{event.order} is no order of {ordering.cards}")
    first = zip(event.order.split()[: ordering.certain], sitting.cards, strict=False)
    if any(card not in (UNREAD, laid.card) for card, laid in first):
        sitting.wrong(Code.BAD_CARD, f"the first {ordering.certain} cards were moved, and their order is certain")
    sitting.matter = ordering.matter
