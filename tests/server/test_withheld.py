"""On the real server: a forged row in one patron's wallet holds up nobody else, and the patron is told."""

from pathlib import Path

from tests.floor.attacker import Attacker
from tests.floor.forgeries import RICH
from tests.server.house import Page, house, setup
from tests.server.waiting import waits

from punto.floor import Keys
from punto.floor.repairing import Who, set_aside
from punto.record import audit
from punto.store import SqliteStore

_WAGERS = ("Player", "Banker", "Tie")


async def _bet(page: Page, cents: int) -> None:
    for wager in _WAGERS:
        assert (await page.stake("1", wager, cents))["t"] == "accepted"


@waits
async def test_a_forged_row_in_one_wallet_holds_up_nobody_else_and_its_patron_is_told(tmp_path: Path) -> None:
    path = tmp_path / "floor.db"
    async with house(tmp_path, setup(bets_ms=800)) as opened:
        ann, bob = await opened.page(p="ann"), await opened.page(p="bob")
        for page in (ann, bob):
            await page.sit("1")
        await ann.phase("1", "bets-open")
        await _bet(ann, 5_000)
        await _bet(bob, 1_000)
        left = bob.purse["credits_cents"]
        Attacker(f"sqlite:{path}").append("wallet/ann", RICH)
        await bob.until(lambda: bob.tables["1"].get("outcome") and bob.purse["credits_cents"] > left)
        await ann.until(lambda: ann.purse["withheld_cents"])
        assert ann.purse["stopped"]
        assert ann.purse["staked_cents"] == 0
        assert not bob.purse["stopped"]
        assert "record" not in str(bob.tables["1"].get("wait"))
        lies = ann.purse["withheld_cents"]
        # The next round is played without her, and a page that she opens now says the same.
        await bob.phase("1", "bets-open")
        assert (await bob.stake("1", "Tie", 1_000))["t"] == "accepted"
        refused = await ann.stake("1", "Tie", 1_000)
        assert (refused["t"], refused["code"]) == ("refused", "stream-stopped")
        again = await opened.page(p="ann")
        await again.until(lambda: again.purse)
        assert (again.purse["stopped"], again.purse["withheld_cents"]) == (True, lies)
        await bob.phase("1", "settled")
    store = SqliteStore(path)
    keys = Keys.at(tmp_path / "floor.key", create=False)
    set_aside(store, keys, Who("greta", "a forged row", 1_767_196_800_000), tmp_path / "aside.jsonl")
    store.close()
    async with house(tmp_path, setup(bets_ms=800)) as opened:
        ann = await opened.page(p="ann")
        await ann.until(lambda: ann.purse and not ann.purse["withheld_cents"])
        assert not ann.purse["stopped"]
        assert ann.purse["credits_cents"] == 1_000_000 - 15_000 + lies
        bought, cashed = ann.purse["bought_cents"], ann.purse["cashed_cents"]
        assert ann.purse["credits_cents"] - bought + cashed == 0, "what lay aside was not won on this visit"
    store = SqliteStore(path, read_only=True)
    assert not audit(store, public_key=keys.public).findings
    store.close()
