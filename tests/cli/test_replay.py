"""Rounds that are replayed and recalled: what stands, what went back, whose credits, and stores that are damaged."""

import json
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from rich.cells import cell_len
from tests.cli import shell
from tests.cli.shell import Punto, Said
from tests.cli.tables import blocks, cells, figure, figures
from tests.marks import ROOT, interpretation

from punto.floor import Keys, Runner, read_scenario
from punto.games import dumps, find
from punto.record.credits import Credits, credits_around
from punto.record.rounds import Round, Step
from punto.store import Entry, MemoryStore, open_store, start
from punto.store.chain import link

DEALT = ROOT / "docs" / "scenarios" / "dealt"

# A round at a dealt table, its cards known to nobody but those who look; more follows.
BEGINNING = """
{"by": "pit-manager pam", "do": "open-table", "setup": {"game": "baccarat", "reads": false}}
{"by": "dealer dan", "do": "load-shoe"}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 30000, "position": 1}
{"by": "dealer dan", "do": "open-bets"}
{"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Player", "stake_cents": 1000, "position": 1}
{"by": "dealer dan", "do": "close-bets"}
"""
# Ann has won, the money is paid, and then a Gaming Shift Manager has the third cards put in another order.
REVERSED = (
    BEGINNING
    + """
{"by": "dealer dan", "draw": "Ks 2h 5d Kc"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "draw": "4s 3h"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "dealer dan", "do": "report-order", "found": "drawn-together", "together": [5, 6], "player": "Ks 5d 4s",
 "banker": "2h Kc 3h"}
{"by": "gaming-shift-manager gus", "do": "rule", "ruling": "order", "reason": "seen on camera",
 "order": "Ks 2h 5d Kc 3h 4s"}
"""
)
# What comes after a round is no part of it.
AFTERWARDS = """
{"by": "dealer dan", "draw": "Ks 2h 9d 5c"}
{"by": "dealer dan", "do": "announce"}
{"by": "dealer dan", "do": "settle"}
{"by": "patron ann", "do": "cash-out", "patron": "ann", "cents": 2500, "position": 1}
{"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 500, "position": 1}
{"by": "pit-supervisor eve", "do": "correct-credits", "patron": "ann", "cents": 500, "reason": "misread",
 "approved_by": {"name": "pam", "position": "pit-manager"}}
"""


def stored(path: Path, text: str, book: str = "") -> str:
    """A store in which a scenario was played, with its key beside it; its address."""
    store, keys = open_store(str(path)), Keys.at(Path(f"{path}.key"))
    for step in Runner(store, read_scenario(text.replace(",\n ", ", ")), book, keys).run():
        assert step.refusal is None or step.checked, f"line {step.line.number}: {step.refusal}"
    store.close()
    return str(path)


def dealt(path: Path, name: str) -> str:
    """A store in which a scenario of the documentation was played at a table named B8."""
    return stored(path, (DEALT / f"{name}.jsonl").read_text(), "B8")


@pytest.fixture
def punto() -> Punto:
    """The command on a screen of 80 columns."""
    return partial(shell.punto, COLUMNS="80")


def recalled(punto: Punto, url: str, table: str = "T1") -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads(punto("recall", url, "--table", table, "--json").out)["rounds"]
    return rounds


def told(wagers: list[dict[str, Any]]) -> list[tuple[Any, ...]]:
    return [(each["patron"], each["result"], each.get("paid_cents")) for each in wagers]


def change(url: str, stream: str, version: int, edit: Callable[[dict[str, Any]], object]) -> None:
    """Change what an entry says."""
    with closing(sqlite3.connect(url)) as connection:
        query = "SELECT body FROM entries WHERE stream = ? AND version = ?"
        [body] = connection.execute(query, (stream, version)).fetchone()
        plain = json.loads(body)
        edit(plain)
        write(connection, stream, version, {"body": json.dumps(plain).encode()})
        connection.commit()


def write(connection: sqlite3.Connection, stream: str, version: int, columns: dict[str, object]) -> None:
    """Put something else in the columns of an entry."""
    for name, value in columns.items():
        query = f"UPDATE entries SET {name} = ? WHERE stream = ? AND version = ?"  # noqa: S608
        connection.execute(query, (value, stream, version))


def without_heads(url: str) -> str:
    """The store without its heads: nothing of it can be verified then, and it is shown as it lies."""
    with closing(sqlite3.connect(url)) as connection:
        connection.execute("DELETE FROM entries WHERE stream LIKE 'heads/%'")
        connection.commit()
    return url


