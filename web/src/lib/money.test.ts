import { fc } from "../../tests/chance";
import { describe, expect, test } from "vitest";
import { brief, money, parseMoney } from "./money";

/** The most that can be typed: twelve figures before the point. */
const MOST_TYPED = 99_999_999_999_999;

describe("money as text", () => {
  test.each([
    [0, "0.00"],
    [5, "0.05"],
    [99, "0.99"],
    [100, "1.00"],
    [123_450, "1,234.50"],
    [99_999_999, "999,999.99"],
    [100_000_000, "1,000,000.00"],
    [-5, "−0.05"],
    [-123_450, "−1,234.50"],
    [Number.MAX_SAFE_INTEGER, "90,071,992,547,409.91"],
  ])("%d cents are %s", (cents, text) => {
    expect(money(cents)).toBe(text);
  });

  test("a currency's sign sits close, a code has a space that does not break", () => {
    expect(money(500, "S$")).toBe("S$5.00");
    expect(money(500, "SGD")).toBe("SGD\u00a05.00");
    expect(money(-500, "S$")).toBe("−S$5.00");
  });

  test("nothing has no sign", () => {
    expect(money(-0)).toBe("0.00");
    expect(money(-0.4)).toBe("0.00");
  });

  test("no cent is lost or made, up to the largest whole number", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        const digits = money(cents).replace(/[,.]/g, "").replace("−", "-");
        expect(Number(digits)).toBe(cents);
      }),
    );
  });

  test("thousands are parted by threes", () => {
    fc.assert(
      fc.property(fc.maxSafeInteger(), (cents) => {
        expect(money(cents)).toMatch(/^−?\d{1,3}(,\d{3})*\.\d\d$/);
      }),
    );
  });
});

describe("money as typed", () => {
  test.each([
    ["1234", 123_400],
    ["1,234.5", 123_450],
    ["1,234,567.89", 123_456_789],
    [" 25 ", 2_500],
    ["1 234", 123_400],
    ["1\u00a0234.50", 123_450],
    ["5.", 500],
    ["0.05", 5],
    ["0", 0],
    ["999999999999.99", MOST_TYPED],
  ])("%j is %d cents", (text, cents) => {
    expect(parseMoney(text)).toBe(cents);
  });

  test.each([
    "",
    " ",
    "-5",
    "+5",
    "5.005",
    ".5",
    "1.2.3",
    "5 S$",
    "five",
    "1e3",
    "0x10",
    "NaN",
    "Infinity",
    "１２",
    "1234567890123",
  ])("%j is no amount", (text) => {
    expect(parseMoney(text)).toBeNull();
  });

  test.each(["12,34", "1,2345", ",500", "0,500", "1234,567", "1,,234", "1,234,", "1,23,456", "1.234,50"])(
    "a comma that parts no thousands may be meant for a point: %j is no amount",
    (text) => {
      expect(parseMoney(text)).toBeNull();
    },
  );

  test("what is shown can be typed", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: MOST_TYPED }), (cents) => {
        expect(parseMoney(money(cents))).toBe(cents);
      }),
    );
  });

  test("whatever is typed is whole cents, or no amount", () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...Array.from("0123456789,. -")) }), (text) => {
        const cents = parseMoney(text);
        if (cents !== null) expect(Number.isSafeInteger(cents) && cents >= 0).toBe(true);
      }),
    );
  });
});

describe("money in little room", () => {
  test.each([
    [500, "5"],
    [2_500, "25"],
    [3_750, "37.50"],
    [99_999, "999.99"],
    [100_000, "1K"],
    [115_000, "1.15K"],
    [500_000, "5K"],
    [999_999, "9.99K"],
    [1_234_567, "12.3K"],
    [12_345_678, "123K"],
    [99_999_999, "999K"],
    [100_000_000, "1M"],
    [1_005_000_00, "1M"],
    [290_000_000, "2.9M"],
  ])("%d cents are %s", (cents, text) => {
    expect(brief(cents)).toBe(text);
  });

  test("it says three figures, and never more than there is", () => {
    fc.assert(
      fc.property(fc.integer({ min: 100_000, max: 99_999_999_999 }), (cents) => {
        const [, figures = "", letter = ""] = /^([\d.]+)([KM])$/.exec(brief(cents)) ?? [];
        const size = letter === "K" ? 1_000_00 : 1_000_000_00;
        const said = Math.round(Number(figures) * size);
        const last = size / (cents < 10 * size ? 100 : cents < 100 * size ? 10 : 1);
        expect(said).toBeLessThanOrEqual(cents);
        expect(cents - said).toBeLessThan(last);
      }),
    );
  });
});
