import { describe, expect, test, vi } from "vitest";
import { shoeCases, type ShoeCase } from "../../../tests/shoetexts";
import { keepSeen, type SeenShoe } from "../../lib/shoes";
import "./words";
import { check, type Check } from "./checks";
import { closingDigest } from "./order";
import { BadText, readShoe } from "./shoetext";

const CASES = shoeCases();

/** What the page finds: the checks, or the line with which it refuses the text. */
function found(text: string): Check[] | string {
  try {
    return check(readShoe(text));
  } catch (error) {
    if (error instanceof BadText) return error.said();
    throw error;
  }
}

const isRight = (checks: Check[] | string): boolean =>
  typeof checks !== "string" && checks.every((each) => each.result !== "wrong");

const seen = new Map<string, Check[] | string>();

/** What the page finds in one of the texts, worked out once. */
function verdict({ text }: ShoeCase): Check[] | string {
  const checks = seen.get(text) ?? found(text);
  seen.set(text, checks);
  return checks;
}

/** What both say of each text that they do not agree on. */
function disagreements(cases: ShoeCase[], agrees: (each: ShoeCase, checks: Check[] | string) => boolean): unknown[] {
  const all: unknown[] = [];
  for (const each of cases) {
    const checks = verdict(each);
    if (agrees(each, checks)) continue;
    const said =
      typeof checks === "string"
        ? checks
        : checks.filter(({ result }) => result === "wrong").map(({ said, line }) => `${line}: ${said()}`);
    all.push({
      name: each.name,
      text: each.text.slice(0, 600),
      command: { reads: each.reads, right: each.right, lines: each.lines },
      page: said,
    });
  }
  return all;
}

describe("the page and the command", () => {
  test("the texts are of every kind", () => {
    const count = (of: (each: ShoeCase) => boolean): number => CASES.filter(of).length;
    expect(count((each) => each.right)).toBeGreaterThan(200);
    expect(count((each) => each.reads && !each.right)).toBeGreaterThan(400);
    expect(count((each) => !each.reads)).toBeGreaterThan(500);
    expect(count((each) => each.declared)).toBeGreaterThan(50);
    expect(count((each) => !each.paid)).toBeGreaterThan(10);
  });

  test("agree on whether a text is right, on every text", () => {
    const judged = CASES.filter((each) => !each.declared);
    expect(disagreements(judged, (each, checks) => isRight(checks) === each.right)).toEqual([]);
  });

  test("agree on a shoe that brings rules of its own, as far as the page can judge", () => {
    const declared = CASES.filter((each) => each.declared);
    expect(disagreements(declared, (each, checks) => isRight(checks) || !each.right)).toEqual([]);
  });

  test("a text that the command cannot read is refused by the page, which names the same line or a card before it", () => {
    const unread = CASES.filter((each) => !each.reads && each.text.trim());
    // The page reads cards as it goes; the command does when all lines read.
    const names = ({ lines: [at = 0] }: ShoeCase, said: Check[] | string): boolean => {
      if (typeof said !== "string") return false;
      const line = Number(/^line (\d+):/.exec(said)?.[1]);
      return line === at || (line < at && said.includes("is no card"));
    };
    expect(disagreements(unread, names)).toEqual([]);
  });

  test("what the page finds wrong with a round, the command finds wrong in the same line", () => {
    const judged = CASES.filter((each) => each.reads && !each.right && !each.declared);
    const agrees = ({ lines }: ShoeCase, checks: Check[] | string): boolean =>
      typeof checks === "string" ||
      checks.every(
        ({ name, result, line }) =>
          result !== "wrong" ||
          !["coups", "wagers", "dealt"].includes(name) ||
          lines.includes(line ?? 0) ||
          lines[0] === 1,
      );
    expect(disagreements(judged, agrees)).toEqual([]);
  });
});

describe("what is said of a fault", () => {
  test.each([
    ["two cards changed places", "dealt", /^Card \d+ of the shoe is \w+ of \w+, but \w+ of \w+ was dealt$/],
    ["other salt", "commitment", /another seal: [0-9a-f]{16}…/],
    ["a card is gone", "decks", /comes 3 times: expected 4/],
    ["cut beyond the end", "cut", /does not fit 208 cards/],
  ])("%s: it is named", (damage, name, said) => {
    const { text } = CASES.find((each) => each.name === `baccarat, ${damage}`)!;
    const checks = found(text);
    expect(typeof checks === "string" ? checks : checks.find((each) => each.name === name)?.said()).toMatch(said);
  });
});

