// Amounts and times as the pit writes them.
import { money } from "../../lib/money";
import { language } from "../../lib/words";
import { floor } from "../../live";

export const cash = (cents: number): string => money(cents, floor.welcome?.currency ?? "");

const MINUS = "\u2212";

/** `0.01058` → `1.06 %`. */
export function percent(share: number, digits = 2): string {
  const text = (Math.abs(share) * 100).toFixed(digits);
  return `${share < 0 && Number(text) ? MINUS : ""}${text}\u00a0%`;
}

const locale = (): string => (language.current === "zh" ? "zh-CN" : "en-SG");

export const clockTime = (ms: number): string =>
  new Date(ms).toLocaleTimeString(locale(), {
    hour: "2-digit",
    minute: "2-digit",
    second: "2-digit",
    hourCycle: "h23",
  });

const moment = (ms: number, timeStyle: "short" | "medium"): string =>
  ms
    ? new Date(ms).toLocaleString(locale(), {
        dateStyle: "medium",
        timeStyle,
        hourCycle: "h23",
      } as Intl.DateTimeFormatOptions)
    : "";

export const dayTime = (ms: number): string => moment(ms, "short");

export const toTheSecond = (ms: number): string => moment(ms, "medium");
