import { Refusal } from "../../live";
import { refusals } from "../../live/refusals";

/** The floor's own words for staff, in English: figures and names that the line for everybody leaves out. */
export function detailOf(error: unknown): string {
  if (!(error instanceof Refusal)) return "";
  return error.code === "out-of-turn" || !(error.code in refusals) ? error.message : "";
}
