// What a table was open with, remembered on this device: whoever opens it again starts from that.
import { keep, kept } from "../../../lib/kept";
import type { LimitsAhead, Method, TableInfo } from "../../../wire";

export interface Remembered {
  info: TableInfo;
  method: Method | null;
}

export function remember(table: string, last: Remembered): void {
  keep(`table.${table}`, JSON.stringify(last));
}

/** What a table would have been open with in its next round. */
export function underLimits(info: TableInfo, ahead: LimitsAhead | null): TableInfo {
  if (!ahead) return info;
  const wagers = info.wagers.map((wager) => ({ ...wager, ...ahead.limits[wager.name] }));
  return { ...info, wagers, differential_cents: ahead.differential_cents };
}

export function remembered(table: string): Remembered | null {
  try {
    return JSON.parse(kept(`table.${table}`) ?? "null") as Remembered | null;
  } catch {
    return null;
  }
}
