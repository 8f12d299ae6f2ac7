// Who deals at a table, and whether anybody does.
import { say } from "../../../lib/words";
import type { TableState, Tile } from "../../../wire";

type Attended = Pick<TableState | Tile, "taken" | "automatic" | "phase">;

const PLAYING = ["bets-open", "bets-closed", "initial-deal", "drawing", "outcome"];

/** Who deals, in a word. */
export function dealtBy(table: Attended & { dealer?: string }, dealer = table.dealer ?? ""): string {
  if (dealer) return say("pit.dealer", { name: dealer });
  return say(table.automatic ? "pit.automatic" : "pit.no-dealer");
}

/** A round is under way, and stands still because nobody deals. */
export function deserted(table: Attended): boolean {
  return !table.taken && !table.automatic && PLAYING.includes(table.phase);
}
