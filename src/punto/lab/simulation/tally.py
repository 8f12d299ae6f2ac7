"""What has been dealt: counts that can be added, kept in a file, and gone on with."""

import hashlib
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import msgspec
import numpy as np

from punto.errors import BadTally, UnreadableFile
from punto.games import digest
from punto.lab.classes import Ints
from punto.lab.files import write_whole
from punto.rules import Game

SHOES_IN_A_BLOCK: Final = 16_384
LONGEST_RUN: Final = 64
MOST_ROUNDS_A_SHOE: Final = 224
_FORMAT: Final = "punto simulation 2"
# Earlier versions shuffled other shoes for the same seed.
_FORMER: Final = "punto simulation 1"


@dataclass(frozen=True)
class Part:
    """The counts of consecutive rounds: by cell, by length that a run of one winner reaches, by rounds in a shoe."""

    cells: Ints
    reach: Ints
    lengths: Ints
    rounds: int

    @classmethod
    def nothing(cls, cells: int) -> "Part":
        """No rounds."""
        sizes = (cells, 2 * LONGEST_RUN, MOST_ROUNDS_A_SHOE)
        counts, reach, lengths = (np.zeros(size, dtype=np.int64) for size in sizes)
        return cls(counts, reach, lengths, 0)

    def __add__(self, other: "Part") -> "Part":
        return Part(
            self.cells + other.cells,
            self.reach + other.reach,
            self.lengths + other.lengths,
            self.rounds + other.rounds,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Part) and self.plain() == other.plain()

    def __hash__(self) -> int:
        return hash((self.rounds, self.cells.tobytes()))

    def plain(self) -> dict[str, Any]:
        """The counts as lists."""
        return {
            "rounds": self.rounds,
            "cells": self.cells.tolist(),
            "reach": self.reach.tolist(),
            "lengths": self.lengths.tolist(),
        }


@dataclass(frozen=True)
class Terms:
    """What a simulation is of: with the same terms, the same rounds.

    A cutting card deals more rounds from shoes whose coups are short, so that the average round is not quite the first
    round of a fresh shoe. With *same_rounds* every shoe deals as many as are certain to come, and it is.
    """

    game: Game = field(compare=False)
    decks: int
    cut: int
    seed: int
    same_rounds: bool = False
    digest: str = ""

    def __post_init__(self) -> None:
        object.__setattr__(self, "digest", digest(self.game))


@dataclass(frozen=True)
class Tally:
    """The first rounds of a stream of shoes: so many whole blocks of it, and perhaps the beginning of the next.

    Only the whole blocks are kept in a file: from there the stream can be gone on with.
    """

    terms: Terms
    blocks: int
    part: Part
    rest: Part | None = None

    @property
    def dealt(self) -> Part:
        """All rounds."""
        return self.part + self.rest if self.rest else self.part

    def dumps(self) -> bytes:
        """The tally as text, the same for the same rounds."""
        terms = self.terms
        content = {
            "format": _FORMAT,
            "game": terms.game.key,
            "digest": terms.digest,
            "decks": terms.decks,
            "cut": terms.cut,
            "seed": terms.seed,
            "same_rounds": terms.same_rounds,
            "blocks": self.blocks,
            **self.part.plain(),
        }
        return msgspec.json.encode(content | {"checksum": _checksum(content)}) + b"\n"

    def save(self, path: Path) -> None:
        """Put the tally into a file, all at once."""
        write_whole(path, self.dumps())

    @classmethod
    def load(cls, path: Path, terms: Terms, cells: int) -> "Tally":
        """The tally of a file, if it is of these terms."""
        try:
            content = msgspec.json.decode(path.read_bytes(), type=_Content)
        except OSError as error:
            raise UnreadableFile(f"{path}: cannot be read: {error.strerror}: expected a simulation's file") from None
        except (msgspec.DecodeError, ValueError, RecursionError):
            raise BadTally(
                f"{path} is not the file of a simulation: expected one that punto simulate has kept"
            ) from None
        if content.format == _FORMER:
            former = "was kept by an older version of Punto, which dealt other shoes"
            raise BadTally(f"{path} {former}: expected a file of this version: begin again without it")
        kept = (content.digest, content.decks, content.cut, content.seed, content.same_rounds)
        asked = (terms.digest, terms.decks, terms.cut, terms.seed, terms.same_rounds)
        names = ("another declaration of the game", "other decks", "another cut", "another seed", "other shoes")
        for name, one, other in zip(names, kept, asked, strict=True):
            if one != other:
                raise BadTally(f"{path} is of {content.game} with {name}: expected the one it was begun with")
        return cls(terms, content.blocks, content.part(path, cells))


def _checksum(content: dict[str, Any]) -> str:
    """What tells a file that was altered, if not by somebody who knows how."""
    return hashlib.sha256(msgspec.json.encode(content)).hexdigest()


class _Content(msgspec.Struct, forbid_unknown_fields=True):
    """The file of a tally."""

    format: str
    game: str
    digest: str
    decks: int
    cut: int
    seed: int
    same_rounds: bool
    blocks: int
    rounds: int
    cells: list[int]
    reach: list[int]
    lengths: list[int]
    checksum: str

    def part(self, path: Path, cells: int) -> Part:
        """The counts, if they fit together."""
        nothing = Part.nothing(cells)
        lists = (self.cells, self.reach, self.lengths)
        fits = all(
            len(kept) == len(empty)
            for kept, empty in zip(lists, (nothing.cells, nothing.reach, nothing.lengths), strict=True)
        )
        whole = fits and all(0 <= number < 1 << 62 for kept in lists for number in kept)
        dealt = sum(rounds * shoes for rounds, shoes in enumerate(self.lengths))
        adds_up = sum(self.cells) == dealt == self.rounds and sum(self.lengths) == self.blocks * SHOES_IN_A_BLOCK
        content = {name: getattr(self, name) for name in self.__struct_fields__ if name != "checksum"}
        if self.format != _FORMAT or not whole or not adds_up or self.checksum != _checksum(content):
            raise BadTally(f"{path} has counts that do not add up: expected a file as punto simulate keeps it")
        counts, reach, lengths = (np.array(kept, dtype=np.int64) for kept in lists)
        return Part(counts, reach, lengths, self.rounds)
