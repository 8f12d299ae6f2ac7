// Where wagers lie, what is printed on them, which chips are offered, and which area is next to another.
import { beforeEach, describe, expect, test } from "vitest";
import { fc } from "../../../tests/chance";
import { info, wager } from "../../../tests/states";
import { language } from "../../lib/words";
import { GAMES } from "../verify/catalogue";
import { arrange, hueOf, type Placed } from "./areas";
import { chipsOf, MOST_CHIPS } from "./denominations";
import { neighbour, type Way } from "./neighbour";
import { pays, printed, short, spoken } from "./odds";
import "./words";

const names = (placed: Placed[]): string[] => placed.map((each) => each.wager.name);
const spans = (placed: Placed[]): number[] => placed.map((each) => each.span);

/** Whether areas laid from left to right fill row after row of six columns. */
function fills(placed: Placed[]): boolean {
  let left = 0;
  for (const { span } of placed) {
    left += span;
    if (left > 6) return false;
    if (left === 6) left = 0;
  }
  return left === 0;
}

describe("the layout", () => {
  test.each(GAMES.map((game) => [game.key, Object.keys(game.wagers)] as const))(
    "of %s has every wager once, in full rows",
    (_, wagers) => {
      const { mains, sides } = arrange(wagers.map((name) => wager(name)));
      expect(names([...mains, ...sides]).toSorted()).toEqual([...wagers].sort());
      expect(fills(mains)).toBe(true);
      expect(fills(sides)).toBe(true);
    },
  );

  test("has the hands below, and pairs and the tie above them", () => {
    const { mains, pairs } = arrange(
      ["Player", "Banker", "Tie", "Player Pair", "Banker Pair"].map((name) => wager(name)),
    );
    expect(names(mains)).toEqual(["Player Pair", "Tie", "Banker Pair", "Player", "Banker"]);
    expect(spans(mains)).toEqual([2, 2, 2, 3, 3]);
    expect(pairs).toBe(true);
  });

  test("has the tie between the hands where there are no pairs", () => {
    const { mains, pairs } = arrange(["Banker", "Tie", "Player", "Tiger"].map((name) => wager(name)));
    expect(names(mains)).toEqual(["Player", "Tie", "Banker"]);
    expect(pairs).toBe(false);
  });

  test("has wagers of a hand on that hand's side", () => {
    const wagers = ["Player", "Banker", "Banker Dragon Bonus", "Player Dragon Bonus", "Fortune Six"].map((name) =>
      wager(name),
    );
    const { sides } = arrange(wagers);
    expect(names(sides)).toEqual(["Fortune Six", "Player Dragon Bonus", "Banker Dragon Bonus"]);
    expect(spans(sides)).toEqual([6, 3, 3]);
  });

  test.each([1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11])("has %d other wagers in rows of three and two", (count) => {
    const { sides } = arrange(Array.from({ length: count }, (_, at) => wager(`Side ${at}`)));
    expect(fills(sides)).toBe(true);
    expect(new Set(spans(sides))).toEqual(
      new Set(spans(sides).filter((span) => span === 2 || span === 3 || count === 1)),
    );
  });

  test("colours a wager by whose it is", () => {
    expect(
      ["Player", "Player Pair", "Banker", "Banker Dragon Bonus", "Tie", "Tiger Tie", "Super Six"].map(hueOf),
    ).toEqual(["player", "player", "banker", "banker", "tie", "plain", "plain"]);
  });
});

describe("what a wager pays", () => {
  const row = (
    odds: string,
    when = "it is so",
  ): { odds: string; when: { en: string; zh: string }; clause: string } => ({
    odds,
    when: { en: when, zh: `（${when}）` },
    clause: "",
  });
  // Banker without commission: half on a win with six, else even; a push on a tie.
  const banker = wager("Banker", { pays: [row("1 to 2", "Banker wins with 6"), row("1 to 1"), row("push", "tie")] });
  const tiger = wager("Tiger", { pays: [row("20 to 1", "three cards"), row("12 to 1", "two cards")] });
  const tie = wager("Tie", { pays: [row("8 to 1")] });
  const bonus = wager("Player Dragon Bonus", {
    pays: [row("push", "a natural tie"), row("1 to 1"), row("30 to 1"), row("10 to 1"), row("4 to 1")],
  });

  test("is short on the felt", () => {
    expect([short("12 to 1"), short("1 to 2"), short("0.95 to 1")]).toEqual(["12:1", "1:2", "0.95:1"]);
    expect(short("push")).not.toContain(":");
  });

  test("of a hand is its rule, with exceptions beside it; that it pushes on a tie everybody knows", () => {
    expect(printed(banker)).toEqual({ odds: "1:1", also: ["1:2"] });
  });

  test("of one row is that row, of two both, of more from the least to the most", () => {
    expect([printed(tie), printed(tiger), printed(bonus)]).toEqual([
      { odds: "8:1", also: [] },
      { odds: "12 / 20:1", also: [] },
      { odds: "1–30:1", also: [] },
    ]);
  });

  test("is nothing where a wager never pays", () => {
    expect(printed(wager("Tiger", { pays: [] }))).toEqual({ odds: "", also: [] });
  });

  test("is spoken in words, with every exception", () => {
    expect(spoken("12 to 1")).toBe("12 to 1");
    expect(pays(banker)).toMatch(/^1 to 1, .*Banker wins with 6.*1 to 2/);
    expect(pays(tiger)).toBe("12 to 1 or 20 to 1");
    expect(pays(bonus)).toMatch(/1 to 1 or 4 to 1 or 10 to 1 or 30 to 1, a natural tie/);
    language.show("zh");
    expect(pays(banker)).toContain("（Banker wins with 6）");
  });
});

