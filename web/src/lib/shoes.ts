// What this browser has seen of virtual shoes while they were made, and what it brought to them. The page that checks a
// shoe's text compares that with the text. Only the newest shoes are kept, so that a terminal never fills its storage.
import { keep, kept } from "./kept";

const NAME = "shoes";
const MOST = 400;

/** What was seen of one shoe, by its commitment. */
export interface SeenShoe {
  shoe: string;
  /** What this browser asked to contribute, and whether the floor took it. */
  offered?: string;
  taken?: boolean;
  /** All commitments as they stood at the close, the beacon's round, and when this browser saw them, by its own clock. */
  closed?: string;
  round?: number;
  at_ms?: number;
  /** It sent its secret to the floor. */
  revealed?: boolean;
}

function all(): SeenShoe[] {
  try {
    const found: unknown = JSON.parse(kept(NAME) ?? "[]");
    return Array.isArray(found) ? (found as SeenShoe[]) : [];
  } catch {
    return [];
  }
}

export const seenShoe = (shoe: string): SeenShoe | undefined => all().find((each) => each.shoe === shoe);

/** Add to what is kept of a shoe. */
export function keepSeen(shoe: string, seen: Omit<SeenShoe, "shoe">): void {
  const shoes = all();
  const before = shoes.find((each) => each.shoe === shoe);
  if (before && Object.entries(seen).every(([key, value]) => before[key as keyof SeenShoe] === value)) return;
  const others = shoes.filter((each) => each !== before);
  keep(NAME, JSON.stringify([...others, { ...before, shoe, ...seen }].slice(-MOST)));
}
