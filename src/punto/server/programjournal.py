"""Checks of the program in the journal: how each came out, and what was measured where that has changed."""

from typing import Final

from punto.program import Manifest
from punto.record.journal import ProgramChecked, ProgramMeasured, ProgramResult
from punto.server.journal import Journal
from punto.server.programcheck import Result

_NAMED: Final = 20
_RESULTS: Final = {
    "same": ProgramResult.SAME,
    "different": ProgramResult.DIFFERS,
    "no-release": ProgramResult.FIRST,
}


class ProgramOnRecord:
    """Listens to checks of the program, and has the journal note them; *former* is what it said last at this place."""

    def __init__(self, journal: Journal, place: str, former: Manifest | None) -> None:
        self._journal = journal
        self._place = place
        self._former = former

    def heard(self, result: Result) -> None:
        """A check is over. The first look after a start goes on record only where something is wrong."""
        state, check = result
        outcome = _RESULTS.get(state.state, ProgramResult.FAILED)
        if not state.whole and outcome in (ProgramResult.SAME, ProgramResult.FIRST):
            return
        if check is not None and state.whole:
            self._measured(check.measured.manifest)
        self._journal.note(
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

    def _measured(self, manifest: Manifest) -> None:
        if manifest != self._former:
            self._former = manifest
            self._journal.note(ProgramMeasured(self._place, manifest))
