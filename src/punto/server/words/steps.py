"""The steps of a round in words: one sentence for every kind of event, in both languages."""

from collections.abc import Iterator, Mapping
from enum import Enum
from types import MappingProxyType
from typing import Any, Final

from punto.rules import Act, Found, Game, Label, Language, Remedy, Side, Winner
from punto.rules.money import money
from punto.rules.wording import SIDES, WINNERS
from punto.server.words.irregularities import FOUND, REMEDIES
from punto.table.events import Ruling, ShoeRuling

Plain = dict[str, Any]

# A card that comes face down is told in other words.
FACE_DOWN: Final = "card-drawn-face-down"
# As are limits with a table differential.
WITH_DIFFERENTIAL: Final = "limits-changed-with-differential"
_HIDDEN: Final = "?"
_SOMEBODY: Final = Label("a patron", "一位玩家")

STEPS: Final[Mapping[str, Label]] = MappingProxyType(
    {
        # The table and its shoe
        "table-opened": Label("The table is opened", "开台"),
        "table-closed": Label("The table is closed", "收台"),
        "limits-changed": Label("Limits from the next round on: {limits}", "下一局起的限额：{limits}"),
        WITH_DIFFERENTIAL: Label(
            "Limits from the next round on: {limits}, differential {differential_cents}",
            "下一局起的限额：{limits}，台面差额 {differential_cents}",
        ),
        "shoe-loaded": Label("Shoe {shoe} is in place", "装入第 {shoe} 靴"),
        "shoe-cut": Label("{patron} cuts the shoe at {cards} cards", "{patron}在第 {cards} 张处切牌"),
        "contribution-committed": Label("{patron} contributes to the order of the shoe", "{patron}为牌序提供随机数"),
        "contributions-closed": Label(
            "Contributions to shoe {shoe} are closed, and are revealed now", "第 {shoe} 靴停止接受随机数，现予公开"
        ),
        "contribution-revealed": Label("{patron} reveals the contribution", "{patron}公开其随机数"),
        "beacon-drawn": Label("The beacon's value is known", "公共信标的值已公布"),
        "shoe-kept": Label("Shoe {shoe} is kept: {reason}", "保留第 {shoe} 靴：{reason}"),
        "shoe-ended": Label("Shoe {shoe} is out", "第 {shoe} 靴结束"),
        # Bets
        "bets-opened": Label("Round {round}: bets are open", "第 {round} 局：开始下注"),
        "wager-placed": Label("{patron} places {stake_cents} on {wager}", "{patron}在{wager}下注 {stake_cents}"),
        "wager-changed": Label(
            "{patron} changes wager {number} from {from_cents} to {to_cents}",
            "{patron}将 {number} 号注由 {from_cents} 改为 {to_cents}",
        ),
        "wager-taken-back": Label("{patron} takes back {cents}", "{patron}取回 {cents}"),
        "late-wager": Label(
            "Too late: {cents} of {patron} on {wager} is not honoured", "过时：{patron}在{wager}的 {cents} 不予接受"
        ),
        "late-withdrawal": Label(
            "Too late: wager {number} of {patron} stands as it was", "过时：{patron}的 {number} 号注仍然有效"
        ),
        "bets-closed": Label("No more bets", "停止下注"),
        "differential-exceeded": Label(
            "The table differential is exceeded by {excess_cents} on {heavier}", "{heavier}超出台面差额 {excess_cents}"
        ),
        "differential-met": Label("The table differential is met", "台面差额已符合"),
        "wager-removed": Label(
            "Wager {number} of {patron} is removed from {from_cents} to {to_cents}",
            "{patron}的 {number} 号注由 {from_cents} 移减至 {to_cents}",
        ),
        # Cards
        "card-drawn": Label("{card} to {side}", "{side}：{card}"),
        FACE_DOWN: Label("A card face down to {side}", "{side}：一张暗牌"),
        "cutting-card-came": Label("The cutting card has come: this is the last round", "切牌卡出现：本局为最后一局"),
        "cards-exposed": Label("{side} is turned up: {cards}", "{side}开牌：{cards}"),
        "totals-announced": Label("Player {player}, Banker {banker}", "闲 {player} 点，庄 {banker} 点"),
        "outcome-announced": Label(
            "{winner}: Player {player}, Banker {banker}", "{winner}：闲 {player} 点，庄 {banker} 点"
        ),
        "round-settled": Label("Wagers are settled", "结算"),
        "round-voided": Label("The round is void: all stakes go back ({found})", "本局作废：退还全部注额（{found}）"),
        # Custody
        "areas-restricted": Label("Each area takes {most} wagers", "每个区域最多 {most} 注"),
        "method-chosen": Label("Cards are dealt by Method {method}", "以方式 {method} 发牌"),
        "cards-offered": Label("{side} is offered to {patron}", "将{side}的牌递给{patron}"),
        "cards-accepted": Label("{patron} takes {side}", "{patron}接看{side}的牌"),
        "cards-refused": Label("{patron} does not take {side}", "{patron}不看{side}的牌"),
        "holder-wanted": Label("Nobody takes {side}", "无人看{side}的牌"),
        "holder-chosen": Label("{patron} is chosen for {side}", "指定{patron}看{side}的牌"),
        "squeeze-permitted": Label("{patron} may squeeze {side}", "准许{patron}眯{side}的牌"),
        "hand-passed": Label("{side} is passed to {patron}", "{side}的牌转给{patron}"),
        "first-chosen": Label("{side} is revealed first", "先开{side}"),
        "device-taken": Label("{patron} takes the dealing device", "{patron}接管发牌器"),
        "device-given-up": Label("{patron} gives up the dealing device", "{patron}交还发牌器"),
        "dealer-stood-in": Label("The Dealer draws for the rest of the round", "本局余下的牌由荷官抽取"),
        "drawing-permitted": Label("Drawing without a wager is ruled on for {patron}", "就{patron}无注抽牌作出决定"),
        # Irregularities
        "irregularity-found": Label("Found: {found}. {remedy}", "发现：{found}。{remedy}"),
        "cards-rebuilt": Label("The cards are put in order: {cards}", "恢复牌序：{cards}"),
        "settlement-reversed": Label("The settlement is undone", "撤销结算"),
        "order-wanted": Label("The order of the cards must be determined", "须裁定牌的次序"),
        "order-determined": Label("The order of the cards is determined", "牌的次序已裁定"),
        "withdrawal-offered": Label("Patrons may withdraw wagers", "玩家可撤注"),
        "wager-withdrawn": Label("{patron} withdraws {cents}", "{patron}撤回 {cents}"),
        "offer-answered": Label("{patron} has answered", "{patron}已答复"),
        "offer-extended": Label("The time for answers begins anew", "答复时间重新开始"),
        "offer-closed": Label("The time for answers is over", "答复时间结束"),
        "bets-reopened": Label("The drawn cards are discarded, and bets are open again", "弃掉已抽的牌，重新开放下注"),
        "cards-retrieved": Label("{side} is taken back face down", "收回{side}的暗牌"),
        "cards-kept": Label("{side} is with the Dealer", "{side}的牌由荷官处理"),
        "attested": Label("Attested: {act}", "已确认：{act}"),
        "count-begun": Label("{cards} cards of {side} are gone: a count begins", "{side}有 {cards} 张牌不见：开始清点"),
        "cards-set-aside": Label("Two cards are set aside", "搁置两张牌"),
        "cards-counted": Label("The count is done", "清点完毕"),
        "missing-replaced": Label("The missing cards of {side} are replaced", "补回{side}的缺牌"),
        "stake-found": Label("Wager {number} is found to be {to_cents}", "发现 {number} 号注为 {to_cents}"),
        "patron-warned": Label("{patron} is warned: a wager is under the minimum", "警告{patron}：注额低于最低限额"),
        "referred": Label("Referred: {found}", "提请裁决：{found}"),
        "report-kept": Label("Reported, to be taken up later: {found}", "已报告，稍后处理：{found}"),
        "report-taken-up": Label("Taken up: {found}", "开始处理：{found}"),
        "terminals-failed": Label("Terminals are down: {terminals}", "终端故障：{terminals}"),
        "terminals-restored": Label("Terminals are back: {terminals}", "终端恢复：{terminals}"),
        "ruled": Label("Decided: {ruling}. {reason}", "裁决：{ruling}。{reason}"),
        # Money
        "credits-bought": Label("{patron} buys in for {cents}", "{patron}买入 {cents}"),
        "credits-cashed-out": Label("{patron} cashes out {cents}", "{patron}兑出 {cents}"),
        "credits-corrected": Label("Credits of {patron} are corrected by {cents}", "更正{patron}的额度 {cents}"),
        "credits-withheld": Label("{cents} is set aside for {patron}", "为{patron}暂存 {cents}"),
        "credits-released": Label("{cents} that was set aside goes to {patron}", "暂存的 {cents} 转入{patron}的额度"),
    }
)

