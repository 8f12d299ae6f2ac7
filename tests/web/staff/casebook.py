"""Every irregularity under every kind of rulebook: what is found, what must follow by which clause.

How it comes about, and all that follows to the cent, is written in the scenarios of `docs/scenarios`: the pages play
them. EB4 stands for E7U too, and B8 for TNC5: they say the same under the same numbers.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final, NamedTuple

import msgspec

from punto.floor.scenario import Line, Scenario, read_scenario
from punto.games import GAMES
from punto.rules import Found, Remedy
from punto.table import Setup, Timings

SCENARIOS: Final = Path(__file__).resolve().parents[3] / "docs" / "scenarios"
# Long enough for every answer that a page gives, however slow the machine.
_UNHURRIED: Final = Timings(bets_ms=600_000, answer_ms=600_000)


class Follows(NamedTuple):
    """What was found, and what the rulebook has follow from it, where it says so."""

    found: Found
    remedy: Remedy
    clause: str


class Case(NamedTuple):
    """Irregularities of a scenario, in the order in which they happen.

    *seated* patrons answer at terminals of their own, the others by the Dealer. Where a patron never answers, the time
    of a *patient* case passes; else the patron plays on. The case ends with line *last*, if the scenario is longer.
    """

    book: str
    scenario: str
    follows: tuple[Follows, ...]
    seated: tuple[str, ...] = ()
    patient: bool = False
    last: int = 0

    @property
    def key(self) -> str:
        """The table at which it happens."""
        return f"case-{CASES.index(self) + 1}"

    @property
    def name(self) -> str:
        return f"{self.book}-{self.scenario.partition('/')[2]}"

    @property
    def room(self) -> str:
        """The kind of room that its rulebook is of."""
        return {"FF2": "at a plain table", "B8": "in the high-limit area"}.get(self.book, "at terminals")

    @property
    def written(self) -> Scenario:
        """The scenario that it plays."""
        return _read(self.scenario)

    def lines(self) -> Iterator[Line]:
        """What is done once the table is open."""
        for line in self.written.lines:
            if line.fields.get("do") != "open-table" and (not self.last or line.number <= self.last):
                yield line

    def setup(self) -> Setup:
        """The table as the scenario opens it."""
        scenario = _read(self.scenario)
        opening = next(line.fields for line in scenario.lines if line.fields.get("do") == "open-table")
        game = scenario.heading.game or next(game.key for game in GAMES.values() if game.rulebook == self.book)
        setup = msgspec.convert({"game": game, **opening.get("setup", {})}, Setup)
        return msgspec.structs.replace(setup, timings=_UNHURRIED)


@cache
def _read(name: str) -> Scenario:
    return read_scenario((SCENARIOS / f"{name}.jsonl").read_text(encoding="utf-8"))


def spelt(fields: dict[str, Any], book: str, names: dict[str, str]) -> dict[str, Any]:
    """The fields of a line with the rulebook's code in it, and with what patrons are called here."""
    text = json.dumps(fields).replace("$book", book)
    for word, name in names.items():
        text = text.replace(f'"{word}"', f'"{name}"').replace(f'"patron {word}"', f'"patron {name}"')
    spelt_out: dict[str, Any] = json.loads(text)
    return spelt_out


def _on(book: str, scenario: str, *follows: tuple[Found, Remedy, str], **more: Any) -> Case:  # noqa: ANN401
    said = tuple(Follows(found, remedy, f"{book} {clause}" if clause else "") for found, remedy, clause in follows)
    return Case(book, scenario, said, **more)


