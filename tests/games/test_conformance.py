"""What must hold of any game, run over all eleven."""

import pickle
import re
from concurrent.futures import ThreadPoolExecutor
from itertools import islice

import pytest
from tests.games.golden import golden
from tests.games.mutator import every_class
from tests.marks import CLAUSES, interpretation
from tests.width import width

from punto.cards import Card
from punto.games import GAMES, RULEBOOKS, digest, dumps, loads
from punto.rules import Coup, Deal, Game, Language, Settler, Standing

every_game = pytest.mark.parametrize("game", GAMES.values(), ids=GAMES.keys())
# Where the games differ only in size: one of each opening and deck, and all of them at night.
some_games = pytest.mark.parametrize("key", width(("tiger", "fa-fa-fabulous-4", "7-up"), tuple(GAMES)))
HAN = re.compile(r"[\u4e00-\u9fff]")


@every_game
def test_a_game_is_written_to_toml_and_read_back_equal(game: Game) -> None:
    written = dumps(game)
    assert loads(written) == game
    assert dumps(loads(written)) == written
    assert digest(loads(written)) == digest(game)


@some_games
def test_a_game_survives_pickling_before_and_after_use(key: str) -> None:
    game = GAMES[key]
    assert pickle.loads(pickle.dumps(loads(dumps(game)))) == game  # noqa: S301
    fresh = loads(dumps(game))
    small = len(pickle.dumps(fresh))
    fresh.settle(golden(game.key)[0].coup(game.key))
    fresh.tabulate()
    assert len(pickle.dumps(fresh)) == small  # what was worked out stays behind
    copy = pickle.loads(pickle.dumps(fresh))  # noqa: S301
    assert copy == game
    assert copy.standings(copy.begin()) == game.standings(game.begin())


@every_game
def test_every_name_and_every_condition_is_said_in_both_languages(game: Game) -> None:
    assert HAN.search(game.title.zh)
    assert not HAN.search(game.title.en)
    for wager in game.wagers:
        assert HAN.search(wager.label.zh)
        assert not HAN.search(wager.name)
        said = {language: [pay.when.words(language) for pay in wager.pays] for language in Language}
        for words in said.values():
            assert len(set(words)) == len(words), "two rows read alike"
        assert all(HAN.search(words) for words in said[Language.CHINESE])
        assert not any(HAN.search(words) for words in said[Language.ENGLISH])


@every_game
def test_every_clause_cited_exists_and_is_of_the_games_rulebook(game: Game) -> None:
    cited = {wager.clause for wager in game.wagers} | {pay.clause for wager in game.wagers for pay in wager.pays}
    assert cited <= set(CLAUSES)
    assert {name.split()[0] for name in cited} == {game.rulebook}
    assert game.rulebook in RULEBOOKS


@every_game
@interpretation(5)
def test_every_wager_stands_alone(game: Game) -> None:
    for deal in golden(game.key):
        coup = deal.coup(game.key)
        together = game.settle(coup)
        alone = {wager.name: Settler((wager,)).settle(coup)[wager.name] for wager in game.wagers}
        assert alone == together


@every_game
@interpretation(6)
def test_a_unit_of_one_credit_is_never_paid_a_part_of_a_cent(game: Game) -> None:
    for wager in game.wagers:
        for pay in wager.pays:
            assert (pay.odds.net * 100).denominator == 1


def branches(game: Game, deal: Deal) -> list[Deal]:
    return [deal.take(card) for card in game.deck.cards]


@every_game
@interpretation(14)
def test_a_standing_is_what_all_next_cards_agree_on(game: Game) -> None:
    """A wager is won or lost on a partial deal just when it is so after every next card."""
    for wanted in golden(game.key)[:: width(6, 1)]:
        deal = Deal.begin(game.opening)
        for card in _cards(game, wanted.coup(game.key)):
            after = [_standings(game, branch) for branch in branches(game, deal)]
            for name, standing in game.standings(deal).items():
                agreed = {each[name] for each in after}
                assert standing is (agreed.pop() if len(agreed) == 1 else Standing.UNDECIDED), (deal.cards, name)
            deal = deal.take(card)


def _cards(game: Game, coup: Coup) -> tuple[Card, ...]:
    return Deal(game.opening, coup.player.cards, coup.banker.cards).cards


def _standings(game: Game, deal: Deal) -> dict[str, Standing]:
    """The standings of a partial deal, or the results of a complete one; a push leaves a wager undecided."""
    coup = deal.coup
    if not coup:
        return game.standings(deal)
    results = {"win": Standing.WON, "lose": Standing.LOST, "push": Standing.UNDECIDED}
    settled = {name: results[each.result.value] for name, each in game.settle(coup).items()}
    assert game.standings(deal) == settled
    return settled


@every_game
def test_threads_may_share_a_game(game: Game) -> None:
    fresh = loads(dumps(game))
    deals = golden(game.key) * 5
    coups = [deal.coup(game.key) for deal in deals]

    def settle_all(_: int) -> bool:
        settled = [fresh.settle(coup) for coup in coups]
        nets = [{name: each.net for name, each in one.items()} for one in settled]
        return nets == [deal.nets for deal in deals]

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(settle_all, range(8)))


@some_games
def test_what_a_game_remembers_is_bounded_by_its_rules(key: str) -> None:
    game = GAMES[key]
    settler = Settler(game.wagers)
    for wager in game.wagers:
        for coup in islice(every_class(game, wager.name), 5000):
            settler.settle(coup)
    assert sum(len(ruling.known) for ruling in settler._rulings) < 20_000  # noqa: SLF001
