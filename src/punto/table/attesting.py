"""Acts that only people can do: the table asks for them, and records who vouches for each, and when."""

from msgspec import Struct

from punto.errors import OutOfTurn
from punto.rules import Act, Duty, Method
from punto.table import commands as do
from punto.table import events as on
from punto.table.actor import check_duty
from punto.table.draft import Draft
from punto.table.state import PLAYING, Counting, Table


class Prompt(Struct, frozen=True, omit_defaults=True):
    """An act that the table asks for; of a wager, where each has an act of its own."""

    act: Act
    wager: int = 0


def prompts(table: Table) -> tuple[Prompt, ...]:
    """The acts that the table asks for as it stands, and nobody has vouched for in this round."""
    if table.setup is None or table.phase not in PLAYING:
        return ()
    asked = {act for act, wanted in _wanted(table).items() if wanted}
    # A patron asks for each wager that staff place (B8, TNC5 3.7).
    wagers = {Act.PATRON_ASKED: table.by_staff}
    found = [Prompt(act, wager) for act in table.book.conduct.acts if act in asked for wager in wagers.get(act, (0,))]
    return tuple(prompt for prompt in found if (prompt.act, prompt.wager) not in table.attested)


def _wanted(table: Table) -> dict[Act, bool]:
    by_patron = table.method is Method.C and bool(table.device)
    counting = table.pending if isinstance(table.pending, Counting) else None
    return {
        Act.PATRON_ASKED: bool(table.by_staff),
        Act.IN_FULL_VIEW: by_patron and bool(table.cards),
        Act.PASSED_THROUGH_DEALER: table.method is Method.C and bool(table.player.holder or table.banker.holder),
        Act.PLACED_ON_LAYOUT: table.method is Method.C and table.initial_deal_done and table.all_up,
        Act.CUTTING_CARD_REMOVED: table.shoe.cutting_card,
        Act.ASKED_TO_DECREASE: table.heavier is not None,
        Act.SORTED_AND_DISPLAYED: counting is not None and bool(counting.aside),
        Act.TAKEN_FROM_COMPLETE_DECK: table.replaced or (counting is not None and bool(counting.missing)),
    }


def attest(draft: Draft, command: do.Attest) -> None:
    """Somebody vouches for an act that the table asks for."""
    table = draft.table
    check_duty(table.book, table.open.ranks, command.by, Duty.RUN_ROUND)
    if Prompt(command.act, command.wager) not in prompts(table):
        wager = f" for wager {command.wager}" if command.wager else ""
        raise OutOfTurn(f"nobody asks for {command.act.value}{wager} now")
    draft.add(on.Attested(command.act, table.book.conduct.acts[command.act], command.note, command.wager))
