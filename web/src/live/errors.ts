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

/** The line to show for whatever went wrong. */
export function lineOf(error: unknown): string {
  return error instanceof Refusal ? error.line : say("failed");
}
