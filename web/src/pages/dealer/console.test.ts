// What is heard at a table, cards that are read faster than they are entered, and what may go wrong where.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moment } from "../../../tests/patron";
import { info, table } from "../../../tests/states";
import { language } from "../../lib/words";
import { floor } from "../../live";
import type { Found, IrregularityInfo, Line, Pending, TableState } from "../../wire";
import { Deed } from "../pit/decisions";
import { en as decisions } from "../pit/decisions/words";
import {
  applies,
  areTogether,
  certain,
  drawn,
  GROUPS,
  isOfComingRound,
  isOfPaidRound,
  isThere,
  LATE,
  matters,
  waits,
} from "./irregularity/book";
import { CardQueue } from "./queue.svelte";
import { utterance } from "./said";
import { en as words } from "./words";

describe("what is heard", () => {
  const heard = (event: Record<string, unknown>): ReturnType<typeof utterance> =>
    utterance({ version: 3, at_ms: 4, by: "dan", position: "dealer", event } as unknown as Line, "S$");

  test.each([
    [{ type: "bets-opened" }, "Place your bets, please", true],
    [{ type: "bets-closed" }, "No more bets", true],
    [{ type: "totals-announced", player: 4, banker: 6 }, "Player 4, Banker 6", true],
    [{ type: "outcome-announced", winner: "banker", player: 4, banker: 6 }, "Banker wins, 6 to 4", true],
    [{ type: "outcome-announced", winner: "player", player: 7, banker: 6 }, "Player wins, 7 to 6", true],
    [{ type: "outcome-announced", winner: "tie", player: 6, banker: 6 }, "Tie at 6", true],
    [{ type: "cards-offered", side: "player", patron: "ann" }, "Player's cards to ann", true],
    [{ type: "cards-accepted", side: "banker", patron: "ann" }, "ann handles Banker's cards", false],
    [
      { type: "differential-exceeded", heavier: "banker", excess_cents: 12_300 },
      "Banker is too heavy by S$123.00: decrease, please",
      true,
    ],
    [{ type: "wager-withdrawn", patron: "ann", cents: 500 }, "ann withdraws S$5.00", false],
    [{ type: "wager-removed", patron: "ann", to_cents: 500 }, "ann: brought down to S$5.00", true],
    [{ type: "wager-removed", patron: "ann", to_cents: 0 }, "ann: brought down to S$0.00", true],
    [
      { type: "referred", found: "other", matter: "a dropped card" },
      "Referred to a Gaming Shift Manager: a dropped card",
      true,
    ],
    [
      { type: "referred", found: "face-up-in-device", matter: "face-up-in-device" },
      "Referred to a Gaming Shift Manager: A card lies face up in the device",
      true,
    ],
    [
      { type: "referred", found: "card-seen", matter: "seen: 9h" },
      "Referred to a Gaming Shift Manager: A card was seen before its turn",
      true,
    ],
    [
      { type: "referred", found: "foreign-cards", matter: "a souvenir" },
      "Referred to a Gaming Shift Manager: A card that does not belong. a souvenir",
      true,
    ],
    [{ type: "ruled", ruling: "void", reason: "so it is" }, "Ruled: The round is void. so it is", true],
    [{ type: "shoe-loaded", shoe: 7 }, "A fresh shoe, number 7", false],
    [{ type: "method-chosen", method: "C" }, "Method C from the next round on", false],
    [{ type: "device-taken", patron: "ann" }, "ann has the device", false],
    [{ type: "late-wager", patron: "ann" }, "ann: a late wager is not honoured", true],
    [{ type: "first-chosen", side: "banker" }, "Banker is revealed first", true],
    [{ type: "terminals-failed", terminals: [3, 5] }, "Terminals down, no bets from them: 3, 5", true],
    [{ type: "terminals-restored", terminals: [3] }, "Terminals back: 3", true],
    [{ type: "shoe-kept", shoe: 2, reason: "all there" }, "The cards are kept. all there", true],
    [
      { type: "shoe-kept", shoe: 2, reason: "Counted.", counted: 400 },
      "The cards are kept. Counted. 400 cards were counted in the shoe.",
      true,
    ],
    [{ type: "dealer-stood-in" }, "The Dealer draws for the rest of the round", true],
    [
      { type: "report-kept", found: "wrong-order" },
      "Reported, and taken up later: Cards lie in the wrong order",
      false,
    ],
    [{ type: "report-taken-up", found: "wrong-order" }, "Taken up: Cards lie in the wrong order", false],
    [
      { type: "report-taken-up", found: "wrong-order", dropped: "no card lies there" },
      "No longer of this round: Cards lie in the wrong order",
      false,
    ],
    [
      { type: "irregularity-found", found: "interruption", remedy: "play-on", deferred: true },
      "Power or machinery failed: decided once the cards in patrons' hands lie open",
      true,
    ],
    [
      { type: "wager-placed", number: 4, patron: "ann", same_moment_as: 3 },
      "ann: wager 4 at the same moment as wager 3",
      false,
    ],
  ])("%o is %j, aloud: %s", (event, text, aloud) => {
    expect(heard(event)).toEqual({ version: 3, at_ms: 4, text, clause: "", aloud });
  });

  test("a settlement says what was paid and what was collected, of losing stakes only", () => {
    const payments = [
      { won_cents: 950, stake_cents: 1_000, result: "win" },
      { won_cents: 0, stake_cents: 700, result: "lose" },
      { won_cents: 0, stake_cents: 300, result: "push" },
    ];
    expect(heard({ type: "round-settled", payments })?.text).toBe("Paid S$9.50, collected S$7.00");
  });

  test("what was found is said with what follows, and the clause", () => {
    const found = heard({ type: "irregularity-found", found: "wrong-order", remedy: "refer", clause: "B8 5.8" });
    expect(found?.text).toBe(`${decisions["decision.found.wrong-order"]}: ${decisions["decision.remedy.refer"]}`);
    expect(found?.clause).toBe("B8 5.8");
  });

  test("a decision is said with all its parts, and the reason last", () => {
    const decided = {
      type: "ruled",
      ruling: "order",
      reason: "As the cameras show.",
      returns: [{ number: 1, patron: "ann", cents: 500 }],
      results: [
        { number: 2, result: "lose" },
        { number: 3, result: "win", pays: "8 to 1" },
        { number: 4, result: "win" },
      ],
      burnt: "9h 2c",
      burnt_next: 3,
      played: "Kd",
      shoe: "replace",
    };
    expect(heard(decided)?.text).toBe(
      "Ruled: The cards are put in order. ann gets S$5.00 back. Wager 2 is collected. Wager 3 is paid at 8 to 1. " +
        "Wager 4 is paid. Discarded: Nine of hearts, Two of clubs. The next 3 cards are discarded. " +
        "Played all the same: King of diamonds. The cards are replaced. As the cameras show.",
    );
    expect(heard({ type: "ruled", ruling: "continue", reason: "So be it", burnt_next: 1, shoe: "keep" })?.text).toBe(
      "Ruled: The round goes on. The next card is discarded. The cards are kept. So be it",
    );
  });

  test("a vouched act is named, with the wager that it is about", () => {
    expect(heard({ type: "attested", act: "patron-asked", wager: 7 })?.text).toBe(
      `Vouched for wager 7: ${words["dealer.act.patron-asked"]}`,
    );
    expect(heard({ type: "attested", act: "in-full-view" })?.text).toBe(`Vouched: ${words["dealer.act.in-full-view"]}`);
  });

  test("what is no announcement is not heard: cards and stakes speak for themselves", () => {
    for (const type of ["card-drawn", "wager-placed", "cards-exposed", "of-tomorrow"])
      expect(heard({ type })).toBeNull();
  });

  test("everything that the words know of an event is heard, in both languages, with no gap left in it", () => {
    const events = Object.keys(words).flatMap((key) => /^dealer\.event\.([a-z-]+)$/.exec(key)?.[1] ?? []);
    expect(events.length).toBeGreaterThan(25);
    for (const type of events) {
      const event = {
        type,
        side: "player",
        patron: "ann",
        heavier: "player",
        excess_cents: 1,
        cents: 1,
        to_cents: 1,
        method: "A",
        matter: "x",
        ruling: "void",
        reason: "y",
        shoe: type === "ruled" ? "keep" : 1,
        act: "in-full-view",
        payments: [],
        found: "other",
        terminals: [1, 2],
      };
      language.show("en");
      const english = heard(event)?.text;
      language.show("zh");
      expect(english, type).toBeTruthy();
      expect(heard(event)?.text).not.toBe(english);
      expect(english).not.toMatch(/[{}]|dealer\.|decision\./);
    }
  });
});

