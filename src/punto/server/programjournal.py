"""Checks of the program in the journal: how each came out, what was measured, and what it is compared with."""

from contextlib import suppress
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from punto.errors import PuntoError
from punto.program import Manifest, Reference
from punto.record.journal import (
    JOURNAL,
    AnyJournalEvent,
    ProgramChecked,
    ProgramExpected,
    ProgramMeasured,
    ProgramResult,
    read,
)
from punto.server.programcheck import Result

if TYPE_CHECKING:
    from punto.floor import Floor
    from punto.server.hall import Hall
    from punto.server.openings import Openings

_NAMED: Final = 20
_RESULTS: Final = {
    "same": ProgramResult.SAME,
    "different": ProgramResult.DIFFERS,
    "no-release": ProgramResult.FIRST,
}


class Remembered:
    """What the program on a host is compared with, by a journal that is read backwards.

    A host that is named for the first time is compared with what the floor expected elsewhere, but for Python and the
    dependencies, which are the host's own. Older journals have only measurements: there the first one counts.
    """

    def __init__(self, host: str) -> None:
        self._host = host
        self._here: Reference | None = None
        self._elsewhere: Reference | None = None
        self._measured: Reference | None = None

    def backwards(self, event: AnyJournalEvent) -> None:
        """The next event, an older one."""
        match event:
            case ProgramExpected(host=host, reference=reference):
                if host == self._host:
                    self._here = self._here or reference
                self._elsewhere = self._elsewhere or reference
            case ProgramMeasured(place=place, manifest=manifest) if place.rpartition(":")[0] == self._host:
                self._measured = Reference(manifest)

    @property
    def is_sure(self) -> bool:
        """Whether older events can change nothing."""
        return self._here is not None

    @property
    def reference(self) -> Reference | None:
        """What counts; nothing where the floor has measured nothing yet."""
        if self._here or not self._elsewhere:
            return self._here or self._measured
        return replace(self._elsewhere, manifest=replace(self._elsewhere.manifest, beside={}))


class ProgramOnRecord:
    """Listens to checks of the program, and has the journal note them and what they are compared with."""

    def __init__(self, hall: "Hall", openings: "Openings") -> None:
        self._hall = hall
        self._host, self._place = openings.host, openings.place
        self._measured: Manifest | None = openings.former.manifest
        self._reference = openings.former.reference
        self._end = openings.ends.get(JOURNAL, 0)

    async def recall(self) -> Reference | None:
        """What the program is compared with: somebody may have accepted something else meanwhile, on the machine."""
        writer = self._hall.writer
        with suppress(PuntoError, RuntimeError):  # the store is away, or the floor is closing
            found = await writer.ask(_accepted, writer.floor, self._host, self._end)
            accepted, self._end = found
            self._reference = accepted or self._reference
        return self._reference

    def heard(self, result: Result) -> None:
        """A check is over. The first look after a start goes on record only where something is wrong."""
        state, check = result
        outcome = _RESULTS.get(state.state, ProgramResult.FAILED)
        if not state.whole and outcome in (ProgramResult.SAME, ProgramResult.FIRST):
            return
        if check is not None and state.whole:
            self._note_measured(check.measured.manifest)
            self._note_expected(check.reference)
        self._hall.journal.note(
            ProgramChecked(
                state.by or state.why,
                outcome,
                state.root,
                state.version,
                state.files,
                state.total,
                tuple(f"{each.word.value} {each.path}" for each in state.differences[:_NAMED]),
                state.said,
                against=state.against,
            )
        )

    def _note_measured(self, manifest: Manifest) -> None:
        if manifest != self._measured:
            self._measured = manifest
            self._hall.journal.note(ProgramMeasured(self._place, manifest))

    def _note_expected(self, reference: Reference | None) -> None:
        if reference is not None and reference != self._reference:
            self._reference = reference
            self._hall.journal.note(ProgramExpected(self._host, reference))


def _accepted(floor: "Floor", host: str, after: int) -> tuple[Reference | None, int]:
    """What somebody accepted since an entry, on the thread that writes; and how far the journal goes."""
    floor.look_over((JOURNAL,))
    accepted = None
    for entry in floor.history.read(JOURNAL, after):
        after = entry.version
        match read(entry.body).event:
            case ProgramExpected(host=where, reference=reference, who=who) if who and where == host:
                accepted = reference
    return accepted, after
