// The time and the money of a visit, what is kept of it, what is said of a round, and the ticket at its end.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { fc } from "../../../tests/chance";
import { Patron } from "../../../tests/patron";
import { purse, shoe, welcome } from "../../../tests/states";
import { keep, kept } from "../../lib/kept";
import { language, say } from "../../lib/words";
import { floor, Refusal } from "../../live";
import { en as decisions } from "../pit/decisions/words";
import { paid, phaseClock, phaseTitle, returnedWords, waitWords } from "./phases";
import { Play } from "./play.svelte";
import { collected } from "./ticket.svelte";
import { visit } from "./visit";
import { voice } from "./voice.svelte";
import { voidWords } from "./voids";
import "./words";

afterEach(() => {
  floor.tables = {};
  floor.purse = null;
  floor.welcome = null;
});

describe("the time", () => {
  let now: typeof import("./now.svelte");
  let live: typeof import("../../live");

  beforeEach(async () => {
    vi.useFakeTimers({ now: new Date(2026, 0, 5, 9, 0) });
    vi.resetModules();
    now = await import("./now.svelte");
    live = await import("../../live");
  });
  afterEach(() => {
    vi.useRealTimers();
    vi.resetModules();
  });

  test("of day is the floor's, and goes on from when it was told, whatever the device thinks", () => {
    expect(now.now.clock).toBe("09:00");
    live.floor.welcome = welcome({ now_ms: new Date(2026, 0, 5, 21, 4, 30).getTime() });
    live.floor.welcomedAt = performance.now();
    expect(now.now.clock).toBe("21:04");
    vi.advanceTimersByTime(31_000);
    expect(now.now.clock).toBe("21:05");
    vi.setSystemTime(new Date(2030, 0, 1));
    vi.advanceTimersByTime(60_000);
    expect(now.now.clock).toBe("21:06");
  });

  test("played goes on from when it was told, and is none without a purse", () => {
    expect(now.now.played_ms).toBe(0);
    live.floor.purse = purse({ played_ms: 60_000 });
    live.floor.pursedAt = performance.now();
    vi.advanceTimersByTime(5_000);
    expect(now.now.played_ms).toBe(65_000);
  });

  test("left is said in whole seconds: the last one is 1, and when none is left it is 0", () => {
    const ends = performance.now() + 3_000;
    const said: number[] = [];
    for (let at = 0; at < 3_500; at += 500) {
      said.push(now.now.secondsTo(ends));
      vi.advanceTimersByTime(500);
    }
    expect(said).toEqual([3, 3, 2, 2, 1, 1, 0]);
  });

  test("left is never said to be more than it is, at any moment", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 15_000 }), fc.integer({ min: 0, max: 15_000 }), (lasts, passes) => {
        const ends = performance.now() + lasts;
        vi.advanceTimersByTime(passes);
        const left = Math.max(0, ends - performance.now());
        const said = now.now.secondsTo(ends);
        expect(said).toBeLessThanOrEqual(Math.ceil(left / 1000));
        expect(said).toBeGreaterThanOrEqual(Math.floor((left - 200) / 1000));
      }),
    );
  });

  test("played is written in hours and minutes", () => {
    expect([0, 59_999, 60_000, 12 * 60_000, 3_600_000, 36_000_000 + 300_000].map(now.span)).toEqual([
      "0:00",
      "0:00",
      "0:01",
      "0:12",
      "1:00",
      "10:05",
    ]);
  });

  test("what was won or lost counts what lies on the table, and leaves out what was bought and cashed", () => {
    expect(now.net()).toBe(0);
    live.floor.purse = purse({ credits_cents: 700, staked_cents: 300, bought_cents: 5_000, cashed_cents: 4_500 });
    expect(now.net()).toBe(500);
  });
});

