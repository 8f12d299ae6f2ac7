"""Spelling: what people write is understood, and what is not is answered with what is."""

import json
import random
from typing import Any

import pytest
from msgspec import inspect
from tests.marks import ROOT
from tests.width import SEED, width

from punto.errors import BadCommand, BadReport, BadScenario, PuntoError
from punto.floor import Runner, read_scenario
from punto.floor.scenario.spelling import CARD_FIELDS, Wagers, commands, spell_command, spell_expected
from punto.games import GAMES
from punto.rules import Position
from punto.store import MemoryStore

NO_WAGERS = Wagers()


def spelt(do: str, wagers: Any = NO_WAGERS, **fields: Any) -> dict[str, Any]:  # noqa: ANN401
    line = {"do": do, "by": "dealer", "id": "1", "table": "T1", "at_ms": 1, **fields}
    return spell_command(line, wagers)


def refused(do: Any, **fields: Any) -> str:  # noqa: ANN401
    with pytest.raises(PuntoError) as raised:
        spelt(do, **fields)
    return raised.value.message


# Positions


@pytest.mark.parametrize(
    ("written", "position", "name"),
    [
        ("dealer", "dealer", "dealer"),
        ("DEALER", "dealer", "dealer"),
        ("Dealer dan", "dealer", "dan"),
        ("Pit Manager bob", "pit-manager", "bob"),
        ("pit-manager bob", "pit-manager", "bob"),
        ("Pit-Manager Bob Lee", "pit-manager", "Bob Lee"),
        ("pit_supervisor", "pit-supervisor", "pit-supervisor"),
        ("Gaming Shift Manager", "gaming-shift-manager", "gaming-shift-manager"),
        ("ASSISTANT CASINO MANAGER eve", "assistant-casino-manager", "eve"),
        ("patron dealer", "patron", "dealer"),
        (" patron  ann ", "patron", "ann"),
    ],
)
def test_a_position_is_read_with_spaces_and_capitals_and_the_rest_is_the_name(
    written: str, position: str, name: str
) -> None:
    assert spelt("open-bets", by=written)["by"] == {"position": position, "name": name}


def test_a_position_that_begins_like_another_is_read_to_its_end() -> None:
    for position in Position:
        words = position.value.replace("-", " ").title()
        assert spelt("open-bets", by=f"{words} zoe")["by"] == {"position": position.value, "name": "zoe"}


def test_whoever_approves_is_written_like_whoever_acts() -> None:
    fields = {"patron": "ann", "cents": 5, "reason": "x"}
    approved = spelt("correct-credits", approved_by="Pit Manager bob", **fields)["approved_by"]
    assert approved == {"position": "pit-manager", "name": "bob"}
    whole = {"position": "Pit Manager", "name": "bob", "acting": True}
    assert spelt("open-bets", by=whole)["by"] == whole | {"position": "pit-manager"}


@pytest.mark.parametrize("by", ["king", "", "manager bob", 5, None, ["dealer"]])
def test_an_unknown_position_is_answered_with_those_there_are(by: object) -> None:
    positions = ", ".join(position.value for position in Position)
    shown = repr(by) if isinstance(by, str) else json.dumps(by)
    assert refused("open-bets", by=by) == f"by: {shown} is no position: expected {positions}, and then a name"
    assert refused("open-bets", by={"position": "king", "name": "x"}) == (
        f"position: 'king' is no position: expected {positions}"
    )


# Words of a list


@pytest.mark.parametrize(
    ("do", "fields", "said"),
    [
        ("choose-method", {"method": "D"}, "method: 'D' is no method: expected A, B, C"),
        ("choose-first", {"side": "tie"}, "side: 'tie' is no side: expected player, banker"),
        ("choose-first", {"side": 5}, "side: 5 is no side: expected player, banker"),
        ("rule", {"ruling": "voyd", "reason": "x"}, "ruling: 'voyd' is no ruling: expected void, continue, return"),
        (
            "rule",
            {"ruling": "continue", "reason": "x", "shoe": "replaced"},
            "shoe: 'replaced' is no decision about the shoe: expected replace, keep",
        ),
        ("attest", {"act": "sung"}, "act: 'sung' is no act: expected patron-asked, in-full-view, "),
        (
            "report-order",
            {"found": "wrong", "player": "", "banker": ""},
            "found: 'wrong' is no finding of report-order: expected wrong-order, wrong-number, drawn-together",
        ),
        (
            "open-table",
            {"setup": {"game": "tiger", "source": "hand"}},
            "source: 'hand' is no source: expected virtual, device",
        ),
        ("open-table", {"setup": {"game": "tiger", "ranks": ["king"]}}, "ranks: 'king' is no position: expected "),
    ],
)
def test_an_unknown_word_is_answered_with_those_there_are(do: str, fields: dict[str, Any], said: str) -> None:
    assert refused(do, **fields).startswith(said)


