"""Names that look alike: they differ by spaces, signs, case, width, or letters of another script of the same shape."""

from functools import lru_cache
from typing import Final
from unicodedata import combining, normalize

# Letters of the Cyrillic and the Greek script, small, by the Latin ones that they or their capitals look like.
_CYRILLIC: Final = {
    "а": "a",
    "в": "b",
    "ь": "b",
    "с": "c",
    "ԁ": "d",
    "е": "e",
    "н": "h",
    "һ": "h",
    "і": "i",
    "ј": "j",
    "к": "k",
    "ӏ": "l",
    "м": "m",
    "п": "n",
    "о": "o",
    "р": "p",
    "ԛ": "q",
    "г": "r",
    "ѕ": "s",
    "т": "t",
    "и": "u",
    "ѵ": "v",
    "ԝ": "w",
    "х": "x",
    "у": "y",
    "ү": "y",
}
_GREEK: Final = {
    "α": "a",
    "β": "b",
    "ε": "e",
    "η": "h",
    "ι": "i",
    "κ": "k",
    "μ": "m",
    "ν": "n",
    "ο": "o",
    "ρ": "p",
    "τ": "t",
    "υ": "y",
    "γ": "y",
    "χ": "x",
    "ω": "w",
    "ζ": "z",
}
_LATIN: Final = {"ı": "i", "ȷ": "j", "ł": "l", "ø": "o", "đ": "d", "0": "o", "1": "l"}
_SHAPES: Final = str.maketrans(_CYRILLIC | _GREEK | _LATIN)


@lru_cache(200_000)
def skeleton(name: str) -> str:
    """What is left of a name for an eye that does not look closely; two names with the same one look alike.

    >>> skeleton("Lin  Wee") == skeleton("LIN-WEE") == skeleton("Lin Wее")
    True
    >>> skeleton("Lin Wee") == skeleton("Lin Wei")
    False
    """
    folded = normalize("NFKC", name).casefold()
    plain = "".join(sign for sign in normalize("NFD", folded) if not combining(sign))
    return "".join(sign for sign in plain.translate(_SHAPES) if sign.isalnum())
