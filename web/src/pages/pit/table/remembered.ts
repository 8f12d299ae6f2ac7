// What a table was open with, remembered on this device: whoever opens it again starts from that.
import { keep, kept } from "../../../lib/kept";
import type { Method, TableInfo } from "../../../wire";

export interface Remembered {
  info: TableInfo;
  method: Method | null;
}

export function remember(table: string, last: Remembered): void {
  keep(`table.${table}`, JSON.stringify(last));
}

export function remembered(table: string): Remembered | null {
  try {
    return JSON.parse(kept(`table.${table}`) ?? "null") as Remembered | null;
  } catch {
    return null;
  }
}
