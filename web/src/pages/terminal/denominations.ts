// The chips that are worth having at a table: none below its least wager, none above its most, none that do not fit its unit.
import { DENOMINATIONS } from "../../lib/chips";
import type { TableInfo } from "../../wire";

export const MOST_CHIPS = 6;

/** In whole units of the currency, smallest first. */
export function chipsOf(info: TableInfo): number[] {
  const least = Math.min(...info.wagers.map((wager) => wager.min_cents));
  const most = Math.max(...info.wagers.map((wager) => wager.max_cents));
  const fitting = [...DENOMINATIONS]
    .reverse()
    .map(({ value }) => value)
    .filter((value) => (value * 100) % info.unit_cents === 0 && value * 100 <= most);
  const first = fitting.findIndex((value) => value * 100 >= least);
  const from = first < 0 ? Math.max(0, fitting.length - MOST_CHIPS) : first;
  return fitting.slice(from, from + MOST_CHIPS);
}
