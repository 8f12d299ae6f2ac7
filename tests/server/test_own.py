"""What a patron is told of a decision on the patron's own wagers: at the terminal, and when the round is recalled."""

from pathlib import Path
from typing import Final

from tests.marks import clause, interpretation
from tests.table.desk import MANAGER, Desk, patron

from punto.floor.scenario import Runner, read_scenario
from punto.record.seeking import recall
from punto.rules import Method, Side
from punto.rules.money import Cents
from punto.server.faces.own import own_state, returned_by
from punto.server.http.telling import Viewer, tell_round
from punto.server.wire.tells import OwnReturn
from punto.store import Store
from punto.store.memory import MemoryStore
from punto.table import Table
from punto.table import commands as do
from punto.table import events as on
from punto.table.evolve import evolve

SCENARIOS: Final = Path(__file__).resolve().parents[2] / "docs" / "scenarios"


def played(name: str, book: str, store: Store) -> list[tuple[Table, on.AnyEvent, Table]]:
    """Every event of a scenario, with the table before and after it."""
    scenario = read_scenario((SCENARIOS / f"{name}.jsonl").read_text(encoding="utf-8"))
    table, found = Table(), []
    for step in Runner(store, scenario, book).run():
        for event in step.events:
            before, table = table, evolve(table, event)
            found.append((before, event, table))
    return found


@clause("B8 6.1")
def test_a_patron_is_told_what_a_decision_returned_and_which_result_it_stated() -> None:
    steps = played("dealt/6.1-decision-in-parts", "B8", MemoryStore())
    before, ruled = next((before, event) for before, event, _ in steps if isinstance(event, on.Ruled))
    assert returned_by(before, ruled) == {
        "cho": (OwnReturn("Banker", Cents(2_000), Cents(0), "B8 6.1"),),
        "ann": (OwnReturn("Player", Cents(2_000), Cents(3_000), "B8 6.1"),),
    }
    table = steps[-1][2]
    own = {patron: own_state(table, patron, 1, []).payments for patron in ("ann", "bob", "cho")}
    assert [(each.stake_cents, each.decided) for each in own["ann"]] == [(3_000, False)]
    assert [(each.won_cents, each.clause, each.decided) for each in own["bob"]] == [(8_000, "B8 6.1", True)]
    assert own["cho"] == ()


@clause("B8 6.1")
def test_a_recalled_round_tells_what_of_a_wager_went_back() -> None:
    store = MemoryStore()
    played("dealt/6.1-decision-in-parts", "B8", store)
    [stream] = [name for name, _ in store.streams() if name.startswith("table/")]
    [found] = recall(store, stream.removeprefix("table/"), 10, None, {})
    told = {each.patron: each for each in tell_round(found, Viewer(staff=True)).wagers}
    ann, bob, cho = told["ann"], told["bob"], told["cho"]
    assert (ann.stake_cents, ann.returned_cents, ann.paid_cents) == (3_000, 2_000, 6_000)
    assert (bob.why.en, bob.why.zh, bob.clause) == ("Settled by decision", "依裁决结算", "B8 6.1")
    assert (cho.result, cho.returned_cents, cho.paid_cents) == ("returned", 0, 2_000)


@clause("EB4 5.10")
def test_a_terminal_is_told_that_it_is_down() -> None:
    steps = played("terminals/5.10-terminal-down", "EB4", MemoryStore())
    failed = next(after for _, event, after in steps if isinstance(event, on.TerminalsFailed))
    assert [own_state(failed, "ann", seat, []).down for seat in (1, 2, 3)] == [True, False, True]


@interpretation(48)
def test_no_face_is_told_before_an_event_says_that_the_patron_may_see_it() -> None:
    """Whoever may squeeze a hand sees it once it is passed: a floor that is killed before that has told nothing."""
    desk = Desk(method=Method.A)
    desk.bets(("ann", "Player", 1_000), ("bob", "Player", 500))
    desk(do.PermitSqueeze, MANAGER, side=Side.PLAYER, patron="ann")
    desk(do.CloseBets)
    for cards in ("2s", "Kh", "3d"):
        desk.draw(cards)
        assert own_state(desk.table, "ann", 1, []).holding == {Side.PLAYER: ()}
        assert not desk.table.known_to("ann").player
    desk.draw("4c")
    assert own_state(desk.table, "ann", 1, []).holding == {Side.PLAYER: ("2s", "3d")}
    assert [str(card) for card in desk.table.known_to("ann").player] == ["2s", "3d"]
    assert not desk.table.known_to("bob").player
    assert not own_state(desk.table, "bob", 2, []).holding


@interpretation(48)
def test_whoever_had_the_cards_has_seen_them_also_once_another_has_them() -> None:
    desk = Desk(method=Method.A)
    desk.bets(("ann", "Player", 1_000), ("bob", "Player", 500), ("cho", "Tie", 500))
    desk(do.CloseBets)
    desk.draw("2s Kh 3d 4c")
    desk(do.AcceptCards, patron("ann"), patron="ann", side=Side.PLAYER)
    desk(do.PermitSqueeze, MANAGER, side=Side.PLAYER, patron="bob", designee="dan")
    seen = {name: bool(desk.table.known_to(name).player) for name in ("ann", "bob", "dan", "cho")}
    assert seen == {"ann": True, "bob": True, "dan": True, "cho": False}
