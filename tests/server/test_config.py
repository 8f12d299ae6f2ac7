import re
from pathlib import Path
from typing import Final

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from tests.marks import ROOT
from tests.server.certificates import make_certificate

from punto.errors import PuntoError
from punto.floor import Keys
from punto.floor.keyfiles import Kind, make_new_key_file, read_key_file
from punto.floor.keys import split
from punto.games import GAMES, dumps
from punto.proof.notes import Algorithm, verifier_key
from punto.rules import RANKS, Method, Position
from punto.rules.money import Cents
from punto.server.app import make
from punto.server.checkpointing import addresses_of, folders_of
from punto.server.clockwork import Pace
from punto.server.config import FloorConfig, TableConfig, WitnessConfig, demonstration, is_public
from punto.server.floorfile import Mistake, read_exclusions, read_floor
from punto.server.floorkeys import (
    CASH_LIMIT,
    CASH_REPORTS,
    EXCLUDED,
    FLOOR,
    LIMIT,
    PACE,
    TABLE,
    TIMINGS,
    USUAL,
    WITNESS,
)
from punto.server.orders import USUAL_LIMITS, CashLimit
from punto.table import Limit, Setup, Source, Timings
from punto.table.setup import complete

NOW_MS: Final = 1_790_000_000_000

HEAD: Final = 'store = "sqlite:floor.db"\nkey-file = "floor.key"\n'
TIGER: Final = '[[table]]\nkey = "1"\ngame = "tiger"\n'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    Keys.at(tmp_path / "floor.key")
    return tmp_path


def floor(text: str, folder: Path) -> FloorConfig:
    read = read_floor(text, folder, NOW_MS)
    assert read.mistakes == ()
    assert read.config is not None
    return read.config


def mistakes(text: str, folder: Path) -> tuple[Mistake, ...]:
    read = read_floor(text, folder, NOW_MS)
    assert read.config is None
    return read.mistakes


def mistake(text: str, folder: Path) -> Mistake:
    [only] = mistakes(text, folder)
    return only


def test_the_least_that_a_floor_says_is_enough(folder: Path) -> None:
    config = floor(HEAD + TIGER, folder)
    assert config == FloorConfig(
        store=f"sqlite:{folder}/floor.db",
        key_file=f"{folder}/floor.key",
        tables=(TableConfig(key="1", setup=Setup(game="tiger", source=Source.VIRTUAL)),),
    )
    assert config.address == "http://127.0.0.1:8421"


def test_the_houses_orders_are_read_and_what_is_left_out_is_as_usual(folder: Path) -> None:
    orders = """
        independence-hours = 0
        shift-hours = 8
        [cash-limits.dealer]
        act-cents = 70000000
        [cash-limits.pit-manager]
        shift-cents = 6000000
    """
    config = floor(HEAD + orders + TIGER, folder)
    assert (config.orders.independence_ms, config.orders.shift_ms) == (0, 8 * 3_600_000)
    assert config.orders.cash[Position.DEALER] == CashLimit(Cents(70_000_000), Cents(70_000_000))
    assert config.orders.cash[Position.PIT_MANAGER] == CashLimit(Cents(5_000_000), Cents(6_000_000))
    assert config.orders.cash[Position.PIT_SUPERVISOR] == USUAL_LIMITS[Position.PIT_SUPERVISOR]
    wrong = mistake(HEAD + "[cash-limits.dealer]\nact-cents = 200\nshift-cents = 100\n" + TIGER, folder)
    assert wrong.key == "cash-limits.dealer"
    assert "100 cents a shift are less than 200 at a time" in wrong.said
    assert mistake(HEAD + "[cash-limits.waiter]\nact-cents = 2\n" + TIGER, folder).key == "cash-limits.waiter"


