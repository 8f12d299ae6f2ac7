"""The next round's chances: those of the cards that can really come, after every sort of interruption."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from punto.cards import parse_cards
from punto.floor.scenario import Runner, read_scenario
from punto.games import GAMES, dumps, loads
from punto.lab import Composition, Odds
from punto.server.chances import Lab, Outlook, Sight, _chances
from punto.server.faces.staff import alarms
from punto.store import MemoryStore
from punto.table import Phase, Table

SCENARIOS = Path(__file__).parent.parent.parent / "docs" / "scenarios"
BOOKS = {"EB4": "baccarat", "E7U": "7-up"}


def tables(name: str, book: str) -> Iterator[Table]:
    """The table after every line of a scenario."""
    runner = Runner(MemoryStore(), read_scenario((SCENARIOS / name).read_text("utf-8")), book)
    for _ in runner.run():
        yield runner.floor.table(runner.table)


def at_the_end(name: str, book: str) -> Table:
    *_, table = tables(name, book)
    return table


def play(book: str, *lines: dict[str, Any]) -> Table:
    """The table after lines of our own: it is open and has a shoe, and ann has money."""
    opening = [
        {"scenario": "chances", "under": [book]},
        {"by": "pit-supervisor", "do": "open-table", "setup": {}},
        {"by": "dealer", "do": "load-shoe"},
        {"by": "patron ann", "do": "buy-in", "patron": "ann", "cents": 100000, "position": 1},
    ]
    text = "\n".join(json.dumps(line) for line in [*opening, *lines])
    runner = Runner(MemoryStore(), read_scenario(text), book)
    for step in runner.run():
        assert not step.wrong, step
    return runner.floor.table(runner.table)


def round_of(cards: str) -> list[dict[str, Any]]:
    """A round with a wager."""
    wager = {"by": "patron ann", "do": "place-wager", "patron": "ann", "wager": "Banker", "stake_cents": 5000}
    return [
        {"by": "dealer", "do": "open-bets"},
        wager | {"position": 1},
        {"by": "dealer", "do": "close-bets"},
        {"by": "dealer", "draw": cards},
    ]


def expected(table: Table, gone: str, known: str = "", *, undecided: bool = False) -> Outlook:
    """What the lab says of the shoe without some cards, when others are known to come first."""
    game = table.game
    shoe = Composition.full(game.deck, table.open.decks).without(parse_cards(gone, game.deck))
    odds = Odds(game).given(shoe, parse_cards(known, game.deck))
    return Outlook((), _chances(odds), open=not known and not undecided)


def agrees(table: Table, gone: str, known: str = "", *, undecided: bool = False) -> None:
    found, wanted = Lab().look(table), expected(table, gone, known, undecided=undecided)
    assert found.chances == wanted.chances
    assert found.open == wanted.open
    assert found.public == (wanted.chances if wanted.open else None)


def known_card_alarm(table: Table) -> bool:
    return "card" in {alarm.what for alarm in alarms(table, (), proposed=False)}


# --- what is gone ----------------------------------------


def test_cards_of_a_finished_round_are_gone() -> None:
    table = play("EB4", *round_of("Th Ks Jd 9c"))
    assert table.phase is Phase.SETTLED
    agrees(table, "Th Ks Jd 9c")


@pytest.mark.parametrize("book", ["EB4", "E7U"])
def test_cards_that_lay_open_when_a_round_was_void_are_gone(book: str) -> None:
    """The power fails with nothing decided: the virtual shoe goes on after the cards that have come."""
    void = [
        table
        for table in tables("terminals/5.9.1-virtual-shoe-goes-on.jsonl", book)
        if table.phase is Phase.VOID and table.shoe.drawn
    ]
    gone = " ".join(laid.card for laid in void[0].cards)
    assert len(gone.split()) == void[0].shoe.drawn
    agrees(void[0], gone)


def test_cards_that_nobody_saw_before_a_void_are_as_likely_as_any() -> None:
    """By Method A the cards lie face down: what the device has read of them is nobody's knowledge."""
    seen = [
        table
        for name in ("dealt/5.9-device-reset.jsonl", "dealt/6.1-bets-reopened.jsonl")
        for table in tables(name, "B8")
        if table.phase is Phase.BETS_OPEN and table.shoe.gone
    ]
    assert seen, "cards that lay open are discarded there"
    for table in seen:
        agrees(table, " ".join(table.shoe.gone))


