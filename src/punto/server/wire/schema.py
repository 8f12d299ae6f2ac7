"""The JSON Schema of every message, published and turned into the pages' own types."""

from collections.abc import Sequence
from typing import Any, Final

import msgspec
from msgspec import UNSET, Struct, inspect
from msgspec.structs import fields

from punto.server.wire import asks, tells
from punto.server.wire.shown import AnyShown

Part = dict[str, Any]

# States travel in parts, so no message names them whole.
STATES: Final = (tells.TableState, tells.OwnState, tells.StaffState)
_AT: Final = "#/$defs/"


def schema() -> Part:
    """What a page may send, what it is told, and the states of which it is told parts."""
    _, parts = described([asks.AnyAsk], [tells.AnyTell, *STATES])
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Punto's live messages",
        "$defs": parts,
        "anyOf": [ref("AnyAsk"), ref("AnyTell")],
    }


def described(asked: Sequence[Any], told: Sequence[Any]) -> tuple[list[Part], dict[str, Part]]:
    """The schemas of types, first those that the floor reads, and the definitions that they are made of.

    What the floor tells has all of its fields, also where a default is told; what it reads may leave those out.
    """
    unions = {"AnyAsk": asks.AnyAsk, "AnyTell": tells.AnyTell, "AnyEvent": AnyShown}
    types = [*unions.values(), *asked, *told]
    plain, parts = msgspec.json.schema_components(types, ref_template=_AT + "{name}")
    for kind in _structs(told) - _structs([asks.AnyAsk, *asked]):
        config = kind.__struct_config__
        if not config.omit_defaults and not config.array_like:
            parts[kind.__name__]["required"] = _always_told(kind)
    parts["Told"] = _whole_or_part(parts["Told"])
    named = dict(zip(unions, plain, strict=False))
    parts = {name: _with_names(part, named) for name, part in (parts | named).items()}
    return [_with_names(part, named) for part in plain[len(unions) :]], parts


def ref(name: str) -> Part:
    """A definition, by its name."""
    return {"$ref": _AT + name}


def _structs(types: Sequence[Any]) -> set[type[Struct]]:
    """Every struct that types are made of."""
    found: set[type[Struct]] = set()

    def look(part: object) -> None:
        if isinstance(part, tuple):
            for each in part:
                look(each)
        elif isinstance(part, inspect.StructType):
            if part.cls not in found:
                found.add(part.cls)
                look(part.fields)
        elif isinstance(part, inspect.Type | inspect.Field):
            for name in part.__struct_fields__:
                look(getattr(part, name))

    look(inspect.multi_type_info(types))
    return found


def _always_told(kind: type[Struct]) -> list[str]:
    """The fields that are told, whatever is in them: all but those that may be unset."""
    tag_field = kind.__struct_config__.tag_field
    always = [field.encode_name for field in fields(kind) if field.default is not UNSET]
    return [tag_field, *always] if tag_field else always


def _whole_or_part(told: Part) -> Part:
    """A table is told whole, with all fields of its state, or in part."""

    def form(state: str, *, whole: bool) -> Part:
        properties = told["properties"] | {"set": ref(state), "whole": {"enum": [whole]}}
        return {"type": "object", "properties": properties, "required": told["required"]}

    forms = [form("TableState", whole=True), form("TableChange", whole=False)]
    return {"title": told["title"], "description": told["description"], "anyOf": forms}


def _with_names(part: Any, named: dict[str, Part]) -> Any:  # noqa: ANN401 (any part of a schema)
    """A schema in which unions that have a name are called by it, but for where the name is given."""
    if isinstance(part, dict):
        return {key: _called(value, named) for key, value in part.items()}
    return [_called(value, named) for value in part] if isinstance(part, list) else part


def _called(part: Any, named: dict[str, Part]) -> Any:  # noqa: ANN401
    name = next((name for name, each in named.items() if each == part), "")
    return ref(name) if name else _with_names(part, named)
