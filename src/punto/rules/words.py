"""Punto's two languages."""

from enum import Enum
from typing import NamedTuple


class Language(Enum):
    """A language that names and conditions are worded in."""

    ENGLISH = "en"
    CHINESE = "zh"


class Label(NamedTuple):
    """A name or phrase in each language.

    >>> Label("Tie", "和").text(Language.CHINESE)
    '和'
    """

    en: str
    zh: str

    def text(self, language: Language) -> str:
        """The label in the language."""
        return self.en if language is Language.ENGLISH else self.zh
