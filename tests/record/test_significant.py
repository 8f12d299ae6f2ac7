"""Significant events as they are read from the record: all kinds, in order of time, from every stream that has any."""

import json
from collections.abc import Iterator
from typing import Any, Final, get_args

import pytest
from msgspec.structs import replace
from tests.record.play import KEYS, play
from tests.record.staffed import staffed

from punto.errors import Corrupt
from punto.floor import Floor
from punto.floor.books import BY
from punto.program import Manifest, Reference
from punto.record import journal as noted
from punto.record.checks import people
from punto.record.checks.orders import changed
from punto.record.journal import FLOOR, JOURNAL, JournalEntry, write
from punto.record.moment import Moment
from punto.record.significant import STREAMS, EventKind, Severity, events_after, last_events
from punto.record.significant.sources import STREAMS_OF, event_of
from punto.record.significant.words import of_journal, of_people
from punto.rules import Position
from punto.store import Entry, MemoryStore
from punto.store.contract import PAGE

HOUR_MS: Final = 3_600_000
SOME: Final = (
    noted.FloorStarted("here:1", "9", "3.11", noted.FormerRun.CUT_OFF),
    noted.FloorStopped("here:1"),
    noted.ConfigurationChanged("here:1", {"port": "2"}, {"port": "1"}),
    noted.ProgramChecked("start", noted.ProgramResult.DIFFERS, "ab", total=2, differences=("changed floor/a.py",)),
    noted.ProgramMeasured("here:1", Manifest("9", "ab", {"a.py": "cd"})),
    noted.ProgramExpected("here", Reference(Manifest("9", "ab", {"a.py": "cd"})), "Ann", "the new odds"),
    noted.SignInsFailed("", 12, 0, {"wrong-password": 12}, 3),
    noted.SignInSlowed("pam", 1_767_196_800_000),
    noted.TimeInDoubt(noted.Doubt.JUMPED, -90),
    noted.TimeTrusted(60),
    noted.StoreLost("disk full"),
    noted.StoreRecovered(7),
    noted.EventsLost(3),
    noted.RecordAltered("table/1", "table/1: entries after 7 carry no signature"),
    noted.AuditBegan(whole=False),
    noted.AuditEnded(noted.AuditResult.WRONG, 10, 2, said="table/T1, entry 4"),
    noted.RecordExported("books", "by day"),
    noted.TableConfigured("T1", 1, noted.TableChange.LIMITS),
)


def floor_with(*events: Any) -> Floor:  # noqa: ANN401
    """A floor whose journal has these events, one an hour."""
    floor = Floor(MemoryStore(), KEYS)
    for number, event in enumerate(events, 1):
        floor.note([(JOURNAL, write(JournalEntry(number * HOUR_MS, FLOOR, event)))], {}, number)
    return floor


def test_some_events_are_of_every_type_that_the_journal_has() -> None:
    assert {type(event) for event in SOME} == set(get_args(noted.AnyJournalEvent))


def test_every_event_of_the_journal_is_said_in_two_languages_and_no_two_alike() -> None:
    found = last_events(floor_with(*SOME).store)
    shown = [event for event in SOME if not isinstance(event, noted.ProgramMeasured)]
    assert [event.what for event in found] == [event.__struct_config__.tag for event in shown]
    for texts in ([event.said for event in found], [event.said_zh for event in found]):
        assert len({*texts, ""}) == len(shown) + 1


def test_events_say_what_happened_in_one_plain_sentence() -> None:
    said = {event.what: event.said for event in last_events(floor_with(*SOME).store)}
    assert said["floor-started"] == (
        "The floor opened at here:1 with Punto 9, after it was cut off, without being closed in order"
    )
    assert said["configuration-changed"] == "The floor's file has changed: port: 1 → 2"
    assert said["program-checked"] == "Code or pages have changed: changed floor/a.py, and 1 more"
    assert said["sign-ins-failed"] == (
        "12 sign-ins failed, from 3 addresses: nobody on the staff has the names that were typed"
    )
    assert (
        said["sign-in-slowed"] == "Too many wrong tries to sign in as pam: whoever made them must wait until 00:00:00"
    )
    assert said["time-in-doubt"] == "The machine's clock stepped back by 90 s: the time is in doubt"
    assert said["audit-ended"] == "The audit found 2 things that are wrong; the first: table/T1, entry 4"


