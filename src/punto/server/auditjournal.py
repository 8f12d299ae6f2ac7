"""Audits in the journal: when one began, who asked for it, and how it ended."""

from typing import Final

from punto.record.journal import AuditBegan, AuditEnded, AuditResult
from punto.server.auditstate import AuditState
from punto.server.journal import Journal

_RESULTS: Final = {"clean": AuditResult.CLEAN, "wrong": AuditResult.WRONG}


class AuditsOnRecord:
    """Listens to audits, and has the journal note them."""

    def __init__(self, journal: Journal) -> None:
        self._journal = journal

    def started(self, state: AuditState) -> None:
        """An audit begins."""
        self._journal.note(AuditBegan(whole=state.kind == "whole", who=state.by))

    def ended(self, state: AuditState) -> None:
        """An audit is over."""
        result = _RESULTS.get(state.state, AuditResult.FAILED)
        said = str(state.findings[0]) if state.findings else state.said
        whole = state.kind == "whole"
        self._journal.note(
            AuditEnded(result, state.entries, state.total, state.took_ms, said, whole=whole, who=state.by)
        )
