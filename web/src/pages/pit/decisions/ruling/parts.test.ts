// What a decision can consist of at a table, and what the form writes of it.
import { describe, expect, test } from "vitest";
import { info, staff, table, wager } from "../../../../../tests/states";
import type { Pending, StaffState, TableState } from "../../../../wire";
import {
  begun,
  canPush,
  cardFates,
  counting,
  decided,
  figuresOf,
  linesOf,
  missing,
  moved,
  optionsOf,
  orderable,
  partOf,
  roundsOf,
  saysCards,
  type Draft,
  type Matter,
} from "./parts";

function pending(said: Partial<Pending> = {}): Pending {
  return {
    what: "decision",
    clause: "B8 6.1",
    takes: "gaming-shift-manager",
    found: "other",
    matter: "?",
    number: 3,
    round: 7,
    referred_by: "",
    later: [],
    seen: [],
    cards: "",
    certain: 0,
    waiting: [],
    wagers: [],
    whole: false,
    gone: {},
    aside: "",
    missing: "",
    excess_cents: 0,
    clauses: [],
    ...said,
  };
}

const WAGERS = [
  { number: 1, position: 1, patron: "ann", wager: "Player", cents: 5_000 },
  { number: 2, position: 2, patron: "bob", wager: "Tie", cents: 1_000 },
];

interface Said {
  pending?: Partial<Pending>;
  staff?: Partial<StaffState>;
  seen?: Partial<TableState>;
}

/** A matter in round 7 of a device, whose four cards are drawn; what is said is otherwise. */
function matter(said: Said = {}): Matter {
  return {
    pending: pending(said.pending),
    staff: staff({ wagers: WAGERS, ...said.staff }),
    seen: table({
      info: info({ virtual: false }),
      phase: "drawing",
      round: 7,
      cards: [
        ["player", "4s"],
        ["banker", "2h"],
        ["player", "5d"],
        ["banker", "Kc"],
      ],
      ...said.seen,
    }),
  };
}

/** The decision that a form writes, and the form. */
function written(about: Matter, entries: Partial<Draft>): ReturnType<typeof decided> {
  const draft = { ...begun(about), ...entries };
  return decided(draft, about, optionsOf(about, draft.round));
}

describe("the round that is decided on", () => {
  test.each(["bets-open", "bets-closed", "initial-deal", "drawing", "outcome"])("is the one in play in %s", (phase) => {
    expect(roundsOf(matter({ seen: { phase }, pending: { found: "wrong-order" } }))).toEqual([7]);
  });

  test.each(["idle", "settled", "void"])("is the last or the coming one in %s", (phase) => {
    const about = matter({ seen: { phase }, pending: { round: 8 } });
    expect(roundsOf(matter({ seen: { phase } }))).toEqual([7, 8]);
    expect(begun(matter({ seen: { phase } })).round).toBe(7);
    // A matter of the coming round touches no earlier one.
    expect(roundsOf(about)).toEqual([8]);
    expect(begun(about).round).toBe(8);
  });

  test("is also the one before, where no rule covers the matter, and that one stands", () => {
    const about = matter({ seen: { phase: "bets-open" }, pending: { found: "other" } });
    expect(roundsOf(about)).toEqual([7, 6]);
    expect(begun(about).round).toBe(7);
    const options = optionsOf(about, 6);
    expect([options.rulings, options.wagers, options.reopen, options.shoes]).toEqual([
      ["continue"],
      false,
      false,
      [""],
    ]);
    const entries = moved({ ...begun(about), burnNext: "3", shoe: "replace" }, about, 6);
    expect(written(about, entries)).toEqual({ do: "rule", matter: about.pending.number, round: 6, ruling: "continue" });
  });

  test("is the first where there was none, and another where the matter's is over", () => {
    expect(roundsOf(matter({ seen: { phase: "idle", round: 0 }, pending: { round: 0 } }))).toEqual([1]);
    expect(begun(matter({ pending: { round: 2 } })).round).toBe(7);
  });
});

