"""Spellings: what a password says, however it is typed; a common one is as common with accents or signs nobody sees."""

import re
from collections.abc import Iterator
from typing import Final
from unicodedata import category, normalize

# Letters of other alphabets that look like a Latin one, after accents are gone.
_LOOK_ALIKE: Final = str.maketrans(
    "авсеѕіјкмнортухһԁԛԝӏгпαβεικνορτυχγηωıɑɡ",
    "abcesijkmhoptyxhdqwlrnabeikvoptuxynwiag",
)
# The rows of the Russian keyboard, and the Latin letters on the same keys.
_RUSSIAN: Final = str.maketrans("йцукенгшщзхъфывапролджэячсмитьбю", "qwertyuiop[]asdfghjkl;'zxcvbnm,.")
# Words whose parts are no longer than this are one word, spelled out.
_SPELLED_OUT: Final = 2


def visible(text: str) -> str:
    """A text without signs that nobody sees, such as soft hyphens and joiners.

    >>> visible("pass\u00adword\u200b")
    'password'
    """
    return "".join(sign for sign in text if category(sign) != "Cf")


def spellings(text: str) -> Iterator[str]:
    """A text in small letters, and what it says in plain Latin ones.

    >>> [*spellings("Contraseña")]
    ['contraseña', 'contrasena']
    >>> [*spellings("p a s s word")], [*spellings("p.a.s.s.w")]
    (['p a s s word'], ['p.a.s.s.w', 'passw'])
    """
    said = normalize("NFKC", visible(text)).casefold()
    bare = "".join(sign for sign in normalize("NFKD", said) if category(sign) != "Mn")
    found = [said, bare, bare.translate(_LOOK_ALIKE), said.translate(_RUSSIAN)]
    for each in found[:]:
        parts = re.findall(r"[^\W_]+", each)
        if len(parts) > _SPELLED_OUT and max(map(len, parts)) <= _SPELLED_OUT:
            found.append("".join(parts))
    yield from dict.fromkeys(found)
