import { floor, lineOf, Refusal } from "../../../live";
import { language, say } from "../../../lib/words";
import type { Do } from "../../../wire";

/** An act that is given from one place on a page: whether its answer is awaited, and what was said against it. */
export class Deed {
  busy = $state(false);
  refusal = $state("");

  constructor(readonly table: string) {}

  /** Give the act, once; whether it was done. */
  async give(act: Do["act"]): Promise<boolean> {
    if (this.busy) return false;
    this.busy = true;
    this.refusal = "";
    try {
      await floor.act(this.table, act);
      return true;
    } catch (error) {
      this.refusal = staffLine(error);
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Staff are told what is out of turn; the usual line for it speaks to patrons, of bets. */
function staffLine(error: unknown): string {
  if (!(error instanceof Refusal) || error.code !== "out-of-turn") return lineOf(error);
  return language.current === "en" ? `${say("decision.not-now")}: ${error.message}` : say("decision.not-now");
}
