"""What people outside are told of a fault within: that it is one, and what became of theirs; never where or why."""

from punto.errors import Conflict, Corrupt, Fenced, NotWritten, OutcomeUnknown, PuntoError, StreamStopped

_TROUBLE = "the floor's record does not answer just now: ask again in a moment"
_IN_DOUBT = "it is not known yet whether this was written: ask again under the same id"
_ELSEWHERE = "another process runs this now: nothing was done here"
_STOPPED = "this part of the record is stopped until it has been checked: nothing was accepted, and staff are told"
_DAMAGED = "what is stored here is damaged: the table is closed, and staff are told"


def outside(error: PuntoError) -> str:
    """The line for who is not at the machine; the fault itself is in the log."""
    if isinstance(error, StreamStopped):
        return _STOPPED
    if isinstance(error, Corrupt):
        return _DAMAGED
    if isinstance(error, OutcomeUnknown):
        return _IN_DOUBT
    if isinstance(error, Fenced):
        return _ELSEWHERE
    return _TROUBLE if isinstance(error, Conflict) and not isinstance(error, NotWritten) else error.message
