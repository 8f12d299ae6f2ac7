// What of a setup is not as the floor's file has it. The floor itself decides whether that takes two people.
import type { Limit, Setup } from "../../../wire";

/** A part of a setup that has one value. */
export type Part =
  | "game"
  | "declaration"
  | "decks"
  | "source"
  | "reads"
  | "unit"
  | "layout"
  | "positions"
  | "hlga"
  | "behind"
  | "bets"
  | "answers"
  | "phrase"
  | "ranks"
  | "differential";

type Value = string | number | boolean | undefined;

export interface Difference {
  what: Part;
  file: Value;
  now: Value;
}

export interface LimitDifference {
  wagers: string[];
  /** None where the file does not offer the wagers. */
  file: Limit | null;
  /** None where the wagers are not offered any more. */
  now: Limit | null;
}

const PARTS: Record<Exclude<Part, "differential">, (setup: Setup) => Value> = {
  game: (setup) => setup.game,
  declaration: (setup) => setup.declaration ?? "",
  decks: (setup) => setup.decks,
  source: (setup) => setup.source,
  reads: (setup) => (setup.source === "virtual" ? undefined : setup.reads),
  unit: (setup) => setup.unit_cents,
  layout: (setup) => setup.layout,
  positions: (setup) => setup.positions,
  hlga: (setup) => setup.hlga ?? false,
  behind: (setup) => setup.behind,
  bets: (setup) => setup.timings?.bets_ms,
  answers: (setup) => setup.timings?.answer_ms,
  phrase: (setup) => setup.phrase,
  ranks: (setup) => setup.ranks?.join(" "),
};

const limitOf = (setup: Setup, wager: string): Limit | null => setup.limits?.[wager] ?? setup.limits?.["*"] ?? null;

const isWithin = (limit: Limit, file: Limit): boolean =>
  file.min_cents <= limit.min_cents && limit.max_cents <= file.max_cents;

/** The parts that are not the file's; what a form leaves open takes its usual value, and is not compared. */
export function differences(file: Setup, setup: Setup): Difference[] {
  const found: Difference[] = [];
  for (const [what, of] of Object.entries(PARTS) as [keyof typeof PARTS, (setup: Setup) => Value][]) {
    const [had, now] = [of(file), of(setup)];
    if (now !== undefined && had !== now) found.push({ what, file: had, now });
  }
  const [had, now] = [file.differential_cents ?? 0, setup.differential_cents ?? 0];
  if (had && (!now || now > had)) found.push({ what: "differential", file: had, now });
  return found;
}

/** The limits that are not within the file's, and the wagers that only one of the two offers. */
export function limitDifferences(file: Setup, setup: Setup): LimitDifference[] {
  const [had, offers] = [file.wagers ?? [], setup.wagers ?? []];
  const found: LimitDifference[] = [];
  for (const wager of [...offers, ...had.filter((name) => !offers.includes(name))]) {
    const was = had.includes(wager) ? limitOf(file, wager) : null;
    const now = offers.includes(wager) ? limitOf(setup, wager) : null;
    if (was && now && isWithin(now, was)) continue;
    const same = found.find((each) => JSON.stringify([each.file, each.now]) === JSON.stringify([was, now]));
    if (same) same.wagers.push(wager);
    else found.push({ wagers: [wager], file: was, now });
  }
  return found;
}

/** Whether a setup is the file's, but for narrower limits and the method. */
export function isOfFile(file: Setup, setup: Setup): boolean {
  return !differences(file, setup).length && !limitDifferences(file, setup).length;
}

/** A digest as people compare it: in groups of four. */
export const grouped = (digest: string): string => digest.slice(0, 16).replace(/(.{4})(?=.)/g, "$1 ");
