"""The way back in: whoever has the machine and the floor's key makes a code for somebody who has lost the rest."""

from typing import Final, NamedTuple

from punto.errors import Conflict, StaleVersion
from punto.floor import Floor
from punto.rules import Position
from punto.server.identity import events as on
from punto.server.identity.devices import fresh_code, plain
from punto.server.identity.people import People
from punto.table import Actor

LIFE_MS: Final = 10 * 60_000
_FLOOR: Final = Actor("floor", Position.SYSTEM)
_TRIES: Final = 10


class WayBack(NamedTuple):
    """A code with which somebody comes in once, until a time."""

    name: str
    code: str
    until_ms: int


def make_way_back(floor: Floor, name: str, by: str, reason: str, at_ms: int) -> WayBack:
    """A way back in for the account of that name, on record; what lets it in so far counts until the code is used."""
    for _ in range(_TRIES):
        people, version = _read(floor)
        account = people.find_account(name)
        code, until_ms = fresh_code(), at_ms + LIFE_MS
        event = on.WayBackIssued(account.name, on.digest(plain(code)), until_ms, by, reason)
        try:
            floor.note([(on.STAFF, on.write(on.Noted(at_ms, _FLOOR, event)))], {on.STAFF: version}, at_ms)
        except StaleVersion:
            continue
        return WayBack(account.name, code, until_ms)
    raise Conflict(f"the floor wrote {_TRIES} times meanwhile: nothing was done, try again")


def _read(floor: Floor) -> tuple[People, int]:
    """Who is on the staff, as far as it is signed, and how far that was read."""
    floor.look_over((on.STAFF,))
    people, version = People(), 0
    for entry in floor.history.read(on.STAFF):
        people.evolve(on.read(entry.body))
        version = entry.version
    return people, version
