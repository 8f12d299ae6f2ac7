"""Rulings: what was referred, and every part of what the Gaming Shift Manager decided (EB4, E7U, B8, TNC5 6.1)."""

from collections import Counter

from punto.record.checks import matters
from punto.record.checks.awaited import Asked, Matter
from punto.record.checks.cards import UNREAD, Glimpse, Shoe, Spare
from punto.record.checks.findings import Code
from punto.record.checks.register import key
from punto.record.checks.settlements import check_returns
from punto.record.checks.shoes import check_counted, check_waiting, discard_spare, miss, see
from punto.record.checks.sitting import BETWEEN, IN_DEVICE, IN_ROUND, OF_CARDS, OF_CONTENTS, OF_THE_DEAL, Phase, Sitting
from punto.record.checks.terms import FIFTH, SECOND
from punto.rules import Found, Remedy, Side

_OPEN = frozenset(Phase) - {Phase.CLOSED}


def referred(sitting: Sitting, event: matters.Referred) -> None:
    """What no rule covers waits for the Gaming Shift Manager, after all that was referred before it."""
    sitting.expect(_OPEN, "a matter was referred", free=sitting.edition < SECOND)
    sitting.expect_clause(event.clause, sitting.open.conduct.other_clause)
    sitting.matters += 1
    _check_referred(sitting, event)
    rounds = {_round_of(sitting, event.found)}
    numbered = event.number or sitting.edition >= SECOND
    if numbered and (event.number != sitting.matters or event.round not in rounds):
        said = f"matter {event.number}, on round {event.round}, came after matter {sitting.matters - 1}"
        sitting.wrong(Code.BAD_RULING, f"{said} in round {sitting.round}")
    sitting.asked.append(Asked(event.found, event.round or sitting.round, sitting.matters, event.by))
    if sitting.edition >= FIFTH and event.by not in sitting.reporters:
        expected = " or ".join(sorted(each or "nobody" for each in sitting.reporters))
        sitting.wrong(Code.BAD_RULING, f"{event.by or 'nobody'} is said to have reported it; it was {expected}")
    # Cards of a round whose shoe is out never were in the one that is in place.
    of_round = event.found in OF_THE_DEAL and sitting.edition >= SECOND
    shoe = sitting.dealt_from if of_round else sitting.shoe or sitting.dealt_from
    shoe.spent |= event.replace
    shoe.shall_be_replaced |= event.replace
    if event.found in OF_CONTENTS:
        shoe.in_doubt |= event.round > sitting.round or sitting.paid
        if event.found is Found.MISSING_CARDS and sitting.shoe and sitting.edition >= SECOND:
            miss(sitting, shoe, event.cards.split())
        return
    cards = ["" if card == UNREAD else card for card in event.cards.split()]
    if event.found is Found.CARD_SEEN:
        before = {each.number for each in sitting.asked[:-1]}
        for each in shoe.barred(sitting.betting_round):
            each.matter = each.matter if each.matter in before else sitting.matters
    check_waiting(sitting, _new(event.found, [card for card in cards if card], shoe), shoe)
    for card in cards:
        _take_out(sitting, event, shoe, card)
    if event.found in IN_DEVICE and not cards:
        shoe.glimpsed.append(Glimpse("", matter=sitting.matters))


def _round_of(sitting: Sitting, found: Found) -> int:
    """The round that a matter is about: between rounds, what is found of the cards concerns the coming one."""
    coming = sitting.concerns_coming_round and found in (*OF_CARDS, Found.CARD_SEEN)
    return sitting.round + 1 if coming else max(sitting.round, 1)


def _check_referred(sitting: Sitting, event: matters.Referred) -> None:
    """What is referred is what was found; else a card that was seen, a report that was dropped, or something other."""
    if sitting.edition < SECOND:
        return
    due, sitting.to_refer = sitting.to_refer, None
    if event.found not in ((due,) if due else (Found.OTHER, Found.CARD_SEEN, *sitting.dropped)):
        said = f"what was found was {due.value}" if due else "nothing like it was found"
        sitting.wrong(Code.BAD_REMEDY, f"{event.found.value} was referred; {said}")
    if not due and event.found in sitting.dropped:
        sitting.dropped.remove(event.found)
    _check_cards(sitting, event, reported=due is not None)


