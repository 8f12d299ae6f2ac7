// The chips of the house, in whole units of the currency, largest first; colours are what players know them by.

export interface Denomination {
  value: number;
  print: string;
  colour: string;
  /** The rim of the body, a shade deeper. */
  deep: string;
  /** The spots on the edge. */
  spot: string;
}

export const DENOMINATIONS: readonly Denomination[] = [
  { value: 100_000, print: "100K", colour: "#c9577f", deep: "#9c3a5f", spot: "#fbe9d2" },
  { value: 10_000, print: "10K", colour: "#3f8f9b", deep: "#2b6a74", spot: "#f6f1e2" },
  { value: 5_000, print: "5K", colour: "#7a5138", deep: "#573724", spot: "#f0dcb4" },
  { value: 1_000, print: "1K", colour: "#e0b53c", deep: "#b48d20", spot: "#2c2a26" },
  { value: 500, print: "500", colour: "#6b4a9c", deep: "#4d3275", spot: "#f2e6f7" },
  { value: 100, print: "100", colour: "#2a2e33", deep: "#14171a", spot: "#e9e6dc" },
  { value: 25, print: "25", colour: "#2f8154", deep: "#1f5e3b", spot: "#f3efdf" },
  { value: 5, print: "5", colour: "#c23a3e", deep: "#932529", spot: "#f7efe2" },
  { value: 1, print: "1", colour: "#e9e6dd", deep: "#bdb8aa", spot: "#5b7ea6" },
];

const SMALLEST = DENOMINATIONS[DENOMINATIONS.length - 1] as Denomination;

export function denomination(value: number): Denomination {
  return DENOMINATIONS.find((each) => each.value === value) ?? SMALLEST;
}

/** The chips of an amount, largest first, no more than the eye can count; what is left over is told by the figure. */
export function chipsFor(cents: number, most: number): Denomination[] {
  const chips: Denomination[] = [];
  let units = Math.floor(cents / 100);
  for (const each of DENOMINATIONS) {
    while (units >= each.value && chips.length < most) {
      chips.push(each);
      units -= each.value;
    }
  }
  return chips.length || cents <= 0 ? chips : [SMALLEST];
}
