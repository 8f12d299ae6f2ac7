"""A real floor under attack: those at other tables are answered in time, and memory does not grow.

`python -m bench.hostile` measures every attack; here are those that stopped a floor before, all at once.
"""

from pathlib import Path

from bench.hostile import MOST_MB, watched
from tests.server.waiting import waits

# Machines that run tests do other things too: the bench asks for 150 ms. Before, it was seconds.
MOST_MS = 1_000
ATTACKS = (
    "open-table of a patron, a key of 9,700 parts",
    "open-table of a manager, a game that is heavy",
    "a shoe with a key of 9,700 parts",
)


@waits
async def test_who_plays_at_other_tables_does_not_notice_an_attack(tmp_path: Path) -> None:
    async with watched(tmp_path, terminals=20, tables=4) as watch:
        seen = await watch.seen(ATTACKS, 2)
    assert seen.sent > 50
    assert seen.lost == 0
    assert seen.p99_ms < MOST_MS
    assert seen.grown_mb < MOST_MB
