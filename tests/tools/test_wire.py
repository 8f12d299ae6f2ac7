"""The pages' types: made from the floor's own, and from nothing else."""

import re
from pathlib import Path
from typing import Any

import pytest
from tools.wire import Inexpressible, declaration, routes, typed

from punto.server.http.routes import ROUTES
from punto.server.wire import schema
from tools import wire

WEB = Path(__file__).resolve().parent.parent.parent / "web" / "src"
# Where the floor itself says that anything may be: the schema of the live messages is a schema, whatever is in it.
ANYTHING = ['  "GET /api/wire": { answer: Record<string, unknown>; };']

# What is read off the text of a shoe has some of the same fields, and comes from no answer.
OF_A_TEXT = "pages/verify/shoetext.ts"


@pytest.fixture(scope="module")
def made() -> str:
    return wire.written()


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"type": "integer", "minimum": 0}, "number"),
        ({"type": "string", "pattern": "^a", "description": "A name."}, "string"),
        ({"enum": ["a", None, 1]}, '"a" | null | 1'),
        ({"$ref": "#/$defs/Side"}, "Side"),
        ({"anyOf": [{"$ref": "#/$defs/Side"}, {"type": "null"}], "default": None}, "Side | null"),
        ({"type": "array", "items": {"enum": [1, 2]}}, "(1 | 2)[]"),
        ({"type": "array"}, "unknown[]"),
        ({"type": "array", "prefixItems": [{"type": "integer"}, {"type": "null"}], "items": False}, "[number, null]"),
        ({"type": "array", "prefixItems": [{"type": "string"}]}, "[string]"),
        ({"type": "object", "additionalProperties": {"type": "boolean"}}, "Record<string, boolean>"),
        ({"type": "object"}, "Record<string, unknown>"),
        (
            {"type": "object", "properties": {"a": {"type": "null"}, "b": {}}, "required": ["a"]},
            "{ a: null; b?: unknown; }",
        ),
        ({}, "unknown"),
    ],
)
def test_a_schema_becomes_a_type(part: dict[str, Any], said: str) -> None:
    assert typed(part) == said


@pytest.mark.parametrize(
    "part",
    [
        {"allOf": [{"type": "string"}]},
        {"not": {"type": "string"}},
        {"type": "string", "contentEncoding": "base64"},
        {"type": ["string", "null"]},
        {"type": "decimal"},
        {"minimum": 1},
        {"type": "array", "prefixItems": [{"type": "null"}], "items": {"type": "string"}},
        {"type": "object", "patternProperties": {"^a": {"type": "string"}}},
        {"type": "object", "properties": {"a": {"type": "null"}}, "additionalProperties": {"type": "null"}},
        {"type": "array", "items": {"type": "object", "properties": {"a": {"type": "date"}}}},
        {"anyOf": [{"type": "null"}, {"oneOf": []}]},
    ],
    ids=str,
)
def test_what_no_type_can_say_is_refused(part: dict[str, Any]) -> None:
    with pytest.raises(Inexpressible):
        typed(part)


def test_two_types_cannot_have_one_name() -> None:
    with pytest.raises(Inexpressible, match="two types are called Code"):
        declaration("punto.server.http.doors.Code", {"type": "string"})


def test_nothing_is_any_and_unknown_only_where_the_floor_says_so(made: str) -> None:
    code = [line for line in made.splitlines() if not line.lstrip().startswith(("/**", "//", "*"))]
    assert not [line for line in code if re.search(r"[:<(|] *any\b", line)]
    assert [line for line in code if re.search(r"(?<!\")\bunknown\b(?!-)", line)] == ANYTHING


def test_every_route_that_is_published_is_there(made: str) -> None:
    names = {route.name for route in routes()}
    assert {"GET /api/me", "PUT /api/staff/{name}/position", "DELETE /api/terminals/{name}"} <= names
    for name in names:
        assert f'\n  "{name}": {{' in made
    assert (
        '"GET /api/tables/{key}/rounds": { at: { key: string }; '
        "query?: { last?: number; before?: number | null }; answer: ToldRound[]; };"
    ) in made
    assert '"POST /api/sign-in": { body: SignIn; answer: Me; };' in made


def test_events_are_told_apart_by_their_type(made: str) -> None:
    assert re.search(r"export type AnyEvent = TableOpened \| .* \| CreditsReleased;", made)
    assert re.search(r"export interface Line \{[^}]*event: AnyEvent;", made)
    drawn = made.partition("export interface CardDrawn {")[2].partition("}")[0]
    assert 'type: "card-drawn";' in drawn
    assert "card?: string;" in drawn, "a card that lies face down is not told"


def test_the_same_is_written_whatever_order_the_server_keeps(made: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tools.wire.ROUTES", ROUTES[::-1])
    assert wire.written() == made


def test_no_page_writes_down_the_type_of_an_answer_by_hand(made: str) -> None:
    """No page declares a type with an answer's fields, or says what is answered."""
    live = schema()["$defs"]
    answers = {
        name: set(re.findall(r"^  (\w+)\??:", body, re.MULTILINE))
        for name, body in re.findall(r"^export interface (\w+) \{\n(.*?)^\}", made, re.MULTILINE | re.DOTALL)
        if name not in live and name != "Routes"
    }
    assert answers["ShoeInfo"] >= {"number", "out", "opened"}
    # What is drawn in lib/ knows nothing of the floor.
    for path in sorted(path for room in ("live", "pages") for path in (WEB / room).rglob("*") if path.is_file()):
        where = path.relative_to(WEB).as_posix()
        if where == OF_A_TEXT or path.name.endswith(".test.ts"):
            continue
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"\bapi\s*\.\s*(?:get|post|put|delete)\s*<", text), f"{where} says what is answered"
        assert "fetch(" not in text or where == "live/api.ts", f"{where} asks past live/api.ts"
        for name, body in re.findall(r"\b(?:interface|type) (\w+) (?:= )?\{([^{}]*)\}", text):
            fields = set(re.findall(r"^ *(\w+)\??:", body, re.MULTILINE))
            like = [answer for answer, of_answer in answers.items() if len(fields) > 1 and fields <= of_answer]
            assert not like, f"{where} declares {name}, which is like {like}"
