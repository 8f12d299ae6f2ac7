import { fc } from "../../../tests/chance";
import { expect, test } from "vitest";
import { chipsFor, denomination, DENOMINATIONS } from "./denominations";

const VALUES = DENOMINATIONS.map((each) => each.value);
const sum = (values: number[]): number => values.reduce((total, value) => total + value, 0);

/** The fewest chips that make so many units, by trying all. */
function fewest(units: number): number {
  const least = [0];
  for (let amount = 1; amount <= units; amount += 1) {
    least[amount] =
      1 + Math.min(...VALUES.filter((value) => value <= amount).map((value) => least[amount - value] ?? Infinity));
  }
  return least[units] ?? Infinity;
}

test("the chips of a stake add up to it, largest first", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500_000 }), (units) => {
      const values = chipsFor(units * 100, Infinity).map((each) => each.value);
      expect(sum(values)).toBe(units);
      expect(values).toEqual(values.toSorted((a, b) => b - a));
    }),
  );
});

test("no stake could be made with fewer chips", () => {
  for (const units of [1, 4, 5, 9, 24, 25, 30, 49, 99, 100, 124, 499, 777, 999, 2_499]) {
    expect(chipsFor(units * 100, Infinity)).toHaveLength(fewest(units));
  }
});

test("no more chips lie there than the eye can count, and those are the largest", () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 500_000 }), fc.integer({ min: 1, max: 12 }), (units, most) => {
      expect(chipsFor(units * 100, most)).toEqual(chipsFor(units * 100, Infinity).slice(0, most));
    }),
  );
});

test("a stake of less than the smallest chip is one, and no stake is none", () => {
  expect(chipsFor(99, 5).map((each) => each.value)).toEqual([1]);
  expect(chipsFor(0, 5)).toEqual([]);
  expect(chipsFor(-100, 5)).toEqual([]);
});

test("a part of a unit makes no chip more", () => {
  expect(chipsFor(2_599, 5).map((each) => each.value)).toEqual([25]);
});

test("no two chips look alike, and each says what it is worth", () => {
  expect(new Set(DENOMINATIONS.map((each) => each.colour)).size).toBe(DENOMINATIONS.length);
  for (const { value, print } of DENOMINATIONS) {
    expect(Number(print.replace("K", "000"))).toBe(value);
    expect(denomination(value).value).toBe(value);
  }
});

test("a chip that the house does not have looks like its smallest", () => {
  expect(denomination(7).value).toBe(1);
});
