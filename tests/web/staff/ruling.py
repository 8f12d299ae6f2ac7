"""The form of a decision in parts, as a Gaming Shift Manager fills it in, in either language."""

import re
from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from playwright.sync_api import Locator, expect
from tests.web.staff.console import Decisions, card_name

_RANKS_ZH: Final = {"T": "10", "S": "寿", "L": "禄", "F": "福"}
_SUITS_ZH: Final = dict(zip("shdcfgeow", "黑桃 红心 方块 梅花 火 金 土 木 水".split(), strict=True))
# So long the page waits after the last change before it asks the floor.
_REST_MS: Final = 300
# What is read on the form, in English and in Chinese.
_WORDS: Final = {
    "void": ("The round is void", "本局作废"),
    "continue": (re.compile("The round goes on|The round stands"), re.compile("本局继续|本局有效")),
    "earlier": ("Round {}, the one before", "第{}局（上一局）"),
    "order": ("The cards are put in order", "重排各牌次序"),
    "order part": ("Order of the cards", "各牌次序"),
    "order again": ("Begin again", "重新开始"),
    "back": ("goes back in whole", "全部退还"),
    "part": ("goes back in part", "部分退还"),
    "lose": ("loses", "判输"),
    "wager": ("What becomes of wager {}", "{}号投注如何处置"),
    "amount": ("Amount that goes back, of wager {}", "{}号投注退还金额"),
    "card": ("What becomes of {}", "{}如何处置"),
    "burnt": ("Burnt", "烧掉"),
    "played": ("Played", "使用"),
    "burn named": ("Burn named cards", "烧掉指定的牌"),
    "push": ("pushes", "退还本金"),
    "burn next": ("Burn the next cards, how many", "烧掉接下来的张数"),
    "reopen": ("Bets reopen", "重新开放下注"),
    "shoe": ("The shoe", "牌靴"),
    "stays": ("Stays", "不变"),
    "replace": ("Is replaced", "更换"),
    "keep": (re.compile("Is kept"), re.compile("保留")),
    "counted": ("Cards counted", "清点张数"),
    "method": ("Method {}", "方式{}"),
    "reason": ("Reason, for the record", "理由（记录在案）"),
    "decide": ("Decide", "裁决"),
    "foresight": ("What this decision does", "此裁决的结果"),
    "nothing": ("nothing moves", "不变"),
    "open": ("not determined yet", "尚未确定"),
    "none": ("none", "无"),
}


def named(card: str, *, chinese: bool) -> str:
    """A card as it is read out.

    >>> named("Ts", chinese=False), named("Ts", chinese=True)
    ('Ten of spades', '黑桃10')
    """
    return _SUITS_ZH[card[1]] + _RANKS_ZH.get(card[0], card[0]) if chinese else card_name(card)


class Money(NamedTuple):
    """What a patron's credits gain or lose, what is at stake afterwards, and what settlement pays, in cents.

    Where a wager is not determined yet, and where none is left, settlement has no figure.
    """

    credits: int
    stake: int
    settlement: int | None = None


