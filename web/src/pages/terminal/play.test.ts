import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fc } from "../../../tests/chance";
import { moment, Patron } from "../../../tests/patron";
import { info, wager } from "../../../tests/states";
import { sound } from "../../lib/sound.svelte";
import { toasts } from "../../lib/toasts.svelte";
import { language } from "../../lib/words";
import { floor, Refusal } from "../../live";
import { Play } from "./play.svelte";
import "./words";

let patron: Patron;
let play: Play;

function sitsDown(
  state: ConstructorParameters<typeof Patron>[1] = {},
  credits: ConstructorParameters<typeof Patron>[2] = {},
): void {
  patron = new Patron("T1", state, credits);
  play = new Play("T1");
}

/** The floor accepts all that was asked, and the page has seen it. */
async function accepted(): Promise<void> {
  while (patron.waiting.length) {
    await patron.accept();
    play.compare();
  }
}

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(sound, "play").mockReturnValue();
  sitsDown();
});
afterEach(() => {
  vi.runOnlyPendingTimers();
  floor.tables = {};
  floor.purse = null;
});

describe("a stake", () => {
  test("lies there at once, and is pending until the floor has it", async () => {
    play.add("Tie", 500);
    expect([play.stake("Tie"), play.isPending("Tie"), play.total]).toEqual([500, true, 500]);
    expect(patron.asked).toEqual([["Tie", 500]]);
    await accepted();
    expect([play.stake("Tie"), play.isPending("Tie"), play.confirmed]).toEqual([500, false, { Tie: 500 }]);
  });

  test("what is tapped while an answer is awaited goes out as one with the next", async () => {
    for (let at = 0; at < 5; at += 1) play.add("Tie", 500);
    expect(patron.asked).toEqual([["Tie", 500]]);
    expect(play.stake("Tie")).toBe(2_500);
    await accepted();
    expect(patron.asked).toEqual([
      ["Tie", 500],
      ["Tie", 2_500],
    ]);
    expect(play.confirmed).toEqual({ Tie: 2_500 });
  });

  test("wagers do not wait for one another", () => {
    play.add("Tie", 500);
    play.add("Player", 700);
    expect(patron.asked).toEqual([
      ["Tie", 500],
      ["Player", 700],
    ]);
    expect(play.stakes).toEqual({ Tie: 500, Player: 700 });
  });

  test("what is taken back while it is under way is taken back", async () => {
    play.add("Tie", 500);
    play.reduce("Tie", 500);
    await accepted();
    expect([play.confirmed, play.total]).toEqual([{}, 0]);
  });

  test("several wagers of one kind, as a table may hold them, are one stake", () => {
    patron.own({ wagers: [1, 2].map((number) => ({ number, wager: "Tie", cents: 300 })) });
    expect(play.stake("Tie")).toBe(600);
  });

  test("comes to the most that the limit allows, and not beyond", async () => {
    sitsDown({ info: info({ wagers: [wager("Tie", { min_cents: 500, max_cents: 1_200 })] }) });
    play.add("Tie", 1_000);
    play.add("Tie", 1_000);
    expect(play.stake("Tie")).toBe(1_200);
    await accepted();
    play.add("Tie", 1_000);
    expect(patron.waiting).toEqual([]);
    expect(play.faults["Tie"]).toContain("12.00");
  });

  test("below the least wager it is refused on the spot; taken below it, it is taken whole", async () => {
    play.add("Tie", 100);
    expect([patron.asked, play.faults["Tie"]]).toEqual([[], expect.stringContaining("5.00")]);
    play.add("Tie", 700);
    expect(play.faults["Tie"]).toBeUndefined();
    await accepted();
    play.reduce("Tie", 200);
    await accepted();
    expect(play.confirmed).toEqual({ Tie: 500 });
    play.reduce("Tie", 100);
    await accepted();
    expect(play.confirmed).toEqual({});
  });

  test.each(["bets-closed", "initial-deal", "settled", "idle", "void"])(
    "is refused without asking while the phase is %s",
    async (phase) => {
      play.add("Tie", 500);
      await accepted();
      patron.set({ phase });
      play.add("Tie", 500);
      play.reduce("Tie", 500);
      play.undo();
      play.clear();
      play.double();
      play.rebet();
      expect(patron.asked).toHaveLength(1);
      expect(play.faults["Tie"]).not.toBe("");
      expect([play.canUndo, play.canRebet]).toEqual([false, false]);
    },
  );

  test("on a wager that the table does not have is none", () => {
    play.add("Tiger", 500);
    play.reduce("Tiger", 500);
    play.reduce("Tie", 500);
    expect([patron.asked, play.stakes]).toEqual([[], {}]);
  });
});

