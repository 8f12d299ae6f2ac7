"""What the torture did and found, in words and figures."""

from collections.abc import Iterator

from tests.torture import crash, damage, kill


def of_kills(tally: kill.Tally) -> Iterator[str]:
    """The report on processes that were killed."""
    yield f"{tally.kills} kills; the phase each table was in:"
    yield "  " + " ".join(f"{name:>14}" for name in ("", *kill.PHASES))
    for phase in (*kill.ROUND, "closed"):
        hits = [str(tally.phases[key, phase]) if _can_be(key, phase) else "–" for key in kill.PHASES]
        yield "  " + " ".join(f"{hit:>14}" for hit in (phase, *hits))
    for outcome, times in tally.under_way.items():
        yield f"  {times} times {outcome.value}"
    yield f"  {tally.recovering} times in the middle of a recovery"
    yield "  killed: " + ", ".join(f"{what} {times}" for what, times in sorted(tally.blows.items()))
    if tally.told:
        yield "  told when the store went away: " + ", ".join(f"{code} {n}" for code, n in sorted(tally.told.items()))
        yield f"  outcome unknown, and there: {tally.unknown_there}; resolved by asking again: {tally.resolved}"
    yield f"  {tally.checkpoints} checkpoints taken; every store agreed with what was kept outside"
    seconds = tally.played_s or 1.0
    yield (
        f"load: {tally.groups} groups with {tally.commands} commands, of which {tally.wagers} wagers accepted, "
        f"in {tally.played_s:.1f} s of play"
    )
    yield (
        f"  {tally.groups / seconds:.0f} commits, {tally.commands / seconds:.0f} acknowledged commands "
        f"and {tally.wagers / seconds:.0f} wagers a second"
    )
    yield from _found(tally.findings)


def of_images(tally: crash.Tally) -> Iterator[str]:
    """The report on images of the disk."""
    yield f"{tally.images} images; the power went:"
    for moment, times in tally.moments.items():
        yield f"  {times} times {moment.value}"
    for outcome, times in tally.under_way.items():
        yield f"  {times} times {outcome.value}"
    yield f"  {tally.loose_images} images with unsynced changes, {tally.loose_changes} of them in all"
    yield f"  {tally.acknowledged} acknowledged commands looked for"
    yield f"  {tally.failed} images failed, {tally.lost} of them for lost acknowledged commands"
    yield from _found(tally.findings)


def of_damage(tally: damage.Tally) -> Iterator[str]:
    """The report on stores that were damaged after a kill."""
    yield f"{tally.runs} stores damaged, with {tally.acknowledged} acknowledged commands"
    for (target, how), times in sorted(tally.done.items()):
        yield f"  {times} times {how}, of the {target}: acknowledged play missing in {tally.missing[target, how]}"
    for said, times in tally.noticed.most_common():
        yield f"  noticed {times} times by {said}"
    yield from _found(tally.findings)


def _can_be(key: str, phase: str) -> bool:
    return phase in (*kill.PHASES[key], "closed")


def _found(findings: list[str]) -> Iterator[str]:
    yield "nothing was found" if not findings else f"{len(findings)} findings:"
    for finding in findings[:20]:
        yield f"  {finding}"
