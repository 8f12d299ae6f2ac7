"""The fifth edition of the register: nobody decides a matter that the same person has reported or referred."""

import pytest
from tests.marks import interpretation
from tests.record.play import T1, play
from tests.record.test_second_edition import edited, found_in

from punto.record import Code

REFERRED = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "tiger", "decks": 4, "source": "virtual"}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "refer", "matter": "a chip fell"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "continue", "reason": "it lies where it lay"}
"""
BY_WHOM_IT_WAS_RULED = """
{"by": "gaming-shift-manager gus", "do": "refer", "matter": "another chip fell"}
{"by": "GAMING-SHIFT-MANAGER", "do": "rule", "ruling": "continue", "reason": "so be it", "refused": "not-allowed"}
"""


@interpretation(49)
@pytest.mark.parametrize("name", ["gus", "GUS", "\uff27us"])
def test_whoever_refers_a_matter_does_not_rule_it_however_the_name_is_spelled(name: str) -> None:
    ruling = BY_WHOM_IT_WAS_RULED.replace("GAMING-SHIFT-MANAGER", f"gaming-shift-manager {name}")
    assert found_in(play(REFERRED + ruling)) == []


@interpretation(49)
def test_a_ruling_by_whoever_had_referred_it_is_found() -> None:
    assert found_in(play(REFERRED)) == []
    store = play(REFERRED)
    gus = {"name": "gus", "position": "gaming-shift-manager"}
    store.edit(T1, store.version_of(T1, "referred"), lambda body: (body.update(by=gus), body["event"].update(by="gus")))
    assert [each.code for each in found_in(store)] == [Code.ONE_PERSON_TWICE]


@interpretation(49)
@pytest.mark.parametrize("name", ["", "eve"])
def test_a_matter_that_names_another_than_who_referred_it_is_found(name: str) -> None:
    assert [each.code for each in edited(REFERRED, "referred", 0, by=name)] == [Code.BAD_RULING]
