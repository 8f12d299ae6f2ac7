"""The missing card: cards that a patron carried off, worked out from a count of all the others (B8, TNC5 5.11)."""

from collections import Counter

from punto.record.checks import matters
from punto.record.checks.awaited import ASIDE, Count
from punto.record.checks.cards import Spare
from punto.record.checks.findings import Code
from punto.record.checks.shoes import check_waiting, see
from punto.record.checks.sitting import Custody, Phase, Sitting
from punto.record.checks.terms import SECOND
from punto.rules import Remedy

_DEALING = frozenset({Phase.DEALING})


def count_begun(sitting: Sitting, event: matters.CountBegun) -> None:
    """Cards that nobody has read were carried off (B8, TNC5 5.11)."""
    # Of the second hand it begins together with that of the first.
    sitting.expect(_DEALING, "a count was begun", free=not sitting.count and sitting.free_for_reports)
    unread = [laid for laid in sitting.hand(event.side) if not laid.card]
    left = event.left.split()
    if not 0 < event.cards == len(unread) - len(left):
        sitting.wrong(
            Code.BAD_COUNT, f"{event.cards} cards are to be worked out; {len(unread)} of that hand are unread"
        )
    for laid, card in zip(unread, left, strict=False):
        see(sitting, card)
        laid.card = card
    if sitting.matter is None or sitting.matter.remedy is not Remedy.COUNT:
        sitting.wrong(Code.BAD_REMEDY, "a count was begun without need")
    else:
        sitting.expect_clause(event.clause, sitting.matter.clause)
    gone = sitting.count.gone if sitting.count else {}
    if event.side in gone or (sitting.count and sitting.count.aside):
        sitting.wrong(Code.OUT_OF_TURN, "a count was begun that was under way")
    sitting.count = Count({**gone, event.side: event.cards})
    # Whatever becomes of the round, cards are missing from this shoe (5.11.5).
    sitting.dealt_from.spent |= sitting.edition >= SECOND
    sitting.dealt_from.shall_be_replaced |= sitting.edition >= SECOND
    sitting.custody[event.side] = Custody()


def cards_set_aside(sitting: Sitting, event: matters.CardsSetAside) -> None:
    """Two cards are the next to come, in drawn order (B8, TNC5 5.11.1)."""
    count = sitting.count
    aside = event.cards.split()
    if count is None or count.aside:
        sitting.wrong(Code.OUT_OF_TURN, "cards were set aside, and nothing was being counted")
    elif len(aside) != ASIDE:
        sitting.wrong(Code.BAD_COUNT, f"{len(aside)} cards were set aside, not two")
    else:
        count.aside, count.manager = event.cards, sitting.by.name
        if event.manager != sitting.by.name and sitting.edition >= SECOND:
            sitting.wrong(Code.BAD_COUNT, f"{event.manager or 'nobody'} is said to have had the cards set aside")
        shoe = sitting.dealt_from
        out = shoe.spare_in(sitting.round)[: len(aside)]
        if any(spare.card not in ("", card) for spare, card in zip(out, aside, strict=False)):
            sitting.wrong(Code.BAD_COUNT, f"{event.cards} were set aside; other cards lay next")
        shoe.surplus = [
            *[Spare(card, True, sitting.round) for card in aside],
            *[spare for spare in shoe.surplus if not any(spare is one for one in out)],
        ]
        check_waiting(sitting, aside)
        if shoe.drawn > sitting.open.total and sitting.edition >= SECOND:
            sitting.wrong(Code.BAD_COUNT, "two cards were set aside, and the device did not hold two")


def cards_counted(sitting: Sitting, event: matters.CardsCounted) -> None:
    """What is missing can be missing: as many as were carried off, and the decks held them."""
    count = sitting.count
    missing = event.missing.split()
    if count is None or not count.aside or count.missing:
        sitting.wrong(Code.OUT_OF_TURN, "a count ended that had not been begun")
        return
    _check_manager(sitting, count)
    gone = sum(count.gone.values())
    if len(missing) != gone:
        sitting.wrong(Code.BAD_COUNT, f"{len(missing)} cards are said to be missing; {gone} were carried off")
    decks = sitting.open.setup.decks
    for card in missing:
        copies = missing.count(card) + count.aside.split().count(card) + sitting.dealt_from.seen.get(card, 0)
        if card not in sitting.open.cards or copies > decks:
            sitting.wrong(Code.BAD_COUNT, f"{card} cannot be missing: {decks} decks hold no more of it")
    _check_piles(sitting, count, event)
    count.missing = event.missing


def _check_manager(sitting: Sitting, count: Count) -> None:
    """Whoever had two cards set aside works out the others (interpretation 26)."""
    if sitting.by.name != count.manager and sitting.edition >= SECOND:
        sitting.wrong(Code.NOT_ALLOWED, f"{sitting.by.name} worked out cards that {count.manager} alone was to see")


def _check_piles(sitting: Sitting, count: Count, event: matters.CardsCounted) -> None:
    """Full decks less what was counted, what lies on the table and what is set aside (5.11.2.1)."""
    if not event.device and not event.discards and sitting.edition < SECOND:  # before they were written down
        return
    shoe, aside = sitting.dealt_from, Counter(count.aside.split())
    if sitting.edition >= SECOND:  # and whatever else was out
        aside |= Counter(spare.card for spare in shoe.surplus if spare.card)
    found = Counter(event.device.split()) + Counter(event.discards.split()) + aside
    found += Counter(laid.card for laid in sitting.cards if laid.card) + Counter(sitting.dealt_from.missing)
    full = Counter(dict.fromkeys(sitting.open.cards, sitting.open.setup.decks))
    if found - full or full - found != Counter(event.missing.split()):
        sitting.wrong(Code.BAD_COUNT, f"by what was counted {' '.join((full - found).elements())} are missing")
    if sitting.edition >= SECOND:
        _check_discards(sitting, Counter(event.discards.split()))


def _check_discards(sitting: Sitting, discards: Counter[str]) -> None:
    """Among the discards is what was seen to come out and leave, and as many more as nobody had read."""
    shoe = sitting.dealt_from
    laid = Counter(laid.card for laid in sitting.cards if laid.card)
    seen = Counter(shoe.seen) - laid - Counter(shoe.missing)
    never_read = len(shoe.came) - sum(shoe.seen.values()) - sum(not laid.card for laid in sitting.cards)
    if seen - discards or (discards - seen).total() != never_read:
        sitting.wrong(Code.BAD_COUNT, "the discards that were counted are not the cards that had come and gone")


def missing_replaced(sitting: Sitting, event: matters.MissingReplaced) -> None:
    """The very cards that are missing take the places of those unread; the shoe is the round's last."""
    count = sitting.count
    cards = event.cards.split()
    if count is None or event.side not in count.gone:
        sitting.wrong(Code.OUT_OF_TURN, "cards were replaced that were not missing")
    else:
        _check_manager(sitting, count)
        missing = Counter(count.missing.split())
        if len(cards) != count.gone.pop(event.side) or Counter(cards) - missing:
            sitting.wrong(Code.BAD_COUNT, f"{event.cards} were put in the place of {count.missing}")
        count.missing = " ".join((missing - Counter(cards)).elements())
    places = [laid for laid in sitting.hand(event.side) if not laid.card]
    for laid, card in zip(places, cards, strict=False):
        see(sitting, card)
        laid.card = card
    for laid in sitting.hand(event.side):
        laid.up = True
    sitting.lay(sitting.cards)
    if count is None or not count.gone:
        sitting.count = None
    sitting.dealt_from.spent = True
