"""What somebody may see of a table.

Cards that lie face down are seen by nobody but whoever handles them, and cards that are still to come by nobody at all:
what is hidden has no influence on a single byte of what is shown.
"""

from msgspec import Struct

from punto.rules import Method, Side
from punto.rules.money import Cents
from punto.table.actor import Actor
from punto.table.attesting import Prompt, prompts
from punto.table.events import Payment
from punto.table.state import Asked, Counting, Offer, Ordering, Phase, Placed, Table


class CardShown(Struct, frozen=True, array_like=True):
    """A card on the table; its name is empty while it lies face down."""

    side: Side
    card: str


class Waiting(Struct, frozen=True, omit_defaults=True):
    """What the table waits for, and whom."""

    what: str
    clause: str = ""
    patrons: tuple[str, ...] = ()
    wagers: tuple[int, ...] = ()
    whole: bool = False
    until_ms: int = 0


class View(Struct, frozen=True, omit_defaults=True):
    """A table as one person sees it."""

    phase: Phase
    round: int
    shoe: int
    game: str = ""
    rulebook: str = ""
    commitment: str = ""
    cut: int = 0
    cards_left: int = 0
    last_round: bool = False
    until_ms: int = 0
    wagers: tuple[Placed, ...] = ()
    cards: tuple[CardShown, ...] = ()
    payments: tuple[Payment, ...] = ()
    coups: tuple[str, ...] = ()
    method: Method | None = None
    device: str = ""
    heavier: Side | None = None
    holders: dict[str, str] = {}
    offered: dict[str, str] = {}
    waiting: Waiting | None = None
    # Human acts that somebody should vouch for.
    prompts: tuple[Prompt, ...] = ()
    staked_cents: Cents = Cents(0)


def view(table: Table, viewer: Actor | None) -> View:
    """What the viewer may see; nobody in particular is a display on the wall."""
    setup = table.setup
    if setup is None:
        return View(table.phase, table.round, table.shoes)
    name = viewer.name if viewer else ""
    hands = {side: table.custody(side) for side in Side}
    handled = {side for side in Side if name and table.handler(side) == name}
    return View(
        phase=table.phase,
        round=table.round,
        shoe=table.shoe.number,
        game=setup.game,
        rulebook=setup.rulebook,
        commitment=table.shoe.commitment,
        cut=table.shoe.cut,
        cards_left=setup.decks * table.game.deck.size - table.shoe.drawn,
        last_round=table.shoe.cutting_card,
        until_ms=table.until_ms,
        wagers=tuple(table.wagers.values()),
        cards=tuple(CardShown(laid.side, laid.card if laid.up or laid.side in handled else "") for laid in table.cards),
        payments=table.payments,
        coups=table.coups,
        method=table.method,
        device=table.device,
        heavier=table.heavier,
        holders={side.value: custody.hand for side, custody in hands.items() if custody.hand},
        offered={side.value: custody.offered for side, custody in hands.items() if custody.offered},
        waiting=_waiting(table),
        prompts=prompts(table),
        staked_cents=Cents(sum(placed.cents for placed in table.wagers.values() if placed.patron == name)),
    )


def _waiting(table: Table) -> Waiting | None:
    match table.awaited:
        case Offer() as offer:
            return Waiting("answers", offer.clause, offer.waiting, offer.wagers, offer.whole, offer.until_ms)
        case Ordering() as ordering:
            return Waiting("order", ordering.clause)
        case Asked() as asked:
            return Waiting("decision", asked.clause)
        case Counting() as counting:
            return Waiting("count", counting.clause)
        case None:
            return None
