// The geometry of a bent card: a fold line, what lies still on one side of it and what is lifted over from the other.
import { HEIGHT, WIDTH } from "./pips";

export const EDGES = [
  "left",
  "top",
  "right",
  "bottom",
  "top-left",
  "top-right",
  "bottom-right",
  "bottom-left",
] as const;
export type Edge = (typeof EDGES)[number];

/** What is told of a bend elsewhere may name an edge that no card has. */
export function isEdge(name: string): name is Edge {
  return (EDGES as readonly string[]).includes(name);
}

export interface Point {
  x: number;
  y: number;
}

/** A line through a point; its normal shows from the lifted part to the lying one. */
export interface Fold extends Point {
  angle: number;
}

/** The card turns in the hand when the fold has come this far across it. */
export const HALF = 0.5;
/** And when it is let go past half of its own size: paper halves the way the finger goes. */
export const LET_GO = HALF / 2;

const MOST_TILT = 0.35;
// A corner is not asked to go all the way to the opposite one: the diagonal is long for a thumb.
const DIAGONAL = Math.hypot(WIDTH, HEIGHT) * 0.8;
const SLOPE = Math.atan2(HEIGHT, WIDTH);

/** Where a finger takes the edge, which way it pulls, and how far the card reaches that way. */
const GRIPS: Record<Edge, Point & { angle: number; span: number }> = {
  left: { x: 0, y: HEIGHT / 2, angle: 0, span: WIDTH },
  right: { x: WIDTH, y: HEIGHT / 2, angle: Math.PI, span: WIDTH },
  top: { x: WIDTH / 2, y: 0, angle: Math.PI / 2, span: HEIGHT },
  bottom: { x: WIDTH / 2, y: HEIGHT, angle: -Math.PI / 2, span: HEIGHT },
  "top-left": { x: 0, y: 0, angle: SLOPE, span: DIAGONAL },
  "top-right": { x: WIDTH, y: 0, angle: Math.PI - SLOPE, span: DIAGONAL },
  "bottom-left": { x: 0, y: HEIGHT, angle: -SLOPE, span: DIAGONAL },
  "bottom-right": { x: WIDTH, y: HEIGHT, angle: SLOPE - Math.PI, span: DIAGONAL },
};

/** The edge or corner that is nearest to where the card was touched. */
export function edgeAt({ x, y }: Point): Edge {
  const across = x / WIDTH;
  const down = y / HEIGHT;
  const side = across < 0.3 ? "left" : across > 0.7 ? "right" : "";
  const end = down < 0.22 ? "top" : down > 0.78 ? "bottom" : "";
  if (side && end) return `${end}-${side}`;
  if (side || end) return side || end || "left";
  const distances: [number, Edge][] = [
    [x, "left"],
    [WIDTH - x, "right"],
    [y, "top"],
    [HEIGHT - y, "bottom"],
  ];
  return distances.reduce((nearest, other) => (other[0] < nearest[0] ? other : nearest))[1];
}

/** The fold of an edge lifted straight, with the fold this fraction of the way across. */
export function straightFold(edge: Edge, fraction: number): Fold {
  const { x, y, angle, span } = GRIPS[edge];
  return { x: x + Math.cos(angle) * span * fraction, y: y + Math.sin(angle) * span * fraction, angle };
}

/** The fold of an edge that was touched at one point and dragged by so much: paper halves the way the finger goes. */
export function draggedFold(edge: Edge, touched: Point, drag: Point): { fold: Fold; fraction: number } {
  const grip = GRIPS[edge];
  const corner = edge.includes("-");
  const along = edge === "left" || edge === "right";
  const from = corner ? grip : along ? { x: grip.x, y: touched.y } : { x: touched.x, y: grip.y };
  const turned = Math.atan2(drag.y, drag.x) - grip.angle;
  const tilt = Math.atan2(Math.sin(turned), Math.cos(turned));
  const reach = Math.hypot(drag.x, drag.y) * Math.max(0, Math.cos(tilt));
  const most = corner ? MOST_TILT * 2 : MOST_TILT;
  // Near the edge a steep line would cut the card oddly; the tilt comes in as the flap grows.
  const angle = grip.angle + Math.max(-most, Math.min(most, tilt)) * Math.min(1, reach / (grip.span * 0.3));
  const depth = reach / 2;
  return {
    fold: { x: from.x + Math.cos(angle) * depth, y: from.y + Math.sin(angle) * depth, angle },
    fraction: depth / grip.span,
  };
}

/** How a card that was bent past half goes on to lie face up: from this fold to a finished turn, by progress. */
export function turningFold(edge: Edge, start: Fold, progress: number): { fold: Fold; shift: Point } {
  const upright = edge === "top" || edge === "bottom";
  const end = upright ? edge : edge.includes("left") ? "left" : "right";
  const { angle, span } = GRIPS[end];
  const goal = straightFold(end, 1);
  const mix = (from: number, to: number): number => from + (to - from) * progress;
  // The short way round.
  const turn = Math.atan2(Math.sin(angle - start.angle), Math.cos(angle - start.angle));
  return {
    fold: { x: mix(start.x, goal.x), y: mix(start.y, goal.y), angle: start.angle + turn * progress },
    shift: { x: -Math.cos(angle) * span * progress, y: -Math.sin(angle) * span * progress },
  };
}

/** The part of the card on one side of the fold, as points of a polygon; null where nothing of it is there. */
export function part(fold: Fold, which: "lifted" | "lying"): string | null {
  // Wider than the card, so that its own round corners are the ones seen.
  const margin = 4;
  const corners: Point[] = [
    { x: -margin, y: -margin },
    { x: WIDTH + margin, y: -margin },
    { x: WIDTH + margin, y: HEIGHT + margin },
    { x: -margin, y: HEIGHT + margin },
  ];
  const sign = which === "lying" ? 1 : -1;
  const nx = Math.cos(fold.angle) * sign;
  const ny = Math.sin(fold.angle) * sign;
  const height = (point: Point): number => (point.x - fold.x) * nx + (point.y - fold.y) * ny;
  const kept: Point[] = [];
  corners.forEach((corner, at) => {
    const next = corners[(at + 1) % corners.length] ?? corner;
    const here = height(corner);
    const there = height(next);
    if (here >= 0) kept.push(corner);
    if (here >= 0 !== there >= 0) {
      const share = here / (here - there);
      kept.push({ x: corner.x + (next.x - corner.x) * share, y: corner.y + (next.y - corner.y) * share });
    }
  });
  return kept.length ? kept.map(({ x, y }) => `${x.toFixed(2)},${y.toFixed(2)}`).join(" ") : null;
}

/** The SVG transform that lifts a point over the fold. */
export function over(fold: Fold): string {
  const nx = Math.cos(fold.angle);
  const ny = Math.sin(fold.angle);
  const offset = 2 * (fold.x * nx + fold.y * ny);
  return `matrix(${1 - 2 * nx * nx} ${-2 * nx * ny} ${-2 * nx * ny} ${1 - 2 * ny * ny} ${offset * nx} ${offset * ny})`;
}