describe("what is said of who chose the order", () => {
  const said = (name: string, change: (text: string) => string = (text) => text): string => {
    const checks = found(change(CASES.find((each) => each.name === name)!.text));
    return typeof checks === "string" ? checks : checks.find((each) => each.name === "contributions")!.said();
  };

  test("nobody, where patrons or a beacon contributed; and how many shoes were given up before", () => {
    expect(said("two patrons")).toBe("Nobody, if the floor or one of the patrons who contributed (2) was honest.");
    expect(said("a beacon")).toMatch(
      /^Nobody, .* contributed \(2\) was honest, or .* beacon our-own .* clock was right\.$/,
    );
    expect(said("two patrons after two shoes")).toMatch(/given up just before: 2\. .* at most 3 orders\.$/);
  });

  test("the floor alone, by the first protocol", () => {
    expect(said("tiger, sealed")).toMatch(/the floor alone/);
  });

  const seeing = (
    name: string,
    seen: (own: string) => Omit<SeenShoe, "shoe">,
    change: (text: string) => string = (text) => text,
  ): string => {
    const { text } = CASES.find((each) => each.name === name)!;
    const own = /^contribution ann \/ (\w+)/m.exec(text)![1]!;
    keepSeen(/^commitment (\w+)$/m.exec(text)![1]!, seen(own));
    const found = said(name, change);
    localStorage.clear();
    return found;
  };

  /** The text of a shoe on which no bets opened, as ann had revealed nothing. */
  const abandoned = (text: string): string =>
    text
      .split("\n")
      .filter((line) => !/^(first-bets|\d)/.test(line))
      .map((line) => (line.startsWith("protocol") ? `${line}\nended unrevealed` : line))
      .map((line) => (line.startsWith("contribution ann") ? line.replace(/ \/ \w+$/, "") : line))
      .join("\n");

  test("a text that denies what this browser saw and did is wrong", () => {
    expect(seeing("two patrons", (offered) => ({ offered, taken: true }))).toMatch(/^Nobody/);
    expect(seeing("two patrons", () => ({ offered: "00", taken: true }))).toMatch(/leaves that out$/);
    expect(seeing("two patrons", () => ({ closed: "00", round: 0 }))).toMatch(/saw other commitments/);
    const denied = seeing("two patrons", (offered) => ({ offered, taken: true, revealed: true }), abandoned);
    expect(denied).toBe("This browser sent its secret to the floor, and the text says that it revealed nothing");
    expect(seeing("two patrons", (offered) => ({ offered, taken: true }), abandoned)).toMatch(
      /^No bets opened .* \(1\): ann\.$/,
    );
  });

  test("a browser whose contribution was not taken is told so", () => {
    expect(seeing("two patrons", () => ({ offered: "00" }))).toMatch(/the floor did not take it/);
  });

  test("a beacon's value that was public before the close is told by the clock of this browser", () => {
    const { text } = CASES.find((each) => each.name === "a beacon")!;
    const round = Number(/^beacon-round (\d+)$/m.exec(text)![1]);
    const [genesis, period] = /^beacon \S+ \S+ (\d+) (\d+)$/m.exec(text)!.slice(1).map(Number);
    const out_ms = 1000 * (genesis! + (round - 1) * period!);
    const shoe = readShoe(text);
    const kept = { closed: closingDigest(shoe), round };
    expect(seeing("a beacon", () => ({ ...kept, at_ms: out_ms - 1_000 }))).not.toMatch(/By the clock/);
    expect(seeing("a beacon", () => ({ ...kept, at_ms: out_ms + 60_000 }))).toMatch(/our-own was public before/);
  });
});

describe("what is said of the cut, and of the rules", () => {
  const sealed = CASES.find((each) => each.name === "tiger, sealed")!.text;
  const [at, bets] = ["2026-11-17 20:00:01.250+08:00", "2026-11-17 20:00:06.000+08:00"];
  const said = (text: string, name: string): string => {
    const checks = found(text);
    return typeof checks === "string" ? checks : checks.find((each) => each.name === name)!.said();
  };

  test("when the shoe was cut, before its first bets or before any", () => {
    const timed = sealed.replace("cut 33\n", `cut 33\ncut-at ${at}\n`);
    expect(said(timed, "cut")).toMatch(/Cut at 2026-11-17 20:00:01\.250, before any bets$/);
    const both = timed.replace(`${at}\n`, `${at}\nfirst-bets ${bets}\n`);
    expect(said(both, "cut")).toMatch(/before the first bets opened at 2026-11-17 20:00:06\.000$/);
    expect(isRight(found(both))).toBe(true);
    expect(said(both.replace(at, bets).replace(`first-bets ${bets}`, `first-bets ${at}`), "cut")).toBe(
      `Cut at ${bets}, after the first bets had opened at ${at}`,
    );
  });

  test("an older text does not say when", () => {
    expect(said(sealed, "cut")).toMatch(/When it was cut is not in the text$/);
  });

  test("virtual cards are demonstration rules where the rulebook has a dealing device, and only there", () => {
    const dealt = CASES.find((each) => each.name === "baccarat, sealed")!.text;
    expect(said(dealt, "game")).toMatch(/Demonstration rules/);
    expect(said(sealed, "game")).not.toMatch(/emonstration/);
    expect(said(sealed.replace("decks 4", "demonstration rules\ndecks 4"), "game")).toMatch(/no demonstration/);
  });
});

describe("what is not there", () => {
  const plain = "punto shoe 1\ngame baccarat\n\n1 2s 4h Kd 5c = 2-9 B\n";
  const resultOf = (checks: Check[] | string, name: string): string =>
    typeof checks === "string" ? checks : (checks.find((each) => each.name === name)?.result ?? "");

  test("a shoe without an order has its rounds checked, and nothing said of its seal", () => {
    const checks = found(plain);
    const results = ["commitment", "contributions", "decks", "cut", "dealt", "coups", "wagers"].map((name) =>
      resultOf(checks, name),
    );
    expect(results).toEqual(["absent", "absent", "absent", "absent", "absent", "right", "right"]);
  });

  test("a seal is worked out without a secure connection, too", () => {
    const sealed = CASES.find((each) => each.name === "baccarat, sealed");
    expect(sealed?.right).toBe(true);
    vi.stubGlobal("crypto", {});
    expect(resultOf(found(sealed!.text), "commitment")).toBe("right");
  });

  test("of rules that a shoe brings itself the page says that it does not judge by them", () => {
    const own = CASES.find((each) => each.name === "its own game");
    const checks = found(own!.text);
    expect(["game", "coups", "wagers"].map((name) => resultOf(checks, name))).toEqual(["absent", "absent", "absent"]);
  });
});
