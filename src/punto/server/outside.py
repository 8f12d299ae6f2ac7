"""What people outside are told of a fault within: that it is one, and what became of theirs; never where or why."""

from punto.errors import Conflict, Corrupt, PuntoError

_TROUBLE = "the floor cannot write just now: ask again in a moment"
_DAMAGED = "what is stored here is damaged: the table is closed, and staff are told"


def outside(error: PuntoError) -> str:
    """The line for who is not at the machine; the fault itself is in the log."""
    if isinstance(error, Corrupt):
        return _DAMAGED
    return _TROUBLE if isinstance(error, Conflict) else error.message
