"""The messages as they are published: every one of them in the schema, the docs and the pages' types."""

import re
from pathlib import Path

import msgspec
import pytest

from punto.server.wire import asks, schema, tells
from punto.table.commands import AnyCommand
from tools import wire

ROOT = Path(__file__).resolve().parent.parent.parent


def tags(union: object) -> set[str]:
    return {str(kind.__struct_config__.tag) for kind in union.__args__}  # type: ignore[attr-defined]


def test_every_message_is_in_the_schema() -> None:
    published = schema()["$defs"]
    for union in (asks.AnyAsk, tells.AnyTell):
        for kind in union.__args__:
            part = published[kind.__name__]
            for form in part.get("anyOf", [part]):
                assert form["properties"]["t"]["enum"] == [kind.__struct_config__.tag]
    for state in (tells.TableState, tells.OwnState, tells.StaffState):
        assert published[state.__name__]["properties"].keys() == set(state.__struct_fields__)


def test_every_message_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "live.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([a-z-]+)`", text))
    assert tags(asks.AnyAsk) | tags(tells.AnyTell) <= named


def test_a_page_can_give_every_command_but_those_that_have_a_way_of_their_own() -> None:
    given = {kind.__struct_config__.tag for kind in asks.COMMANDS}
    own_way = {"set-stake", "release-credits", "draw-beacon"}
    assert {kind.__struct_config__.tag for kind in AnyCommand.__args__} - given == own_way


@pytest.mark.parametrize("form", asks.COMMANDS, ids=lambda form: form.__name__)
def test_no_message_says_who_gives_a_command_where_or_when(form: type[msgspec.Struct]) -> None:
    assert not {"by", "at_ms", "table", "id"} & set(form.__struct_fields__)


def test_the_pages_get_their_types_from_the_same_messages(capsys: pytest.CaptureFixture[str]) -> None:
    wire.main()
    made = capsys.readouterr().out
    for name in schema()["$defs"]:
        assert re.search(rf"export (interface|type) {name}\b", made)


def test_a_table_is_told_whole_or_in_part() -> None:
    published = schema()["$defs"]
    forms = {form["properties"]["whole"]["enum"][0]: form for form in published["Told"]["anyOf"]}
    assert {whole: form["properties"]["set"] for whole, form in forms.items()} == {
        True: {"$ref": "#/$defs/TableState"},
        False: {"$ref": "#/$defs/TableChange"},
    }
    assert published["TableState"]["required"] == list(tells.TableState.__struct_fields__)
    for part, whole in (("TableChange", "TableState"), ("OwnChange", "OwnState"), ("StaffChange", "StaffState")):
        assert published[part]["required"] == []
        assert published[part]["properties"] == published[whole]["properties"]


def test_what_is_told_has_all_of_its_fields_and_what_is_asked_may_leave_some_out() -> None:
    published = schema()["$defs"]
    assert set(published["Refused"]["required"]) == {"t", *tells.Refused.__struct_fields__}
    told = msgspec.json.decode(msgspec.json.encode(tells.Refused("", "code", "message")))
    assert told.keys() == published["Refused"]["properties"].keys()
    assert "round" not in published["Stake"]["required"]
    assert "decks" not in published["Setup"]["required"], "a setup is asked as well as told"
