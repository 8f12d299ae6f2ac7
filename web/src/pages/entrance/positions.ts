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
] as const satisfies Position[];

export function positionTitle(position: string): string {
  return position ? say(`entrance.position.${position as Position}`) : "";
}
