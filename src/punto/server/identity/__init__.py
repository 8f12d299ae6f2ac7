"""Who is who: staff with their positions, terminals and other devices, and the sessions of both.

All of it is written to streams of the floor's own store, chained and signed like everything else there, and worked out
anew from them when the floor begins.
"""

from punto.server.identity.accounts import FirstAccount, check_patron
from punto.server.identity.events import AnyEvent, Ending, Kind
from punto.server.identity.identity import ADDRESS, Identity, Papers
from punto.server.identity.limits import Limits, Rate
from punto.server.identity.people import Account, Session, Terminal

__all__ = [
    "ADDRESS",
    "Account",
    "AnyEvent",
    "Ending",
    "FirstAccount",
    "Identity",
    "Kind",
    "Limits",
    "Papers",
    "Rate",
    "Session",
    "Terminal",
    "check_patron",
]
