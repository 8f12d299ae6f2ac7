import { floor, lineOf, Refusal } from "../../../live";
import { language, say } from "../../../lib/words";
import type { Do } from "../../../wire";
import { detailOf } from "../detail";

/** An act that is given from one place on a page: whether its answer is awaited, and what was said against it. */
export class Deed {
  busy = $state(false);
  refusal = $state("");
  /** What the floor itself said, where the line in Chinese says less. */
  detail = $state("");
  /** What was given takes a second person, and waits for one: nothing is done yet. */
  proposed = $state(false);
  static #refused: Deed | null = null;

  constructor(readonly table: string) {}

  /** Give the act, once; whether it was done. */
  give(act: Do["act"]): Promise<boolean> {
    return this.#ask(() => floor.act(this.table, act));
  }

  /** Confirm what somebody else has proposed; whether it was done. */
  confirm(digest: string): Promise<boolean> {
    return this.#ask(() => floor.confirm(this.table, digest));
  }

  /** Withdraw what was proposed, or turn it down. */
  withdraw(digest: string): Promise<boolean> {
    return this.#ask(() => floor.withdraw(this.table, digest));
  }

  async #ask(asked: () => ReturnType<typeof floor.act>): Promise<boolean> {
    if (this.busy) return false;
    // What was said against another act is no answer to this one.
    if (Deed.#refused) Deed.#refused.refusal = "";
    this.refusal = this.detail = "";
    this.proposed = false;
    if (floor.status !== "open") {
      this.refusal = say("decision.offline");
      return false;
    }
    this.busy = true;
    try {
      const answer = await asked();
      this.proposed = "digest" in answer;
      return !this.proposed;
    } catch (error) {
      this.refusal = staffLine(error);
      this.detail = detailOf(error);
      Deed.#refused = this;
      return false;
    } finally {
      this.busy = false;
    }
  }
}

/** Staff are told what is out of turn; the usual line for it names nothing. */
export function staffLine(error: unknown): string {
  if (!(error instanceof Refusal) || error.code !== "out-of-turn") return lineOf(error);
  return language.current === "en" ? `${say("decision.not-now")}: ${error.message}` : say("decision.not-now");
}