ACTS: Final[Mapping[Act, Label]] = MappingProxyType(
    {
        Act.PATRON_ASKED: Label("the patron asked for it", "应玩家要求"),
        Act.IN_FULL_VIEW: Label("cards were drawn in full view", "在众目之下抽牌"),
        Act.PLACED_ON_LAYOUT: Label("the cards were placed on the layout", "牌已放在台面上"),
        Act.PASSED_THROUGH_DEALER: Label("the cards were passed through the Dealer", "牌经荷官转交"),
        Act.ASKED_TO_DECREASE: Label("patrons were asked to decrease", "已请玩家减注"),
        Act.SORTED_AND_DISPLAYED: Label("the cards were sorted and displayed", "牌已分类展示"),
        Act.TAKEN_FROM_COMPLETE_DECK: Label("replacements came from a complete deck", "补牌取自一副完整的牌"),
        Act.CUTTING_CARD_REMOVED: Label("the cutting card was removed", "已取出切牌卡"),
    }
)
RULINGS: Final[Mapping[Ruling, Label]] = MappingProxyType(
    {
        Ruling.VOID: Label("the round is void", "本局作废"),
        Ruling.CONTINUE: Label("the round goes on", "本局继续"),
        Ruling.RETURN: Label("some wagers go back, and the round goes on", "退还部分注额，本局继续"),
        Ruling.ORDER: Label("the cards are put in order", "恢复牌序"),
    }
)
# The parts of a decision beside what becomes of the round.
PARTS: Final[Mapping[str, Label]] = MappingProxyType(
    {
        "returns": Label("Wagers that go back: {}.", "退还的注：{}。"),
        "results": Label("Wagers settled as decided: {}.", "依裁决结算的注：{}。"),
        "order": Label("In this order: {}.", "牌序：{}。"),
        "burnt": Label("Burnt: {}.", "烧掉：{}。"),
        "burnt_next": Label("Burnt unseen: {}.", "未看即烧掉：{} 张。"),
        "played": Label("Played though seen: {}.", "虽被看见仍使用：{}。"),
        "counted": Label("Counted in the device: {}.", "发牌器内清点：{} 张。"),
    }
)
SHOES: Final[Mapping[ShoeRuling, Label]] = MappingProxyType(
    {
        ShoeRuling.REPLACE: Label("The cards are replaced.", "更换牌。"),
        ShoeRuling.KEEP: Label("The cards are kept.", "保留原牌。"),
    }
)


