"""Commands as they come in from outside: read, or refused in one line."""

import re
from collections.abc import Mapping
from typing import Any, Final, cast

import msgspec

from punto.errors import BadCommand
from punto.table import AnyCommand

_DECODER: Final = msgspec.json.Decoder(AnyCommand)
# How msgspec says that a value is of the wrong type, and what it calls the types.
_TYPES: Final = re.compile(r"Expected `(?P<expected>\w+)`, got `(?P<got>\w+)` - at `\$\.(?P<at>.+)`")
_WORDS: Final[Mapping[str, str]] = {
    "int": "a whole number",
    "float": "a number",
    "str": "text",
    "bool": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "nothing",
}


def read_command(text: bytes | str) -> AnyCommand:
    """The command that a JSON text is."""
    try:
        return cast("AnyCommand", _DECODER.decode(text))
    except msgspec.DecodeError as error:
        raise BadCommand(_said(error)) from None
    except UnicodeError:
        raise BadCommand("no command: it is no text") from None
    except RecursionError:
        raise BadCommand("the command nests too deeply to be one") from None


def as_command(fields: dict[str, Any]) -> AnyCommand:
    """The command that plain values are."""
    try:
        return cast("AnyCommand", msgspec.convert(fields, AnyCommand))
    except msgspec.ValidationError as error:
        raise BadCommand(_said(error)) from None


def _said(error: msgspec.DecodeError) -> str:
    """What is wrong with a command, in plain words where the library's are its own.

    >>> _said(msgspec.ValidationError("Expected `int`, got `str` - at `$.terminals[0]`"))
    'terminals[0]: expected a whole number, not text'
    """
    found = _TYPES.fullmatch(str(error))
    if found is None or not {found["expected"], found["got"]} <= _WORDS.keys():
        return "no command: " + str(error).replace("`", "'")
    return f"{found['at']}: expected {_WORDS[found['expected']]}, not {_WORDS[found['got']]}"
