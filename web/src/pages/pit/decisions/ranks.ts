import type { Position } from "../../../wire";

// Who ranks above whom, from the lowest.
const RANKS: readonly string[] = [
  "dealer",
  "pit-supervisor",
  "pit-manager",
  "assistant-casino-manager",
  "gaming-shift-manager",
] satisfies Position[];

/** Whether who holds a position may do what takes another. */
export function holds(position: string, takes: string): boolean {
  return RANKS.includes(position) && RANKS.indexOf(position) >= RANKS.indexOf(takes);
}
