import { fc } from "../../../tests/chance";
import { describe, expect, test } from "vitest";
import {
  draggedFold,
  edgeAt,
  EDGES,
  HALF,
  isEdge,
  over,
  part,
  straightFold,
  turningFold,
  type Edge,
  type Fold,
  type Point,
} from "./fold";
import { HEIGHT, WIDTH } from "./pips";

const MARGIN = 4;
const CORNERS: Point[] = [
  { x: 0, y: 0 },
  { x: WIDTH, y: 0 },
  { x: WIDTH, y: HEIGHT },
  { x: 0, y: HEIGHT },
];
const SIDES = ["left", "right", "top", "bottom"] as const;

const edges = fc.constantFrom(...EDGES);
const fractions = fc.double({ min: 0, max: 1, noNaN: true });
const onCard = fc.record({
  x: fc.double({ min: 0, max: WIDTH, noNaN: true }),
  y: fc.double({ min: 0, max: HEIGHT, noNaN: true }),
});
const drags = fc.record({
  x: fc.double({ min: -WIDTH, max: WIDTH, noNaN: true }),
  y: fc.double({ min: -HEIGHT, max: HEIGHT, noNaN: true }),
});
const folds: fc.Arbitrary<Fold> = fc.record({
  x: fc.double({ min: 0, max: WIDTH, noNaN: true }),
  y: fc.double({ min: 0, max: HEIGHT, noNaN: true }),
  angle: fc.double({ min: -Math.PI, max: Math.PI, noNaN: true }),
});

/** How far a point lies on the lying side of a fold; below 0 it is lifted. */
function height(fold: Fold, { x, y }: Point): number {
  return (x - fold.x) * Math.cos(fold.angle) + (y - fold.y) * Math.sin(fold.angle);
}

function pointsOf(polygon: string | null): Point[] {
  return (polygon ?? "")
    .split(" ")
    .filter(Boolean)
    .map((pair) => {
      const [x = NaN, y = NaN] = pair.split(",").map(Number);
      return { x, y };
    });
}

function area(polygon: string | null): number {
  const points = pointsOf(polygon);
  const twice = points.reduce((sum, { x, y }, at) => {
    const next = points[(at + 1) % points.length]!;
    return sum + x * next.y - next.x * y;
  }, 0);
  return Math.abs(twice) / 2;
}

/** Where the transform takes a point. */
function lifted(fold: Fold, { x, y }: Point): Point {
  const [a = NaN, b = NaN, c = NaN, d = NaN, e = NaN, f = NaN] = over(fold)
    .replace(/^matrix\(|\)$/g, "")
    .split(" ")
    .map(Number);
  return { x: a * x + c * y + e, y: b * x + d * y + f };
}

/** How much of the card itself, without the margin around it, is lifted: seen at many points. */
function share(fold: Fold): number {
  let [count, up] = [0, 0];
  for (let x = 0.5; x < 24; x += 1) {
    for (let y = 0.5; y < 24; y += 1) {
      count += 1;
      if (height(fold, { x: (x * WIDTH) / 24, y: (y * HEIGHT) / 24 }) < 0) up += 1;
    }
  }
  return up / count;
}

const distance = (one: Point, other: Point): number => Math.hypot(one.x - other.x, one.y - other.y);

describe("the two parts of a bent card", () => {
  test("make the whole card between them", () => {
    const all = (WIDTH + 2 * MARGIN) * (HEIGHT + 2 * MARGIN);
    fc.assert(
      fc.property(folds, (fold) => {
        // Points are written with two decimals.
        expect(Math.abs(area(part(fold, "lifted")) + area(part(fold, "lying")) - all)).toBeLessThan(12);
      }),
    );
  });

  test("lie each on its own side of the fold", () => {
    fc.assert(
      fc.property(folds, (fold) => {
        for (const point of pointsOf(part(fold, "lifted"))) expect(height(fold, point)).toBeLessThan(0.02);
        for (const point of pointsOf(part(fold, "lying"))) expect(height(fold, point)).toBeGreaterThan(-0.02);
      }),
    );
  });

  test("are all or nothing where the fold misses the card", () => {
    const beyond: Fold = { x: WIDTH + 50, y: 0, angle: 0 };
    expect(part(beyond, "lying")).toBeNull();
    expect(pointsOf(part(beyond, "lifted"))).toHaveLength(4);
  });
});

