"""Acts of two people on the pages: one proposes, another sees what differs and confirms it, in both languages."""

import re
from functools import partial
from typing import Final

import pytest
from playwright.sync_api import Locator, expect
from tests.web.staff.conftest import House
from tests.web.staff.console import Office
from tests.web.staff.rounds import begun
from tests.web.staff.test_appearance import worded
from tests.web.staff.visit import LOCALES, Visit, spoken

from punto.server.words.irregularities import INPUTS

WORDS: Final = {
    "en-SG": {
        "open": "Open the table",
        "decks": "Decks",
        "most": "Most wager",
        "beyond": "This is not the setup of the floor's file",
        "propose": "Propose it to a second person",
        "waits": "Waiting for a second person. A Pit Manager or above confirms it",
        "second": "Waits for a second person",
        "confirm": "Confirm",
        "decline": "Turn down",
        "withdraw": "Withdraw",
        "mark": "not the file's setup",
    },
    "zh-CN": {
        "open": "开放牌桌",
        "decks": "副数",
        "most": "最高投注",
        "beyond": "此设置与场地文件不同",
        "propose": "提请第二人确认",
        "waits": "等待第二人：须由区域经理或以上确认",
        "second": "等待第二人确认",
        "confirm": "确认",
        "decline": "不予确认",
        "withdraw": "撤回",
        "mark": "非场地文件的设置",
    },
}
DIGEST: Final = re.compile(r"[0-9a-f]{4}( [0-9a-f]{4}){3}")


def opening(office: Office, words: dict[str, str]) -> Locator:
    """The form of a closed table, which begins with the setup of the file."""
    form = office.panel(words["open"])
    expect(form.get_by_label(words["decks"], exact=True)).to_have_value("8")
    expect(form.get_by_role("button", name=words["open"], exact=True)).to_be_enabled()
    return form


_LANGUAGES: Final = (
    pytest.param("en-SG", "two-en", id="en"),
    pytest.param("zh-CN", "two-zh", id="zh", marks=pytest.mark.nightly),
)


@pytest.mark.parametrize(("locale", "table"), _LANGUAGES)
def test_a_setup_that_is_not_the_files_is_proposed_compared_and_confirmed(
    house: House, locale: str, table: str
) -> None:
    words = WORDS[locale]
    house.wire("supervisor").done(table, "close-table")
    shift, manager = house.office(table, "shift", locale=locale), house.office(table, "manager", locale=locale)
    supervisor = house.office(table, "supervisor", locale=locale)
    form = opening(shift, words)
    form.get_by_label(words["decks"], exact=True).fill("6")
    form.get_by_label(words["most"], exact=True).fill("6000")
    expect(form.get_by_role("status")).to_contain_text(words["beyond"])
    assert shift.answered(form.get_by_role("button", name=words["propose"]).click) == "proposed"
    expect(form.get_by_role("status")).to_contain_text(words["waits"])
    assert house.record.table(table).phase.value == "closed"
    # Whoever might be the second sees what differs, and the same digest; nobody confirms what is their own.
    own, seen = shift.panel(words["second"]), manager.panel(words["second"])
    digests = [DIGEST.findall(form.get_by_role("status").inner_text())]
    for panel in (own, seen):
        expect(panel.get_by_role("row").filter(has_text="$6,000.00")).to_have_count(1)
        expect(panel.get_by_role("row").filter(has_text=re.compile("8.*6")).first).to_be_visible()
        digests.append(DIGEST.findall(panel.inner_text())[:1])
    assert digests[0] == digests[1] == digests[2] != []
    expect(own.get_by_role("button", name=words["confirm"], exact=True)).to_have_count(0)
    expect(own.get_by_role("button", name=words["withdraw"])).to_be_visible()
    expect(supervisor.panel(words["second"]).get_by_role("article")).to_be_visible()
    expect(supervisor.panel(words["second"]).get_by_role("button")).to_have_count(0)
    manager.done(seen.get_by_role("button", name=words["confirm"], exact=True).click)
    for office in (shift, manager, supervisor):
        expect(office.page.get_by_text(words["mark"])).to_be_visible()
        expect(office.panel(words["second"])).to_have_count(0)
    expect(house.console(table, "supervisor", locale=locale).page.get_by_text(words["mark"])).to_be_visible()
    setup = house.record.table(table).open
    assert (setup.decks, setup.limits["Tie"].max_cents) == (6, 600_000)
    opened = house.record.events(table)[-1]
    assert (opened["beyond_file"], opened["confirmed_by"]["position"]) == (True, "pit-manager")


