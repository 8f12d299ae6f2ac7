"""Custody: methods of dealing, who gets the cards to squeeze, who controls the device (B8, TNC5 3.8 to 3.11)."""

from collections import defaultdict

from punto.errors import NotAllowed, NotInHand, OutOfTurn, Refusal
from punto.rules import Duty, Method, Result, Side
from punto.rules.deal import FULL
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import check_duty, check_person
from punto.table.bets import HAND_OF, ON_HAND, custody_clauses, may_hold_device
from punto.table.draft import Draft
from punto.table.state import BETWEEN, DEALING, PLAYING, Phase, Placed, Table


def restrict_areas(draft: Draft, command: do.RestrictAreas) -> None:
    """Allow fewer wagers per playing area than the rulebook does (B8, TNC5 3.6.1)."""
    areas = draft.table.book.conduct.areas
    assert areas, "only a rulebook with areas gives anybody this duty"
    if not 1 <= command.most <= areas.most:
        raise Refusal(f"{command.most} wagers per playing area: expected 1 to {areas.most} ({areas.clause})")
    draft.add(on.AreasRestricted(command.most))


def choose_method(draft: Draft, command: do.ChooseMethod) -> None:
    """Change the method between rounds; C needs a higher position, the HLGA, and a device that reads cards."""
    table = draft.table
    if table.phase not in BETWEEN and table.phase is not Phase.CHANGE_OF_SHOE:
        raise OutOfTurn("the method changes only before a round begins")
    if command.method is Method.C:
        check_duty(table.book, table.open.ranks, command.by, Duty.ALLOW_METHOD_C)
        if not table.open.hlga:
            raise NotAllowed("Method C is permitted within the HLGA only")
        if not table.open.reads:
            raise NotAllowed("Method C takes a device that reads cards")
    draft.add(on.MethodChosen(command.method))


def offer_hands(draft: Draft) -> None:
    """Pass both hands to those who have the right to them, once the initial deal is complete (B8, TNC5 3.9.2)."""
    if draft.table.method is not Method.A:
        return
    for side in Side:
        custody = draft.table.custody(side)
        if not (custody.hand or custody.offered or custody.wanted or custody.kept or draft.table.lies_open(side)):
            offer(draft, side)


def offer(draft: Draft, side: Side) -> None:
    """Pass a hand to the next in line; with nobody left, ask the Pit Supervisor."""
    found = next_in_line(draft.table, side)
    if found is None:
        draft.add(on.HolderWanted(side, custody_clauses(draft.table).chosen))
    else:
        patron, clause = found
        draft.add(on.CardsOffered(side, patron, clause))


def pass_on(draft: Draft) -> None:
    """Offer a hand to the next in line once the patron who was offered it has no wager on it any more.

    The same where the Pit Supervisor was to choose, and withdrawals have left one patron with the right.
    """
    for side in Side:
        table = draft.table
        custody = table.custody(side)
        bets = [placed for placed in table.wagers.values() if placed.wager == ON_HAND[side]]
        left = bool(custody.offered) and all(placed.patron != custody.offered for placed in bets)
        if table.phase in DEALING and (left or (custody.wanted and next_in_line(table, side))):
            offer(draft, side)


def next_in_line(table: Table, side: Side) -> tuple[str, str] | None:
    """Whose turn it is to be offered a hand, and by which clause (interpretation 27).

    The highest amount first. Of equal ones the first that was there, and nobody where that cannot be told. After a
    refusal, the next counter clockwise, in which direction positions are numbered.
    """
    clauses = custody_clauses(table)
    bets: defaultdict[str, list[Placed]] = defaultdict(list)
    for placed in table.wagers.values():
        if placed.wager == ON_HAND[side]:
            bets[placed.patron].append(placed)
    amounts = {patron: sum(placed.cents for placed in theirs) for patron, theirs in bets.items()}
    refused = table.custody(side).refused
    for amount in sorted(set(amounts.values()), reverse=True):
        equal = [patron for patron in amounts if amounts[patron] == amount]
        left = [patron for patron in equal if patron not in refused]
        if not left:
            continue
        before = [patron for patron in refused if patron in equal]
        if before:
            start = bets[before[-1]][0].position
            steps = {patron: (bets[patron][0].position - start) % table.open.positions for patron in left}
            return min(left, key=lambda patron: (steps[patron], _since(bets[patron]))), clauses.around
        left.sort(key=lambda patron: _since(bets[patron]))
        if len(left) > 1 and _since(bets[left[0]]) == _since(bets[left[1]]):
            return None  # placed at the same moment: the Pit Supervisor chooses (3.9.4.1)
        if any(patron in refused for patron in amounts):
            return left[0], clauses.next_highest
        return left[0], clauses.first_placed if len(left) > 1 else clauses.highest
    return None


def _since(bets: list[Placed]) -> int:
    """When a patron reached the amount: with the last of the wagers that make it up."""
    return max(placed.since for placed in bets)


def accept(draft: Draft, command: do.AcceptCards) -> None:
    """Take the cards that were offered."""
    _check_offered(draft.table, command.side, command.patron)
    _check_handled(draft.table)
    draft.add(on.CardsAccepted(command.side, command.patron))