def test_all_that_a_floor_can_say_is_read(folder: Path) -> None:
    (folder / "mine.toml").write_text(dumps(GAMES["7-up"]))
    text = """
        name = "Marina"
        currency = "S$"
        languages = ["zh"]
        store = "postgresql://floor@db.example/pit?schema=night"
        key-file = "floor.key"
        host = "::"
        port = 443
        origins = ["https://floor.example", "http://10.0.0.7:8080"]
        behind-proxy = true
        hsts-subdomains = true
        first-password-hours = 24
        proxies = ["10.0.0.5", "10.1.0.3/24"]
        idle-s = 600
        grace-s = 3

        [usual]
        decks = 6
        source = "virtual"
        behind = 20
        automatic = false
        always = true
        limits = { "*" = { min-cents = 1_000, max-cents = 100_000 } }
        timings = { bets-ms = 10_000, answer-ms = 9_000 }
        pace = { card-ms = 100, shoe-ms = 1_000 }

        [[table]]
        key = "pit-7"
        game = "b8-baccarat"
        source = "device"
        reads = false
        wagers = ["Tie", "Player", "Banker", "Player Pair", "Banker Pair"]
        unit-cents = 200
        differential-cents = 50_000
        layout = "A"
        positions = 7
        hlga = true
        method = "A"
        ranks = ["dealer", "pit-supervisor", "pit-manager", "gaming-shift-manager", "assistant-casino-manager"]
        automatic = true
        always = false
        decks = 8
        [table.limits]
        Banker = { min-cents = 2_000, max-cents = 50_000 }
        [table.timings]
        bets-ms = 30_000
        [table.pace]
        card-ms = 1_500
        speech-ms = 1
        result-ms = 2
        cut-ms = 3
        reveal-ms = 4

        [[table]]
        key = "8"
        game = "mine.toml"
        phrase = 2
    """
    game = next(key for key, game in GAMES.items() if game.rulebook == "B8")
    book = Setup(game=game).book
    layout = book.conduct.layouts[0]
    text = text.replace("b8-baccarat", game).replace('layout = "A"', f'layout = "{layout.key}"')
    text = text.replace("positions = 7", f"positions = {layout.most}")
    config = floor(text, folder)
    assert (config.name, config.currency, config.languages) == ("Marina", "S$", ("zh",))
    assert config.store == "postgresql://floor@db.example/pit?schema=night"
    assert (config.host, config.port, config.address) == ("::", 443, "http://[::]:443")
    assert config.origins == ("https://floor.example", "http://10.0.0.7:8080")
    assert (config.behind_proxy, config.proxies) == (True, ("10.0.0.5", "10.1.0.0/24"))
    assert (config.idle_s, config.grace_s) == (600, 3)
    assert (config.hsts_subdomains, config.first_password_hours) == (True, 24)
    own, mine = config.tables
    assert own == TableConfig(
        key="pit-7",
        automatic=True,
        always=False,
        pace=Pace(card_ms=1_500, speech_ms=1, result_ms=2, shoe_ms=1_000, cut_ms=3, reveal_ms=4),
        setup=Setup(
            game=game,
            decks=8,
            source=Source.DEVICE,
            reads=False,
            unit_cents=Cents(200),
            limits={"*": Limit(Cents(1_000), Cents(100_000)), "Banker": Limit(Cents(2_000), Cents(50_000))},
            differential_cents=Cents(50_000),
            layout=layout.key,
            positions=layout.most,
            hlga=True,
            wagers=("Tie", "Player", "Banker", "Player Pair", "Banker Pair"),
            method=Method.A,
            behind=20,
            ranks=(*RANKS[:3], Position.GAMING_SHIFT_MANAGER, Position.ASSISTANT_CASINO_MANAGER),
            timings=Timings(bets_ms=30_000, answer_ms=9_000),
        ),
    )
    assert (mine.setup.rules, mine.setup.phrase, mine.setup.decks) == (GAMES["7-up"], 2, 6)
    assert (mine.automatic, mine.always) == (False, True)


VERIFIER: Final = "witness.example/w1"


def test_checkpoints_go_to_folders_addresses_and_witnesses(folder: Path) -> None:
    key = verifier_key(VERIFIER, Ed25519PrivateKey.generate(), Algorithm.COSIGNATURE).text()
    (folder / "token").write_text("a token\n")
    config = floor(
        f"""
        store = "sqlite:floor.db"
        key-file = "floor.key"
        checkpoints = ["outside", "https://keep.example/floors/marina", "http://127.0.0.1:8000/x"]
        checkpoint-token-file = "token"
        [[witness]]
        address = "https://witness.example/w1"
        key = "{key}"
        [[table]]
        key = "1"
        game = "tiger"
        """,
        folder,
    )
    assert folders_of(config) == (str(folder / "outside"),)
    assert [(each.url, each.token) for each in addresses_of(config)] == [
        ("https://keep.example/floors/marina", "a token"),
        ("http://127.0.0.1:8000/x", "a token"),
    ]
    assert config.witnesses == (WitnessConfig(address="https://witness.example/w1", key=key),)


