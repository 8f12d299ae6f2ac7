import pytest
from hypothesis import given
from hypothesis import strategies as st

from punto.cards import ELEMENTS, STANDARD
from punto.errors import BadDeclaration
from punto.games import GAMES, digest, dumps, loads
from punto.rules import CLASSIC, EVEN, PERMANENT, PUSH, Label, Odds
from punto.rules.facts import BANKER_WINS, banker_cards, banker_total

DRAGON_7 = """\
# A game of our own: Baccarat with Dragon 7.
key = "dragon-7"
title = "Baccarat with Dragon 7"

[[wager]]
name = "Player"
pays = [
  { when = "winner player", odds = "1 to 1" },
  { when = "winner tie", odds = "push" },
]

[[wager]]
name = "Banker"
clause = "House 2"

[[wager.pays]]
when = "winner banker and banker total 7 and banker cards 3"
odds = "push"

[[wager.pays]]
when = "winner banker"
odds = "0.95 to 1"
clause = "House 3"

[[wager]]
name = "Dragon 7"
zh = "龙7"
[[wager.pays]]
when = '''
  winner banker
  and banker total 7
  and banker cards 3'''
odds = "40 to 1"
"""


def test_a_game_of_ones_own_is_declared() -> None:
    game = loads(DRAGON_7)
    assert (game.key, game.title) == ("dragon-7", Label("Baccarat with Dragon 7", "Baccarat with Dragon 7"))
    assert (game.deck, game.opening, game.rulebook) == (STANDARD, CLASSIC, "")
    player, banker, dragon = game.wagers
    assert player.label == Label("Player", "闲")  # a name of the rulebooks brings its Chinese
    assert player.clause == ""
    assert [pay.odds for pay in player.pays] == [EVEN, PUSH]
    assert (banker.label.zh, banker.clause) == ("庄", "House 2")
    assert [(pay.clause, pay.odds) for pay in banker.pays] == [("House 2", PUSH), ("House 3", Odds(19, 20))]
    assert dragon.label == Label("Dragon 7", "龙7")
    assert dragon.pays[0].when == BANKER_WINS & banker_total(7) & banker_cards(3)
    assert loads(dumps(game)) == game


def test_layout_and_comments_do_not_change_the_digest_but_a_figure_does() -> None:
    game = loads(DRAGON_7)
    assert digest(loads(DRAGON_7.replace("# A game", "\n\n#   Some game"))) == digest(game)
    assert digest(loads(dumps(game))) == digest(game)
    assert digest(loads(DRAGON_7.replace("40 to 1", "41 to 1"))) != digest(game)
    assert digest(loads(DRAGON_7.replace("\n", "\r\n"))) == digest(game)
    assert digest(loads(DRAGON_7.replace("龙7", "龍7").replace("Baccarat with", "Bacc. with"))) == digest(game)
    assert digest(loads(DRAGON_7.replace("House 3", "House 4"))) != digest(game)
    assert digest(loads(DRAGON_7.replace('"dragon-7"', '"dragon-8"'))) != digest(game)


def test_the_other_deck_and_the_other_opening_are_named() -> None:
    head = 'deck = "elements"\nopening = "permanent-7"\nrulebook = "FF2"\ntitle-zh = "中"\n'
    game = loads(head + DRAGON_7)
    assert (game.deck, game.opening, game.rulebook, game.title.zh) == (ELEMENTS, PERMANENT, "FF2", "中")


