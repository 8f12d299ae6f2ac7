import { afterEach, describe, expect, test } from "vitest";
import { language } from "../words";
import { ABOUT, aboutOf, moment, outcomeOf } from ".";

afterEach(() => language.choose("en"));

describe("how a claim is told", () => {
  test("what it is about and how it stands have words in both languages", () => {
    for (const tongue of ["en", "zh"] as const) {
      language.choose(tongue);
      const words = [
        ...ABOUT.map(aboutOf),
        ...(["open", "upheld", "rejected", "withdrawn"] as const).map((each) => outcomeOf(each)),
      ];
      expect(new Set([...words, ""]).size).toBe(words.length + 1);
    }
  });

  test("an open claim whose time is over is overdue, and one that was answered is not", () => {
    expect(outcomeOf("open", true)).not.toBe(outcomeOf("open"));
    expect(outcomeOf("upheld", true)).toBe(outcomeOf("upheld"));
  });

  test("its time is short, and with the month in the language of the page", () => {
    expect(moment(1_767_196_800_000)).toMatch(/\d\d:\d\d/);
    language.choose("zh");
    expect(moment(1_767_196_800_000)).toMatch(/月/);
  });
});
