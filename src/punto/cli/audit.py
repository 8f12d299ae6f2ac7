"""`punto audit` and `punto head`: whether the record is what was written, and whether what it says is right."""

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec
from msgspec.structs import replace
from rich.console import Console
from rich.text import Text

from punto.cli.entry import one_line
from punto.cli.files import read_text
from punto.cli.ink import QUIET, console, print_hanging
from punto.cli.noting import note, who
from punto.cli.options import Source, check_public
from punto.cli.repair import outside_of
from punto.cli.showing import showing
from punto.cli.stores import NamedStore, PublicKey, name_of, public_key, reading, store_named
from punto.cli.times import in_utc
from punto.cli.wire import encode
from punto.errors import BadUsage, Corrupt
from punto.floor.history import History
from punto.floor.keys import Keys
from punto.floor.repairing import check_age
from punto.proof.oldheads import OLD_HEADS
from punto.proof.outposts import Outpost
from punto.proof.writers import HEADS
from punto.record import Code, Finding, Intervention, Report, Voucher, audit
from punto.record.journal import AuditEnded, AuditResult
from punto.rules.money import money
from punto.store import Store

CLEAN = 0
PUBLIC = "--public"
WRONG = 1
_SHOWN = 20
_CHECKED = "signatures were checked against"
_UNVOUCHED = "only what is kept outside can tell whether the end was cut off: see 'punto head' and --head"


def run(url: str, key: str | None, public: str | None, head: str | None, *, as_json: bool) -> int:
    """Audit a store, and say what is wrong, the first thing first."""
    outside = read_text(head).strip().encode() if head else None
    if public:
        check_public(public)
    named = store_named(url)
    if outside is None:  # a floor that was named says where its checkpoints are kept
        notes = (Outpost(folder).note() for folder in outside_of(named))
        outside = next((note for note in notes if note), None)
    with reading(named.url) as store:
        name = name_of(store, named.url)
        known = PublicKey(public, PUBLIC, "given with") if public else _key(store, named, key, head)
        report = audit(store, public_key=known.public, head=outside)
        report = _compared(report, store, [*outside_of(named)])
    note(named, _ended(report))
    if as_json:
        told = msgspec.to_builtins(report)
        told["key"]["source"] = known.source
        sys.stdout.write(encode({"clean": report.clean, **told}) + "\n")
    else:
        _show(name, report, known, kept=outside is not None)
    return WRONG if report.total else CLEAN


def _ended(report: Report) -> AuditEnded:
    """How an audit on the machine itself ended, for the journal."""
    result = AuditResult.WRONG if report.total else AuditResult.CLEAN
    first = str(report.findings[0]) if report.findings else ""
    return AuditEnded(result, report.counts.entries, report.total, said=first, who=who())


def _key(store: Store, named: NamedStore, key: str | None, head: str | None) -> PublicKey:
    """The floor's public key; where it is not known, what was kept outside may do."""
    known = public_key(store, named, key, ask_floor=head is None)
    return known if known.public else known._replace(source=head or "")


def _compared(report: Report, store: Store, folders: Sequence[Path]) -> Report:
    """The report, with what the floor and `punto repair` say of the store and its folders of checkpoints, if anything.

    The audit has read what is there, and cannot miss what is not: only tails and checkpoints tell that play was lost.
    """
    if not folders or (store.tip(OLD_HEADS) is not None and next(store.streams(HEADS), None) is None):
        return report
    try:
        check_age(History(store, Keys.for_reading(report.key.public), rotating=True), folders)
    except Corrupt as error:
        found = Finding(Code.OUTSIDE_HEAD, HEADS, 0, None, error.message)
        return replace(report, findings=(found, *report.findings), total=report.total + 1)
    return report