describe("a stake that is refused", () => {
  test("is what the floor has, and the area says why, for 5 s", async () => {
    play.add("Tie", 500);
    await patron.refuse("area-is-full");
    expect([play.stake("Tie"), play.faults["Tie"]]).toEqual([0, "This area has no room for another wager"]);
    language.show("zh");
    expect(play.faults["Tie"]).toBe("此投注区已满");
    vi.advanceTimersByTime(4_999);
    expect(play.faults["Tie"]).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(play.faults["Tie"]).toBeUndefined();
  });

  test("again says why for 5 s from then on", () => {
    play.add("Tie", 100);
    vi.advanceTimersByTime(3_000);
    play.add("Tie", 200);
    vi.advanceTimersByTime(4_999);
    expect(play.faults["Tie"]).toBeDefined();
    vi.advanceTimersByTime(1);
    expect(play.faults["Tie"]).toBeUndefined();
  });

  test("cannot be undone", async () => {
    play.add("Tie", 500);
    await accepted();
    play.add("Tie", 500);
    await patron.refuse("unaffordable");
    play.undo();
    await accepted();
    expect(play.confirmed).toEqual({});
    expect(play.canUndo).toBe(false);
  });

  test("takes with it what was tapped while it was under way: nothing of that can be undone into a stake", async () => {
    for (let at = 0; at < 3; at += 1) play.add("Tie", 500);
    await patron.refuse("too-fast");
    expect([play.total, play.canUndo]).toEqual([0, false]);
    play.undo();
    expect(patron.asked).toHaveLength(1);
  });

  test("leaves what was accepted before it to be undone", async () => {
    play.add("Tie", 500);
    await accepted();
    play.add("Tie", 600);
    play.add("Tie", 700);
    await patron.refuse("too-fast");
    expect(play.stakes).toEqual({ Tie: 500 });
    play.undo();
    await accepted();
    expect(play.stakes).toEqual({});
  });

  test("one of several that were made at once leaves the others to be undone", async () => {
    patron.has({});
    play.add("Tie", 500);
    play.add("Player", 500);
    await accepted();
    play.double();
    await patron.accept();
    play.compare();
    await patron.refuse("too-heavy");
    expect(play.stakes).toEqual({ Tie: 1_000, Player: 500 });
    play.undo();
    await accepted();
    expect(play.stakes).toEqual({ Tie: 500, Player: 500 });
  });

  test("though the floor has it all the same, is no fault: the answer was lost, not the stake", async () => {
    play.add("Tie", 500);
    patron.has({ Tie: 500 });
    await patron.refuse("round-over");
    expect([play.stake("Tie"), play.faults]).toEqual([500, {}]);
  });

  test.each([
    ["unaffordable", "Not enough credits"],
    ["out-of-turn", "Bets are not open"],
  ])("says what it means of a stake: %s", async (code, said) => {
    play.add("Tie", 500);
    await patron.refuse(code, "the floor's own words");
    expect(play.faults["Tie"]?.toLowerCase()).toContain(said.toLowerCase().slice(0, 8));
    expect(play.faults["Tie"]).not.toContain("own words");
  });

  test("a new round forgets what was refused in the last", async () => {
    play.add("Tie", 500);
    await patron.refuse("area-is-full");
    play.begin();
    expect(play.faults).toEqual({});
  });
});

