"""Every log that was ever written is read, judged clean, and comes to the same table."""

from pathlib import Path
from typing import get_args

import pytest
from tests.record.old_logs import KEYS, LOGS, came_to, kinds_in, stores_of

from punto.record import audit
from punto.table import AnyEvent

OLD = sorted(LOGS.glob("*.jsonl"))


@pytest.mark.parametrize("path", OLD, ids=lambda path: path.stem)
def test_an_old_log_is_read_and_comes_to_the_same(path: Path) -> None:
    kept = list(stores_of(path))
    assert kept
    for expected, store in kept:
        assert {**came_to(store), "scenario": expected["scenario"]} == expected
        report = audit(store, public_key=KEYS.public)
        assert not report.findings, str(report.findings[0])


def test_the_logs_have_every_kind_of_event() -> None:
    kinds = {kind for path in OLD for _, store in stores_of(path) for kind in kinds_in(store)}
    assert set(get_args(AnyEvent)) - kinds == set()
