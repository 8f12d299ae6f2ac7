import { describe, expect, test } from "vitest";
import * as dealer from "../../pages/dealer/words";
import * as display from "../../pages/display/words";
import * as entrance from "../../pages/entrance/words";
import * as lobby from "../../pages/lobby/words";
import * as decisions from "../../pages/pit/decisions/words";
import * as pit from "../../pages/pit/words";
import * as terminal from "../../pages/terminal/words";
import * as verify from "../../pages/verify/words";
import { common as commonEn } from "./en";
import { language } from "./language.svelte";
import { say } from "./say";
import { common as commonZh } from "./zh";

type Words = Record<string, string>;

const CATALOGUES: Record<string, { en: Words; zh: Words }> = {
  common: { en: commonEn, zh: commonZh },
  dealer,
  decisions,
  display,
  entrance,
  lobby,
  pit,
  terminal,
  verify,
};

const ALL = Object.entries(CATALOGUES).flatMap(([page, { en, zh }]) =>
  Object.keys(en).map((key) => ({ page, key, en: en[key] ?? "", zh: zh[key] ?? "" })),
);

const places = (text: string): string[] => [...new Set(text.match(/\{\w+\}/g))].sort();
// Marks, figures and the letters of cards are the same in every language.
const ALIKE = /^[\s\p{P}\p{S}\p{N}]*$|^[AJQK]$/u;

describe("the two languages", () => {
  test("there are words of every page", () => {
    for (const file of Object.keys(import.meta.glob("../../pages/*/words.ts"))) {
      expect(Object.keys(CATALOGUES)).toContain(file.split("/").at(-2));
    }
    expect(ALL.length).toBeGreaterThan(900);
  });

  test.each(Object.entries(CATALOGUES))("have the same keys: %s", (_, { en, zh }) => {
    expect(Object.keys(zh).toSorted()).toEqual(Object.keys(en).toSorted());
  });

  test("fill the same places, in every text", () => {
    expect(ALL.filter(({ en, zh }) => places(en).join() !== places(zh).join())).toEqual([]);
  });

  test("say something, in every text, with no brace left open", () => {
    expect(ALL.filter(({ en, zh }) => !en || !zh || /[{}]/.test((en + zh).replace(/\{\w+\}/g, "")))).toEqual([]);
  });

  test("are told apart: what is Chinese has Chinese signs, what is English has none", () => {
    const han = /\p{Script=Han}/u;
    // The way to the other language is written in the other language; examples and characters are what they are.
    const own = new Set(ALL.filter(({ en }) => han.test(en)).map(({ key }) => key));
    expect([...own].filter((key) => !/language|character/.test(key))).toEqual([]);
    const untold = ALL.filter(
      ({ key, zh }) => !own.has(key) && !han.test(zh) && !ALIKE.test(zh.replace(/\{\w+\}/g, "")),
    );
    // A sample of the format is the format.
    expect(untold.map(({ key }) => key)).toEqual(["verify.sample"]);
  });

  test("no page says something else by a key of another", () => {
    const found = new Map<string, { page: string; en: string; zh: string }>();
    for (const { page, key, en, zh } of ALL) {
      const before = found.get(key);
      if (before) expect({ key, ...before, page: "" }).toEqual({ key, page: "", en, zh });
      found.set(key, { page, en, zh });
    }
  });
});

describe("saying something", () => {
  test("places are filled, in the language of the page", () => {
    expect(say("card.name", { rank: "Ten", suit: "diamonds" })).toBe("Ten of diamonds");
    language.show("zh");
    expect(say("card.name", { rank: "10", suit: "方块" })).toBe("方块10");
    expect(say("ring.left", { seconds: 0 })).toContain("0");
  });

  test("what fills a place is taken as it is", () => {
    expect(say("squeeze.lifted", { percent: "{percent} $& $1" })).toBe("Lifted {percent} $& $1 percent");
  });

  test("words that no page has brought are their key", () => {
    expect(say("no.such.key" as "lost")).toBe("no.such.key");
  });
});