@pytest.mark.parametrize("locale", LOCALES)
def test_what_is_turned_down_or_withdrawn_is_not_done(house: House, locale: str) -> None:
    words, table = WORDS[locale], f"two-turned-{locale[:2]}"
    house.wire("supervisor").done(table, "close-table")
    shift, manager = house.office(table, "shift", locale=locale), house.office(table, "manager", locale=locale)
    form = opening(shift, words)
    form.get_by_label(words["decks"], exact=True).fill("6")
    for who, act in ((manager, words["decline"]), (shift, words["withdraw"])):
        assert shift.answered(form.get_by_role("button", name=words["propose"]).click) == "proposed"
        who.done(who.panel(words["second"]).get_by_role("button", name=act).click)
        expect(manager.panel(words["second"])).to_have_count(0)
        expect(form.get_by_role("status")).to_contain_text(words["beyond"])
    # The setup of the file takes nobody else.
    form.get_by_label(words["decks"], exact=True).fill("8")
    expect(form.get_by_text(words["beyond"])).to_have_count(0)
    shift.done(form.get_by_role("button", name=words["open"], exact=True).click)
    expect(manager.page.get_by_text(words["mark"])).to_have_count(0)
    assert "confirmed_by" not in house.record.events(table)[-1]


@pytest.mark.parametrize("locale", LOCALES)
def test_limits_beyond_the_file_are_confirmed_by_a_second_person(house: House, locale: str) -> None:
    words, table, say = WORDS[locale], f"two-limits-{locale[:2]}", partial(spoken, locale)
    shift, manager = house.office(table, "shift", locale=locale), house.office(table, "manager", locale=locale)
    panel = shift.panel(say("pit.limits"))
    panel.get_by_role("button", name=say("pit.limits.change")).click()
    most = panel.get_by_label(f"{say('tie')}: {say('pit.max')}", exact=True)
    most.fill("4000")
    expect(panel.get_by_role("button", name=say("pit.limits.do"))).to_be_visible()
    most.fill("9000")
    expect(panel.get_by_role("status").first).to_contain_text(say("pit.limits.beyond"))
    assert shift.answered(panel.get_by_role("button", name=words["propose"]).click) == "proposed"
    expect(panel.get_by_role("status").first).to_contain_text(words["waits"])
    seen = manager.panel(words["second"])
    expect(seen.get_by_role("row").filter(has_text=say("tie"))).to_contain_text("$5.00 – $9,000.00")
    manager.done(seen.get_by_role("button", name=words["confirm"], exact=True).click)
    # The form is done with, and shows what counts from the next round on.
    expect(panel.get_by_role("button", name=say("pit.limits.change"))).to_be_visible()
    row = panel.get_by_role("row").filter(has_text=re.compile(f"^{say('tie')}"))
    expect(row).to_contain_text("→ $9,000.00")
    changed = house.record.events(table)[-1]
    assert (changed["beyond_file"], changed["confirmed_by"]["position"]) == (True, "pit-manager")


@pytest.mark.parametrize("locale", LOCALES)
def test_chips_that_a_dealer_finds_otherwise_are_confirmed_in_the_pit(house: House, locale: str) -> None:
    words, table = WORDS[locale], f"two-stake-{locale[:2]}"
    begun(house, table, ("Joy Tan", "Player", 1_000))
    visit, office = Visit(house, table, locale), house.office(table, "supervisor", locale=locale)
    visit.brought("close-bets")
    visit.brought("draw-card", card="4s")
    form = visit.report("4", "1")
    form.get_by_label(worded(INPUTS["number"], locale)).select_option("1")
    form.get_by_label(worded(INPUTS["stake_cents"], locale)).fill("4")
    report = visit.button("dealer.irregularity.report", form)
    assert visit.console.answered(report.click) == "proposed"
    expect(visit.console.dialog.get_by_role("status")).to_contain_text(visit.say("dealer.report.proposed"))
    visit.console.shut()
    proposals = visit.page.get_by_role("region", name=visit.say("dealer.proposals"))
    expect(visit.button("dealer.proposals.withdraw", proposals)).to_be_visible()
    seen = office.panel(words["second"])
    row = seen.get_by_role("row").filter(has_text="Joy Tan")
    expect(row).to_contain_text("$10.00")
    expect(row).to_contain_text("$4.00")
    office.done(seen.get_by_role("button", name=words["confirm"], exact=True).click)
    expect(proposals).to_have_count(0)
    [found] = [event for event in house.record.events(table) if event["type"] == "stake-found"]
    assert found["confirmed_by"]["position"] == "pit-supervisor"
