import { afterEach, describe, expect, test } from "vitest";
import { info, shoe, staff, table, welcome } from "../../../tests/states";
import { language } from "../../lib/words";
import { floor } from "../../live";
import type { Next, Position, StaffHand, StaffState, TableState } from "../../wire";
import { handler, nextStep, type Step } from "./next";
import "./words";

const hand = (said: Partial<StaffHand>): StaffHand => ({
  offered: "",
  refused: [],
  holder: "",
  designee: "",
  wanted: false,
  ...said,
});
const four: TableState["cards"] = [
  ["player", "9s"],
  ["banker", "2h"],
  ["player", "Kd"],
  ["banker", "4c"],
];

/** A step that the floor calls for; what it does not name is not needed. */
type Called = Pick<Next, "do"> & Partial<Next>;

function step(
  called: Called | null,
  state: Partial<TableState> = {},
  at: Partial<StaffState> = {},
  named: string[] = [],
): Step {
  return nextStep(
    table({ info: info({ terminals: false, virtual: false }), ...state }),
    staff({ next: called && { side: null, patron: "", needs_cards: 0, ...called }, ...at }),
    named,
  );
}

afterEach(() => {
  floor.welcome = null;
});

describe("acts that need nothing", () => {
  test.each([
    "load-shoe",
    "end-shoe",
    "close-contributions",
    "open-bets",
    "close-bets",
    "settle",
    "call-time",
  ] as const)("%s is given as it is", (act) => {
    const { label, act: given, needs, other } = step({ do: act });
    expect([given, needs, other]).toEqual([{ do: act }, 0, null]);
    expect(label).not.toMatch(/^dealer\.|^$/);
  });

  test("what the rulebook has the Dealer say is there to be read", () => {
    expect(step({ do: "open-bets" }).spoken).toBe("Place your bets, please");
    expect(step({ do: "close-bets" }).spoken).toBe("No more bets");
    language.show("zh");
    expect(step({ do: "open-bets" }).spoken).toBe("请下注");
  });
});

describe("waiting", () => {
  test("a closed table is opened by the pit", () => {
    const { label, act, hint } = step(null, { phase: "closed" });
    expect([label, act, hint]).toEqual(["The pit opens the table", null, ""]);
  });

  test("while a decision is awaited there is nothing to do", () => {
    const { act, other, hint } = step(null, { phase: "drawing" });
    expect([act, other, hint]).toEqual([null, null, "A decision is awaited"]);
  });

  test("an act that this console does not know is left to others", () => {
    expect(step({ do: "of-tomorrow" }).act).toBeNull();
  });

  test("one hand is too heavy: patrons are asked to decrease, and the amount is said", () => {
    floor.welcome = welcome({ currency: "S$" });
    const pending = {
      what: "balance",
      excess_cents: 12_300,
      clauses: ["B8 5.18.1", "B8 5.18.2"],
    } as StaffState["pending"];
    const { act, opens, hint, spoken } = step(null, { heavier: "banker" }, { pending });
    expect([act, opens, hint]).toEqual([null, "wager", "B8 5.18.1"]);
    expect(spoken).toMatch(/^Banker.*S\$123\.00/);
  });
});

describe("announcing", () => {
  test("after four cards the totals are said", () => {
    const { label, spoken, act } = step({ do: "announce" }, { cards: four, totals: [9, 6] });
    expect([label, spoken, act]).toEqual(["Announce", "Player 9, Banker 6", { do: "announce" }]);
  });

  test.each([
    [[7, 6], "Player wins, 7 to 6"],
    [[2, 6], "Banker wins, 6 to 2"],
    [[0, 0], "Tie at 0"],
  ] as const)("after more, the outcome of %j is said", ([player, banker], said) => {
    const { label, spoken } = step(
      { do: "announce" },
      { cards: [...four, ["player", "2s"]], totals: [player, banker] },
    );
    expect([label, spoken]).toEqual(["Announce the outcome", said]);
  });

  test("totals that nobody can see are not said", () => {
    expect(step({ do: "announce" }, { cards: four, totals: [null, 6] }).spoken).toBe("");
  });
});