MISTAKES: Final = {
    'checkpoints = ["http://keep.example/x"]': "expected https://HOST/PATH",
    'checkpoints = ["https://name:secret@keep.example"]': "'keep.example': expected https://HOST/PATH, without a name",
    'checkpoints = ["ftp://keep.example"]': "expected https://HOST/PATH",
    'checkpoint-token-file = "none"': "none is no file: expected one that is there",
    "witness = 5": "expected the witnesses of checkpoints, each under [[witness]]",
    'witness = [{ address = "https://w.example", key = "x" }]': "expected the key of a witness that cosigns",
    'witness = [{ key = 5, address = "https://w.example" }]': "expected the key of a witness that cosigns",
    'nmae = "x"': "unknown key; did you mean 'name'?",
    "quux = 1": "unknown key: expected name, currency, languages, store, ",
    "name = 5": "5: expected a line of text of 1 to 60 letters, in quotes",
    'name = ""': "'': expected a line of text",
    'currency = "guilders!"': "expected a line of text of 1 to 8 letters",
    "port = 0": "0: expected a whole number, 1 to 65535",
    'port = "80"': "'80': expected a whole number",
    "port = true": "True: expected a whole number",
    "port = 80.5": "80.5: expected a whole number",
    'languages = "en"': "'en': expected a list of one or more",
    "languages = []": "[]: expected a list of one or more",
    'languages = ["en", "fr"]': "'fr': expected 'en' or 'zh'",
    'languages = ["en", "en"]': "'en' comes twice",
    'host = "nowhere at all"': "expected an address to listen on",
    'host = "0.0.0.0"': "0.0.0.0 can be reached from other machines: expected tls-certificate and tls-key, or behind",
    'host = "floor.example"': "floor.example can be reached from other machines",
    'origins = ["floor.example"]': "'floor.example': expected an address as in 'https://floor.example', without a path",
    'origins = ["https://floor.example/pit"]': "without a path",
    "behind-proxy = 1": "1: expected true or false",
    "hsts-subdomains = true": "nobody comes by TLS: expected tls-certificate and tls-key, or behind-proxy",
    'proxies = ["10.0.0.5"]': "nobody is believed without a proxy: expected behind-proxy = true with it",
    'tls-certificate = "floor.key"': "expected both tls-certificate and tls-key, or neither",
    'tls-key = "none.pem"': "none.pem is no file: expected one that is there",
    "usual = 5": "5: expected a table of keys and values",
    "usual = { decks = 3 }": "3: expected a whole number, 4 to 10",
    'usual = { source = "virtul" }': "'virtul': expected 'virtual' or 'device'; did you mean 'virtual'?",
    "usual = { limits = { Tie = { min-cents = 100, max-cents = 200 } } }": "expected only '*' here",
    'metrics-token = "short"': "expected 16 to 200 letters, digits and signs, without spaces",
    "idle-s = 0": "0: expected a whole number, 1 to 86400",
}


@pytest.mark.parametrize(("line", "said"), MISTAKES.items())
def test_a_mistake_of_the_floor_is_told_at_its_line(line: str, said: str, folder: Path) -> None:
    found = mistakes(f"# a floor\n{HEAD}{line}\n{TIGER}", folder)
    assert (found[0].line, found[0].key.split(".")[0]) == (4, line.split(" ", maxsplit=1)[0])
    assert said in found[0].said


