"""Where the heads of all writers ended at a moment: small enough to be kept outside the store.

Whoever keeps it can tell later that no head up to there was rewritten or cut off, and with the heads nothing that they
cover.
"""

from typing import Final

import msgspec
from msgspec import Struct

from punto.errors import Malformed
from punto.proof.writers import HEADS
from punto.store.contract import Store


class LastHead(Struct, frozen=True):
    """The last head of a writer: its number, and its hash in hexadecimal."""

    number: int
    hash: str


class LastHeads(Struct, frozen=True):
    """The last head of each writer, by the writer's stream."""

    heads: dict[str, LastHead]


_DECODER: Final = msgspec.json.Decoder(LastHeads)


def last_heads(store: Store) -> LastHeads:
    """The last heads of a store as it is now."""
    return LastHeads({stream: LastHead(tip.version, tip.hash.hex()) for stream, tip in store.streams(HEADS)})


def read_last_heads(text: bytes) -> LastHeads:
    """Last heads that were kept outside."""
    try:
        return _DECODER.decode(text)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise Malformed(f"no heads that were kept outside: {error}") from None