describe("what is chosen at a terminal", () => {
  const opened = async (): Promise<typeof import("./choices.svelte").choices> => {
    vi.resetModules();
    return (await import("./choices.svelte")).choices;
  };
  afterEach(() => vi.resetModules());

  test("is at first no chip, a reminder every hour, and letters that act", async () => {
    const { chip, reminder, keys } = await opened();
    expect([chip, reminder, keys]).toEqual([0, 60, true]);
  });

  test("is there again when the page is", async () => {
    const choices = await opened();
    choices.chip = 25;
    choices.reminder = 0;
    choices.keys = false;
    const { chip, reminder, keys } = await opened();
    expect([chip, reminder, keys]).toEqual([25, 0, false]);
  });

  test.each(["7", "-15", "many", ""])("a reminder every %j minutes is none that can be chosen", async (minutes) => {
    keep("reminder", minutes);
    expect([0, 15, 30, 60]).toContain((await opened()).reminder);
    if (minutes) expect((await opened()).reminder).toBe(60);
  });
});

describe("a visit", () => {
  test("remembers the tables that lay open beside this one, this one first", () => {
    expect(visit.tables("T1")).toEqual(["T1"]);
    visit.sit(["T2", "T1", "T3"]);
    expect(visit.tables("T1")).toEqual(["T1", "T2", "T3"]);
    expect(visit.tables("T9")).toEqual(["T9"]);
  });

  test("remembers what was staked, by table, as long as the tab is open", () => {
    visit.stake("T1", { game: "tiger", stakes: { Tie: 500 } });
    expect([visit.staked("T1"), visit.staked("T2")]).toEqual([{ game: "tiger", stakes: { Tie: 500 } }, null]);
    expect(localStorage).toHaveLength(0);
  });

  test("remembers nothing where that is refused, or was spoilt", () => {
    sessionStorage.setItem("punto.staked T1", "{spoilt");
    expect(visit.staked("T1")).toBeNull();
    vi.stubGlobal("sessionStorage", {
      setItem: () => {
        throw new DOMException("", "QuotaExceededError");
      },
    });
    visit.sit(["T1"]);
    expect(visit.tables("T1")).toEqual(["T1"]);
  });
});

