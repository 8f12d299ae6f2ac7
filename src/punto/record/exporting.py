"""From a table's log to the text of one of its shoes."""

from collections.abc import Iterator
from datetime import datetime
from typing import Final

from punto.errors import NoSuchRound, named
from punto.games import dumps, edition, loads
from punto.games.zone import SINGAPORE
from punto.record.rounds import TABLE, Plain, Round, Step, no_table, steps_of
from punto.record.shoefile import Bet, CoupLine, ShoeFile
from punto.record.shoeorder import Brought
from punto.record.wagers import RETURNED, VOID
from punto.roads import Outcome
from punto.roads.outcome import LETTERS
from punto.rules import Winner
from punto.store import Store

_SECOND: Final = 1000


def export(store: Store, table: str, shoe: int) -> ShoeFile:
    """One shoe of a table; what is still under seal, and a round that is not over, stay out."""
    if store.tip(TABLE + table) is None:
        raise no_table(store, table)
    found = _Shoe(table, shoe)
    for step in steps_of(store, table):
        found.add(step)
    if not found.setup:
        raise NoSuchRound(f"table {named(table)} has no shoe {shoe}: expected 1 to {found.last}")
    coups = tuple(line for each in found.rounds for line in (*_discarded(each), _coup(each)) if line)
    return ShoeFile(found.headers, coups, _declaration(found.setup), tuple(found.brought.values()))


def _declaration(setup: Plain) -> str:
    """The declaration of a table's own game; nothing for one that the catalogue has."""
    declared = setup.get("declaration", "")
    known = edition(setup["game"], setup["digest"])
    return dumps(loads(declared)) if declared and not known else ""


class _Shoe:
    """One shoe, gathered from a table's log."""

    def __init__(self, table: str, shoe: int) -> None:
        self.table = table
        self.shoe = shoe
        self.last = 0
        self.setup: Plain = {}
        self.headers: dict[str, str] = {}
        self.rounds: list[Round] = []
        # What each patron brought to the order.
        self.brought: dict[str, Brought] = {}
        # How many shoes before this one were taken out unused, one after the other.
        self._opened: Plain = {}
        self._round: Round | None = None

    def add(self, step: Step) -> None:
        """One more event of the table, of whichever shoe."""
        event = step.event
        match step.type:
            case "table-opened":
                self._opened = event["setup"]
            case "shoe-loaded":
                self._load(step)
            case "shoe-ended":
                self._end(step)
            case "bets-opened":
                self._round = Round(event["round"], self.setup) if event["shoe"] == self.shoe else None
                self.rounds += [self._round] if self._round else []
                if self._round and self.headers["commitment"]:
                    self.headers.setdefault("first-bets", _moment(step.at_ms))
            case _ if self.last == self.shoe:
                self._prepare(step)
        if self._round:  # until bets open again, though another shoe may be in place by then (interpretation 23)
            self._round.steps.append(step)

    def _prepare(self, step: Step) -> None:
        """What is done to a virtual shoe before its first bets."""
        event = step.event
        match step.type:
            case "shoe-cut":
                self.headers |= {"cut": str(event["cards"]), "cut-at": _moment(step.at_ms)}
            case "contribution-committed":
                self.brought[event["patron"]] = Brought(event["patron"], event["commitment"])
            case "contributions-closed":
                self.headers["contributions-closed"] = _moment(step.at_ms)
                self.headers["beacon-round"] = str(event.get("beacon_round") or "")
            case "contribution-revealed":
                self.brought[event["patron"]] = self.brought[event["patron"]]._replace(secret=event["secret"])
            case "beacon-drawn":
                self.headers["beacon-value"] = event["signature"]

    def _load(self, step: Step) -> None:
        self.last = step.event["shoe"]
        if self.last == self.shoe:
            self.setup = self._opened
            self.headers = _headers(self.table, self.shoe, self.setup, step)

    def _end(self, step: Step) -> None:
        event = step.event
        if event["shoe"] == self.shoe:
            if event.get("order"):
                self.headers |= {"order": event["order"], "salt": event["salt"]}
            self.headers["ended"] = _ended(step)


