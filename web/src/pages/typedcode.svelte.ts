// The code of a ticket that somebody types. Whoever has it has the credits, so it does not stay behind in its field: it goes
// once it was redeemed or refused for good, and when nobody has typed for two minutes.
import { isFinal } from "../live";

const LONGEST_MS = 120_000;

export class TypedCode {
  #text = $state("");
  #going: ReturnType<typeof setTimeout> | undefined;

  get text(): string {
    return this.#text;
  }

  set text(typed: string) {
    this.#text = typed;
    clearTimeout(this.#going);
    if (typed) this.#going = setTimeout(() => this.forget(), LONGEST_MS);
  }

  forget(): void {
    this.text = "";
  }

  /** Ask for what the code is good for; what somebody has typed meanwhile stays. */
  async use<T>(asking: (code: string) => Promise<T>): Promise<T> {
    const used = this.#text;
    try {
      const answer = await asking(used);
      this.#used(used);
      return answer;
    } catch (error) {
      if (isFinal(error)) this.#used(used);
      throw error;
    }
  }

  #used(code: string): void {
    if (this.#text === code) this.forget();
  }
}