describe("what is said of a round", () => {
  const said = { text: { en: "Place your bets, please", zh: "请下注" }, clause: "" };
  const title = (state: ConstructorParameters<typeof Patron>[1]): string => {
    new Patron("T1", state);
    return phaseTitle(new Play("T1"));
  };

  test("is what was announced, in the language of the page", () => {
    expect(title({ phase: "bets-open", said })).toBe("Place your bets, please");
    language.show("zh");
    expect(title({ phase: "bets-open", said })).toBe("请下注");
  });

  test("between rounds is what comes next, and never empty", () => {
    const titles = [
      title({ phase: "closed", said }),
      title({ phase: "change-of-shoe", said }),
      title({ phase: "idle", said: null }),
      title({ phase: "idle", said: null, shoe: shoe({ may_cut: true }) }),
      title({ phase: "idle", said: null, shoe: shoe({ closed: "ab", unrevealed: 1 }) }),
      title({ phase: "void", said }),
    ];
    expect(new Set([...titles, said.text.en, ""]).size).toBe(titles.length + 2);
    expect(title({ phase: "idle", said })).toBe(said.text.en);
  });

  test("at a terminal that is down is that, until there is an outcome", () => {
    const patron = new Patron("T1", { phase: "bets-open", said });
    const play = new Play("T1");
    patron.own({ down: true });
    expect(phaseTitle(play)).toBe("This terminal is down");
    patron.set({ phase: "outcome", outcome: { winner: "tie", player: 6, banker: 6, results: {} } });
    expect(phaseTitle(play)).toBe("Place your bets, please");
  });

  test("while the floor waits for its record is no call for wagers", () => {
    const patron = new Patron("T1", { phase: "bets-open", said });
    const play = new Play("T1");
    expect(play.open).toBe(true);
    patron.set({ wait: { what: "store", clause: "" } });
    expect(phaseTitle(play)).toBe("One moment, please");
    expect(play.open).toBe(false);
    patron.set({ wait: null });
    expect([play.open, phaseTitle(play)]).toEqual([true, "Place your bets, please"]);
  });

  test("says of a table that is stopped or run elsewhere only that", () => {
    const patron = new Patron("T1", { phase: "closed" });
    const play = new Play("T1");
    patron.set({ wait: { what: "elsewhere", clause: "" } });
    expect(phaseTitle(play)).toBe("Run elsewhere");
    patron.set({ phase: "change-of-shoe", wait: { what: "record", clause: "" } });
    expect(phaseTitle(play)).toBe("Stopped for a check");
    patron.set({ wait: { what: "store", clause: "" } });
    expect(phaseTitle(play)).toBe("One moment, please");
  });

  test("of a table that is stopped says what of one's own waits there, and offers nothing", () => {
    const patron = new Patron("T1", { phase: "bets-open", wait: { what: "record", clause: "" } });
    const play = new Play("T1");
    patron.own({ offered: ["player"] });
    expect([play.open, play.offered, waitWords(play)]).toEqual([
      false,
      [],
      "This table is stopped while its record is checked: stakes and credits are kept",
    ]);
    floor.purse = purse({ waiting: { T1: 5_000 } });
    expect(waitWords(play)).toContain("Your stake of 50.00 here waits");
    floor.purse = purse({ waiting: { T1: null } });
    expect(waitWords(play)).toContain("is not known until the record is checked");
    patron.set({ wait: null });
    expect([play.open, play.offered, waitWords(play)]).toEqual([true, ["player"], ""]);
  });

  test("names what went back by a decision, and what of it stays", () => {
    const patron = new Patron("T1");
    const play = new Play("T1");
    expect(returnedWords(play)).toBe("");
    patron.own({
      returned: [
        { wager: "Player", cents: 2_000, left_cents: 3_000, clause: "EB4 6.1" },
        { wager: "Tie", cents: 500, left_cents: 0, clause: "EB4 6.1" },
      ],
    });
    expect(returnedWords(play)).toBe("Returned by decision: Player 20.00 (30.00 stays), Tie 5.00");
    language.show("zh");
    expect(returnedWords(play)).toMatch(/^依裁决退还：.*20\.00.*30\.00/);
  });

  test("counts down what one must act within, and no pause", () => {
    const patron = new Patron("T1");
    const clock = { what: "bets", at: 1, total_ms: 1, side: null } as const;
    floor.tables["T1"]!.clock = clock;
    expect(phaseClock(new Play("T1"))).toEqual(clock);
    floor.tables["T1"]!.clock = { ...clock, what: "next" };
    expect(phaseClock(new Play("T1"))).toBeNull();
    patron.set({});
  });

  test("adds up what was paid once there is an outcome, and nothing before", () => {
    const patron = new Patron("T1");
    const payment = {
      wager: "Tie",
      stake_cents: 100,
      result: "win",
      won_cents: 800,
      paid_cents: 900,
      clause: "",
      decided: false,
    } as const;
    patron.own({ payments: [payment, payment] });
    const play = new Play("T1");
    expect(paid(play, (each) => each.won_cents)).toBe(0);
    patron.set({ outcome: { winner: "tie", player: 6, banker: 6, results: {} } });
    expect([paid(play, (each) => each.won_cents), paid(play, (each) => each.paid_cents)]).toEqual([1_600, 1_800]);
  });

  test("that is void says why, whatever was found", () => {
    const found = Object.keys(decisions).flatMap((key) => /^decision\.found\.(.*)$/.exec(key)?.[1] ?? []);
    expect(found.length).toBeGreaterThan(20);
    const other = voidWords("other");
    for (const each of found) expect(voidWords(each)).toMatch(/\w{3}/);
    expect(found.filter((each) => voidWords(each) === other)).toEqual(["other", "patron-absent"]);
    expect(voidWords("something new")).toBe(other);
  });
});

