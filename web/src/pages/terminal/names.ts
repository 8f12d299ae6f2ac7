import type { WagerResult } from "../../wire";
import type { Play } from "./play.svelte";

/** What can be opened over the table. */
export type DialogName = "menu" | "credits" | "rules" | "recall" | "fair" | "settings" | "help" | "tables";

/** A wager of a round of which it is asked why it came to what it did. */
export interface Asked {
  play: Play;
  wager: string;
  result: WagerResult;
  round: number;
  shoe: number;
}
