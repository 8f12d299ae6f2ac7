"""Virtual shoes: the floor alone knows their order; it commits to it, deals from it, and opens it at the end."""

from collections.abc import Callable
from typing import Final

import msgspec

from punto.errors import Malformed
from punto.floor.keys import Keys
from punto.floor.shuffle import Shuffle, as_dealt, seal, unseal
from punto.table import AnyCommand, Source, Table
from punto.table import commands as do
from punto.table.contributions import Beacon
from punto.table.shoes import next_place

# What takes something that only the floor knows, at a table with a virtual shoe.
OF_THE_SHOE: Final = frozenset({do.LoadShoe, do.DrawCard, do.EndShoe})


# Tells the beacon that adds to the order of the next shoe; none where the floor names none.
NamedBeacon = Callable[[], Beacon | None]


def _no_beacon() -> None:
    return None


class VirtualCards:
    """The cards of every virtual shoe on the floor."""

    def __init__(self, keys: Keys, shuffle: Shuffle) -> None:
        self._keys = keys
        self._shuffle = shuffle
        self.beacon: NamedBeacon = _no_beacon
        # The order of the shoe in use, by table, with all that it follows from.
        self._orders: dict[str, tuple[object, tuple[str, ...]]] = {}

    def filled_in(self, key: str, table: Table, command: AnyCommand) -> AnyCommand:
        """The command with what only the floor knows of a virtual shoe; nobody else may say it."""
        if table.setup is None or table.setup.source is not Source.VIRTUAL:
            return command
        match command:
            case do.LoadShoe():
                if command.commitment or command.sealed or command.beacon:
                    raise Malformed("the floor itself commits to a virtual shoe")
                beacon = self.beacon()
                made = seal(self._keys, table.setup, next_place(table, key), self._shuffle, beacon)
                sealed = {"commitment": made.commitment, "sealed": made.sealed, "beacon": beacon}
                return msgspec.structs.replace(command, **sealed)
            case do.DrawCard():
                if command.card is not None:
                    raise Malformed("the cards of a virtual shoe come from the floor")
                return msgspec.structs.replace(command, card=self._next_card(key, table))
            case do.EndShoe() if table.shoe.commitment:
                if command.order or command.salt:
                    raise Malformed("the floor itself opens a virtual shoe")
                opened = unseal(self._keys, key, table)
                return msgspec.structs.replace(command, order=opened.order, salt=opened.salt)
        return command

    def _next_card(self, key: str, table: Table) -> str | None:
        """The card that comes next; it is worked out from the sealed order and the number of cards that are out."""
        if not table.shoe.sealed:
            return None
        shoe = table.shoe
        follows_from = shoe.sealed, shoe.contributions, shoe.beacon_value, shoe.cut
        known, order = self._orders.get(key, (None, ()))
        if known != follows_from:
            order = as_dealt(unseal(self._keys, key, table), table)
            self._orders[key] = follows_from, order
        drawn = shoe.drawn
        return order[drawn] if drawn < len(order) else None
