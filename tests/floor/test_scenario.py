"""Scenarios: what does not read is refused, and what comes otherwise is said."""

import json

import pytest

from punto.errors import BadCommand, BadScenario, ForeignCard
from punto.floor import Keys, Runner, read_command, read_scenario
from punto.floor.scenario import START_MS, Step
from punto.floor.wire import as_command
from punto.store import MemoryStore
from punto.table import Phase

OPEN = {"by": "pit-manager", "do": "open-table", "setup": {"game": "tiger"}}
LOAD = {"by": "dealer", "do": "load-shoe"}


def played(*lines: object, book: str = "") -> list[Step]:
    text = "\n".join(line if isinstance(line, str) else json.dumps(line) for line in lines)
    return list(Runner(MemoryStore(), read_scenario(text), book).run())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "without a line"),
        ("# only a comment\n\n", "without a line"),
        ("{", "line 1: not JSON: Expecting property name enclosed in double quotes at character 2"),
        ('{"do', "line 1: not JSON: Unterminated string starting at character 2$"),
        ('{"do": "\x01"}', "line 1: not JSON: Invalid control character at character 9$"),
        ("[" * 100_000, "line 1: not JSON: it nests too deeply"),
        ('{"do": ' + "[" * 30 + "]" * 30 + "}", "line 1: it nests too deeply: expected 20 levels at most"),
        ('{"do": ' + "1" * 5000 + "}", "line 1: not JSON: a number has too many digits"),
        ('{"after_s": NaN}', "line 1: not JSON: NaN is no number"),
        ('{"do": "x", "do": "y"}', "line 1: not JSON: the key 'do' comes twice"),
        ('{"do": "\\ud83d"}', "line 1: half a sign"),
        ("[1]", "line 1: expected a JSON object"),
        ('{"do": "x"}\n{"scenario": "late"}', "line 2: a heading comes first, and only once"),
        ('{"scenario": "x"}\n{"scenario": "y"}', "line 2: a heading comes first, and only once"),
        ('{"scenario": "x", "who": 1}\n{"do": "x"}', "line 1: a heading has .*: 'who' is none of them"),
        ('{"scenario": 5}\n{"do": "x"}', "line 1: scenario: 5: expected text"),
        (
            '{"scenario": "x", "clauses": "3.1"}\n{"do": "x"}',
            "line 1: clauses: '3.1': expected a list of numbers as text",
        ),
        (
            '{"scenario": "x", "clauses": [3.1]}\n{"do": "x"}',
            r"line 1: clauses: \[3.1\]: expected a list of numbers as text",
        ),
        ('{"scenario": "x", "readings": [true]}\n{"do": "x"}', r"line 1: readings: \[true\]: expected a list of whole"),
        (
            '{"scenario": "x", "under": [["B8"]]}\n{"do": "x"}',
            r'line 1: under: \[\["B8"\]\]: expected a list of rulebooks',
        ),
        ('{"scenario": "x", "under": ["B8"], "game": "tiger"}\n{"do": "x"}', "line 1: tiger is not played under B8"),
        ('{"scenario": "x", "under": ["B8"], "game": "tigger"}\n{"do": "x"}', "line 1: game: 'tigger' is not a game"),
        ('{"scenario": "x", "under": ["B9"]}\n{"do": "x"}', "line 1: 'B9' is no rulebook: expected EB4, "),
        ('{"do": "x", "expect": "bets-opened"}', "line 1: expect: 'bets-opened': expected a list of events"),
        ('{"do": "x", "expect": [{"typ": "bets-opened"}]}', "line 1: expect: .*: expected a list of events"),
        ('{"do": "x", "refused": true}', "line 1: refused: true: expected the code of a refusal"),
        ('{"do": "x", "phase": "setled"}', "line 1: phase: 'setled': expected one of closed, change-of-shoe, "),
        ('{"do": "x", "credits": {"ann": "5"}}', "line 1: credits: .*: expected whole cents by patron"),
        ('{"do": "x", "credits": {"ann": true}}', "line 1: credits: .*: expected whole cents by patron"),
        ('{"draw": ["Ks"]}', "line 1: draw: .*: expected cards"),
        ('{"draw": " "}', "line 1: draw: ' ': expected cards"),
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
    steps = played(
        OPEN | {"expect": ["table-opened", "shoe-loaded"]},
        LOAD | {"refused": "out-of-turn"},
        LOAD | {"expect": []},
        {"by": "dealer", "do": "open-bets", "expect": [{"type": "bets-opened", "round": 2, "announced": "Go"}]},
        {"by": "dealer", "do": "close-bets", "phase": "settled", "credits": {"ann": 5, "bon": 0}},
        {"by": "dealer", "do": "close-bets"},
        {"by": "dealer", "do": "close-bets", "refused": "bets-are-closed"},
        {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 500, "position": 1, "credits": {"ann": 500}},
    )
    assert steps[0].wrong == ("expected table-opened, shoe-loaded; came table-opened",)
    assert steps[1].wrong == ("expected to be refused with out-of-turn, was accepted",)
    assert steps[2].wrong == (
        "expected to be accepted, was refused with out-of-turn: a shoe is loaded when the last one is out",
    )
    assert steps[3].wrong == (
        "bets-opened.round: expected 2; came 1",
        "bets-opened.announced: expected 'Go'; came 'Place your bets, please'",
    )
    assert steps[4].wrong == (
        "expected phase settled; it is bets-closed",
        "expected ann to have 5 cents; there are 0",
        "credits: no patron is called 'bon' here: expected ann",
    )
    refused = "refused with out-of-turn: bets cannot close in phase bets-closed"
    assert steps[5].wrong == (f"expected to be accepted, was {refused}",)
    assert not steps[5].checked
    assert steps[6].wrong == (f"expected to be refused with bets-are-closed, was {refused}",)
    assert steps[7].wrong == ()


