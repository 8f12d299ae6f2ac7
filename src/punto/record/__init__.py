"""The record: audit, replay, shoes as texts. It judges the floor's work and shares none of its code paths."""

from punto.record.audit import audit
from punto.record.checks.findings import Code, Counts, Finding, JudgedKey, Report, Voucher
from punto.record.checks.interventions import Intervention, InterventionKind
from punto.record.exporting import export
from punto.record.fairness import Wrong
from punto.record.rounds import Round, Step, find_round, last_rounds, rounds_of
from punto.record.shoefile import ShoeFile
from punto.record.shoefile import read as read_shoe
from punto.record.verifying import sealed, verify

__all__ = [
    "Code",
    "Counts",
    "Finding",
    "Intervention",
    "InterventionKind",
    "JudgedKey",
    "Report",
    "Round",
    "ShoeFile",
    "Step",
    "Voucher",
    "Wrong",
    "audit",
    "export",
    "find_round",
    "last_rounds",
    "read_shoe",
    "rounds_of",
    "sealed",
    "verify",
]
