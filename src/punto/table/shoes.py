"""Opening and closing, limits, and the change of shoe."""

from hashlib import sha256
from typing import Final, NamedTuple

from msgspec.structs import replace

from punto.cards import Shoe, parse_cards
from punto.errors import BadCount, BadShoe, Malformed, NotAllowed, OutOfTurn, Refusal, ShoeIsSpent
from punto.rules import RANKS, Duty, Position, Rulebook
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import Actor, check_duty, check_second, may, usual_ranks
from punto.table.contributing import check_time_is_up, is_fresh, is_withheld
from punto.table.contributions import COMMIT_MS, PROTOCOL, Beacon, Cause, shoe_commitment
from punto.table.draft import Draft
from punto.table.settling import refer_seen
from punto.table.setup import USUAL_METHOD, Setup, Source, complete, with_limits
from punto.table.state import BETWEEN, Phase, Table

# How long the reason is for which somebody has the cards replaced.
LONGEST_REASON: Final = 200


def commitment(order: str, salt: str) -> str:
    """What a virtual shoe was committed to by the first protocol, which bound it to no table.

    >>> commitment("As Kd", "pepper")[:16]
    'edac30068c91ee8b'
    """
    return sha256(f"punto shoe 1\n{salt}\n{order}".encode()).hexdigest()


class ShoePlace(NamedTuple):
    """Which shoe of which table it is, and how many were abandoned just before it."""

    table: str
    number: int
    abandoned: int = 0


def next_place(table: Table, key: str) -> ShoePlace:
    """The place of the shoe that is loaded next."""
    return ShoePlace(key, table.shoes + 1, max(0, table.unplayed))


def bound_commitment(setup: Setup, place: ShoePlace, opened: tuple[str, str], beacon: Beacon | None) -> str:
    """What a virtual shoe is committed to: one order, for one shoe of one table, under its rulebook and beacon."""
    book = f"{setup.rulebook} {setup.version}" if setup.version else setup.rulebook
    order, salt = opened
    game = (setup.game, book, setup.digest, str(setup.decks), str(setup.behind))
    about = (place.table, str(place.number), *game, str(beacon or ""), str(place.abandoned))
    return shoe_commitment(about, salt, order)


def open_table(draft: Draft, command: do.OpenTable) -> None:
    """Open a table that is closed."""
    if draft.table.phase is not Phase.CLOSED:
        raise OutOfTurn("the table is open already")
    setup = command.setup
    ranks = usual_ranks(setup.ranks)
    if setup.method not in (None, USUAL_METHOD):
        check_duty(setup.book, ranks, command.by, Duty.CHOOSE_METHOD)
    if setup.ranks != RANKS and not may(setup.book.conduct.duties[Duty.RULE], ranks, command.by.position):
        raise NotAllowed("only a Gaming Shift Manager or above opens a table with ranks other than the usual ones")
    second = _confirmed(setup.book, ranks, command)
    draft.add(on.TableOpened(complete(command.setup, draft.at_ms), command.beyond_file, second))


def _confirmed(book: Rulebook, ranks: tuple[Position, ...], command: do.OpenTable | do.ChangeLimits) -> Actor | None:
    """Who confirms what goes beyond the floor's file; nobody needs to confirm anything else."""
    if not command.beyond_file:
        return None
    check_duty(book, ranks, command.by, Duty.EXCEED_FILE)
    return check_second(book, ranks, command.by, command.confirmed_by, Duty.CONFIRM_SETUP)


def close_table(draft: Draft, _: do.CloseTable) -> None:
    """Close a table between rounds; a virtual shoe must lie open first."""
    table = draft.table
    if table.phase not in BETWEEN and table.phase is not Phase.CHANGE_OF_SHOE:
        raise OutOfTurn("a table closes between rounds")
    if table.phase is not Phase.CHANGE_OF_SHOE and table.open.source is Source.VIRTUAL:
        raise OutOfTurn("the shoe is ended and opened before the table closes")
    draft.add(on.TableClosed())


def change_limits(draft: Draft, command: do.ChangeLimits) -> None:
    """Other limits from the next round on: those of this round were displayed when its wagers were placed."""
    table = draft.table
    last = table.ahead or table.open
    setup = with_limits(last, command.limits, command.differential_cents)
    if setup == last:
        raise Refusal("these are the limits already")
    second = _confirmed(table.book, table.open.ranks, command)
    draft.add(on.LimitsChanged(setup.limits, setup.differential_cents, command.beyond_file, second))


