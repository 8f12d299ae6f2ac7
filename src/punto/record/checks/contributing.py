"""Patrons contributed to the order of a virtual shoe, as they may, and nothing was left out before its first bets."""

from typing import Final

from punto.proof.beacons import is_signed
from punto.record.checks import events as on
from punto.record.checks.cards import Shoe
from punto.record.checks.findings import Code
from punto.record.checks.sitting import BETWEEN, Sitting, Withholding
from punto.record.checks.written import Beacon
from punto.record.shoeorder import SECOND, Brought, is_hex

_MOST: Final = 999
_COMMIT_MS: Final = 2_000
_REVEAL_MS: Final = 3_000
_MOST_WITHHELD: Final = 5


def contribution_committed(sitting: Sitting, event: on.ContributionCommitted) -> None:
    """A patron commits to a secret once, and while contributions are taken."""
    shoe = _shoe(sitting, "a contribution was taken")
    if shoe is None:
        return
    if shoe.reveal_until_ms:
        sitting.wrong(Code.BAD_SHOE, "a contribution was taken after contributions were closed")
    if any(each.patron == event.patron for each in shoe.brought) or len(shoe.brought) >= _MOST:
        sitting.wrong(Code.BAD_SHOE, f"a contribution of {event.patron} was taken twice, or one too many")
    withholding = sitting.withholding
    if event.patron in withholding.barred:
        sitting.wrong(Code.BAD_SHOE, f"a contribution of {event.patron} was taken, who had not revealed an earlier one")
    elif withholding.shoes >= _MOST_WITHHELD and event.patron not in withholding.revealed:
        sitting.wrong(Code.BAD_SHOE, f"a contribution of {event.patron} was taken after too many shoes were abandoned")
    if not is_hex(event.commitment):
        sitting.wrong(Code.BAD_SHOE, "a contribution was taken that commits to nothing")
    shoe.brought.append(Brought(event.patron, event.commitment))


def contributions_closed(sitting: Sitting, event: on.ContributionsClosed) -> None:
    """Contributions are closed once; patrons then have time to reveal their secrets."""
    shoe = _shoe(sitting, "contributions were closed")
    if shoe is None:
        return
    if sitting.at_ms < shoe.loaded_ms + _COMMIT_MS:
        sitting.wrong(Code.BAD_SHOE, "contributions were closed before patrons had time to bring them")
    if shoe.reveal_until_ms or event.shoe != shoe.number or event.until_ms != sitting.at_ms + _REVEAL_MS:
        sitting.wrong(Code.BAD_SHOE, "contributions were closed twice, for another shoe, or with too little time")
    shoe.reveal_until_ms = max(event.until_ms, sitting.at_ms + _REVEAL_MS)
    if event.beacon_round != (_round_after(shoe.beacon, sitting.at_ms) if shoe.awaits_beacon else 0):
        sitting.wrong(Code.BAD_SHOE, f"round {event.beacon_round} of the beacon is not the first after the close")
    shoe.beacon_round = event.beacon_round


def contribution_revealed(sitting: Sitting, event: on.ContributionRevealed) -> None:
    """A patron reveals, once contributions are closed, what was committed to."""
    shoe = _shoe(sitting, "a secret was revealed")
    if shoe is None:
        return
    if not shoe.reveal_until_ms:
        sitting.wrong(Code.BAD_SHOE, "a secret was revealed while contributions were still taken")
    for place, each in enumerate(shoe.brought):
        if each.patron == event.patron and not each.secret:
            shoe.brought[place] = each._replace(secret=event.secret)
            if not is_hex(event.secret) or not shoe.brought[place].fits(shoe.commitment):
                sitting.wrong(Code.BAD_SHOE, f"what {event.patron} revealed is not what was committed to")
            return
    sitting.wrong(Code.BAD_SHOE, f"{event.patron} revealed a secret that nobody awaited")


def beacon_drawn(sitting: Sitting, event: on.BeaconDrawn) -> None:
    """The beacon's value is written down once, after contributions were closed."""
    shoe = _shoe(sitting, "a beacon's value was written down")
    if shoe is None:
        return
    if shoe.beacon is None or not shoe.awaits_beacon or not shoe.reveal_until_ms:
        sitting.wrong(Code.BAD_SHOE, "a beacon's value was written down that nobody awaited")
    elif not is_signed(shoe.beacon.key, shoe.beacon_round, event.signature):
        sitting.wrong(
            Code.BAD_SHOE, f"a value was written down that the beacon did not sign for round {shoe.beacon_round}"
        )
    shoe.beacon_value = event.signature


def check_complete(sitting: Sitting, shoe: Shoe) -> None:
    """Before the first bets all that permutes the order has come."""
    if shoe.used or shoe.protocol != SECOND:
        return
    if (shoe.brought or shoe.awaits_beacon) and not shoe.reveal_until_ms:
        sitting.wrong(Code.BAD_SHOE, "bets opened while contributions to the shoe were still taken")
    elif not shoe.is_complete:
        missing = ", ".join(shoe.unrevealed) or "the beacon"
        sitting.wrong(Code.BAD_SHOE, f"bets opened though a contribution to the shoe was withheld: {missing}")
    sitting.withholding = Withholding()


def end_contributions(sitting: Sitting, shoe: Shoe, event: on.ShoeEnded) -> None:
    """Who withheld contributes to no shoe until bets open again; after too many such shoes, only who ever revealed."""
    if event.cause != "unrevealed" or not event.unrevealed:
        return
    before = sitting.withholding
    sitting.withholding = Withholding(
        before.shoes + 1,
        before.barred | {each.patron for each in shoe.brought if not each.secret},
        before.revealed | {each.patron for each in shoe.brought if each.secret},
    )


def _round_after(beacon: Beacon | None, at_ms: int) -> int:
    """The first round that came after a moment."""
    if beacon is None or beacon.period_s < 1:
        return 0
    passed = at_ms // 1000 - beacon.genesis_s
    return passed // beacon.period_s + 2 if passed >= 0 else 1


def _shoe(sitting: Sitting, said: str) -> Shoe | None:
    """The shoe in place, if it is one that patrons contribute to and nobody has bet on."""
    sitting.expect(BETWEEN, said)
    shoe = sitting.shoe
    if shoe is None or shoe.protocol != SECOND or shoe.used or shoe.came:
        sitting.wrong(Code.BAD_SHOE, f"{said} for a shoe that takes none")
        return None
    return shoe
