import { say, type Key } from "../../lib/words";
import type { Found } from "../../wire";

type Words = Extract<Key, `terminal.found.${string}`>;

/** Why a round is void, in a sentence; the floor says what was found. */
const FOUND: Record<Found, Words> = {
  "card-seen": "terminal.found.seen",
  "cards-carried-off": "terminal.found.cards",
  "cutting-card-first": "terminal.found.cutting-card",
  "dealt-face-up": "terminal.found.exposed",
  "device-reset": "terminal.found.device",
  "differential-exceeded": "terminal.found.differential",
  "disordered-in-moving": "terminal.found.order",
  "display-wrong": "terminal.found.display",
  "drawn-together": "terminal.found.order",
  "exposed-in-error": "terminal.found.exposed",
  "exposed-in-moving": "terminal.found.exposed",
  "extra-cards": "terminal.found.cards",
  "face-up-in-device": "terminal.found.exposed",
  "foreign-cards": "terminal.found.cards",
  interruption: "terminal.found.interruption",
  "missing-cards": "terminal.found.cards",
  "not-passed": "terminal.found.order",
  "off-limits": "terminal.found.limits",
  "order-altered": "terminal.found.order",
  other: "terminal.found.other",
  "patron-absent": "terminal.found.other",
  "terminals-down": "terminal.found.interruption",
  "too-few-cards": "terminal.found.cards",
  "unshuffled-cards": "terminal.found.order",
  "wrong-number": "terminal.found.cards",
  "wrong-order": "terminal.found.order",
  "wrong-patron": "terminal.found.order",
};

export function voidWords(found: string): string {
  const known: Partial<Record<string, Words>> = FOUND;
  return say(known[found] ?? "terminal.found.other");
}
