// What this tab remembers until it is closed, so that a page that is loaded anew has all it had.
import type { Stakes } from "./play.svelte";

const TABLES = "punto.tables";

/** What was written under a name; nothing where it cannot be read. */
function read(name: string): unknown {
  try {
    return JSON.parse(sessionStorage.getItem(name) ?? "null");
  } catch {
    return null;
  }
}

function write(name: string, value: unknown): void {
  try {
    sessionStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Refused storage costs only the memory.
  }
}

export interface Staked {
  game: string;
  stakes: Stakes;
}

export const visit = {
  /** The table of the page, and those that lay open beside it. */
  tables(table: string): string[] {
    const open = (read(TABLES) as string[] | null) ?? [];
    return open.includes(table) ? [table, ...open.filter((each) => each !== table)] : [table];
  },
  sit(tables: string[]): void {
    write(TABLES, tables);
  },
  /** What was last staked at a table, and on which game. */
  staked(table: string): Staked | null {
    return read(`punto.staked ${table}`) as Staked | null;
  },
  stake(table: string, staked: Staked): void {
    write(`punto.staked ${table}`, staked);
  },
};