describe("what can be decided", () => {
  test("of a round in play: all of it", () => {
    const options = optionsOf(matter(), 7);
    expect(options.rulings).toEqual(["continue", "order", "void"]);
    expect([options.wagers, options.reopen, options.beforeClose, options.coming]).toEqual([true, true, false, false]);
    expect(options.shoes).toEqual(["", "replace", "keep"]);
  });

  test("of a paid round: everything but to reopen bets", () => {
    const options = optionsOf(matter({ seen: { phase: "settled" } }), 7);
    expect(options.rulings).toEqual(["continue", "order", "void"]);
    expect([options.wagers, options.reopen, options.beforeClose]).toEqual([true, false, true]);
  });

  test("of a void round, and of the coming one: neither cards nor wagers", () => {
    for (const [phase, round] of [
      ["void", 7],
      ["settled", 8],
      ["idle", 7],
    ] as const) {
      const about = matter({ seen: { phase } });
      const options = optionsOf(about, round);
      expect([options.rulings, options.wagers, options.reopen]).toEqual([["continue"], false, false]);
      expect(moved(begun(about), about, round).ruling).toBe("continue");
    }
  });

  test("no order without cards, nor of a virtual shoe, whose order is certain", () => {
    expect(optionsOf(matter({ seen: { cards: [] } }), 7).rulings).toEqual(["continue", "void"]);
    expect(optionsOf(matter({ seen: { info: info({ virtual: true }) } }), 7).rulings).toEqual(["continue", "void"]);
  });

  test("another method in place of C only", () => {
    const methods = { info: info({ methods: ["A", "B", "C"] }) };
    expect(optionsOf(matter({ seen: { ...methods, method: "C" } }), 7).methods).toEqual(["A", "B"]);
    expect(optionsOf(matter({ seen: { ...methods, method: "B" } }), 7).methods).toEqual([]);
  });

  test("a virtual shoe is kept only where it would be replaced", () => {
    const virtual = { info: info({ virtual: true }) };
    expect(optionsOf(matter({ seen: virtual }), 7).shoes).toEqual(["", "replace"]);
    const last = { ...virtual, shoe: { ...table().shoe, last_round: true } };
    expect(optionsOf(matter({ seen: last }), 7).shoes).toEqual(["", "replace", "keep"]);
  });

  test("a shoe whose contents are in doubt is kept, with a count, or replaced", () => {
    const about = matter({
      pending: { found: "missing-cards", round: 8 },
      seen: { phase: "settled" },
      staff: { shoe_in_doubt: true },
    });
    const draft = begun(about);
    const options = optionsOf(about, 8);
    expect([options.shoes, draft.shoe, counting(draft, about)]).toEqual([["keep", "replace"], "keep", "must"]);
    expect(missing(draft, about, options)).toBe("count");
    expect(written(about, { counted: "412" })).toMatchObject({
      ruling: "continue",
      round: 8,
      shoe: "keep",
      counted: 412,
    });
    expect(written(about, { shoe: "replace" })).toMatchObject({ shoe: "replace" });
    expect(counting({ ...draft, shoe: "replace" }, about)).toBe("");
  });

  test("what cannot be decided of another round is forgotten with it", () => {
    const about = matter({ seen: { phase: "settled" }, pending: { found: "extra-cards" } });
    const draft = { ...begun(about), ruling: "void" as const };
    expect(moved(draft, about, 8)).toMatchObject({ round: 8, ruling: "continue", shoe: "keep" });
    expect(moved(moved(draft, about, 8), about, 7)).toMatchObject({ round: 7, ruling: "continue" });
  });
});

