// Which area lies next to another, as the eye sees them.

export type Way = "left" | "right" | "up" | "down";

interface Span {
  from: number;
  to: number;
}

const TURNED: Record<Way, [along: "x" | "y", sign: 1 | -1]> = {
  left: ["x", -1],
  right: ["x", 1],
  up: ["y", -1],
  down: ["y", 1],
};
const FAR = 1e6;

const spans = ({ left, right, top, bottom }: DOMRect): Record<"x" | "y", Span> => ({
  x: { from: left, to: right },
  y: { from: top, to: bottom },
});
const middle = ({ from, to }: Span): number => (from + to) / 2;

/** Whether two lie in one row, or one column: by a quarter of the smaller one at least. */
function inLine(one: Span, other: Span): boolean {
  const shared = Math.min(one.to, other.to) - Math.max(one.from, other.from);
  return shared > Math.min(one.to - one.from, other.to - other.from) / 4;
}

/** The nearest area that way; what lies in line is nearer than anything aside, however wide areas are. */
export function neighbour(area: HTMLElement, way: Way): HTMLElement | null {
  const [along, sign] = TURNED[way];
  const across = along === "x" ? "y" : "x";
  const here = spans(area.getBoundingClientRect());
  let nearest: HTMLElement | null = null;
  let least = Infinity;
  for (const each of area.closest("section")?.querySelectorAll<HTMLElement>("[data-wager]") ?? []) {
    const there = spans(each.getBoundingClientRect());
    const gap = sign > 0 ? there[along].from - here[along].to : here[along].from - there[along].to;
    if (each === area || gap < -1) continue;
    const aside = Math.abs(middle(there[across]) - middle(here[across]));
    const distance = inLine(here[across], there[across]) ? gap + aside / 8 : FAR + gap + 2 * aside;
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}