def test_cards_that_a_decision_burns_by_name_are_gone_and_the_next_ones_are_unknown() -> None:
    table = [each for each in tables("dealt/6.1-cards-by-decision.jsonl", "B8") if each.phase is Phase.BETS_OPEN][-1]
    assert table.shoe.gone.count("2d") == 2
    sight = Sight.of(table)
    assert sight is not None
    assert sight.left == table.left + len(sight.next) < table.open.decks * 52 - len(sight.gone)


def test_a_missing_card_that_is_named_is_gone() -> None:
    table = at_the_end("dealt/5.1-missing-card-named.jsonl", "B8")
    missing = [each for each in tables("dealt/5.1-missing-card-named.jsonl", "B8") if each.shoe.missing]
    assert set(missing[-1].shoe.missing) <= set(missing[-1].shoe.gone)
    assert table.shoe.number


def test_a_new_shoe_knows_nothing_of_the_old_one() -> None:
    gone = [table.shoe for table in tables("dealt/5.9-device-reset.jsonl", "B8")]
    assert all(not shoe.gone for shoe in gone if not shoe.drawn)


# --- what is known to come ----------------------------------------


@pytest.mark.parametrize("book", ["EB4", "E7U"])
def test_a_seen_card_that_a_decision_plays_comes_first_and_is_an_alarm_while_bets_are_open(book: str) -> None:
    ruled = [table for table in tables("terminals/6.1-face-up-and-played.jsonl", book) if table.spare]
    before = next(table for table in ruled if not table.spare[0].allowed)
    between = next(table for table in ruled if table.spare[0].allowed and table.phase is Phase.SETTLED)
    betting = next(table for table in ruled if table.phase is Phase.BETS_OPEN)
    used = " ".join(before.coups[0].split())
    assert set(used.split()) == set("Th Ks Jd 9c".split())
    # Until it is decided it cannot come: no bets open before, and it is burnt unless the decision plays it.
    # Everybody else is told nothing meanwhile: the chances without it would tell which card it is.
    agrees(before, f"{used} Tc", undecided=True)
    agrees(between, used, "Tc")
    agrees(betting, used, "Tc")
    assert [known_card_alarm(each) for each in (before, between, betting)] == [False, False, True]
    # With a ten for the first card Player's chance is not what it usually is.
    usual = Lab().look(play(book)).chances
    found = Lab().look(betting).chances
    assert found is not None
    assert usual is not None
    assert abs(found.player - usual.player) > 0.004


def test_a_surplus_card_that_nobody_saw_changes_nothing_and_is_no_alarm() -> None:
    spare = [table for table in tables("dealt/5.7-surplus-card.jsonl", "B8") if table.spare]
    unseen = [table for table in spare if not any(each.seen for each in table.spare)]
    assert unseen
    for table in unseen:
        sight = Sight.of(table)
        assert sight is not None
        assert not sight.card_is_known
        assert not known_card_alarm(table)


def test_whether_an_alarm_is_given_depends_on_what_somebody_saw() -> None:
    """In every scenario: an alarm while wagers can change and a card is known that may come, and only then."""
    found = 0
    for path in sorted((SCENARIOS / "terminals").glob("6.1-*.jsonl")):
        heading = json.loads(path.read_text("utf-8").splitlines()[0])
        for table in tables(f"terminals/{path.name}", heading["under"][0]):
            can_change = table.phase is Phase.BETS_OPEN or table.heavier is not None
            known = can_change and (bool(table.glimpsed) or any(spare.seen for spare in table.spare))
            assert known_card_alarm(table) == known
            found += known
    assert found > 3


# --- the rest ----------------------------------------


def test_players_chance_does_not_come_from_what_a_wager_pays() -> None:
    """A wager on Player that pushes on some of its wins leaves Player's chance as it is."""
    declared = dumps(GAMES["baccarat"])
    first = declared.index('when = "winner player"')
    row = declared.rindex("{", 0, first)
    pushed = declared[:row] + '{ when = "winner player and player total 9", odds = "push" },\n  ' + declared[row:]
    games = GAMES["baccarat"], loads(pushed)
    assert games[0].wager("Player") != games[1].wager("Player")
    usual, other = (_chances(Odds(game).of()) for game in games)
    assert usual == other
    assert (round(usual.player, 6), round(usual.banker, 6), round(usual.tie, 6)) == (0.446247, 0.458597, 0.095156)


def test_without_a_shoe_or_with_too_few_cards_there_is_no_outlook() -> None:
    assert Lab().look(Table()) == Outlook()
    empty = [table for table in tables("dealt/6.1-an-empty-shoe-is-not-kept.jsonl", "B8") if table.left < 6]
    assert all(Lab().look(table) == Outlook() for table in empty)
