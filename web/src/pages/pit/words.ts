import { learn } from "../../lib/words";
import { en as floorEn, zh as floorZh } from "./floor/words";
import { en as claimsEn, zh as claimsZh } from "./claims/words";
import { en as officeEn, zh as officeZh } from "./office/words";
import { en as tableEn, zh as tableZh } from "./table/words";

const own = {
  "pit.title": "Pit",
  "pit.floor": "Tables",
  "pit.books": "Books",
  "pit.staff": "Staff",
  "pit.personal": "Personal data",
  "pit.terminals": "Terminals",
  "pit.exclusions": "Exclusions",
  "pit.audit": "Audit",
  "pit.events": "Events",
  "pit.sections": "Sections of the pit",
  "pit.you": "{name}, {position}",
  "pit.account": "Your account",
  "pit.sign-out": "Sign out",
  "pit.closed": "The pit is for staff.",
  "pit.sign-in": "Sign in",
  "pit.ended": "The connection has ended: {why}",
  "pit.table": "Table {key}",
  "pit.none": "Nothing yet",
  "pit.reload": "Refresh",
  "pit.cancel": "Cancel",
} as const;

export const en = { ...own, ...floorEn, ...tableEn, ...officeEn, ...claimsEn } as const;

const ownZh: Record<keyof typeof own, string> = {
  "pit.title": "监管台",
  "pit.floor": "牌桌",
  "pit.books": "账目",
  "pit.staff": "员工",
  "pit.personal": "个人资料",
  "pit.terminals": "终端",
  "pit.exclusions": "禁玩",
  "pit.audit": "审计",
  "pit.events": "重要事件",
  "pit.sections": "监管台各部分",
  "pit.you": "{name}，{position}",
  "pit.account": "您的账户",
  "pit.sign-out": "退出登录",
  "pit.closed": "监管台仅供员工使用。",
  "pit.sign-in": "登录",
  "pit.ended": "连接已结束：{why}",
  "pit.table": "{key}号桌",
  "pit.none": "尚无",
  "pit.reload": "刷新",
  "pit.cancel": "取消",
};

export const zh: Record<keyof typeof en, string> = { ...ownZh, ...floorZh, ...tableZh, ...officeZh, ...claimsZh };

learn({ en, zh });
