// Amounts and times as the pit writes them; the zone of all its times stands in its head.
import { money } from "../../lib/money";
import { floorTime } from "../../lib/zone";
import { floor } from "../../live";

export const cash = (cents: number): string => money(cents, floor.welcome?.currency ?? "");

const MINUS = "\u2212";

/** `0.01058` → `1.06 %`. */
export function percent(share: number, digits = 2): string {
  const text = (Math.abs(share) * 100).toFixed(digits);
  return `${share < 0 && Number(text) ? MINUS : ""}${text}\u00a0%`;
}

export const clockTime = (ms: number): string =>
  floorTime(ms, { hour: "2-digit", minute: "2-digit", second: "2-digit" });

const moment = (ms: number, timeStyle: "short" | "medium"): string =>
  ms ? floorTime(ms, { dateStyle: "medium", timeStyle }) : "";

export const dayTime = (ms: number): string => moment(ms, "short");

export const toTheSecond = (ms: number): string => moment(ms, "medium");
