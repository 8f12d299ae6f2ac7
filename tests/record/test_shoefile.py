"""Shoes as texts: read back equal, whatever is wrong is found with its line, and what is right can be played again."""

import json
import random
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from itertools import count

import pytest
from tests.marks import interpretation
from tests.record.play import COUNTED, DEALT, KEYS, METHOD_C, REBUILT, TERMINALS, VIRTUAL, play

from punto.errors import BadShoeFile, Malformed, NoSuchRound, Refusal
from punto.floor.handler import Floor
from punto.floor.importing import Import
from punto.floor.scenario import Runner, read_scenario
from punto.games import GAMES, dumps
from punto.ledger import wallet
from punto.record import ShoeFile, audit, export, read_shoe, verify
from punto.record.rounds import tables_of
from punto.record.verifying import cut_of, is_demonstration
from punto.store import MemoryStore, Store

AT_MS = 1_900_000_000_000

GOOD = """punto shoe 1
game fortune-six
decks 8

1 Ks 2h 5d 4c 9s = 4-6 B ; ann / Banker / 10.00 / win / 15.00 ; bob / Tie / 5.00 / lose / 0.00
2 9h 8c = void EB4 5.9.1 ; ann / Tie / 5.00 / void / 5.00
3 9s 8h Kd Ks = 9-8 P  # a natural
"""


def test_a_shoe_is_read_and_written_back_equal() -> None:
    shoe = read_shoe(GOOD)
    assert read_shoe(str(shoe)) == shoe
    assert list(verify(shoe)) == []


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ("punto shoe 1", "punto shoe 2", 1),
        ("game fortune-six", "name fortune-six", 2),
        ("game fortune-six", "", 1),
        ("decks 8", "decks 8\ndecks 8", 4),
        ("= 4-6 B ;", "4-6 B ;", 5),
        ("/ 10.00 /", "/ 10 /", 5),
        ("/ 10.00 /", "/ ten /", 5),
        ("ann / Banker", "Banker", 5),
        ("1 Ks", "١ Ks", 5),
    ],
)
def test_a_line_that_does_not_read_is_refused_with_its_number(old: str, new: str, line: int) -> None:
    with pytest.raises(BadShoeFile) as refused:
        read_shoe(GOOD.replace(old, new))
    assert refused.value.at == line


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("game fortune-six", "game tigger", "is not a game"),
        ("decks 8", "decks 3", "3 decks"),
        ("decks 8", "decks many", "decks is no number"),
        ("decks 8", f"decks {'8' * 5_000}", "decks is no number"),
        ("decks 8", f"decks 8\nunit {'7' * 5_000}", "unit is no number of cents"),
        ("decks 8", "decks 8\nunit -100", "unit is no number of cents"),
        ("decks 8", "decks 8\nunit 0", "expected a multiple of 2"),
        ("decks 8", "decks 8\nrulebook B8 8", "fortune-six is played under EB4"),
        ("decks 8", "decks 8\nunit 3", "expected a multiple of 2"),
        ("decks 8", "decks 8\nunit 300", "no multiple of the unit"),
        ("decks 8", "decks 8\ndigest 00", "was declared otherwise"),
        ("Ks 2h 5d 4c 9s", "Ks 2h 5d 4c", "not complete: player draws"),
        ("Ks 2h 5d 4c 9s", "Ks 2h 5d 4c 9s 9s", "one too many"),
        ("Ks 2h 5d 4c 9s", "4g 2h 5d 4c 9s", "not in the standard deck"),
        ("= 4-6 B", "= 4-7 B", "the totals are 4-6"),
        ("= 4-6 B", "= 4-6 P", "the outcome is B"),
        ("/ win / 15.00", "/ win / 20.00", "15.00 is due"),
        ("/ win / 15.00", "/ lose / 0.00", "win, not lose"),
        ("ann / Banker", "ann / Bunker", "is not a wager"),
        ("/ 10.00 / win / 15.00", "/ 8.00 of 10.00 / win / 14.00", "whole or not at all"),
        ("/ void / 5.00", "/ void / 4.00", "goes back in full"),
        ("/ 5.00 / void / 5.00", "/ 1.00 of 5.00 / void / 5.00", "goes back in full"),
        ("/ 5.00 / void / 5.00", "/ 0.00 / void / 0.00", "no stake"),
        ("ann / Tie / 5.00 / void", "ann / Tee / 5.00 / void", "'Tee' is not a wager"),
        ("/ 10.00 / win / 15.00", "/ 0.00 of 10.00 / win / 10.00", "returned, not win"),
        ("void EB4 5.9.1", "void XX 9.9", "expected a clause of EB4"),
        ("void EB4 5.9.1", "void", "void by no clause"),
        ("3 9s", "1 9s", "round 1 comes after round 2"),
        ("decks 8", "decks 8\norder Ks 2h", "order: "),
    ],
)
def test_what_is_wrong_is_found(old: str, new: str, said: str) -> None:
    wrong = list(verify(read_shoe(GOOD.replace(old, new))))
    assert wrong
    assert said in wrong[0].said


