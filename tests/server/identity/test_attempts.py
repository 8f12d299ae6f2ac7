"""Failed sign-ins on record: the first at once, a flood as one entry a minute, and no name that nobody has."""

from pathlib import Path
from typing import Any

from tests.server.identity.lobby import MANAGER, Lobby, _cheap_hashes, lobby
from tests.server.waiting import waits

from punto.record.journal import JOURNAL, SignInsFailed, SignInSlowed, read
from punto.rules import Position
from punto.server.identity.attempts import WINDOW_MS, Attempts
from punto.server.identity.people import Account

__all__ = ["_cheap_hashes"]

PAM = Account("pam", Position.DEALER, "", temporary=False)


def counted() -> tuple[Attempts, list[Any]]:
    noted: list[Any] = []
    return Attempts(noted.append), noted


def test_the_first_failure_is_noted_at_once_and_those_of_a_minute_together() -> None:
    attempts, noted = counted()
    attempts.failed(PAM, "10.0.0.1", "wrong-password", 1_000)
    assert noted == [SignInsFailed("pam", 1, 1_000, {"wrong-password": 1})]
    for number in range(1_000):
        attempts.failed(PAM, f"10.0.0.{number % 7}", "wrong-password" if number % 2 else "too-fast", 2_000 + number)
    assert len(noted) == 1
    attempts.flush(1_000 + WINDOW_MS)
    assert noted[1:] == [SignInsFailed("pam", 1_000, 1_000, {"too-fast": 500, "wrong-password": 500}, 7)]


def test_a_quiet_minute_adds_nothing_and_the_next_failure_is_noted_at_once_again() -> None:
    attempts, noted = counted()
    attempts.failed(PAM, "a", "wrong-password", 0)
    attempts.flush(WINDOW_MS)
    attempts.failed(PAM, "a", "wrong-password", WINDOW_MS + 1)
    assert [event.count for event in noted] == [1, 1]


def test_names_that_nobody_has_count_together_and_are_not_written() -> None:
    attempts, noted = counted()
    attempts.failed(None, "a", "wrong-password", 0)
    attempts.failed(None, "b", "wrong-password", 1)
    attempts.flush(2, end=True)
    assert [(event.name, event.count) for event in noted] == [("", 1), ("", 1)]


def test_a_clock_that_was_set_back_keeps_no_failure_waiting() -> None:
    attempts, noted = counted()
    attempts.failed(PAM, "a", "wrong-password", 10 * WINDOW_MS)
    attempts.failed(PAM, "a", "wrong-password", 10 * WINDOW_MS + 1)
    attempts.flush(0)
    assert len(noted) == 2


def test_that_somebody_is_slowed_is_noted_once_for_as_long_as_it_lasts() -> None:
    attempts, noted = counted()
    for number in range(5):
        attempts.slowed(PAM, number * 1_000 + 500, number * 1_000, known=False)
    attempts.slowed(PAM, 500, 0, known=True)
    attempts.slowed(PAM, 10 * WINDOW_MS + 500, 10 * WINDOW_MS, known=False)
    assert noted == [
        SignInSlowed("pam", 500),
        SignInSlowed("pam", 500, from_known_browser=True),
        SignInSlowed("pam", 10 * WINDOW_MS + 500),
    ]


def on_record(opened: Lobby) -> list[Any]:
    return [read(entry.body).event for entry in opened.server.hall.writer.floor.store.read(JOURNAL)]


@waits
async def test_a_stranger_who_guesses_leaves_entries_and_never_what_was_typed(tmp_path: Path) -> None:
    async with lobby(tmp_path) as opened:
        browser = opened.browser()
        for name in (MANAGER, "hunter2 typed as a name"):
            for _ in range(7):
                await browser.post("/api/sign-in", json={"name": name, "password": "wrong"})
        await opened.server.hall.journal.write_now()
        found = on_record(opened)
        assert {event.name for event in found if isinstance(event, SignInsFailed)} == {MANAGER, ""}
        assert [event.name for event in found if isinstance(event, SignInSlowed)] == [MANAGER]
        assert b"hunter2" not in opened.stored()
        opened.clock.go(minutes=2)
        answer = await (await opened.signed_in()).get("/api/events", params={"kind": ["sign-in", "lock-out"]})
        assert [line["kind"] for line in answer.json()].count("lock-out") == 1
