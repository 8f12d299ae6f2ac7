"""What became of each wager of a round, and why."""

from typing import Final

from punto.record.rounds import Round
from punto.record.wagers import RETURNED, Plain
from punto.rules import Label, Language, Settlement

_TOLD: Final = ("number", "patron", "wager", "stake_cents")
_OUTCOME: Final = ("result", "paid_cents", "clause", "counted_cents", "removed_cents", "returned_cents")
_DECIDED: Final = Label("Settled by decision", "依裁决结算")
_UNDER: Final = Label("Under the minimum after a warning: goes back", "警告后仍低于最低限额：退还")


def told(wager: Plain) -> Plain:
    """A wager and what became of it; of one that was settled for nothing, the stake went back."""
    plain: Plain = {key: wager[key] for key in (*_TOLD, *_OUTCOME) if key in wager}
    if plain.get("counted_cents") == 0:
        plain["result"] = RETURNED
    return plain


def settlements(found: Round) -> dict[str, Settlement]:
    """Every wager of the game as the round settles it; nothing where it is not settled, or the game is not known."""
    game, coup = found.game, found.coup
    return game.settle(coup) if game and coup else {}


def reasons(found: Round, language: Language) -> dict[int, str]:
    """Why each wager of the settlement came to what it came to, by number."""
    settled, wagers = settlements(found), found.every_wager()
    why = {}
    for payment in (found.settled or {}).get("payments", []):
        if not payment["counted_cents"]:
            why[payment["number"]] = _UNDER.text(language)
        elif wagers[payment["number"]].get("decided"):
            why[payment["number"]] = _DECIDED.text(language)
        elif payment["wager"] in settled:
            why[payment["number"]] = settled[payment["wager"]].why(language)
    return why
