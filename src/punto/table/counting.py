"""The missing card: cards that a patron carried off, worked out from a count of all the others (B8, TNC5 5.11)."""

from collections import Counter
from itertools import islice
from typing import Final

from punto.cards import parse_cards
from punto.errors import BadCount, BadReport, DecisionPending, NotAllowed, NothingPending, NotInHand, OutOfTurn, quoted
from punto.rules import Found, Side
from punto.table import commands as do
from punto.table import events as on
from punto.table.dealing import check_card, go_on
from punto.table.draft import Draft
from punto.table.offers import resume
from punto.table.state import Counting, Phase, Table

# So many are set aside, as they may be required to complete the hands (B8, TNC5 5.11.1).
ASIDE: Final = 2


def report_carried_off(draft: Draft, command: do.ReportCarriedOff) -> None:
    """A patron has left with cards that nobody has read."""
    table = draft.table
    if table.phase is not Phase.DRAWING:
        raise OutOfTurn("cards can be carried off from the end of the initial deal until the outcome is announced")
    if table.pending is not None:
        raise DecisionPending("an answer, an order or another count is awaited: that comes first")
    told = {command.side: (command.cards, command.left)}
    [other] = set(Side) - {command.side}
    if command.other_cards or command.other_left:
        told[other] = (command.other_cards, command.other_left)
    elif any(not laid.card for laid in table.hand(other)):
        raise BadReport("the other hand is exposed first, unless its cards are gone too: the count needs the rest")
    gone = [side for side in Side if side in told]
    left = {side: _left(table, side, *told[side]) for side in gone}
    rule = table.book.conduct.rule(Found.CARDS_CARRIED_OFF, frozenset())
    hands = " ".join(side.value for side in gone)
    draft.add(on.IrregularityFound(Found.CARDS_CARRIED_OFF, rule.remedy, rule.clause, hands))
    known = [name for side in gone for name in left[side]]
    for place, name in enumerate(known):
        check_card(table, name, tuple(known[:place]))
    for side in gone:
        draft.add(on.CountBegun(side, told[side][0], rule.clause, " ".join(left[side])))


def _left(table: Table, side: Side, cards: int, left: str) -> list[str]:
    """The cards of a hand that were left behind, if with those that are gone they are all that nobody has read."""
    unread = sum(not laid.card for laid in table.hand(side))
    names = [str(card) for card in parse_cards(left, table.game.deck)]
    custody = table.custody(side)
    if not (custody.hand or custody.kept):
        raise NotInHand(f"no patron has handled the {side.value} hand")
    if not unread:
        raise BadReport(f"every card of the {side.value} hand is known: nothing needs to be worked out")
    if cards < 1 or cards + len(names) != unread:
        raise BadReport(
            f"{unread} cards of the {side.value} hand are unknown to the device: not {cards} gone and {len(names)} left"
        )
    return names


def set_aside(draft: Draft, command: do.SetCardsAside) -> None:
    """Two cards leave the device in drawn order (B8, TNC5 5.11.1)."""
    table = draft.table
    counting = _counting(table)
    if counting.aside:
        raise BadCount("two cards are set aside already")
    names = [str(card) for card in parse_cards(command.cards, table.game.deck)]
    if len(names) != ASIDE:
        raise BadCount(f"{len(names)} cards: expected the two that came next")
    # A card that is out already, and comes next, is the first of the two.
    out = table.spare_now[:ASIDE]
    for spare, name in zip(out, names, strict=False):
        if spare.card not in ("", name):
            raise BadCount(f"{name} is not the card that lies next")
    if ASIDE - len(out) > table.left:
        raise BadCount(f"cards left by the record: {table.left}. Two cannot be set aside: report too-few-cards")
    fresh = [name for place, name in enumerate(names) if place >= len(out) or not out[place].card]
    for place, name in enumerate(fresh):
        check_card(table, name, tuple(fresh[:place]))
    draft.add(on.CardsSetAside(" ".join(names), command.by.name))


def count(draft: Draft, command: do.CountCards) -> None:
    """Full decks less device, discards, cards in play and those set aside: what is left is missing (5.11.2.1)."""
    table = draft.table
    counting = _counting(table)
    if not counting.aside or counting.missing:
        raise BadCount("cards are counted after two were set aside, and once")
    _check_manager(counting, command)
    deck = table.game.deck
    device = Counter(map(str, parse_cards(command.device, deck)))
    discards = Counter(map(str, parse_cards(command.discards, deck)))
    in_play = Counter(laid.card for laid in table.cards if laid.card)
    aside = Counter(spare.card for spare in table.spare if spare.card)
    _check_discards(table, discards, in_play + aside + Counter(table.shoe.missing))
    full = Counter({str(card): table.open.decks for card in deck.cards})
    found = device + discards + in_play + aside + Counter(table.shoe.missing)
    for card, copies in found.items():
        if copies > full[card]:
            raise BadCount(f"{card} was counted {copies} times: expected at most {full[card]}")
    place = list(full).index
    missing = sorted((full - found).elements(), key=place)
    if len(missing) != counting.cards:
        raise BadCount(f"{len(missing)} cards are missing by this count: expected {counting.cards}")
    counted = (" ".join(sorted(pile.elements(), key=place)) for pile in (device, discards))
    draft.add(on.CardsCounted(" ".join(missing), *counted))
    if counting.cards == 1:
        _replace(draft, counting, missing)


def assign(draft: Draft, command: do.AssignMissing) -> None:
    """The Gaming Shift Manager gives each missing card its place, Player's hand first (interpretation 26)."""
    table = draft.table
    counting = _counting(table)
    names = [str(card) for card in parse_cards(command.cards, table.game.deck)]
    if not counting.missing or Counter(names) != Counter(counting.missing.split()):
        raise BadCount(
            f"{command.cards}: expected the missing cards {counting.missing or '(not counted yet)'}, in order"
        )
    _check_manager(counting, command)
    _replace(draft, counting, names)


def _check_manager(counting: Counting, command: do.CountCards | do.AssignMissing) -> None:
    """Whoever had two cards set aside has seen them, and works out the others (interpretation 26)."""
    if counting.manager and command.by.name != counting.manager:
        raise NotAllowed(f"{quoted(counting.manager)} had two cards set aside: the same manager counts and assigns")


def _replace(draft: Draft, counting: Counting, names: list[str]) -> None:
    interrupted = draft.table.interrupted
    places = iter(names)
    for side, cards in counting.gone:
        draft.add(on.MissingReplaced(side, " ".join(islice(places, cards))))
    go_on(draft)
    if interrupted:
        resume(draft)


def _check_discards(table: Table, discards: Counter[str], elsewhere: Counter[str]) -> None:
    """The discards must be what the table has seen come out and leave, and as many more as it never read."""
    seen = Counter(table.shoe.seen)
    expected = seen - elsewhere
    never_read = table.shoe.drawn - seen.total() - table.unread - sum(not spare.card for spare in table.spare)
    for card in expected - discards:
        raise BadCount(f"{card} among the discards: counted {discards[card]}, seen {expected[card]}")
    over = discards - expected
    if over.total() != never_read:
        raise BadCount(f"{over.total()} discards that the table has not seen: expected {never_read}")


def _counting(table: Table) -> Counting:
    if not isinstance(table.pending, Counting):
        raise NothingPending("no cards are being counted")
    return table.pending
