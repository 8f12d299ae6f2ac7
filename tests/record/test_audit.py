import json
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import HealthCheck, settings
from hypothesis.stateful import run_state_machine_as_test
from tests.floor.machine import KEYS as MACHINE_KEYS
from tests.floor.machine import TableMachine
from tests.marks import ROOT
from tests.record.play import DEALT, KEYS, OTHER_KEYS, T1, TERMINALS, VIRTUAL, play
from tests.width import width

from punto.floor.handler import Floor
from punto.floor.scenario import START_MS, Runner, read_scenario
from punto.floor.wire import as_command
from punto.ledger import TableMeters
from punto.record import Code, Counts, audit
from punto.store.contract import Store
from punto.store.memory import MemoryStore
from punto.table.log import read as read_logged

SCENARIOS = sorted((ROOT / "docs" / "scenarios").rglob("*.jsonl"))


@pytest.mark.parametrize("path", SCENARIOS, ids=lambda path: path.stem)
def test_what_a_scenario_leaves_behind_is_clean(path: Path) -> None:
    scenario = read_scenario(path.read_text())
    assert scenario.heading.under, "a scenario that no rulebook plays is never run"
    for book in scenario.heading.under:
        store = MemoryStore()
        for _ in Runner(store, scenario, book, KEYS).run():
            pass
        report = audit(store, public_key=KEYS.public)
        assert not report.findings, f"{book}: {report.findings[0]}"


class Audited(TableMachine):
    """Whatever random people do at a table, the record of it is clean."""

    def open_store(self) -> Store:
        return MemoryStore()

    def teardown(self) -> None:
        report = audit(self.store, public_key=MACHINE_KEYS.public)
        assert not report.findings, str(report.findings[0])
        super().teardown()


def test_whatever_is_done_the_record_of_it_is_clean() -> None:
    checks = (HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much)
    sequences = width(15, 100)
    options = settings(max_examples=sequences, stateful_step_count=40, deadline=None, suppress_health_check=checks)
    run_state_machine_as_test(Audited, settings=options)


def test_an_empty_store_is_clean() -> None:
    assert audit(MemoryStore(), public_key=KEYS.public).clean


def test_the_report_says_how_much_was_looked_at() -> None:
    store = play(TERMINALS)
    report = audit(store, public_key=KEYS.public)
    assert report.clean
    booked = [entry for name, entries in store.entries.items() if name[:4] in {"wall", "book"} for entry in entries]
    assert report.counts == Counts(
        streams=7,
        entries=sum(map(len, store.entries.values())),
        rounds=3,
        wagers=6,
        cents=sum(json.loads(entry.body)["cents"] for entry in booked),
    )
    bought, corrected, cashed_out = 200_000, 500, 20_000
    assert report.counts.cents > bought + corrected + cashed_out


@pytest.mark.parametrize("text", [TERMINALS, DEALT, VIRTUAL])
def test_meters_come_to_what_the_ledgers_own_come_to(text: str) -> None:
    store = play(text)
    theirs = TableMeters()
    for entry in store.read(T1):
        theirs.add(read_logged(entry.body).event)
    ours = audit(store, public_key=KEYS.public).meters["T1"]
    for name in ("in_cents", "out_cents", "drop_cents", "hold_cents", "escrow_cents", "won_cents"):
        assert getattr(ours.total, name) == getattr(theirs.total, name), name


def test_without_the_key_all_heads_are_still_signed_with_one() -> None:
    assert not audit(play().sign(OTHER_KEYS)).total
    assert audit(play().sign(OTHER_KEYS), public_key=KEYS.public).findings[0].code is Code.UNKNOWN_KEY


def test_a_finding_says_where_it_is() -> None:
    store = play()
    version = store.version_of(T1, "round-settled")
    store.edit(T1, version, lambda body: body["event"]["payments"][0].update(paid_cents=1))
    first = audit(store.sign(KEYS), public_key=KEYS.public).findings[0]
    assert str(first).startswith(f"table/T1 {version}, round 1: wager 1, Banker: paid in cents 1; by EB4 4.1 it is ")
    assert str(first).endswith("(bad-settlement)")


