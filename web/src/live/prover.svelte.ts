// What matters is refused until whoever is signed in has shown again who they are: then it is asked once more.
import type { Refusal } from "./errors";

interface Waiting {
  go: () => void;
  give: () => void;
}

class Prover {
  /** Whether somebody is asked to show who they are; the dialog is on every page. */
  asked = $state(false);
  #waiting: Waiting[] = [];

  /** Ask for it; resolved once it was shown, and rejected where the person would rather not. */
  need(refusal: Refusal): Promise<void> {
    this.asked = true;
    return new Promise((go, no) => this.#waiting.push({ go, give: () => no(refusal) }));
  }

  shown(): void {
    this.#end((each) => each.go());
  }

  givenUp(): void {
    this.#end((each) => each.give());
  }

  #end(tell: (waiting: Waiting) => void): void {
    const waiting = this.#waiting;
    this.#waiting = [];
    this.asked = false;
    waiting.forEach(tell);
  }
}

export const PROVE_AGAIN = "prove-again";
export const prover = new Prover();
