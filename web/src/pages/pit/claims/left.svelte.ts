// How long staff still have for an answer: counted from when the floor told it, on this page's clock.
import { say } from "../../../lib/words";

const TICK_MS = 15_000;
const MINUTE_MS = 60_000;
const HOUR_MIN = 60;
const DAY_H = 24;

let at = $state(performance.now());
setInterval(() => (at = performance.now()), TICK_MS);

/** What is left of a span that was told at a time; below zero it is over. */
export const leftOf = (remaining_ms: number, told: number): number => remaining_ms - Math.max(0, at - told);

/** `3 h 20 min left`, `12 min overdue`. */
export function spanOf(left_ms: number): string {
  const total = Math.floor(Math.abs(left_ms) / MINUTE_MS);
  const [minutes, hours] = [total % HOUR_MIN, Math.floor(total / HOUR_MIN)];
  const time =
    hours >= 2 * DAY_H
      ? say("pit.claims.days", { days: Math.floor(hours / DAY_H), hours: hours % DAY_H })
      : hours
        ? say("pit.claims.hours", { hours, minutes })
        : say("pit.claims.minutes", { minutes });
  return say(left_ms < 0 ? "pit.claims.over" : "pit.claims.left", { time });
}
