// Limits as they are typed.
import { parseMoney } from "../../../lib/money";
import { say } from "../../../lib/words";
import type { Limit } from "../../../wire";
import { cash } from "../amounts";

export class BadAmount extends Error {}

export function amount(text: string, field: string): number {
  const cents = parseMoney(text);
  if (!cents) throw new BadAmount(say("pit.setup.bad-amount", { field }));
  return cents;
}

export function limit(min: string, max: string, field: string): Limit {
  const typed = { min_cents: amount(min, field), max_cents: amount(max, field) };
  if (typed.min_cents > typed.max_cents) throw new BadAmount(say("pit.setup.least-first", { field }));
  return typed;
}

/** A differential under the least wager would let nobody begin. */
export function differential(text: string, limits: (wager: string) => Limit | undefined): number {
  const cents = amount(text, say("pit.setup.differential"));
  const least = Math.min(...["Player", "Banker"].map((name) => limits(name)?.min_cents ?? 0));
  if (cents < least) throw new BadAmount(say("pit.setup.low-differential", { min: cash(least) }));
  return cents;
}
