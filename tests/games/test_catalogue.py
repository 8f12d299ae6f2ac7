from datetime import UTC, datetime

import pytest
from tests.marks import clause, interpretation

from punto.errors import UnknownGame
from punto.games import GAMES, RULEBOOKS, digest, find

# Code, title, version, in force from (UTC; Singapore is eight hours ahead), games.
BOOKS = [
    ("EB4", "Electronic Baccarat", 4, datetime(2025, 3, 20, 1, 0, tzinfo=UTC), 7),
    ("FF2", "Fa Fa Fabulous 4 Baccarat", 2, datetime(2019, 5, 9, 9, 0, tzinfo=UTC), 1),
    ("B8", "Baccarat", 8, datetime(2020, 1, 22, 16, 0, tzinfo=UTC), 1),
    ("TNC5", "Tiger No Commission Baccarat", 5, datetime(2022, 4, 6, 16, 0, tzinfo=UTC), 1),
    ("E7U", "Electronic 7 Up Baccarat", None, datetime(2023, 5, 7, 16, 0, tzinfo=UTC), 1),
]


@interpretation(34)
@pytest.mark.parametrize(("code", "title", "version", "in_force", "games"), BOOKS)
def test_a_rulebook_has_its_title_version_date_and_games(
    code: str, title: str, version: int | None, in_force: datetime, games: int
) -> None:
    book = RULEBOOKS[code]
    assert (book.code, book.title.en, book.version, book.in_force) == (code, title, version, in_force)
    assert sum(game.rulebook == code for game in GAMES.values()) == games


@clause("EB4 3.1", "EB4 3.2", "E7U 3.1", "E7U 3.2")
@pytest.mark.parametrize("code", ["EB4", "E7U"])
def test_terminals_show_either_of_two_phrases(code: str) -> None:
    book = RULEBOOKS[code]
    assert [phrase.en for phrase in book.opens.phrases] == ["Place your bets, please", "Bets are open"]
    assert [phrase.en for phrase in book.closes.phrases] == ["No more bets", "Bets are closed"]
    assert (book.opens.clause, book.closes.clause) == (f"{code} 3.1", f"{code} 3.2")


@clause("FF2 3.1", "FF2 3.2", "B8 3.1", "B8 3.2", "TNC5 3.1", "TNC5 3.2")
@pytest.mark.parametrize("code", ["FF2", "B8", "TNC5"])
def test_a_dealer_announces_one_phrase(code: str) -> None:
    book = RULEBOOKS[code]
    assert [phrase.en for phrase in book.opens.phrases] == ["Place your bets, please"]
    assert [phrase.en for phrase in book.closes.phrases] == ["No more bets"]
    assert (book.opens.clause, book.closes.clause) == (f"{code} 3.1", f"{code} 3.2")


def test_there_are_five_rulebooks_and_eleven_games() -> None:
    assert list(RULEBOOKS) == [book[0] for book in BOOKS]
    assert list(GAMES) == [
        "baccarat", "super-six", "fortune-six", "super-6", "no-commission", "tiger", "tiger-no-commission",
        "fabulous-4s", "fa-fa-fabulous-4", "live-tiger-no-commission", "7-up",
    ]  # fmt: skip
    assert len({digest(game) for game in GAMES.values()}) == 11


def test_a_game_is_found_by_its_key() -> None:
    assert find("tiger") is GAMES["tiger"]
    with pytest.raises(UnknownGame) as refused:
        find("tigger")
    assert refused.value.code == "unknown-game"
    assert refused.value.message == f"'tigger' is not a game: expected {', '.join(GAMES)}, or a FILE.toml"


def test_digests_are_those_on_record() -> None:
    """A change of a declaration is a change of the game: if this fails, old records are judged by other rules."""
    assert {key: digest(game)[:12] for key, game in GAMES.items()} == {
        "baccarat": "0ac2f82d0851",
        "super-six": "1455665fc7ea",
        "fortune-six": "fdd61614b79a",
        "super-6": "c9372549cd2b",
        "no-commission": "01e3d7efa51f",
        "tiger": "1dca5e503a68",
        "tiger-no-commission": "d4f61e50beb1",
        "fabulous-4s": "5db96f873218",
        "fa-fa-fabulous-4": "337bf90dcd24",
        "live-tiger-no-commission": "06200feee0f3",
        "7-up": "5d0cad60edee",
    }
