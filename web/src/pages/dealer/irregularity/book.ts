// What the table's rulebook says of irregularities, as the floor tells it: how each is reported, and what follows.
import type { Found, Input, IrregularityInfo, Method, TableInfo } from "../../../wire";

/** Whether what follows depends on an answer: only then is it worth asking. */
export function matters(matter: IrregularityInfo, input: Input): boolean {
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
  "device-reset",
]);
const OF_METHOD_C: ReadonlySet<Found> = new Set<Found>(["exposed-in-moving", "disordered-in-moving"]);

/** Whether something can happen at a table like this at all. */
export function applies(found: Found, info: TableInfo, method: Method | null): boolean {
  if (found === "terminals-down") return info.terminals;
  if (found === "off-limits") return !info.terminals;
  if (OF_METHOD_C.has(found)) return method === "C";
  return !OF_METHODS.has(found) || info.methods.length > 0;
}

/** Whether a virtual shoe makes it impossible. */
export function certain(found: Found, info: TableInfo): boolean {
  return info.virtual && OF_A_DEVICE.has(found);
}