def test_a_settlement_that_was_reversed_does_not_stand(tmp_path: Path, punto: Punto) -> None:
    url = stored(tmp_path / "t.db", REVERSED)
    [before] = recalled(punto, url)
    assert (before["state"], before["outcome"], before["cards"]) == ("unfinished", None, "Ks 2h 5d Kc 3h 4s")
    assert told(before["wagers"]) == [("ann", "open", None)]
    assert before["credits"] == {"ann": {"before_cents": 30_000, "after_cents": 29_000}}
    plain = json.loads(punto("replay", url, "--table", "T1", "--round", "1", "--json").out)
    assert (plain["state"], plain["payments"]) == ("unfinished", [])
    said = punto("replay", url, "--table", "T1", "--round", "1").out
    assert said.splitlines()[-1].split() == ["1", "ann", "Player", "10.00", "open"]
    assert "[ann Player win 20.00]" in said  # it was paid, and the steps say so


@pytest.mark.parametrize(
    ("events", "cards"),
    [
        ([("cards-rebuilt", "", "Ks 5d 2h Kc"), ("card-drawn", "player", ""), ("cards-exposed", "player", "Ks 2h 3d")],
         "Ks 5d 2h Kc 3d"),
        ([("card-drawn", "player", ""), ("card-drawn", "banker", "2h"), ("cards-exposed", "player", "Ks")], "Ks 2h"),
        ([("card-drawn", "player", ""), ("bets-reopened", "", ""), ("card-drawn", "player", "")], "?"),
        ([("card-drawn", "player", ""), ("card-drawn", "player", ""), ("count-begun", "player", "4c")], "4c ?"),
        ([("card-drawn", "player", ""), ("missing-replaced", "banker", "3h"), ("missing-replaced", "player", "2d")],
         "2d"),
    ],
)  # fmt: skip
def test_cards_are_told_as_far_as_anybody_has_seen_them(events: list[tuple[str, str, str]], cards: str) -> None:
    plain = [
        {"type": type_, "side": side, "card": named, "cards": named, "left": named} for type_, side, named in events
    ]
    steps = [Step(place, 0, {}, "", event, "table/T1") for place, event in enumerate(plain, 1)]
    assert Round(1, {}, steps).cards == cards


@pytest.mark.parametrize(
    ("name", "wagers", "state"),
    [
        ("6.1-returned-after-payment", [("ann", "returned", 5_000), ("bob", "win", 4_000)], "settled"),
        ("5.18-met-by-a-ruling", [("ann", "returned", 9_000), ("bob", "open", None)], "unfinished"),
        ("5.9-all-withdraw", [("ann", "withdrawn", 5_000), ("ann", "win", 9_000)], "settled"),
        (
            "5.18.3-removal",
            [("ann", "win", 14_000), ("bob", "removed", 4_000), ("cho", "lose", 0), ("cho", "lose", 0)],
            "settled",
        ),
    ],
)
def test_wagers_that_went_back_are_told_with_what_went_back(
    tmp_path: Path, punto: Punto, name: str, wagers: list[tuple[Any, ...]], state: str
) -> None:
    url = dealt(tmp_path / "t.db", name)
    first = recalled(punto, url, "B8")[0]
    assert (first["state"], told(first["wagers"])) == (state, wagers)
    plain = json.loads(punto("replay", url, "--table", "B8", "--round", "1", "--json").out)
    assert told(plain["wagers"]) == wagers
    below = punto("replay", url, "--table", "B8", "--round", "1").out.rpartition("\n\n")[2]
    assert [line.split()[4] for line in below.splitlines() if line[:1].isdigit()] == [each[1] for each in wagers]


def test_every_wager_is_told_with_its_own_stake_payment_and_clause(tmp_path: Path, punto: Punto) -> None:
    url = dealt(tmp_path / "t.db", "5.18.3-removal")
    [first] = recalled(punto, url, "B8")
    names = ("patron", "wager", "stake_cents", "result", "paid_cents", "clause")
    wagers = [[each[name] for name in names] for each in first["wagers"]]

    def read(line: list[str]) -> list[Any]:
        patron, wager, stake, result, paid, clause = line
        return [patron, wager, 100 * figure(stake).expected, result, 100 * figure(paid).expected, clause]

    [[_, *shown]] = blocks(punto("recall", url, "--table", "B8").out)
    assert [read(line) for line in cells(shown[: len(wagers)])] == wagers
    assert [
        [name, around["before_cents"] / 100, around["after_cents"] / 100] for name, around in first["credits"].items()
    ] == [[name, *figures(said)] for name, said in cells(shown[len(wagers) :])]
    plain = json.loads(punto("replay", url, "--table", "B8", "--round", "1", "--json").out)
    why = {each["number"]: each["why"] for each in plain["payments"]}
    lines = cells(blocks(punto("replay", url, "--table", "B8", "--round", "1", COLUMNS="200").out)[-1])
    assert [[int(number), *read(line), reason] for number, *line, reason in lines] == [
        [each["number"], *wager, why.get(each["number"], "")]
        for each, wager in zip(plain["wagers"], wagers, strict=True)
    ]


