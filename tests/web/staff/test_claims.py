"""A claim from the terminal to the pit and back: raised, answered by whoever had no part in the round, and read."""

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, Page, expect
from tests.web.staff.conftest import House
from tests.web.staff.rounds import PLAYER_WINS, begun, dealt
from tests.web.staff.test_appearance import Axe, fits, judged

PHONE: Final = {"width": 360, "height": 740}
WORDS: Final[dict[str, dict[str, re.Pattern[str] | str]]] = {
    "en-SG": {
        "menu": "Menu",
        "recall": "Last rounds",
        "round": "Round 1, shoe 1",
        "raise": "Raise a claim",
        "cards": "The cards",
        "words": "What happened, in your words",
        "send": "Send the claim",
        "by": "You will have an answer by",
        "done": "Done",
        "waits": re.compile(r"Claim \d+: Waiting for an answer"),
        "answered": re.compile(r"Your claim \d+ was answered"),
        "claims": re.compile("^Your claims"),
        "rejected": "Not upheld",
        "open": "The cards",
        "left": "left",
        "reject": "Not upheld",
        "reason": "Why, in words that the patron reads",
        "answer": re.compile(r"^Answer claim \d+$"),
        "final": "Not upheld",
        "quiet": "Open claims: 1",
    },
    "zh-CN": {
        "menu": "菜单",
        "recall": "最近牌局",
        "round": "第1靴第1局",
        "raise": "提出申诉",
        "cards": "牌面",
        "words": "请说明经过",
        "send": "提交申诉",
        "by": "前答复。",
        "done": "好的",
        "waits": re.compile(r"申诉\d+号：等待答复"),
        "answered": re.compile(r"您的申诉\d+号已有答复"),
        "claims": re.compile("^我的申诉"),
        "rejected": "不成立",
        "open": "牌面",
        "left": "剩余",
        "reject": "不成立",
        "reason": "理由（客人会看到）",
        "answer": re.compile(r"^答复申诉\d+号$"),
        "final": "不成立",
        "quiet": "待答复申诉：1",
    },
}
SAID: Final = "The third card was not shown to us."
WHY: Final = "The camera and the record agree: Player stood on 6, so there was no third card."


def opened(page: Page, words: dict[str, re.Pattern[str] | str], entry: str) -> Locator:
    """A dialog, by its entry in the menu."""
    page.get_by_role("navigation").get_by_role("button", name=re.compile(f"^{words['menu']}")).click()
    page.get_by_role("dialog").get_by_role("button", name=words[entry]).click()
    return page.get_by_role("dialog")


@pytest.mark.parametrize(
    ("locale", "table"),
    [
        pytest.param("zh-CN", "claims-zh", id="zh"),
        pytest.param("en-SG", "claims-en", id="en", marks=pytest.mark.nightly),
    ],
)
def test_a_patron_raises_a_claim_a_manager_answers_it_and_the_patron_reads_why(
    house: House, axe: Axe, locale: str, table: str
) -> None:
    words = WORDS[locale]
    patron = house.patron(f"Cleo {locale}")
    begun(house, table, (patron.name, "Player", 2_500))
    dealt(house, table, PLAYER_WINS)
    terminal = house.visited(f"/table/{table}", patron.cookies, locale=locale, viewport=PHONE)
    recall = opened(terminal, words, "recall")
    recall.get_by_role("button", name=words["round"]).click()
    recall.get_by_role("button", name=words["raise"]).click()

    claim = terminal.get_by_role("dialog", name=words["raise"])
    claim.get_by_role("radio", name=words["cards"]).check()
    claim.get_by_label(words["words"]).fill(SAID)
    assert not judged(axe, terminal)
    fits(terminal, 360, 740, [(claim.get_by_role("button", name=words["send"]), 1.0)])
    claim.get_by_role("button", name=words["send"]).click()
    expect(terminal.get_by_role("dialog").last).to_contain_text(words["by"])
    terminal.get_by_role("button", name=words["done"], exact=True).click()
    expect(recall.get_by_role("button", name=words["waits"])).to_be_visible()
    terminal.keyboard.press("Escape")

    # Whoever deals sees that there is one, and no more.
    dealer = house.visited(f"/dealer/{table}", house.papers("dealer"), locale=locale)
    expect(dealer.get_by_text(words["quiet"])).to_be_visible()
    expect(dealer.get_by_text(SAID)).to_have_count(0)

    # In the pit it waits beside the decisions, with the time that is left.
    pit = house.visited("/pit", house.papers("manager"), locale=locale)
    waiting = pit.get_by_role("listitem").filter(has_text=words["open"]).filter(has_text=table)
    expect(waiting).to_contain_text(words["left"])
    waiting.get_by_role("link").click()
    expect(pit.get_by_text(SAID)).to_be_visible()
    expect(pit.get_by_role("cell", name=patron.name)).to_be_visible()
    pit.get_by_role("radio", name=words["reject"]).check()
    pit.get_by_label(words["reason"]).fill(WHY)
    assert not judged(axe, pit)
    for width, height in ((360, 740), (1366, 768)):
        fits(pit, width, height)
    pit.get_by_role("button", name=words["answer"]).click()
    expect(pit.get_by_text(WHY)).to_be_visible()
    expect(waiting).to_have_count(0)

    # The patron hears of it at once, reads it, and finds it after a reload.
    expect(terminal.get_by_role("status").filter(has_text=words["answered"])).to_be_visible()
    told = opened(terminal, words, "claims")
    expect(told).to_contain_text(WHY)
    expect(told).to_contain_text(words["final"])
    terminal.reload()
    expect(opened(terminal, words, "claims")).to_contain_text(SAID)
    expect(dealer.get_by_text(words["quiet"])).to_have_count(0)


def test_whoever_acted_in_the_round_is_told_that_somebody_else_answers(house: House) -> None:
    table = "claims-own"
    patron = house.patron("Cleo own")
    begun(house, table, (patron.name, "Player", 2_500))
    dealt(house, table, PLAYER_WINS)
    body = {"about": "payment", "words": SAID}
    context = house.page(f"/table/{table}", patron.cookies).context
    raised = context.request.post(
        f"/api/tables/{table}/rounds/1/claims", data=body, headers={"Origin": house.address}
    ).json()
    pit = house.section(f"claims/{raised['claim']}", "supervisor").page
    expect(pit.get_by_text("You acted in this round yourself")).to_be_visible()
    expect(pit.get_by_role("button", name=re.compile("^Answer claim"))).to_have_count(0)
    # The patron thinks better of it: it leaves the pit as well.
    terminal = house.visited(f"/table/{table}", patron.cookies)
    told = opened(terminal, WORDS["en-SG"], "claims")
    told.get_by_role("button", name=re.compile("^Withdraw")).click()
    expect(told).to_contain_text("no other claim can be raised")
    told.get_by_role("button", name="Withdraw", exact=True).click()
    expect(told).to_contain_text("Withdrawn")
    expect(pit.get_by_text("Withdrawn").first).to_be_visible()
