import { describe, expect, test } from "vitest";
import { untilNextDraw } from "./countdown";

describe("a countdown", () => {
  test("is drawn twenty times a second, and whenever its number changes", () => {
    expect(untilNextDraw(14_980, false)).toBe(50);
    expect(untilNextDraw(14_020, false)).toBe(20);
    expect(untilNextDraw(14_000, false)).toBe(50);
  });

  test("is drawn once a second for who asks for less motion", () => {
    expect(untilNextDraw(14_980, true)).toBe(980);
    expect(untilNextDraw(14_000, true)).toBe(1000);
    expect(untilNextDraw(300, true)).toBe(300);
  });

  test("comes to its end in as many draws as it has steps", () => {
    let [left, draws] = [3_210, 0];
    while (left > 0) [left, draws] = [left - untilNextDraw(left, false), draws + 1];
    expect([left, draws]).toEqual([0, 65]);
  });
});