def test_part_of_a_wager_that_was_removed_is_told_beside_it(tmp_path: Path, punto: Punto) -> None:
    url = dealt(tmp_path / "t.db", "5.18.3-removal-and-limits")
    [first] = recalled(punto, url, "B8")
    amounts = [(each["stake_cents"], each.get("removed_cents")) for each in first["wagers"]]
    assert amounts == [(5_000, 1_000), (1_500, None)]
    assert "10.00 removed" in punto("recall", url, "--table", "B8").out


def test_of_a_stake_beyond_the_limits_only_part_counts(tmp_path: Path, punto: Punto) -> None:
    url = dealt(tmp_path / "t.db", "5.15-over-the-maximum")
    assert "100.00 of 150.00" in punto("recall", url, "--table", "B8").out
    under = dealt(tmp_path / "u.db", "5.14-under-the-minimum")
    returned = [each for part in recalled(punto, under, "B8") for each in part["wagers"] if not each["counted_cents"]]
    assert {each["result"] for each in returned} == {"returned"}


@interpretation(42)
def test_demonstration_rules_are_said_wherever_a_round_is_shown(tmp_path: Path, punto: Punto) -> None:
    virtual = BEGINNING.replace('"reads": false', '"source": "virtual", "demonstration": true')
    urls = {True: stored(tmp_path / "virtual.db", virtual), False: stored(tmp_path / "device.db", BEGINNING)}
    for marked, url in urls.items():
        for shown in (
            punto("recall", url, "--table", "T1").out,
            punto("replay", url, "--table", "T1", "--round", "1").out,
        ):
            assert ("demonstration rules" in shown) is marked
        assert [each["demonstration"] for each in recalled(punto, url)] == [marked]


def test_credits_after_a_round_are_the_rounds_own(tmp_path: Path, punto: Punto) -> None:
    url = stored(tmp_path / "t.db", BEGINNING + AFTERWARDS)
    [each] = recalled(punto, url)
    assert each["credits"] == {"ann": {"before_cents": 30_000, "after_cents": 31_000}}
    assert "ann  credits 300.00 → 310.00\n" in punto("recall", url, "--table", "T1").out


def test_a_debt_is_told_with_the_credits(tmp_path: Path, punto: Punto) -> None:
    url = dealt(tmp_path / "t.db", "5.7-after-cash-out")
    assert recalled(punto, url, "B8")[0]["credits"] == {
        "bob": {"before_cents": 1_000, "after_cents": 0, "owed_before_cents": 0, "owed_after_cents": 9_000}
    }
    assert "bob  credits 10.00 → 0.00, owed 0.00 → 90.00\n" in punto("recall", url, "--table", "B8").out


def wallet(commands: list[str]) -> MemoryStore:
    """A store with ann's wallet, in which each command took a cent."""
    store, tip = MemoryStore(), start("wallet/ann")
    for version, command in enumerate(commands, 1):
        booked = {"at_ms": 1, "command": command, "giver": "wallet/ann", "taker": "x", "cents": 1}
        body = json.dumps({**booked, "balance_cents": 9_000 - version}).encode()
        tip = tip._replace(version=version, hash=link(tip.hash, "wallet/ann", version, None, body))
        store.append([Entry("wallet/ann", version, None, body, tip.hash)], {})
    return store


@pytest.mark.parametrize("ahead", [0, 1, 499, 500, 501])
@pytest.mark.parametrize("between", [0, 1, 400, 1_200])
def test_credits_are_found_however_many_transfers_lie_before_and_between(ahead: int, between: int) -> None:
    elsewhere = ["other"] * between
    store = wallet(["before"] * ahead + ["first", "first", *elsewhere, "last"] + ["after"] * 3)
    before = 9_000 - ahead if ahead else 0
    assert credits_around(store, "ann", ["first", "nothing", "last"]) == Credits(
        before, 9_000 - ahead - 3 - between, 0, 0
    )
    assert credits_around(store, "ann", ["never"]) is None
    assert credits_around(store, "bob", ["first"]) is None


