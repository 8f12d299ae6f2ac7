"""`punto events`: the significant events of a floor, the newest last."""

import re
import sys
import time
from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Final

import msgspec
from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from punto.cli.ink import QUIET, console
from punto.cli.options import Source
from punto.cli.showing import showing
from punto.errors import BadUsage, quoted
from punto.games.zone import SINGAPORE
from punto.record.significant import EventKind, Severity, SignificantEvent, last_events

_AGO: Final = re.compile(r"(\d{1,6})([smhd])")
_UNITS: Final = {"s": 1, "m": 60, "h": 3_600, "d": 86_400}
_STYLES: Final = {Severity.ALERT: "bold red", Severity.ERROR: "bold red", Severity.WARNING: "bold gold1"}
_FLOOR: Final = "floor"
# Narrower than this, who caused an event stands below it.
_WIDE: Final = 100


def show(source: Source, since: str | None, kinds: Sequence[str], last: int | None, *, as_json: bool) -> int:
    """Print significant events, as far as they are signed."""
    since_ms = _since_ms(since) if since is not None else 0
    wanted = [_kind(each) for each in kinds]
    if last is not None and last < 1:
        raise BadUsage(f"--last: {last}: expected 1 or more")
    with showing(source) as shown:
        events = last_events(shown.store, wanted, since_ms, last)
    if as_json:
        for event in events:
            sys.stdout.write(msgspec.json.encode(event).decode() + "\n")
    elif events:
        _draw(events)
    else:
        console().print("No such events are on record", style=QUIET)
    return shown.status


def _kind(word: str) -> EventKind:
    known = {kind.value: kind for kind in EventKind}
    if word not in known:
        raise BadUsage(f"--kind: {quoted(word)} is no kind of event: expected {', '.join(known)}")
    return known[word]


def _since_ms(text: str) -> int:
    """The moment that a person names: so long ago, a day, or a day and a time in Singapore."""
    ago = _AGO.fullmatch(text)
    if ago is not None:
        return time.time_ns() // 1_000_000 - 1_000 * int(ago.group(1)) * _UNITS[ago.group(2)]
    try:
        at = datetime.fromisoformat(text)
        return round((at if at.tzinfo else at.replace(tzinfo=SINGAPORE)).timestamp() * 1_000)
    except (ValueError, OverflowError, OSError):
        expected = "expected 90m, 24h or 7d, or a day and a time as in 2026-02-03 or '2026-02-03 18:30'"
        raise BadUsage(f"--since: {quoted(text)}: {expected}") from None


def _draw(events: Sequence[SignificantEvent]) -> None:
    out = console()
    wide = out.width >= _WIDE
    table = Table(box=None, padding=(0, 2, 0, 0), show_header=False, pad_edge=False)
    table.add_column(no_wrap=True)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold", ratio=1)
    if wide:
        table.add_column(no_wrap=True, max_width=max(cell_len(_who(each)) for each in events), overflow="ellipsis")
    day = ""
    for event in events:
        at = _at(event.at_ms)
        new_day, day = at[:10] != day, at[:10]
        if new_day:
            out_of = [Text(at[:10], style="bold"), Text(), Text(), *([Text()] if wide else [])]
            table.add_row(*out_of)
        who = _who(event)
        said = Text(event.said, style=_STYLES.get(event.severity, ""))
        if who and not wide:
            said.append(f"\n{who}", style=QUIET)
        cells = [Text(at[11:], style=QUIET), Text(event.kind.value, style=QUIET), said]
        table.add_row(*cells, *([Text(who, style=QUIET)] if wide else []))
    out.print(table)


def _who(event: SignificantEvent) -> str:
    """Who caused an event; the floor itself goes without saying."""
    return "" if event.by == _FLOOR else event.by


def _at(at_ms: int) -> str:
    start = datetime(1970, 1, 1, 8, tzinfo=SINGAPORE)
    try:
        return (start + timedelta(milliseconds=at_ms)).isoformat(" ")[: len("0000-00-00 00:00:00")]
    except OverflowError:  # no year that a calendar has
        return f"{at_ms} ms"
