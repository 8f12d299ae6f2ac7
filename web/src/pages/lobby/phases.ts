import "./words";
// The phases of a round as people say them.
import { say, type Key } from "../../lib/words";

const PHASES: Record<string, Key> = {
  closed: "lobby.phase.closed",
  "change-of-shoe": "lobby.phase.change-of-shoe",
  idle: "lobby.phase.idle",
  "bets-open": "lobby.phase.bets-open",
  "bets-closed": "lobby.phase.bets-closed",
  "initial-deal": "lobby.phase.initial-deal",
  drawing: "lobby.phase.drawing",
  outcome: "lobby.phase.outcome",
  settled: "lobby.phase.settled",
  void: "lobby.phase.void",
  rest: "lobby.phase.rest",
  "held-store": "lobby.phase.held-store",
  "held-record": "lobby.phase.held-record",
  "held-elsewhere": "lobby.phase.held-elsewhere",
};

/** What a table is in, as far as anybody can join in: what holds it up counts for more than its phase. */
export function shownPhase(tile: { phase: string; held_up: string }, rests = false): string {
  if (tile.held_up) return `held-${tile.held_up}`;
  return rests ? "rest" : tile.phase;
}

/** Why nothing can go on at all; whatever else is waited for belongs to the round. */
const HELD = new Set(["store", "record", "elsewhere"]);

/** Whether whatever is asked at a table would be refused, for longer than a moment. */
export function isStopped(tile: { held_up: string }): boolean {
  return tile.held_up === "record" || tile.held_up === "elsewhere";
}

/** What holds up a table that is watched, as its tile has it. */
export function heldUp(seen: { wait: { what: string } | null }): string {
  return seen.wait && HELD.has(seen.wait.what) ? seen.wait.what : "";
}

/** The phase of a table that is watched, or what holds it up. */
export function watchedPhase(seen: { phase: string; wait: { what: string } | null }): string {
  return phaseName(shownPhase({ phase: seen.phase, held_up: heldUp(seen) }));
}

export function phaseName(phase: string): string {
  const key = PHASES[phase];
  return key ? say(key as "lobby.phase.idle") : phase;
}
