import { beforeEach, expect, test } from "vitest";
import { keepSeen, seenShoe } from "./shoes";

beforeEach(() => localStorage.clear());

test("what was seen of a shoe adds up", () => {
  keepSeen("ab", { offered: "cd" });
  keepSeen("ef", { offered: "01" });
  keepSeen("ab", { taken: true });
  expect(seenShoe("ab")).toEqual({ shoe: "ab", offered: "cd", taken: true });
  expect(seenShoe("unheard of")).toBeUndefined();
});

test("only the newest shoes are kept", () => {
  for (let shoe = 0; shoe < 500; shoe++) keepSeen(`${shoe}`, { offered: "cd" });
  expect(seenShoe("99")).toBeUndefined();
  expect(seenShoe("100")).toBeDefined();
  expect(seenShoe("499")).toBeDefined();
});

test("what somebody has garbled is nothing", () => {
  localStorage.setItem("punto.shoes", '{"no": "list"');
  expect(seenShoe("ab")).toBeUndefined();
  keepSeen("ab", { offered: "cd" });
  expect(seenShoe("ab")).toBeDefined();
});
