// What a glance at the tables says: phases, tables at rest, limits on the wall, and the wall's language.
import { flushSync } from "svelte";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { wager } from "../../../tests/states";
import { effects, reactive } from "../../../tests/reactive.svelte";
import { language } from "../../lib/words";
import { signs } from "../display/limits";
import { speakAsAsked } from "../display/tongue";
import { phaseName, watchedPhase } from "./phases";
import { rest } from "./rest.svelte";

describe("phases", () => {
  test("have a name each, in both languages", () => {
    const phases = [
      "closed",
      "change-of-shoe",
      "idle",
      "bets-open",
      "bets-closed",
      "initial-deal",
      "drawing",
      "outcome",
      "settled",
      "void",
      "rest",
      "held-store",
      "held-record",
      "held-elsewhere",
    ];
    const english = phases.map(phaseName);
    expect(new Set(english).size).toBe(phases.length);
    expect(phaseName("bets-open")).toBe("Place your bets");
    language.show("zh");
    expect(phases.map(phaseName).filter((name, at) => name === english[at])).toEqual([]);
  });

  test("count for less than what holds a table up", () => {
    const wait = (what: string): { what: string } => ({ what });
    expect(watchedPhase({ phase: "bets-open", wait: null })).toBe("Place your bets");
    expect(watchedPhase({ phase: "change-of-shoe", wait: wait("record") })).toBe("Record stopped for a check");
    expect(watchedPhase({ phase: "closed", wait: wait("elsewhere") })).toBe("Run elsewhere");
    expect(watchedPhase({ phase: "drawing", wait: wait("decision") })).toBe(phaseName("drawing"));
  });

  test("that a page does not know are shown as they are", () => {
    expect(phaseName("of-tomorrow")).toBe("of-tomorrow");
  });
});

describe("a table rests", () => {
  let stop = (): void => undefined;
  beforeEach(() => vi.useFakeTimers());
  afterEach(() => {
    stop();
    vi.useRealTimers();
  });

  function seen(phase: string, patrons: number): { table: { phase: string; patrons: number }; rests: () => boolean } {
    const table = reactive({ phase, patrons });
    let rests!: { readonly rests: boolean };
    stop = effects(
      () =>
        (rests = rest(
          () => table.phase,
          () => table.patrons,
        )),
    );
    flushSync();
    return {
      table,
      rests: () => {
        flushSync();
        return rests.rests;
      },
    };
  }

  test("at once, where it stands still when it is first seen", () => {
    expect(seen("settled", 0).rests()).toBe(true);
  });

  test("not while somebody sits there or a round is played", () => {
    expect(seen("settled", 1).rests()).toBe(false);
    stop();
    expect(seen("drawing", 0).rests()).toBe(false);
  });

  test("a minute after its last round, unless something moves", () => {
    const { table, rests } = seen("bets-open", 0);
    table.phase = "settled";
    expect(rests()).toBe(false);
    vi.advanceTimersByTime(59_999);
    expect(rests()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(rests()).toBe(true);
    table.patrons = 1;
    expect(rests()).toBe(false);
    table.patrons = 0;
    vi.advanceTimersByTime(59_999);
    expect(rests()).toBe(false);
    table.phase = "bets-open";
    expect(rests()).toBe(false);
    vi.advanceTimersByTime(120_000);
    expect(rests()).toBe(false);
  });

  test("as soon as it is seen, where the page was not yet told of it", () => {
    const { table, rests } = seen("", 0);
    expect(rests()).toBe(false);
    vi.advanceTimersByTime(120_000);
    table.phase = "idle";
    expect(rests()).toBe(true);
  });
});

describe("the sign on the wall", () => {
  test("has wagers with the same limits together, in their order", () => {
    const [main, side] = [
      { min_cents: 5_000, max_cents: 500_000 },
      { min_cents: 500, max_cents: 50_000 },
    ];
    const wall = signs([
      wager("Player", main),
      wager("Banker", main),
      wager("Tie", side),
      wager("Banker Pair", side),
      wager("Super", { ...main, max_cents: 1 }),
    ]);
    expect(wall.map(({ min_cents, max_cents, wagers }) => [min_cents, max_cents, wagers.map(({ en }) => en)])).toEqual([
      [5_000, 500_000, ["Player", "Banker"]],
      [500, 50_000, ["Tie", "Banker Pair"]],
      [5_000, 1, ["Super"]],
    ]);
  });
});

describe("the wall's language", () => {
  afterEach(() => {
    history.replaceState(null, "", "/");
    vi.useRealTimers();
  });
  const asks = (query: string): (() => void) | undefined => {
    vi.useFakeTimers();
    history.replaceState(null, "", `/display/T1${query}`);
    return speakAsAsked();
  };

  test.each([
    ["?lang=zh", "zh"],
    ["?lang=en", "en"],
    ["", "en"],
    ["?lang=fr", "en"],
  ])("is the one that the address %j asks for", (query, shown) => {
    expect(asks(query)).toBeUndefined();
    expect(language.current).toBe(shown);
    expect(localStorage.getItem("punto.language")).toBeNull();
  });

  test("is both in turns of 10 s, until the wall is taken down", () => {
    const stop = asks("?lang=both");
    const heard = [0, 1, 2].map(() => {
      vi.advanceTimersByTime(10_000);
      return language.current;
    });
    expect(heard).toEqual(["zh", "en", "zh"]);
    stop?.();
    vi.advanceTimersByTime(60_000);
    expect(language.current).toBe("zh");
  });
});
