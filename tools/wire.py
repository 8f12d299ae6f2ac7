"""Write what pages ask and are told as TypeScript, from its JSON Schema: `python tools/wire.py > web/src/wire.ts`.

These are the live messages, and what is asked and answered by HTTP, route by route.
"""

import json
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from litestar import Litestar, Response
from litestar.handlers import HTTPRouteHandler
from litestar.openapi.spec import Operation
from litestar.params import PathParameter, QueryParameter
from litestar.routes import HTTPRoute

from punto.server.http.books import AlsoCsv
from punto.server.http.problems import Problem
from punto.server.http.routes import ROUTES
from punto.server.wire import tells
from punto.server.wire.schema import STATES, described

HEAD: Final = "// Made by tools/wire.py from the floor's own types: change those, not this file."
_ROUTES: Final = "What is asked by HTTP: what goes into the address, the query and the body, and what is answered."
# What a schema says besides the type: words, and bounds that no type of TypeScript has.
_WORDS: Final = frozenset({"title", "description"})
_BESIDES: Final = _WORDS | {
    "default",
    "discriminator",
    "format",
    "pattern",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "minimum",
    "maximum",
    "exclusiveMinimum",
    "exclusiveMaximum",
}
_PLAIN: Final = {
    "integer": "number",
    "number": "number",
    "string": "string",
    "boolean": "boolean",
    "null": "null",
}

Part = dict[str, Any]


class Inexpressible(Exception):
    """A schema that cannot be written as a type."""


def typed(part: Part) -> str:
    """One schema as a type; only a schema that allows everything becomes `unknown`."""
    said = part.keys() - _BESIDES
    if not part.keys() - _WORDS:
        return "unknown"
    if said == {"$ref"}:
        return str(part["$ref"]).rpartition("/")[2]
    if said == {"enum"}:
        return " | ".join(json.dumps(value) for value in part["enum"])
    if said == {"anyOf"}:
        return " | ".join(map(typed, part["anyOf"]))
    found = {"array": _list, "object": _object}.get(str(part.get("type")), _plain)(part, said - {"type"})
    if found is None:
        raise Inexpressible(f"no type of TypeScript says {json.dumps(part)}")
    return found


def _plain(part: Part, said: set[str]) -> str | None:
    kind = part.get("type")
    return _PLAIN.get(kind) if isinstance(kind, str) and not said else None


def _list(part: Part, said: set[str]) -> str | None:
    if said == {"prefixItems"} or (said == {"prefixItems", "items"} and part["items"] is False):
        return "[" + ", ".join(map(typed, part["prefixItems"])) + "]"
    if said - {"items"}:
        return None
    items = typed(part.get("items", {}))
    return f"({items})[]" if " | " in items else f"{items}[]"


def _object(part: Part, said: set[str]) -> str | None:
    others = part.get("additionalProperties", {})
    if "properties" in said and said <= {"properties", "required", "additionalProperties"} and not others:
        return "{ " + " ".join(_fields(part)) + " }"
    if said - {"additionalProperties"} or others is False:
        return None
    return f"Record<string, {typed({} if others is True else others)}>"


def _fields(part: Part) -> list[str]:
    required = set(part.get("required", ()))
    return [f"{name}{'' if name in required else '?'}: {typed(value)};" for name, value in part["properties"].items()]


def declaration(name: str, part: Part) -> str:
    """A named type."""
    if not name.isidentifier():
        raise Inexpressible(f"two types are called {name.rpartition('.')[2]}: one of them is {name}")
    said = f"/** {part['description']} */\n" if "description" in part else ""
    whole = typed(part)
    if part.get("type") == "object" and "properties" in part:
        body = "".join(f"\n  {field}" for field in _fields(part))
        return f"{said}export interface {name} {{{body}\n}}"
    return f"{said}export type {name} = {whole};"


class Route(NamedTuple):
    """What is asked at an address, and what is answered; without a body there is none, without an answer it is null."""

    name: str
    said: str
    at: dict[str, Any]
    query: dict[str, Any]
    body: list[Any]
    answer: Any

    @property
    def asked(self) -> list[Any]:
        """The types of what is asked."""
        return [*self.at.values(), *self.query.values(), *self.body]

    def declared(self, asked: Iterator[str], answer: str) -> str:
        """The route as a field, with its types as they are called."""
        at = [f"{name}: {next(asked)}" for name in self.at]
        query = [f"{name}?: {next(asked)}" for name in self.query]
        parts = [
            *([f"at: {{ {'; '.join(at)} }};"] if at else ()),
            *([f"query?: {{ {'; '.join(query)} }};"] if query else ()),
            *(f"body: {next(asked)};" for _ in self.body),
            f"answer: {answer};",
        ]
        return f'\n  /** {self.said} */\n  "{self.name}": {{ {" ".join(parts)} }};'


def routes() -> Iterator[Route]:
    """Everything that is asked by HTTP in JSON, or without a body, and answered in JSON or with a text."""
    for route in Litestar(ROUTES, openapi_config=None).routes:
        if isinstance(route, HTTPRoute):
            for handler in route.route_handlers:
                # An operation of a kind of its own takes something else than JSON; the books only give it besides.
                if handler.include_in_schema and handler.operation_class in (Operation, AlsoCsv):
                    for method in sorted(handler.http_methods):
                        yield _route(f"{method} {route.path_format}", handler)


def _route(name: str, handler: HTTPRouteHandler) -> Route:
    fields = handler.parsed_fn_signature.parameters.items()
    query = {
        definition.name or key: field
        for key, field in fields
        if isinstance(definition := field.kwarg_definition, QueryParameter)
    }
    if handler.operation_class is AlsoCsv:
        del query["format"]
    assert all(field.has_default for field in query.values()), f"{name} cannot be asked without a query"
    return Route(
        name,
        " ".join((getattr(handler.fn, "func", handler.fn).__doc__ or "").split()),
        {key: field.annotation for key, field in fields if isinstance(field.kwarg_definition, PathParameter)},
        {key: field.annotation for key, field in query.items()},
        [handler.parsed_data_field.annotation] if handler.parsed_data_field else [],
        _answer(handler),
    )


def _answer(handler: HTTPRouteHandler) -> Any:  # noqa: ANN401 (any type)
    if str(handler.media_type).startswith("text/"):
        return str
    told = handler.parsed_return_field
    return told.inner_types[0].annotation if told.is_subclass_of(Response) else told.annotation


def written() -> str:
    """All of it."""
    found = sorted(routes(), key=lambda route: route.name.split()[::-1])  # the server keeps them in no order
    asked = [kind for route in found for kind in route.asked]
    schemas, parts = described(asked, [tells.AnyTell, Problem, *STATES, *(route.answer for route in found)])
    types = [typed(part) for part in schemas]
    of_asked = iter(types[: len(asked)])
    declared = [route.declared(of_asked, answer) for route, answer in zip(found, types[-len(found) :], strict=True)]
    every_route = f"/** {_ROUTES} */\nexport interface Routes {{{''.join(declared)}\n}}"
    return "\n\n".join([HEAD, *(declaration(*item) for item in parts.items()), every_route])


def main() -> None:
    """Print it."""
    print(written())


if __name__ == "__main__":
    main()