@pytest.mark.parametrize(
    ("do", "key", "written", "word"),
    [
        ("choose-method", "method", "a", "A"),
        ("choose-first", "side", "Player", "player"),
        ("report-cards", "found", "Face up in device", "face-up-in-device"),
        ("attest", "act", "IN FULL VIEW", "in-full-view"),
    ],
)
def test_a_word_of_a_list_is_read_in_any_case_and_with_spaces(do: str, key: str, written: str, word: str) -> None:
    assert spelt(do, **{key: written})[key] == word


def test_an_unknown_command_is_answered_with_those_there_are() -> None:
    for do in ("fly", 5, None, ["open-bets"]):
        said = refused(do)
        assert all(name in said for name in commands())
        assert said.endswith(", restart")
    assert spelt("Open Bets")["do"] == "open-bets"


def test_a_finding_that_belongs_to_another_command_is_answered_with_that_command() -> None:
    with pytest.raises(BadReport, match=r"^drawn-together is reported with report-order$"):
        spelt("report-cards", found="Drawn together", player="Ks", banker="2h")
    with pytest.raises(BadReport, match=r"^device-reset is reported with report-reset$"):
        spelt("report-delivery", found="device-reset")
    with pytest.raises(BadCommand, match="report-reset has no field 'found'"):
        spelt("report-reset", found="device-reset")
    # The table itself says so where the fields would fit.
    assert spelt("report-cards", found="drawn-together")["found"] == "drawn-together"


# Fields


def test_an_unknown_field_is_answered_with_those_of_the_command() -> None:
    beside = "by, id, table, at_ms, after_s, expect, refused, phase, credits"
    assert refused("place-wager", wagr="Tie") == (
        f"place-wager has no field 'wagr': expected patron, wager, stake_cents, position, same_moment_as, {beside}"
    )
    assert refused("open-bets", x=1) == f"open-bets has no field 'x': expected {beside}"
    assert (
        refused("load-shoe", x=1) == f"load-shoe has no field 'x': expected order, commitment, sealed, beacon, {beside}"
    )
    assert refused("open-bets", by={"position": "dealer", "name": "x", "rank": 1}) == (
        "by has no field 'rank': expected name, position, acting"
    )
    assert refused("open-table", setup={"game": "tiger", "dcks": 4}).startswith(
        "setup has no field 'dcks': expected game, "
    )


def test_a_field_that_is_missing_is_named() -> None:
    assert refused("place-wager", patron="ann", wager="Tie", position=1) == "place-wager: stake_cents is missing"
    assert refused("open-table", setup={}) == "setup: game is missing"


def test_a_restart_has_no_fields_of_its_own() -> None:
    [step] = Runner(MemoryStore(), read_scenario('{"do": "Restart", "setup": {}}')).run()
    assert step.refusal
    assert step.refusal.message == ("restart has no field 'setup': expected after_s, expect, refused, phase, credits")


@pytest.mark.parametrize(
    "line", [{"do": "announce", "draw": "Ks"}, {"draw": "Ks", "card": "Ks"}, {"do": "restart", "draw": "?"}]
)
def test_a_line_that_draws_does_nothing_else(line: dict[str, object]) -> None:
    [step] = Runner(MemoryStore(), read_scenario(json.dumps({"by": "dealer", **line}))).run()
    assert step.refusal
    assert step.refusal.message == "draw stands in place of do and of card: expected one of them"


# Cards


@pytest.mark.parametrize(
    ("do", "fields"),
    [
        ("draw-card", {"card": "10♥"}),
        ("report-order", {"found": "wrong-order", "player": "4♦10h", "banker": "AS", "order": "4♦ as TH"}),
        ("report-order", {"found": "wrong-order", "player": "??", "banker": "A♠"}),
        ("order-cards", {"order": "4♦10h"}),
        ("report-delivery", {"found": "wrong-patron", "side": "player", "cards": "七"}),
        ("expose-cards", {"side": "player", "cards": "10♥7♥"}),
        ("report-carried-off", {"side": "player", "cards": 1, "left": "A♠", "other_left": "K♥"}),
        ("count-cards", {"device": "A♠2♠", "discards": "K♥"}),
        ("assign-missing", {"cards": "福火4金"}),
    ],
)  # fmt: skip
def test_cards_are_read_wherever_a_command_has_some(do: str, fields: dict[str, Any]) -> None:
    expected = {
        "10♥": "Th", "4♦10h": "4d Th", "AS": "As", "4♦ as TH": "4d As Th", "??": "? ?", "A♠": "As", "10♥7♥": "Th 7h",
        "K♥": "Kh", "A♠2♠": "As 2s", "福火4金": "Ff 4g",
    }  # fmt: skip
    if "七" in fields.values():
        assert refused(do, **fields).startswith("cards: card 1: '七' is not a card: expected ")
        return
    found = spelt(do, **fields)
    for key, written in fields.items():
        assert found[key] == (expected.get(written, written) if key in CARD_FIELDS else written)


