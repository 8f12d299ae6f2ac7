import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { own, shoe, welcome } from "../../../tests/states";
import { floor } from "../../live";
import type { Do } from "../../wire";
import { Contributing } from "./contributing";

// Worked out by punto.table.contributions.contribution_digest.
const SECRET = "cd".repeat(32);
const DIGEST = "7e272ad981e6795d";
const COMMITMENT = "ab".repeat(32);

const fresh = shoe({ commitment: COMMITMENT, number: 3, takes_contributions: true });
const closed = { ...fresh, takes_contributions: false, closed: true, contributors: 1, unrevealed: 1 };

const asked: Do["act"][] = [];

async function answered(): Promise<void> {
  await Promise.resolve();
  await Promise.resolve();
  await Promise.resolve();
}

beforeEach(() => {
  localStorage.clear();
  asked.length = 0;
  floor.welcome = welcome({ patron: "ann" });
  vi.spyOn(floor, "act").mockImplementation((_table, act) => {
    asked.push(act);
    return Promise.resolve({ version: 1 });
  });
});

afterEach(() => vi.restoreAllMocks());

describe("a terminal", () => {
  test("commits to a secret that is kept until it is revealed", async () => {
    localStorage.setItem(`punto.secret ${COMMITMENT}`, SECRET);
    new Contributing("T1").go(fresh, own({ may_contribute: true }));
    expect(asked).toEqual([{ do: "contribute", shoe: 3, commitment: expect.stringMatching(`^${DIGEST}`) as string }]);
    await answered();
    // Loaded anew, the page still knows it.
    const contribution = { commitment: "", revealed: false };
    new Contributing("T1").go(closed, own({ contribution }));
    expect(asked[1]).toEqual({ do: "reveal-contribution", shoe: 3, secret: SECRET });
    await answered();
    expect(localStorage.getItem(`punto.secret ${COMMITMENT}`)).toBeNull();
    expect(localStorage.getItem(`punto.contribution ${COMMITMENT}`)).toMatch(new RegExp(`^${DIGEST}`));
  });

  test("chooses another secret for each shoe", async () => {
    const one = new Contributing("T1");
    one.go(fresh, own({ may_contribute: true }));
    await answered();
    one.go({ ...fresh, commitment: "ef".repeat(32) }, own({ may_contribute: true }));
    const [first, second] = [...Array(localStorage.length).keys()]
      .map((at) => localStorage.key(at)!)
      .filter((key) => key.startsWith("punto.secret "))
      .map((key) => localStorage.getItem(key));
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(second).toMatch(/^[0-9a-f]{64}$/);
    expect(first).not.toBe(second);
  });

  test("asks once, however often it hears of the same state", async () => {
    const one = new Contributing("T1");
    for (let times = 0; times < 3; times++) one.go(fresh, own({ may_contribute: true }));
    expect(asked).toHaveLength(1);
    await answered();
  });

  test("reveals nothing before the close, nothing twice, and nothing that it does not have", () => {
    const one = new Contributing("T1");
    localStorage.setItem(`punto.secret ${COMMITMENT}`, SECRET);
    one.go(fresh, own({ contribution: { commitment: "", revealed: false } }));
    one.go(closed, own({ contribution: { commitment: "", revealed: true } }));
    one.go(closed, own());
    localStorage.clear();
    one.go(closed, own({ contribution: { commitment: "", revealed: false } }));
    expect(asked).toEqual([]);
  });

  test("contributes to no shoe of a device, and not before it knows its name", () => {
    const one = new Contributing("T1");
    one.go(shoe(), own({ may_contribute: true }));
    floor.welcome = null;
    one.go(fresh, own({ may_contribute: true }));
    expect(asked).toEqual([]);
  });
});
