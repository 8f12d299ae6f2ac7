"""Receipts in the browser: taken at a terminal, and checked by a page that needs the floor for nothing."""

import json
import re
from pathlib import Path
from typing import Any, Final

from playwright.sync_api import Locator, Page, expect
from tests.web.conftest import PHONE, Visit
from tests.web.terminal import Terminal

from punto.proof.receipts import read_receipt

_GOLDEN: Final = Path(__file__).parents[1] / "golden"
GOLDEN: Final[dict[str, Any]] = json.loads((_GOLDEN / "receipts.json").read_text("utf-8"))
VERDICTS: Final[dict[str, Any]] = json.loads((_GOLDEN / "receipt_verdicts.json").read_text("utf-8"))
TEXTS: Final = {each["name"]: each["text"] for each in GOLDEN["receipts"]}
_RUN: Final = re.compile(r"M(\d+) (\d+)h(\d+)v1H\1z")


def _receipt(page: Page) -> Locator:
    dialog = page.get_by_role("dialog", name=re.compile("^(Receipt|收据)$"))
    expect(dialog.locator("svg[role=img]")).to_be_visible()
    return dialog


def _text(dialog: Locator) -> str:
    dialog.locator("summary").click()
    return dialog.locator("textarea").input_value()


def test_a_patron_takes_a_receipt_of_a_wager_and_of_a_ticket(visit: Visit, calm: str) -> None:
    terminal = Terminal.sit(visit, calm, viewport=PHONE)
    terminal.take("25")
    terminal.open_bets()
    terminal.bet("Banker", 2_500)
    terminal.close_bets()
    terminal.settle()
    terminal.area("Banker").click()  # why it came to what it did
    terminal.page.get_by_role("dialog").get_by_role("button", name="Receipt", exact=True).click()
    dialog = _receipt(terminal.page)
    claim = read_receipt(_text(dialog)).check()
    assert (claim.kind, claim.patron, claim.wager, claim.cents) == ("wager", terminal.patron, "Banker", 2_500)
    assert len(claim.seal) == 64
    expect(dialog).to_contain_text(f"It proves that {terminal.patron} had $25.00 on Banker at table {calm}")
    # The code is whole: its modules are as many as its version has, and the finders are where they must be.
    code = dialog.locator("svg[role=img]")
    size = 4 * int(code.get_attribute("data-version") or 0) + 17
    runs = [tuple(map(int, run)) for run in _RUN.findall(code.locator("path").get_attribute("d") or "")]
    assert {(0, 0, 7), (size - 7, 0, 7), (0, size - 7, 7)} <= set(runs)
    box = code.bounding_box()
    assert box
    assert box["width"] / (size + 8) >= 2.5, "a phone tells one module from the next"
    with terminal.page.expect_download() as downloaded:
        dialog.get_by_role("button", name="Download").click()
    assert read_receipt(downloaded.value.path().read_text()).check().command == claim.command
    dialog.get_by_role("button", name="Close").click()
    terminal.close()
    credits_ = terminal.menu("Credits and tickets")
    credits_.get_by_role("button", name=re.compile("^Collect ")).click()
    credits_.get_by_role("button", name="Receipt", exact=True).click()
    assert read_receipt(_text(_receipt(terminal.page))).check().kind == "ticket"


def test_the_page_checks_receipts_without_the_floor(visit: Visit) -> None:
    page = visit.page("/verify")
    expect(page.get_by_role("combobox").first).to_be_visible()
    page.context.set_offline(True)
    written = page.locator("#shoe-text")
    results = page.locator(".results")
    for name, text in TEXTS.items():
        written.fill("")
        written.fill(text)
        signed = "only signed" in name
        expect(results).to_contain_text("not proved to be on record yet" if signed else "what it says is on record")
        expect(results).to_contain_text(GOLDEN["key"])
    early = TEXTS["a wager in a checkpoint"]
    written.fill(early[:200] + ("A" if early[200] != "A" else "B") + early[201:])
    expect(results).to_contain_text("No floor has certified who signed this")
    written.fill(early)
    page.locator("summary").click()
    page.get_by_label("Checkpoint (a signed note)").fill(GOLDEN["checkpoints"][1])
    expect(results).to_contain_text("the proof that joins it to the receipt's is missing")
    page.get_by_label("Consistency proof").fill(GOLDEN["consistency"])
    expect(results).to_contain_text("agrees: one log begins with the other")
    page.get_by_label("The floor's key").fill("0" * 64)
    expect(results).to_contain_text("Something is wrong")
    expect(results).to_contain_text("Another floor has signed it")


def test_the_page_believes_only_the_keys_behind_a_receipts_signer_and_its_checkpoints(visit: Visit) -> None:
    page = visit.page("/verify")
    results = page.locator(".results")
    keys, receipts, notes = VERDICTS["keys"], VERDICTS["receipts"], VERDICTS["notes"]
    page.locator("#shoe-text").fill(receipts["forged signer"])
    expect(results).to_contain_text("Something is wrong")
    expect(results).to_contain_text(f"The checkpoint in it was signed by another key, {keys['first']}")
    expect(results).not_to_contain_text("It proves that")
    page.locator("#shoe-text").fill(receipts["included after the rotation"])
    page.locator("summary").click()
    page.get_by_label("The floor's key").fill(keys["today"])
    note = page.get_by_label("Checkpoint (a signed note)")
    note.fill(notes["after the rotation"])
    expect(results).to_contain_text("It is the checkpoint of the receipt")
    expect(results).to_contain_text("The receipt is right, and what it says is on record")
    note.fill(notes["of another log"])
    expect(results).to_contain_text("is of another log than the receipt")
    note.fill(notes["before the rotation"])
    expect(results).to_contain_text("This is no checkpoint that the floor has signed")
    page.get_by_label("The floor's key").fill(f"{keys['today']} {keys['first']}")
    expect(results).to_contain_text("was not held against the checkpoint")
