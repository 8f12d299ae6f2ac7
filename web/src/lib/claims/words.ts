import { learn } from "../words";

export const en = {
  "claim.about.payment": "A payment",
  "claim.about.stake": "A stake",
  "claim.about.cards": "The cards",
  "claim.about.other": "Something else",
  "claim.open": "Waiting for an answer",
  "claim.overdue": "Overdue",
  "claim.upheld": "Upheld",
  "claim.rejected": "Not upheld",
  "claim.withdrawn": "Withdrawn",
  "claim.erased": "What was said here was erased.",
  "claim.left": "{characters} characters left",
} as const;

const zh: Record<keyof typeof en, string> = {
  "claim.about.payment": "派彩",
  "claim.about.stake": "投注",
  "claim.about.cards": "牌面",
  "claim.about.other": "其他",
  "claim.open": "等待答复",
  "claim.overdue": "逾期",
  "claim.upheld": "成立",
  "claim.rejected": "不成立",
  "claim.withdrawn": "已撤回",
  "claim.erased": "此处的文字已删除。",
  "claim.left": "还可输入{characters}字",
};

learn({ en, zh });