def test_an_event_has_the_fields_that_are_expected_of_it_and_no_others() -> None:
    wrong = [
        step.wrong
        for field in ({"annonced": ""}, {"clause": ""}, {"round": 1, "version": None}, {"version": 0})
        for step in played(
            OPEN, LOAD, {"by": "dealer", "do": "open-bets", "expect": [{"type": "bets-opened", **field}]}
        )
        if step.wrong
    ]
    known = "round, shoe, announced, clause, until_ms, rulebook, version, digest, readings"
    assert wrong == [
        (f"bets-opened has no field 'annonced': expected one of {known}",),
        ("bets-opened.clause: expected ''; came 'EB4 3.1'",),
        ("bets-opened.version: expected None; came 4",),
        ("bets-opened.version: expected 0; came 4",),
    ]


def test_what_is_left_out_of_an_event_may_be_expected_as_nothing() -> None:
    fields = {"patron": "ann", "wager": "Tie", "stake_cents": 10_000, "position": 1}
    step = played(
        OPEN,
        LOAD,
        {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 10_000, "position": 1},
        {"by": "dealer", "do": "open-bets"},
        {"by": "patron ann", "do": "place-wager", **fields, "expect": [{"type": "wager-placed", "for_patron": None}]},
    )[-1]
    assert (step.refusal, step.wrong) == (None, ())


# Several cards in one line

DEALT = (OPEN, LOAD, {"by": "dealer", "do": "open-bets"}, {"by": "dealer", "do": "close-bets"})


def test_a_card_that_is_refused_is_named_by_its_place_after_what_was_drawn_before_it() -> None:
    step = played(*DEALT, {"by": "dealer", "draw": "Ks 2h 4g 5d"})[-1]
    assert [type(event).__name__ for event in step.events] == ["CardDrawn", "CardDrawn"]
    assert isinstance(step.refusal, ForeignCard)
    assert step.refusal.at == 3
    assert step.refusal.message.startswith("card 3 of 4, 4g: '4g' is not in the standard deck: expected ")
    assert str(step.refusal) == step.refusal.message
    assert step.wrong == (f"expected to be accepted, was refused with foreign-card: {step.refusal.message}",)


def test_what_was_drawn_before_a_refused_card_may_be_expected() -> None:
    draw = {"by": "dealer", "draw": "Ks 2h 4g", "refused": "foreign-card"}
    drawn = [{"type": "card-drawn", "card": "K♠"}, {"type": "card-drawn", "card": "2H"}]
    assert played(*DEALT, draw | {"expect": drawn})[-1].wrong == ()
    assert played(*DEALT, draw | {"expect": drawn[:1]})[-1].wrong == (
        "expected card-drawn; came card-drawn, card-drawn",
    )


def test_one_card_alone_is_refused_in_the_words_of_the_table() -> None:
    step = played(*DEALT, {"by": "dealer", "draw": "4g"})[-1]
    assert step.refusal
    assert step.refusal.message.startswith("card 1: '4g' is not in the standard deck")