def test_a_game_of_ones_own_is_replayed_with_its_reasons_and_hands(tmp_path: Path, punto: Punto) -> None:
    own = dumps(find("fortune-six")).replace('"fortune-six"', '"house-six"', 1).replace("12 to 1", "13 to 1")
    setup = {"game": "house-six", "declaration": own, "positions": 5}
    lines = [
        {"by": "pit-supervisor", "do": "open-table", "setup": setup},
        {"by": "dealer", "do": "load-shoe"},
        {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 10_000, "position": 1},
        {"by": "dealer", "do": "open-bets"},
        {
            "by": "patron ann",
            "do": "place-wager",
            "patron": "ann",
            "wager": "Banker",
            "stake_cents": 1_000,
            "position": 1,
        },
        {"by": "dealer", "do": "close-bets"},
        {"by": "dealer", "draw": "Ks 2h 5d 4c 9s"},
    ]
    url = stored(tmp_path / "t.db", "\n".join(map(json.dumps, lines)))
    said = punto("replay", url, "--table", "T1", "--round", "1").out
    assert "Banker wins  4 : 6" in said
    assert "Banker wins and Banker's total is 6: pays 1 to 2" in " ".join(said.split())
    change(without_heads(url), "table/T1", 1, lambda plain: plain["event"]["setup"].update(declaration="key ="))
    damaged = punto("replay", url, "--table", "T1", "--round", "1")
    assert (damaged.status, damaged.err.count("\n")) == (2, 2)
    assert "table/T1: entry 4 is played by a declaration that does not read" in damaged.err


@pytest.mark.parametrize("at_ms", [253_402_300_799_999, 2**70, -(2**70)])
def test_a_time_that_no_calendar_has_is_told_all_the_same(tmp_path: Path, punto: Punto, at_ms: int) -> None:
    url = without_heads(stored(tmp_path / "t.db", BEGINNING))
    change(url, "table/T1", 6, lambda plain: plain.update(at_ms=at_ms))
    change(url, "table/T1", 4, lambda plain: (plain.update(at_ms=at_ms), plain["event"].update(until_ms=at_ms)))
    year = "9999" if at_ms > 0 else "0001"
    assert year in punto("recall", url, "--table", "T1").out
    assert year in punto("replay", url, "--table", "T1", "--round", "1").out
    # Gaming days never go back: entries of a clock that had jumped back belong to the day of those before them.
    assert ("9999-" if at_ms > 0 else "2025-12-31") in punto("books", url, "--by", "day").out
    assert punto("books", url, "--by", "shift").status == 1, "nobody has signed it"


@pytest.mark.parametrize(
    "columns",
    [
        {"body": b""},
        {"body": b"hello"},
        {"body": b"null"},
        {"body": b"[1, 2]"},
        {"body": b"\xff\xfe"},
        {"body": b"[" * 100_000},
        {"body": b'{"at_ms": 1, "by": 7, "command": 7, "event": 7}'},
        {"body": "text"},
        {"body": 7},
        {"hash": "text"},
        {"hash": 7},
        {"version": "text"},
        {"version": 1.5},
        {"version": 2**62},
    ],
    ids=str,
)
@pytest.mark.parametrize("stream", ["table/T1", "wallet/ann"])
def test_an_entry_that_is_none_is_said_in_one_line(
    tmp_path: Path, punto: Punto, stream: str, columns: dict[str, object]
) -> None:
    url = without_heads(stored(tmp_path / "t.db", BEGINNING))
    version = 5 if stream == "table/T1" else 2
    with closing(sqlite3.connect(url)) as connection:
        write(connection, stream, version, columns)
        connection.commit()
    commands = [["recall", url, "--table", "T1"]]
    if stream == "table/T1":
        commands += [["replay", url, "--table", "T1", "--round", "1"], ["books", url], ["books", url, "--by", "day"]]
    elif "version" not in columns:  # without its last entry, a wallet is what it was before
        commands += [["books", url, "--by", "patron"]]
    for command in commands:
        said = punto(*command)
        assert (said.status, said.out, said.err.count("\n")) == (2, "", 2), command
        assert stream in said.err
        if command[0] != "books":
            assert json.loads(punto(*command, "--json").out)["error"]["code"] in {"corrupt", "not-a-store"}


