"""Every finding belongs to one command, wherever that is asked."""

from typing import Any

import pytest
from tests.table.desk import Desk

from punto.errors import BadReport
from punto.rules import Found, Side
from punto.table import commands as do
from punto.table.reports import REPORTED_WITH


def test_every_finding_has_the_command_that_reports_it() -> None:
    assert set(REPORTED_WITH) == set(Found)


@pytest.mark.parametrize(
    ("command", "fields", "said"),
    [
        (do.ReportCards, {"found": Found.DRAWN_TOGETHER}, "drawn-together is reported with report-order"),
        (
            do.ReportOrder,
            {"found": Found.DEVICE_RESET, "player": "", "banker": ""},
            "device-reset is reported with report-reset",
        ),
        (
            do.ReportDelivery,
            {"found": Found.EXTRA_CARDS, "side": Side.PLAYER},
            "extra-cards is reported with report-cards",
        ),
        (
            do.ReportDelivery,
            {"found": Found.CARD_SEEN, "side": Side.PLAYER},
            "card-seen is reported with report-cards",
        ),
    ],
)
def test_a_finding_that_belongs_to_another_command_is_refused_with_its_name(
    command: type[do.Command], fields: dict[str, Any], said: str
) -> None:
    with pytest.raises(BadReport) as refused:
        Desk()(command, **fields)
    assert refused.value.message == said
