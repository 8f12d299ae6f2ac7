import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Clock } from "../wire";
import { deadline, forgetGaps } from "./clock";

const clock = (at_ms: number, said: Partial<Clock> = {}): Clock => ({
  what: "bets",
  remaining_ms: 10_000,
  total_ms: 15_000,
  at_ms,
  side: null,
  ...said,
});

beforeEach(() => {
  vi.useFakeTimers();
  forgetGaps();
});
afterEach(() => vi.useRealTimers());

/** Let time pass on both clocks. */
const pass = (ms: number): void => void vi.advanceTimersByTime(ms);

test("no countdown is none", () => {
  expect(deadline(null)).toBeNull();
});

test("a countdown ends when its time is over on this page's clock", () => {
  const told = deadline(clock(77, { what: "cards", side: "banker" }));
  expect(told).toEqual({ what: "cards", at: performance.now() + 10_000, total_ms: 15_000, side: "banker" });
});

test("a countdown that a busy page heard of late has been running since it was told", () => {
  deadline(clock(1_000));
  pass(5_000);
  // It was told at 4,000 of the floor's clock, and heard 2 s after that.
  expect(deadline(clock(4_000))?.at).toBe(performance.now() + 8_000);
});

test("what comes as fast as anything did so far is not late", () => {
  deadline(clock(1_000));
  pass(5_000);
  expect(deadline(clock(6_000))?.at).toBe(performance.now() + 10_000);
  pass(1_000);
  expect(deadline(clock(7_500))?.at).toBe(performance.now() + 10_000);
  pass(1_000);
  expect(deadline(clock(8_000))?.at).toBe(performance.now() + 9_500);
});

test("the device's time of day plays no part", () => {
  deadline(clock(1_000));
  vi.setSystemTime(new Date(2040, 1, 1));
  expect(deadline(clock(1_000))?.at).toBe(performance.now() + 10_000);
});

test("a page that has been slower for long is not late: clocks drift apart, and networks change", () => {
  deadline(clock(1_000));
  for (let at = 0; at < 32; at += 1) {
    pass(1_000);
    deadline(clock(1_700 + at * 1_000));
  }
  pass(1_000);
  expect(deadline(clock(33_700))?.at).toBe(performance.now() + 10_000);
});

test("connected anew, the floor may have another clock", () => {
  deadline(clock(5_000_000));
  forgetGaps();
  expect(deadline(clock(10))?.at).toBe(performance.now() + 10_000);
});
