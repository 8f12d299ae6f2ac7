import "./words";
// Positions as they stand under a name.
import { say } from "../../lib/words";
import type { Position } from "../../wire";

export const STAFF_POSITIONS = [
  "dealer",
  "pit-supervisor",
  "pit-manager",
  "assistant-casino-manager",
  "gaming-shift-manager",
  "casino-manager",
  "casino-director",
] as const satisfies Position[];

/** Whoever holds this position, or one above, opens accounts of every position. */
const OPENS_ALL = STAFF_POSITIONS.indexOf("gaming-shift-manager");

/** The positions in which somebody may let others act: up to their own. */
export function positionsUpTo(own: string): readonly Position[] {
  return STAFF_POSITIONS.slice(0, STAFF_POSITIONS.findIndex((each) => each === own) + 1);
}

/** The positions that somebody may give to others: up to their own, or all. */
export function positionsToGive(own: string): readonly Position[] {
  const below = positionsUpTo(own);
  return below.length > OPENS_ALL ? STAFF_POSITIONS : below;
}

export function positionTitle(position: string): string {
  return position ? say(`entrance.position.${position as Position}`) : "";
}
