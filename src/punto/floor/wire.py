"""Commands as they come in from outside: read, or refused in one line."""

from typing import Any, Final, cast

import msgspec

from punto.errors import BadCommand
from punto.table import AnyCommand

_DECODER: Final = msgspec.json.Decoder(AnyCommand)


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
    return "no command: " + str(error).replace("`", "'")
