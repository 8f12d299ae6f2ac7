import type { Language } from "../lib/words";

// Refusals that a person meets, by their code; others are shown as the floor words them.
export const refusals: Record<string, Record<Language, string>> = {
  "bets-are-closed": { en: "No more bets: nothing was changed", zh: "已停止下注：未作更改" },
  "not-honoured": { en: "Too late: it came after the close and does not count", zh: "太晚了：停止下注之后，不予承认" },
  "out-of-turn": { en: "Not now: it is not the turn for that", zh: "现在不行：还没轮到这一步" },
  "round-over": { en: "That round is over: the last rounds show what counted", zh: "该局已结束：有效投注见最近牌局" },
  "decision-pending": { en: "A decision is awaited first", zh: "须先等待裁决" },
  unaffordable: { en: "Not enough credits", zh: "余额不足" },
  "area-is-full": { en: "This area has no room for another wager", zh: "此投注区已满" },
  "too-heavy": { en: "One hand is too heavy: only decreases are taken now", zh: "一方投注过重：现在只接受减注" },
  "terminal-is-down": {
    en: "This terminal is down: it places and withdraws nothing until it is back",
    zh: "本终端故障：恢复之前不接受下注与撤注",
  },
  "needs-second": { en: "That takes a second person: nothing was changed", zh: "须由第二人确认：未作更改" },
  "not-independent": {
    en: "You two cannot stand together for this yet: accounts were opened, changed or recovered not long ago",
    zh: "你们二人暂时不能共同办理：近期有账户被开立、更改或恢复",
  },
  "not-on-own-device": {
    en: "One of you has not enrolled on a device of their own yet: the staff entrance says what to do",
    zh: "你们其中一人尚未在自己的设备上登记：员工入口页说明如何办理",
  },
  "closed-to-play": {
    en: "This terminal is closed to play. Please speak to the staff.",
    zh: "本终端已停止投注。请与工作人员联系。",
  },
  "excluded-patron": {
    en: "The house has excluded this patron: pay what is owed, and nothing else",
    zh: "此玩家已被禁玩：只支付应付款项",
  },
  "nothing-to-report": {
    en: "No such report is due: the sum is under the threshold, or more cash has moved. Look at the list again",
    zh: "无此报告：金额未达门槛，或又有现金收付。请重新查看列表",
  },
  "not-excluded": {
    en: "Nothing to lift: this patron is not excluded, or is on the list of the floor's file, which only that file ends",
    zh: "无可解除：此玩家未被禁玩，或列于场地名单文件",
  },
  "unknown-patron": {
    en: "Nobody here knows this patron: ask a Pit Supervisor to register the name",
    zh: "没有此客人的登记：请由区域主任登记姓名",
  },
  "not-at-round": {
    en: "You had no wager in that round or in the two before it: no claim was raised",
    zh: "您在该局及之前两局均无投注：未提出申诉",
  },
  "claim-too-late": { en: "That round is too old for a claim", zh: "该局时间过久，不能再申诉" },
  "claim-exists": { en: "You have raised a claim about this round before", zh: "您已就该局提出过申诉" },
  "too-many-claims": {
    en: "Too many claims wait for an answer: more cannot be open at once",
    zh: "待答复的申诉过多：暂不能再提出",
  },
  "claim-closed": { en: "This claim was answered or withdrawn before", zh: "此申诉已答复或已撤回" },
  "no-such-claim": { en: "There is no such claim", zh: "没有此申诉" },
  "own-act": {
    en: "You acted in that round yourself: somebody else answers",
    zh: "您本人参与了该局：须由他人答复",
  },
  "not-seated": { en: "Sit down at the table first", zh: "请先入座" },
  "no-such-table": { en: "There is no such table here", zh: "这里没有此牌桌" },
  "table-is-full": { en: "Every seat is taken", zh: "座位已满" },
  "too-fast": { en: "Too fast: wait a moment", zh: "太快了：请稍候" },
  "bad-ticket": { en: "This ticket is not valid, or was redeemed before", zh: "此票无效或已兑换" },
  "store-gone": { en: "The floor cannot write just now: nothing was accepted", zh: "暂时无法记录：未接受任何操作" },
  "stream-stopped": {
    en: "This record is being checked: nothing was accepted, and staff are told",
    zh: "此记录正在核查：未接受任何操作，已通知工作人员",
  },
  "stale-id": { en: "That was refused in an earlier round: nothing was done", zh: "该操作已在前一局被拒：未作更改" },
  "too-much-work": { en: "That took too long and was stopped: nothing was changed", zh: "耗时过长已中止：未作更改" },
  "work-failed": { en: "That could not be finished: nothing was changed, try again", zh: "未能完成：未作更改，请重试" },
  "not-written": {
    en: "It did not get through: nothing was accepted",
    zh: "未能送达：未接受任何操作",
  },
  unknown: { en: "The answer is awaited: nothing is lost", zh: "正在等待答复：不会丢失任何内容" },
  "not-known": {
    en: "The floor does not answer yet, and this may be done: look whether it is before you ask again",
    zh: "系统尚未答复，操作可能已完成：请先查看，再决定是否重试",
  },
  fenced: { en: "This table is run elsewhere now: nothing was changed here", zh: "本桌现由其他系统运行：此处未作更改" },
  closing: { en: "The floor is closing: nothing was changed", zh: "场地正在关闭：未作更改" },
  "not-witnessed": { en: "A witness did not sign the checkpoint", zh: "见证方未签署检查点" },
  "not-signed-in": { en: "Sign in first", zh: "请先登录" },
  lost: {
    en: "The connection was lost: what was not confirmed is asked again",
    zh: "连接中断：未确认的操作将重新询问",
  },
};
