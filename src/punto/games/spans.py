"""Where each key and value of a TOML text stands.

`tomllib` reads a document but does not say where its values came from, and a mistake inside a condition must be shown
at its line and column. This scanner walks a text that `tomllib` has already accepted, and only remembers positions.
"""

import re
from typing import Final

Path = tuple[str | int, ...]

_BLANK: Final = re.compile(r"(?:[ \t\n]|#[^\n]*)*")
_BARE_KEY: Final = re.compile(r"[A-Za-z0-9_-]+")
_BARE_VALUE: Final = re.compile(r"[^,\]}\n#]+")
_FOLD: Final = re.compile(r"\\[ \t]*\n[ \t\n]*")
_ESCAPE_SIZES: Final = {"u": 6, "U": 10, "x": 4}


def line_and_column(text: str, offset: int) -> tuple[int, int]:
    """Where an offset of the text stands, counted from 1."""
    return text.count("\n", 0, offset) + 1, offset - text.rfind("\n", 0, offset)


class Spans:
    """The offsets of the keys and of the values of a document, by path, as in `("wager", 0, "name")`."""

    def __init__(self, text: str) -> None:
        self.text = text.replace("\r\n", "\n")
        self.keys: dict[Path, int] = {}
        self.values: dict[Path, int] = {}
        self._letters: dict[Path, list[int]] = {}
        self._elements: dict[Path, int] = {}
        self._at = 0
        self._document()

    def place(self, path: Path, letter: int | None = None, *, key: bool = False) -> tuple[int, int]:
        """Line and column, counted from 1, of a value, of one *letter* of a string (from 1), or of a key."""
        if key:
            return line_and_column(self.text, self.keys.get(path, 0))
        letters = self._letters.get(path)
        if letter is None or letters is None:
            return line_and_column(self.text, self.values.get(path, 0))
        return line_and_column(self.text, letters[min(letter, len(letters)) - 1])

    def _skip_blank(self) -> str:
        """Pass over space, line ends and comments; the next character, or nothing at the end."""
        match = _BLANK.match(self.text, self._at)
        assert match, "blank may be empty, so it always matches"
        self._at = match.end()
        return self.text[self._at : self._at + 1]

    def _document(self) -> None:
        table: Path = ()
        while (char := self._skip_blank()) != "":
            if char == "[":
                table = self._header()
            else:
                self._pair(table)

    def _header(self) -> Path:
        start = self._at
        repeated = self.text.startswith("[[", self._at)
        self._at += 2 if repeated else 1
        keys = self._dotted_key()
        self._at += 2 if repeated else 1
        path: Path = ()
        for key in keys[:-1]:
            path = self._element((*path, key))
        path = (*path, keys[-1])
        if repeated:
            self._elements[path] = self._elements.get(path, -1) + 1
            path = self._element(path)
        self._remember(path, start)
        self.values[path] = start
        return path

    def _element(self, path: Path) -> Path:
        """The path of an array of tables' last element; the path itself when it is no such array."""
        return (*path, self._elements[path]) if path in self._elements else path

    def _dotted_key(self) -> list[str]:
        keys: list[str] = []
        while True:
            if self._skip_blank() in "\"'":
                keys.append("".join(self.text[place] for place in self._string()[:-1]))
            else:
                match = _BARE_KEY.match(self.text, self._at)
                assert match, "tomllib has accepted the key"
                keys.append(match.group())
                self._at = match.end()
            if self._skip_blank() != ".":
                return keys
            self._at += 1

    def _pair(self, table: Path) -> None:
        start = self._at
        path: Path = (*table, *self._dotted_key())
        self._remember(path, start)
        self._at += 1
        self._skip_blank()
        self._value(path)

    def _remember(self, path: Path, start: int) -> None:
        """The key and, of a dotted one, every table that it names on the way."""
        for size in range(1, len(path) + 1):
            self.keys.setdefault(path[:size], start)
            self.values.setdefault(path[:size], start)

    def _value(self, path: Path) -> None:
        self.values[path] = self._at
        match self.text[self._at]:
            case '"' | "'":
                self._letters[path] = self._string()
            case "[":
                self._array(path)
            case "{":
                self._inline_table(path)
            case _:
                bare = _BARE_VALUE.match(self.text, self._at)
                assert bare, "tomllib has accepted the value"
                self._at = bare.end()

    def _array(self, path: Path) -> None:
        self._at += 1
        place = 0
        while (char := self._skip_blank()) != "]":
            if char == ",":
                self._at += 1
                continue
            self._value((*path, place))
            place += 1
        self._at += 1

    def _inline_table(self, path: Path) -> None:
        self._at += 1
        while (char := self._skip_blank()) != "}":
            if char == ",":
                self._at += 1
                continue
            self._pair(path)
        self._at += 1

    def _string(self) -> list[int]:
        """The offset of each letter of the string here, and of its end."""
        quote = self.text[self._at]
        fence = quote * 3 if self.text.startswith(quote * 3, self._at) else quote
        self._at += len(fence)
        if len(fence) > 1 and self.text.startswith("\n", self._at):
            self._at += 1
        letters: list[int] = []
        while not self._closes(fence):
            if quote == '"' and self.text[self._at] == "\\":
                self._escape(letters)
            else:
                letters.append(self._at)
                self._at += 1
        letters.append(self._at)
        self._at += len(fence)
        return letters

    def _closes(self, fence: str) -> bool:
        """Whether the string ends here; of four or five quotes, the first ones belong to the string."""
        if not self.text.startswith(fence, self._at):
            return False
        return len(fence) == 1 or not self.text.startswith(fence[0], self._at + len(fence))

    def _escape(self, letters: list[int]) -> None:
        folded = _FOLD.match(self.text, self._at)
        if folded:
            self._at = folded.end()
            return
        letters.append(self._at)
        self._at += _ESCAPE_SIZES.get(self.text[self._at + 1], 2)