def test_more_of_one_card_than_the_decks_hold_is_found() -> None:
    rounds = "\n".join(f"{number} 9s 8s Ks Ts = 9-8 P" for number in range(1, 10))
    [wrong, *_] = verify(read_shoe(f"punto shoe 1\ngame tiger\ndecks 8\n{rounds}"))
    assert (wrong.line, wrong.said) == (12, "9s comes 9 times in 8 decks")


def text_of(number: int, *lines: str, game: str = "baccarat", headers: str = "") -> str:
    """A shoe of these rounds, the first of that number."""
    rounds = "\n".join(f"{place} {line}" for place, line in enumerate(lines, number))
    return f"punto shoe 1\ngame {game}\n{headers}\n{rounds}\n"


PLAYER_WINS = "9s 8h Kd Ks = 9-8 P"


def whole_shoe(behind: int = 0) -> tuple[str, list[str]]:
    """The headers of a virtual shoe that lies open, and its cards."""
    cards = [str(card) for card in GAMES["tiger"].deck.cards * 4]
    return f"decks 4\nbehind {behind}\norder {' '.join(cards)}\n", cards


def test_cards_that_an_opened_shoe_does_not_give_are_found() -> None:
    headers, cards = whole_shoe()
    assert list(verify(read_shoe(text_of(1, "As 2s = void EB4 5.9.1", game="tiger", headers=headers)))) == []
    [wrong] = verify(read_shoe(text_of(1, "As 3s = void EB4 5.9.1", game="tiger", headers=headers)))
    assert wrong.said == "card 2 of the shoe is 2s, not 3s"
    spelled = headers.replace("cards", "").replace("behind 0", "cut 9")
    assert list(verify(read_shoe(text_of(1, "10s Js = void EB4 5.9.1", game="tiger", headers=spelled)))) == []
    pairs = [f"{' '.join(cards[place : place + 2])} = void EB4 5.9.1" for place in range(0, len(cards), 2)]
    every = text_of(1, *pairs, "As = void EB4 5.9.1", game="tiger", headers=headers)
    assert [wrong.said for wrong in verify(read_shoe(every))] == [
        "As comes 5 times in 4 decks",
        "card 209 of the shoe is As: the order has no more than 208",
    ]


@pytest.mark.parametrize("header", ["behind", "cut"])
@pytest.mark.parametrize("value", ["many", "9" * 5_000, "-1", "٣"])
def test_a_number_that_is_none_is_said(header: str, value: str) -> None:
    headers, _ = whole_shoe()
    headers = headers.replace("behind 0\n", "") + f"{header} {value}\n"
    [wrong] = verify(read_shoe(text_of(1, game="tiger", headers=headers)))
    assert wrong.said.startswith(f"order: {header} is no number")


def test_what_is_said_of_wrong_lines_is_short_and_exact() -> None:
    long = "x" * 10_000
    [wrong] = verify(read_shoe(GOOD.replace("/ win / 15.00", f"/ {long} / 15.00")))
    assert len(wrong.said) < 200
    [wrong] = verify(read_shoe(text_of(1, "4d 2h 2d 4c = 6-6 T ; ann / Tie / 0.05 / win / 0.46")))
    assert "ann, Tie: 0.45 is due" in wrong.said
    [wrong] = verify(read_shoe(text_of(1, "Ks 2h 5d 4c 9s = 4-6 B ; ann / Banker / 0.05 / win / 0.09")))
    assert "ann, Banker: 0.09 and 3/4 cents is due" in wrong.said


OWN = dumps(GAMES["7-up"]).replace('"700 to 1"', '"20 to 1"')


def own(declaration: str = OWN, game: str = "7-up", headers: str = "") -> str:
    """A shoe of a game of one's own."""
    declared = "".join(f"| {line}\n" for line in declaration.splitlines())
    return text_of(1, "9s 8h Kd = 5-9 B", game=game, headers=headers + declared)


