import { beforeEach, describe, expect, test } from "vitest";
import { welcome } from "../../../tests/states";
import { floor } from "../../live";
import type { OwnClaim } from "../../wire";
import { claims } from "./claims.svelte";

const claim = (said: Partial<OwnClaim>): OwnClaim => ({
  claim: 1,
  table: "T1",
  round: 7,
  shoe: 1,
  about: "payment",
  outcome: "open",
  remaining_ms: 60_000,
  ...said,
});
const unread = (): number[] => claims.unread.map((each) => each.claim);

beforeEach(() => {
  floor.welcome = welcome({ patron: "ann" });
  floor.claims = [];
});

describe("a patron's claims", () => {
  test("have news once staff have answered, and until the answers were shown", () => {
    floor.claims = [claim({ claim: 3 }), claim({ claim: 2, outcome: "withdrawn" }), claim({ outcome: "rejected" })];
    expect(unread()).toEqual([1]);
    claims.see();
    expect(unread()).toEqual([]);
    floor.claims = [claim({ claim: 3, outcome: "upheld" }), ...floor.claims.slice(1)];
    expect(unread()).toEqual([3]);
    claims.see();
    expect(unread()).toEqual([]);
  });

  test("are news to whoever plays here next", () => {
    floor.claims = [claim({ outcome: "upheld" })];
    claims.see();
    floor.welcome = welcome({ patron: "bob" });
    expect(unread()).toEqual([1]);
  });

  test("are found by their round", () => {
    floor.claims = [claim({ claim: 4, round: 8 })];
    expect(claims.about("T1", 8)?.claim).toBe(4);
    expect(claims.about("T1", 7)).toBeNull();
    expect(claims.about("T2", 8)).toBeNull();
  });
});
