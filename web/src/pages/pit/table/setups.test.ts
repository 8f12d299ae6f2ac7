import { describe, expect, test } from "vitest";
import type { Setup } from "../../../wire";
import { differences, grouped, isOfFile, limitDifferences } from "./setups";

const LIMIT = { min_cents: 500, max_cents: 50_000 };
const FILE: Setup = {
  game: "baccarat",
  declaration: "",
  decks: 8,
  source: "device",
  reads: true,
  unit_cents: 100,
  layout: "A",
  positions: 7,
  hlga: false,
  wagers: ["Player", "Banker", "Tie"],
  limits: { Player: LIMIT, Banker: LIMIT, Tie: LIMIT },
  differential_cents: 20_000,
  behind: 14,
  timings: { bets_ms: 20_000, answer_ms: 30_000 },
};

describe("a setup beside the file's", () => {
  test.each<[string, Partial<Setup>]>([
    ["the file's own", {}],
    ["narrower limits", { limits: { "*": { min_cents: 1_000, max_cents: 40_000 } } }],
    ["a narrower limit of one wager", { limits: { "*": LIMIT, Tie: { min_cents: 500, max_cents: 10_000 } } }],
    ["a narrower differential", { differential_cents: 10_000 }],
    ["another method", { method: "A" }],
    ["what a form leaves open", { unit_cents: undefined, layout: undefined, positions: undefined }],
  ])("%s is of the file", (_, more) => {
    expect(isOfFile(FILE, { ...FILE, ...more })).toBe(true);
  });

  test.each<[string, Partial<Setup>]>([
    ["another game", { game: "tiger" }],
    ["a declaration", { declaration: "key = 'mine'" }],
    ["other decks", { decks: 6 }],
    ["virtual cards", { source: "virtual" }],
    ["a device that reads nothing", { reads: false }],
    ["an area of high limits", { hlga: true }],
    ["other times", { timings: { bets_ms: 1_000, answer_ms: 30_000 } }],
    ["no differential", { differential_cents: undefined }],
    ["a larger differential", { differential_cents: 20_100 }],
    ["a higher maximum", { limits: { "*": { min_cents: 500, max_cents: 50_100 } } }],
    ["a lower minimum", { limits: { "*": LIMIT, Tie: { min_cents: 400, max_cents: 50_000 } } }],
    ["a wager less", { wagers: ["Player", "Banker"] }],
  ])("%s is not", (_, more) => {
    expect(isOfFile(FILE, { ...FILE, ...more })).toBe(false);
  });

  test("a part that differs is told with both values", () => {
    expect(differences(FILE, { ...FILE, decks: 6 })).toEqual([{ what: "decks", file: 8, now: 6 }]);
  });

  test("wagers that differ alike are told together", () => {
    const wider = { min_cents: 500, max_cents: 60_000 };
    const setup = { ...FILE, wagers: ["Player", "Banker", "Tiger"], limits: { "*": wider } };
    expect(limitDifferences(FILE, setup)).toEqual([
      { wagers: ["Player", "Banker"], file: LIMIT, now: wider },
      { wagers: ["Tiger"], file: null, now: wider },
      { wagers: ["Tie"], file: LIMIT, now: null },
    ]);
  });

  test("a digest is shown in groups that two people can compare", () => {
    expect(grouped("0ac2f82d0851c4e5c5bce0782df4aa3d")).toBe("0ac2 f82d 0851 c4e5");
  });
});
