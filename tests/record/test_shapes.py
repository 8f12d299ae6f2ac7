"""The audit reads entries by shapes of its own; where the floor comes to write something else, it must be told."""

import ast
from pathlib import Path
from typing import Any, get_args

import msgspec
import pytest
from tests.marks import ROOT

from punto.floor.comparing import Decision
from punto.ledger.book import Booked
from punto.record.checks import matters, written
from punto.table import Actor, Limit, Payment, Return, Setup, Timings
from punto.table.events import AnyEvent
from punto.table.log import Logged

AUDIT = [ROOT / "src/punto/record/audit.py", *sorted((ROOT / "src/punto/record/checks").glob("*.py"))]
Shape = type[msgspec.Struct]


def fields(shape: Shape) -> set[tuple[str, bool]]:
    """The fields of a shape, and which of them may be left out."""
    return {(field.name, field.required) for field in msgspec.structs.fields(shape)}


def by_tag(union: Any) -> dict[str, Shape]:  # noqa: ANN401
    return {shape.__struct_config__.tag: shape for shape in get_args(union)}


def test_every_event_is_known_and_of_the_same_shape() -> None:
    theirs, ours = by_tag(AnyEvent), by_tag(matters.AnyEvent)
    assert theirs.keys() == ours.keys()
    for tag, shape in theirs.items():
        assert fields(ours[tag]) == fields(shape), tag


@pytest.mark.parametrize(
    ("theirs", "ours"),
    [
        (Actor, written.Actor),
        (Limit, written.Limit),
        (Timings, written.Timings),
        (Setup, written.Setup),
        (Payment, written.Payment),
        (Return, written.Return),
        (Booked, written.Booked),
        (Logged, matters.Logged),
        (Decision, written.Decision),
    ],
)
def test_what_events_are_made_of_has_the_same_shape(theirs: Shape, ours: Shape) -> None:
    assert fields(theirs) == fields(ours)


@pytest.mark.parametrize("path", AUDIT, ids=lambda path: path.stem)
def test_the_audit_shares_no_code_with_what_it_judges(path: Path) -> None:
    modules = set()
    for node in ast.walk(ast.parse(path.read_text())):
        if isinstance(node, ast.ImportFrom) and node.module:
            modules |= {node.module, *[f"{node.module}.{alias.name}" for alias in node.names]}
        elif isinstance(node, ast.Import):
            modules |= {alias.name for alias in node.names}
    judged = ("punto.table", "punto.ledger", "punto.floor", "punto.server", "punto.cli")
    assert not [module for module in modules if module.startswith(judged)]