describe("what is lifted over the fold", () => {
  test("keeps its size, and comes to lie on the other side as far away", () => {
    fc.assert(
      fc.property(folds, onCard, onCard, (fold, one, other) => {
        expect(distance(lifted(fold, one), lifted(fold, other))).toBeCloseTo(distance(one, other), 6);
        expect(height(fold, lifted(fold, one))).toBeCloseTo(-height(fold, one), 6);
      }),
    );
  });

  test("lifted twice lies where it was", () => {
    fc.assert(
      fc.property(folds, onCard, (fold, point) => {
        expect(distance(lifted(fold, lifted(fold, point)), point)).toBeLessThan(1e-6);
      }),
    );
  });

  test("meets what lies there at the fold itself", () => {
    fc.assert(
      fc.property(folds, fc.double({ min: -200, max: 200, noNaN: true }), (fold, along) => {
        const point = { x: fold.x - Math.sin(fold.angle) * along, y: fold.y + Math.cos(fold.angle) * along };
        expect(distance(lifted(fold, point), point)).toBeLessThan(1e-6);
      }),
    );
  });
});

describe("an edge that is lifted straight", () => {
  test.each(EDGES)("lifts nothing at first: %s", (edge) => {
    expect(share(straightFold(edge, 0))).toBe(0);
  });

  test.each(SIDES)("lifts so much of the card as the fold has come across: %s", (edge) => {
    for (const fraction of [0.25, 0.5, 0.75, 1]) expect(share(straightFold(edge, fraction))).toBeCloseTo(fraction, 5);
  });

  test("lifts more the further it goes, and the edge that was taken first", () => {
    fc.assert(
      fc.property(edges, fractions, fractions, (edge, one, other) => {
        const [less, more] = one < other ? [one, other] : [other, one];
        for (const corner of CORNERS) {
          expect(height(straightFold(edge, more), corner)).toBeLessThanOrEqual(
            height(straightFold(edge, less), corner) + 1e-9,
          );
        }
      }),
    );
  });
});

describe("an edge that is dragged", () => {
  test("lies flat until it is dragged inwards", () => {
    fc.assert(
      fc.property(edges, onCard, (edge, touched) => {
        expect(draggedFold(edge, touched, { x: 0, y: 0 }).fraction).toBe(0);
        const { angle } = straightFold(edge, 0);
        const outwards = { x: -Math.cos(angle) * 90, y: -Math.sin(angle) * 90 };
        expect(draggedFold(edge, touched, outwards).fraction).toBeCloseTo(0, 9);
        expect(share(draggedFold(edge, touched, outwards).fold)).toBe(0);
      }),
    );
  });

  test("dragged straight, bends like an edge that is lifted straight: paper halves the way", () => {
    fc.assert(
      fc.property(edges, fc.double({ min: 0, max: 300, noNaN: true }), (edge, reach) => {
        const { x, y, angle } = straightFold(edge, 0);
        const { fold, fraction } = draggedFold(
          edge,
          { x, y },
          { x: Math.cos(angle) * reach, y: Math.sin(angle) * reach },
        );
        const straight = straightFold(edge, fraction);
        expect(distance(fold, straight)).toBeLessThan(1e-6);
        expect(fold.angle).toBeCloseTo(straight.angle, 6);
        expect(distance(fold, { x, y })).toBeCloseTo(reach / 2, 6);
      }),
    );
  });

  test("the edge follows the finger: what was taken at the edge lies under it, as long as it is not tilted far", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...SIDES),
        fc.double({ min: 90, max: 200, noNaN: true }),
        fc.double({ min: -0.3, max: 0.3, noNaN: true }),
        (edge, reach, tilt) => {
          const grip = straightFold(edge, 0);
          const drag = { x: Math.cos(grip.angle + tilt) * reach, y: Math.sin(grip.angle + tilt) * reach };
          const { fold } = draggedFold(edge, grip, drag);
          // By as much as the finger goes aside, the paper does not.
          expect(distance(lifted(fold, grip), { x: grip.x + drag.x, y: grip.y + drag.y })).toBeLessThan(reach * 0.35);
        },
      ),
    );
  });

  test("a small step of the finger is a small step of the fold", () => {
    fc.assert(
      fc.property(
        edges,
        onCard,
        drags,
        fc.double({ min: 0, max: 2 * Math.PI, noNaN: true }),
        (edge, touched, drag, way) => {
          const one = draggedFold(edge, touched, drag);
          const other = draggedFold(edge, touched, {
            x: drag.x + Math.cos(way) * 0.01,
            y: drag.y + Math.sin(way) * 0.01,
          });
          expect(distance(one.fold, other.fold)).toBeLessThan(0.1);
          expect(Math.abs(one.fold.angle - other.fold.angle)).toBeLessThan(0.01);
          expect(Math.abs(one.fraction - other.fraction)).toBeLessThan(0.001);
        },
      ),
    );
  });

  test("a drag across the whole card is more than enough to turn it, from every edge", () => {
    for (const edge of EDGES) {
      const { x, y, angle } = straightFold(edge, 0);
      const across = edge.includes("-")
        ? Math.hypot(WIDTH, HEIGHT)
        : edge === "left" || edge === "right"
          ? WIDTH
          : HEIGHT;
      const { fraction } = draggedFold(edge, { x, y }, { x: Math.cos(angle) * across, y: Math.sin(angle) * across });
      expect(fraction).toBeGreaterThanOrEqual(HALF);
    }
  });
});