# Text of commands that is no cards. A new field belongs here, or into CARD_FIELDS.
NO_CARDS = frozenset(
    "id table patron designee note shown matter reason wager reference commitment sealed salt name game declaration "
    "secret signature key layout rulebook digest wagers pays".split()
)


def test_every_text_of_a_command_is_known_to_be_cards_or_something_else() -> None:
    found = {name for kind in commands().values() for name in texts_of(kind)}
    assert found - NO_CARDS <= CARD_FIELDS, (
        "add it to CARD_FIELDS of punto.floor.scenario.spelling, or to NO_CARDS here"
    )
    assert not CARD_FIELDS & NO_CARDS


def texts_of(kind: inspect.StructType) -> set[str]:
    """The fields that are text, in the command and in the objects within."""
    found = set()
    for field in kind.fields:
        types = field.type.types if isinstance(field.type, inspect.UnionType) else (field.type,)
        for each in types:
            inner = getattr(each, "item_type", each)
            if isinstance(inner, inspect.StrType):
                found.add(field.encode_name)
            elif isinstance(inner, inspect.StructType):
                found |= texts_of(inner)
    return found


# Wagers


@pytest.mark.parametrize("game", GAMES.values(), ids=lambda game: game.key)
def test_a_wager_is_read_regardless_of_case_and_apostrophe(game: Any) -> None:  # noqa: ANN401
    wagers = Wagers(wager.name for wager in game.wagers)
    for wager in game.wagers:
        for written in (
            wager.name,
            wager.name.upper(),
            wager.name.lower().replace("'", ""),
            wager.name.replace("'", "’"),
        ):
            assert wagers.spelt(written) == wager.name
    assert wagers.spelt("Horse") == "Horse"


def test_wagers_are_read_in_lists_limits_and_expectations() -> None:
    wagers = Wagers(["Super 7's", "Tie"])
    limit = {"min_cents": 1, "max_cents": 2}
    setup = {"game": "7-up", "wagers": ["super 7s", "TIE"], "limits": {"SUPER 7’S": limit, "*": limit}}
    found = spelt("open-table", wagers, setup=setup)["setup"]
    assert found == {"game": "7-up", "wagers": ["Super 7's", "Tie"], "limits": {"Super 7's": limit, "*": limit}}
    with pytest.raises(BadCommand, match=r"^limits: Tie comes twice$"):
        spelt("change-limits", wagers, limits={"tie": limit, "Tie": limit})
    events = [{"type": "wager-placed", "wager": "tie"}, {"type": "card-drawn", "card": "10♥"}, "x", {"card": "half"}]
    assert spell_expected(events, wagers) == [
        {"type": "wager-placed", "wager": "Tie"},
        {"type": "card-drawn", "card": "Th"},
        "x",
        {"card": "half"},
    ]


# Whatever is in a file

JUNK: tuple[Any, ...] = (
    None, True, 0, -1, 2**63, 10**30, 1.5, 1e300, "", "?", " ", "x", "\0", "é" * 70, "a/b", "dealer", "patron", [],
    [[]], [None], ["x"], {}, {"a": 1}, {"type": 5}, {"position": "dealer", "name": 5}, "4♦10h", "7*", "$book",
    {"*": {}}, {"Tie": {"min_cents": 1, "max_cents": 2}}, "\x1b[31m", "A" * 500,
)  # fmt: skip
KEYS = ("draw", "table", "id", "at_ms", "phase", "expect", "credits", "order", "zzz", "by", "do", "setup", "after_s")


def spoil(fields: dict[str, Any], chance: random.Random) -> None:
    """Put junk somewhere into a line."""
    key = chance.choice([*fields, *KEYS])
    inner = fields.get(key)
    if isinstance(inner, list) and inner:
        inner = chance.choice(inner)
    if isinstance(inner, dict) and inner and chance.random() < 0.5:
        spoil(inner, chance)
    else:
        fields[key] = chance.choice(JUNK)


@pytest.mark.parametrize("seed", range(SEED, SEED + width(100, 10_000)))
def test_junk_is_refused_in_one_line_and_nothing_breaks(seed: int) -> None:
    chance = random.Random(seed)
    path = chance.choice(sorted((ROOT / "docs" / "scenarios").rglob("*.jsonl")))
    lines = [json.loads(line) for line in path.read_text().splitlines() if line and not line.startswith("#")]
    for line in chance.choices(lines, k=chance.choice([1, 1, 2, 5])):
        spoil(line, chance)
    try:
        scenario = read_scenario("\n".join(map(json.dumps, lines)))
        steps = [
            step for book in scenario.heading.under or ("",) for step in Runner(MemoryStore(), scenario, book).run()
        ]
    except BadScenario as error:
        assert "Error" not in error.message, "one of Python's own errors came through"
        assert "\n" not in error.message
    else:
        assert not [step for step in steps if step.refusal and "\n" in step.refusal.message]
