"""Shoes: committed to while in play, open once they are out, and anybody can verify them."""

from pathlib import Path

from tests.server.http.floor import DORA, PIT, opened
from tests.server.waiting import waits

from punto.record import export
from punto.table import commands as do


@waits
async def test_a_shoe_is_told_once_it_is_out_and_its_text_is_right(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        (own, ann), nobody = await floor.guest(), floor.nobody()
        await floor.do(do.LoadShoe, DORA)
        await floor.do(do.CutShoe, ann, patron=ann.name, cards=100)
        await floor.do(do.OpenBets, DORA)
        await floor.stake(ann, "Player", 1_000)
        await floor.do(do.CloseBets, DORA)
        await floor.deal()
        [shoe] = (await nobody.get("/api/tables/2/shoes")).json()
        assert (shoe["number"], shoe["cut"], shoe["out"], shoe["opened"]) == (1, 100, False, False)
        assert len(shoe["commitment"]) == 64
        answer = await nobody.get("/api/tables/2/shoes/1")
        assert (answer.status_code, answer.json()["code"]) == (409, "shoe-in-play")
        await floor.do(do.EndShoe, PIT, reason="to see the cards")
        answer = await nobody.get("/api/tables/2/shoes/1")
        assert answer.headers["content-type"].startswith("text/plain")
        assert answer.text.startswith("punto shoe 1\n")
        [shoe] = (await nobody.get("/api/tables/2/shoes")).json()
        assert (shoe["out"], shoe["opened"]) == (True, True)
        verdict = (await nobody.post("/api/verify", content=answer.text)).json()
        assert (verdict["right"], verdict["wrong"], verdict["wagers"]) == (True, [], 0)
        assert f"commitment {verdict['sealed']}\n" in answer.text
        without = "\n".join(line for line in answer.text.splitlines() if not line.startswith("commitment"))
        assert (await nobody.post("/api/verify", content=without)).json()["sealed"] == ""
        for browser in (own, await floor.staff()):
            text = (await browser.get("/api/tables/2/shoes/1")).text
            assert (await nobody.post("/api/verify", content=text)).json()["wagers"] == 1
        assert text == str(export(floor.hall.writer.floor.store, "2", 1))
        forged = answer.text.replace(" = ", " 2c = ", 1)
        assert not (await nobody.post("/api/verify", content=forged)).json()["right"]


@waits
async def test_a_program_may_verify_a_text_and_nonsense_gets_one_line(tmp_path: Path) -> None:
    async with opened(tmp_path) as floor:
        elsewhere = floor.nobody(origin="")
        text = "punto shoe 1\ngame fortune-six\n\n1 Ks 2h 5d 4c 9s = 4-7 B\n2 9h 8c = void EB4 5.9.1\n"
        verdict = (await elsewhere.post("/api/verify", content=text)).json()
        assert verdict["rounds"] == 2
        assert [wrong["line"] for wrong in verdict["wrong"]] == [4]
        for content in (b"", b"nix", b"\xff\xfe", b"punto shoe 1\n", b"punto shoe 1\ngame x\n1 = ="):
            answer = await elsewhere.post("/api/verify", content=content)
            assert (answer.status_code, answer.json()["code"]) == (400, "bad-shoe-file")
        large = await elsewhere.post("/api/verify", content=b"x" * 1_000_001)
        assert (large.status_code, large.json()["code"]) == (413, "too-large")
        for number, status in ((0, 404), (7, 404), (-1, 404)):
            assert (await elsewhere.get(f"/api/tables/2/shoes/{number}")).status_code == status
