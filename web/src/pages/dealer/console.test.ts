// What is heard at a table, cards that are read faster than they are entered, and what may go wrong where.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moment } from "../../../tests/patron";
import { info } from "../../../tests/states";
import { language } from "../../lib/words";
import { floor } from "../../live";
import type { Found, Line } from "../../wire";
import { Deed } from "../pit/decisions";
import { en as decisions } from "../pit/decisions/words";
import { applies, certain, GROUPS, LATE, matters } from "./irregularity/book";
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
    [{ type: "referred", matter: "a dropped card" }, "Referred to a Gaming Shift Manager: a dropped card", true],
    [{ type: "ruled", ruling: "void", reason: "so it is" }, "Ruled: The round is void. so it is", true],
    [{ type: "shoe-loaded", shoe: 7 }, "A fresh shoe, number 7", false],
    [{ type: "method-chosen", method: "C" }, "Method C from the next round on", false],
    [{ type: "device-taken", patron: "ann" }, "ann has the device", false],
    [{ type: "late-wager", patron: "ann" }, "ann: a late wager is not honoured", true],
    [{ type: "first-chosen", side: "banker" }, "Banker is revealed first", true],
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

  test("a vouched act is named", () => {
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
        shoe: 1,
        act: "in-full-view",
        payments: [],
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

describe("what may go wrong", () => {
  const all = Object.keys(decisions).flatMap(
    (key) => (/^decision\.found\.([a-z-]+)$/.exec(key)?.[1] ?? []) as Found[] | [],
  );
  const listed = Object.values(GROUPS).flat();

  test("is in one group each; that a hand is too heavy is seen by the table itself", () => {
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
    ["device-reset", { methods: [] }, null, false],
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
      ({ rules: [{ when: [{ en: when, zh: "" }] }] }) as unknown as Parameters<typeof matters>[0];
    expect(matters(matter("the order can be restored"), input("order_known"))).toBe(true);
    expect(matters(matter("bets are closed"), input("order_known"))).toBe(false);
    expect(matters(matter("bets are closed"), input("note"))).toBe(true);
  });

  test("late wagers have a clause of their own book", () => {
    for (const [book, { placed, withdrawn }] of Object.entries(LATE)) {
      expect([placed, withdrawn].every((clause) => clause.startsWith(`${book} 5.`))).toBe(true);
      expect(placed).not.toBe(withdrawn);
    }
  });
});
