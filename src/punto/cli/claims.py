"""`punto claims`: what patrons have claimed about rounds, and what became of it."""

import sys
from typing import Final

import msgspec
from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.options import Source
from punto.cli.showing import showing
from punto.cli.times import in_utc
from punto.cli.wire import encode
from punto.errors import named
from punto.record.claims import OPEN, ListedClaim, claims_of
from punto.surroundings import now_ms

_HEADINGS: Final = ("claim", "table", "round", "patron", "about", "raised", "due", "outcome")
_FIGURES: Final = frozenset({"claim", "round"})


def show(source: Source, *, only_open: bool, as_json: bool) -> int:
    """Print the claims, as far as they are signed; what was said in them is not in the record."""
    with showing(source) as shown:
        claims = [each for each in claims_of(shown.store) if each.outcome == OPEN or not only_open]
    if as_json:
        sys.stdout.write(encode({"claims": [msgspec.to_builtins(each) for each in claims]}) + "\n")
    elif claims:
        _draw(claims)
    else:
        console().print(Text(f"{shown.name}: no {'open ' if only_open else ''}claims"))
    return shown.status


def _draw(claims: list[ListedClaim]) -> None:
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for heading in _HEADINGS:
        drawn.add_column(heading, justify="right" if heading in _FIGURES else "left", overflow="fold")
    for each in claims:
        drawn.add_row(
            str(each.claim),
            Text(named(each.table)),
            str(each.round),
            Text(named(each.patron)),
            each.about,
            Text(in_utc(each.raised_ms), style=QUIET),
            Text(in_utc(each.due_ms), style=QUIET),
            _outcome(each),
        )
    console().print(drawn)


def _outcome(claim: ListedClaim) -> Text:
    if claim.outcome == OPEN:
        return Text("overdue", style="bold red") if now_ms() > claim.due_ms else Text(OPEN, style="bold")
    if not claim.by:
        return Text(claim.outcome, style=QUIET)
    return Text(f"{claim.outcome} by {named(claim.by)}{', late' if claim.is_late else ''}")
