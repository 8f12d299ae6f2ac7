"""Scenarios: what does not read is refused, and what comes otherwise is said."""

import json

import pytest

from punto.errors import BadCommand, BadScenario
from punto.floor import Keys, Runner, read_command, read_scenario
from punto.floor.scenario import START_MS, Step
from punto.floor.wire import as_command
from punto.store import MemoryStore
from punto.table import Phase

OPEN = {"by": "pit-manager", "do": "open-table", "setup": {"game": "tiger"}}


def played(*lines: object, book: str = "") -> list[Step]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return list(Runner(MemoryStore(), read_scenario(text), book).run())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "without a line"),
        ("# only a comment\n\n", "without a line"),
        ("{", "line 1: not JSON"),
        ("[" * 100_000, "line 1: not JSON"),
        ("[1]", "line 1: expected a JSON object"),
        ('{"do": "x"}\n{"scenario": "late"}', "line 2: a heading comes first"),
        ('{"scenario": "x", "who": 1}\n{"do": "x"}', "line 1: a heading has"),
        ('{"scenario": "x", "clauses": "3.1"}\n{"do": "x"}', "line 1: a heading has"),
        ('{"scenario": "x", "under": [["B8"]]}\n{"do": "x"}', r"line 1: \['B8'\] is no rulebook"),
        ('{"scenario": "x", "under": ["B8"], "game": "tiger"}\n{"do": "x"}', "line 1: tiger is not played under B8"),
        ('{"scenario": "x", "under": ["B9"]}\n{"do": "x"}', "line 1: 'B9' is no rulebook"),
    ],
)
def test_a_scenario_that_does_not_read_is_refused_with_its_line(text: str, said: str) -> None:
    with pytest.raises(BadScenario, match=said):
        read_scenario(text)


@pytest.mark.parametrize(
    "line",
    [
        {"by": "dealer"},
        {"by": "dealer", "do": "fly"},
        {"by": "king", "do": "open-bets"},
        {"by": 5, "do": "open-bets"},
        {"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "stake_cents": 1.5, "position": 1},
        {"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "stake_cents": "5", "position": 1},
        {"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "position": 1},
        {"by": "dealer", "do": "open-bets", "at_ms": "soon"},
    ],
)
def test_a_command_that_is_none_is_refused_and_nothing_happens(line: dict[str, object]) -> None:
    opened, refused = played(OPEN, line)
    assert not opened.refusal
    assert isinstance(refused.refusal, BadCommand)


@pytest.mark.parametrize("text", ["", "{", "[]", '{"do":"fly"}', '{"do":"open-bets","id":1}', "[" * 100_000, "\xff"])
def test_what_is_no_command_is_refused_in_one_line(text: str) -> None:
    with pytest.raises(BadCommand) as refused:
        read_command(text)
    assert "\n" not in refused.value.message


def test_what_comes_otherwise_than_written_is_said() -> None:
    load = {"by": "dealer", "do": "load-shoe"}
    steps = played(
        OPEN | {"expect": ["table-opened", "shoe-loaded"]},
        load | {"refused": "out-of-turn"},
        load | {"expect": []},
        {"by": "dealer", "do": "open-bets", "expect": [{"type": "bets-opened", "round": 2, "announced": "Go"}]},
        {"by": "dealer", "do": "close-bets", "phase": "settled", "credits": {"ann": 5}},
        {"by": "dealer", "do": "close-bets"},
        {"by": "dealer", "do": "close-bets", "expect": [{"type": "bets-closed", "missing": 1}]},
    )
    assert steps[0].wrong == ("expected table-opened, shoe-loaded; came table-opened",)
    assert steps[1].wrong == ("expected to be refused with out-of-turn, was accepted",)
    assert steps[2].wrong[0].startswith("expected events, was refused with out-of-turn")
    assert steps[3].wrong == (
        "bets-opened.round: expected 2; came 1",
        "bets-opened.announced: expected 'Go'; came 'Place your bets, please'",
    )
    assert steps[4].wrong == (
        "expected phase settled; it is bets-closed",
        "expected ann to have 5 cents; there are 0",
    )
    assert (steps[5].wrong, steps[5].checked) == ((), False)
    assert steps[5].refusal


def test_a_virtual_shoe_begins_as_it_is_told_and_a_restart_interrupts() -> None:
    steps = played(
        {"scenario": "A shoe", "clauses": ["3.6"], "under": ["EB4"], "game": "tiger"},
        {"by": "pit-manager", "do": "open-table", "setup": {"source": "virtual"}},
        {"by": "dealer", "do": "load-shoe", "order": "Ks 2h"},
        {"by": "system", "do": "open-bets", "expect": [{"type": "bets-opened", "clause": "$book 3.1"}]},
        {"by": "system", "do": "close-bets"},
        {"by": "system", "draw": "? ?"},
        {"do": "restart"},
        book="EB4",
    )
    assert [getattr(event, "card", "") for event in steps[4].events] == ["Ks", "2h"]
    assert [type(event).__name__ for event in steps[5].events] == ["IrregularityFound", "RoundVoided"]
    assert not [step.wrong for step in steps if step.wrong]


@pytest.mark.parametrize(
    "setup", [{"dcks": 4}, {"timings": {"bets": 3}}, {"limits": {"Tie": {"min_cents": 1, "max_cents": 2, "unit": 1}}}]
)
def test_what_nobody_understands_is_not_passed_over(setup: dict[str, object]) -> None:
    [step] = played(OPEN | {"setup": setup})
    assert step.refusal
    assert (step.refusal.code, "unknown field" in step.refusal.message) == ("bad-command", True)


@pytest.mark.parametrize("seconds", ["x", -1, None, True, 1e300, [1]])
def test_a_time_that_is_none_is_said(seconds: object) -> None:
    with pytest.raises(BadScenario, match="line 1: after_s: expected seconds"):
        played(OPEN | {"after_s": seconds})


@pytest.mark.parametrize("line", [{"by": 5, "do": "load-shoe"}, OPEN | {"expects": []}, {"do": "dance"}])
def test_what_is_no_command_comes_otherwise_unless_that_is_expected(line: dict[str, object]) -> None:
    [step] = played(line)
    assert step.wrong == ("expected a command",)
    [step] = played(line | {"refused": "bad-command"})
    assert step.wrong == ()


def test_other_tables_on_the_same_store_are_left_alone() -> None:
    store = MemoryStore()
    keys = Keys.from_secret(b"both")
    live = Runner(store, read_scenario(json.dumps(OPEN | {"table": "LIVE"})), keys=keys)
    [step] = live.run()
    assert step.events
    for number, kind in enumerate(("load-shoe", "open-bets"), 1):
        by = {"position": "dealer", "name": "dan"}
        live.floor.handle(as_command({"do": kind, "id": f"x{number}", "table": "LIVE", "by": by, "at_ms": START_MS}))
    lines = [OPEN | {"table": "T1"}, {"do": "restart"}, {"by": "dealer", "do": "load-shoe"}]
    list(Runner(store, read_scenario("\n".join(map(json.dumps, lines))), keys=keys).run())
    assert live.floor.table("LIVE").phase is Phase.BETS_OPEN
    by = {"position": "dealer", "name": "dan"}
    live.floor.handle(as_command({"do": "close-bets", "id": "x3", "table": "LIVE", "by": by, "at_ms": START_MS}))