def test_a_shoe_may_declare_its_own_game() -> None:
    shoe = read_shoe(own())
    assert shoe.declaration == OWN
    assert list(verify(shoe)) == []
    assert read_shoe(str(shoe)) == shoe
    assert Import(shoe, "imported", AT_MS).commands


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (own(headers="digest 00\n"), "digest: that of the shoe's own declaration is "),
        (own(game="tiger"), "game 'tiger': the shoe declares '7-up'"),
        (own(declaration="key = 7"), "declaration: line 1, column "),
        (own(declaration=OWN.replace("20 to 1", f"{'9' * 5_000} to 1")), "declaration: line "),
    ],
)
def test_a_declaration_that_does_not_fit_is_found(text: str, said: str) -> None:
    [wrong] = verify(read_shoe(text))
    assert wrong.said.startswith(said)
    assert len(wrong.said) < 300


def test_a_game_that_was_declared_otherwise_is_not_judged_by_the_catalogue() -> None:
    text = GOOD.replace("decks 8", "digest 00").replace("win / 15.00", "win / 99.00")
    [wrong] = verify(read_shoe(text))
    assert "was declared otherwise" in wrong.said
    assert "the shoe has no declaration" in wrong.said


def test_names_of_wagers_may_hold_the_marks_of_the_text() -> None:
    name = " Lucky #7; 50% / more"
    game = OWN.replace('name = "Tie"', f'name = "{name}"')
    line = "9s 8h Kd = 5-9 B ; ann / %20Lucky %237%3B 50%25 %2F more / 1.00 / lose / 0.00"
    declared = "".join(f"| {line}\n" for line in game.splitlines())
    shoe = read_shoe(text_of(1, line, game="7-up", headers=declared))
    assert shoe.coups[0].bets[0].wager == name
    assert list(verify(shoe)) == []
    assert line in str(shoe)


@pytest.mark.parametrize(
    ("game", "lines"),
    [
        # No unit is named: it is worked out, down to the cent where no wager of the table can break one.
        ("baccarat", [f"{PLAYER_WINS} ; ann / Player / 10.00 / win / 20.00"]),
        ("live-tiger-no-commission", [f"{PLAYER_WINS} ; ann / Tie / 0.06 / lose / 0.00 "]),
        ("baccarat", [f"{PLAYER_WINS} ; ann / Banker / 0.20 / lose / 0.00 ; ann / Player / 0.40 / win / 0.80"]),
        ("tiger", []),
        # A stake over the maximum is settled at it, and goes back whole when the round is void (B8).
        (
            "baccarat",
            [
                f"{PLAYER_WINS} ; ann / Player / 100.00 of 150.00 / win / 250.00 ; bob / Player / 99.00 / win / 198.00",
                "9h 8c = void B8 5.1.1 ; ann / Player / 200.00 / void / 200.00",
            ],
        ),
        # Wagers are returned, at a dealt table and on terminals, in a void round too.
        ("baccarat", [f"{PLAYER_WINS} ; ann / Tie / 0.00 of 5.00 / returned / 5.00 ; bob / Tie / 5.00 / lose / 0.00"]),
        ("tiger", [f"{PLAYER_WINS} ; ann / Tie / 0.00 of 5.00 / returned / 5.00"]),
        (
            "tiger",
            ["9s = void EB4 5.9.1 ; ann / Tie / 0.00 of 5.00 / returned / 5.00 ; ann / Tiger / 1.00 / void / 1.00"],
        ),
        # A round may be void after all its cards, which terminals have settled by then.
        ("tiger", ["9s 8h Kd Ks = void EB4 5.1.1 ; ann / Player / 1.00 / void / 1.00"]),
        # One patron has the same wager twice, and many want one position.
        ("tiger", [PLAYER_WINS + " ; ann / Player / 1.00 / win / 2.00" * 2]),
        ("baccarat", [PLAYER_WINS + "".join(f" ; p{n} / Player / 1.00 / win / 2.00" for n in range(40))]),
        # Cards as other hands write them, and an outcome without its pairs.
        ("baccarat", ["10s 2h 10d 2c 9s = 9-4 P ; ann / Player / 1.00 / win / 2.00"]),
    ],
)
def test_what_is_right_is_played_again_line_by_line(game: str, lines: list[str]) -> None:
    shoe = read_shoe(text_of(7, *lines, game=game))
    assert list(verify(shoe)) == []
    store = MemoryStore()
    floor = Floor(store, KEYS)
    Import(shoe, "imported", AT_MS).onto(floor)
    again = export(store, "imported", 1)
    assert [line.bets for line in again.coups] == [line.bets for line in shoe.coups]
    assert [line.number for line in again.coups] == list(range(1, len(lines) + 1))
    assert list(verify(again)) == []
    assert {floor.balance(stream) for stream, _ in store.streams() if stream.startswith("wallet/")} <= {0}


