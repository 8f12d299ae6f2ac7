import { untrack } from "svelte";
import { api } from "../../../../live";
import type { Foresight } from "../../../../wire";
import { detailOf } from "../../detail";
import { staffLine } from "../deed.svelte";
import type { Decided } from "./parts";

// Whoever types an amount is asked for once, not for each figure.
const REST_MS = 300;
// The table judges a decision as a whole, and the reason is often typed last.
const NO_REASON = "\u2026";

/** What a decision would do, asked of the floor while it is made: only what was asked for last is answered. */
export class Foreseeing {
  /** The last answer; it stays in sight while the next one is awaited. */
  answer = $state.raw<Foresight | null>(null);
  refusal = $state("");
  detail = $state("");
  /** The decision that the answer, or the refusal, is about. */
  #about = $state("");
  #timer: ReturnType<typeof setTimeout> | undefined;
  #calling: AbortController | undefined;

  constructor(readonly table: string) {}

  /** Whether this is what the answer is about. */
  is(decided: Decided | null): boolean {
    return decided !== null && this.#about === JSON.stringify(decided);
  }

  /** Ask, a moment after the last change; whatever was asked before is called off. */
  ask(decided: Decided): void {
    this.stop();
    // The table may have moved: what was foreseen of it counts no longer.
    this.#about = "";
    const about = JSON.stringify(decided);
    const calling = (this.#calling = new AbortController());
    this.#timer = setTimeout(() => void this.#foresee(decided, about, calling.signal), REST_MS);
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#calling?.abort();
  }

  /** Nothing is decided so far: there is nothing to foresee. */
  clear(): void {
    this.stop();
    untrack(() => (this.answer = null));
    this.refusal = this.detail = this.#about = "";
  }

  async #foresee(decided: Decided, about: string, signal: AbortSignal): Promise<void> {
    try {
      const body = { ...decided, reason: NO_REASON };
      const answer = await api.post("/api/tables/{key}/foresight", { at: { key: this.table }, body, signal });
      if (signal.aborted) return;
      [this.answer, this.refusal, this.detail] = [answer, "", ""];
    } catch (error) {
      if (signal.aborted) return;
      [this.answer, this.refusal, this.detail] = [null, staffLine(error), detailOf(error)];
    }
    this.#about = about;
  }
}
