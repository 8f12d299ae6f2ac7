"""Accounts, transfers and meters: pure.

Every cent that an event at a table moves is a transfer between two accounts; meters count the same events on their own.
"""

from punto.ledger.booking import Holding, Posting, book_of, postings
from punto.ledger.meters import Meter, TableMeters
from punto.ledger.transfers import (
    WALLET,
    Transfer,
    cash,
    corrections,
    escrow,
    given,
    house,
    owed,
    transfers,
    wallet,
    withheld,
)

__all__ = [
    "WALLET",
    "Holding",
    "Meter",
    "Posting",
    "TableMeters",
    "Transfer",
    "book_of",
    "cash",
    "corrections",
    "escrow",
    "given",
    "house",
    "owed",
    "postings",
    "transfers",
    "wallet",
    "withheld",
]
