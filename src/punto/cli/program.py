"""`punto program`: whether the program's files are those of its release."""

import re
import socket
import sys
import time
from pathlib import Path
from typing import Final

import msgspec
from rich.text import Text

from punto.cli.entry import BAD_INPUT, one_line
from punto.cli.files import LONGEST_FILE, open_binary
from punto.cli.floors import floor_named
from punto.cli.ink import QUIET, console, print_hanging
from punto.cli.options import check_line
from punto.cli.wire import encode
from punto.errors import BadUsage, UnreadableFile, quoted
from punto.floor import Floor
from punto.floor.keys import Keys
from punto.program import Check, Difference, Manifest, Word, check, measure, read_manifest, text_of
from punto.record.journal import FLOOR, JOURNAL, JournalEntry, ProgramExpected, write
from punto.store import open_store

SAME: Final = 0
DIFFERENT: Final = 1
# There is nothing to compare with.
UNKNOWN: Final = BAD_INPUT
_STATUS: Final = {"same": SAME, "different": DIFFERENT, "no-release": UNKNOWN}
_DIGEST: Final = re.compile(r"[0-9a-f]{64}")
_NO_RELEASE: Final = "this is no release of Punto, and has no manifest: compare it with --release FILE or --digest HEX"


def run(release: str | None, digest: str | None, *, whole: bool, as_json: bool) -> int:
    """Check the program, and say in what it differs, a file a line."""
    if release is not None and digest is not None:
        raise BadUsage("--release and --digest: expected one of them")
    if digest is not None and not _DIGEST.fullmatch(digest):
        raise BadUsage(f"--digest: {quoted(digest)}: expected the 64 hexadecimal digits of a release's root")
    kept = _manifest_in(release) if release is not None else None
    found = check(kept=kept, whole=whole)
    if digest is not None:
        found = _against(found, digest)
    if as_json:
        sys.stdout.write(encode(_told(found)) + "\n")
    else:
        _show(found, release or ("the digest that was given" if digest else "the release that is installed"))
    return _STATUS[found.verdict]


def show_list(*, whole: bool, as_json: bool) -> int:
    """Print the digest of each file: in JSON a manifest of all that was measured, else as `sha256sum` does."""
    found = measure(whole=whole and as_json)
    sys.stdout.write(found.manifest.encoded().decode() if as_json else text_of(found.files))
    return SAME


def run_accept(name: str, by: str, reason: str) -> int:
    """Have a floor on this machine compare with the program as it is now; that somebody decided so is on record."""
    if not by.strip() or not reason.strip():
        raise BadUsage("--by and --reason: expected the name of whoever decides, and the reason")
    check_line("--by", by)
    check_line("--reason", reason)
    config = floor_named(name)
    found = check()
    reference = found.reference
    if found.against == "release" and (reference is None or found.measured.files != reference.manifest.files):
        _show(found, "the release that is installed")
        raise BadUsage("the program is not that of its release: nothing was accepted; install the release again")
    assert reference is not None, "all of it was measured"
    manifest, at_ms = reference.manifest, time.time_ns() // 1_000_000
    store = open_store(config.store, create=False)
    try:
        floor = Floor(store, Keys.open(config.key_source, config.signer))
        event = ProgramExpected(socket.gethostname(), reference, by.strip(), reason.strip())
        floor.note([(JOURNAL, write(JournalEntry(at_ms, FLOOR, event)))], {}, at_ms)
    finally:
        store.close()
    out = console()
    out.print(Text(f"{name}: from now on the program on this machine is compared with what it is now:", style="green"))
    out.print(Text(f"  Punto {manifest.version}, root {manifest.root}", style=QUIET))
    out.print("  It is on record that you accepted it, with your reason. A floor that is open looks at its next check.")
    for each in found.differences:
        print_hanging(out, Text(), one_line_of(each).split(" "), indent=11, between=" ", style="red")
    if found.differences:
        out.print("  What is listed above stays an alarm: it is wrong by itself, whatever is accepted.")
    return SAME


def _manifest_in(name: str) -> Manifest:
    with open_binary(name) as file:
        content = file.read(LONGEST_FILE)
    try:
        return read_manifest(content)
    except ValueError as error:
        raise UnreadableFile(f"{name}: {error}: expected a release's manifest, or lines of sha256sum") from None


def _against(found: Check, digest: str) -> Check:
    """The check, with the root held against a digest that was kept."""
    differences = found.differences
    if found.measured.root != digest:
        differences = (Difference("punto", Word.CHANGED, f"its root is not {digest}"), *differences)
    verdict = "different" if differences else "same"
    return msgspec.structs.replace(found, verdict=verdict, differences=differences, release=digest, against="release")


def _told(found: Check) -> dict[str, object]:
    measured = found.measured
    return {
        "verdict": found.verdict,
        "version": measured.version,
        "root": measured.root,
        "release": found.release,
        "files": len(measured.files),
        "python": measured.python,
        "dependencies": max(0, len(measured.beside) - 1),
        "whole": measured.whole,
        "took_ms": measured.took_ms,
        "differences": found.differences,
    }


def _show(found: Check, against: str) -> None:
    out = console()
    measured, many = found.measured, len(found.differences)
    count = f"{many} difference{'s' * (many != 1)}"
    for each in found.differences:
        print_hanging(out, Text(), one_line_of(each).split(" "), indent=11, between=" ", style="red")
    match found.verdict:
        case "same":
            said, style = f"the program is that of {against}", "green"
        case "different":
            said, style = f"{count} from {against}", "red"
        case _:
            said, style = _NO_RELEASE + (f"; {count} by itself" if many else ""), "yellow"
    lead = Text(f"Punto {measured.version}: ", style=style)
    print_hanging(out, lead, said.split(), indent=2, between=" ", style=style)
    out.print(Text(f"  root {measured.root}", style=QUIET))
    looked = f"{len(measured.files):,} files of {Path(measured.folder)}"
    if measured.whole:
        beside = max(0, len(measured.beside) - 1)
        looked += f", {beside} {'dependency' if beside == 1 else 'dependencies'}"
    looked += f", Python {measured.python}, in {measured.took_ms / 1000:.1f} s"
    print_hanging(out, Text("  "), looked.split(" "), indent=2, between=" ", style=QUIET)


def one_line_of(difference: Difference) -> str:
    """A difference as it is printed, whatever its path is made of."""
    said = one_line(difference.said)
    return f"{difference.word.value:<10} {difference.path}{f': {said}' if said else ''}"
