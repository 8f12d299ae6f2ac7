"""A fault, and how it gets into the product.

This module loads nothing of `punto`: a fault is planted in a fresh process, before the product is imported there.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, ModuleType
from typing import Final

SOURCE: Final = Path(__file__).parent.parent.parent / "src"


@dataclass(frozen=True, slots=True)
class Edit:
    """Other text in one file of the product; the path is relative to `src/punto`."""

    file: str
    old: str
    new: str

    @property
    def path(self) -> Path:
        """The file that is edited."""
        return SOURCE / "punto" / self.file

    @property
    def found(self) -> int:
        """How often the text stands in the file: once, unless the file has changed."""
        return self.path.read_text().count(self.old)

    def plant(self) -> None:
        """Have the file imported with the other text, and no bytecode of it read or written."""
        assert not [name for name in sys.modules if name.split(".")[0] == "punto"], "the product is imported already"
        sys.meta_path.insert(0, _EditedFinder(self))


@dataclass(frozen=True, slots=True)
class DeclarationWrong:
    """A small wrong in a wager of a game, as `tests.games.mutator` names it."""

    game: str
    wager: str
    wrong: str

    def plant(self) -> None:
        """Put the wrong wagers into the game that everybody shares."""
        from punto.games import GAMES  # noqa: PLC0415
        from tests.games.mutator import mutants  # noqa: PLC0415

        game = GAMES[self.game]
        [wronged] = [each for each in mutants(game) if (each.wager, each.wrong) == (self.wager, self.wrong)]
        object.__setattr__(game, "wagers", wronged.game.wagers)


@dataclass(frozen=True, slots=True)
class RulebookWrong:
    """A small wrong in a rulebook's conduct or announcements, as `derived.py` names it."""

    rulebook: str
    wrong: str

    def plant(self) -> None:
        """Put the wrong data into the rulebook that everybody shares."""
        from punto.games import RULEBOOKS  # noqa: PLC0415
        from tests.clause_faults.derived import wronged_rulebooks  # noqa: PLC0415

        book = RULEBOOKS[self.rulebook]
        [wronged] = [each.rulebook for each in wronged_rulebooks(book) if each.wrong == self.wrong]
        for name in ("opens", "closes", "conduct"):
            object.__setattr__(book, name, getattr(wronged, name))


@dataclass(frozen=True, slots=True)
class Nothing:
    """No wrong at all: the run that shows that the tests pass unharmed."""

    def plant(self) -> None:
        """Leave everything as it is."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One fault: what is wrong in words, the clauses that it breaks, and where it sits."""

    wrong: str
    clauses: tuple[str, ...]
    place: Edit | DeclarationWrong | RulebookWrong | Nothing


class _EditedFinder(MetaPathFinder):
    """Finds the one module whose file is edited."""

    def __init__(self, edit: Edit) -> None:
        self.edit = edit
        self.name = ".".join(edit.path.relative_to(SOURCE).with_suffix("").parts).removesuffix(".__init__")

    def find_spec(
        self, fullname: str, path: Sequence[str] | None = None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self.name:
            return None
        file = str(self.edit.path)
        return spec_from_file_location(fullname, file, loader=_EditedLoader(fullname, file, self.edit))


class _EditedLoader(SourceFileLoader):
    """Compiles the edited text, past any bytecode that lies beside the file."""

    def __init__(self, fullname: str, path: str, edit: Edit) -> None:
        super().__init__(fullname, path)
        self.edit = edit

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        text = Path(self.path).read_text()
        assert text.count(self.edit.old) == 1, f"{self.edit.file}: expected once: {self.edit.old}"
        return compile(text.replace(self.edit.old, self.edit.new), self.path, "exec", dont_inherit=True)