def _ended(step: Step) -> str:
    """Why a shoe was taken out, and in whose position that was decided; nothing before causes were written down."""
    cause, reason = step.event.get("cause") or "", step.event.get("reason", "")
    if cause != "decided":
        return cause
    # A number sign would begin a comment.
    return f"{cause} by {step.by['position']}: {reason.replace('#', 'No. ')}"


def _headers(table: str, shoe: int, setup: Plain, step: Step) -> dict[str, str]:
    book = " ".join(str(part) for part in (setup["rulebook"], setup.get("version")) if part)
    return {
        "table": table,
        "shoe": str(shoe),
        "game": setup["game"],
        "rulebook": book,
        "digest": setup["digest"],
        "decks": str(setup.get("decks", 8)),
        "unit": str(setup["unit_cents"]),
        "demonstration": f"rules: {setup['rulebook']} has a dealing device" if setup.get("demonstration") else "",
        "opened": datetime.fromtimestamp(step.at_ms / _SECOND, SINGAPORE).isoformat(" ", "seconds"),
        "protocol": str(step.event["protocol"]) if step.event.get("protocol", 1) > 1 else "",
        "commitment": step.event.get("commitment", ""),
        "beacon": _beacon(step.event.get("beacon")),
        "abandoned-before": str(step.event.get("abandoned", 0)) if step.event.get("protocol", 1) > 1 else "",
        "behind": str(setup.get("behind", 14)) if step.event.get("commitment") else "",
    }


def _beacon(named: Plain | None) -> str:
    """A beacon as the commitment has it."""
    if not named:
        return ""
    unreached = "" if named.get("reached", True) else " unreached"
    return f"{named['name']} {named['key']} {named['genesis_s']} {named['period_s']}{unreached}"


def _moment(at_ms: int) -> str:
    """A time, to the millisecond."""
    whole, rest = divmod(at_ms, _SECOND)
    return datetime.fromtimestamp(whole, SINGAPORE).replace(microsecond=rest * _SECOND).isoformat(" ", "milliseconds")


def _discarded(each: Round) -> Iterator[CoupLine]:
    """Cards that were dealt, and discarded when the device was reset."""
    for step in each.steps:
        if step.type == "bets-reopened" and step.event["discarded"]:
            cards = " ".join(card for card in step.event["discarded"].split() if card != "?")
            yield CoupLine(each.number, cards, None, "", step.event["clause"], ())


def _coup(each: Round) -> CoupLine | None:
    """A round as a line; none while it is not over."""
    void, settled = each.voided, each.settled
    if not void and not settled:
        return None
    bets = tuple(map(_bet, each.wagers().values()))
    if void:
        known = " ".join(card for card in each.cards.split() if card != "?")
        return CoupLine(each.number, known, None, "", void["clause"], bets)
    assert settled, "a round that is over is void or settled"
    announced = each.last("outcome-announced") or {}
    totals = (int(announced.get("player", 0)), int(announced.get("banker", 0)))
    coup = each.coup
    # Where nobody knows any more how the game was declared, its pairs are not known either.
    outcome = str(Outcome.of(coup)) if coup else LETTERS[Winner.of(*totals)]
    return CoupLine(each.number, settled["cards"], totals, outcome, None, bets)


def _bet(wager: Plain) -> Bet:
    """A wager and what became of it; of one that was returned, under the minimum or by a ruling, nothing counts."""
    stake, result = wager["stake_cents"], wager["result"]
    counted = stake if result == VOID else wager.get("counted_cents", 0)
    return Bet(wager["patron"], wager["wager"], stake, counted, result if counted else RETURNED, wager["paid_cents"])
