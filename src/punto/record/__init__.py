"""The record: it judges the floor's work and shares none of its code paths."""

from punto.record.audit import audit
from punto.record.checks.findings import Code, Counts, Finding, Report

__all__ = ["Code", "Counts", "Finding", "Report", "audit"]
