import { language, say } from "../lib/words";
import { chinese } from "./chinese";
import { refusals } from "./refusals";

/** The floor said no: a stable code, one line, and the clause that it rests on. */
export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly clause = "",
  ) {
    super(message);
  }

  /** The line for a person, in the page's language. */
  get line(): string {
    const known = refusals[this.code];
    const worded = known ? known[language.current] : language.current === "zh" ? chinese[this.code] : "";
    const text = worded || this.message || say("lost");
    return this.clause ? `${text} (${this.clause})` : text;
  }
}

/** Refusals that say only that nothing came of asking now: what came of it before, or comes of it later, is open. */
export const OF_NOW = new Set([
  "store-gone",
  "store-locked",
  "conflict",
  "too-fast",
  "closing",
  "fenced",
  "key-rotated",
  "unknown",
]);
// And these, that nothing is known.
const UNKNOWN = new Set(["not-known", "lost", "failed"]);

/** Whether asking the same again would be refused again. */
export function isFinal(error: unknown): boolean {
  return error instanceof Refusal && !OF_NOW.has(error.code) && !UNKNOWN.has(error.code);
}

/** The line to show for whatever went wrong. */
export function lineOf(error: unknown): string {
  return error instanceof Refusal ? error.line : say("failed");
}
