"""What a patron is told of a decision on the patron's own wagers: at the terminal, and when the round is recalled."""

from pathlib import Path
from typing import Final

from tests.marks import clause

from punto.floor.scenario import Runner, read_scenario
from punto.record.seeking import recall
from punto.rules.money import Cents
from punto.server.faces.own import own_state, returned_by
from punto.server.http.telling import Viewer, tell_round
from punto.server.wire.tells import OwnReturn
from punto.store import Store
from punto.store.memory import MemoryStore
from punto.table import Table
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
