// What the table's rulebook says of irregularities, as the floor tells it: how each is reported, and what follows.
import type { Found, Input, IrregularityInfo, Method, Pending, TableInfo, TableState } from "../../../wire";

// Here nobody has seen one card rather than another: there is none to name.
const UNNAMED: ReadonlySet<Found> = new Set<Found>(["unshuffled-cards", "too-few-cards"]);

/** Whether what follows depends on an answer: only then is it worth asking. */
export function matters(matter: IrregularityInfo, input: Input): boolean {
  if (input.name === "cards" && matter.report.do === "report-cards") return !UNNAMED.has(matter.found);
  return (
    input.name !== "order_known" ||
    matter.rules.some((rule) => rule.when.some(({ en }) => en.startsWith("the order can")))
  );
}

/** Where the rulebooks of dealt games speak of wagers that come, or are taken back, after the close. */
export const LATE: Record<string, { placed: string; withdrawn: string }> = {
  B8: { placed: "B8 5.4", withdrawn: "B8 5.5" },
  TNC5: { placed: "TNC5 5.4", withdrawn: "TNC5 5.5" },
  FF2: { placed: "FF2 5.6", withdrawn: "FF2 5.7" },
};

export type Group = "cards" | "deal" | "patron" | "wager" | "device" | "display" | "other";

export const GROUPS: Record<Group, readonly Found[]> = {
  cards: [
    "extra-cards",
    "missing-cards",
    "foreign-cards",
    "unshuffled-cards",
    "too-few-cards",
    "face-up-in-device",
    "order-altered",
    "card-seen",
  ],
  deal: ["wrong-order", "wrong-number", "drawn-together", "dealt-face-up", "exposed-in-error", "cutting-card-first"],
  patron: ["wrong-patron", "not-passed", "patron-absent", "cards-carried-off"],
  wager: ["off-limits"],
  device: ["interruption", "terminals-down", "device-reset", "exposed-in-moving", "disordered-in-moving"],
  display: ["display-wrong"],
  other: ["other"],
};

// What cannot be with a shoe that the floor holds itself: its cards and their order are certain.
const OF_A_DEVICE: ReadonlySet<Found> = new Set<Found>([
  ...GROUPS.cards.filter((found) => found !== "too-few-cards"),
  "wrong-order",
  "wrong-number",
  "drawn-together",
  "exposed-in-moving",
  "disordered-in-moving",
]);
const OF_METHODS: ReadonlySet<Found> = new Set<Found>([
  "dealt-face-up",
  "exposed-in-error",
  "cutting-card-first",
  ...GROUPS.patron,
]);
const OF_METHOD_C: ReadonlySet<Found> = new Set<Found>(["exposed-in-moving", "disordered-in-moving"]);
// What can be reported while somebody must decide or answer; the rest is reported after that.
const WHILE_PENDING: ReadonlySet<string> = new Set([
  "refer",
  "report-cards",
  "report-order",
  "report-delivery",
  "report-absence",
  "report-stake",
  "report-reset",
  "report-interruption",
  "report-display",
]);
const BETWEEN: ReadonlySet<string> = new Set(["idle", "settled", "void"]);

/** Whether something can happen at a table like this at all. */
export function applies(found: Found, info: TableInfo, method: Method | null): boolean {
  if (found === "terminals-down") return info.terminals;
  if (found === "off-limits") return !info.terminals;
  if (OF_METHOD_C.has(found)) return method === "C";
  // Only an electronic device is ever reset.
  if (found === "device-reset") return info.methods.length > 0 && !info.virtual && info.reads;
  return !OF_METHODS.has(found) || info.methods.length > 0;
}

/** Whether it can be now: a card that is seen while it lies there and comes next has been unseen so far. */
export function isThere(found: Found, surplus: readonly string[]): boolean {
  return found !== "card-seen" || surplus.includes("?");
}

/** Whether it is reported only once somebody has decided or answered. */
export function waits(matter: IrregularityInfo, pending: Pending | null): boolean {
  if (pending === null || pending.what === "balance") return false;
  // Cards that are gone are counted, and one count, order or offer is open at a time.
  if (matter.report.do === "report-carried-off") return pending.what !== "decision";
  return !WHILE_PENDING.has(matter.report.do);
}

/** Whether it concerns the coming round, since no round is under way: then it is referred, whatever its rule says. */
export function isOfComingRound(matter: IrregularityInfo, { phase }: TableState): boolean {
  return matter.report.do === "report-cards" && matter.found !== "too-few-cards" && BETWEEN.has(phase);
}

/** Whether it concerns a round that is paid, and in which no more than a known order is put right. */
export function isOfPaidRound(matter: IrregularityInfo, { phase }: TableState): boolean {
  return matter.report.do === "report-order" && phase === "settled";
}

/** Whether cards came together at these places: two or more, one after the other. */
export function areTogether(places: readonly number[]): boolean {
  const inOrder = [...places].sort((a, b) => a - b);
  return inOrder.length >= 2 && inOrder.every((place, at) => !at || place === inOrder[at - 1]! + 1);
}

/** The cards of a round in drawn order, with those that were named besides; one that lies face down has no name. */
export function drawn(cards: TableState["cards"], named: readonly string[]): string[] {
  const lying = cards.map(([, card]) => card);
  const beyond = [...named];
  for (const card of lying) {
    const at = beyond.indexOf(card || "?");
    if (at >= 0) beyond.splice(at, 1);
  }
  const more = Math.max(0, named.length - lying.length);
  // Where other cards were named than lie open, nobody can tell which of them came last.
  const last = beyond.length === more ? beyond : Array.from({ length: more }, () => "");
  return [...lying, ...last.map((card) => (card === "?" ? "" : card))];
}

/** Whether a virtual shoe makes it impossible. */
export function certain(found: Found, info: TableInfo): boolean {
  return info.virtual && OF_A_DEVICE.has(found);
}