def load_shoe(draft: Draft, command: do.LoadShoe) -> None:
    """Put a fresh shoe in place."""
    table = draft.table
    if table.phase is not Phase.CHANGE_OF_SHOE and not (table.shoe.out and table.phase in BETWEEN):
        raise OutOfTurn("a shoe is loaded when the last one is out")
    virtual = table.open.source is Source.VIRTUAL
    if virtual is not bool(command.commitment):
        raise BadShoe("a virtual shoe is committed to when it is loaded, and no other is")
    if command.beacon is not None and not virtual:
        raise BadShoe("a beacon adds to the order of virtual shoes only")
    loaded = on.ShoeLoaded(table.shoes + 1, command.commitment, command.sealed)
    if virtual:
        abandoned = next_place(table, command.table).abandoned
        until_ms = draft.at_ms + COMMIT_MS
        loaded = replace(
            loaded, protocol=PROTOCOL, beacon=command.beacon, commit_until_ms=until_ms, abandoned=abandoned
        )
    draft.add(loaded)


def cut_shoe(draft: Draft, command: do.CutShoe) -> None:
    """A patron cuts a virtual shoe, once, and before its first bets open."""
    table = draft.table
    if table.phase is Phase.CHANGE_OF_SHOE or table.open.source is not Source.VIRTUAL:
        raise OutOfTurn("there is no virtual shoe to cut")
    if table.shoe.cut or not is_fresh(table) or table.shoe.reveal_until_ms:
        raise OutOfTurn("a shoe is cut once, before its contributions are closed and its first bets open")
    cards = table.open.decks * table.game.deck.size
    if not 0 < command.cards < cards:
        raise BadShoe(f"cut at {command.cards}: expected 1 to {cards - 1}")
    draft.add(on.ShoeCut(command.patron, command.cards))


def end_shoe(draft: Draft, command: do.EndShoe) -> None:
    """Take the shoe out: when that is due or proposed, else by a Pit Manager's decision (interpretation 17)."""
    table = draft.table
    if table.phase not in BETWEEN or table.shoe.out:
        raise OutOfTurn("the cards are replaced between rounds")
    cause = _cause(draft, command)
    if table.open.source is Source.VIRTUAL:
        _check_opened(table, command)
    unrevealed = table.shoe.unrevealed if cause is Cause.UNREVEALED else ()
    reason = command.reason.strip()
    draft.add(on.ShoeEnded(table.shoe.number, command.order, command.salt, cause, reason, unrevealed))


def _cause(draft: Draft, command: do.EndShoe) -> Cause:
    """Why the shoe is taken out; what nothing requires is a Pit Manager's decision, with its reason."""
    table, shoe = draft.table, draft.table.shoe
    if shoe.spent:
        return Cause.SPENT
    if shoe.proposed:
        return Cause.PROPOSED
    if is_withheld(table, command.by, draft.at_ms):
        return Cause.UNREVEALED
    if not command.reason.strip():
        check_time_is_up(table, draft.at_ms)
    check_duty(table.book, table.open.ranks, command.by, Duty.REPLACE_CARDS)
    reason = command.reason.strip()
    if not 0 < len(reason) <= LONGEST_REASON or not reason.isprintable():
        raise Malformed(f"a decision gives its reason: say in 1 to {LONGEST_REASON} characters why cards are replaced")
    return Cause.DECIDED


def keep_shoe(draft: Draft, command: do.KeepShoe) -> None:
    """A Pit Manager decides against replacing the cards, and says why (B8, TNC5 5.13; interpretation 17)."""
    table = draft.table
    if table.shoe.spent and not table.shoe.out:
        raise ShoeIsSpent("the cards shall be replaced: nobody can decide against it")
    if table.phase not in BETWEEN or table.shoe.out or not table.shoe.proposed:
        raise OutOfTurn("nobody has proposed to replace the cards: there is nothing to decide against")
    if not command.reason.strip():
        raise Malformed("a decision gives its reason")
    check_counted(table, command.counted)
    draft.add(on.ShoeKept(table.shoe.number, command.reason, command.counted))
    refer_seen(draft)


def check_counted(table: Table, counted: int | None) -> None:
    """Cards whose number is in doubt are counted before play goes on with them, and are all there."""
    expected = table.left
    if counted is None:
        if table.shoe.in_doubt:
            raise BadCount("what the device holds is in doubt: count its cards first, or have them replaced")
    elif counted != expected:
        raise BadCount(f"{counted} cards were counted in the device; by the record it holds {expected}")


def _check_opened(table: Table, command: do.EndShoe) -> None:
    """What is opened must be what was committed to, and whole decks."""
    shoe, opened = table.shoe, (command.order, command.salt)
    if shoe.protocol == PROTOCOL:
        place = ShoePlace(command.table, shoe.number, shoe.abandoned)
        made = bound_commitment(table.open, place, opened, shoe.beacon)
    else:
        made = commitment(*opened)
    if made != shoe.commitment:
        raise BadShoe("this is not the order that the shoe was committed to")
    game = table.game
    Shoe(game.deck, table.open.decks, parse_cards(command.order, game.deck), table.open.behind)
