import { expect, test } from "vitest";
import { language } from "../../../lib/words";
import "../words";
import { leftOf, spanOf } from "./left.svelte";

const MINUTE = 60_000;

test("what is left counts down from when it was told, and then up again as overdue", () => {
  language.choose("en");
  expect(spanOf(125 * MINUTE)).toBe("2 h 5 min left");
  expect(spanOf(50 * 60 * MINUTE)).toBe("2 d 2 h left");
  expect(spanOf(30_000)).toBe("0 min left");
  expect(spanOf(-12 * MINUTE)).toBe("12 min overdue");
  expect(leftOf(5 * MINUTE, performance.now() - MINUTE)).toBeLessThanOrEqual(5 * MINUTE);
});
