import type { Position } from "../../../wire";

// The usual order, from the lowest: it counts while a table is closed, and has no ranks of its own.
const RANKS: readonly Position[] = [
  "dealer",
  "pit-supervisor",
  "pit-manager",
  "assistant-casino-manager",
  "gaming-shift-manager",
];

/** Whether who holds a position may do what takes another, by a table's own ranks, from the lowest. */
export function holds(position: string, takes: string, ranks: readonly string[] = RANKS): boolean {
  return ranks.includes(position) && ranks.includes(takes) && ranks.indexOf(position) >= ranks.indexOf(takes);
}