TABLE_MISTAKES: Final = {
    "decks = 11": "11: expected a whole number, 4 to 10",
    "limits = 5": "5: expected a table of keys and values",
    "limits = { Tie = 5 }": "5: expected { min-cents = …, max-cents = … }",
    "limits = { Tie = { min-cents = 100 } }": "has no max-cents: expected min-cents and max-cents",
    "limits = { Tie = { min-cents = 100, max-cent = 5 } }": "unknown key; did you mean 'max-cents'?",
    "limits = { Tie = { min-cents = 150, max-cents = 300 } }": "limits of Tie: expected whole units of 1.00",
    "limits = { Tie = { min-cents = 300, max-cents = 200 } }": "the least first",
    "limits = { Tei = { min-cents = 100, max-cents = 200 } }": "'Tei' is not a wager of tiger: expected Player, Banker",
    "limits = { Tie = { min-cents = 100, max-cents = 9_000_000_000_000_000 } }": "could pay more than any account",
    "unit-cents = 7": "a chip unit of 0.07 would break a cent: expected a multiple of 0.20",
    'wagers = ["Playr"]': "'Playr' is not a wager of tiger",
    "behind = 416": "cutting card 416 from the end: expected 0 to 415",
    'layout = "oval"': "EB4 is played on terminals",
    'method = "B"': "EB4 names no methods of dealing",
    "hlga = true": "EB4 knows no HLGA",
    "differential-cents = 5": "EB4 knows no table differential",
    "phrase = 9": "phrase 9: EB4 has",
    'ranks = ["dealer"]': "ranks: expected the five positions of staff",
    "timings = { bets-ms = 86_400_001 }": "86400001: expected a whole number, 1000 to 86400000",
    "timings = { bets-ms = 0 }": "0: expected a whole number, 1000 to 86400000",
    "timings = { bet-ms = 5 }": "unknown key; did you mean 'bets-ms'?",
    'pace = "slow"': "'slow': expected a table",
    "reads = false": "a virtual shoe always knows its cards",
}


@pytest.mark.parametrize(("line", "said"), TABLE_MISTAKES.items())
def test_a_mistake_of_a_table_is_told_at_its_line(line: str, said: str, folder: Path) -> None:
    found = mistakes(f"{HEAD}{TIGER}\n# here\n{line}\n", folder)
    assert {each.line for each in found} == {8}
    assert found[0].key.startswith(f"table.{line.split(' ', maxsplit=1)[0]}")
    assert said in found[0].said


@pytest.mark.parametrize(
    ("store", "said"),
    [
        ("memory:", "memory: is gone with its process: expected sqlite:PATH"),
        ("mysql://db/floor", "names no store"),
        ("sqlite:", "names no store"),
        ("sqlite:nowhere/floor.db", "nowhere is no folder: expected one that is there, for the store"),
        ("postgresql://db/floor?schema=A-B", "schema 'A-B': expected lower-case letters"),
        ("mysql://root:secret@db/floor", "'db/floor' names no store"),
    ],
)
def test_an_address_that_names_no_store_is_told(store: str, said: str, folder: Path) -> None:
    found = mistake(f'store = "{store}"\nkey-file = "floor.key"\n{TIGER}', folder)
    assert (found.line, found.key) == (1, "store")
    assert said in found.said
    assert "secret" not in found.said


def test_a_key_that_is_not_there_or_none_is_told(folder: Path) -> None:
    (folder / "empty").touch()
    for name, said in (("none.key", "none.key is no file"), ("empty", "not a floor's key")):
        found = mistake(f'store = "floor.db"\nkey-file = "{name}"\n{TIGER}', folder)
        assert (found.line, found.key) == (2, "key-file")
        assert said in found.said


def test_a_key_comes_from_one_place(folder: Path) -> None:
    for line in ('key-env = "FLOOR_KEY"', 'key-command = ["vault", "kv", "get", "floor"]'):
        # Nothing is run, and no variable is read, before the floor opens.
        config = floor(f'store = "floor.db"\n{line}\n{TIGER}', folder)
        found = mistake(f"{HEAD}{line}\n{TIGER}", folder)
        assert (found.line, found.said) == (
            3,
            "the key comes from key-file already: expected one of key-file, key-env, key-command",
        )
    assert config.key_source.command == ("vault", "kv", "get", "floor")
    for line, said in (
        ('key-env = "A B"', "expected the name of a variable"),
        ('key-command = "vault get"', "expected a list of texts"),
        ("key-command = []", "expected a list of texts"),
        ('key-command = ["a", 1]', "expected a list of texts"),
    ):
        assert said in mistake(f'store = "floor.db"\n{line}\n{TIGER}', folder).said