describe("the chips of a table", () => {
  const limits = (min_cents: number, max_cents: number, unit_cents = 100): number[] =>
    chipsOf(info({ unit_cents, wagers: [wager("Player", { min_cents, max_cents })] }));

  test("are none below its least wager, and none above its most", () => {
    expect(limits(500, 50_000)).toEqual([5, 25, 100, 500]);
    expect(limits(10_000, 10_000_000)).toEqual([100, 500, 1_000, 5_000, 10_000, 100_000]);
  });

  test("fit its unit", () => {
    expect(limits(500, 100_000, 2_500)).toEqual([25, 100, 500, 1_000]);
    expect(limits(500, 100_000, 1_000)).toEqual([100, 500, 1_000]);
  });

  test("are few, smallest first, and there is one wherever one fits", () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 10_000 }), fc.integer({ min: 0, max: 10_000_000 }), (least, more) => {
        const chips = limits(least * 100, (least + more) * 100);
        expect(chips.length).toBeLessThanOrEqual(MOST_CHIPS);
        expect(chips.length).toBeGreaterThan(0);
        expect(chips).toEqual(chips.toSorted((a, b) => a - b));
      }),
    );
  });
});

describe("the area next to another", () => {
  // Three above two, and a wide one below, as on a layout.
  const RECTS: Record<string, [left: number, top: number, right: number, bottom: number]> = {
    "Player Pair": [0, 0, 198, 50],
    Tie: [200, 0, 398, 50],
    "Banker Pair": [400, 0, 600, 50],
    Player: [0, 52, 299, 150],
    Banker: [301, 52, 600, 150],
    "Super Six": [0, 152, 600, 200],
  };

  beforeEach(() => {
    document.body.innerHTML = `<section>${Object.keys(RECTS)
      .map((name) => `<button data-wager="${name}"></button>`)
      .join("")}</section><button data-wager="elsewhere"></button>`;
    for (const [name, [left, top, right, bottom]] of Object.entries(RECTS)) {
      area(name).getBoundingClientRect = () => ({ left, top, right, bottom }) as DOMRect;
    }
  });

  const area = (name: string): HTMLElement => document.querySelector<HTMLElement>(`[data-wager="${name}"]`)!;
  const from = (name: string, way: Way): string | undefined => neighbour(area(name), way)?.dataset.wager;

  test.each([
    ["Player Pair", "right", "Tie"],
    ["Tie", "right", "Banker Pair"],
    ["Banker Pair", "left", "Tie"],
    ["Player", "right", "Banker"],
    ["Banker", "left", "Player"],
    ["Player Pair", "down", "Player"],
    ["Banker Pair", "down", "Banker"],
    ["Player", "up", "Player Pair"],
    ["Banker", "up", "Banker Pair"],
    ["Player", "down", "Super Six"],
    ["Banker", "down", "Super Six"],
  ] as const)("from %s to the %s is %s", (name, way, next) => {
    expect(from(name, way)).toBe(next);
  });

  test.each([
    ["Player Pair", "left"],
    ["Banker Pair", "right"],
    ["Tie", "up"],
    ["Super Six", "down"],
  ] as const)("from %s to the %s is none", (name, way) => {
    expect(from(name, way)).toBeUndefined();
  });

  test("is there and back again along a row", () => {
    for (const name of ["Player Pair", "Tie", "Player"]) {
      const next = from(name, "right")!;
      expect(from(next, "left")).toBe(name);
    }
  });

  test("every area can be reached from every other", () => {
    const reached = new Set(["Tie"]);
    for (const name of reached) {
      for (const way of ["left", "right", "up", "down"] as const) {
        const next = from(name, way);
        if (next) reached.add(next);
      }
    }
    expect([...reached].sort()).toEqual(Object.keys(RECTS).sort());
  });
});
