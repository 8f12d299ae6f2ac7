// What this tab has asked and nobody has answered yet: a page that is loaded anew asks again, under the same ids.
import type { AnyAsk } from "../wire";

export interface Unanswered {
  message: AnyAsk;
  /** The round that it is meant for; 0 where it is meant whenever it comes. */
  round: number;
  /** Who has asked: nobody else asks again. */
  who: string;
  /** When it was asked, by the device's clock. */
  at_ms: number;
}

const NAME = "punto.unanswered";
// Whoever comes back later sees what became of it, and does not mean it any more.
const LONGEST_MS = 10 * 60_000;

export const unanswered = {
  keep(asked: Unanswered[]): void {
    try {
      if (asked.length) sessionStorage.setItem(NAME, JSON.stringify(asked));
      else sessionStorage.removeItem(NAME);
    } catch {
      // Refused storage costs only the memory.
    }
  },
  /** What somebody has asked on an earlier page of this tab, and still means. */
  of(who: string): Unanswered[] {
    try {
      const asked = (JSON.parse(sessionStorage.getItem(NAME) ?? "[]") as Unanswered[] | null) ?? [];
      return asked.filter((each) => each.who === who && Math.abs(Date.now() - each.at_ms) < LONGEST_MS);
    } catch {
      return [];
    }
  },
};
