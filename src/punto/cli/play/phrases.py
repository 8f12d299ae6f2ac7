"""What the table says, in both languages."""

from typing import Final

from punto.rules import Label

CREDITS: Final = Label("credits", "余额")
STAKE: Final = Label("stake", "下注")
ROUND: Final = Label("round {}", "第 {} 局")
SHOE: Final = Label("shoe {}", "第 {} 靴")
LEFT: Final = Label("{} cards left", "余 {} 张")
DEMONSTRATION: Final = Label("demonstration rules: {} has a dealing device", "演示规则：{} 规定用发牌设备")
LAST_ROUND: Final = Label("the cutting card has come: a fresh shoe is next", "切牌卡已出：下一局换新靴")
WON: Final = Label("won {}", "赢 {}")
LOST: Final = Label("lost {}", "输 {}")
EVEN: Final = Label("nothing won or lost", "不输不赢")
WATCHED: Final = Label("no stake", "未下注")
WELCOME: Final = Label(
    "“b 25 t 5” stakes · Enter deals · “?” helps · “q” leaves", "“b 25 t 5” 下注 · 回车发牌 · “?” 帮助 · “q” 离桌"
)
GOODBYE: Final = Label(
    "Rounds: {rounds}. Bought {bought}, leaving with {credits}: {net}.",
    "共 {rounds} 局。买入 {bought}，余额 {credits}：{net}。",
)
UNKNOWN: Final = Label("“{}” is no command and no wager here; “?” helps", "“{}” 不是指令或注项；“?” 帮助")
NO_AMOUNT: Final = Label("“{}” needs an amount, as in “{} 25”", "“{}” 需要金额，如 “{} 25”")
BAD_AMOUNT: Final = Label("“{}” is no amount: expected a number such as 25", "“{}” 不是金额：请输入如 25 的数字")
NOTHING_LEFT: Final = Label("there is nothing left to stake", "已无余额可押")
REFUSALS: Final = {"unaffordable": "余额不足", "bad-stake": "注额须为单位的整数倍，且不得超过上限"}
NOTHING_TO_REBET: Final = Label("there is nothing to bet again yet", "尚无可重复的下注")
ENTER_TO_GO_ON: Final = Label("Enter goes on", "回车继续")
ROADS_COMMAND: Final = Label("all roads of this shoe", "本靴全部路单")
HELP: Final = (
    (
        "b 25 t 5",
        Label("25 on Banker and 5 on Tie; again adds, 0 takes back", "庄 25、和 5；再次输入累加，0 撤回"),
    ),
    ("b all", Label("stake all that is left", "押上全部余额")),
    ("Enter", Label("deal; without a stake you only watch", "发牌；未下注则观看")),
    ("r", Label("rebet: the stakes of the last round", "重复上局下注")),
    ("x2", Label("double the stakes", "加倍")),
    ("u, c", Label("undo the last change; clear all stakes", "撤销；清空下注")),
    ("why", Label("why each wager of the last round was paid or lost", "上局各注的赔付理由")),
    ("roads", ROADS_COMMAND),
    ("rules", Label("how the game is played and what it pays", "玩法与赔付")),
    ("buy 500", Label("more credits", "增购额度")),
    ("lang", Label("中文", "English")),
    ("q", Label("leave the table", "离桌")),
)
