"""Editions of the register: which one a table is conducted by, and what is written only since the second."""

from collections.abc import Mapping
from typing import Final

from punto.record.checks import events as on
from punto.record.checks import matters
from punto.record.checks.findings import Code
from punto.record.checks.sitting import Sitting
from punto.record.checks.terms import FIFTH, FOURTH, SECOND, THIRD

# Before editions were counted, a log named none.
_KNOWN: Final = frozenset({0, SECOND, THIRD, FOURTH, FIFTH})
# What is written since the second edition only: events, and fields of events.
_EVENTS: Final = (
    on.ShoeKept,
    on.DealerStoodIn,
    matters.ReportKept,
    matters.ReportTakenUp,
    matters.TerminalsFailed,
    matters.TerminalsRestored,
)
_FIELDS: Final[Mapping[type, tuple[str, ...]]] = {
    on.TableOpened: ("beyond_file", "confirmed_by"),
    on.LimitsChanged: ("beyond_file", "confirmed_by"),
    on.WagerPlaced: ("same_moment_as",),
    on.WagerChanged: ("for_patron",),
    on.BetsClosed: ("not_shown_at",),
    on.CardsExposed: ("places",),
    on.RoundVoided: ("proposed",),
    matters.IrregularityFound: ("together", "cards", "deferred"),
    matters.CardsRebuilt: ("unseen",),
    matters.OrderWanted: ("certain",),
    matters.CardsSetAside: ("manager",),
    matters.BetsReopened: ("kept",),
    matters.Attested: ("wager",),
    matters.StakeFound: ("confirmed_by",),
    matters.Referred: ("number", "round", "cards", "replace"),
    matters.Ruled: ("matter", "round", "order", "burnt", "burnt_next", "played", "results", "shoe", "counted"),
}


def judge_edition(sitting: Sitting, event: matters.AnyEvent) -> None:
    """Switch to the second edition at the first event that names it, or that only the second edition writes.

    So a log gains nothing by leaving its edition out.
    """
    match event:
        case on.TableOpened(setup=setup):
            _check_named(sitting, setup.readings)
        case on.BetsOpened(readings=readings):
            _check_named(sitting, readings)
    fields = _FIELDS.get(type(event), ())
    if isinstance(event, _EVENTS) or any(getattr(event, field) not in (None, False, 0, "", ()) for field in fields):
        sitting.edition = max(sitting.edition, SECOND)


def _check_named(sitting: Sitting, edition: int) -> None:
    """The edition that a log names must exist, and must not be older than the last one named."""
    if edition not in _KNOWN:
        sitting.wrong(Code.BAD_SETUP, f"the register of interpretations has no edition {edition}")
    elif edition < sitting.edition:
        said = f"edition {edition} of the register was named; before that it was edition {sitting.edition}"
        sitting.wrong(Code.BAD_SETUP, said)
    else:
        sitting.edition = edition
