"""What an audit checks: the record itself, each table's log by the rulebooks, and the ledger by the events.

Nothing here uses the code of the table, the ledger or the floor: entries are read by shapes of the audit's own, and
what should have come of them is worked out anew.
"""