describe("undo", () => {
  test("takes back the last act, then the one before it", async () => {
    play.add("Tie", 500);
    play.add("Player", 600);
    play.add("Tie", 700);
    await accepted();
    const seen: unknown[] = [];
    while (play.canUndo) {
      play.undo();
      await accepted();
      seen.push(play.stakes);
    }
    expect(seen).toEqual([{ Tie: 500, Player: 600 }, { Tie: 500 }, {}]);
  });

  test("of clearing brings everything back at once", async () => {
    play.add("Tie", 500);
    play.add("Player", 600);
    await accepted();
    play.clear();
    await accepted();
    expect(play.stakes).toEqual({});
    play.undo();
    await accepted();
    expect(play.stakes).toEqual({ Tie: 500, Player: 600 });
  });

  test("cannot reach what another page of the patron's has changed since", async () => {
    play.add("Tie", 500);
    await accepted();
    patron.has({ Tie: 900 });
    play.compare();
    expect(play.canUndo).toBe(false);
  });

  test("does not forget because the floor answers one of its own stakes late", async () => {
    play.add("Tie", 500);
    play.add("Tie", 500);
    await patron.accept();
    play.compare();
    await accepted();
    expect(play.canUndo).toBe(true);
  });

  test("ends with the round", async () => {
    play.add("Tie", 500);
    await accepted();
    play.begin();
    expect(play.canUndo).toBe(false);
  });

  const acts = fc.array(
    fc.oneof(
      fc.record({
        act: fc.constant("add" as const),
        wager: fc.constantFrom("Tie", "Player", "Banker"),
        cents: fc.constantFrom(500, 2_500, 10_000),
      }),
      fc.record({
        act: fc.constant("reduce" as const),
        wager: fc.constantFrom("Tie", "Player", "Banker"),
        cents: fc.constantFrom(500, 2_500),
      }),
      fc.record({ act: fc.constantFrom("undo" as const, "clear" as const, "double" as const, "answer" as const) }),
    ),
    { maxLength: 30 },
  );

  type Acts = typeof acts extends fc.Arbitrary<infer Made> ? Made : never;

  async function does(act: Acts[number]): Promise<void> {
    if (act.act === "add") play.add(act.wager, act.cents);
    else if (act.act === "reduce") play.reduce(act.wager, act.cents);
    else if (act.act === "answer") {
      await patron.accept();
      play.compare();
    } else play[act.act]();
  }

  test("whatever is tapped and whenever it is answered, the floor comes to have what lies on the felt", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        sitsDown({}, { credits_cents: 1e9 });
        for (const act of all) await does(act);
        const shown = { ...play.stakes };
        await accepted();
        expect(patron.confirmed).toEqual(shown);
        expect(play.stakes).toEqual(shown);
      }),
    );
  });

  test("whatever was done, undoing all of it leaves nothing on the table", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        sitsDown({}, { credits_cents: 1e9 });
        for (const act of all) await does(act);
        for (let at = 0; play.canUndo && at < 100; at += 1) play.undo();
        await accepted();
        expect(patron.confirmed).toEqual({});
      }),
    );
  });

  /** Do all of it but undo; what lay there before each act that changed something. */
  async function doesAll(all: Acts): Promise<unknown[]> {
    const before: unknown[] = [];
    for (const act of all.filter((each) => each.act !== "undo")) {
      const was = { ...play.stakes };
      await does(act);
      if (act.act !== "answer" && JSON.stringify(play.stakes) !== JSON.stringify(was)) before.push(was);
    }
    return before;
  }

  async function undoesAll(before: unknown[]): Promise<void> {
    for (const was of before.toReversed()) {
      play.undo();
      await accepted();
      expect(play.stakes).toEqual(was);
    }
    expect(play.canUndo).toBe(false);
  }

  test("each undo goes back to what lay there before the act", async () => {
    await fc.assert(
      fc.asyncProperty(acts, async (all) => {
        sitsDown({}, { credits_cents: 1e9 });
        const before = await doesAll(all);
        await accepted();
        await undoesAll(before);
      }),
    );
  });

  test("after a refusal it is as if nothing of what was refused had been done", async () => {
    await fc.assert(
      fc.asyncProperty(acts, acts, async (all, refused) => {
        sitsDown({}, { credits_cents: 1e9 });
        const before = await doesAll(all);
        await accepted();
        const stakes = { ...play.stakes };
        await doesAll(refused.filter(({ act }) => act !== "answer"));
        while (patron.waiting.length) await patron.refuse("too-fast");
        expect(play.stakes).toEqual(stakes);
        await undoesAll(before);
      }),
    );
  });
});