describe("cards that are read", () => {
  let deed: Deed;
  let queue: CardQueue;
  let entered: string[];
  let answer: ((why?: string) => void) | null;

  beforeEach(() => {
    vi.useFakeTimers();
    deed = new Deed("T1");
    entered = [];
    answer = null;
    queue = new CardQueue(deed, (card) => {
      entered.push(card);
      return new Promise((resolve) => (answer = resolve));
    });
  });
  afterEach(() => vi.useRealTimers());

  async function says(why?: string): Promise<void> {
    answer?.(why);
    await moment();
  }

  test("are entered one after the other, each when the one before is answered", async () => {
    for (const card of ["9s", "2h", "Kd"]) queue.add(card);
    expect([entered, queue.waits]).toEqual([["9s"], true]);
    await says();
    await says();
    expect(entered).toEqual(["9s", "2h", "Kd"]);
    await says();
    expect([queue.cards, queue.waits]).toEqual([[], false]);
  });

  test("after one that was refused are not entered: they would come to the wrong hand", async () => {
    for (const card of ["9s", "2h"]) queue.add(card);
    await says("Not now");
    expect([entered, queue.cards]).toEqual([["9s"], []]);
    expect(deed.refusal).toMatch(/^Not now.*Nine of spades.*Two of hearts/);
  });

  test("that follow within 0.8 s were read before anybody could see that, and go with them", async () => {
    queue.add("9s");
    await says("Not now");
    vi.advanceTimersByTime(700);
    queue.add("2h");
    vi.advanceTimersByTime(700);
    queue.add("Kd");
    expect(entered).toEqual(["9s"]);
    expect(deed.refusal).toMatch(/Nine of spades.*Two of hearts.*King of diamonds/);
    vi.advanceTimersByTime(800);
    queue.add("4c");
    expect(entered).toEqual(["9s", "4c"]);
  });

  test("while a key of a card is heard, what was dropped goes on; afterwards what was said of it is over", async () => {
    queue.add("9s");
    await says("Not now");
    vi.advanceTimersByTime(700);
    queue.typing();
    vi.advanceTimersByTime(700);
    queue.add("2h");
    expect(entered).toEqual(["9s"]);
    vi.advanceTimersByTime(900);
    queue.typing();
    expect(deed.refusal).toBe("");
  });

  test("wait while another act is under way, and go on after it", async () => {
    deed.busy = true;
    queue.add("9s");
    expect([entered, queue.waits]).toEqual([[], true]);
    deed.busy = false;
    await Promise.all([queue.goOn(), moment().then(() => says())]);
    expect(entered).toEqual(["9s"]);
  });

  test("what is dropped anew is said anew, without what was said before", async () => {
    queue.add("9s");
    await says("Not now");
    vi.advanceTimersByTime(2_000);
    queue.add("2h");
    await says("No card is due");
    expect(deed.refusal).toMatch(/^No card is due.*Two of hearts/);
    expect(deed.refusal).not.toContain("Nine");
    queue.drop("nothing waits");
    expect(deed.refusal).toMatch(/^No card is due/);
  });

  test("that cannot be entered for want of a connection are dropped, not kept for later", async () => {
    floor.status = "lost";
    queue = new CardQueue(deed, async (card) =>
      (await deed.give({ do: "draw-card", card })) ? undefined : deed.refusal,
    );
    queue.add("9s");
    queue.add("2h");
    await moment();
    await moment();
    expect(queue.cards).toEqual([]);
    expect(deed.refusal).toMatch(/no connection.*Nine of spades.*Two of hearts/);
    floor.status = "connecting";
  });
});