def test_of_very_many_findings_the_first_thousand_are_kept_and_all_counted() -> None:
    store = play()
    for _ in range(1_500):
        store.insert(T1, 3, {"nonsense": True})
    report = audit(store, public_key=KEYS.public)
    assert len(report.findings) == 1_000
    assert report.total > 1_500


TWO_TABLES = """
{"by": "pit-manager pam", "do": "open-table", "table": "A", "setup": {"game": "tiger"}}
{"by": "pit-manager pam", "do": "open-table", "table": "B", "setup": {"game": "baccarat"}}
{"by": "dealer dan", "do": "load-shoe", "table": "A"}
{"by": "dealer dan", "do": "load-shoe", "table": "B"}
{"by": "patron ann", "do": "buy-in", "table": "A", "patron": "ann", "cents": 10000, "position": 1}
{"by": "dealer dan", "do": "open-bets", "table": "A"}
{"by": "dealer dan", "do": "open-bets", "table": "B"}
{"by": "patron ann", "do": "place-wager", "table": "A", "patron": "ann",
 "wager": "Tie", "stake_cents": 6000, "position": 1}
{"by": "patron ann", "do": "place-wager", "table": "B", "patron": "ann",
 "wager": "Tie", "stake_cents": 4000, "position": 2}
{"by": "dealer dan", "do": "close-bets", "table": "B"}
{"by": "dealer dan", "draw": "9s 9h Kd Kc", "table": "B"}
{"by": "dealer dan", "do": "announce", "table": "B"}
{"by": "dealer dan", "do": "settle", "table": "B"}
{"by": "patron ann", "do": "cash-out", "table": "B", "patron": "ann", "cents": 36000, "position": 2}
"""


def test_one_wallet_serves_two_tables() -> None:
    report = audit(play(TWO_TABLES), public_key=KEYS.public)
    assert report.clean
    assert report.meters["A"].total.escrow_cents == 6000
    assert report.meters["B"].total.hold_cents == -32_000


def test_a_report_can_be_sent() -> None:
    store = play()
    store.cut("security", 0)
    sent = json.loads(msgspec.json.encode(audit(store, public_key=KEYS.public)))
    assert sent["findings"][0]["code"] == "cut-off"
    assert sent["meters"]["T1"]["positions"]["1"]["in_cents"] == 100_000


def test_commands_in_groups_are_audited_together() -> None:
    store = MemoryStore()
    floor = Floor(store, KEYS)
    give = {"table": "T1", "at_ms": START_MS}
    pam = {"name": "p", "position": "pit-manager"}
    dan = {"name": "d", "position": "dealer"}
    ann = {"name": "a", "position": "patron"}
    setup = {"game": "super-six"}
    rows: list[dict[str, Any]] = [
        {"do": "open-table", "by": pam, "setup": setup},
        {"do": "load-shoe", "by": dan},
        {"do": "buy-in", "by": ann, "patron": "a", "cents": 1000, "position": 1},
        {"do": "open-bets", "by": dan},
        {"do": "place-wager", "by": ann, "patron": "a", "wager": "Tie", "stake_cents": 1000, "position": 1},
        {"do": "close-bets", "by": dan},
        *[{"do": "draw-card", "by": dan, "card": card} for card in "9s Kh Kd 9c".split()],
        {"do": "cash-out", "by": ann, "patron": "a", "cents": 9000, "position": 1},
    ]
    answers = floor.handle_all([as_command({**give, **row, "id": str(n)}) for n, row in enumerate(rows)])
    assert not [answer for answer in answers if isinstance(answer, Exception)]
    report = audit(store, public_key=KEYS.public)
    assert report.clean, str(report.findings[0])
    assert (report.counts.streams, report.counts.rounds, report.counts.wagers) == (4, 1, 1)