describe("double", () => {
  test("makes every stake twice as large", async () => {
    play.add("Tie", 500);
    play.add("Player", 600);
    play.double();
    await accepted();
    expect(play.stakes).toEqual({ Tie: 1_000, Player: 1_200 });
  });

  test("of nothing is nothing", () => {
    play.double();
    expect(patron.asked).toEqual([]);
  });

  test("is all or nothing: a limit is in the way of all", async () => {
    play.add("Tie", 500);
    play.add("Player", 60_000);
    await accepted();
    play.double();
    expect(patron.asked).toHaveLength(2);
    expect(toasts.text).toContain("1,000.00");
    expect(toasts.text).toContain("Player");
  });

  test("is all or nothing: credits must cover all of it", () => {
    sitsDown({}, { credits_cents: 1_099 });
    patron.has({ Tie: 500, Player: 600 });
    play.double();
    expect(patron.asked).toEqual([]);
    floor.purse = { ...floor.purse!, credits_cents: 1_100 };
    play.double();
    expect(play.total).toBe(2_200);
  });

  test("credits must cover what is under way, too", () => {
    sitsDown({}, { credits_cents: 1_500 });
    play.add("Tie", 1_000);
    play.double();
    expect(play.total).toBe(1_000);
  });
});

describe("rebet", () => {
  async function playsARound(): Promise<void> {
    play.add("Tie", 500);
    play.add("Player", 600);
    await accepted();
    patron.set({ phase: "bets-closed" });
    play.close();
    patron.has({});
    patron.set({ phase: "bets-open", round: 2 });
    play.begin();
    play.compare();
  }

  test("places what lay there when bets were last closed", async () => {
    await playsARound();
    expect([play.canRebet, play.last]).toEqual([true, { Tie: 500, Player: 600 }]);
    play.rebet();
    await accepted();
    expect(play.stakes).toEqual({ Tie: 500, Player: 600 });
    play.undo();
    await accepted();
    expect(play.stakes).toEqual({});
  });

  test("is offered as long as nothing lies there", async () => {
    await playsARound();
    play.add("Banker", 500);
    expect(play.canRebet).toBe(false);
    play.rebet();
    await accepted();
    expect(play.stakes).toEqual({ Banker: 500 });
  });

  test("after a round without a stake is still that of the last one with one", async () => {
    await playsARound();
    patron.set({ phase: "bets-closed" });
    play.close();
    patron.set({ phase: "bets-open" });
    expect(play.last).toEqual({ Tie: 500, Player: 600 });
  });

  test("is what the floor had, not what came too late", async () => {
    play.add("Tie", 500);
    await accepted();
    play.add("Player", 600);
    patron.set({ phase: "bets-closed" });
    play.close();
    expect(play.last).toEqual({ Tie: 500 });
  });

  test("survives that the page is loaded anew, but not another game", async () => {
    await playsARound();
    patron.has({});
    expect(new Play("T1").last).toEqual({ Tie: 500, Player: 600 });
    expect(new Play("T2").last).toEqual({});
    patron.set({ info: info({ game: "tiger" }) });
    expect([new Play("T1").last, play.last, play.canRebet]).toEqual([{}, {}, false]);
  });

  test.each([
    ["over a limit that is lower now", { max_cents: 550 }],
    ["under a limit that is higher now", { min_cents: 550 }],
  ])("is nothing at all where one stake is %s", async (_, limits) => {
    await playsARound();
    patron.set({ info: info({ wagers: [wager("Tie", limits), wager("Player", limits)] }) });
    const asked = patron.asked.length;
    play.rebet();
    expect(patron.asked).toHaveLength(asked);
    expect(toasts.shown?.tone).toBe("refused");
  });

  test("is nothing at all where a wager is no longer offered", async () => {
    await playsARound();
    patron.set({ info: info({ wagers: [wager("Player")] }) });
    const asked = patron.asked.length;
    play.rebet();
    expect(patron.asked).toHaveLength(asked);
  });
});

