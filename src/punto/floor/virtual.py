"""Virtual shoes: the floor alone knows their order; it commits to it, deals from it, and opens it at the end."""

from typing import Final

import msgspec

from punto.errors import Malformed
from punto.floor.keys import Keys
from punto.floor.shuffle import Shuffle, as_cut, seal, unseal
from punto.table import AnyCommand, Source, Table
from punto.table import commands as do

# What takes something that only the floor knows, at a table with a virtual shoe.
OF_THE_SHOE: Final = frozenset({do.LoadShoe, do.DrawCard, do.EndShoe})


class VirtualCards:
    """The cards of every virtual shoe on the floor."""

    def __init__(self, keys: Keys, shuffle: Shuffle) -> None:
        self._keys = keys
        self._shuffle = shuffle
        # The order of the shoe in use, by table, with its seal and its cut.
        self._orders: dict[str, tuple[tuple[str, int], tuple[str, ...]]] = {}

    def filled_in(self, key: str, table: Table, command: AnyCommand) -> AnyCommand:
        """The command with what only the floor knows of a virtual shoe; nobody else may say it."""
        if table.setup is None or table.setup.source is not Source.VIRTUAL:
            return command
        match command:
            case do.LoadShoe():
                if command.commitment or command.sealed:
                    raise Malformed("the floor itself commits to a virtual shoe")
                made = seal(self._keys, table.setup, key, table.shoes + 1, self._shuffle)
                return msgspec.structs.replace(command, commitment=made.commitment, sealed=made.sealed)
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
        shoe = table.shoe.sealed, table.shoe.cut
        known, order = self._orders.get(key, (("", 0), ()))
        if known != shoe:
            order = as_cut(unseal(self._keys, key, table), table)
            self._orders[key] = shoe, order
        drawn = table.shoe.drawn
        return order[drawn] if drawn < len(order) else None