def test_a_floor_is_made_with_the_key_that_its_file_leads_to(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = folder / "floor.key"
    monkeypatch.setenv("FLOOR_KEY", path.read_text())
    for line in ('key-env = "FLOOR_KEY"', f'key-command = ["cat", "{path}"]', 'key-file = "floor.key"'):
        server = make(floor(f'store = "floor.db"\n{line}\n{TIGER}', folder))
        assert server.hall.writer.floor.keys.public == Keys.at(path).public
        server.hall.close()
    with pytest.raises(PuntoError, match=r"'false': ended with status 1"):
        make(floor(f'store = "floor.db"\nkey-command = ["false"]\n{TIGER}', folder))


def test_with_a_signer_the_key_only_seals(folder: Path) -> None:
    _, sealing = split(read_key_file(folder / "floor.key", Kind.WHOLE))
    make_new_key_file(folder / "sealing.key", sealing)
    lines = 'store = "floor.db"\nkey-file = "sealing.key"\n'
    assert "holds a 'punto sealing key 1'" in mistake(lines + TIGER, folder).said
    assert "holds a 'punto key 1'" in mistake(f'{HEAD}signer = "/tmp/s"\n{TIGER}', folder).said
    assert floor(f'{lines}signer = "/tmp/s"\n{TIGER}', folder).signer.endswith("/s")
    for socket, said in (("no/s", "is no folder"), ("s" * 120, "too long for a socket")):
        assert said in mistake(f'{lines}signer = "{socket}"\n{TIGER}', folder).said


def test_what_must_be_said_is_missed(folder: Path) -> None:
    assert [(each.key, each.line) for each in mistakes("", folder)] == [("key-file", 1), ("store", 1), ("table", 1)]
    found = mistakes(f"{HEAD}[[table]]\n", folder)
    assert [(each.line, each.said) for each in found] == [(3, "this one has no game"), (3, "this one has no key")]


def test_a_table_that_comes_twice_is_told_with_the_line_of_the_first(folder: Path) -> None:
    found = mistake(f"{HEAD}{TIGER}{TIGER}", folder)
    assert found == (7, "table.key", "'1' is the table of line 4 already: expected another")


@pytest.mark.parametrize("key", ["", "a/b", "pit 7", "牌"])
def test_a_table_has_a_name_that_an_address_can_hold(key: str, folder: Path) -> None:
    found = mistake(HEAD + TIGER.replace('"1"', f'"{key}"'), folder)
    assert (found.line, found.key) == (4, "table.key")


def test_a_game_that_does_not_exist_is_told_with_one_that_does(folder: Path) -> None:
    found = mistake(HEAD + TIGER.replace("tiger", "tigger"), folder)
    assert found == (5, "table.game", "'tigger' is not a game; did you mean 'tiger'?")
    (folder / "bad.toml").write_text('key = "mine"\n')
    found = mistake(HEAD + TIGER.replace("tiger", "bad.toml"), folder)
    assert found == (5, "table.game", "bad.toml: line 1, column 1: the game has no 'title'")
    found = mistake(HEAD + TIGER.replace("tiger", "none.toml"), folder)
    assert found.said == "none.toml: No such file or directory: expected the declaration of a game"


def test_what_every_table_has_is_blamed_where_it_stands(folder: Path) -> None:
    usual = '[usual.limits]\n"*" = { min-cents = 150, max-cents = 500 }\n'
    found = mistakes(f"{HEAD}{usual}{TIGER}", folder)
    assert {(each.line, each.key) for each in found} == {(4, "usual.limits.*")}


def test_a_rulebook_that_is_not_in_force_yet_is_told_at_the_game(folder: Path) -> None:
    read = read_floor(HEAD + TIGER, folder, 0)
    assert [(each.line, each.key) for each in read.mistakes] == [(5, "table.game")]
    assert "too early to open" in read.mistakes[0].said


def test_all_mistakes_are_told_in_the_order_of_their_lines(folder: Path) -> None:
    first = '[[table]]\nkey = "1"\ngame = "tigger"\ndecks = 3\n'
    text = f"port = 0\nname = 5\n{HEAD}{first}{TIGER}unit-cents = 7\nhlga = true\n"
    assert [each.line for each in mistakes(text, folder)] == [1, 2, 7, 8, 10, 12, 13]


@pytest.mark.parametrize(
    ("text", "line"), [("name = \n", 1), ("a = 1\nb = [\n", 3), ("a = 1\na = 2\n", 2), ("x = " + "9" * 5000, 1)]
)
def test_what_is_no_toml_is_told_at_its_line(text: str, line: int, folder: Path) -> None:
    assert mistake(text, folder).line == line


def test_a_certificate_lets_a_floor_be_reached_from_elsewhere(folder: Path) -> None:
    make_certificate(folder)
    tls = 'host = "0.0.0.0"\ntls-certificate = "cert.pem"\ntls-key = "key.pem"\n'
    assert floor(tls + HEAD + TIGER, folder).address == "https://0.0.0.0:8421"
    (folder / "key.pem").write_text("nothing\n")
    found = mistake(tls + HEAD + TIGER, folder)
    assert (found.line, found.key) == (2, "tls-certificate")
    assert "expected a certificate and its key, both as PEM" in found.said


def test_a_key_with_a_passphrase_is_refused_and_never_asked_for(folder: Path) -> None:
    make_certificate(folder, b"secret")
    tls = 'tls-certificate = "cert.pem"\ntls-key = "key.pem"\n'
    assert "the key has a passphrase" in mistake(tls + HEAD + TIGER, folder).said


def test_only_this_machine_is_private() -> None:
    assert not any(map(is_public, ("127.0.0.1", "127.9.9.9", "::1", "localhost")))
    assert all(map(is_public, ("0.0.0.0", "::", "10.0.0.1", "192.168.1.5", "floor.example")))  # noqa: S104


def test_every_table_of_the_demonstration_can_be_opened(tmp_path: Path) -> None:
    config = demonstration(tmp_path)
    assert [table.setup.game for table in config.tables] == list(GAMES)
    for table in config.tables:
        assert complete(table.setup, NOW_MS).source is Source.VIRTUAL


def test_the_list_of_exclusions_is_checked_whole_with_each_mistake_at_its_line() -> None:
    listed, mistakes = read_exclusions(
        '[[excluded]]\npatron = "Lin Wee"\nfrom = 2026-03-01\nuntil = 2026-03-01\nreason = "x"\n'
        '[[excluded]]\npatron = "Bo"\nfrom = 2026-03-01T18:00:00+08:00\nreason = "y"\n'
    )
    assert not mistakes
    lin, bo = listed
    assert (lin.patron, lin.until_ms - lin.from_ms) == ("Lin Wee", 86_400_000)
    assert (bo.from_ms - lin.from_ms, bo.until_ms, bo.reason) == (43_200_000, 0, "y")
    wrong = (
        'since = 1\n[[excluded]]\npatron = "house"\nfrom = 2026-03-01T18:00:00\nuntil = 7\nreason = ""\n'
        '[[excluded]]\npatron = "Ann"\nfrom = 2026-03-02\nuntil = 2026-03-01\nreason = "x"\n'
        '[[excluded]]\npatron = "ANN"\nfrom = 2026-03-02\n'
    )
    listed, mistakes = read_exclusions(wrong)
    assert listed == ()
    assert [(each.line, each.key) for each in mistakes] == [
        (1, "since"), (3, "excluded.patron"), (4, "excluded.from"), (5, "excluded.until"), (6, "excluded.reason"),
        (10, "excluded.until"), (12, "excluded"), (13, "excluded.patron"),
    ]  # fmt: skip
    assert [read_exclusions(text)[1][0].line for text in ("excluded = 1", "\n[[", "x = " + "[" * 9_999)] == [1, 2, 1]


def test_every_key_is_documented() -> None:
    text = (ROOT / "docs" / "floor.md").read_text()
    for keys in (FLOOR, USUAL, TABLE, TIMINGS, PACE, LIMIT, WITNESS, CASH_LIMIT, CASH_REPORTS, EXCLUDED):
        assert [key for key in keys if not re.search(rf"^\| `{key}`", text, re.MULTILINE)] == []


def test_every_field_can_be_configured() -> None:
    """But those of a demonstration, and what is filled in when a table opens."""
    known = {key.replace("-", "_") for key in (*FLOOR, "tables", "witnesses")}
    assert set(FloorConfig.__struct_fields__) - known == {"demonstration", "play_credits_cents"}
    assert set(TableConfig.__struct_fields__) - set(TABLE) == {"setup"}
    known = {key.replace("-", "_") for key in TABLE}
    assert set(Setup.__struct_fields__) - known == {"declaration", "rulebook", "version", "digest", "readings"}
    assert [key.replace("-", "_") for key in PACE] == list(Pace.__struct_fields__)
