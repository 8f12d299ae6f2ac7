import { describe, expect, test } from "vitest";
import { fc } from "../../../../tests/chance";
import { table } from "../../../../tests/states";
import type { Roads } from "../../../wire";
import { bigRoad } from "../../lobby/bigroad";
import { asked } from "./asking";

const roads = (said: Partial<Roads>): Roads => ({ ...table().roads, ...said });
/** Outcomes with long streaks, which turn aside and are barred by one another. */
const streaks = fc.array(fc.integer({ min: 1, max: 14 }), { maxLength: 14 });
const beadsOf = (lengths: number[]): string =>
  lengths.map((length, at) => (at % 2 ? "P" : "B").repeat(length)).join("");

describe("the road with one more mark", () => {
  test("is the road as it is, where nobody asks", () => {
    const big = bigRoad("BBPT");
    expect(asked(roads({ big }), null).big).toEqual(big);
  });

  test("has that mark where it would lie, should it come", () => {
    fc.assert(
      fc.property(streaks, fc.constantFrom("banker" as const, "player" as const), (lengths, side) => {
        const beads = beadsOf(lengths);
        const shown = asked(roads({ big: bigRoad(beads) }), side).big;
        const places = (marks: typeof shown): unknown[] => marks.map(([column, row, winner]) => [column, row, winner]);
        expect(places(shown)).toEqual(places(bigRoad(beads + (side === "banker" ? "B" : "P"))));
      }),
    );
  });

  test("of a streak that turned aside goes on aside, though there is room below again", () => {
    // The first streak lies along the bottom to column 3; the second turns above it and passes its end.
    const beads = "B".repeat(9) + "P".repeat(8);
    expect(
      asked(roads({ big: bigRoad(beads) }), "player")
        .big.at(-1)
        ?.slice(0, 2),
    ).toEqual(bigRoad(`${beads}P`).at(-1)?.slice(0, 2));
  });

  test("of the derived roads is what the floor answers, and none where it answers nothing", () => {
    fc.assert(
      fc.property(streaks, fc.constantFrom("R" as const, "B" as const), (lengths, colour) => {
        // Derived roads lie by the same rule as the big one: red like Banker, blue like Player.
        const laid = (beads: string): Roads["eye"] =>
          bigRoad(beads).map(([column, row, winner]) => [column, row, winner === "B" ? "R" : "B"]);
        const beads = beadsOf(lengths);
        const eye = laid(beads);
        const shown = asked(
          roads({ eye, small: eye, ask: { ...table().roads.ask, banker: [colour, null, colour] } }),
          "banker",
        );
        expect(shown.eye).toEqual(laid(beads + (colour === "R" ? "B" : "P")));
        expect(shown.small).toEqual(eye);
        expect(shown.roach).toEqual([[0, 0, colour]]);
      }),
    );
  });
});

describe("the big road of a glance", () => {
  test("begins at the top, goes down with a streak, and to the next column with another", () => {
    expect(bigRoad("BBPB").map(([column, row]) => [column, row])).toEqual([
      [0, 0],
      [0, 1],
      [1, 0],
      [2, 0],
    ]);
  });

  test("marks ties on the win before them, and those before the first on the first", () => {
    expect(bigRoad("TTBTPTT").map(([, , winner, ties]) => [winner, ties])).toEqual([
      ["B", 3],
      ["P", 2],
    ]);
    expect(bigRoad("TT")).toEqual([]);
  });

  test("turns aside at the bottom, and where another streak lies", () => {
    const places = bigRoad("B".repeat(8) + "P".repeat(7)).map(([column, row]) => `${column} ${row}`);
    expect(places.slice(5, 8)).toEqual(["0 5", "1 5", "2 5"]);
    expect(places.slice(8)).toEqual(["1 0", "1 1", "1 2", "1 3", "1 4", "2 4", "3 4"]);
  });

  test("never lays two marks in one place, and has one for every win", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom("B", "P", "T"), maxLength: 90 }), (beads) => {
        const marks = bigRoad(beads);
        expect(marks.length).toBe(beads.replaceAll("T", "").length);
        expect(new Set(marks.map(([column, row]) => `${column} ${row}`)).size).toBe(marks.length);
        const ties = marks.reduce((sum, [, , , each]) => sum + each, 0);
        if (marks.length) expect(ties).toBe(beads.length - marks.length);
        for (const [, row] of marks) expect(row).toBeLessThan(6);
      }),
    );
  });
});
