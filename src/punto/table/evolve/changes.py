"""How what an event changes is declared."""

from collections.abc import Callable, Mapping
from typing import Any

from punto.table.state import Table

# By the event's type, the table after it.
Changes = Mapping[type, Callable[[Table, Any], Table]]