# Of an act of two people, the second.
_SECOND: Final = Label(" (confirmed by {})", "（由{}确认）")


def said(event: Plain, language: Language, game: Game | None) -> str:
    """An event in words; what is not told in it is a question mark."""
    kind = str(event["type"])
    if kind == "card-drawn" and not event.get("card"):
        kind = FACE_DOWN
    elif kind == "limits-changed" and event.get("differential_cents"):
        kind = WITH_DIFFERENTIAL
    figures = {name: _figure(name, value, language, game) for name, value in event.items()}
    if kind == "ruled":
        between = " " if language is Language.ENGLISH else ""
        figures["reason"] = between.join([*_parts(event, language), figures.get("reason", _HIDDEN)])
    line = STEPS[kind].text(language).format_map(_Told(figures))
    second = event.get("confirmed_by")
    return line + _SECOND.text(language).format(second["name"]) if second else line


def _parts(event: Plain, language: Language) -> Iterator[str]:
    """What else a decision says: wagers by their numbers, cards by their names."""
    for name, label in PARTS.items():
        match event.get(name):
            case None | 0 | "" | () | []:
                continue
            case [*wagers]:
                yield label.text(language).format(", ".join(str(wager["number"]) for wager in wagers))
            case figure:
                yield label.text(language).format(figure)
    if shoe := event.get("shoe"):
        yield SHOES[ShoeRuling(shoe)].text(language)


class _Told(dict[str, str]):
    """Figures of a sentence."""

    def __missing__(self, name: str) -> str:
        return _HIDDEN


# Fields that name something which has words of its own.
_NAMED: Final[Mapping[str, tuple[type[Enum], Mapping[Any, Label]]]] = {
    "side": (Side, SIDES),
    "heavier": (Side, SIDES),
    "winner": (Winner, WINNERS),
    "found": (Found, {found: words.title for found, words in FOUND.items()}),
    "remedy": (Remedy, REMEDIES),
    "act": (Act, ACTS),
    "ruling": (Ruling, RULINGS),
}


def _figure(name: str, value: object, language: Language, game: Game | None) -> str:
    if name in _NAMED:
        kind, labels = _NAMED[name]
        return labels[kind(value)].text(language)
    match name:
        case "patron":
            return str(value) or _SOMEBODY.text(language)
        case "wager":
            return _wager(str(value), language, game)
        case "terminals" if isinstance(value, list | tuple):
            return ", ".join(map(str, value))
        case "limits" if isinstance(value, dict):
            return _limits(value, language, game)
        case _ if name.endswith("cents") and isinstance(value, int):
            return money(value)
    return str(value)


def _limits(limits: dict[str, dict[str, int]], language: Language, game: Game | None) -> str:
    """Wagers with the same limits are named together; where all are the same, none is."""
    alike: dict[str, list[str]] = {}
    for name, limit in limits.items():
        between = f"{money(limit['min_cents'])}–{money(limit['max_cents'])}"
        alike.setdefault(between, []).append(_wager(name, language, game))
    if len(alike) == 1:
        return next(iter(alike))
    return "; ".join(f"{', '.join(names)} {between}" for between, names in alike.items())


def _wager(name: str, language: Language, game: Game | None) -> str:
    label = next((wager.label for wager in game.wagers if wager.name == name), None) if game else None
    return label.text(language) if label else name