def test_a_card_that_cannot_be_read_is_told_before_any_is_drawn() -> None:
    step = played(*DEALT, {"by": "dealer", "draw": "K♠2h Xx 5d"})[-1]
    assert step.events == ()
    assert step.refusal
    assert step.refusal.message.startswith("draw: card 3: 'Xx' is not a card: expected ")


# The heading


@pytest.mark.parametrize(
    ("heading", "wrong"),
    [
        (
            {"under": ["EB4"], "clauses": ["3.1", "5.17"]},
            ["clauses: EB4 has no clause '5.17': section 5 goes from 5.1 to 5.10.2"],
        ),
        (
            {"under": ["EB4"], "clauses": ["EB4 3.1"]},
            ["clauses: EB4 has no clause 'EB4 3.1': expected a number such as 3.1"],
        ),
        (
            {"under": ["EB4"], "readings": [0, 1, 999]},
            [
                "readings: the register has no entry 0: expected 1 to ",
                "readings: the register has no entry 999: expected 1 to ",
            ],
        ),
        ({"clauses": ["3.1", "5.17"]}, ["clauses: EB4 has no clause '5.17': section 5 "]),
    ],
)
def test_a_heading_that_cites_what_is_not_there_is_the_first_step(heading: dict[str, object], wrong: list[str]) -> None:
    [first, opened] = played({"scenario": "x", **heading}, OPEN, book="".join(heading.get("under", [])))  # type: ignore[arg-type]
    assert opened.wrong == ()
    assert first.line.number == 1
    assert [said.startswith(start) for said, start in zip(first.wrong, wrong, strict=True)] == [True] * len(wrong)


def test_a_clause_without_a_rulebook_is_in_one_of_them() -> None:
    lines = (
        {"scenario": "x", "clauses": ["5.18.3", "7.1"]},
        {"by": "dealer", "do": "open-bets", "refused": "out-of-turn"},
    )
    [first, _] = played(*lines)
    assert [said.partition(":")[2] for said in first.wrong] == [
        " none of EB4, FF2, B8, TNC5, E7U has a clause '7.1': expected a number such as 3.1"
    ]


def test_a_patron_who_has_a_wallet_on_the_store_may_have_credits() -> None:
    store = MemoryStore()
    keys = Keys.from_secret(b"both")
    buy = {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 500, "position": 1}
    list(Runner(store, read_scenario(json.dumps(OPEN) + "\n" + json.dumps(buy)), keys=keys).run())
    later = {"do": "restart", "credits": {"ann": 500, "bob": 0}}
    [step] = Runner(store, read_scenario(json.dumps(later)), keys=keys).run()
    assert step.wrong == ("credits: no patron is called 'bob' here: expected somebody who buys in",)


# The shoe


@pytest.mark.parametrize(
    ("order", "said"),
    [
        ("Ks 4g", "order: card 2, 4g: the shoe has none, or no more of them"),
        ("Ks " * 9, "order: card 9, Ks: the shoe has none, or no more of them"),
        ("Ks ?", "card 2: '?' is not a card"),
        ("Ks Xx", "order: card 2: 'Xx' is not a card"),
        (5, "order: 5: expected cards"),
    ],
)
def test_a_shoe_that_cannot_begin_so_is_refused(order: object, said: str) -> None:
    virtual = {"by": "pit-manager", "do": "open-table", "setup": {"game": "tiger", "source": "virtual"}}
    [_, step] = played(virtual, LOAD | {"order": order})
    assert step.refusal
    assert step.refusal.message.startswith(said)


def test_only_a_virtual_shoe_begins_as_it_is_told() -> None:
    [_, step] = played(OPEN, LOAD | {"order": "Ks 2h"})
    assert step.refusal
    assert step.refusal.message.startswith("order: only a virtual shoe begins as it is told")


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
    [step] = played(OPEN | {"setup": {"game": "tiger", **setup}})
    assert step.refusal
    assert step.refusal.code == "bad-command"
    assert " has no field " in step.refusal.message


@pytest.mark.parametrize("seconds", ["x", -1, None, True, 1e300, [1]])
def test_a_time_that_is_none_is_said(seconds: object) -> None:
    with pytest.raises(BadScenario, match=r"line 1: after_s: .*: expected seconds, from 0 to"):
        played(OPEN | {"after_s": seconds})


@pytest.mark.parametrize("line", [{"by": 5, "do": "load-shoe"}, OPEN | {"expects": []}, {"do": "dance"}])
def test_what_is_no_command_comes_otherwise_unless_that_is_expected(line: dict[str, object]) -> None:
    [step] = played(line)
    assert step.wrong[0].startswith("expected to be accepted, was refused with bad-command: ")
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