@pytest.mark.parametrize(
    ("lines", "at", "said"),
    [
        # Only Banker's commission can break a cent, and there is a wager on Banker.
        (
            [PLAYER_WINS, f"{PLAYER_WINS} ; ann / Banker / 0.05 / lose / 0.00"],
            5,
            "a stake of 0.05 could break a cent: expected a multiple of 0.20",
        ),
        (
            [
                f"{PLAYER_WINS} ; ann / Player / 100.00 of 150.00 / win / 250.00",
                f"{PLAYER_WINS} ; ann / Player / 200.00 / win / 400.00",
            ],
            5,
            "200.00 was settled on Player, and no more than 100.00 in line 4: a table has one maximum",
        ),
        (
            [
                f"{PLAYER_WINS} ; ann / Player / 100.00 of 150.00 / win / 250.00",
                f"{PLAYER_WINS} ; ann / Player / 50.00 of 150.00 / win / 200.00",
            ],
            5,
            "a table has one maximum",
        ),
        ([f"{PLAYER_WINS} ; a/b / Player / 1.00 / win / 2.00"], 4, "'a/b' is nobody's name"),
        ([PLAYER_WINS + " ; ann / Player / 1.00 / win / 2.00" * 99], 4, "no position has room for 'ann' on Player"),
        ([f"{PLAYER_WINS} ; ann / Player / {'9' * 14}.00 / win / {'9' * 14}.00"], 1, "than any account can hold"),
        # Not verified: it would not come out as it is written.
        ([f"{PLAYER_WINS} ; ann / Player / 1.00 / win / 3.00"], 4, "would come out as '1 9s 8h Kd Ks = 9-8 P ; ann"),
    ],
)
def test_what_cannot_be_played_as_it_is_written_is_refused_with_its_line(lines: list[str], at: int, said: str) -> None:
    with pytest.raises(BadShoeFile) as refused:
        Import(read_shoe(text_of(1, *lines)), "imported", AT_MS)
    assert refused.value.at == at
    assert said in refused.value.message


LIVE = """
{"by": "pit-supervisor eve", "do": "open-table", "setup": {"game": "tiger"}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 10000, "position": 1}
"""


def played(text: str) -> MemoryStore:
    """What a floor writes when that is played."""
    store = MemoryStore()
    for step in Runner(store, read_scenario(text), keys=KEYS).run():
        assert step.refusal is None, f"line {step.line.number}: {step.refusal}"
    return store


def shoes_of(store: Store) -> Iterator[ShoeFile]:
    """Every shoe of a store."""
    for table in tables_of(store):
        with suppress(NoSuchRound):
            for number in count(1):
                yield export(store, table, number)


def test_a_patron_who_has_credits_in_the_store_is_left_alone() -> None:
    store = played(LIVE)
    before = list(store.streams())
    with pytest.raises(Refusal) as refused:
        Import(read_shoe(GOOD), "imported", AT_MS).onto(Floor(store, KEYS))
    assert (refused.value.code, refused.value.message) == (
        "refused",
        "patron 'ann' has 100.00 and owes 0.00 in this store: nothing was imported, use another store",
    )
    assert list(store.streams()) == before


def test_a_patron_who_owes_something_in_the_store_is_left_alone() -> None:
    store = played(REBUILT.replace(",\n ", ", "))
    floor = Floor(store, KEYS)
    held = floor.holding(wallet("bob"))
    assert (held.balance_cents, held.owed_cents > 0) == (0, True)
    shoe = read_shoe(text_of(1, f"{PLAYER_WINS} ; bob / Player / 1.00 / win / 2.00"))
    with pytest.raises(Refusal, match=r"patron 'bob' has 0\.00 and owes "):
        Import(shoe, "imported", AT_MS).onto(floor)
    assert store.tip("table/imported") is None


