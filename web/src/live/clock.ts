import type { Clock, Side } from "../wire";

/** A span of the floor's, on this page's own monotonic clock: the device's time of day plays no part. */
export interface Deadline {
  what: Clock["what"];
  at: number;
  total_ms: number;
  /** The hand that it is for, where it is for one. */
  side: Side | null;
}

// How far the floor's clock lay behind this page's when it was last heard of: by the least of these nothing came late.
const REMEMBERED = 32;
let gaps: number[] = [];

/** When a span is over. What was told while the page was busy has been running since it was told. */
export function deadline(clock: Clock | null): Deadline | null {
  if (!clock) return null;
  const now = performance.now();
  const gap = now - clock.at_ms;
  gaps = [...gaps, gap].slice(-REMEMBERED);
  const late_ms = gap - Math.min(...gaps);
  return {
    what: clock.what,
    at: now + clock.remaining_ms - late_ms,
    total_ms: clock.total_ms,
    side: clock.side ?? null,
  };
}

/** Connected anew: a floor that was started anew has another clock. */
export function forgetGaps(): void {
  gaps = [];
}