def show_head(source: Source) -> int:
    """Print the last signed heads of all writers, to be kept elsewhere."""
    with showing(source) as shown:
        found = shown.last_heads()
    if not found.heads:
        raise BadUsage("the store has no head that is signed: expected one that a floor of today has written to")
    sys.stdout.write(encode(msgspec.to_builtins(found)) + "\n")
    return shown.status


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
    given_up = [shoe for shoe in shoes if shoe.ended and not shoe.first_bets_ms]
    if given_up:
        withheld = sum(shoe.ended == "unrevealed" for shoe in given_up)
        yield (
            f"taken out before their first bets: {len(given_up):,}, of which {withheld:,} because a contribution was "
            "withheld and the others by decision"
        )
    marked = sum(shoe.demonstration for shoe in shoes)
    if marked:
        yield f"demonstration rules: {marked:,} of them, where the rulebook has a dealing device"


def _editions(report: Report) -> Iterator[str]:
    """How many rounds were judged by older readings than those of today."""
    older = report.counts.rounds_before_second
    if older:
        of = "all of them" if older == report.counts.rounds else f"{older:,} of them"
        yield f"rounds: {of} name no edition of the readings, and were judged by those before the second"


def _claims(report: Report) -> Iterator[str]:
    """How many claims patrons have raised, and what became of them."""
    counts = report.counts
    if counts.claims:
        yield f"claims: {counts.claims:,}, answered late: {counts.claims_late:,}, open: {counts.claims_open:,}"


def _cash_reports(report: Report) -> Iterator[str]:
    """How many sums of cash were to be reported, and how many reports are missing."""
    due, late = report.counts.cash_reports, report.counts.cash_reports_late
    if due:
        yield f"reports of cash: {due:,} due; not filed within the day after: {f'{late:,}' if late else 'none'}"


def _signed(report: Report, known: PublicKey) -> str:
    """By which key the store was judged, and what vouches for it."""
    key = report.key.public
    match report.key.vouched_by:
        case Voucher.GIVEN:
            return f"{_CHECKED} {key}, the key {known.how} {known.source}"
        case Voucher.OUTSIDE:
            return f"{_CHECKED} {key}, the key that signed what was kept outside, {known.source}"
        case Voucher.STORE:
            return (
                f"{_CHECKED} {key}, the key that the store itself names: whoever can write to the store could have "
                "signed all of it with a key of their own. Give the floor's key with --public or --key, or what was "
                "kept outside with --head"
            )


def _intervention(done: Intervention) -> str:
    reason = f" (“{done.reason}”)" if done.reason else ""
    return one_line(f"{in_utc(done.at_ms)}: {done.by} {done.what}{reason}")


def _show(name: str, report: Report, known: PublicKey, *, kept: bool) -> None:
    out = console()
    counts = report.counts
    named = {"round": counts.rounds, "wager": counts.wagers}
    played = ", ".join(f"{count:,} {what}{'s' * (count != 1)}" for what, count in named.items())
    looked = f"{counts.entries:,} entries of {counts.streams:,} streams, {played}"
    if not counts.entries and not report.total:
        out.print(Text(f"{name}: empty, there is nothing to audit"))
        return
    lines = []
    if report.total:
        _show_findings(out, report)
        out.print(Text(f"  {looked}", style=QUIET))
    else:
        verdict = "clean" if report.clean else "nothing wrong was found, but no key was given"
        out.print(Text(f"{name}: {verdict}", style="green" if report.clean else "yellow"))
        out.print(Text(f"  {looked}, {money(counts.cents)} moved", style=QUIET))
        lines = [*_editions(report), *_shoes(report), *_claims(report), *_cash_reports(report)]
    lines.append(_signed(report, known))
    if not report.total:
        lines.append("contains the head that was kept outside" if kept else _UNVOUCHED)
    lines += [_intervention(done) for done in report.interventions]
    for line in lines:
        print_hanging(out, Text("  "), line.split(), indent=2, between=" ", style=QUIET)


def _show_findings(out: Console, report: Report) -> None:
    for finding in report.findings[:_SHOWN]:
        print_hanging(out, Text(), str(finding).split(), indent=2, between=" ", style="red")
    if report.total > _SHOWN:
        out.print(Text(f"and {report.total - _SHOWN:,} more", style="red"))
