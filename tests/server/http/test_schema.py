"""The whole API against its own document, as nobody, as a guest and as staff: no fault, and no answer of another kind.

Every operation is tried in every role; as a guest at night alone.
"""

import json
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
import schemathesis
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)
from tests.server.http.floor import configured
from tests.server.http.running import Running, running
from tests.width import NIGHTLY, width

from punto.rules import Position

CHECKS: Final = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_schema_conformance,
]
TRIED: Final = settings(
    max_examples=width(2, 100),
    deadline=None,
    derandomize=not NIGHTLY,
    database=None,
    suppress_health_check=list(HealthCheck),
)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Running]:
    with running(configured(tmp_path)) as server:
        yield server


@cache
def operations(document: str) -> list[tuple[Any, Any]]:
    """Every operation, with the ways to ask for it: right ones, and wrong ones where something can be wrong."""
    found = []
    for result in schemathesis.openapi.from_dict(json.loads(document)).get_all_operations():
        operation: Any = result.ok()  # type: ignore[union-attr]
        asked = operation.as_strategy()
        if operation.body or any(operation.iter_parameters()):
            asked |= operation.as_strategy(generation_mode=GenerationMode.NEGATIVE)
        found.append((operation, asked))
    return found


def cookies_of(browser: httpx.Client, server: Running, role: str) -> dict[str, str]:
    """The cookies of somebody who has just come in."""
    browser.cookies.clear()
    if role == "guest":
        browser.post("/api/guest").raise_for_status()
    elif role == "staff":
        browser.get(f"/enter/{server.server.identity.link('greta', Position.GAMING_SHIFT_MANAGER)}")
    return dict(browser.cookies)


def conform(asked: Any, server: Running, cookies: dict[str, str]) -> None:  # noqa: ANN401
    """Ask for an operation in many ways; every answer must be one that the document knows."""

    @TRIED
    @given(case=asked)
    def conforms(case: Any) -> None:  # noqa: ANN401
        known: dict[str, Any] = {"headers": {"origin": server.address}, "cookies": cookies}
        case.call_and_validate(base_url=server.address, checks=CHECKS, **known)

    conforms()


@pytest.mark.parametrize("role", ["nobody", pytest.param("guest", marks=pytest.mark.nightly), "staff"])
def test_every_answer_is_one_that_the_document_knows(server: Running, role: str) -> None:
    wrong: list[str] = []
    tried = 0
    with httpx.Client(base_url=server.address, headers={"origin": server.address}, trust_env=False) as browser:
        cookies = cookies_of(browser, server, role)
        for operation, asked in operations(browser.get("/schema/openapi.json").text):
            if role == "staff":
                cookies = cookies_of(browser, server, role)  # whoever has signed out, or was sent away, is back
            try:
                conform(asked, server, cookies)
            except (Exception, BaseExceptionGroup) as error:  # noqa: BLE001 (what is wrong is told with all the rest)
                wrong.append(f"{operation.label}: {error}")
            tried += 1
    assert not wrong, "\n\n".join(wrong)
    assert tried > 40
