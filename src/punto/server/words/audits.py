"""What is said of audits that need somebody."""

from collections.abc import Mapping
from typing import Final

from punto.server.wire.tells import Text

AUDIT_ALARMS: Final[Mapping[str, Text]] = {
    "wrong": Text("The last audit found something wrong", "最近一次审计发现不符之处"),
    "failed": Text("The last audit could not be finished", "最近一次审计未能完成"),
    "overdue": Text("There has been no audit for two days", "已有两天未进行审计"),
}
