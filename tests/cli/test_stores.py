"""The commands on stores: scenario, schema, books, replay, recall, export, import, verify."""

import csv
import io
import json
import shutil
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest
from tests.cli.shell import punto
from tests.cli.tables import figures
from tests.marks import ROOT

from punto.store import open_store

LINES = [
    {"by": "pit-supervisor", "do": "open-table", "setup": {"game": "fortune-six", "source": "virtual"}},
    {"by": "dealer", "do": "load-shoe", "order": "Ks 2h 5d 4c 9s 8h 8d"},
    {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 100_000, "position": 1},
    {"by": "patron bob", "do": "buy-in", "patron": "bob", "cents": 50_000, "position": 2},
    {"by": "system", "do": "open-bets"},
    {
        "by": "patron ann",
        "do": "place-wager",
        "patron": "ann",
        "wager": "Banker",
        "stake_cents": 1_000,
        "position": 1,
    },
    {"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Player", "stake_cents": 2_000, "position": 2},
    {"by": "system", "do": "close-bets"},
    {"by": "system", "draw": "? ? ? ? ?"},
    {"by": "system", "do": "open-bets"},
    {"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 500, "position": 2},
    {"by": "system", "do": "close-bets"},
    {"by": "system", "draw": "?"},
    {"do": "restart"},
    {"by": "system", "do": "open-bets"},
    {"by": "patron bob", "do": "place-wager", "patron": "bob", "wager": "Tie", "stake_cents": 300, "position": 2},
]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store with a settled round, a void one, and one that is not over."""
    folder = tmp_path_factory.mktemp("stores")
    (folder / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in LINES))
    played = punto("scenario", "s.jsonl", "--store", "t.db", cwd=folder)
    assert (played.status, played.err) == (0, "")
    assert "round-settled" in played.out
    return folder


def test_a_scenario_says_what_came_of_each_line(folder: Path) -> None:
    said = punto("scenario", "s.jsonl", "--json", cwd=folder)
    lines = [json.loads(line) for line in said.out.splitlines()]
    assert [line["line"] for line in lines] == list(range(1, len(LINES) + 1))
    assert lines[8]["events"][-1]["type"] == "round-settled"
    (folder / "bad.jsonl").write_text('{"by": "dealer", "do": "open-bets", "expect": ["bets-opened"]}\n')
    bad = punto("scenario", "bad.jsonl", cwd=folder)
    assert bad.status == 1
    assert "otherwise than written" in bad.out
    refused = json.loads(punto("scenario", "bad.jsonl", "--json", cwd=folder).out)
    assert refused["error"]["code"] == "out-of-turn"
    assert punto("scenario", "none.jsonl", cwd=folder).status == 2
    assert punto("scenario", "s.jsonl", "--store", "ftp://x", cwd=folder).err.startswith(
        "punto: 'ftp://x' names no store"
    )


def test_a_scenario_with_a_heading_is_played_under_each_rulebook(folder: Path) -> None:
    (folder / "h.jsonl").write_text(
        '{"scenario": "Bets open", "clauses": ["3.1"], "under": ["B8", "TNC5"]}\n'
        '{"by": "pit-supervisor", "do": "open-table", "setup": {}}\n'
    )
    said = punto("scenario", "h.jsonl", cwd=folder)
    assert "Bets open\nB8 3.1\n" in said.out
    assert "Bets open\nTNC5 3.1\n" in said.out
    assert '"under":"TNC5"' in punto("scenario", "h.jsonl", "--json", cwd=folder).out


@pytest.mark.parametrize("kind", ["commands", "events"])
def test_the_schema_is_json_schema(kind: str) -> None:
    said = punto("schema", kind)
    schema = json.loads(said.out)
    assert schema["$schema"].startswith("https://json-schema.org/")
    assert len(schema["$defs"]) > 40
    assert punto("schema", "cats").err == "punto: argument 1: 'cats' has no schema: expected commands or events\n"


def test_books_add_up_by_table_terminal_day_and_shift(folder: Path) -> None:
    rows = list(csv.DictReader(io.StringIO(punto("books", "t.db", "--csv", cwd=folder).out)))
    assert rows[0]["table"] == "T1"
    assert (rows[0]["in_cents"], rows[0]["wagered_cents"], rows[0]["hold_cents"]) == ("150000", "3800", "1500")
    assert (rows[0]["rounds"], rows[0]["voids"], rows[0]["escrow_cents"]) == ("3", "1", "300")
    terminals = list(csv.DictReader(io.StringIO(punto("books", "t.db", "--by", "terminal", "--csv", cwd=folder).out)))
    assert [row["hold_cents"] for row in terminals] == ["-500", "2000"]
    days = list(csv.DictReader(io.StringIO(punto("books", "t.db", "--by", "day", "--csv", cwd=folder).out)))
    assert [(row["period or terminal"], row["hold_cents"]) for row in days] == [("2025-12-31", "1500")]
    shifts = punto("books", "t.db", "--by", "shift", cwd=folder)
    assert "2025-12-31 night" in shifts.out
    assert punto("books", "t.db", "--by", "moon", cwd=folder).status == 2
    wallets = list(csv.reader(io.StringIO(punto("books", "t.db", "--by", "patron", "--csv", cwd=folder).out)))
    assert wallets == [["patron", "credits_cents", "owed_cents"], ["ann", "100500", "0"], ["bob", "47700", "0"]]
    assert punto("books", "t.db", "--by", "patron", cwd=folder).out.split()[-3:] == ["all", "1,482.00", "0.00"]
    assert punto("books", "t.db", "--by", "patron", "--table", "T1", cwd=folder).status == 2
    assert "knows no table 'T2': expected T1" in punto("books", "t.db", "--table", "T2", cwd=folder).err


def test_a_round_is_replayed_step_by_step_with_the_reasons(folder: Path) -> None:
    said = punto("replay", "t.db", "--table", "T1", "--round", "1", cwd=folder)
    assert "Table T1, round 1" in said.out
    assert "Banker wins and Banker's total is 6: pays 1 to 2" in " ".join(said.out.split())
    void = punto("replay", "t.db", "--table", "T1", "--round", "2", cwd=folder)
    assert "EB4 5.9.1" in void.out
    plain = json.loads(punto("replay", "t.db", "--table", "T1", "--round", "1", "--json", cwd=folder).out)
    assert plain["cards"] == "Ks 2h 5d 4c 9s"
    assert plain["payments"][0]["why"].startswith("Banker wins")
    assert "has no round 9: expected 1 to 3" in punto("replay", "t.db", "--table", "T1", "--round", "9", cwd=folder).err
    assert punto("replay", "t.db", "--table", "T9", "--round", "1", cwd=folder).status == 2
    assert punto("replay", "none.db", "--table", "T1", "--round", "1", cwd=folder).status == 2


def test_the_last_rounds_are_recalled_with_credits_before_and_after(folder: Path) -> None:
    plain = json.loads(punto("recall", "t.db", "--table", "T1", "--json", cwd=folder).out)
    assert [each["state"] for each in plain["rounds"]] == ["settled", "void", "unfinished"]
    assert plain["rounds"][0]["credits"] == {
        "ann": {"before_cents": 100_000, "after_cents": 100_500},
        "bob": {"before_cents": 50_000, "after_cents": 48_000},
    }
    assert plain["rounds"][1]["credits"] == {"bob": {"before_cents": 48_000, "after_cents": 48_000}}
    assert plain["rounds"][2]["credits"] == {"bob": {"before_cents": 48_000, "after_cents": 47_700}}
    one = punto("recall", "t.db", "--table", "T1", "--rounds", "1", "--patron", "bob", cwd=folder)
    assert "Round 3" in one.out
    assert "Round 2" not in one.out
    assert punto("recall", "t.db", "--table", "T1", "--rounds", "0", cwd=folder).status == 2


def test_a_shoe_goes_out_as_text_is_verified_and_comes_in_again(folder: Path) -> None:
    text = punto("export", "t.db", "--table", "T1", "--shoe", "1", cwd=folder).out
    assert text.startswith("punto shoe 1\ntable T1\nshoe 1\ngame fortune-six\nrulebook EB4 4\n")
    assert "1 Ks 2h 5d 4c 9s = 4-6 B ; ann / Banker / 10.00 / win / 15.00 ; bob / Player / 20.00 / lose / 0.00" in text
    assert "2 8h = void EB4 5.9.1 ; bob / Tie / 5.00 / void / 5.00" in text
    (folder / "shoe.txt").write_text(text)
    assert punto("verify", "shoe.txt", cwd=folder).out.splitlines() == [
        "shoe.txt: 2 rounds and 3 wagers are right",
        "shoe.txt: not sealed: nothing here shows that the order was fixed before the first bet",
        "shoe.txt: nobody cut the shoe",
    ]
    assert punto("import", "shoe.txt", "--store", "in.db", cwd=folder).status == 0
    again = punto("export", "in.db", "--table", "imported", "--shoe", "1", cwd=folder).out
    assert [line.split(" ;")[0] for line in again.splitlines() if line[:1].isdigit()] == [
        "1 Ks 2h 5d 4c 9s = 4-6 B",
        "2 8h = void EB4 6.1",
    ]
    taken = punto("import", "shoe.txt", "--store", "in.db", cwd=folder)
    assert taken.status == 0  # the table is closed again, and can take another shoe
    assert punto("export", "t.db", "--table", "T1", "--shoe", "4", cwd=folder).status == 2
    wrong = text.replace("15.00", "16.00")
    (folder / "wrong.txt").write_text(wrong)
    said = punto("verify", "wrong.txt", cwd=folder)
    assert said.status == 1
    assert "ann, Banker: 15.00 is due (EB4 4.2)" in said.out
    assert json.loads(punto("verify", "wrong.txt", "--json", cwd=folder).out)["right"] is False
    assert punto("import", "wrong.txt", "--store", "in.db", cwd=folder).status == 2


def example() -> str:
    """The shoe that docs/record.md shows."""
    text = (ROOT / "docs" / "record.md").read_text()
    start = text.index("punto shoe 1\n")
    return text[start : text.index("```", start)]


def test_the_example_of_the_documents_is_right_and_comes_in(tmp_path: Path) -> None:
    (tmp_path / "shoe.txt").write_text(example())
    assert punto("verify", "shoe.txt", cwd=tmp_path).status == 0
    brought = punto("import", "shoe.txt", "--store", "in.db", cwd=tmp_path)
    assert (brought.status, brought.out, brought.err) == (0, "2 rounds are on table imported\n", "")
    again = punto("export", "in.db", "--table", "imported", "--shoe", "1", cwd=tmp_path).out
    rounds = [line for line in example().splitlines() if line[:1].isdigit()]
    assert [line.replace("EB4 6.1", "EB4 5.9.1") for line in again.splitlines() if line[:1].isdigit()] == rounds
    patrons = list(csv.reader(io.StringIO(punto("books", "in.db", "--by", "patron", "--csv", cwd=tmp_path).out)))
    assert patrons[1:] == [["ann", "0", "0"], ["bob", "0", "0"]]
    assert punto("audit", "in.db", cwd=tmp_path).status == 0


def test_an_import_that_is_refused_leaves_nothing_behind(folder: Path, tmp_path: Path) -> None:
    shutil.copy(folder / "t.db", tmp_path / "t.db")
    shutil.copy(folder / "t.db.key", tmp_path / "t.db.key")
    (tmp_path / "shoe.txt").write_text(example())
    head = punto("head", "t.db", cwd=tmp_path).out
    credits_ = punto("import", "shoe.txt", "--store", "t.db", cwd=tmp_path)
    assert (credits_.status, credits_.err.count("\n")) == (2, 1)
    assert "patron 'ann' has 1,005.00 and owes 0.00 in this store: nothing was imported" in credits_.err
    (tmp_path / "other.txt").write_text(example().replace("ann", "cho").replace("bob", "dee"))
    taken = punto("import", "other.txt", "--store", "t.db", "--table", "T1", cwd=tmp_path)
    assert (taken.status, "table T1 is open" in taken.err) == (2, True)
    assert punto("head", "t.db", cwd=tmp_path).out == head
    (tmp_path / "bad.txt").write_text(example().replace("ann", "a/b"))
    bad = punto("import", "bad.txt", "--store", "new.db", cwd=tmp_path)
    assert (bad.status, bad.err.count("\n")) == (2, 1)
    assert bad.err.startswith("punto: bad.txt: line 5: the shoe cannot be played here: 'a/b' is nobody's name")
    assert punto("import", "other.txt", "--store", "new.db", "--table", "a b", cwd=tmp_path).status == 2
    assert not list(tmp_path.glob("new.db*"))


def test_a_shoe_of_a_game_of_ones_own_is_verified_by_its_own_declaration(tmp_path: Path) -> None:
    game = punto("rules", "7-up", "--toml").out.replace('"700 to 1"', '"20 to 1"')
    lines = [
        {"by": "pit-supervisor", "do": "open-table", "setup": {"game": "7-up", "declaration": game}},
        {"by": "dealer", "do": "load-shoe"},
        LINES[4],
        LINES[7],
        {"by": "system", "draw": "9s 8h Kd"},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert punto("scenario", "s.jsonl", "--store", "t.db", cwd=tmp_path).status == 0
    text = punto("export", "t.db", "--table", "T1", "--shoe", "1", cwd=tmp_path).out
    assert text.endswith("\n1 9s 8h Kd = 5-9 B\n")
    (tmp_path / "shoe.txt").write_text(text)
    right = punto("verify", "shoe.txt", cwd=tmp_path)
    said = "shoe.txt: 1 round and 0 wagers are right, by the shoe's own declaration of 7-up"
    assert (right.status, right.out.splitlines()[0]) == (0, said)
    assert json.loads(punto("verify", "shoe.txt", "--json", cwd=tmp_path).out)["declared"] is True
    assert punto("import", "shoe.txt", "--store", "in.db", cwd=tmp_path).status == 0
    again = punto("export", "in.db", "--table", "imported", "--shoe", "1", cwd=tmp_path).out
    assert [line for line in again.splitlines() if line[0:1] in "|1"] == [
        line for line in text.splitlines() if line[0:1] in "|1"
    ]


@pytest.mark.parametrize(
    ("content", "status", "said"),
    [
        (b"", 2, "line 1: expected 'punto shoe 1'"),
        (b"punto shoe 1\n\x00", 2, "a binary file"),
        (b"punto shoe 1\n\xff\xfe", 2, "is not UTF-8"),
        (b"punto shoe 1\ngame tiger\ngame tiger\n", 2, "line 3: 'game': expected each header once"),
        (b"punto shoe 1\ngame tiger\nunit " + b"7" * 5_000, 1, "unit is no number of cents"),
        (b"punto shoe 1\ngame tiger\n1 = void\x1b[31m XX\n", 1, "expected a clause of EB4"),
        (b"punto shoe 1\ngame tiger\n" + b"1 9s 8h Kd Ks = 1-1 T\n" * 30_000, 2, "has 10,000 lines at most"),
        (
            b"punto shoe 1\ngame tiger\n"
            + (b"1 9s 8h Kd Ks = 1-1 T" + b" ; a / X / 1.00 / win / 1.00" * 3 + b"\n") * 400,
            1,
            "and more: --json lists everything",
        ),
    ],
    ids=["empty", "nul", "bytes", "twice", "digits", "escape", "long", "many"],
)
def test_a_hostile_text_is_refused_in_words(tmp_path: Path, content: bytes, status: int, said: str) -> None:
    (tmp_path / "shoe.txt").write_bytes(content)
    verified = punto("verify", "shoe.txt", cwd=tmp_path)
    words = verified.out + verified.err
    assert (verified.status, said in " ".join(words.split())) == (status, True)
    assert "\x1b" not in words
    assert words.count("\n") <= 1_002


def test_verify_and_audit_say_when_a_virtual_shoe_was_cut_and_that_rules_are_for_demonstration(tmp_path: Path) -> None:
    setup = {"game": "baccarat", "decks": 4, "source": "virtual", "demonstration": True}
    lines: list[dict[str, object]] = [
        {"by": "pit-manager pam", "do": "open-table", "setup": setup},
        {"by": "dealer dan", "do": "load-shoe"},
        {"by": "patron ann", "do": "cut-shoe", "patron": "ann", "cards": 60},
        {"by": "dealer dan", "do": "open-bets"},
        {"by": "dealer dan", "do": "close-bets"},
        {"by": "dealer dan", "do": "refer", "matter": "that will do"},
        {"by": "gaming-shift-manager gus", "do": "rule", "ruling": "void", "reason": "to see the shoe"},
        {"by": "pit-manager pam", "do": "end-shoe", "reason": "to see the cards"},
    ]
    (tmp_path / "s.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert punto("scenario", "s.jsonl", "--store", "t.db", cwd=tmp_path).status == 0
    clean = punto("audit", "t.db", cwd=tmp_path).out
    assert "virtual shoes: 1; cut: 1, each before its first bets opened" in clean
    assert "demonstration rules: 1 of them, where the rulebook has a dealing device" in clean
    [shoe] = json.loads(punto("audit", "t.db", "--json", cwd=tmp_path).out)["shoes"]
    assert (shoe["table"], shoe["cut"], shoe["demonstration"]) == ("T1", 60, True)
    (tmp_path / "shoe.txt").write_text(punto("export", "t.db", "--table", "T1", "--shoe", "1", cwd=tmp_path).out)
    told = json.loads(punto("verify", "shoe.txt", "--json", cwd=tmp_path).out)
    assert (told["right"], told["demonstration"]) == (True, True)
    said = " ".join(punto("verify", "shoe.txt", cwd=tmp_path).out.split())
    assert f"the shoe was cut at {told['cut_at']}, before its first bets opened at {told['first_bets']}" in said
    assert "demonstration rules: B8 has a dealing device, and the cards were virtual" in said


def test_a_store_that_is_none_is_said_in_one_line(folder: Path) -> None:
    (folder / "text.db").write_text("hello" * 1_000)
    for command in (
        ["books", "text.db"],
        ["recall", "text.db", "--table", "T1"],
        ["export", "text.db", "--table", "x"],
    ):
        said = punto(*command, *(["--shoe", "1"] if command[0] == "export" else []), cwd=folder)
        assert said.status == 2
        assert said.err.count("\n") == 1
        assert "Traceback" not in said.err


def test_a_store_is_audited_and_a_tampered_one_is_found_out(folder: Path) -> None:
    clean = punto("audit", "t.db", cwd=folder)
    assert (clean.status, clean.out.splitlines()[0]) == (0, "t.db: clean")
    assert "only what is kept outside can tell" in clean.out
    counts = json.loads(punto("audit", "t.db", "--json", cwd=folder).out)["counts"]
    assert (counts["rounds"], counts["wagers"]) == (3, 4)
    named = [counts[name] for name in ("entries", "streams", "rounds", "wagers")]
    assert [*named, counts["cents"] / 100] == figures(clean.out.splitlines()[1])
    kept = punto("head", "t.db", cwd=folder)
    (folder / "head.json").write_text(kept.out)
    vouched = punto("audit", "t.db", "--head", "head.json", cwd=folder)
    assert (vouched.status, vouched.out.splitlines()[-1]) == (0, "  contains the head that was kept outside")
    assert json.loads(punto("audit", "t.db", "--json", cwd=folder).out)["key"]["source"] == "t.db.key"
    (folder / "t.db.key").rename(folder / "away.key")
    alone, told = punto("audit", "t.db", cwd=folder), json.loads(punto("audit", "t.db", "--json", cwd=folder).out)
    assert (alone.status, alone.out.splitlines()[0]) == (0, "t.db: nothing wrong was found, but no key was given")
    assert "the key that the store itself names: whoever can write" in " ".join(alone.out.split())
    assert (told["clean"], told["total"], told["key"]["vouched_by"]) == (False, 0, "store")
    vouched = punto("audit", "t.db", "--head", "head.json", cwd=folder)
    assert (vouched.out.splitlines()[0], "kept outside, head.json" in " ".join(vouched.out.split())) == (
        "t.db: clean",
        True,
    )
    (folder / "away.key").rename(folder / "t.db.key")
    open_store(str(folder / "empty.db")).close()
    emptied = punto("audit", "empty.db", "--head", "head.json", cwd=folder)
    assert (emptied.status, "outside-head" in emptied.out) == (1, True)
    no_key = punto("audit", "t.db", "--public", "zz", cwd=folder)
    assert (no_key.status, no_key.err.count("\n")) == (2, 1)
    assert "--public: 'zz': expected the 64 hexadecimal digits" in no_key.err
    shutil.copy(folder / "t.db", folder / "bad.db")
    with closing(sqlite3.connect(folder / "bad.db")) as connection:
        connection.execute("UPDATE entries SET body = replace(body, '1500', '2500') WHERE stream = 'wallet/ann'")
        connection.commit()
    bad = punto("audit", "bad.db", "--key", "t.db.key", cwd=folder)
    assert bad.status == 1
    assert bad.out.startswith("wallet/ann ")
    plain = json.loads(punto("audit", "bad.db", "--json", "--key", "t.db.key", cwd=folder).out)
    assert (plain["clean"], plain["findings"][0]["stream"]) == (False, "wallet/ann")
    shutil.copy(folder / "t.db", folder / "cut.db")
    with closing(sqlite3.connect(folder / "cut.db")) as connection:
        connection.execute("DELETE FROM entries WHERE stream LIKE 'heads/%' AND version > 10")
        connection.commit()
    cut = punto("audit", "cut.db", "--key", "t.db.key", "--head", "head.json", cwd=folder)
    assert cut.status == 1
    assert "the history was cut off" in " ".join(cut.out.split())
    assert punto("audit", "t.db", "--key", "none.key", cwd=folder).status == 2
    assert punto("audit", "t.db", "--head", "none.json", cwd=folder).status == 2
    stranger = punto("audit", "t.db", "--public", "00" * 32, cwd=folder)
    assert stranger.status == 1
