import { describe, expect, test, vi } from "vitest";
import { lastRounds, lying, replayOf } from "./recall";

type Replay = Parameters<typeof lying>[0];

const step = (type: string, side: "player" | "banker" | null = null, card = ""): unknown => ({ type, side, card });

/** A round of Method A: dealt face down, exposed hand by hand, a third card for Player. */
const REPLAY = {
  round: {
    cards: [
      ["player", "2s"],
      ["banker", "4h"],
      ["player", "Kd"],
      ["banker", "3c"],
      ["player", "9s"],
    ],
  },
  steps: [
    step("bets-closed"),
    step("card-drawn", "player"),
    step("card-drawn", "banker"),
    step("card-drawn", "player"),
    step("card-drawn", "banker"),
    step("cards-exposed", "banker"),
    step("cards-exposed", "player"),
    step("card-drawn", "player", "9s"),
  ],
} as Replay;

describe("how cards lay", () => {
  test("before the first card there are none", () => {
    expect([lying(REPLAY, 0), lying(REPLAY, 1)]).toEqual([
      { player: [], banker: [] },
      { player: [], banker: [] },
    ]);
  });

  test("cards lie face down until their hand is exposed, and then all of it", () => {
    expect(lying(REPLAY, 4)).toEqual({ player: ["", ""], banker: [""] });
    expect(lying(REPLAY, 6)).toEqual({ player: ["", ""], banker: ["4h", "3c"] });
    expect(lying(REPLAY, 7)).toEqual({ player: ["2s", "Kd"], banker: ["4h", "3c"] });
  });

  test("a card that is drawn face up lies face up, and at the end all is as the round had it", () => {
    expect(lying(REPLAY, 8)).toEqual({ player: ["2s", "Kd", "9s"], banker: ["4h", "3c"] });
    expect(lying(REPLAY, 99)).toEqual(lying(REPLAY, 8));
  });
});

describe("the last rounds", () => {
  const answer = (body: unknown): string[] => {
    const asked: string[] = [];
    vi.stubGlobal("fetch", (path: string) => {
      asked.push(path);
      return Promise.resolve(new Response(JSON.stringify(body), { headers: { "content-type": "application/json" } }));
    });
    return asked;
  };

  test("come newest first, whatever the order in which the floor tells them", async () => {
    const asked = answer([{ round: 3 }, { round: 5 }, { round: 4 }]);
    expect((await lastRounds("T 1/2", 7)).map(({ round }) => round)).toEqual([5, 4, 3]);
    expect(asked).toEqual(["/api/tables/T%201%2F2/rounds?last=7"]);
  });

  test("are had one by one, with all their steps", async () => {
    const asked = answer(REPLAY);
    expect(await replayOf("T1", 12)).toEqual(REPLAY);
    expect(asked).toEqual(["/api/tables/T1/rounds/12"]);
  });
});
