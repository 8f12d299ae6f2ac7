"""The cards of a virtual shoe are those of its sealed order after the cut, whatever happened between two of them."""

from collections.abc import Iterator
from typing import NamedTuple

from punto.floor.keys import Keys
from tests.torture.entries import Entries, plain


class Sealed(NamedTuple):
    """A virtual shoe: its order as cut, and the cards that have come."""

    number: int
    order: list[str]
    dealt: list[str]


def check_shoes(entries: Entries, keys: Keys) -> Iterator[str]:
    """What is wrong with the cards of virtual shoes."""
    for stream in entries:
        if stream.startswith("table/"):
            for shoe in list(sealed_shoes(entries, keys, stream.removeprefix("table/"))):
                for place, (came, due) in enumerate(zip(shoe.dealt, shoe.order, strict=False), 1):
                    if came != due:
                        yield f"{stream}: card {place} of shoe {shoe.number} came as {came}; sealed was {due}"
                        break


def sealed_shoes(entries: Entries, keys: Keys, key: str) -> Iterator[Sealed]:
    """Every virtual shoe of a table, unsealed with the key; the last may be in place yet."""
    shoe = None
    for entry in entries.get(f"table/{key}", ()):
        event = plain(entry.body)["event"]
        match event["type"]:
            case "shoe-loaded" if "sealed" in event:
                _, order = keys.unseal(event["sealed"], f"{key} shoe {event['shoe']}").split("\n")
                shoe = Sealed(event["shoe"], order.split(), [])
                yield shoe
            case "shoe-cut" if shoe:
                shoe.order[:] = shoe.order[event["cards"] :] + shoe.order[: event["cards"]]
            case "card-drawn" if shoe:
                shoe.dealt.append(event["card"])