def refuse(draft: Draft, command: do.RefuseCards) -> None:
    """Leave the cards; they go to the next in line (B8, TNC5 3.9.3, 3.9.5)."""
    table = draft.table
    custody = table.custody(command.side)
    chosen = custody.holder == command.patron and not table.lies_open(command.side)
    if not chosen:
        _check_offered(table, command.side, command.patron)
    _check_handled(table)
    draft.add(on.CardsRefused(command.side, command.patron))
    if table.method is Method.A and table.initial_deal_done and not custody.kept:
        offer(draft, command.side)


def _check_offered(table: Table, side: Side, patron: str) -> None:
    if table.custody(side).offered != patron:
        raise NotInHand(f"the {side.value} hand is not offered to {patron}")


def choose_holder(draft: Draft, command: do.ChooseHolder) -> None:
    """Give a hand to whom the Pit Supervisor chooses (B8, TNC5 3.9.4.1)."""
    _check_handled(draft.table)
    check_person(command.patron)
    if not draft.table.custody(command.side).wanted:
        raise NotInHand(f"nobody needs to be chosen for the {command.side.value} hand")
    draft.add(on.HolderChosen(command.side, command.patron))


def permit_squeeze(draft: Draft, command: do.PermitSqueeze) -> None:
    """Let somebody squeeze a hand of this round (B8, TNC5 3.16; interpretation 28)."""
    table = draft.table
    _check_handled(table)
    check_person(command.patron)
    hand = table.hand(command.side)
    if len(hand) == FULL and table.lies_open(command.side):
        raise NotInHand(f"the {command.side.value} hand lies open, and no card of it is to come")
    draft.add(on.SqueezePermitted(command.side, command.patron, command.designee))


def pass_hand(draft: Draft, command: do.PassHand) -> None:
    """Bring a hand from the patron at the device to another, face down, through the Dealer (B8, TNC5 3.11.3)."""
    table = draft.table
    check_person(command.patron)
    if table.method is not Method.C:
        raise OutOfTurn("hands are passed on from the device under Method C only")
    _check_not_shown(table, command.side)
    if not table.initial_deal_done:
        raise OutOfTurn("a hand is passed on once the initial deal is complete")
    if table.custody(command.side).kept or table.dealer_stands_in:
        raise OutOfTurn("the patron is not there: the Dealer exposes the hand (5.10)")
    if command.patron == table.device:
        raise NotInHand(f"{command.patron} has the {command.side.value} hand already")
    draft.add(on.HandPassed(command.side, command.patron))


def _check_handled(table: Table) -> None:
    if table.phase not in PLAYING or table.phase is Phase.OUTCOME:
        raise OutOfTurn("there is no hand to be handled")


def _check_not_shown(table: Table, side: Side) -> None:
    _check_handled(table)
    if table.hand(side) and table.lies_open(side):
        raise NotInHand(f"the {side.value} hand lies open already")


def choose_first(draft: Draft, command: do.ChooseFirst) -> None:
    """Determine which hand is revealed first (B8, TNC5 3.9.6)."""
    table = draft.table
    if table.method is not Method.A or table.phase is not Phase.DRAWING or table.announced:
        raise OutOfTurn("which hand comes first is determined under Method A, after the initial deal")
    if any(table.lies_open(side) for side in Side):
        raise OutOfTurn("a hand is revealed already")
    draft.add(on.FirstChosen(command.side))


def take_device(draft: Draft, command: do.TakeDevice) -> None:
    """Take control of the device: with a wager in this round, or by permission (B8, TNC5 3.11.2, 3.11.8)."""
    table = draft.table
    if table.method is not Method.C:
        raise NotAllowed("the Dealer keeps the device except under Method C")
    if table.device:
        raise NotInHand("the device is in a patron's hands already")
    if table.dealer_stands_in:
        raise OutOfTurn("the Dealer draws for the rest of this round")
    if table.phase not in PLAYING:
        raise OutOfTurn("the device is taken once bets are open")
    if not may_hold_device(table, command.patron):
        raise NotAllowed(f"{command.patron} has no wager, and no permission to draw without one")
    draft.add(on.DeviceTaken(command.patron))


def give_up_device(draft: Draft, command: do.GiveUpDevice) -> None:
    """Relinquish the device (B8, TNC5 3.11.8.1)."""
    if draft.table.device != command.patron:
        raise NotInHand(f"{command.patron} does not control the device")
    draft.add(on.DeviceGivenUp(command.patron, custody_clauses(draft.table).given_up))


def permit_drawing(draft: Draft, command: do.PermitDrawing) -> None:
    """Permit drawing without a wager, or withdraw that; then the device goes back (interpretation 29)."""
    table = draft.table
    check_person(command.patron)
    if command.permitted is (command.patron in table.may_draw):
        raise Refusal(f"{command.patron} {'may draw already' if command.permitted else 'has no such permission'}")
    draft.add(on.DrawingPermitted(command.patron, command.permitted))
    if table.device == command.patron and not may_hold_device(draft.table, command.patron):
        draft.add(on.DeviceGivenUp(command.patron, custody_clauses(table).without_wager))


def device_after_settlement(draft: Draft) -> None:
    """Control ends when a wager on either hand loses, and not with a tie (interpretation 29).

    For a patron with no wager on either hand, it ends when all that the patron wagered loses.
    """
    table = draft.table
    if not table.device:
        return
    own = [payment for payment in table.payments if payment.patron == table.device]
    on_hands = [payment for payment in own if payment.wager in HAND_OF]
    lost = [payment.result is Result.LOSE for payment in on_hands or own]
    if any(lost) if on_hands else lost and all(lost):
        draft.add(on.DeviceGivenUp(table.device, custody_clauses(table).lost))
