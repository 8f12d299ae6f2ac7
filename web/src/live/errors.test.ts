import { describe, expect, test } from "vitest";
import { language } from "../lib/words";
import { chinese } from "./chinese";
import { lineOf, Refusal } from "./errors";
import { refusals } from "./refusals";

describe("the line for a person", () => {
  test("of a refusal that people meet is worded in both languages", () => {
    const refused = new Refusal("bets-are-closed", "phase is bets-closed");
    expect(refused.line).toBe("No more bets: nothing was changed");
    language.show("zh");
    expect(refused.line).toBe("已停止下注：未作更改");
  });

  test("of another is the floor's own in English, and by its code in Chinese", () => {
    const refused = new Refusal("bad-count", "416 cards, not 415");
    expect(refused.line).toBe("416 cards, not 415");
    language.show("zh");
    expect(refused.line).toBe("清点与记录不符：未作更改");
  });

  test("of a code that nobody knows is the floor's own in either language", () => {
    const refused = new Refusal("of-tomorrow", "something new");
    language.show("zh");
    expect(refused.line).toBe("something new");
  });

  test("ends with the clause, where there is one", () => {
    expect(new Refusal("not-honoured", "", "EB4 3.2").line).toMatch(/ \(EB4 3\.2\)$/);
    expect(new Refusal("not-honoured", "").line).not.toMatch(/[()]/);
  });

  test("is never empty", () => {
    for (const code of ["", "unheard-of", ...Object.keys(refusals), ...Object.keys(chinese)]) {
      expect(new Refusal(code, "").line).not.toBe("");
    }
  });

  test("of something that is no refusal says that it failed, and nothing of its cause", () => {
    expect(lineOf(new TypeError("x is undefined"))).toBe("That did not work: try again");
    expect(lineOf(new Refusal("lost", ""))).toBe(refusals["lost"]?.en);
  });
});

test("no code is worded twice", () => {
  expect(Object.keys(chinese).filter((code) => code in refusals)).toEqual([]);
});