@pytest.mark.parametrize(
    ("event", "said", "zh"),
    [
        (noted.RecordExported("books", "by table"), "The books were exported by table", "已按桌台导出账目"),
        (
            noted.RecordExported("books", "by shift, table 1"),
            "The books of table 1 were exported by shift",
            "已按班次导出1号桌账目",
        ),
        (
            noted.RecordExported("shoe text", "table 1, shoe 3"),
            "The text of shoe 3 at table 1 was exported",
            "已导出1号桌第3靴的文本",
        ),
        (
            noted.RecordExported("archive", "the gaming day 2026-01-02", "root"),
            "The archive of the gaming day 2026-01-02 was exported (by root, on the machine)",
            "已导出博彩日2026-01-02的存档（root，在本机）",
        ),
        (noted.RecordExported("backup", "the store"), "A backup of the store was made", "已备份存储"),
        (
            noted.RecordExported(noted.PERSONAL, "ann"),
            "Somebody was shown all that is kept about ann",
            "已有人查看ann的全部个人资料",
        ),
        (noted.RecordExported("something", "else"), "Exported: something (else)", "已导出：something（else）"),
        (noted.SignInsFailed("ana", 1, 0, {}), "A sign-in as ana failed", "ana登录失败"),
        (
            noted.SignInsFailed("", 1, 0, {}),
            "A sign-in failed: nobody on the staff has the name that was typed",
            "登录失败：所输入的姓名不属于任何员工",
        ),
        (
            noted.SignInSlowed("ana", 0, from_known_browser=True),
            "Too many wrong tries to sign in as ana in a browser that ana has used: it must wait until 08:00:00",
            "ana的错误登录尝试过多：ana用过的该浏览器须等到08:00:00",
        ),
    ],
)
def test_what_was_exported_and_who_could_not_sign_in_is_said_in_whole_sentences(
    event: noted.AnyJournalEvent, said: str, zh: str
) -> None:
    words = of_journal(event)
    assert (words.en, words.zh) == (said, zh)


def test_every_way_to_keep_books_is_said_in_chinese() -> None:
    for by in BY:
        assert "by" not in of_journal(noted.RecordExported("books", f"by {by}")).zh


def ordered(**change: Any) -> people.OrdersSet:  # noqa: ANN401
    limits = {Position.DEALER: people.CashLimit(1_000_000, 5_000_000)}
    fields: dict[str, Any] = {"independence_ms": 72 * HOUR_MS, "shift_ms": 12 * HOUR_MS, "cash": limits}
    return people.OrdersSet(**fields | change)


def test_a_change_of_the_houses_orders_says_which_one_changed_from_what_to_what() -> None:
    first, second = ordered(), ordered(report_cents=1_000_000)
    second = replace(second, before=changed(first, second))
    assert of_people(second) == (
        "The house's orders have changed: cash-reports.threshold: none → 10,000.00",
        "场地规定已更改：cash-reports.threshold: none → 10,000.00",
    )
    third = ordered(cash={Position.DEALER: people.CashLimit(1_000_000, 6_000_000)}, independence_ms=0)
    said = of_people(replace(third, before=changed(second, third))).en
    assert "cash-limits.dealer.shift: 50,000.00 → 60,000.00" in said
    assert "independence-hours: 72 → 0" in said
    assert of_people(first).en.startswith("The house's orders are on record: independence-hours 72; shift-hours 12; ")


def test_proofs_that_failed_are_told_from_sign_ins() -> None:
    said = [
        last_events(floor_with(noted.SignInsFailed("dan", count, 0, reasons)).store)[0].said
        for count, reasons in ((1, {"again-wrong-proof": 1}), (4, {"again-too-fast": 1, "again-wrong-proof": 3}))
    ]
    assert said == ["dan could not show again who they are", "dan could not show again who they are, 4 times"]
    mixed = noted.SignInsFailed("dan", 2, 0, {"again-wrong-proof": 1, "wrong-password": 1})
    assert "2 sign-ins as dan failed" in last_events(floor_with(mixed).store)[0].said


def test_what_went_wrong_weighs_more_than_what_went_well() -> None:
    found = {event.what: event.severity for event in last_events(floor_with(*SOME).store)}
    assert found["audit-ended"] is found["program-checked"] is Severity.ALERT
    assert found["store-lost"] is Severity.ERROR
    assert found["floor-started"] is Severity.WARNING, "it was cut off before"
    right = noted.ProgramChecked("start", noted.ProgramResult.SAME, "ab")
    clean = noted.AuditEnded(noted.AuditResult.CLEAN)
    assert {event.severity for event in last_events(floor_with(right, clean).store)} == {Severity.NOTICE}