describe("an act of two people", () => {
  const stake = { do: "report-stake", number: 1, stake_cents: 500 } as const;

  test("is not done when one has given it, but waits", async () => {
    floor.status = "open";
    const act = vi.spyOn(floor, "act").mockResolvedValueOnce({ t: "proposed", id: "1", digest: "ab12" });
    const deed = new Deed("T1");
    expect([await deed.give(stake), deed.proposed, deed.refusal]).toEqual([false, true, ""]);
    act.mockResolvedValueOnce({ version: 2 });
    expect([await deed.give({ do: "settle" }), deed.proposed]).toEqual([true, false]);
  });

  test("is done once another confirms it, and taken away where one withdraws it", async () => {
    floor.status = "open";
    const confirm = vi.spyOn(floor, "confirm").mockResolvedValue({ version: 3 });
    const withdraw = vi.spyOn(floor, "withdraw").mockResolvedValue({ version: 3 });
    const deed = new Deed("T1");
    expect([await deed.confirm("ab12"), await deed.withdraw("cd34")]).toEqual([true, true]);
    expect([confirm.mock.calls, withdraw.mock.calls]).toEqual([[["T1", "ab12"]], [["T1", "cd34"]]]);
    floor.status = "connecting";
  });
});

describe("what may go wrong", () => {
  const all = Object.keys(decisions).flatMap(
    (key) => (/^decision\.found\.([a-z-]+)$/.exec(key)?.[1] ?? []) as Found[] | [],
  );
  const listed = Object.values(GROUPS).flat();

  test("is in one group each; that a hand is too heavy the table finds by itself", () => {
    expect(new Set(listed).size).toBe(listed.length);
    expect(all.filter((found) => !listed.includes(found))).toEqual(["differential-exceeded"]);
    expect(listed.filter((found) => !all.includes(found))).toEqual([]);
  });

  test.each([
    ["terminals-down", { terminals: true }, null, true],
    ["terminals-down", { terminals: false }, null, false],
    ["off-limits", { terminals: false }, null, true],
    ["off-limits", { terminals: true }, null, false],
    ["exposed-in-moving", { methods: ["A", "B", "C"] }, "C", true],
    ["exposed-in-moving", { methods: ["A", "B", "C"] }, "A", false],
    ["wrong-patron", { methods: ["A"] }, "A", true],
    ["wrong-patron", { methods: [] }, null, false],
    ["device-reset", { methods: [], virtual: false }, null, false],
    ["device-reset", { methods: ["A"], virtual: false }, "A", true],
    ["device-reset", { methods: ["A"], virtual: true }, "A", false],
    ["device-reset", { methods: ["A"], virtual: false, reads: false }, "A", false],
    ["extra-cards", { methods: [] }, null, true],
    ["other", { methods: [] }, null, true],
  ] as const)("%s, at a table with %o by method %j, can be: %s", (found, said, method, can) => {
    const { methods, ...rest } = { methods: [] as readonly ("A" | "B" | "C")[], ...said };
    expect(applies(found, info({ ...rest, methods: [...methods] }), method)).toBe(can);
  });

  test("with a shoe that the floor holds itself, cards and their order are certain, and nothing else is", () => {
    const of = (virtual: boolean): Found[] => listed.filter((found) => certain(found, info({ virtual })));
    expect(of(false)).toEqual([]);
    for (const found of ["extra-cards", "wrong-order", "order-altered"] as const) expect(of(true)).toContain(found);
    for (const found of ["too-few-cards", "interruption", "display-wrong", "wrong-patron", "other"] as const) {
      expect(of(true)).not.toContain(found);
    }
  });

  test("is asked about its order only where something follows from that", () => {
    const input = (name: string): Parameters<typeof matters>[1] => ({
      name,
      kind: "flag",
      label: { en: "", zh: "" },
      required: false,
    });
    const matter = (when: string): Parameters<typeof matters>[0] =>
      ({ report: {}, rules: [{ when: [{ en: when, zh: "" }] }] }) as unknown as Parameters<typeof matters>[0];
    expect(matters(matter("the order can be restored"), input("order_known"))).toBe(true);
    expect(matters(matter("bets are closed"), input("order_known"))).toBe(false);
    expect(matters(matter("bets are closed"), input("note"))).toBe(true);
  });

  const reported = (found: Found, how: string): IrregularityInfo =>
    ({ found, report: { do: how }, rules: [] }) as unknown as IrregularityInfo;
  const pending = (what: Pending["what"]): Pending => ({ what }) as Pending;

  test("may have cards to name, unless nobody has seen one rather than another", () => {
    const cards = { name: "cards", kind: "cards", label: { en: "", zh: "" }, required: false } as const;
    expect(matters(reported("face-up-in-device", "report-cards"), cards)).toBe(true);
    expect(matters(reported("unshuffled-cards", "report-cards"), cards)).toBe(false);
    expect(matters(reported("cards-carried-off", "report-carried-off"), cards)).toBe(true);
  });

  test("can be reported while a decision is awaited where the table takes a second matter", () => {
    const second = (["report-order", "report-delivery", "report-absence", "report-stake", "report-reset"] as const).map(
      (how) => reported("other", how),
    );
    const gone = reported("cards-carried-off", "report-carried-off");
    const later = reported("cutting-card-first", "allow-withdrawal");
    for (const what of ["answers", "order", "decision", "count"] as const) {
      for (const each of second) expect(waits(each, pending(what))).toBe(false);
      expect(waits(gone, pending(what))).toBe(what !== "decision");
      expect(waits(later, pending(what))).toBe(true);
    }
    expect(waits(later, pending("balance"))).toBe(false);
    expect(waits(later, null)).toBe(false);
  });

  test("includes a card that is seen now only where one lies there unseen", () => {
    expect([isThere("card-seen", []), isThere("card-seen", ["8d"]), isThere("card-seen", ["?"])]).toEqual([
      false,
      false,
      true,
    ]);
    expect(isThere("other", [])).toBe(true);
  });

  test("concerns the coming round between rounds, and a paid one until bets open", () => {
    const contents = reported("foreign-cards", "report-cards");
    for (const phase of ["idle", "settled", "void"]) expect(isOfComingRound(contents, table({ phase }))).toBe(true);
    expect(isOfComingRound(contents, table({ phase: "bets-open" }))).toBe(false);
    expect(isOfComingRound(reported("too-few-cards", "report-cards"), table({ phase: "idle" }))).toBe(false);
    expect(isOfPaidRound(reported("drawn-together", "report-order"), table({ phase: "settled" }))).toBe(true);
    expect(isOfPaidRound(reported("drawn-together", "report-order"), table({ phase: "outcome" }))).toBe(false);
    expect(isOfPaidRound(contents, table({ phase: "settled" }))).toBe(false);
  });

  test.each([
    [[3, 4], true],
    [[4, 3, 5], true],
    [[3], false],
    [[], false],
    [[2, 4], false],
  ])("cards that came together follow each other: %j %s", (places, together) => {
    expect(areTogether(places)).toBe(together);
  });

  test("cards are shown by their places in the draw, with those that were named besides", () => {
    const cards = [
      ["player", "4s"],
      ["banker", "2h"],
      ["player", ""],
    ] as TableState["cards"];
    expect(drawn(cards, [])).toEqual(["4s", "2h", ""]);
    expect(drawn(cards, ["4s", "?", "2h"])).toEqual(["4s", "2h", ""]);
    expect(drawn(cards, ["4s", "?", "2h", "9d"])).toEqual(["4s", "2h", "", "9d"]);
    expect(drawn(cards, ["4s", "?", "2h", "?"])).toEqual(["4s", "2h", "", ""]);
    // The card that lies face down was named: it may be any of them.
    expect(drawn(cards, ["4s", "Kd", "2h", "9d"])).toEqual(["4s", "2h", "", ""]);
  });

  test("late wagers have a clause of their own book", () => {
    for (const [book, { placed, withdrawn }] of Object.entries(LATE)) {
      expect([placed, withdrawn].every((clause) => clause.startsWith(`${book} 5.`))).toBe(true);
      expect(placed).not.toBe(withdrawn);
    }
  });
});
