import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { own, shoe, welcome } from "../../../tests/states";
import { seenShoe } from "../../lib/shoes";
import { floor } from "../../live";
import type { Do } from "../../wire";
import { Contributing } from "./contributing";

const COMMITMENT = "ab".repeat(32);
const CLOSED = "8d4ddf15".repeat(8);
const HEX = /^[0-9a-f]{64}$/;
const fresh = shoe({ commitment: COMMITMENT, number: 3, takes_contributions: true });
const closed = {
  ...fresh,
  takes_contributions: false,
  closed: CLOSED,
  contributors: 1,
  unrevealed: 1,
  beacon_round: 7,
};

const asked: Do["act"][] = [];
const committed = (at = 0): string => (asked[at] as { commitment: string }).commitment;

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
  test("commits to a secret that every page of this device knows, and keeps what it saw before it reveals it", () => {
    new Contributing("T1").go(fresh, own({ may_contribute: true }));
    expect(asked).toEqual([{ do: "contribute", shoe: 3, commitment: expect.stringMatching(HEX) as string }]);
    const contribution = { commitment: committed(), revealed: false };
    new Contributing("T1").go(closed, own({ contribution }));
    expect(asked[1]).toEqual({ do: "reveal-contribution", shoe: 3, secret: expect.stringMatching(HEX) as string });
    const seen = { shoe: COMMITMENT, offered: committed(), taken: true, closed: CLOSED, round: 7, revealed: true };
    expect(seenShoe(COMMITMENT)).toEqual({ ...seen, at_ms: expect.any(Number) as number });
  });

  test("chooses another secret for each shoe", () => {
    const one = new Contributing("T1");
    one.go(fresh, own({ may_contribute: true }));
    one.go({ ...fresh, commitment: "ef".repeat(32) }, own({ may_contribute: true }));
    expect(asked).toHaveLength(2);
    expect(committed(0)).not.toBe(committed(1));
  });

  test("asks once, however often it hears of the same state", () => {
    const one = new Contributing("T1");
    for (let times = 0; times < 3; times++) one.go(fresh, own({ may_contribute: true }));
    expect(asked).toHaveLength(1);
  });

  test("calls a contribution its own only once the floor has taken it", () => {
    new Contributing("T1").go(fresh, own({ may_contribute: true }));
    expect(seenShoe(COMMITMENT)).toEqual({ shoe: COMMITMENT, offered: committed() });
    new Contributing("T1").go(fresh, own({ contribution: { commitment: committed(), revealed: false } }));
    expect(seenShoe(COMMITMENT)?.taken).toBe(true);
  });

  test("reveals nothing before the close, nothing twice, and nothing that another device has committed to", () => {
    const one = new Contributing("T1");
    one.go(fresh, own({ may_contribute: true }));
    const contribution = { commitment: committed(), revealed: false };
    one.go(fresh, own({ contribution }));
    one.go(closed, own({ contribution: { ...contribution, revealed: true } }));
    one.go(closed, own({ contribution: { commitment: "00", revealed: false } }));
    one.go(closed, own());
    expect(asked).toHaveLength(1);
  });

  test("contributes where storage is refused, for as long as the page is open", () => {
    vi.stubGlobal("localStorage", undefined);
    const one = new Contributing("T1");
    one.go(fresh, own({ may_contribute: true }));
    one.go(closed, own({ contribution: { commitment: committed(), revealed: false } }));
    vi.unstubAllGlobals();
    expect(asked.map((act) => act.do)).toEqual(["contribute", "reveal-contribution"]);
  });

  test("contributes to no shoe of a device, and not before it knows its name", () => {
    const one = new Contributing("T1");
    one.go(shoe(), own({ may_contribute: true }));
    floor.welcome = null;
    one.go(fresh, own({ may_contribute: true }));
    expect(asked).toEqual([]);
  });
});