describe("a table as it is played", () => {
  test("says its title and its wagers in the language of the page", () => {
    expect([play.title, play.label("Tie"), play.label("Tiger")]).toEqual(["Baccarat", "Tie", "Tiger"]);
    language.show("zh");
    expect([play.title, play.label("Tie")]).toEqual(["百家乐", "「Tie」"]);
  });

  test.each([
    ["bets-open", true, true, false],
    ["drawing", false, true, false],
    ["settled", false, false, true],
    ["change-of-shoe", false, false, true],
    ["closed", false, false, true],
  ])("in the phase %s bets are open: %s, wagers lie there: %s, between rounds: %s", (phase, open, playing, between) => {
    patron.set({ phase });
    expect([play.open, play.playing, play.between]).toEqual([open, playing, between]);
  });

  test("takes no stake while this terminal is down, says so, and takes them again when it is back", () => {
    patron.own({ down: true });
    play.add("Tie", 500);
    expect([play.open, play.faults["Tie"], patron.asked]).toEqual([false, "This terminal is down", []]);
    patron.has({ Tie: 500 });
    play.reduce("Tie", 500);
    play.clear();
    play.double();
    expect(patron.asked).toEqual([]);
    patron.own({ down: false });
    play.add("Player", 500);
    expect(patron.asked).toEqual([["Player", 500]]);
  });

  test("that is not seen yet is closed, and has nothing on it", () => {
    floor.tables = {};
    expect([play.phase, play.info, play.title, play.stakes, play.loss]).toEqual(["closed", null, "", {}, ""]);
  });

  test("says what a round took where nothing was won, and what went back", () => {
    const payment = { wager: "Tie", result: "lose", clause: "", decided: false } as const;
    patron.own({ payments: [{ ...payment, stake_cents: 500, won_cents: 0, paid_cents: 0 }] });
    expect(play.loss).toBe("");
    patron.set({ outcome: { winner: "banker", player: 1, banker: 2, results: {} } });
    expect(play.loss).toContain("5.00");
    patron.own({
      payments: [
        { ...payment, stake_cents: 500, won_cents: 0, paid_cents: 0 },
        { ...payment, result: "push", stake_cents: 700, won_cents: 0, paid_cents: 700 },
      ],
    });
    expect(play.loss).toMatch(/5\.00.*7\.00/);
    patron.own({ payments: [{ ...payment, result: "win", stake_cents: 500, won_cents: 1, paid_cents: 501 }] });
    expect(play.loss).toBe("");
  });

  test("says what was refused of a command, and whether it was done", async () => {
    const act = vi.spyOn(floor, "act").mockResolvedValueOnce({ version: 1 });
    expect(await play.act({ do: "accept-cards", side: "player" })).toBe(true);
    act.mockRejectedValueOnce(new Refusal("not-in-hand", "not yours"));
    expect(await play.act({ do: "accept-cards", side: "player" })).toBe(false);
    await moment();
    expect([toasts.text, toasts.shown?.tone]).toEqual(["not yours", "refused"]);
  });
});
