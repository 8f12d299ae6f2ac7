"""Acts that take two people: who may propose, who may confirm, and what a dishonest member of staff might try."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, Final

import msgspec
import pytest
from tests.server.house import House, Message, Page, house, setup
from tests.server.waiting import waits

from punto.floor.handler import SECURITY, TABLE
from punto.games import GAMES, dumps
from punto.record import audit
from punto.rules import Position
from punto.rules.money import Cents
from punto.server.faces.info import setup_digest
from punto.server.proposals import marked
from punto.table import Actor, Limit, Setup, Source, Table
from punto.table import commands as do
from punto.table import events as on
from punto.table.log import read
from punto.table.setup import complete

LIMITS: Final = {"*": Limit(Cents(500), Cents(50_000))}
FILE: Final = setup("baccarat", bets_ms=60_000, source=Source.DEVICE, limits=LIMITS, differential_cents=Cents(20_000))
PLAIN: Final[dict[str, Any]] = msgspec.to_builtins(FILE)
WIDER: Final = {"*": {"min_cents": 500, "max_cents": 60_000}}
TIE_WIDER: Final = {"Tie": {"min_cents": 500, "max_cents": 90_000}}
OWN: Final = dumps(GAMES["baccarat"]).replace('key = "baccarat"', 'key = "mine"')
# Setups that are not the file's.
BEYOND: Final = {
    "wider limits": {"limits": WIDER},
    "a lower minimum": {"limits": {"*": {"min_cents": 100, "max_cents": 50_000}}},
    "one wager's limit": {"limits": PLAIN["limits"] | TIE_WIDER},
    "no differential": {"differential_cents": 0},
    "another game": {"game": "tiger", "differential_cents": 0},
    "a declaration": {"game": "mine", "declaration": OWN},
    "other decks": {"decks": 6},
    "another cutting card": {"behind": 1},
    "virtual cards": {"source": "virtual", "demonstration": True},
    "other times": {"timings": {"bets_ms": 1_000, "answer_ms": 1_000}},
}
WITHIN: Final = {
    "the file's": {},
    "narrower limits": {"limits": {"*": {"min_cents": 1_000, "max_cents": 40_000}}},
    "a narrower limit of one wager": {"limits": PLAIN["limits"] | {"Tie": {"min_cents": 500, "max_cents": 10_000}}},
    "a narrower differential": {"differential_cents": 10_000},
    "a method": {"method": "A"},
}


@asynccontextmanager
async def closed(folder: Path) -> AsyncIterator[House]:
    """A house whose table was closed."""
    async with house(folder, FILE, automatic=False) as opened:
        gus = await staff(opened, "gus", "gaming-shift-manager")
        assert (await gus.act("1", "close-table"))["t"] == "accepted"
        await gus.close()
        yield opened
        report = audit(opened.floor.store)
        assert not report.total, report.findings


async def staff(opened: House, name: str, position: str) -> Page:
    """The page of a member of staff, who looks on at table 1."""
    page = await opened.page(s=f"{name}:{position}")
    await page.send(t="watch", table="1", role="staff")
    await page.until(lambda: "1" in page.staff)
    return page


async def opens(page: Page, **beyond: Any) -> Message:  # noqa: ANN401
    return await page.act("1", "open-table", setup=PLAIN | beyond)


async def proposed(page: Page, **beyond: Any) -> str:  # noqa: ANN401
    """The digest of a setup that somebody proposes."""
    answer = await opens(page, **beyond)
    assert answer["t"] == "proposed", answer
    return str(answer["digest"])


def digests(page: Page) -> list[str]:
    return [each["digest"] for each in page.staff["1"]["proposals"]]


def refusals(opened: House) -> list[tuple[str, str, str, str]]:
    """Who was refused what at which table, as the security log has it."""
    lines = [msgspec.json.decode(entry.body) for entry in opened.floor.store.read(SECURITY)]
    return [(line["by"]["name"], line["table"], line["do"], line["code"]) for line in lines]


def happened(opened: House, kind: type[Any]) -> list[Any]:
    events = [read(entry.body).event for entry in opened.floor.store.read(TABLE + "1")]
    return [event for event in events if isinstance(event, kind)]


# What is the file's takes one person


@pytest.mark.parametrize("setup_", WITHIN.values(), ids=WITHIN)
def test_a_setup_of_the_file_or_narrower_is_not_beyond_it(setup_: dict[str, Any]) -> None:
    assert not beyond(PLAIN | setup_)


@pytest.mark.parametrize("setup_", BEYOND.values(), ids=BEYOND)
def test_any_other_setup_is_beyond_the_file(setup_: dict[str, Any]) -> None:
    assert beyond(PLAIN | setup_)


def test_a_table_that_the_file_does_not_know_has_no_setup_of_the_file() -> None:
    assert beyond(PLAIN, None)


def beyond(plain: dict[str, Any], file: Setup | None = FILE) -> bool:
    by = Actor("gus", Position.GAMING_SHIFT_MANAGER)
    wanted = msgspec.convert(plain, Setup)
    command = marked(do.OpenTable(id="1", table="1", by=by, at_ms=1_790_000_000_000, setup=wanted), Table(), file)
    assert isinstance(command, do.OpenTable)
    return command.beyond_file


@waits
async def test_one_person_opens_a_table_with_the_setup_of_the_file_or_with_narrower_limits(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        sue = await staff(opened, "sue", "pit-supervisor")
        assert sue.staff["1"]["file"]["game"] == "baccarat"
        for within in ({}, WITHIN["narrower limits"]):
            assert (await opens(sue, **within))["t"] == "accepted"
            await sue.until(lambda: (sue.tables["1"]["info"] or {}).get("beyond_file") is False)
            assert (await sue.act("1", "close-table"))["t"] == "accepted"
        assert not any(event.beyond_file or event.confirmed_by for event in happened(opened, on.TableOpened))


# Anything else takes two


@waits
async def test_another_setup_is_proposed_by_one_and_confirmed_by_another_in_a_session_of_their_own(
    tmp_path: Path,
) -> None:
    async with closed(tmp_path) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        digest = await proposed(gus, limits=WIDER)
        assert opened.floor.table("1").setup is None  # nothing was done yet
        await pia.until(lambda: digests(pia) == [digest])
        assert [alarm["what"] for alarm in pia.staff["1"]["alarms"]] == ["second"]
        [shown] = pia.staff["1"]["proposals"]
        assert (shown["do"], shown["by"], shown["takes"]) == ("open-table", "gus", "pit-manager")
        # Both are told with all their values, so that they can be compared.
        assert shown["setup"]["limits"]["Tie"] == {"min_cents": 500, "max_cents": 60_000}
        assert pia.staff["1"]["file"]["limits"]["Tie"] == {"min_cents": 500, "max_cents": 50_000}
        assert (await pia.confirm("1", digest))["t"] == "accepted"
        await pia.until(lambda: not digests(pia) and pia.tables["1"]["info"]["beyond_file"])
        assert pia.staff["1"]["alarms"] == []
        # What differs from the file is in the digest: that of the file's own setup is another.
        assert pia.tables["1"]["info"]["setup_digest"] == setup_digest(opened.floor.table("1").open)
        assert pia.tables["1"]["info"]["setup_digest"] != setup_digest(complete(FILE, 1_800_000_000_000))
        last = happened(opened, on.TableOpened)[-1]
        assert last.beyond_file
        assert last.confirmed_by == Actor("pia", Position.PIT_MANAGER)
        entry = list(opened.floor.store.read(TABLE + "1"))[-1]
        assert read(entry.body).by == Actor("gus", Position.GAMING_SHIFT_MANAGER)
        assert refusals(opened) == []
        # Once its limits are the file's again, so is the setup.
        for act, fields in {"change-limits": {"limits": PLAIN["limits"]}, "load-shoe": {}, "open-bets": {}}.items():
            assert (await pia.act("1", act, **fields))["t"] == "accepted"
        await pia.until(lambda: pia.tables["1"]["info"]["beyond_file"] is False)


@waits
async def test_a_pit_supervisor_opens_a_table_with_the_setup_that_the_floor_tells(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        sue = await staff(opened, "sue", "pit-supervisor")
        await sue.until(lambda: sue.staff["1"]["file"])
        told = {name: value for name, value in sue.staff["1"]["file"].items() if name in PLAIN}
        assert told["method"] == "B"
        assert (await sue.act("1", "open-table", setup=told | {"method": "A"}))["code"] == "not-allowed"
        assert (await sue.act("1", "open-table", setup=told))["t"] == "accepted"


@waits
@pytest.mark.parametrize("setup_", [BEYOND["another game"], BEYOND["a declaration"], BEYOND["other decks"]])
async def test_another_game_a_declaration_and_other_decks_take_two(tmp_path: Path, setup_: dict[str, Any]) -> None:
    async with closed(tmp_path) as opened:
        gus, ace = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "ace", "pit-manager")
        digest = await proposed(gus, **setup_)
        assert (await ace.confirm("1", digest))["t"] == "accepted"
        assert happened(opened, on.TableOpened)[-1].beyond_file


@waits
async def test_only_a_gaming_shift_manager_proposes_a_setup_beyond_the_file(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        pia = await staff(opened, "pia", "pit-manager")
        answer = await opens(pia, limits=WIDER)
        assert (answer["t"], answer["code"]) == ("refused", "not-allowed")
        assert refusals(opened) == [("pia", "1", "open-table", "not-allowed")]
        assert digests(pia) == []


@waits
async def test_limits_beyond_the_file_take_two_at_an_open_table_and_others_one(tmp_path: Path) -> None:
    async with house(tmp_path, FILE, automatic=False) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        narrower = {"Tie": {"min_cents": 500, "max_cents": 10_000}}
        assert (await pia.act("1", "change-limits", limits=narrower))["t"] == "accepted"
        assert (await pia.act("1", "change-limits", limits=TIE_WIDER))["code"] == "not-allowed"
        answer = await gus.act("1", "change-limits", limits=TIE_WIDER)
        assert answer["t"] == "proposed"
        assert (await pia.confirm("1", answer["digest"]))["t"] == "accepted"
        changed = happened(opened, on.LimitsChanged)[-1]
        assert (changed.beyond_file, changed.confirmed_by.name) == (True, "pia")
        await pia.until(lambda: pia.tables["1"]["info"]["beyond_file"])
        # Other limits of such a table are beyond the file too, for what is not named stays.
        assert (await pia.act("1", "change-limits", limits={"Player": narrower["Tie"]}))["code"] == "not-allowed"


async def dealing(opened: House) -> tuple[Page, Page]:
    """A dealer who has entered a wager, and drawn the first card; and a supervisor."""
    dora, sue = await staff(opened, "dora", "dealer"), await staff(opened, "sue", "pit-supervisor")
    await dora.take("1")
    at = {"patron": "ann", "position": 1}
    for act, fields in (
        ("load-shoe", {}),
        ("buy-in", at | {"cents": 200_000}),
        ("open-bets", {}),
        ("place-wager", at | {"wager": "Player", "stake_cents": 1_000}),
        ("close-bets", {}),
        ("draw-card", {"card": "9s"}),
    ):
        answer = await dora.act("1", act, **fields)
        assert answer["t"] == "accepted", (act, answer)
    return dora, sue


@waits
async def test_chips_that_are_found_otherwise_after_the_first_card_take_a_dealer_and_a_supervisor(
    tmp_path: Path,
) -> None:
    async with house(tmp_path, FILE, automatic=False) as opened:
        dora, sue = await dealing(opened)
        answer = await dora.act("1", "report-stake", number=1, stake_cents=60_000)
        assert answer["t"] == "proposed"
        await sue.until(lambda: digests(sue) == [answer["digest"]])
        [shown] = sue.staff["1"]["proposals"]
        assert (shown["number"], shown["stake_cents"], shown["takes"]) == (1, 60_000, "pit-supervisor")
        assert happened(opened, on.StakeFound) == []
        assert (await sue.confirm("1", answer["digest"]))["t"] == "accepted"
        [found] = happened(opened, on.StakeFound)
        assert found.confirmed_by == Actor("sue", Position.PIT_SUPERVISOR)


# What a proposal ends with


@waits
async def test_a_proposal_is_withdrawn_by_its_proposer_or_turned_down_by_who_might_confirm_it(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        sue = await staff(opened, "sue", "pit-supervisor")
        for page in (gus, pia):
            digest = await proposed(gus, limits=WIDER)
            refused = await sue.ask("withdraw", table="1", digest=digest)
            assert refused["code"] == "not-allowed"
            assert (await page.ask("withdraw", table="1", digest=digest))["t"] == "accepted"
            assert (await pia.confirm("1", digest))["code"] == "nothing-pending"
            await sue.until(lambda: not digests(sue))
        await opened.until(lambda: refusals(opened) == [("sue", "1", "withdraw", "not-allowed")] * 2)
        assert opened.floor.table("1").setup is None


@waits
async def test_a_proposal_goes_with_the_page_that_proposed_it(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        pia = await staff(opened, "pia", "pit-manager")
        for watches, leave in ((True, False), (True, True), (False, False)):
            gus = await opened.page(s="gus:gaming-shift-manager")
            if watches:
                await gus.send(t="watch", table="1", role="staff")
            digest = await proposed(gus, limits=WIDER)
            await pia.until(lambda digest=digest: digests(pia) == [digest])  # type: ignore[misc]
            if leave:
                await gus.send(t="leave", table="1")
            else:
                await gus.close()
            await pia.until(lambda: not digests(pia))
            assert (await pia.confirm("1", digest))["code"] == "nothing-pending"
        assert opened.floor.table("1").setup is None


@waits
async def test_two_proposals_wait_beside_each_other_until_one_of_them_is_done(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, gil = (
            await staff(opened, "gus", "gaming-shift-manager"),
            await staff(opened, "gil", "gaming-shift-manager"),
        )
        pia = await staff(opened, "pia", "pit-manager")
        first, second = await proposed(gus, limits=WIDER), await proposed(gil, decks=6)
        assert await proposed(gus, limits=WIDER) == first  # asked again, it is the same
        assert await proposed(gil, limits=WIDER) != first  # another person's is another proposal
        await pia.until(lambda: len(digests(pia)) == 3)
        assert (await pia.confirm("1", second))["t"] == "accepted"
        await pia.until(lambda: not digests(pia))
        assert (await pia.confirm("1", first))["code"] == "nothing-pending"
        assert opened.floor.table("1").open.decks == 6


@waits
async def test_nobody_has_more_than_four_proposals_at_a_table(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, gil = (
            await staff(opened, "gus", "gaming-shift-manager"),
            await staff(opened, "gil", "gaming-shift-manager"),
        )
        for behind in range(1, 5):
            await proposed(gus, behind=behind)
        assert (await opens(gus, behind=5))["code"] == "too-fast"
        await proposed(gil, behind=5)


@waits
async def test_a_proposal_ends_when_its_proposer_gets_another_position(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        digest = await proposed(gus, limits=WIDER)
        [page] = {each for each in opened.hall.tables["1"].staff if each.staff and each.staff.name == "gus"}
        page.staff = Actor("gus", Position.PIT_MANAGER)
        assert (await pia.confirm("1", digest))["code"] == "nothing-pending"
        assert opened.floor.table("1").setup is None


# What somebody might try


@waits
async def test_nobody_confirms_their_own_proposal_whatever_the_tab_the_case_or_the_position(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus = await staff(opened, "gus", "gaming-shift-manager")
        digest = await proposed(gus, limits=WIDER)
        others = ("gus:gaming-shift-manager", "GUS:gaming-shift-manager", "Gus:pit-manager", "gus:casino-manager")
        tries = [gus, *[await opened.page(s=who) for who in others]]
        for page in tries:
            answer = await page.confirm("1", digest)
            assert (answer["t"], answer["code"]) == ("refused", "needs-second")
        await opened.until(lambda: len(refusals(opened)) == len(tries))
        assert {(do, code) for _, _, do, code in refusals(opened)} == {("confirm", "needs-second")}
        assert opened.floor.table("1").setup is None
        assert digests(gus) == [digest]


@waits
async def test_a_lower_position_confirms_nothing_and_the_proposal_waits_on(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        sue, dora = await staff(opened, "sue", "pit-supervisor"), await staff(opened, "dora", "dealer")
        digest = await proposed(gus, limits=WIDER)
        for page in (sue, dora):
            assert (await page.confirm("1", digest))["code"] == "not-allowed"
        await dora.take("1")
        assert (await dora.confirm("1", digest))["code"] == "not-allowed"
        names = [("sue", "confirm"), ("dora", "confirm"), ("dora", "confirm")]
        await opened.until(lambda: [(who, what) for who, _, what, _ in refusals(opened)] == names)
        patron = await opened.page(p="ann")
        assert (await patron.confirm("1", digest))["code"] == "not-allowed"
        assert opened.floor.table("1").setup is None
        assert digests(pia) == [digest]
        assert (await pia.confirm("1", digest))["t"] == "accepted"


@waits
async def test_a_dealer_cannot_confirm_what_a_dealer_found(tmp_path: Path) -> None:
    async with house(tmp_path, FILE, automatic=False) as opened:
        dora, sue = await dealing(opened)
        digest = (await dora.act("1", "report-stake", number=1, stake_cents=60_000))["digest"]
        dan = await staff(opened, "dan", "dealer")
        assert (await dan.confirm("1", digest))["code"] == "not-allowed"
        # No Dealer takes a table from another who is there.
        assert (await dan.ask("take-table", table="1"))["code"] == "out-of-turn"
        assert (await dora.ask("hand-back", table="1"))["t"] == "accepted"
        await dan.take("1")  # and with the table, what its dealer proposed is gone
        assert (await dan.confirm("1", digest))["code"] == "nothing-pending"
        assert (await dora.act("1", "report-stake", number=1, stake_cents=60_000))["code"] == "not-allowed"
        assert (await sue.confirm("1", digest))["code"] == "nothing-pending"
        assert happened(opened, on.StakeFound) == []


@waits
async def test_a_confirmation_that_comes_late_hits_no_other_setup_and_no_other_round(tmp_path: Path) -> None:
    async with house(tmp_path, FILE, automatic=False) as opened:
        gus = await staff(opened, "gus", "gaming-shift-manager")
        dora, sue = await dealing(opened)
        limits = (await gus.act("1", "change-limits", limits=TIE_WIDER))["digest"]
        stake = (await dora.act("1", "report-stake", number=1, stake_cents=60_000))["digest"]
        pia = await staff(opened, "pia", "pit-manager")
        answer = await gus.act("1", "change-limits", differential_cents=10_000)
        assert answer["t"] == "accepted", answer
        assert (await pia.confirm("1", limits))["code"] == "nothing-pending"
        for card in ("Ks", "9d", "8c"):
            await dora.act("1", "draw-card", card=card)
        for act in ("announce", "settle", "open-bets"):
            assert (await dora.act("1", act))["t"] == "accepted", act
        assert (await sue.confirm("1", stake))["code"] == "nothing-pending"
        assert happened(opened, on.StakeFound) == []
        assert happened(opened, on.LimitsChanged)[-1].differential_cents == 10_000
        assert digests(gus) == []


@waits
async def test_a_confirmation_asked_again_is_answered_again_and_its_id_is_good_for_nothing_else(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus, pia = await staff(opened, "gus", "gaming-shift-manager"), await staff(opened, "pia", "pit-manager")
        digest = await proposed(gus, limits=WIDER)
        first = await pia.confirm("1", digest, id="0-once")
        assert first["t"] == "accepted"
        await pia.close()
        pia = await staff(opened, "pia", "pit-manager")
        assert await pia.confirm("1", digest, id="0-once") == first
        assert len(happened(opened, on.TableOpened)) == 2
        # Under the same id nobody else has anything answered, and nothing else is done.
        ace = await staff(opened, "ace", "assistant-casino-manager")
        assert (await ace.confirm("1", digest, id="0-once"))["code"] == "nothing-pending"
        assert (await pia.act("1", "close-table"))["t"] == "accepted"
        other = await proposed(gus, decks=6)
        replayed = await staff(opened, "pia", "pit-manager")
        assert (await replayed.confirm("1", other, id="0-once"))["code"] == "id-in-use"
        assert opened.floor.table("1").setup is None
        assert (await pia.confirm("1", other))["t"] == "accepted"  # what was refused has ended nothing


@waits
async def test_a_page_cannot_say_itself_that_something_is_confirmed_or_of_the_file(tmp_path: Path) -> None:
    async with closed(tmp_path) as opened:
        gus = await staff(opened, "gus", "gaming-shift-manager")
        pia = {"name": "pia", "position": "pit-manager"}
        for more in ({"confirmed_by": pia}, {"beyond_file": False}, {"beyond_file": True, "confirmed_by": pia}):
            for act, fields in (("open-table", {"setup": PLAIN | {"limits": WIDER}}), ("change-limits", {})):
                answer = await gus.act("1", act, **fields, **more)
                assert (answer["t"], answer["code"]) == ("refused", "malformed"), more
        answer = await gus.act("1", "report-stake", number=1, stake_cents=500, confirmed_by=pia)
        assert answer["code"] == "malformed"
        assert opened.floor.table("1").setup is None


@waits
async def test_a_dealer_who_takes_another_table_hands_the_first_one_back(tmp_path: Path) -> None:
    async with house(tmp_path, FILE, FILE, automatic=False) as opened:
        dora, again = await staff(opened, "dora", "dealer"), await staff(opened, "dora", "dealer")
        first, second = opened.hall.tables["1"], opened.hall.tables["2"]
        await dora.take("1")
        await again.take("2")
        assert (first.dealer_name, second.dealer_name) == ("", "dora")
        assert (await dora.act("1", "load-shoe"))["code"] == "not-allowed"
        assert (await dora.act("2", "load-shoe"))["t"] == "accepted"
        # The page at the first table comes back after a break: it takes nothing from the page at the second.
        await dora.send(t="take-table", table="1", again=True)
        await dora.send(t="ping", n=1)
        await dora.until(lambda: dora.told[-1]["t"] == "pong")
        assert (first.dealer_name, second.dealer_name) == ("", "dora")
        # A Pit Supervisor may stand in at several tables.
        sue = await staff(opened, "sue", "pit-supervisor")
        await sue.take("1")
        await sue.take("2")
        assert (first.dealer_name, second.dealer_name) == ("sue", "sue")


@waits
async def test_a_dealer_acts_only_at_the_table_that_the_dealer_has_taken(tmp_path: Path) -> None:
    async with house(tmp_path, FILE, FILE, automatic=False) as opened:
        dora, dan = await staff(opened, "dora", "dealer"), await staff(opened, "dan", "dealer")
        await dan.take("1")
        await dora.take("2")
        assert (await dora.act("1", "load-shoe"))["code"] == "not-allowed"
        await opened.until(lambda: refusals(opened) == [("dora", "1", "load-shoe", "not-allowed")])
        assert (await dora.act("2", "load-shoe"))["t"] == "accepted"
        assert (await dan.act("1", "load-shoe"))["t"] == "accepted"
        # Whoever keeps trying is heard no more for a while, and fills no log.
        codes = [(await dora.act("1", "open-bets"))["code"] for _ in range(8)]
        assert codes[-1] == "too-fast"
