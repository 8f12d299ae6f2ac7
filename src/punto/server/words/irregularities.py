"""Irregularities in plain words: what was found, what it turns on, and what follows from it.

The rules themselves are data of each rulebook; here is only how they are said.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from punto.rules import Circumstance, Found, Label, Remedy


class Meaning(NamedTuple):
    """What something is called, and what that means to who stands at the table."""

    title: Label
    means: Label


FOUND: Final[Mapping[Found, Meaning]] = MappingProxyType(
    {
        Found.EXTRA_CARDS: Meaning(
            Label("Extra cards", "多牌"),
            Label("There are more cards in the shoe than its decks hold.", "牌靴中的牌多于应有之数。"),
        ),
        Found.MISSING_CARDS: Meaning(
            Label("Missing cards", "缺牌"),
            Label("Cards that belong to the shoe are not in it.", "牌靴中缺少应有的牌。"),
        ),
        Found.FOREIGN_CARDS: Meaning(
            Label("Foreign cards", "异牌"),
            Label("There are cards in the shoe that do not belong to its decks.", "牌靴中有不属于该牌副的牌。"),
        ),
        Found.UNSHUFFLED_CARDS: Meaning(
            Label("Cards not shuffled", "未洗牌"),
            Label("The cards went into the shoe without being shuffled.", "牌未经洗牌即装入牌靴。"),
        ),
        Found.ORDER_ALTERED: Meaning(
            Label("Order in the shoe altered", "牌序被改动"),
            Label("The order of the cards that are still in the shoe was disturbed.", "牌靴内余牌的次序被打乱。"),
        ),
        Found.TOO_FEW_CARDS: Meaning(
            Label("Too few cards", "牌不足"),
            Label("The shoe has not enough cards left to finish the round.", "牌靴余牌不足以完成本局。"),
        ),
        Found.FACE_UP_IN_DEVICE: Meaning(
            Label("Card face up in the shoe", "靴内明牌"),
            Label("A card lies face up in the dealing device.", "发牌器内有一张牌面朝上。"),
        ),
        Found.WRONG_ORDER: Meaning(
            Label("Cards in the wrong order", "发牌次序错误"),
            Label("The cards of this round lie in another order than they should.", "本局的牌未按应有次序放置。"),
        ),
        Found.WRONG_NUMBER: Meaning(
            Label("Wrong number of cards", "张数错误"),
            Label("A hand has a card too many or too few.", "某一手牌多一张或少一张。"),
        ),
        Found.DRAWN_TOGETHER: Meaning(
            Label("Cards drawn together", "同时抽出多张"),
            Label("Two or more cards came out of the shoe at once.", "两张或以上的牌同时自牌靴抽出。"),
        ),
        Found.WRONG_PATRON: Meaning(
            Label("Cards to the wrong patron", "递错玩家"),
            Label("A hand was passed to a patron whose right it is not.", "牌递给了无权看牌的玩家。"),
        ),
        Found.NOT_PASSED: Meaning(
            Label("Cards not passed", "未递牌"),
            Label("A hand was not passed to the patron whose right it is.", "牌未递给有权看牌的玩家。"),
        ),
        Found.DEALT_FACE_UP: Meaning(
            Label("Dealt face up", "误发明牌"),
            Label("Cards that should lie face down were dealt face up.", "应发暗牌却发成明牌。"),
        ),
        Found.EXPOSED_IN_ERROR: Meaning(
            Label("Exposed in error", "误开牌"),
            Label("Cards were turned up before their turn.", "牌在不应翻开时被翻开。"),
        ),
        Found.CUTTING_CARD_FIRST: Meaning(
            Label("Cutting card comes first", "切牌卡首现"),
            Label("The cutting card came as the first card of the round.", "切牌卡作为本局第一张出现。"),
        ),
        Found.DEVICE_RESET: Meaning(
            Label("Device reset", "发牌器重置"),
            Label(
                "The electronic dealing device had to be reset after the close of bets.", "停止下注后电子发牌器被重置。"
            ),
        ),
        Found.PATRON_ABSENT: Meaning(
            Label("Patron absent", "玩家不在"),
            Label("The patron who handles a hand is not at the table.", "应看牌的玩家不在桌前。"),
        ),
        Found.CARDS_CARRIED_OFF: Meaning(
            Label("Cards carried off", "牌被带走"),
            Label("A patron left with cards whose value nobody knows.", "玩家带走了牌，且无人知其点数。"),
        ),
        Found.EXPOSED_IN_MOVING: Meaning(
            Label("Exposed while the device moved", "移靴时露牌"),
            Label("Cards were seen while the dealing device was moved.", "移动发牌器时有牌露出。"),
        ),
        Found.DISORDERED_IN_MOVING: Meaning(
            Label("Disordered while the device moved", "移靴时乱序"),
            Label("Cards got out of order while the dealing device was moved.", "移动发牌器时牌序被打乱。"),
        ),
        Found.CARD_SEEN: Meaning(
            Label("Card seen before bets open", "下注前已见之牌"),
            Label(
                "Somebody has seen a card that would come in the next round, before its bets open.",
                "有人在下一局开放下注前已看见将要发出的牌。",
            ),
        ),
        Found.OFF_LIMITS: Meaning(
            Label("Wager off the limits", "超出限额的注"),
            Label("A wager was found under the minimum or over the maximum.", "发现某注低于最低限额或高于最高限额。"),
        ),
        Found.DIFFERENTIAL: Meaning(
            Label("Table differential exceeded", "超出台面差额"),
            Label(
                "The wagers on one hand exceed those on the other by more than the table allows.",
                "一方的注额超出另一方的部分大于台面所允许。",
            ),
        ),
        Found.INTERRUPTION: Meaning(
            Label("Interruption", "中断"),
            Label("Power or machinery failed during the round.", "本局进行中断电或设备故障。"),
        ),
        Found.TERMINALS_DOWN: Meaning(
            Label("Terminals down", "终端故障"),
            Label("Some terminals failed; the others and the table go on.", "部分终端故障，其余终端与牌桌正常。"),
        ),
        Found.DISPLAY_WRONG: Meaning(
            Label("Display wrong", "显示错误"),
            Label("A display shows something else than the cards say.", "显示内容与牌面不符。"),
        ),
        Found.OTHER: Meaning(
            Label("Anything else", "其他"),
            Label("Something that no rule covers.", "规则未涵盖的情形。"),
        ),
    }
)

CIRCUMSTANCES: Final[Mapping[Circumstance, Label]] = MappingProxyType(
    {
        Circumstance.NO_CARD_YET: Label("no card is dealt yet", "尚未发牌"),
        Circumstance.INITIAL_DEAL: Label("the initial deal is under way", "首轮发牌进行中"),
        Circumstance.INITIAL_DEAL_DONE: Label("the initial deal is complete", "首轮发牌已完成"),
        Circumstance.ORDER_KNOWN: Label("the order can be told", "次序可以确定"),
        Circumstance.ORDER_UNKNOWN: Label("the order cannot be told", "次序无法确定"),
        Circumstance.NOTHING_DECIDED: Label("no outcome is established", "尚无结果"),
        Circumstance.SOMETHING_DECIDED: Label("an outcome is established", "已有结果"),
        Circumstance.FACE_DOWN: Label("the cards are face down", "牌面朝下"),
        Circumstance.FACE_UP: Label("the cards have been exposed", "牌已翻开"),
        Circumstance.UNDER_MINIMUM: Label("the wager is under the minimum", "注额低于最低限额"),
        Circumstance.OVER_MAXIMUM: Label("the wager is over the maximum", "注额高于最高限额"),
        Circumstance.HLGA: Label("the table is in the HLGA", "牌桌位于贵宾区"),
        Circumstance.METHOD_C: Label("the game is dealt by Method C", "以方式 C 发牌"),
    }
)

REMEDIES: Final[Mapping[Remedy, Label]] = MappingProxyType(
    {
        Remedy.VOID: Label("The round is void, and all stakes go back.", "本局作废，退还全部注额。"),
        Remedy.VOID_AND_PROPOSE: Label(
            "The round is void, all stakes go back, and replacing the cards is proposed.",
            "本局作废，退还全部注额，并建议更换牌。",
        ),
        Remedy.VOID_AND_REPLACE: Label(
            "The round is void, all stakes go back, and the cards are replaced.", "本局作废，退还全部注额，并更换牌。"
        ),
        Remedy.PLAY_ON: Label("The round goes on as it stands.", "本局照常继续。"),
        Remedy.REBUILD: Label(
            "The cards are put into the order that they should have had, and the round goes on.",
            "将牌恢复为应有次序，本局继续。",
        ),
        Remedy.OFFER_THEN_REBUILD: Label(
            "Patrons may withdraw undecided wagers; then the cards are put in order, and the round goes on.",
            "玩家可撤回未定之注；随后恢复牌序，本局继续。",
        ),
        Remedy.ORDER_THEN_OFFER: Label(
            "The order of the cards is determined; patrons may then withdraw their undecided wagers, or play on.",
            "先裁定牌的次序；玩家随后可撤回未定之注或继续。",
        ),
        Remedy.OFFER_ALL_THEN_PLAY_ON: Label(
            "Each patron may withdraw all wagers; then the round is concluded.", "每位玩家可撤回全部注；随后完成本局。"
        ),
        Remedy.OFFER_THEN_REOPEN: Label(
            "Patrons may withdraw; then bets are opened again, and closed again.",
            "玩家可撤注；随后重新开放下注并再次停止。",
        ),
        Remedy.OFFER_THEN_PLAY_ON: Label(
            "The Dealer may let patrons withdraw; then the round goes on.", "荷官可让玩家撤注；随后本局继续。"
        ),
        Remedy.RETRIEVE: Label(
            "The cards are taken back face down, and go to the patron whose right it is.",
            "收回暗牌，递给有权看牌的玩家。",
        ),
        Remedy.DEALER_EXPOSES: Label("The Dealer turns the cards up.", "由荷官翻开牌。"),
        Remedy.COUNT: Label(
            "Two cards are set aside, all others are counted, and the missing ones replaced from a complete deck.",
            "搁置两张牌，清点其余，从一副完整的牌中补回缺牌。",
        ),
        Remedy.SETTLE_WITHIN_LIMITS: Label(
            "The wager is settled within the limits; under the minimum once, with a warning.",
            "按限额结算；低于最低限额者仅此一次并予警告。",
        ),
        Remedy.CARDS_STAND: Label("The cards stand, whatever a display shows.", "以牌为准，不论显示为何。"),
        Remedy.REFER: Label(
            "It is referred: the Gaming Shift Manager decides, and says why.",
            "提请裁决：由博彩值班经理决定并说明理由。",
        ),
    }
)

# How a table differential is met, step by step: it has clauses of its own in place of rules.
DECREASE: Final = Label("Patrons on the heavier hand are asked to decrease.", "请注额较大一方的玩家减注。")
INCREASE: Final = Label("If they do not, others may increase on the other hand.", "若不减，另一方的玩家可加注。")
REMOVE: Final = Label("If that is not enough, wagers on the heavier hand are removed.", "若仍不足，移除较大一方的注。")

HOW_MANY: Final = Label("How many cards are gone", "被带走的张数")

# What a report says besides what was found.
INPUTS: Final[Mapping[str, Label]] = MappingProxyType(
    {
        "together": Label(
            "Which cards came together, by their places in the draw", "同时抽出的是第几张牌（按抽牌顺序）"
        ),
        "places": Label("Which cards of the hand, counted from 1", "该手牌中的第几张（从 1 起）"),
        "order_known": Label("Can the order be restored?", "次序能否恢复？"),
        "note": Label("A note", "备注"),
        "player": Label("Player's hand as it lies", "闲家的牌（现状）"),
        "banker": Label("Banker's hand as it lies", "庄家的牌（现状）"),
        "order": Label(
            "The order in which the cards should have come, where it can be told", "牌应有的次序（若可确定）"
        ),
        "side": Label("Which hand", "哪一手牌"),
        "cards": Label("The cards", "牌"),
        "left": Label("Cards of that hand that were left behind", "该手牌留下的牌"),
        "other_cards": Label("How many cards of the other hand are gone", "另一手牌被带走的张数"),
        "other_left": Label("Cards of the other hand that were left behind", "另一手牌留下的牌"),
        "number": Label("The number of the wager", "注的编号"),
        "stake_cents": Label("The stake that was found", "发现的注额"),
        "terminals": Label("The terminals that failed", "故障的终端"),
        "shown": Label("What the display shows", "显示的内容"),
        "matter": Label("What the matter is", "事由"),
    }
)
