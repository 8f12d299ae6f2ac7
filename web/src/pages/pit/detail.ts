import { Refusal } from "../../live";
import { refusals } from "../../live/refusals";

/** The floor's own words for staff, in English: figures and names that the line for everybody leaves out. */
export function detailOf(error: unknown): string {
  // What a page itself says has no other words.
  if (!(error instanceof Refusal) || error.message === error.line) return "";
  return error.code === "out-of-turn" || !(error.code in refusals) ? error.message : "";
}
