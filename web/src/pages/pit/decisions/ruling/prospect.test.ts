// What a wager comes to at settlement, in words.
import { afterEach, describe, expect, test } from "vitest";
import { language } from "../../../../lib/words";
import type { Prospect } from "../../../../wire";
import { prospectWords } from "./prospect";
import "../words";

const wager = (said: Partial<Prospect>): Prospect => ({
  number: 1,
  wager: "Tie",
  stake_cents: 1_000,
  stated: false,
  result: null,
  paid_cents: null,
  depends_on: null,
  ...said,
});
const WINS = wager({ result: "win", paid_cents: 9_000 });
const LOSES = wager({ result: "lose", paid_cents: 0 });
const PUSHES = wager({ result: "push", paid_cents: 1_000 });

describe("what a wager comes to at settlement", () => {
  afterEach(() => language.show("en"));

  test.each([
    ["en", WINS, "wins $80.00"],
    ["en", LOSES, "loses $10.00"],
    ["en", PUSHES, "pushes"],
    ["en", { ...WINS, stated: true }, "wins $80.00, by decision"],
    ["en", wager({ depends_on: "cards" }), "depends on cards to come or face down"],
    ["en", wager({ depends_on: "answers" }), "depends on the patrons' answers"],
    ["zh", WINS, "赢 $80.00"],
    ["zh", LOSES, "输 $10.00"],
    ["zh", PUSHES, "退还本金"],
    ["zh", { ...WINS, stated: true }, "赢 $80.00（按裁决）"],
    ["zh", wager({ depends_on: "cards" }), "取决于未发或未翻开的牌"],
    ["zh", wager({ depends_on: "answers" }), "取决于客人的答复"],
  ] as const)("is said in %s", (spoken, prospect, words) => {
    language.show(spoken);
    expect(prospectWords(prospect, "$")).toBe(words);
  });
});