def test_a_table_that_is_open_is_neither_played_on_nor_taken_from_its_floor() -> None:
    store = MemoryStore()
    runner = Runner(store, read_scenario(LIVE), keys=KEYS)
    assert all(step.refusal is None for step in runner.run())
    with pytest.raises(Refusal, match="table T1 is open"):
        Import(read_shoe(GOOD), "T1", AT_MS).onto(Floor(store, KEYS))
    assert store.claim("table/T1") == 2  # the live floor was the first, and nobody came after it


def test_a_shoe_comes_in_by_one_transaction_and_goes_through_the_audit() -> None:
    store = MemoryStore()
    shoe = Import(read_shoe(GOOD), "imported", AT_MS)
    floor = Floor(store, KEYS)
    shoe.onto(floor)
    [(_, tip)] = store.streams("heads/")
    assert tip.version == 3, "a certificate, the head with which the process joined, and one head"
    assert (floor.balance(wallet("ann")), floor.balance(wallet("bob"))) == (0, 0)
    assert not audit(store, public_key=KEYS.public).findings
    with pytest.raises(Malformed, match="no name of a table"):
        Import(read_shoe(GOOD), "no table", AT_MS)


@pytest.mark.parametrize(
    ("text", "coups"),
    [(TERMINALS, [2]), (DEALT, [2]), (VIRTUAL, [1]), (METHOD_C, [1, 0]), (REBUILT, [2]), (COUNTED, [0])],
)
def test_what_a_floor_has_written_goes_out_and_comes_in_again(text: str, coups: list[int]) -> None:
    shoes = list(shoes_of(play(text)))
    assert [len(shoe.coups) for shoe in shoes] == coups
    for shoe in shoes:
        read = read_shoe(str(shoe))
        assert read.coups == shoe.coups
        assert list(verify(read)) == []
        assert Import(read, "imported", AT_MS).commands


def test_the_text_of_a_virtual_shoe_says_when_it_was_cut_and_a_cut_after_the_bets_is_wrong() -> None:
    [shoe] = shoes_of(play(VIRTUAL))
    cut, bets = shoe.headers["cut-at"], shoe.headers["first-bets"]
    assert "opened" in shoe.headers
    assert cut <= bets
    assert f"\ncut 60\ncut-at {cut}\nfirst-bets {bets}\n" in str(shoe)
    assert cut_of(shoe) == (cut, bets)
    late = replace(shoe, headers=shoe.headers | {"cut-at": "2026-12-31" + bets[10:], "first-bets": cut})
    assert [said for _, said in verify(late)] == [
        f"the shoe was cut at {late.headers['cut-at']}, after its first bets had opened at {cut}"
    ]
    # A shoe that came from a device says nothing of the kind; a virtual one must.
    assert all("cut-at" not in other.headers for other in shoes_of(play(TERMINALS)))
    older = {key: value for key, value in shoe.headers.items() if key not in {"cut-at", "first-bets"}}
    untimed = [said for _, said in verify(read_shoe(str(replace(shoe, headers=older))))]
    assert untimed == ["first-bets: expected the time at which bets first opened on this shoe"]


@interpretation(42)
def test_the_text_of_virtual_cards_at_a_dealt_game_says_demonstration_rules() -> None:
    demonstration = VIRTUAL.replace('"tiger", "decks": 4,', '"baccarat", "demonstration": true, "decks": 4,')
    [shoe] = shoes_of(play(demonstration))
    assert "\ndemonstration rules: B8 has a dealing device\n" in str(shoe)
    assert list(verify(shoe)) == []
    assert is_demonstration(shoe)
    [other] = shoes_of(play(VIRTUAL))
    assert "demonstration" not in str(other)
    assert not is_demonstration(other)
    report = audit(play(demonstration))
    assert [(each.shoe, each.demonstration, each.cut) for each in report.shoes] == [(1, True, 60)]
    assert 0 < report.shoes[0].cut_at_ms <= report.shoes[0].first_bets_ms
    assert [each.demonstration for each in audit(play(VIRTUAL)).shoes] == [False]
    assert audit(play(TERMINALS)).shoes == ()