describe("drawing a card", () => {
  const draw: Called = { do: "draw-card" };

  test("from a virtual shoe the card comes by itself", () => {
    const { act, needs, label } = step(draw, { info: info({ virtual: true }), due: "player" });
    expect([act, needs, label]).toEqual([{ do: "draw-card" }, 0, "Card for Player"]);
  });

  test("from a device it must be named first", () => {
    const before = step(draw, { due: "banker" });
    expect([before.act, before.needs, before.hint]).toEqual([null, 1, "Scan or enter the card"]);
    const after = step(draw, { due: "banker" }, {}, ["Td"]);
    expect([after.act, after.label]).toEqual([{ do: "draw-card", card: "Td" }, "Ten of diamonds for Banker"]);
  });

  test("a card that was drawn before and set aside comes by itself, and is shown", () => {
    const { act, hint } = step(draw, { due: "player" }, { surplus: ["Td", "2s"] });
    expect(act).toEqual({ do: "draw-card" });
    expect(hint).toMatch(/^Ten of diamonds/);
  });

  test("the fifth and the sixth card are third cards, and are called out", () => {
    expect(step(draw, { due: "player", cards: four.slice(0, 3) }).spoken).toBe("");
    const third = step(draw, { due: "player", cards: four });
    expect([third.label, third.spoken]).toEqual(["Third card for Player", "Card for Player"]);
  });

  test("where Player begins with a seven, the fourth card is a third card", () => {
    const game = info({ virtual: true, permanent_7: true });
    const three: TableState["cards"] = [
      ["banker", "9s"],
      ["player", "2h"],
      ["banker", "Kd"],
    ];
    expect(step(draw, { info: game, due: "banker", cards: three.slice(0, 2) }).label).toBe("Card for Banker");
    expect(step(draw, { info: game, due: "banker", cards: three }).label).toBe("Third card for Banker");
  });

  test.each([
    ["A", {}, true],
    ["C", {}, true],
    ["B", {}, false],
    [null, {}, false],
    ["B", { player: hand({ holder: "ann" }) }, true],
  ] as const)("by method %j with hands %j a card may come unread: %s", (method, hands, unread) => {
    expect(step(draw, { due: "player", method }, { hands }).unread).toBe(unread);
  });

  test("a card that was drawn before and that nobody has seen has no name to show", () => {
    const device = step(draw, { due: "player" }, { surplus: ["?"] });
    expect([device.act, device.hint]).toEqual([{ do: "draw-card" }, "A card that was drawn before comes now"]);
    // Where the device has not read it either, it is named as it is laid open; face down it needs no name.
    const unread = info({ terminals: false, virtual: false, reads: false });
    expect(step(draw, { info: unread, due: "player", method: "B" }, { surplus: ["?"] })).toMatchObject({
      act: null,
      needs: 1,
    });
    expect(step(draw, { info: unread, due: "player", method: "A" }, { surplus: ["?"] }).act).toEqual({
      do: "draw-card",
    });
  });

  test("where a patron draws, the Dealer waits, or says that nobody is there", () => {
    const { act, label, other, side } = step(
      { do: "report-absence" },
      { due: "banker", method: "C" },
      { device: "ann" },
    );
    expect([act, label, side]).toEqual([null, "ann draws", "banker"]);
    expect(other).toEqual({ label: "ann is absent", act: { do: "report-absence" } });
  });

  test("by Method C without anybody at the device it is referred", () => {
    const { act, label, hint } = step({ do: "refer" }, { due: "player", method: "C" });
    expect(act).toEqual({ do: "refer", matter: "Nobody controls the device" });
    expect(label).toMatch(/^Refer/);
    expect(hint).toMatch(/may still take the device/);
  });
});

