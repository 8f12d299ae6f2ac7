"""A floor is killed in the middle of play; faults that are planted must be found."""

from collections.abc import Iterable
from pathlib import Path
from random import Random

import pytest

from punto.floor.answers import Answer
from punto.floor.handler import Floor
from punto.floor.keys import Keys
from punto.store import SqliteStore
from tests.store.server import Server
from tests.torture.evidence import Evidence
from tests.torture.examine import examine
from tests.torture.kill import kill_many
from tests.torture.worker import STORE, begin
from tests.width import SEED, width

KILLS = width(4, 40)
KILLS_ON_A_SERVER = width(2, 40)
# A planted fault is found after a few kills as a rule; on a busy machine it may take many more.
MOST_KILLS = 160
CHANCE = width(4, SEED)


def test_a_killed_floor_loses_nothing_and_leaves_nothing_half_done(tmp_path: Path) -> None:
    for tally in kill_many(tmp_path, KILLS, CHANCE):
        assert not tally.findings, f"seed {CHANCE}: {tally.findings}"
    assert tally.kills == KILLS
    assert tally.commands > KILLS


def test_a_killed_server_leaves_no_answer_wrong(tmp_path: Path) -> None:
    server = Server()
    try:
        for tally in kill_many(tmp_path, KILLS_ON_A_SERVER, CHANCE, server=server):
            assert not tally.findings, f"seed {CHANCE}: {tally.findings}"
    finally:
        server.close()
    assert tally.kills == KILLS_ON_A_SERVER
    assert tally.blows.keys() != {"process"}, f"seed {CHANCE}: only the floor was killed"


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        pytest.param("hasty", "and is lost", marks=pytest.mark.nightly),
        ("torn", "covered by no head"),
        pytest.param("forgetful", "were booked", marks=pytest.mark.nightly),
        pytest.param("misdealing", "sealed was", marks=pytest.mark.nightly),
    ],
)
def test_a_planted_fault_is_found(tmp_path: Path, fault: str, said: str) -> None:
    for tally in kill_many(tmp_path, MOST_KILLS, CHANCE, fault):
        if any(said in finding for finding in tally.findings):
            return
    raise AssertionError(f"seed {CHANCE}: {tally.findings}")


class IdleFloor(Floor):
    """A floor that recovers nothing."""

    def recover(self, at_ms: int, tables: Iterable[str] | None = None) -> list[Answer]:
        assert at_ms
        assert tables is None
        return []


def test_a_round_that_is_not_recovered_is_found(tmp_path: Path) -> None:
    keys = Keys.from_secret(b"idle")
    evidence = Evidence()
    store = SqliteStore(tmp_path / STORE)
    clerk, evening = begin(store, keys, "r", "1", evidence.add)
    for _ in range(50):
        clerk.give(evening.group())
    store.close()
    look = examine(str(tmp_path / STORE), keys, evidence, Random(1), IdleFloor)
    assert any("was interrupted, and recovery did not note it" in finding for finding in look.findings), look.findings
