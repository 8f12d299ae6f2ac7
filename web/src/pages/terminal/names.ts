import type { OwnClaim, WagerResult } from "../../wire";
import type { Play } from "./play.svelte";

/** What can be opened over the table. */
export type DialogName = "menu" | "credits" | "rules" | "recall" | "fair" | "settings" | "help" | "tables" | "claims";

/** What a receipt is wanted of: a wager, by its number or its name, or a ticket by its code. */
export type WantedReceipt = (
  { table: string; round: number; number?: number; wager?: string } | { code: string } | { command: string }
) & {
  label?: (wager: string) => string;
};

/** A round about which a claim is to be raised. */
export type Disputed = Pick<OwnClaim, "table" | "round" | "shoe">;

/** A wager of a round of which it is asked why it came to what it did. */
export interface Asked {
  play: Play;
  wager: string;
  result: WagerResult;
  round: number;
  shoe: number;
}
