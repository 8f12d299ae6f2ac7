import { expect, test } from "vitest";
import { money } from "./money";

test("an amount has its thousands parted and two decimals", () => {
  expect(money(123_450)).toBe("1,234.50");
});
