"""Events as staff are shown them: each reads as the form that is published, whatever was hidden of it."""

from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.width import width

from punto.server.faces.lines import shown_event
from punto.server.http.telling import unveiled
from punto.server.wire.shown import SHOWN
from punto.table import Setup
from punto.table import events as on

FORMS = {kind: form for form, kind in SHOWN.items()}


def events(kind: type[on.Event]) -> st.SearchStrategy[Any]:
    """Any events of a kind, with what has a default or without."""
    fields = msgspec.structs.fields(kind)
    texts = {field.name: st.text(max_size=3) for field in fields if field.type is str}
    setups = {field.name: st.just(Setup(game="baccarat")) for field in fields if field.type is Setup}
    return st.builds(kind, **texts, **setups) | st.builds(kind, **dict.fromkeys(texts, st.just("9h")), **setups)


@pytest.mark.parametrize("kind", FORMS, ids=lambda kind: kind.__name__)
@settings(max_examples=width(4, 100))
@given(data=st.data(), lies_open=st.booleans())
def test_what_is_shown_reads_as_the_form(kind: type[on.Event], data: st.DataObject, *, lies_open: bool) -> None:
    event = data.draw(events(kind))
    for shown in (
        shown_event(event, all_up=lies_open),
        unveiled(msgspec.to_builtins(event), over=lies_open),
    ):
        read = msgspec.convert(shown, FORMS[kind])
        assert msgspec.to_builtins(read) == shown


@pytest.mark.parametrize(("kind", "hidden"), [(on.ShoeLoaded, {"sealed"}), (on.ShoeEnded, {"order", "salt"})])
def test_a_form_has_no_place_for_what_is_never_shown(kind: type[on.Event], hidden: set[str]) -> None:
    assert not hidden & set(FORMS[kind].__struct_fields__)
    assert hidden <= set(kind.__struct_fields__)
