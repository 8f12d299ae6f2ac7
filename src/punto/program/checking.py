"""The whole check: the program is measured, and compared with its release, or with what was measured first."""

from typing import Literal

from msgspec import Struct
from msgspec.structs import replace

from punto.program.differences import Difference, Word, compare, ordered
from punto.program.interpreter import Interpreter
from punto.program.manifest import MANIFEST, Manifest, Reference
from punto.program.measuring import Measured, installed_manifest, measure

Verdict = Literal["same", "different", "no-release"]


class Check(Struct, frozen=True):
    """What came of a check.

    Without a release, and without a reference, there is nothing to compare with: the verdict is "no-release",
    whatever was found. *against* says what it was compared with, and *reference* what later checks are compared with.
    """

    verdict: Verdict
    measured: Measured
    differences: tuple[Difference, ...]
    # The root that the release's manifest names; nothing where there is none.
    release: str
    against: Literal["", "release", "former"]
    reference: Reference | None = None


def check(
    interpreter: Interpreter | None = None,
    *,
    kept: Manifest | None = None,
    reference: Reference | None = None,
    whole: bool = True,
) -> Check:
    """Measure the program, and compare it.

    A manifest that was *kept* elsewhere stands for that of the release. The *reference* is all that counts where there
    is no release, also for another version; beside a release, it counts as long as the version is the same, and tells
    what no release can: whether Python, the dependencies or the release's own manifest have changed. What the release
    has is no matter of a reference that was measured without one.
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
    counts = reference
    if counts is not None and release is not None:
        if counts.manifest.version != measured.version:
            counts = None
        elif not counts.release:
            counts = Reference(replace(release, version=measured.version, beside=counts.manifest.beside), release=True)
    if counts is not None:
        found += compare(measured, counts.manifest)
    elif whole and not damaged:
        counts = _first(measured, release)
    if counts is not None and not counts.manifest.beside and measured.beside:
        counts = replace(counts, manifest=replace(counts.manifest, beside=measured.beside))
    known = release is not None or damaged or reference is not None
    return Check(
        verdict="no-release" if not known else "different" if found else "same",
        measured=measured,
        differences=ordered(found),
        release=release.root if release else "",
        against="release" if release is not None or damaged else "former" if reference is not None else "",
        reference=counts or reference,
    )


def _first(measured: Measured, release: Manifest | None) -> Reference:
    """What later checks are compared with where there was nothing yet: files of a release are those of its manifest."""
    if release is None:
        return Reference(measured.manifest)
    return Reference(replace(release, version=measured.version, beside=measured.beside), release=True)
