"""`punto shuffle --evidence`: what a test laboratory asks of the shuffle, gathered in a folder."""

import subprocess
import sys
import tempfile
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import msgspec
import numpy as np

from punto.cards import Deck, check_decks
from punto.cli.evidence import programs, scaling
from punto.cli.evidence.apart import Apart
from punto.cli.evidence.document import document
from punto.cli.evidence.machine import this_machine
from punto.cli.evidence.results import Evidence, Sampled, Sown, Tested
from punto.cli.evidence.samples import SAMPLES, Sample
from punto.cli.files import check_free
from punto.cli.progress import progress
from punto.cli.times import in_utc
from punto.errors import BadRounds, PuntoError, UnwritableFile
from punto.lab.files import check_writable, write_whole
from punto.lab.randomness import FEWEST_SHOES, PLANTED, PLANTED_SEED, PLANTED_SHOES, Battery, bits_of
from punto.lab.report.markdown import as_markdown
from punto.lab.report.paper import as_pdf
from punto.surroundings import now_ms

# Shoes are shuffled and counted so many at a time.
_BLOCK: Final = 500
_FAILED: Final = 1


def gather(folder: str, shoes: int, deck: Deck, decks: int) -> int:
    """Test so many shoes of each sample, and put the evidence into a folder; the status is 1 if anything is wrong."""
    if shoes < FEWEST_SHOES:
        raise BadRounds(f"--shoes: {shoes}: expected {FEWEST_SHOES} or more")
    target = Path(folder)
    check_free(target)
    check_decks(decks)
    _make(target)
    found = _evidence(shoes, deck, decks)
    written = document(found)
    write_whole(target / "evidence.json", msgspec.json.format(msgspec.json.encode(found), indent=2) + b"\n")
    write_whole(target / "evidence.md", as_markdown(written))
    if find_spec("typst"):
        write_whole(target / "evidence.pdf", as_pdf(written))
    _say(folder, found)
    return _FAILED if found.wrong else 0


def _make(folder: Path) -> None:
    try:
        folder.mkdir(exist_ok=True)
    except OSError as error:
        raise UnwritableFile(f"{folder}: {error.strerror}: expected a folder that can be made") from None
    check_writable(folder / "evidence.json")


def _say(folder: str, found: Evidence) -> None:
    tests = len(found.chances)
    lines = [f"{folder}: {found.shoes:,} shoes of {found.decks} decks in each of {len(found.samples)} samples"]
    caught = len(found.planted) - len(found.missed)
    lines.append(f"{tests - len(found.failed)} of {tests} tests pass at 99 %, corrected for their number")
    lines.append(f"{caught} of {len(found.planted)} planted faults are caught")
    lines += [missing for run in found.samples[0].programs for missing in run.not_run]
    if not find_spec("typst"):
        lines.append("no evidence.pdf: typst is not installed (pip install 'punto[lab]')")
    lines += [f"WRONG: {line}" for line in found.wrong]
    sys.stdout.write("\n".join(lines) + "\n")


def _evidence(shoes: int, deck: Deck, decks: int) -> Evidence:
    cards = deck.size * decks
    total = len(SAMPLES) * shoes + (len(PLANTED) + 1) * PLANTED_SHOES
    with progress(total, "shoes") as show:
        done = 0

        def count(more: int) -> None:
            nonlocal done
            done += more
            show(done)

        sampled = [_sampled(sample, shoes, Battery(deck, decks), cards, count) for sample in SAMPLES]
        planted = []
        for each in PLANTED:
            battery = Battery(deck, decks)
            battery.add(each.shoes(PLANTED_SHOES, cards))
            planted.append(Sown.of(each.name, each.fault, (PLANTED_SHOES, PLANTED_SEED), battery.findings()))
            count(PLANTED_SHOES)
        even = scaling.examined(Battery(deck, decks), cards)
        count(PLANTED_SHOES)
        apart = _apart()
    return Evidence(in_utc(now_ms()), deck.key, decks, cards, shoes, this_machine(), sampled, planted, even, apart)


def _sampled(sample: Sample, shoes: int, battery: Battery, cards: int, count: Callable[[int], None]) -> Sampled:
    """The battery's findings in shoes of one sample, and what programs say of the bits of their choices."""
    with tempfile.TemporaryDirectory(prefix="punto-evidence-") as place:
        stream = Path(place) / "bits"
        with stream.open("wb") as file:
            for start in range(0, shoes, _BLOCK):
                number = min(_BLOCK, shoes - start)
                order = np.array([sample.shoe(cards) for _ in range(number)], dtype=np.int64)
                battery.add(order)
                file.write(bits_of(order))
                count(number)
        runs = [programs.dieharder(stream), programs.ent(stream)]
    tests = [Tested.of(finding) for finding in battery.findings()]
    return Sampled(sample.key, sample.title, sample.says, tests, runs)


def _apart() -> Apart:
    """What a process of its own found; it may fork, which this one may not."""
    command = [sys.executable, "-m", "punto.cli.evidence.apart"]
    done = subprocess.run(command, capture_output=True, check=False)  # noqa: S603
    if done.returncode:
        last = done.stderr.decode(errors="replace").strip().splitlines()[-1:]
        raise PuntoError(f"the process that forks ended with status {done.returncode}: {''.join(last)}")
    return msgspec.json.decode(done.stdout, type=Apart)
