import { afterEach, describe, expect, test, vi } from "vitest";
import { language } from "./words";
import { floorTime, foreignZone, typedTime, zonedTime } from "./zone";

const AT = Date.parse("2026-11-17T21:04:00+08:00");
const SHORT = { hour: "2-digit", minute: "2-digit" } as const;
const hoursAhead = (hours: number): void => {
  vi.spyOn(Date.prototype, "getTimezoneOffset").mockReturnValue(-60 * hours);
};

afterEach(() => {
  vi.restoreAllMocks();
  language.show("en");
});

describe("the floor's time of day", () => {
  test.each([0, 8, -5])("is the same on a device that is %i hours ahead", (hours) => {
    hoursAhead(hours);
    expect(floorTime(AT, SHORT)).toBe("21:04");
    expect(typedTime("2026-11-17T21:04")).toBe(AT);
  });

  test("has no name where the device shows the same", () => {
    hoursAhead(8);
    expect(foreignZone(AT)).toBe("");
    expect(zonedTime(AT, SHORT)).toBe("21:04");
  });

  test.each([
    ["en", "21:04 SGT"],
    ["zh", "21:04 新加坡时间"],
  ] as const)("has its name elsewhere, in %s", (tongue, said) => {
    hoursAhead(0);
    language.show(tongue);
    expect(zonedTime(AT, SHORT)).toBe(said);
  });

  test("has 24 hours, also in a form with the date", () => {
    expect(floorTime(AT, { dateStyle: "medium", timeStyle: "short" })).toMatch(/, 21:04$/);
  });
});