describe("the voice", () => {
  beforeEach(() => {
    vi.useFakeTimers();
    voice.several = false;
  });
  afterEach(() => {
    vi.runAllTimers();
    vi.useRealTimers();
    voice.several = false;
  });

  test("speaks in a moment what comes quickly, as one", () => {
    const before = voice.count;
    voice.say("T1", "Tie", () => "Tie, 5.00");
    vi.advanceTimersByTime(500);
    voice.say("T1", "Player", () => "Player, 7.00");
    vi.advanceTimersByTime(599);
    expect(voice.count).toBe(before);
    vi.advanceTimersByTime(1);
    expect([voice.text, voice.count]).toEqual(["Tie, 5.00, Player, 7.00", before + 1]);
  });

  test("a later word on the same topic takes the place of the earlier, at its own table", () => {
    voice.say("T1", "Tie", () => "Tie, 5.00");
    voice.say("T1", "Tie", () => "Tie, 10.00");
    vi.advanceTimersByTime(600);
    expect(voice.text).toBe("Tie, 10.00");
    voice.several = true;
    voice.say("T1", "Tie", () => "Tie, 5.00");
    voice.say("T2", "Tie", () => "Tie, 6.00");
    vi.advanceTimersByTime(600);
    expect(voice.text).toMatch(/T1.*Tie, 5\.00.*T2.*Tie, 6\.00/);
  });

  test("speaks the language of the moment it speaks", () => {
    voice.say("T1", "Tie", () => say("terminal.taken-back", { wager: "Tie" }));
    language.show("zh");
    vi.advanceTimersByTime(600);
    expect(voice.text).toBe("Tie已收回");
  });

  test("does not speak of what is no longer so", () => {
    const before = voice.count;
    voice.several = true;
    voice.say("T1", "round", () => "");
    vi.advanceTimersByTime(600);
    expect(voice.count).toBe(before);
    voice.say("T1", "round", () => "");
    voice.say("T1", "Tie", () => "Tie, 5.00");
    vi.advanceTimersByTime(600);
    expect(voice.text).toMatch(/^\S.*Tie, 5\.00$/);
  });

  test("does not repeat in one language what it said in another", () => {
    voice.say("T1", "Tie", () => "Tie, 5.00");
    vi.advanceTimersByTime(600);
    language.show("zh");
    expect(voice.text).toBe("");
  });
});

describe("a ticket", () => {
  const ticket = { t: "ticket", id: "", code: "1234-5678", cents: 700 } as const;
  beforeEach(() => collected.forget());

  test("stays until its holder has kept it, and its id is on the device from before it is asked for", async () => {
    const collect = vi.spyOn(floor, "collect").mockImplementation((_, id) => {
      expect(kept("ticket")).toBe(id);
      return Promise.resolve({ ...ticket, id });
    });
    await collected.collect("T1");
    expect(collected.ticket?.code).toBe("1234-5678");
    expect(await collected.recover("T1")).toBe(true);
    expect(collect).toHaveBeenCalledTimes(1);
    collected.forget();
    expect([collected.ticket, kept("ticket")]).toEqual([null, ""]);
    expect(await collected.recover("T1")).toBe(false);
  });

  test("of a page that is gone is asked for again under its id, and no other is collected", async () => {
    keep("ticket", "of-the-last-page");
    const collect = vi.spyOn(floor, "collect").mockResolvedValue(ticket);
    expect(await collected.recover("T1")).toBe(true);
    expect(collect).toHaveBeenCalledWith("T1", "of-the-last-page", true);
  });

  test("that there never was is forgotten; one that may be is asked for another time", async () => {
    keep("ticket", "of-the-last-page");
    const collect = vi.spyOn(floor, "collect").mockRejectedValueOnce(new Refusal("store-gone", ""));
    expect(await collected.recover("T1")).toBe(false);
    expect(kept("ticket")).toBe("of-the-last-page");
    collect.mockRejectedValueOnce(new Refusal("bad-ticket", ""));
    expect(await collected.recover("T1")).toBe(false);
    expect(kept("ticket")).toBe("");
  });

  test("that is refused is said to who asked for it", async () => {
    vi.spyOn(floor, "collect").mockRejectedValue(new Refusal("unaffordable", ""));
    await expect(collected.collect("T1")).rejects.toMatchObject({ code: "unaffordable" });
    expect(collected.ticket).toBeNull();
  });
});