def _check_cards(sitting: Sitting, event: matters.Referred, *, reported: bool) -> None:
    """A referral of cards in a wrong order or number names the ones that lie there besides the round's own."""
    cards, matter = event.cards.split(), sitting.matter
    if event.found in OF_THE_DEAL and reported and matter:
        beside = sitting.dealt_from.spare_in(sitting.round)
        new = max(matter.lying - len(sitting.cards) - len(beside), 0)
        had = Counter(laid.card for laid in sitting.cards) + Counter(spare.card for spare in beside)
        fresh = Counter(matter.named) - had
        named = Counter(card for card in cards if card != UNREAD)
        if len(cards) != new or named - fresh or named.total() != min(new, fresh.total()):
            sitting.wrong(Code.BAD_CARD, f"{event.cards or 'no card'} was referred; other cards lay there besides")
    elif cards and event.found not in (*OF_CARDS, Found.CARD_SEEN):
        sitting.wrong(Code.BAD_CARD, f"{event.cards} was referred, and no report named it")


def _new(found: Found, cards: list[str], shoe: Shoe) -> list[str]:
    """The cards of a report that nobody has told before, as far as the shoe must still hold them."""
    known = [*[each.card for each in shoe.surplus], *[each.card for each in shoe.glimpsed]]
    return [card for card in cards if found is not Found.CARD_SEEN or card not in known]


def _take_out(sitting: Sitting, event: matters.Referred, shoe: Shoe, card: str) -> None:
    """A card that a report names is out of the device: it was seen there, or lay next and unseen, or came out now."""
    known = next((each for each in shoe.glimpsed if each.card == card), None)
    unseen = next((each for each in shoe.surplus if not each.seen and each.card in ("", card)), None)
    if event.found is Found.CARD_SEEN and not known and unseen:
        unseen.card, unseen.seen, unseen.matter = card, True, sitting.matters
        return
    if known:
        shoe.glimpsed.remove(known)
    # A card that nobody names was seen all the same: in the device, or by a patron who held it (interpretation 48).
    seen = bool(card) or event.found in IN_DEVICE or any(sitting.in_hands(side) for side in Side)
    shoe.surplus.append(Spare(card, seen, event.round or sitting.round, matter=sitting.matters))


def ruled(sitting: Sitting, event: matters.Ruled) -> None:
    """The Gaming Shift Manager decides what was referred first, and says why."""
    asked = sitting.asked.pop(0) if sitting.asked else None
    if asked is None:
        sitting.wrong(Code.OUT_OF_TURN, "something was ruled that had not been referred")
    elif (event.matter or sitting.edition >= SECOND) and event.matter != asked.number:
        sitting.wrong(Code.OUT_OF_TURN, f"matter {event.matter} was decided before matter {asked.number}")
    elif asked.by and key(asked.by) == key(sitting.by.name) and sitting.edition >= FIFTH:
        sitting.wrong(Code.ONE_PERSON_TWICE, f"{sitting.by.name} decided a matter that {asked.by} had reported")
    if sitting.waits_for_others and event.ruling != "void" and sitting.edition >= SECOND:
        sitting.wrong(Code.OUT_OF_TURN, f"a decision came while the round waited for {sitting.pending}")
    _check_ruling(sitting, asked, event)
    sitting.played = event.played.split()
    check_returns(sitting, event.returns, {each.number for each in event.returns}, parts=sitting.edition >= SECOND)
    for each in event.returns:
        bet = sitting.bets.get(each.number)
        if bet is not None:
            bet.cents -= each.cents
            if not bet.cents:
                del sitting.bets[each.number]
    _rule_results(sitting, event)
    _rule_shoe(sitting, asked, event)
    _rule_cards(sitting, event)
    sitting.ruling = event.ruling
    sitting.ruled_round = event.round
    if asked:
        # A ruling on the coming round voids nothing.
        remedies = {"void": Remedy.VOID, "order": Remedy.REBUILD} if event.round <= sitting.round else {}
        remedy = remedies.get(event.ruling, Remedy.REFER)
        named = tuple(card for card in event.order.split() if card != UNREAD)
        clause = sitting.open.conduct.other_clause or ""
        sitting.matter = Matter(asked.found, remedy, clause, named=named, order=event.order, by_decision=True)


