"""The second protocol of virtual shoes, written from docs/shoes.md alone: it imports nothing of Punto."""

from collections.abc import Iterable, Sequence
from hashlib import sha256


def commitment_of(about: Iterable[str], salt: str, order: str) -> str:
    """What the floor commits to."""
    return _digest("punto shoe 2", *about, salt, order).hex()


def contribution_of(shoe: str, patron: str, secret: str) -> str:
    """What a patron commits to."""
    return _digest("punto contribution 1", shoe, patron, secret).hex()


def dealt_order(cards: Sequence[str], shoe: str, secrets: Sequence[tuple[str, str]], beacon: str) -> list[str]:
    """The floor's order as it is dealt, before the cut."""
    if not secrets and not beacon:
        return list(cards)
    seed = _digest("punto permutation 1", shoe, *(part for pair in secrets for part in pair), beacon)
    dealt, block, numbers = list(cards), 0, list[int]()
    for size in range(len(dealt), 1, -1):
        while True:
            if not numbers:
                found = sha256(seed + block.to_bytes(8, "big")).digest()
                numbers = [int.from_bytes(found[at : at + 8], "big") for at in (0, 8, 16, 24)]
                block += 1
            number = numbers.pop(0)
            if number < 2**64 // size * size:
                break
        place = number % size
        dealt[size - 1], dealt[place] = dealt[place], dealt[size - 1]
    return dealt


def _digest(*lines: str) -> bytes:
    return sha256("\n".join(lines).encode()).digest()