@pytest.mark.parametrize(
    ("edit", "said"),
    [
        (lambda plain: plain.pop("by"), "missing required field 'by'"),
        (lambda plain: plain["event"].pop("stake_cents"), "missing required field 'stake_cents'"),
        (lambda plain: plain["event"].update(stake_cents="10"), "Expected 'int', got 'str'"),
        (lambda plain: plain["event"].update(type="wager-won"), "'wager-won'"),
        (lambda plain: plain["event"].update(number=9), "is about a wager that was never placed"),
    ],
)
def test_an_event_that_cannot_be_is_said_with_its_place(
    tmp_path: Path, punto: Punto, edit: Callable[[dict[str, Any]], object], said: str
) -> None:
    url = without_heads(stored(tmp_path / "t.db", BEGINNING + AFTERWARDS))
    change(url, "table/T1", 5, edit)
    for command in (["recall", url, "--table", "T1"], ["replay", url, "--table", "T1", "--round", "1"]):
        found = punto(*command)
        assert found.status == 2
        assert said in found.err
        assert found.err.splitlines()[-1].startswith("punto: table/T1: entry ")
    assert punto("books", url).err.splitlines()[-1].startswith("punto: table/T1: entry ")


def test_cards_that_make_no_coup_are_said_with_their_place(tmp_path: Path, punto: Punto) -> None:
    url = without_heads(stored(tmp_path / "t.db", BEGINNING + AFTERWARDS))
    change(url, "table/T1", 13, lambda plain: plain["event"].update(cards="Ks 2h 9d XX"))
    found = punto("replay", url, "--table", "T1", "--round", "1")
    assert found.err.splitlines()[-1] == "punto: table/T1: entry 13 settles cards that make no coup"
    assert "XX" in punto("recall", url, "--table", "T1").out  # which shows what is written


def test_whatever_happens_to_a_store_looking_at_it_ends_in_peace(tmp_path: Path, punto: Punto) -> None:
    url = without_heads(dealt(tmp_path / "t.db", "5.9-device-reset"))
    chance = random.Random(1)
    for _ in range(60):
        damaged = str(shutil.copy(url, tmp_path / "damaged.db"))
        with closing(sqlite3.connect(damaged)) as connection:
            for query, values in damages(connection, chance):
                connection.execute(query, values)
            connection.commit()
        for command in (
            ["recall", damaged, "--table", "B8"],
            ["replay", damaged, "--table", "B8", "--round", "1"],
            ["books", damaged, "--by", chance.choice(["table", "terminal", "day", "shift"])],
            ["books", damaged, "--by", "patron"],
        ):
            said = punto(*command)
            assert (said.status, said.err.count("\n")) in {(1, 1), (2, 2)}, (command, said.err)


def damages(connection: sqlite3.Connection, chance: random.Random) -> Iterator[tuple[str, tuple[object, ...]]]:
    """Something that is done to one entry of a table or a wallet."""
    query = "SELECT rowid, body FROM entries WHERE stream >= 'table' ORDER BY rowid"
    row, body = chance.choice(connection.execute(query).fetchall())
    plain = json.loads(body)
    place = chance.choice([plain, plain.get("event", plain), plain.get("by", plain)])
    key = chance.choice(list(place))
    match chance.randrange(5):
        case 0:
            del place[key]
        case 1:
            yield "DELETE FROM entries WHERE rowid = ?", (row,)
            return
        case 2:
            place_of_byte = chance.randrange(len(body))
            changed = body[:place_of_byte] + bytes([chance.randrange(256)]) + body[place_of_byte + 1 :]
            yield "UPDATE entries SET body = ? WHERE rowid = ?", (changed, row)
            return
        case _:
            place[key] = chance.choice([None, True, -1, 2**70, 1.5, "", "ann", "?", [], [1], {}, {"a": 1}])
    yield "UPDATE entries SET body = ? WHERE rowid = ?", (json.dumps(plain).encode(), row)


@pytest.mark.parametrize(
    "name", ["5.7-after-payment", "5.9-device-reset", "5.18.3-removal", "6.1-referred", "5.11-two-cards-carried-off"]
)
def test_nothing_is_wider_than_the_screen(tmp_path: Path, punto: Punto, name: str) -> None:
    url = dealt(tmp_path / "t.db", name)
    for command in (["recall", url, "--table", "B8"], ["replay", url, "--table", "B8", "--round", "1"], ["books", url]):
        said = punto(*command)
        assert said.status == 0
        assert max(map(cell_len, said.out.splitlines())) <= 80
        assert "\n\n\n" not in said.out
        assert "…" not in said.out


def test_a_table_without_a_round_has_none_to_show(tmp_path: Path, punto: Punto) -> None:
    url = stored(tmp_path / "t.db", "\n".join(BEGINNING.splitlines()[:3]))
    assert punto("recall", url, "--table", "T1") == Said(0, "", "")
    none = punto("replay", url, "--table", "T1", "--round", "1")
    assert none.err == "punto: table T1 has no round 1: it has had none\n"
