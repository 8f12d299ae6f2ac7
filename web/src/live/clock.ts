import type { Clock } from "../wire";

/** A span of the floor's, on this page's own monotonic clock: the device's time of day plays no part. */
export interface Deadline {
  what: Clock["what"];
  at: number;
  total_ms: number;
}

export function deadline(clock: Clock | null): Deadline | null {
  return clock && { what: clock.what, at: performance.now() + clock.remaining_ms, total_ms: clock.total_ms };
}