describe("a card that turns", () => {
  const bent = (edge: Edge): Fold =>
    draggedFold(edge, straightFold(edge, 0), {
      x: 150 * Math.cos(straightFold(edge, 0).angle),
      y: 150 * Math.sin(straightFold(edge, 0).angle),
    }).fold;

  test.each(EDGES)("begins where it was bent: %s", (edge) => {
    const { fold, shift } = turningFold(edge, bent(edge), 0);
    expect(fold).toEqual(bent(edge));
    expect(distance(shift, { x: 0, y: 0 })).toBe(0);
  });

  test.each(EDGES)("ends all turned, in the place where it lay: %s", (edge) => {
    const { fold, shift } = turningFold(edge, bent(edge), 1);
    expect(share(fold)).toBe(1);
    const landed = CORNERS.map((corner) => lifted(fold, corner)).map(({ x, y }) => ({
      x: x + shift.x,
      y: y + shift.y,
    }));
    for (const corner of CORNERS) expect(Math.min(...landed.map((each) => distance(each, corner)))).toBeLessThan(1e-6);
  });

  test.each(EDGES)("shows more of its face all the way, and turns about less than a right angle: %s", (edge) => {
    let before = share(bent(edge));
    for (let progress = 0.05; progress < 1.001; progress += 0.05) {
      const { fold } = turningFold(edge, bent(edge), progress);
      const now = share(fold);
      expect(now).toBeGreaterThanOrEqual(before - 0.01);
      expect(Math.abs(fold.angle - bent(edge).angle)).toBeLessThan(Math.PI / 2);
      before = now;
    }
  });
});

describe("where a card is taken", () => {
  test.each([
    [{ x: 5, y: HEIGHT / 2 }, "left"],
    [{ x: WIDTH - 5, y: HEIGHT / 2 }, "right"],
    [{ x: WIDTH / 2, y: 5 }, "top"],
    [{ x: WIDTH / 2, y: HEIGHT - 5 }, "bottom"],
    [{ x: 5, y: 5 }, "top-left"],
    [{ x: WIDTH - 5, y: 5 }, "top-right"],
    [{ x: 5, y: HEIGHT - 5 }, "bottom-left"],
    [{ x: WIDTH - 5, y: HEIGHT - 5 }, "bottom-right"],
    [{ x: WIDTH / 2 - 10, y: HEIGHT / 2 }, "left"],
  ] as [Point, Edge][])("at %o it is by its %s", (point, edge) => {
    expect(edgeAt(point)).toBe(edge);
  });

  test("a mirror shows the other edge", () => {
    const mirrored = (edge: Edge): string => edge.replace(/left|right/, (side) => (side === "left" ? "right" : "left"));
    fc.assert(
      fc.property(onCard, ({ x, y }) => {
        fc.pre(Math.abs(x - WIDTH / 2) > 0.01);
        expect(edgeAt({ x: WIDTH - x, y })).toBe(mirrored(edgeAt({ x, y })));
      }),
    );
  });

  test("only edges of a card are edges", () => {
    for (const edge of EDGES) expect(isEdge(edge)).toBe(true);
    for (const name of ["", "middle", "left-top", "LEFT"]) expect(isEdge(name)).toBe(false);
  });
});