class RulingForm:
    """The parts of a decision on a page."""

    def __init__(self, screen: Decisions, *, chinese: bool = False) -> None:
        self._screen = screen
        self._chinese = chinese
        self._form = screen.decision

    def _word(self, key: str) -> Any:  # noqa: ANN401
        return _WORDS[key][self._chinese]

    def _named(self, card: str) -> str:
        return named(card, chinese=self._chinese)

    def earlier(self, round_: int) -> None:
        """The decision applies to the round before: nothing but a reason is asked for."""
        self._form.get_by_role("radio", name=self._word("earlier").format(round_)).check()
        expect(self._form.get_by_role("radio")).to_have_count(2)

    def round(self, ruling: str) -> None:
        """What becomes of the round; where that has one answer, it is not asked."""
        choice = self._form.get_by_role("radio", name=self._word("continue" if ruling == "return" else ruling))
        expect(self._form.get_by_role("radio").first).to_be_visible()
        if choice.count():
            choice.check()
        else:
            assert ruling == "continue"

    def order(self, cards: Iterable[str]) -> None:
        """Touch cards into an order."""
        part = self._form.get_by_role("group", name=self._word("order part"))
        for card in cards:
            part.get_by_role("button", name=self._named(card), exact=True, disabled=False).first.click()

    def order_again(self) -> None:
        """Take every card out of the order."""
        part = self._form.get_by_role("group", name=self._word("order part"))
        part.get_by_role("button", name=self._word("order again"), exact=True).click()

    def wager(self, number: int, fate: str | re.Pattern[str], amount: str = "") -> None:
        """What becomes of a wager: by the words of its choice."""
        choice = self._form.get_by_label(self._word("wager").format(number), exact=True)
        wanted = self._word(fate) if isinstance(fate, str) else fate
        words = choice.locator("option").all_inner_texts()
        choice.select_option(label=next(each for each in words if re.search(wanted, each)))
        if amount:
            self._form.get_by_label(self._word("amount").format(number), exact=True).fill(amount)

    def card(self, card: str, fate: str) -> None:
        """What becomes of a card that was seen."""
        asked = self._form.get_by_role("radiogroup", name=self._word("card").format(self._named(card)))
        asked.get_by_role("radio", name=self._word(fate)).check()

    def burn_next(self, count: int) -> None:
        self._form.get_by_label(self._word("burn next")).fill(str(count))

    def burn_named(self, *cards: str) -> None:
        """Burn cards that nobody has seen, by their names."""
        naming = self._form.get_by_role("button", name=self._word("burn named"), exact=True)
        naming.click()
        for card in cards:
            naming.page.keyboard.type(card)
        naming.click()

    def reopen(self) -> None:
        self._form.get_by_role("checkbox", name=self._word("reopen")).check()

    def method(self, method: str) -> None:
        self._form.get_by_role("radio", name=self._word("method").format(method), exact=True).check()

    def shoe(self, ruling: str) -> None:
        asked = self._form.get_by_role("radiogroup", name=self._word("shoe"))
        asked.get_by_role("radio", name=self._word(ruling)).check()

    def counted(self, count: int) -> None:
        self._form.get_by_label(self._word("counted")).fill(str(count))

    def fill(self, fields: Mapping[str, Any]) -> None:
        """Fill in a decision as its command has it."""
        self.round(fields["ruling"])
        self.order(fields.get("order", "").split())
        for number in fields.get("wagers", ()):
            self.wager(number, "back")
        for card in fields.get("play", "").split():
            self.card(card, "played")
        for card in fields.get("burn", "").split():
            self.card(card, "burnt")
        if fields.get("burn_next"):
            self.burn_next(fields["burn_next"])
        if fields.get("shoe") or fields.get("counted"):
            self.shoe(fields.get("shoe", "keep"))
        if fields.get("counted"):
            self.counted(fields["counted"])

    # What it would do

    @property
    def foresight(self) -> Locator:
        """What the decision would do, once that is known of what is in the form."""
        self._screen.page.clock.fast_forward(_REST_MS)
        shown = self._form.get_by_role("region", name=self._word("foresight"))
        expect(shown).to_have_attribute("aria-busy", "false")
        expect(shown.get_by_role("status")).to_have_text("")
        return shown

    def money(self) -> dict[str, Money]:
        """What each patron gains or loses, as it is shown."""
        rows = [
            row.get_by_role("cell").all_inner_texts() for row in self.foresight.locator("tbody tr:first-child").all()
        ]
        return {
            patron: Money(self._cents(moves), self._cents(stake), self._settlement(*settlement))
            for patron, moves, stake, *settlement in rows
        }

    def wagers(self) -> list[str]:
        """What each wager comes to at settlement, as it is shown."""
        return [" ".join(line.split()) for line in self.foresight.locator("tbody li").all_inner_texts()]

    def _settlement(self, shown: str = "") -> int | None:
        """What settlement pays; there is no such column where no wager is left."""
        return None if shown in {"", self._word("open"), self._word("none")} else self._cents(shown)

    def _cents(self, shown: str) -> int:
        if shown == self._word("nothing"):
            return 0
        return int(re.sub(r"[^\d−]", "", shown).replace("−", "-"))

    def hand(self, side: str) -> list[str]:
        """The names of a hand's cards as they would be."""
        hand = self.foresight.locator(f".hand.{side} [role=group]").last
        return [str(card.get_attribute("aria-label")) for card in hand.get_by_role("img").all()]

    def discarded(self) -> list[str]:
        """The names of the cards that would be discarded."""
        line = self.foresight.locator("dd").first
        return [str(card.get_attribute("aria-label")) for card in line.get_by_role("img").all()]

    def give(self, reason: str) -> None:
        """Give the decision."""
        self._form.get_by_label(self._word("reason")).fill(reason)
        self._screen.page.clock.fast_forward(_REST_MS)
        self._screen.done(self._screen.button(self._word("decide"), self._form).click)


def rule(screen: Decisions, fields: Mapping[str, Any]) -> None:
    """Decide what was referred, as the command has it."""
    form = RulingForm(screen)
    form.fill(fields)
    form.give(fields["reason"])