B8: Final = (
    _on(
        "B8",
        "dealt/5.1-cards-not-in-order",
        (Found.UNSHUFFLED_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
        (Found.FOREIGN_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
        (Found.MISSING_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
        (Found.EXTRA_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
        (Found.EXTRA_CARDS, Remedy.REFER, "6.1"),
    ),
    _on(
        "B8",
        "dealt/5.2-order-altered",
        (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.2"),
        (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.2"),
        (Found.ORDER_ALTERED, Remedy.PLAY_ON, "5.2"),
    ),
    # Here the draw itself finds it.
    _on("B8", "dealt/5.3-too-few-cards", (Found.TOO_FEW_CARDS, Remedy.VOID_AND_PROPOSE, "5.3")),
    _on(
        "B8",
        "dealt/5.6-face-up-in-the-device",
        (Found.FACE_UP_IN_DEVICE, Remedy.PLAY_ON, "5.6"),
        (Found.FACE_UP_IN_DEVICE, Remedy.REFER, "6.1"),
    ),
    _on("B8", "dealt/5.7-wrong-order", (Found.WRONG_ORDER, Remedy.REBUILD, "5.7")),
    _on("B8", "dealt/5.7-wrong-order-face-down", (Found.WRONG_ORDER, Remedy.REBUILD, "5.7")),
    _on("B8", "dealt/5.7-cannot-be-told", (Found.WRONG_ORDER, Remedy.REFER, "6.1")),
    _on("B8", "dealt/5.7-surplus-card", (Found.WRONG_NUMBER, Remedy.REBUILD, "5.7")),
    _on("B8", "dealt/5.7-after-payment", (Found.WRONG_ORDER, Remedy.REBUILD, "5.7")),
    _on("B8", "dealt/5.8-drawn-together", (Found.DRAWN_TOGETHER, Remedy.OFFER_THEN_REBUILD, "5.8.1"), seated=("ann",)),
    _on("B8", "dealt/5.8.2.1-order-unknown-initial-deal", (Found.DRAWN_TOGETHER, Remedy.VOID, "5.8.2.1")),
    _on("B8", "dealt/5.8.2.1-face-down", (Found.DRAWN_TOGETHER, Remedy.VOID, "5.8.2.1")),
    _on(
        "B8",
        "dealt/5.8-while-something-is-referred",
        (Found.OTHER, Remedy.REFER, "6.1"),
        (Found.DRAWN_TOGETHER, Remedy.OFFER_THEN_REBUILD, "5.8.1"),
    ),
    _on(
        "B8",
        "dealt/5.8.2.2-order-unknown-later",
        (Found.DRAWN_TOGETHER, Remedy.ORDER_THEN_OFFER, "5.8.2.2"),
        (Found.DRAWN_TOGETHER, Remedy.ORDER_THEN_OFFER, "5.8.2.2"),
        seated=("ann", "bob"),
    ),
    _on(
        "B8",
        "dealt/5.7-wrong-patron",
        (Found.WRONG_PATRON, Remedy.RETRIEVE, "5.7"),
        (Found.WRONG_PATRON, Remedy.RETRIEVE, "5.7"),
    ),
    _on(
        "B8",
        "dealt/5.7.1-wrong-patron-exposed",
        (Found.EXPOSED_IN_ERROR, Remedy.PLAY_ON, "5.7.1"),
        (Found.WRONG_PATRON, Remedy.PLAY_ON, "5.7.1"),
    ),
    _on(
        "B8",
        "dealt/5.7.1-not-passed",
        (Found.NOT_PASSED, Remedy.PLAY_ON, "5.7.1"),
        (Found.NOT_PASSED, Remedy.PLAY_ON, "5.7.1"),
    ),
    _on(
        "B8",
        "dealt/5.7.1-dealt-face-up",
        (Found.DEALT_FACE_UP, Remedy.PLAY_ON, "5.7.1"),
        (Found.DEALT_FACE_UP, Remedy.PLAY_ON, "5.7.1"),
    ),
    _on("B8", "dealt/5.7.1-one-card", (Found.EXPOSED_IN_ERROR, Remedy.PLAY_ON, "5.7.1")),
    _on("B8", "dealt/5.7.1-one-card-unread", (Found.DEALT_FACE_UP, Remedy.PLAY_ON, "5.7.1")),
    _on("B8", "dealt/5.7.1-exposed-in-error", (Found.EXPOSED_IN_ERROR, Remedy.PLAY_ON, "5.7.1")),
    _on(
        "B8",
        "dealt/3.17.1-cutting-card-first",
        (Found.CUTTING_CARD_FIRST, Remedy.OFFER_THEN_PLAY_ON, "3.17.1"),
        seated=("ann",),
        patient=True,
    ),
    _on("B8", "dealt/5.9-device-reset", (Found.DEVICE_RESET, Remedy.OFFER_THEN_REOPEN, "5.9"), seated=("ann",)),
    _on(
        "B8",
        "dealt/5.10-absent-patron",
        (Found.PATRON_ABSENT, Remedy.DEALER_EXPOSES, "5.10"),
        (Found.PATRON_ABSENT, Remedy.DEALER_EXPOSES, "5.10"),
    ),
    _on("B8", "dealt/5.10-absent-from-the-device", (Found.PATRON_ABSENT, Remedy.DEALER_EXPOSES, "5.10")),
    _on("B8", "dealt/5.11-one-card-carried-off", (Found.CARDS_CARRIED_OFF, Remedy.COUNT, "5.11")),
    _on("B8", "dealt/5.11-two-cards-carried-off", (Found.CARDS_CARRIED_OFF, Remedy.COUNT, "5.11")),
    _on("B8", "dealt/5.11-both-hands-carried-off", (Found.CARDS_CARRIED_OFF, Remedy.COUNT, "5.11")),
    _on("B8", "dealt/5.12.1-exposed-in-moving", (Found.EXPOSED_IN_MOVING, Remedy.PLAY_ON, "5.12.1")),
    _on(
        "B8",
        "dealt/5.12.1-exposed-between-rounds",
        (Found.EXPOSED_IN_MOVING, Remedy.REFER, "6.1"),
        (Found.EXPOSED_IN_MOVING, Remedy.REFER, "6.1"),
        (Found.EXPOSED_IN_MOVING, Remedy.PLAY_ON, "5.12.1"),
    ),
    _on(
        "B8",
        "dealt/5.12.2-disordered-in-moving",
        (Found.DISORDERED_IN_MOVING, Remedy.PLAY_ON, "5.12"),
        (Found.DISORDERED_IN_MOVING, Remedy.VOID_AND_REPLACE, "5.12.2"),
    ),
    _on(
        "B8",
        "dealt/5.13-kept-by-decision",
        (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.2"),
        (Found.FOREIGN_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
    ),
    _on(
        "B8",
        "dealt/5.14-under-the-minimum",
        (Found.OFF_LIMITS, Remedy.SETTLE_WITHIN_LIMITS, "5.14"),
        (Found.OFF_LIMITS, Remedy.SETTLE_WITHIN_LIMITS, "5.14"),
        last=22,
    ),
    _on(
        "B8",
        "dealt/5.15-over-the-maximum",
        (Found.OFF_LIMITS, Remedy.SETTLE_WITHIN_LIMITS, "5.15"),
        (Found.OFF_LIMITS, Remedy.SETTLE_WITHIN_LIMITS, "5.15"),
    ),
    _on(
        "B8",
        "dealt/5.17.1-nothing-decided",
        (Found.INTERRUPTION, Remedy.OFFER_ALL_THEN_PLAY_ON, "5.17.1"),
        seated=("ann", "bob"),
    ),
    _on(
        "B8",
        "dealt/5.17.2-something-decided",
        (Found.INTERRUPTION, Remedy.PLAY_ON, "5.17.2"),
        (Found.INTERRUPTION, Remedy.PLAY_ON, "5.17.2"),
    ),
    # The table finds these two by itself, at the close: they have clauses in place of rules (5.18.1 to 5.18.3).
    _on("B8", "dealt/5.18-differential-decrease-and-increase"),
    _on("B8", "dealt/5.18.3-removal"),
    _on(
        "B8",
        "dealt/6.3-display-wrong",
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, "6.3"),
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, "6.3"),
    ),
    _on("B8", "dealt/6.1-referred", (Found.OTHER, Remedy.REFER, "6.1")),
    _on("B8", "dealt/6.1-ruled-void", (Found.OTHER, Remedy.REFER, "6.1"), (Found.OTHER, Remedy.REFER, "6.1")),
    _on(
        "B8",
        "dealt/6.1-matters-in-order",
        (Found.OTHER, Remedy.REFER, "6.1"),
        (Found.OTHER, Remedy.REFER, "6.1"),
        (Found.WRONG_ORDER, Remedy.REBUILD, "5.7"),
    ),
    # Nothing is irregular here; what the Dealer enters for patrons is done on the console too.
    _on("B8", "dealt/3.7-each-asked-for"),
    _on("B8", "dealt/3.9.4.1-same-moment"),
    _on("B8", "dealt/6.1-returned-after-payment", (Found.OTHER, Remedy.REFER, "6.1")),
)

EB4: Final = (
    _on("EB4", "terminals/5.1-extra-cards", (Found.EXTRA_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"), last=24),
    _on("EB4", "terminals/5.1-missing-cards", (Found.MISSING_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on("EB4", "terminals/5.1-foreign-card", (Found.FOREIGN_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on("EB4", "terminals/5.1-unshuffled-cards", (Found.UNSHUFFLED_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on(
        "EB4",
        "terminals/5.2-order-lost",
        (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.2"),
        (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.2"),
    ),
    _on("EB4", "terminals/5.2-order-restored", (Found.ORDER_ALTERED, Remedy.PLAY_ON, "5.2")),
    _on("E7U", "terminals/e7u-5.3-too-few-cards", (Found.TOO_FEW_CARDS, Remedy.VOID_AND_PROPOSE, "5.3")),
    _on("EB4", "terminals/5.6-card-face-up", (Found.FACE_UP_IN_DEVICE, Remedy.PLAY_ON, "5.6")),
    _on("EB4", "terminals/6.1-face-up-before-the-first-card", (Found.FACE_UP_IN_DEVICE, Remedy.REFER, "6.1")),
    _on("EB4", "terminals/eb4-5.7-wrong-order", (Found.WRONG_ORDER, Remedy.REBUILD, "5.7")),
    _on("EB4", "terminals/6.1-right-order-not-known", (Found.WRONG_ORDER, Remedy.REFER, "6.1")),
    _on("EB4", "terminals/eb4-5.7-card-too-many", (Found.WRONG_NUMBER, Remedy.REBUILD, "5.7")),
    _on(
        "EB4",
        "terminals/eb4-5.8-drawn-together",
        (Found.DRAWN_TOGETHER, Remedy.REBUILD, "5.8"),
        (Found.DRAWN_TOGETHER, Remedy.REBUILD, "5.8"),
    ),
    _on("EB4", "terminals/5.8.1-order-not-known", (Found.DRAWN_TOGETHER, Remedy.VOID, "5.8.1"), last=12),
    _on(
        "EB4",
        "terminals/5.9.1-nothing-decided",
        (Found.INTERRUPTION, Remedy.VOID, "5.9.1"),
        (Found.INTERRUPTION, Remedy.VOID, "5.9.1"),
        last=15,
    ),
    _on("EB4", "terminals/eb4-5.9.2-natural-nine", (Found.INTERRUPTION, Remedy.PLAY_ON, "5.9.2")),
    _on("EB4", "terminals/5.10-some-terminals", (Found.TERMINALS_DOWN, Remedy.PLAY_ON, "5.10")),
    _on("EB4", "terminals/5.10-terminal-down", (Found.TERMINALS_DOWN, Remedy.PLAY_ON, "5.10")),
    _on("EB4", "terminals/5.10.1-after-the-close", (Found.TERMINALS_DOWN, Remedy.PLAY_ON, "5.10.1")),
    _on("EB4", "terminals/6.1-void", (Found.OTHER, Remedy.REFER, "6.1")),
    _on("EB4", "terminals/6.1-continue", (Found.OTHER, Remedy.REFER, "6.1")),
    _on(
        "EB4",
        "terminals/6.1-return-wagers",
        (Found.OTHER, Remedy.REFER, "6.1"),
        (Found.EXTRA_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1"),
    ),
    _on(
        "EB4",
        "terminals/6.3-wrong-display",
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, "6.3"),
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, "6.3"),
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, "6.3"),
    ),
)

# What this book does not cover is referred, by no clause.
FF2: Final = (
    _on("FF2", "fa-fa/5.1-extra-cards", (Found.EXTRA_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on("FF2", "fa-fa/5.1-missing-cards", (Found.MISSING_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on("FF2", "fa-fa/5.1-foreign-card", (Found.FOREIGN_CARDS, Remedy.VOID_AND_PROPOSE, "5.1.1")),
    _on("FF2", "fa-fa/interpretation-20-unshuffled-cards", (Found.UNSHUFFLED_CARDS, Remedy.REFER, "")),
    _on("FF2", "fa-fa/5.2-card-too-many", (Found.WRONG_NUMBER, Remedy.REBUILD, "5.2")),
    _on("FF2", "fa-fa/5.2-cannot-be-rebuilt", (Found.WRONG_NUMBER, Remedy.VOID, "5.2"), last=12),
    _on("FF2", "fa-fa/5.3-drawn-together", (Found.DRAWN_TOGETHER, Remedy.VOID, "5.3")),
    _on("FF2", "fa-fa/interpretation-20-drawn-together-known", (Found.DRAWN_TOGETHER, Remedy.REFER, "")),
    _on("FF2", "fa-fa/interpretation-20-drawn-together-later", (Found.DRAWN_TOGETHER, Remedy.REFER, "")),
    _on("FF2", "fa-fa/5.4-order-lost", (Found.ORDER_ALTERED, Remedy.VOID_AND_PROPOSE, "5.4"), last=14),
    _on("FF2", "fa-fa/5.4-order-restored", (Found.ORDER_ALTERED, Remedy.PLAY_ON, "5.4")),
    _on("FF2", "fa-fa/5.5-too-few-cards", (Found.TOO_FEW_CARDS, Remedy.VOID_AND_PROPOSE, "5.5")),
    _on("FF2", "fa-fa/interpretation-20-wrong-order", (Found.WRONG_ORDER, Remedy.REFER, ""), last=13),
    _on(
        "FF2",
        "fa-fa/interpretation-20-face-up",
        (Found.FACE_UP_IN_DEVICE, Remedy.REFER, ""),
        (Found.FACE_UP_IN_DEVICE, Remedy.REFER, ""),
    ),
    _on(
        "FF2",
        "fa-fa/interpretation-20-power-failure",
        (Found.INTERRUPTION, Remedy.REFER, ""),
        (Found.INTERRUPTION, Remedy.REFER, ""),
        last=20,
    ),
    _on(
        "FF2",
        "fa-fa/interpretation-20-limits",
        (Found.OFF_LIMITS, Remedy.REFER, ""),
        (Found.OFF_LIMITS, Remedy.REFER, ""),
    ),
    _on(
        "FF2",
        "fa-fa/wrong-display",
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, ""),
        (Found.DISPLAY_WRONG, Remedy.CARDS_STAND, ""),
    ),
    _on("FF2", "fa-fa/interpretation-20-anything-else", (Found.OTHER, Remedy.REFER, "")),
)

CASES: Final = (*B8, *EB4, *FF2)
# A smallest choice that has every shape (`tests.web.staff.shapes`): the others are played on the pages at night.
GATE: Final = (
    "B8-5.6-face-up-in-the-device",
    "B8-5.7-cannot-be-told",
    "B8-5.8-drawn-together",
    "B8-5.8.2.1-face-down",
    "B8-5.8.2.2-order-unknown-later",
    "B8-5.7-wrong-patron",
    "B8-5.7.1-one-card",
    "B8-5.7.1-one-card-unread",
    "B8-3.17.1-cutting-card-first",
    "B8-5.9-device-reset",
    "B8-5.10-absent-from-the-device",
    "B8-5.10-absent-patron",
    "B8-5.11-one-card-carried-off",
    "B8-5.11-both-hands-carried-off",
    "B8-5.12.2-disordered-in-moving",
    "B8-5.13-kept-by-decision",
    "B8-5.15-over-the-maximum",
    "B8-5.17.1-nothing-decided",
    "B8-5.18.3-removal",
    "B8-3.7-each-asked-for",
    "B8-3.9.4.1-same-moment",
    "EB4-eb4-5.7-wrong-order",
    "EB4-5.10-terminal-down",
    "EB4-6.1-return-wagers",
    "FF2-wrong-display",
)