describe("showing a hand", () => {
  const expose: Called = { do: "expose-cards", side: "player", needs_cards: 0 };

  test("that the device has read is one act", () => {
    expect(step(expose).act).toEqual({ do: "expose-cards", side: "player", patron: "", cards: "" });
  });

  test("that nobody has read waits until all its cards are named, and takes no more than those", () => {
    const unread = { ...expose, needs_cards: 2 };
    const one = step(unread, {}, {}, ["9s"]);
    expect([one.act, one.needs, one.hint]).toEqual([null, 2, "Name the cards as they are shown: 1 more"]);
    const both = step(unread, {}, {}, ["9s", "Kd", "2c"]);
    expect([both.act, both.hint]).toEqual([{ do: "expose-cards", side: "player", patron: "", cards: "9s Kd" }, ""]);
  });

  test("by Method C is shown by who has the device, and in the end by the Dealer", () => {
    const { label, act, other } = step(expose, { method: "C" }, { device: "ann" });
    expect([label, act]).toEqual([
      "ann shows Player",
      { do: "expose-cards", side: "player", patron: "ann", cards: "" },
    ]);
    expect(other).toEqual({
      label: "Expose Player",
      act: { do: "expose-cards", side: "player", patron: "", cards: "" },
    });
    expect(step(expose, { method: "B" }, { device: "ann" }).other).toBeNull();
  });

  test("by Method C waits for names whoever shows it", () => {
    const { act, other } = step({ ...expose, needs_cards: 2 }, { method: "C" }, { device: "ann" }, ["9s"]);
    expect([act, other]).toEqual([null, null]);
  });

  test("that a patron holds is shown by the patron, who may be absent", () => {
    const absent: Called = { do: "report-absence", side: "banker" };
    const { act, label, other } = step(absent, { cards: four }, { hands: { banker: hand({ holder: "ann" }) } });
    expect([label, act]).toEqual([
      "ann shows Banker",
      { do: "expose-cards", side: "banker", patron: "ann", cards: "" },
    ]);
    expect(other).toEqual({ label: "ann is absent", act: { do: "report-absence", side: "banker" } });
  });

  test("that a patron holds and nobody has read needs the names of the cards that lie face down", () => {
    const cards: TableState["cards"] = [
      ["player", "9s"],
      ["banker", ""],
      ["player", "Kd"],
      ["banker", ""],
    ];
    const absent: Called = { do: "report-absence", side: "banker", patron: "ann" };
    expect(step(absent, { cards }, { unread: 2 }, ["2h"])).toMatchObject({ needs: 2, act: null });
    expect(step(absent, { cards }, { unread: 2 }, ["2h", "4c"]).act).toEqual({
      do: "expose-cards",
      side: "banker",
      patron: "ann",
      cards: "2h 4c",
    });
    expect(step(absent, { cards }, { unread: 0 }).needs).toBe(0);
  });

  test("is turned by who is named in the patron's place", () => {
    const hands = { player: hand({ holder: "ann", designee: "bob" }), banker: hand({ holder: "cat" }) };
    expect([
      handler(staff({ hands }), "player"),
      handler(staff({ hands }), "banker"),
      handler(staff(), "player"),
    ]).toEqual(["bob", "cat", ""]);
  });
});

describe("a shoe that may be replaced", () => {
  const ending: Called = { do: "end-shoe" };

  test("is replaced, or kept by a Pit Manager and nobody below", () => {
    const { label, act, hint, other } = step(ending, {}, { shoe_proposed: true });
    expect([label, act, other]).toEqual(["Replace the cards", { do: "end-shoe" }, null]);
    expect(hint).toBe("Replacing the cards is proposed");
    for (const position of ["dealer", "pit-supervisor"]) {
      floor.welcome = welcome({ staff: "dan", position });
      expect(step(ending, {}, { shoe_proposed: true }).other).toBeNull();
    }
    const keep = { label: "Keep the cards", act: null, opens: "shoe" };
    for (const position of ["pit-manager", "gaming-shift-manager"]) {
      floor.welcome = welcome({ staff: "mia", position });
      expect(step(ending, {}, { shoe_proposed: true }).other).toEqual(keep);
    }
    // A position that the table's ranks do not name is not above anybody there.
    floor.welcome = welcome({ staff: "cas", position: "casino-director" });
    expect(step(ending, {}, { shoe_proposed: true }).other).toBeNull();
    const ranks: Position[] = ["dealer", "pit-manager", "casino-director"];
    expect(step(ending, { info: info({ ranks }) }, { shoe_proposed: true }).other).toEqual(keep);
  });

  test("says when what it holds is in doubt", () => {
    expect(step(ending, {}, { shoe_proposed: true, shoe_in_doubt: true }).hint).toMatch(/in doubt$/);
  });

  test("is replaced before its first bets where a contribution is withheld", () => {
    const waiting = step(ending, { shoe: shoe({ closed: "ab", contributors: 3, unrevealed: 2 }) });
    expect([waiting.label, waiting.hint]).toEqual(["Replace the cards", expect.stringMatching(/revealed: 2\./)]);
    expect(step(ending, { shoe: shoe({ closed: "ab", contributors: 3 }) }).hint).toMatch(/beacon/);
  });

  test("is kept by nobody once it must be replaced", () => {
    floor.welcome = welcome({ staff: "mia", position: "pit-manager" });
    const { label, other } = step(ending, {}, { shoe_proposed: true, shoe_spent: true });
    expect([label, other]).toEqual(["End the shoe", null]);
  });
});

describe("choices", () => {
  test("which hand comes first is the Dealer's to say, and either is as good", () => {
    const { act, other, equal } = step({ do: "choose-first" });
    expect([act, other?.act, equal]).toEqual([
      { do: "choose-first", side: "player" },
      { do: "choose-first", side: "banker" },
      true,
    ]);
  });

  test("who is offered cards takes or refuses them", () => {
    const { act, other, spoken } = step({ do: "refuse-cards", side: "banker", patron: "ann" });
    expect(act).toEqual({ do: "accept-cards", side: "banker", patron: "ann" });
    expect(other?.act).toEqual({ do: "refuse-cards", side: "banker", patron: "ann" });
    expect(spoken).toBe("Banker's cards to ann");
  });
});