def _check_ruling(sitting: Sitting, asked: Asked | None, event: matters.Ruled) -> None:
    """A ruling has a reason and is one that can be, and leaves alone a round that it is not on."""
    if not event.reason.strip():
        sitting.wrong(Code.BAD_RULING, "a ruling without a reason")
    if event.ruling not in ("void", "continue", "return", "order"):
        sitting.wrong(Code.BAD_RULING, f"{event.ruling!r} is no ruling")
    if event.returns and (event.ruling == "void" or (sitting.edition < SECOND and event.ruling != "return")):
        sitting.wrong(Code.BAD_RULING, f"{len(event.returns)} wagers went back by a ruling to {event.ruling}")
    if event.ruling == "return" and not event.returns:
        sitting.wrong(Code.BAD_RULING, "wagers were to go back by a ruling, and none did")
    if sitting.edition >= SECOND and (event.ruling == "order") is not bool(event.order):
        sitting.wrong(Code.BAD_RULING, f"a ruling to {event.ruling} states {event.order or 'no order of cards'}")
    coming = event.round > sitting.round
    if asked and sitting.edition >= SECOND and event.round not in _rounds(sitting, asked, event):
        sitting.wrong(Code.BAD_RULING, f"a matter of round {asked.round} was decided against round {event.round}")
    if coming and (event.returns or event.results or event.ruling in ("order", "return")):
        sitting.wrong(Code.BAD_RULING, f"a ruling on round {event.round}, which had not begun, touched another")
    if event.results and (sitting.phase is Phase.BETS_OPEN or sitting.heavier):
        sitting.wrong(Code.BAD_RULING, "a result was decided while wagers could still change")


def _rounds(sitting: Sitting, asked: Asked, event: matters.Ruled) -> set[int]:
    """The rounds that a decision may apply to; a matter of the coming round touches no earlier one (5.1.2).

    Rounds before the last can only be said to stand (interpretation 43).
    """
    if asked.round > sitting.round:
        return {asked.round}
    shoe = sitting.shoe or sitting.dealt_from
    barred = Counter(each.told for each in shoe.barred(sitting.betting_round))
    burnt = event.burnt_next or Counter(event.burnt.split()) - barred
    touches = event.returns or event.results or burnt or event.played or event.shoe
    stand = {*range(1, sitting.round)} if event.ruling == "continue" and not touches else set()
    return {asked.round, sitting.round, sitting.round + (sitting.phase in BETWEEN), *stand}


def _rule_results(sitting: Sitting, event: matters.Ruled) -> None:
    """Each result is of a wager that stays on the table, and is stated once (interpretation 46)."""
    numbers = [each.number for each in event.results]
    for number in numbers:
        if number not in sitting.bets or numbers.count(number) > 1:
            sitting.wrong(Code.BAD_RULING, f"a result of wager {number} was stated, which is not there, or twice")
    sitting.stated |= {each.number: (each.result, each.pays) for each in event.results}


def _rule_cards(sitting: Sitting, event: matters.Ruled) -> None:
    """Cards that are burnt are gone; those that are to be played may decide wagers of that round."""
    shoe = sitting.shoe or sitting.dealt_from
    for card in event.burnt.split():
        _burn(sitting, shoe, card, event)
    for _ in range(event.burnt_next):
        _burn_next(sitting, shoe, event)
    if shoe.drawn > sitting.open.total:
        sitting.wrong(Code.BAD_RULING, f"{event.burnt_next} cards were burnt, more than the shoe held")
    out: list[Spare] = []
    chosen: list[Spare | Glimpse] = []
    for card in event.played.split():
        played = _meant(shoe, card, event, chosen)
        if played is None:
            sitting.wrong(Code.BAD_RULING, f"{card} was to be played, and was not among the cards that were seen")
        else:
            played.allowed = event.round
            chosen.append(played)
            out += [played] if isinstance(played, Spare) else []
    # They come in the order in which the decision names them, in the places that they had.
    places = sorted(place for place, each in enumerate(shoe.surplus) if any(each is one for one in out))
    for place, each in zip(places, out, strict=True):
        shoe.surplus[place] = each