describe("what the form writes", () => {
  test("is nothing until it is said what becomes of the round", () => {
    const about = matter();
    expect(missing(begun(about), about, optionsOf(about, 7))).toBe("ruling");
    expect(written(about, {})).toBeNull();
  });

  test("names the matter and the round, and no part that is not said", () => {
    expect(written(matter(), { ruling: "continue" })).toEqual({ do: "rule", matter: 3, round: 7, ruling: "continue" });
  });

  test("wagers that go back make it a return; all others keep their own part", () => {
    const wagers: Draft["wagers"] = { 1: { fate: "part", amount: "20" }, 2: { fate: "back", amount: "" } };
    expect(written(matter(), { ruling: "continue", wagers })).toMatchObject({
      ruling: "return",
      wagers: [2],
      parts: [{ number: 1, cents: 2_000 }],
    });
    const order = ["2h", "4s", "5d", "Kc"];
    expect(written(matter(), { ruling: "order", order, wagers })).toMatchObject({ ruling: "order", wagers: [2] });
  });

  test("a wager is paid at a line, or loses", () => {
    const wagers: Draft["wagers"] = { 1: { fate: "lose", amount: "" }, 2: { fate: "win 8 to 1", amount: "" } };
    expect(written(matter(), { ruling: "continue", wagers })).toEqual({
      do: "rule",
      matter: 3,
      round: 7,
      ruling: "continue",
      results: [
        { number: 1, result: "lose" },
        { number: 2, result: "win", pays: "8 to 1" },
      ],
    });
  });

  test("a wager pushes where a line of its pay table does", () => {
    const push = { odds: "push", when: { en: "tie", zh: "和" }, clause: "B8 3.15.1" };
    expect(canPush(wager("Player", { pays: [push] }))).toBe(true);
    expect(canPush(wager("Tie", { pays: [{ ...push, odds: "8 to 1" }] }))).toBe(false);
    const wagers: Draft["wagers"] = { 1: { fate: "push", amount: "" } };
    expect(written(matter(), { ruling: "continue", wagers })).toMatchObject({
      results: [{ number: 1, result: "push" }],
    });
  });

  test("any card can be burnt by its name, but not out of a shoe that the floor holds", () => {
    expect(written(matter(), { ruling: "continue", burnNamed: ["7c", "7c"] })).toMatchObject({ burn: "7c 7c" });
    const held = matter({ seen: { info: info({ virtual: true }) } });
    expect(written(held, { ruling: "continue", burnNamed: ["7c"] })).not.toHaveProperty("burn");
  });

  test("no result is stated while wagers can change", () => {
    const wagers: Draft["wagers"] = { 1: { fate: "lose", amount: "" }, 2: { fate: "back", amount: "" } };
    const open: Said[] = [{ seen: { phase: "bets-open" } }, { seen: { heavier: "player" } }];
    for (const said of open) {
      expect(written(matter(said), { ruling: "continue", wagers })).not.toHaveProperty("results");
      expect(written(matter(said), { ruling: "continue", wagers })).toHaveProperty("wagers", [2]);
    }
    expect(written(matter(), { ruling: "continue", wagers, reopen: true })).not.toHaveProperty("results");
  });

  test("a void says nothing of wagers, bets or an order, whatever was filled in before", () => {
    const before: Partial<Draft> = { wagers: { 1: { fate: "back", amount: "" } }, reopen: true, order: ["4s"] };
    expect(written(matter(), { ...before, ruling: "void" })).toEqual({
      do: "rule",
      matter: 3,
      round: 7,
      ruling: "void",
    });
  });

  test.each(["", "0", "50", "50.01", "much", "-1"])("%j of 50.00 is no part", (typed) => {
    expect(partOf(typed, 5_000)).toBeNull();
    expect(written(matter(), { ruling: "continue", wagers: { 1: { fate: "part", amount: typed } } })).toBeNull();
  });

  test("an order has at least the cards of the round", () => {
    const about = matter();
    const draft = { ...begun(about), ruling: "order" as const, order: ["2h", "4s", "5d"] };
    expect(missing(draft, about, optionsOf(about, 7))).toBe("order");
    expect(written(about, { ruling: "order", order: ["2h", "4s", "5d", "Kc"] })).toMatchObject({
      order: "2h 4s 5d Kc",
    });
  });

  test("bets reopen unless the cards are put in order", () => {
    expect(written(matter(), { ruling: "continue", reopen: true })).toMatchObject({ reopen: true });
    const order = ["2h", "4s", "5d", "Kc"];
    expect(written(matter(), { ruling: "order", order, reopen: true })).not.toHaveProperty("reopen");
  });

  test("a number of cards is a number", () => {
    const about = matter();
    const draft = { ...begun(about), ruling: "continue" as const, burnNext: "two" };
    expect(missing(draft, about, optionsOf(about, 7))).toBe("burn");
    expect(written(about, { ruling: "continue", burnNext: "2" })).toMatchObject({ burn_next: 2 });
    expect(written(about, { ruling: "continue", burnNext: "0" })).not.toHaveProperty("burn_next");
    expect(written(about, { ruling: "continue", shoe: "keep", counted: "x" })).toBeNull();
    expect(written(about, { ruling: "continue", shoe: "keep" })).toMatchObject({ shoe: "keep" });
  });

  test("another method only where there is one to choose", () => {
    const seen = { info: info({ methods: ["A", "B", "C"] }), method: "C" as const };
    expect(written(matter({ seen }), { ruling: "continue", method: "A" })).toMatchObject({ method: "A" });
    expect(written(matter(), { ruling: "continue", method: "A" })).not.toHaveProperty("method");
  });
});

