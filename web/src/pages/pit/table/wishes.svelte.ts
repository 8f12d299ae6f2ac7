// The end of a shoe, or of a table's day, asked for in a round: one wish per table, kept as long as the page is open.
import { untrack } from "svelte";
import { toasts } from "../../../lib/toasts.svelte";
import { say } from "../../../lib/words";
import { floor } from "../../../live";
import { Deed } from "../decisions";

export type Wish = "close" | "shoe";

const BETWEEN = ["idle", "settled", "void"];
const SHOE_IS_OUT = "change-of-shoe";

const kept = $state<Record<string, { what: Wish; round: number; reason: string }>>({});
const deeds = new Map<string, Deed>();

export const wishes = {
  of: (table: string): Wish | null => kept[table]?.what ?? null,
  /** What is done for a table, and what was said against it. */
  deed(table: string): Deed {
    const deed = deeds.get(table) ?? new Deed(table);
    deeds.set(table, deed);
    return deed;
  },
  /** The *reason* is that for which the cards are replaced. */
  ask(table: string, what: Wish, round: number, reason: string): void {
    kept[table] = { what, round, reason };
  },
  forget(table: string): void {
    delete kept[table];
  },
  /** Do whatever the tables are ready for: for an effect of the pit's page. */
  fulfil(): void {
    if (floor.status !== "open") return;
    for (const [table, { what, round, reason }] of Object.entries(kept)) {
      const tile = floor.tiles[table];
      // A tile comes a moment after the table: one of the round before says nothing yet.
      if (!tile || tile.round < round) continue;
      const between = BETWEEN.includes(tile.phase);
      const ready = between || tile.phase === SHOE_IS_OUT;
      if (!ready && tile.phase !== "closed") continue;
      delete kept[table];
      if (ready) untrack(() => void end(table, what, between ? reason : null));
    }
  },
};

/** Without a reason no shoe is in place that must come out first. */
async function end(table: string, what: Wish, reason: string | null): Promise<void> {
  const deed = wishes.deed(table);
  const done =
    (reason === null || (await deed.give({ do: "end-shoe", reason }))) &&
    (what === "shoe" || (await deed.give({ do: "close-table" })));
  const why = deed.refusal;
  if (!done && why) toasts.show(() => say("pit.acts.refused", { key: table, why }), "refused");
}
