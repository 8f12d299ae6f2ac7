"""Words: none is missing, in either language, and none says more than its event knows."""

from string import Formatter
from typing import Any

import msgspec
import pytest
from tests.marks import CLAUSES

from punto.games import RULEBOOKS, find
from punto.rules import Act, Circumstance, Found, Label, Language, Position, Remedy, Result
from punto.rules.money import Cents
from punto.rules.positions import POSITIONS
from punto.server.words import irregularities
from punto.server.words.clauses import clauses
from punto.server.words.steps import ACTS, FACE_DOWN, PARTS, RULINGS, SHOES, STEPS, WITH_DIFFERENTIAL, said
from punto.table import AnyEvent
from punto.table.events import Return, Ruled, Ruling, ShoeRuling, StatedResult
from punto.table.reports import REPORTED_WITH

EVENTS: dict[str, Any] = {str(kind.__struct_config__.tag): kind for kind in AnyEvent.__args__}
# What is told in other words.
OTHER = {FACE_DOWN: "card-drawn", WITH_DIFFERENTIAL: "limits-changed"}
ALL = [
    (STEPS, {*EVENTS, *OTHER}),
    (ACTS, set(Act)),
    (RULINGS, set(Ruling)),
    (PARTS, set(Ruled.__struct_fields__) - {"ruling", "reason", "matter", "round", "shoe"}),
    (SHOES, set(ShoeRuling)),
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
    known = {"id", "table", "by", "at_ms", "found", "confirmed_by"}
    wanted = {field.name for kind in REPORTED_WITH.values() for field in msgspec.structs.fields(kind)} - known
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


def test_the_second_person_of_an_act_of_two_is_named() -> None:
    event = {"type": "table-opened", "confirmed_by": {"name": "pia", "position": "pit-manager"}}
    assert said(event, Language.ENGLISH, None) == "The table is opened (confirmed by pia)"
    assert said(event, Language.CHINESE, None) == "开台（由pia确认）"
    assert said({"type": "table-opened", "confirmed_by": None}, Language.ENGLISH, None) == "The table is opened"


def test_a_decision_is_told_with_all_its_parts_before_its_reason() -> None:
    ruled = Ruled(
        Ruling.CONTINUE,
        "by the cameras",
        returns=(Return(1, "ann", Cents(500)), Return(3, "bob", Cents(500))),
        burnt="7d 8d",
        burnt_next=2,
        played="9c",
        results=(StatedResult(2, Result.LOSE),),
        shoe=ShoeRuling.KEEP,
        counted=412,
    )
    assert said(msgspec.to_builtins(ruled), Language.ENGLISH, None) == (
        "Decided: the round goes on. Wagers that go back: 1, 3. Wagers settled as decided: 2. Burnt: 7d 8d. "
        "Burnt unseen: 2. Played though seen: 9c. Counted in the device: 412. The cards are kept. by the cameras"
    )
    plain = msgspec.to_builtins(Ruled(Ruling.VOID, "录像可证", shoe=ShoeRuling.REPLACE))
    assert said(plain, Language.CHINESE, None) == "裁决：本局作废。更换牌。录像可证"


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
