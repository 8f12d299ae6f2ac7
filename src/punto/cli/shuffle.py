"""`punto shuffle`: shoes as the floor shuffles them, raw, for whoever wants to test the shuffle."""

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import BinaryIO

from punto.cards import Deck, Shoe
from punto.errors import BadRounds, BadUsage, UnwritableFile
from punto.floor.shuffle import by_chance


def dump(name: str, shoes: int, deck: Deck, decks: int, *, as_text: bool) -> None:
    """Write so many shoes to a file, one after the other as they are shuffled; `-` is standard output."""
    if shoes < 1:
        raise BadRounds(f"--dump: {shoes} shoes: expected 1 or more")
    fresh = Shoe.unshuffled(deck, decks)
    if name == "-":
        if not as_text and sys.stdout.isatty():
            raise BadUsage("a terminal cannot show bytes: expected a FILE, a pipe, or --text")
        _write(sys.stdout.buffer, _drawn(fresh, shoes, as_text=as_text))
        return
    try:
        with Path(name).open("wb") as file:
            _write(file, _drawn(fresh, shoes, as_text=as_text))
    except OSError as error:
        raise UnwritableFile(f"{name}: cannot be written: {error.strerror}") from None


def _write(file: BinaryIO, parts: Iterator[bytes]) -> None:
    file.writelines(parts)
    file.flush()


def _drawn(fresh: Shoe, shoes: int, *, as_text: bool) -> Iterator[bytes]:
    """Each shoe as the floor would put it in order, before the cut."""
    places = {card: place for place, card in enumerate(fresh.deck.cards)}
    for _ in range(shoes):
        order = by_chance(fresh.order)
        yield " ".join(map(str, order)).encode() + b"\n" if as_text else bytes(places[card] for card in order)
