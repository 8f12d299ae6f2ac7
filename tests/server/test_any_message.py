"""Any message at any time from any page: each gets one answer, nobody is cut off, and the record stays sound."""

import asyncio
import json
import random
from pathlib import Path
from typing import Any

import msgspec
import pytest
from structlog.testing import capture_logs
from tests.server.house import Page, house, setup
from tests.width import SEED, width

from punto.record.audit import audit
from punto.rules import Method
from punto.server.ids import fresh_id
from punto.server.wire import asks

_WHO: tuple[dict[str, str], ...] = (
    {"p": "ann"},
    {"p": "bob"},
    {"p": "ann", "s": "eve:dealer"},
    {"s": "dora:dealer"},
    {"s": "saul:pit-supervisor"},
    {"s": "may:pit-manager"},
    {"s": "cal:assistant-casino-manager"},
    {"s": "gus:gaming-shift-manager"},
    {},
)
_CARDS = ("As", "Kd", "7h", "9c", "2s", "Th", "", "Zz", "4g")
_TEXTS = ("ann", "bob", "Banker", "Player", "Tie", "a drink was spilt", "", "void", "\u200b", "x" * 200, "1")


class Chance:
    """Values of any type that a message can have, most of them such that they might be meant."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)

    def ask(self) -> dict[str, Any]:
        """Any message."""
        kind = self.random.choice(asks.AnyAsk.__args__)
        if kind is asks.Do or self.random.random() < 0.5:
            return self.struct(asks.Do)
        return self.struct(kind)

    def struct(self, kind: type) -> dict[str, Any]:
        config = kind.__struct_config__  # type: ignore[attr-defined]
        made = {config.tag_field: config.tag} if config.tag else {}
        for field in msgspec.structs.fields(kind):
            if field.required or self.random.random() < 0.7:
                made[field.encode_name] = self.value(field.name, msgspec.inspect.type_info(field.type))
        return made

    def value(self, name: str, kind: Any) -> Any:  # noqa: ANN401, C901, PLR0912
        choose = self.random.choice
        match kind:
            case _ if name == "id":
                return fresh_id()
            case _ if name == "table":
                return choose("1112223")
            case _ if name in ("card", "cards", "order", "player", "banker", "left", "device", "discards"):
                return " ".join(choose(_CARDS) for _ in range(self.random.randrange(6))).strip() or choose(_CARDS)
            case msgspec.inspect.IntType():
                return choose((0, 1, 2, 3, 7, 100, 500, 1000, 5000, -1, 2**53, 10**6))
            case msgspec.inspect.FloatType():
                return choose((0, 0.3, 1, -1, 2))
            case msgspec.inspect.BoolType():
                return choose((True, False))
            case msgspec.inspect.StrType():
                return choose(_TEXTS)
            case msgspec.inspect.EnumType(cls=cls):
                return choose(list(cls)).value
            case msgspec.inspect.StructType(cls=cls):
                return self.struct(cls)
            case msgspec.inspect.UnionType(types=types):
                return self.value(name, choose(types))
            case msgspec.inspect.NoneType():
                return None
            case msgspec.inspect.VarTupleType(item_type=item):
                return [self.value("", item) for _ in range(self.random.randrange(3))]
            case msgspec.inspect.DictType():
                return {}
            case _:
                return choose(_TEXTS)


@pytest.mark.parametrize("seed", width([SEED], [0, 1, 2, SEED, SEED + 1]))
def test_any_message_gets_one_answer_and_leaves_a_sound_record(tmp_path: Path, seed: int) -> None:
    async def run() -> None:
        tables = setup(bets_ms=250), setup("baccarat", bets_ms=250, answer_ms=200, method=Method.A, hlga=True)
        async with house(tmp_path, *tables) as opened:
            pages = [await opened.page(**who) for who in _WHO]
            for page in pages[:2]:
                await page.sit("1")
                await page.sit("2", cents=0)
            sent = await asyncio.gather(*(_talk(page, Chance(10 * seed + n)) for n, page in enumerate(pages)))
            for page, ids in zip(pages, sent, strict=True):
                await page.until(lambda page=page, ids=ids: ids <= page.answers.keys())  # type: ignore[misc]
                await page.send(t="ping", n=99)
                await page.until(lambda page=page: {"t": "pong", "n": 99} in page.told)  # type: ignore[misc]
                answers = [told["id"] for told in page.told if told["t"] in ("accepted", "refused", "ticket")]
                assert len([id_ for id_ in answers if id_]) == len({id_ for id_ in answers if id_})
                assert all("\n" not in told.get("message", "") for told in page.told)
            report = audit(opened.floor.store, public_key=opened.floor.keys.public)
            assert not report.findings, report.findings[:3]

    with capture_logs() as logs:
        asyncio.run(run())
    assert not [line for line in logs if line["log_level"] in ("error", "critical")]


async def _talk(page: Page, chance: Chance) -> set[str]:
    """Say one thing after the other, as fast as is allowed; the ids that must be answered."""
    ids = set()
    for _ in range(width(100, 200)):
        message = chance.ask()
        if message["t"] not in ("ping", "take-table", "hand-back"):
            ids |= {message["id"]} if "id" in message else set()
            await page.socket.send(json.dumps(message))
        await asyncio.sleep(0.02)
    return ids
