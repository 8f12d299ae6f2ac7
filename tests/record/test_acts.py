"""Refusals in words: everything that staff may be refused has a name in both languages."""

from typing import get_args

import pytest
from litestar.routes import HTTPRoute

from punto.record.checks.written import Actor, Refused
from punto.record.significant.acts import ACTS, tried
from punto.record.significant.words import of_refusal
from punto.rules import Position
from punto.server.http.routes import api
from punto.server.wire import asks
from punto.table import AnyCommand


def test_a_refusal_names_the_act_as_pages_do_and_no_tag_or_route() -> None:
    by = Actor("manager-2", Position.PIT_MANAGER)
    said = of_refusal(Refused(1, by, "2", "rule", "not-allowed", "another decides"))
    assert said.en == "manager-2 tried to rule on a matter at table 2: another decides"
    assert said.zh == "manager-2尝试裁决（2号桌）：another decides"
    asked = Refused(1, Actor("dealer-1", Position.DEALER), "", "POST /api/patrons", "not-allowed", "a Dealer may not")
    assert of_refusal(asked).en == "dealer-1 tried to register a patron: a Dealer may not"
    assert of_refusal(asked).zh == "dealer-1尝试登记客人：a Dealer may not"


def test_what_an_older_or_newer_punto_has_refused_is_said_as_it_was_asked() -> None:
    assert tried("POST /api/staff/{name:str}/unlock") == tried("POST /api/staff/{name}/unlock")
    assert tried("PATCH /api/nothing").en == "something else (PATCH /api/nothing)"


@pytest.mark.parametrize("kind", get_args(AnyCommand), ids=lambda kind: kind.__name__)
def test_every_command_has_words(kind: type) -> None:
    assert kind.__struct_config__.tag in ACTS  # type: ignore[attr-defined]


def test_every_route_that_refuses_for_want_of_authority_has_words() -> None:
    refusing = {
        f"{method} {route.path_format}"
        for route in api().routes
        if isinstance(route, HTTPRoute)
        for handler in route.route_handlers
        for method in handler.http_methods
        if method != "OPTIONS" and 403 in (handler.responses or {}) and route.path_format.startswith("/api/")
    }
    # What takes no position: who signs in, and what any browser may ask of the floor's own pages.
    by_anybody = {"POST /api/guest", "POST /api/verify", "POST /api/enrol"}
    own = {each for each in refusing if "/factors" in each or "/prove" in each or "/sign-" in each or "/own" in each}
    assert refusing - own - by_anybody - ACTS.keys() == set()


def test_every_message_of_staff_has_words() -> None:
    tags = {each.__struct_config__.tag for each in (asks.TakeTable, asks.HandBack, asks.Confirm, asks.Withdraw)}
    assert tags <= ACTS.keys()
