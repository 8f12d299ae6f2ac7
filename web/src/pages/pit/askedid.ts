import { Refusal } from "../../live";

// Whether it was done, these leave open.
const OPEN = new Set(["not-known", "lost", "failed"]);
// And these say for good, of something that was left open, that it is over.
const OVER = new Set(["stale-id", "id-in-use", "not-written"]);

/** The id of something that is asked by HTTP: kept while it may have been done, and another once that is known. */
export class AskedId {
  value: string = crypto.randomUUID();
  #open = false;

  done(): void {
    this.value = crypto.randomUUID();
    this.#open = false;
  }

  refused(error: unknown): void {
    const code = error instanceof Refusal ? error.code : "failed";
    if (OPEN.has(code)) this.#open = true;
    else if (!this.#open || OVER.has(code)) this.done();
  }

  /** Ask under the id. */
  async ask<T>(asking: (id: string) => Promise<T>): Promise<T> {
    try {
      const answer = await asking(this.value);
      this.done();
      return answer;
    } catch (error) {
      this.refused(error);
      throw error;
    }
  }
}
