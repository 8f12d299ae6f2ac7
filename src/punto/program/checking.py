"""The whole check: the program is measured, and compared with its release, or with what it was before."""

from typing import Literal

from msgspec import Struct

from punto.program.differences import Difference, Word, compare, ordered
from punto.program.interpreter import Interpreter
from punto.program.manifest import MANIFEST, Manifest
from punto.program.measuring import Measured, installed_manifest, measure

Verdict = Literal["same", "different", "no-release"]


class Check(Struct, frozen=True):
    """What came of a check.

    Without a release, and without a former measurement, there is nothing to compare with: the verdict is "no-release",
    whatever was found. *against* says what it was compared with.
    """

    verdict: Verdict
    measured: Measured
    differences: tuple[Difference, ...]
    # The root that the release's manifest names; nothing where there is none.
    release: str
    against: Literal["", "release", "former"]


def check(
    interpreter: Interpreter | None = None,
    *,
    kept: Manifest | None = None,
    former: Manifest | None = None,
    whole: bool = True,
) -> Check:
    """Measure the program, and compare it.

    A manifest that was *kept* elsewhere stands for that of the release. A *former* measurement counts where there is no
    release; beside one, it counts as long as the version is the same, and tells what no release can: whether Python,
    the dependencies or the release's own manifest have changed.
    """
    interpreter = interpreter or Interpreter.here()
    measured = measure(interpreter, whole=whole)
    found = list(measured.findings)
    release, damaged = kept, False
    if kept is None:
        try:
            release = installed_manifest(interpreter.package)
        except ValueError as error:
            damaged = True
            found.append(Difference(MANIFEST, Word.CHANGED, str(error)))
    if release is not None:
        found += compare(measured, release)
    if former is not None and (release is None or former.version == measured.version):
        found += compare(measured, former)
    known = release is not None or damaged or former is not None
    return Check(
        verdict="no-release" if not known else "different" if found else "same",
        measured=measured,
        differences=ordered(found),
        release=release.root if release else "",
        against="release" if release is not None or damaged else "former" if former is not None else "",
    )
