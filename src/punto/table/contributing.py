"""Patrons contribute to the order of a virtual shoe: they commit to secrets and reveal them before its first bets."""

from typing import Final

from punto.errors import BadContribution, NotAllowed, OutOfTurn
from punto.rules import Position
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import Actor
from punto.table.contributions import MOST_CONTRIBUTIONS, REVEAL_MS, SECRET_BYTES, contribution_digest
from punto.table.draft import Draft
from punto.table.state import BETWEEN, Table

_HEX: Final = frozenset("0123456789abcdef")
# The longest signature of a beacon, in hexadecimal digits.
_LONGEST_SIGNATURE: Final = 512


def contribute(draft: Draft, command: do.Contribute) -> None:
    """A patron commits to a secret, once a shoe."""
    table, shoe = draft.table, draft.table.shoe
    _check_own(command, table)
    if not is_fresh(table) or not shoe.takes_contributions:
        raise OutOfTurn("this shoe takes no contributions now")
    if any(each.patron == command.patron for each in shoe.contributions):
        raise OutOfTurn("you have contributed to this shoe already: a contribution stands")
    if command.patron in table.withholding.barred:
        raise OutOfTurn("you withheld a contribution: you may contribute again once bets have opened")
    if not table.withholding.admits(command.patron):
        shoes = table.withholding.shoes
        raise OutOfTurn(
            f"{shoes} shoes were abandoned in a row: only patrons who revealed a contribution bring one now"
        )
    if len(shoe.contributions) >= MOST_CONTRIBUTIONS:
        raise OutOfTurn(f"{MOST_CONTRIBUTIONS} patrons contribute to this shoe already, and no more can")
    _check_hex(command.commitment, "a contribution's commitment")
    draft.add(on.ContributionCommitted(command.patron, command.commitment))


def close_contributions(draft: Draft, _: do.CloseContributions) -> None:
    """From now on secrets are revealed, and nothing else changes the order."""
    table = draft.table
    if not is_fresh(table) or not table.shoe.takes_contributions:
        raise OutOfTurn("no contributions are being taken")
    if draft.at_ms < table.shoe.commit_until_ms:
        wait_s = (table.shoe.commit_until_ms - draft.at_ms + 999) // 1000
        raise OutOfTurn(f"patrons still contribute to the order of this shoe: wait {wait_s} s")
    beacon = table.shoe.beacon
    round_ = beacon.round_after(draft.at_ms) if beacon and beacon.reached else 0
    draft.add(on.ContributionsClosed(table.shoe.number, draft.at_ms + REVEAL_MS, round_))


def reveal(draft: Draft, command: do.RevealContribution) -> None:
    """A patron reveals the secret, which must be the one committed to."""
    table, shoe = draft.table, draft.table.shoe
    _check_own(command, table)
    if not is_fresh(table) or not shoe.reveal_until_ms:
        raise OutOfTurn("secrets are revealed once contributions are closed, and before bets open")
    if command.patron not in shoe.unrevealed:
        raise OutOfTurn("no secret of yours is awaited for this shoe")
    _check_hex(command.secret, "a secret")
    digest = contribution_digest(shoe.commitment, command.patron, command.secret)
    if not any(each.patron == command.patron and each.commitment == digest for each in shoe.contributions):
        raise BadContribution("this is not the secret that you committed to: nothing was done")
    draft.add(on.ContributionRevealed(command.patron, command.secret))


def draw_beacon(draft: Draft, command: do.DrawBeacon) -> None:
    """The value of the beacon's round; the floor has checked its signature."""
    shoe = draft.table.shoe
    if command.by.position is not Position.SYSTEM:
        raise NotAllowed("only the floor itself writes down a beacon's value")
    if not is_fresh(draft.table) or not shoe.reveal_until_ms or not shoe.awaits_beacon:
        raise OutOfTurn("no beacon's value is awaited")
    signature = command.signature
    if not 0 < len(signature) <= _LONGEST_SIGNATURE or not _HEX.issuperset(signature):
        raise BadContribution("a beacon's value is its signature, in hexadecimal digits")
    draft.add(on.BeaconDrawn(signature))


def check_complete(table: Table) -> None:
    """Refuse to open the first bets on a shoe whose order is not known yet."""
    shoe = table.shoe
    if not is_fresh(table):
        return
    if shoe.takes_contributions and (shoe.contributions or shoe.awaits_beacon):
        raise OutOfTurn("patrons contribute to the order of this shoe: close the contributions before bets open")
    if not shoe.is_complete:
        raise OutOfTurn("not all contributions to this shoe are revealed: wait for them, or replace the shoe")


def is_fresh(table: Table) -> bool:
    """Whether a shoe is in place on which no bets have opened, and of which no card is out."""
    shoe = table.shoe
    return table.phase in BETWEEN and not shoe.out and not shoe.drawn and table.dealt_from != shoe.number


def is_withheld(table: Table, by: Actor, at_ms: int) -> bool:
    """Whether something that the order needs has not come, and its time is up.

    The floor's own clock counts that time by itself: the time of day stands still after it was set back.
    """
    shoe = table.shoe
    if not is_fresh(table) or not shoe.reveal_until_ms or shoe.is_complete:
        return False
    return by.position is Position.SYSTEM or at_ms >= shoe.reveal_until_ms


def check_time_is_up(table: Table, at_ms: int) -> None:
    """Refuse to give up a shoe while what its order needs may still come."""
    shoe = table.shoe
    if is_fresh(table) and not shoe.is_complete and at_ms < shoe.reveal_until_ms:
        wait_s = (shoe.reveal_until_ms - at_ms + 999) // 1000
        raise OutOfTurn(f"contributions to this shoe are still being revealed: wait {wait_s} s, or give a reason")


def _check_own(command: do.Contribute | do.RevealContribution, table: Table) -> None:
    if command.by.position is not Position.PATRON:
        raise NotAllowed("only patrons themselves contribute to a shoe")
    if command.shoe != table.shoe.number:
        raise OutOfTurn(f"shoe {command.shoe} is not in place: nothing was done")


def _check_hex(text: str, what: str) -> None:
    if len(text) != 2 * SECRET_BYTES or not _HEX.issuperset(text):
        raise BadContribution(f"{what} has {2 * SECRET_BYTES} hexadecimal digits, in small letters")