describe("a card that was seen", () => {
  const barred = (...cards: string[]) => ({ seen: cards.map((card) => ({ card, barred: true })) });
  const between: Said = {
    seen: { phase: "settled" },
    pending: barred("8d", "7c", "?"),
    staff: { surplus: ["8d", "?"] },
  };

  test("is burnt before bets close, unless it is played; one that nobody named the table burns by itself", () => {
    const about = matter(between);
    expect(cardFates(begun(about), about, optionsOf(about, 7))).toEqual(["burnt", "burnt", "burnt"]);
    expect(written(about, { ruling: "continue" })).toMatchObject({ burn: "8d 7c" });
    const played = written(about, { ruling: "continue", cards: { 1: "played", 2: "played" } });
    expect(played).toMatchObject({ burn: "8d", play: "7c ?" });
  });

  test("is played where that was decided before, unless it is burnt now", () => {
    const about = matter({ ...between, pending: { seen: [{ card: "8d", barred: false }] } });
    expect(written(about, { ruling: "continue" })).toMatchObject({ play: "8d" });
    expect(written(about, { ruling: "continue", cards: { 0: "burnt" } })).toMatchObject({ burn: "8d" });
  });

  test("comes in its turn once bets are closed, unless it is burnt", () => {
    const about = matter({ pending: between.pending });
    expect(cardFates(begun(about), about, optionsOf(about, 7))).toEqual(["turn", "turn", "turn"]);
    expect(written(about, { ruling: "continue" })).not.toHaveProperty("burn");
    expect(written(about, { ruling: "continue", cards: { 0: "burnt" } })).toMatchObject({ burn: "8d" });
  });

  test("is burnt where bets reopen, or wagers are still removed from the heavier hand", () => {
    const about = matter({ pending: between.pending });
    expect(written(about, { ruling: "continue", reopen: true, cards: { 0: "turn" } })).toMatchObject({ burn: "8d 7c" });
    const heavy = matter({ pending: between.pending, seen: { heavier: "player" } });
    expect(written(heavy, { ruling: "continue" })).toMatchObject({ burn: "8d 7c" });
  });

  test("is burnt while bets are open, though the shoe is replaced after the round", () => {
    const about = matter({ seen: { phase: "bets-open" }, pending: barred("8d") });
    expect(written(about, { ruling: "continue", shoe: "replace" })).toMatchObject({ burn: "8d", shoe: "replace" });
  });

  test("goes out with the shoe that is replaced before bets open, and is not spoken of", () => {
    const about = matter(between);
    const draft: Draft = { ...begun(about), ruling: "continue", shoe: "replace" };
    expect(saysCards(draft, optionsOf(about, 7))).toBe(false);
    const plain = { do: "rule", matter: 3, round: 7, ruling: "continue", shoe: "replace" };
    expect(decided(draft, about, optionsOf(about, 7))).toEqual(plain);
  });

  test("can be put in order, and is then played; one that is burnt cannot", () => {
    const about = matter({ ...between, pending: barred("8d", "8d"), staff: { surplus: ["8d", "8d"] } });
    const options = optionsOf(about, 7);
    const draft: Draft = { ...begun(about), ruling: "order", order: ["4s", "2h", "5d", "Kc", "8d"] };
    expect(orderable(draft, about, options)).toEqual(["4s", "2h", "5d", "Kc", "8d", "8d"]);
    expect(cardFates(draft, about, options)).toEqual(["played", "burnt"]);
    expect(decided(draft, about, options)).toMatchObject({ order: "4s 2h 5d Kc 8d", play: "8d", burn: "8d" });
    expect(orderable({ ...draft, cards: { 0: "burnt" } }, about, options)).toEqual(["4s", "2h", "5d", "Kc", "8d"]);
  });

  test("lies face down among the others as a question mark", () => {
    const about = matter({ seen: { cards: [["player", ""]] }, staff: { surplus: ["?"] } });
    expect(orderable(begun(about), about, optionsOf(about, 7))).toEqual(["?", "?"]);
  });
});

test("a wager is paid at each line of its own once, and never at a push", () => {
  const when = (text: string) => ({ en: text, zh: text });
  const pays = [
    { odds: "1 to 1", when: when("a natural wins"), clause: "" },
    { odds: "30 to 1", when: when("by nine"), clause: "" },
    { odds: "1 to 1", when: when("by four"), clause: "" },
    { odds: "push", when: when("a natural ties"), clause: "" },
  ];
  expect(linesOf({ ...wager("Tie"), pays })).toEqual([
    { odds: "1 to 1", when: [when("a natural wins"), when("by four")] },
    { odds: "30 to 1", when: [when("by nine")] },
  ]);
  expect([figuresOf("0.95 to 1"), figuresOf("push")]).toEqual([
    { wins: "0.95", per: "1" },
    { wins: "", per: "" },
  ]);
});