def test_the_last_events_are_those_of_some_kinds_since_a_time() -> None:
    store = floor_with(*SOME).store
    clocks = last_events(store, [EventKind.CLOCK])
    assert [event.what for event in clocks] == ["time-in-doubt", "time-trusted"]
    assert last_events(store, [EventKind.CLOCK], most=1) == clocks[1:]
    assert last_events(store, [EventKind.CLOCK], since_ms=clocks[1].at_ms) == clocks[1:]
    assert [event.version for event in last_events(store, most=3)] == [16, 17, 18]
    assert last_events(store, [EventKind.KEY]) == []


def test_many_events_are_read_no_further_back_than_asked() -> None:
    floor = Floor(MemoryStore(), KEYS)
    body = write(JournalEntry(1, FLOOR, noted.TimeTrusted(1)))
    floor.note([(JOURNAL, body)] * 3 * PAGE, {}, 1)
    read: list[int] = []

    class Counting(Moment):
        def read(self, stream: str, after: int = 0) -> Iterator[Entry]:
            for entry in super().read(stream, after):
                read.append(entry.version)
                yield entry

    store = Counting(floor.store)
    read.clear()
    assert len(last_events(store, most=5)) == 5
    assert min(read) > PAGE


def test_what_has_come_since_a_look_is_told_once() -> None:
    floor = floor_with(*SOME[:2])
    first = events_after(floor.store, {})
    assert [event.what for event in first.events] == ["floor-started", "floor-stopped"]
    assert events_after(floor.store, first.ends).events == []
    floor.note([(JOURNAL, write(JournalEntry(9, FLOOR, SOME[2])))], {}, 9)
    assert [event.what for event in events_after(floor.store, first.ends).events] == ["configuration-changed"]


def test_people_devices_and_refusals_are_read_where_they_are_written() -> None:
    store = staffed()
    kinds = {event.kind for event in last_events(store)}
    assert {EventKind.AUTHORITY, EventKind.CONFIGURATION} <= kinds
    said = [event.said for event in last_events(store, [EventKind.AUTHORITY])]
    assert any(each.endswith("was put on the staff as Dealer") for each in said), said
    refused = last_events(play(), [EventKind.REFUSAL])
    assert [(event.by, event.what) for event in refused] == [("bob", "not-allowed")]


def test_every_kind_names_the_streams_that_it_is_read_from() -> None:
    assert set(STREAMS_OF) == set(EventKind)
    assert {stream for streams in STREAMS_OF.values() for stream in streams} == set(STREAMS)


def test_an_entry_that_does_not_read_ends_the_reading() -> None:
    floor = floor_with(SOME[0])
    floor.note([(JOURNAL, b"{}")], {}, 9)
    with pytest.raises(Corrupt, match="journal: entry 2 does not read"):
        last_events(floor.store)


_BY: Final = {"name": "pam", "position": "pit-manager", "acting": False}
_HASH: Final = "ab" * 32


@pytest.mark.parametrize(
    ("stream", "event", "kind", "said"),
    [
        (
            "claims",
            {"type": "claim-raised", "claim": 3, "patron": "ann", "table": "1", "round": 7, "shoe": 1, "opened": 4}
            | {"wager": 5, "about": "payment", "words": _HASH, "due_ms": 9, "asked": ""},
            EventKind.CLAIM,
            "ann raised claim 3 about round 7 at table 1",
        ),
        (
            "claims",
            {"type": "claim-answered", "claim": 3, "upheld": True, "reason": _HASH, "correction": 0},
            EventKind.CLAIM,
            "Claim 3 was answered: upheld",
        ),
        (
            "identity/house",
            {"type": "patron-excluded", "name": "lin", "from_ms": 5, "reason": _HASH},
            EventKind.EXCLUSION,
            "lin was excluded from play",
        ),
        (
            "identity/house",
            {"type": "cash-report-filed", "patron": "lin", "day": "2026-01-01", "kind": "in", "cents": 5}
            | {"reference": "R-1"},
            EventKind.CASH_REPORT,
            "A report of lin's cash on 2026-01-01 was filed: R-1",
        ),
        (
            "identity/persons",
            {"type": "person-erased", "person": "lin", "reason": "asked for it"},
            EventKind.PERSONAL_DATA,
            "What was kept about lin was erased, except what the law requires to stay",
        ),
    ],
)
def test_what_the_house_does_about_patrons_is_significant(
    stream: str, event: dict[str, Any], kind: EventKind, said: str
) -> None:
    body = json.dumps({"at_ms": 5, "by": _BY, "event": event, "session": "s"}).encode()
    found = event_of(Entry(stream, 1, None, body, b"x"))
    assert found
    assert (found.kind, found.said, found.by) == (kind, said, "pam")
    assert found.said_zh != found.said
