"""`punto audit` and `punto head`: whether the record is what was written, and whether what it says is right."""

import re
import sys
from collections.abc import Iterator
from pathlib import Path

import msgspec
from rich.text import Text

from punto.cli.files import read_text
from punto.cli.ink import QUIET, console, print_hanging
from punto.cli.stores import key_file, name_of, reading
from punto.cli.wire import encode
from punto.errors import BadUsage, PuntoError, quoted
from punto.floor.keyfiles import Kind, read_key_file
from punto.floor.keys import signer_in
from punto.proof.lastheads import last_heads
from punto.proof.oldheads import read as read_old_head
from punto.record import Report, audit
from punto.rules.money import money
from punto.store import Store

CLEAN = 0
WRONG = 1
_SHOWN = 20
_KEY = re.compile("[0-9a-f]{64}")
_UNKNOWN_KEY = "signed with one key, which nothing here vouches for: see --public"
_UNVOUCHED = "whether the end was cut off, only a head that is kept outside can tell: see punto head and --head"


def run(url: str, key: str | None, public: str | None, head: str | None, *, as_json: bool) -> int:
    """Audit a store, and say what is wrong, the first thing first."""
    outside = read_text(head).strip().encode() if head else None
    if public and not _KEY.fullmatch(public):
        raise BadUsage(f"--public: {quoted(public)}: expected the 64 hexadecimal digits of a public key")
    with reading(url) as store:
        name = name_of(store, url)
        public = public or _public_key(store, key, outside)
        report = audit(store, public_key=public, head=outside)
    if as_json:
        sys.stdout.write(encode({"clean": not report.total, **msgspec.to_builtins(report)}) + "\n")
    else:
        _show(name, report, public, kept=head is not None)
    return WRONG if report.total else CLEAN


def show_head(url: str) -> None:
    """Print the last heads of all writers, to be kept elsewhere."""
    with reading(url) as store:
        found = last_heads(store)
    if not found.heads:
        raise BadUsage("the store has no head: nothing was written to it yet")
    sys.stdout.write(encode(msgspec.to_builtins(found)) + "\n")


def _public_key(store: Store, key: str | None, outside: bytes | None) -> str | None:
    """The floor's public key: from its key file, or from a head that was kept outside."""
    try:
        path = key_file(store, key)
    except BadUsage:
        path = Path()
    if path.is_file():
        return signer_in(read_key_file(path, Kind.WHOLE, Kind.SIGNING)).public
    if key:
        raise BadUsage(f"--key: {key} is not there")
    if outside is None:
        return None
    try:
        return read_old_head(outside)[1].key
    except PuntoError:
        return None


def _shoes(report: Report) -> Iterator[str]:
    """When virtual shoes were cut, and how many had demonstration rules."""
    shoes = report.shoes
    if not shoes:
        return
    cut = [shoe for shoe in shoes if shoe.cut]
    late = [shoe for shoe in cut if shoe.first_bets_ms and shoe.cut_at_ms > shoe.first_bets_ms]
    when = "none" if not cut else f"{len(cut):,}, each before its first bets opened"
    if late:  # the rules of their day allowed that until the first card
        when = f"{len(cut):,}, {len(late):,} of them after their first bets had opened"
    yield f"virtual shoes: {len(shoes):,}; cut: {when}"
    marked = sum(shoe.demonstration for shoe in shoes)
    if marked:
        yield f"demonstration rules: {marked:,} of them, where the rulebook has a dealing device"


def _editions(report: Report) -> Iterator[str]:
    """How many rounds were judged by older readings than those of today."""
    older = report.counts.rounds_before_second
    if older:
        of = "all of them" if older == report.counts.rounds else f"{older:,} of them"
        yield f"rounds: {of} name no edition of the readings, and were judged by those before the second"


def _show(name: str, report: Report, public: str | None, *, kept: bool) -> None:
    out = console()
    counts = report.counts
    looked = (
        f"{counts.entries:,} entries of {counts.streams:,} streams, {counts.rounds:,} rounds, {counts.wagers:,} wagers"
    )
    if not counts.entries and not report.total:
        out.print(Text(f"{name}: empty, there is nothing to audit"))
        return
    if not report.total:
        out.print(Text(f"{name}: clean", style="green"))
        out.print(Text(f"  {looked}, {money(counts.cents)} moved", style=QUIET))
        for line in (*_editions(report), *_shoes(report)):
            out.print(Text(f"  {line}", style=QUIET))
        unknown = "signed with the key of what was kept outside" if kept else _UNKNOWN_KEY
        out.print(Text(f"  {f'signed with {public}' if public else unknown}", style=QUIET))
        vouched = "contains the head that was kept outside" if kept else _UNVOUCHED
        print_hanging(out, Text("  "), vouched.split(), indent=2, between=" ", style=QUIET)
        return
    for finding in report.findings[:_SHOWN]:
        print_hanging(out, Text(), str(finding).split(), indent=2, between=" ", style="red")
    if report.total > _SHOWN:
        out.print(Text(f"and {report.total - _SHOWN:,} more", style="red"))
    out.print(Text(f"  {looked}", style=QUIET))
