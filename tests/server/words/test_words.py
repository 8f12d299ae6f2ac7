"""Words: none is missing, in either language, and none says more than its event knows."""

from string import Formatter
from typing import Any

import msgspec
import pytest
from tests.marks import CLAUSES

from punto.games import RULEBOOKS, find
from punto.rules import Act, Circumstance, Found, Label, Language, Position, Remedy
from punto.server.http.irregularities import REPORTS
from punto.server.words import irregularities
from punto.server.words.clauses import clauses
from punto.server.words.positions import POSITIONS
from punto.server.words.steps import ACTS, FACE_DOWN, RULINGS, STEPS, WITH_DIFFERENTIAL, said
from punto.table import AnyEvent
from punto.table.events import Ruling

EVENTS: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
# What is told in other words.
OTHER = {FACE_DOWN: "card-drawn", WITH_DIFFERENTIAL: "limits-changed"}
ALL = [
    (STEPS, {*EVENTS, *OTHER}),
    (ACTS, set(Act)),
    (RULINGS, set(Ruling)),
    (POSITIONS, set(Position)),
    (irregularities.CIRCUMSTANCES, set(Circumstance)),
    (irregularities.REMEDIES, set(Remedy)),
]


@pytest.mark.parametrize(("words", "wanted"), ALL)
def test_nothing_is_without_words(words: dict[Any, Label], wanted: set[Any]) -> None:
    assert set(words) == wanted
    assert all(label.en.strip() and label.zh.strip() and label.en != label.zh for label in words.values())


def test_every_irregularity_has_its_words() -> None:
    assert set(irregularities.FOUND) == set(Found)
    for meaning in irregularities.FOUND.values():
        for label in meaning:
            assert label.en
            assert label.zh


def test_every_input_of_a_report_has_its_words() -> None:
    known = {"id", "table", "by", "at_ms", "found"}
    wanted = {field.name for kind in REPORTS.values() for field in msgspec.structs.fields(kind)} - known
    assert set(irregularities.INPUTS) == wanted


@pytest.mark.parametrize("kind", STEPS)
def test_a_sentence_names_only_what_its_event_has_and_the_same_in_both_languages(kind: str) -> None:
    fields = set(EVENTS[OTHER.get(kind, kind)].__struct_fields__)
    named = [{name for _, name, _, _ in Formatter().parse(text) if name} for text in STEPS[kind]]
    assert named[0] == named[1] <= fields


def test_what_is_hidden_is_a_question_mark_and_a_card_without_a_name_lies_face_down() -> None:
    assert said({"type": "card-drawn", "side": "player", "up": False}, Language.ENGLISH, None) == (
        "A card face down to Player"
    )
    assert said({"type": "cards-rebuilt"}, Language.ENGLISH, None) == "The cards are put in order: ?"
    event = {"type": "wager-placed", "patron": "{x}", "wager": "Tie", "stake_cents": 500}
    assert said(event, Language.CHINESE, None) == "{x}在Tie下注 5.00"


def test_every_clause_of_every_rulebook_has_its_words() -> None:
    assert list(clauses()) == [name for book in RULEBOOKS for name in CLAUSES if name.split()[0] == book]


def test_wagers_with_the_same_limits_are_named_together() -> None:
    low, high = {"min_cents": 500, "max_cents": 500_000}, {"min_cents": 500, "max_cents": 50_000}
    changed = {"type": "limits-changed", "limits": {"Player": low, "Banker": low, "Tie": low}, "differential_cents": 0}
    assert said(changed, Language.ENGLISH, None) == "Limits from the next round on: 5.00–5,000.00"
    changed = {**changed, "limits": {"Player": low, "Banker": low, "Tie": high}}
    assert said(changed, Language.CHINESE, find("baccarat")) == "下一局起的限额：闲, 庄 5.00–5,000.00; 和 5.00–500.00"
    changed = {**changed, "differential_cents": 10_000}
    assert said(changed, Language.ENGLISH, None).endswith("Tie 5.00–500.00, differential 100.00")
