"""Write the live messages as TypeScript, from their JSON Schema: `python tools/wire.py > web/src/wire.ts`."""

import json
from typing import Any

from punto.server.wire import schema

HEAD = "// Made by tools/wire.py from the floor's own message types: change those, not this file."


def typed(part: dict[str, Any]) -> str:
    """One schema as a type."""
    if "$ref" in part:
        return str(part["$ref"]).rpartition("/")[2]
    if "enum" in part:
        return " | ".join(json.dumps(value) for value in part["enum"])
    if "anyOf" in part:
        return " | ".join(map(typed, part["anyOf"]))
    match part.get("type"):
        case "array" if "prefixItems" in part:
            return "[" + ", ".join(map(typed, part["prefixItems"])) + "]"
        case "array":
            items = typed(part.get("items") or {})
            return f"({items})[]" if " | " in items else f"{items}[]"
        case "object" if isinstance(part.get("additionalProperties"), dict):
            return f"Record<string, {typed(part['additionalProperties'])}>"
        case "object" if "properties" in part:
            return "{ " + " ".join(_fields(part)) + " }"
        case "integer" | "number":
            return "number"
        case "string" | "boolean" | "null" as plain:
            return str(plain)
        case _:
            return "any"


def _fields(part: dict[str, Any]) -> list[str]:
    required = set(part.get("required", ()))
    return [
        f"{name}{'' if name in required else '?'}: {typed(value)};"
        for name, value in part.get("properties", {}).items()
    ]


def declaration(name: str, part: dict[str, Any]) -> str:
    """A named type."""
    said = f"/** {part['description']} */\n" if "description" in part else ""
    if part.get("type") == "object" and "properties" in part:
        body = "".join(f"\n  {field}" for field in _fields(part))
        return f"{said}export interface {name} {{{body}\n}}"
    return f"{said}export type {name} = {typed(part)};"


def main() -> None:
    """Print all of them."""
    print(HEAD, *(declaration(*item) for item in schema()["$defs"].items()), sep="\n\n")


if __name__ == "__main__":
    main()