MISTAKES = [
    # replace this, by that: line, column, message
    ('key = "dragon-7"', 'kee = "dragon-7"', 2, 1, "unknown key 'kee': expected key, title, title-zh, rulebook, deck, opening, wager"),
    ('key = "dragon-7"\n', "", 1, 1, "the game has no 'key'"),
    ('"dragon-7"', '"Dragon 7"', 2, 7, "'Dragon 7' is no key: expected lower-case words joined by hyphens, as in 'fortune-six'"),
    ('"dragon-7"', "7", 2, 7, "'key' must be a string"),
    ('"dragon-7"', '""', 2, 7, "'key' is empty or not printable: expected a line of text"),
    ('"Baccarat with', '"Bacca\\u0007rat with', 3, 9, "'title' is empty or not printable: expected a line of text"),
    ("[[wager]]\nname = \"Player\"", "[[wager]]\nnam = \"Player\"", 6, 1, "unknown key 'nam': expected name, zh, clause, pays"),
    ('name = "Player"\n', "", 5, 1, "this wager has no 'name'"),
    ('name = "Banker"', 'name = "Player"', 13, 8, "the wager 'Player' is declared twice"),
    ("winner player", "winner plyer", 8, 20, "'winner' cannot be 'plyer': expected player banker tie"),
    ("winner tie", "winner tie and", 9, 27, "the condition ends too early: expected a fact, 'not' or '('"),
    ("banker total 7 and banker cards 3\"", "banker totl 7\"", 17, 27, "there is no fact 'banker totl': did you mean 'banker total'?"),
    ("  and banker total 7\n", "  and banker total 17\n", 31, 20, "'banker total' cannot be '17': expected 0 1 2 3 4 5 6 7 8 9"),
    ('odds = "1 to 1"', 'odds = "1 for 1"', 8, 36, "'1 for 1' is no odds: expected e.g. '12 to 1', '0.95 to 1', or 'push'"),
    ('odds = "1 to 1"', 'odds = "0 to 1"', 8, 36, "'0 to 1' is no odds: expected e.g. '12 to 1', '0.95 to 1', or 'push'"),
    ('odds = "1 to 1"', 'odds = "1 to 0"', 8, 36, "'1 to 0' is no odds: expected e.g. '12 to 1', '0.95 to 1', or 'push'"),
    ('odds = "1 to 1"', 'odds = "99999999 to 1"', 8, 36, "'99999999 to 1' is no odds: expected e.g. '12 to 1', '0.95 to 1', or 'push'"),
    (', odds = "1 to 1"', "", 8, 3, "this pay row has no 'odds'"),
    (', odds = "1 to 1"', ', odd = "1 to 1"', 8, 29, "unknown key 'odd': expected when, odds, clause"),
    ('odds = "40 to 1"', "odds = 40", 33, 8, "'odds' must be a string"),
    ('clause = "House 2"', "clause = 2", 14, 10, "'clause' must be a string"),
    ('title = "Baccarat with Dragon 7"', 'title = "B"\nrulebook = "EB44"', 4, 12, "'EB44' is no rulebook: expected EB4, FF2, B8, TNC5, E7U, or none"),
    ('zh = "龙7"', 'zh = ""', 27, 6, "'zh' is empty or not printable: expected a line of text"),
    ('title = "Baccarat with Dragon 7"', 'title = "B"\ndeck = "tarot"', 4, 8, "'tarot' is no deck: expected standard or elements"),
    ('title = "Baccarat with Dragon 7"', 'title = "B"\nopening = "x"', 4, 11, "'x' is no opening: expected classic or permanent-7"),
    ('key = "dragon-7"', 'a.b = 1\nkey = "dragon-7"', 2, 1, "unknown key 'a': expected key, title, title-zh, rulebook, deck, opening, wager"),
    ("[[wager]]\nname = \"Banker\"", "[wager.x]\n[[wager]]\nname = \"Banker\"", 12, 1, "unknown key 'x': expected name, zh, clause, pays"),
    ("# A game", "[", 1, 6, "not TOML: "),
    ('odds = "40 to 1"', 'odds = "40 to 1', 33, 16, "not TOML: "),
]  # fmt: skip


@pytest.mark.parametrize(("right", "wrong", "line", "column", "message"), MISTAKES)
def test_a_mistake_is_shown_at_its_line_and_column(
    right: str, wrong: str, line: int, column: int, message: str
) -> None:
    assert right in DRAGON_7
    with pytest.raises(BadDeclaration) as refused:
        loads(DRAGON_7.replace(right, wrong, 1))
    assert refused.value.code == "bad-declaration"
    assert refused.value.message.startswith(f"line {line}, column {column}: {message}")
    assert (refused.value.at, refused.value.column) == (line, column)
    assert "\n" not in refused.value.message


@pytest.mark.parametrize(
    ("text", "place", "message"),
    [
        ("", (1, 1), "the game has no 'key'"),
        ('key = "a"\ntitle = "b"', (1, 1), "the game has no 'wager'"),
        ("key =", (1, 6), "not TOML: Invalid value"),
        ('key = """a\n', (2, 1), "not TOML: Unterminated string"),
        ('key = "a"\ntitle = "b"\nwager = []', (3, 9), "'wager' is empty: expected at least one"),
        ('key = "a"\ntitle = "b"\nwager = [1]', (3, 10), "'wager' must be a list of tables"),
        ('key = "a"\ntitle = "b"\nwager = "c"', (3, 9), "'wager' must be a list"),
        ('key = "a"\ntitle = "b"\n[wager]\nname = "c"', (3, 1), "'wager' must be a list"),
        ('key = "a"\ntitle = "b"\n[[wager]]\nname = "c"\npays = []', (5, 8), "'pays' is empty: expected at least one"),
        ('key = "a"\ntitle = "b"\n[[wager]]\nname = "c"', (3, 1), "this wager has no 'pays'"),
        ('key="m"\ntitle.x="t"', (2, 1), "'title' must be a string"),
        ('key="m"\ntitle="M"\nwager.x=1', (3, 1), "'wager' must be a list"),
        ('key = "a" # x\n"title" = 7', (2, 11), "'title' must be a string"),
    ],
)
def test_what_is_missing_is_said_too(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(BadDeclaration) as refused:
        loads(text)
    assert refused.value.message == f"line {place[0]}, column {place[1]}: {message}"


def test_a_number_without_end_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=r"^line 2, column 7: a number too long to be read: expected no number"):
        loads('key = "a"\nfoo = ' + "9" * 5000)


def test_a_file_that_nests_without_end_is_refused() -> None:
    with pytest.raises(BadDeclaration, match=r"^line 1, column 15: the file nests too deeply to be a game$"):
        loads("key = " + "[" * 100_000)


@given(st.sampled_from(sorted(GAMES)), st.data())
def test_a_broken_declaration_is_read_or_refused_inside_itself(key: str, data: st.DataObject) -> None:
    text = dumps(GAMES[key])
    start = data.draw(st.integers(0, len(text)))
    size = data.draw(st.integers(0, 12))
    broken = text[:start] + data.draw(st.text(max_size=4)) + text[start + size :]
    try:
        game = loads(broken)
    except BadDeclaration as refused:
        lines = broken.replace("\r\n", "\n").split("\n")
        assert 1 <= refused.at <= len(lines) + 1
        assert refused.message.startswith(f"line {refused.at}, column {refused.column}: ")
    else:
        assert loads(dumps(game)) == game