def _meant(
    shoe: Shoe, card: str, event: matters.Ruled, taken: list[Spare | Glimpse] | None = None
) -> Spare | Glimpse | None:
    """Of several seen cards with one face, the one meant: of the decision's own matter, and not one that may play."""
    loose: list[Spare | Glimpse] = [each for each in shoe.surplus if each.seen]
    alike = [each for each in (*loose, *shoe.glimpsed) if each.told == card]
    alike = [each for each in alike if not any(each is one for one in taken or ())]
    return min(alike, key=lambda each: (each.allowed == event.round > 0, each.matter != event.matter), default=None)


def _burn(sitting: Sitting, shoe: Shoe, card: str, event: matters.Ruled) -> None:
    """A card is discarded: one that was seen and is out, or one that comes out of the device for it."""
    meant = _meant(shoe, card, event)
    if isinstance(meant, Spare):
        discard_spare(sitting, shoe, [meant])
        return
    if meant:
        shoe.glimpsed.remove(meant)
    elif card == UNREAD or sitting.open.virtual:
        sitting.wrong(Code.BAD_RULING, f"{card} was burnt, and was not among the cards that were seen")
    shoe.came.append("" if card == UNREAD else card)
    if card != UNREAD:
        see(sitting, card, shoe)


def _burn_next(sitting: Sitting, shoe: Shoe, event: matters.Ruled) -> None:
    """The next card is discarded, but none that a decision lets play."""
    round_ = max(event.round, sitting.round)
    played = event.played.split()
    for spare in shoe.surplus:
        if spare.seen and spare.told in played:
            played.remove(spare.told)
        elif spare.round <= round_ and spare.allowed != round_:
            discard_spare(sitting, shoe, [spare])
            return
    shoe.came.append("")
    for glimpse in shoe.glimpsed:
        if glimpse.told in played:
            played.remove(glimpse.told)
        elif not glimpse.card and glimpse.allowed != round_:
            shoe.glimpsed.remove(glimpse)
            return


def _puts_in_doubt(sitting: Sitting, asked: Asked) -> bool:
    """Whether a matter puts the contents of the shoe in doubt for the rounds to come."""
    return asked.found in OF_CONTENTS and (asked.round > sitting.round or sitting.paid)


def _rule_shoe(sitting: Sitting, asked: Asked | None, event: matters.Ruled) -> None:
    """The shoe is replaced or kept, and counted where its contents are in doubt (interpretation 17)."""
    shoe = sitting.shoe or sitting.dealt_from
    if event.shoe == "replace":
        shoe.completes_round = (sitting.phase in IN_ROUND or event.ruling == "order") and shoe.can_be_drawn_from
        shoe.spent = shoe.ends = True
    elif event.shoe == "keep":
        if shoe.shall_be_replaced:
            sitting.wrong(Code.BAD_RULING, "cards were kept that shall be replaced (5.11.5, 5.12.2)")
        check_counted(sitting, event.counted)
        shoe.spent = shoe.proposed = shoe.in_doubt = shoe.ends = False
    elif event.shoe is not None:
        sitting.wrong(Code.BAD_RULING, f"{event.shoe!r} is nothing that becomes of a shoe")
    elif asked and sitting.shoe and not shoe.spent and _puts_in_doubt(sitting, asked):
        sitting.wrong(Code.BAD_RULING, "the shoe's contents were in doubt, and nothing was decided about them")
    if (event.burnt or event.burnt_next or event.played) and not sitting.shoe and sitting.edition >= SECOND:
        sitting.wrong(Code.BAD_RULING, "cards were burnt or to be played, and no shoe was in place")
    if event.played and event.shoe == "replace" and sitting.phase in BETWEEN:
        sitting.wrong(Code.BAD_RULING, f"{event.played} was to be played from a shoe that was to be replaced")