def test_the_shoe_of_a_table_with_a_game_of_its_own_says_its_outcomes_and_its_game() -> None:
    setup = json.dumps({"game": "7-up", "declaration": OWN})
    [shoe] = shoes_of(
        played(f"""
{{"by": "pit-supervisor eve", "do": "open-table", "setup": {setup}}}
{{"by": "dealer dan", "do": "load-shoe"}}
{{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 10000, "position": 1}}
{{"by": "dealer dan", "do": "open-bets"}}
{{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Super 7's", "stake_cents": 100, "position": 1}}
{{"by": "dealer dan", "do": "close-bets"}}
{{"by": "dealer dan", "draw": "7s 7h 7d 7c 7s"}}
""")
    )
    text = str(shoe)
    assert "1 7s 7h 7d 7c 7s = 1-1 Tbp ; ann / Super 7's / 1.00 / win / 21.00" in text
    assert shoe.declaration == OWN
    assert list(verify(read_shoe(text))) == []
    plain = "\n".join(line for line in text.splitlines() if line[:1] != "|")
    [wrong] = verify(read_shoe(plain))
    assert "the shoe has no declaration" in wrong.said
    store = MemoryStore()
    Import(read_shoe(text), "imported", AT_MS).onto(Floor(store, KEYS))
    again = export(store, "imported", 1)
    assert (again.coups, again.declaration) == (shoe.coups, OWN)


def test_wagers_that_a_ruling_returned_are_in_the_text() -> None:
    [shoe] = shoes_of(
        played(
            LIVE
            + """
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Tie", "stake_cents": 500, "position": 1}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 500, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "9s 8h Kd Ks"}
{"by": "dealer dan", "do": "refer", "matter": "the tie was never meant"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "return", "reason": "so it is", "wagers": [1]}
"""
        )
    )
    line = f"1 {PLAYER_WINS} ; ann / Tie / 0.00 of 5.00 / returned / 5.00 ; ann / Player / 5.00 / win / 10.00"
    assert str(shoe.coups[0]) == line
    assert list(verify(shoe)) == []


def test_a_ruling_after_the_shoe_is_out_is_in_the_text_of_the_shoe() -> None:
    shoe, after = shoes_of(
        played(
            LIVE
            + """
{"by": "dealer dan", "do": "open-bets"}
{"by": "dealer dan", "do": "close-bets"}
{"by": "dealer dan", "draw": "9s 8h Kd Ks"}
{"by": "pit-manager pam", "do": "end-shoe", "reason": "to see the cards"}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "dealer dan", "do": "refer", "matter": "seen too late"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "void", "reason": "so it is"}
{"by": "dealer dan", "do": "open-bets"}
"""
        )
    )
    assert [str(coup) for coup in shoe.coups] == ["1 9s 8h Kd Ks = void EB4 6.1"]
    assert after.coups == ()


def test_whatever_is_done_to_a_text_it_is_read_or_refused() -> None:
    chance = random.Random(7)
    texts = [GOOD, own(), text_of(1, f"{PLAYER_WINS} ; ann / Player / 1.00 of 2.00 / win / 3.00", headers="unit 100\n")]
    bits = [
        "9" * 5_000,
        "-1",
        "0.00",
        "٣",
        " / ",
        ";",
        "#",
        "=",
        "|",
        "\x1b[31m",
        "void",
        " of ",
        "\n",
        "%23",
        "unit 7\n",
    ]
    read = right = imported = 0
    for _ in range(1_000):
        text = chance.choice(texts)
        for _ in range(chance.randint(1, 4)):
            start = chance.randrange(len(text) + 1)
            text = text[:start] + chance.choice([*bits, ""]) + text[start + chance.choice([0, 0, 1, 9]) :]
        with suppress(BadShoeFile):
            shoe = read_shoe(text)
            read += 1
            wrong = list(verify(shoe))
            assert all(len(each.said) < 400 for each in wrong)
            if not wrong:
                assert read_shoe(str(shoe)).coups == shoe.coups
                right += 1
                assert Import(shoe, "imported", AT_MS).commands
                imported += 1
    assert read > 200
    assert right >= imported > 10


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ("# " + "x" * 4_000_000, "bytes: the text of a shoe has 4,000,000 at most"),
        ("\n" * 10_000, "line 10001: the text of a shoe has 10,000 lines at most"),
        ("\x0b" * 10_000, "line 10001: the text of a shoe has 10,000 lines at most"),
        ("".join(f"{number} Ks 2h\n" for number in range(1, 4)).replace("\n", " = void EB4 5.9.1\n") * 400, "too much"),
        ("1 " + "Ks " * 2_001 + "= void EB4 5.9.1\n", "expected no more than 1,000 rounds and 2,000 cards"),
    ],
    ids=("bytes", "lines", "lines of another kind", "rounds", "cards"),
)
def test_a_text_that_is_too_much_for_a_shoe_is_refused(more: str, said: str) -> None:
    with pytest.raises(BadShoeFile, match=said):
        read_shoe(GOOD + more)
