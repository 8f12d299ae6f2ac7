// Which area lies next to another, as the eye sees them.

export type Way = "left" | "right" | "up" | "down";

const TURNED: Record<Way, [along: "x" | "y", sign: 1 | -1]> = {
  left: ["x", -1],
  right: ["x", 1],
  up: ["y", -1],
  down: ["y", 1],
};

const middle = ({ left, top, width, height }: DOMRect): { x: number; y: number } => ({ x: left + width / 2, y: top + height / 2 });

/** The nearest area that way; what lies straight ahead is nearer than what lies aside. */
export function neighbour(area: HTMLElement, way: Way): HTMLElement | null {
  const [along, sign] = TURNED[way];
  const across = along === "x" ? "y" : "x";
  const here = middle(area.getBoundingClientRect());
  let nearest: HTMLElement | null = null;
  let least = Infinity;
  for (const each of area.closest("section")?.querySelectorAll<HTMLElement>("[data-wager]") ?? []) {
    const there = middle(each.getBoundingClientRect());
    const ahead = (there[along] - here[along]) * sign;
    if (each === area || ahead < 8) continue;
    const distance = ahead + 2 * Math.abs(there[across] - here[across]);
    if (distance < least) [nearest, least] = [each, distance];
  }
  return nearest;
}
