// What the pit types, reads and decides, and where in the pit one is.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moment } from "../../../tests/patron";
import { info, staff, table, tile, wager, welcome } from "../../../tests/states";
import { toasts } from "../../lib/toasts.svelte";
import { language } from "../../lib/words";
import { floor, Refusal } from "../../live";
import type { Limit } from "../../wire";
import { cash, clockTime, dayTime, percent } from "./amounts";
import { AskedId } from "./askedid";
import { Deed, holds, positionName, text, wagerLabel } from "./decisions";
import { CardReader, printOf } from "./decisions/reader.svelte";
import { matterName, matterText, tongueOf } from "./decisions/wording";
import { detailOf } from "./detail";
import { Errand } from "./errand.svelte";
import { fading } from "./fading";
import { headed } from "./headed";
import { insight } from "./insight";
import { dealtBy, deserted } from "./floor/attended";
import { weigh, weights } from "./floor/weights";
import { section, wayTo } from "./section.svelte";
import { atTable } from "./table/patrons";
import { amount, BadAmount, differential, limit } from "./table/typed";
import { wishes } from "./table/wishes.svelte";
import "./words";

afterEach(() => {
  floor.welcome = null;
  floor.status = "connecting";
  floor.tiles = {};
});

describe("the id of money at the desk", () => {
  const refused = async (id: AskedId, code: string): Promise<string> => {
    await id.ask(() => Promise.reject(new Refusal(code, ""))).catch(() => undefined);
    return id.value;
  };

  test("is another once it is done, or refused for good", async () => {
    const id = new AskedId();
    const first = id.value;
    expect(await id.ask((asked) => Promise.resolve(asked))).toBe(first);
    const second = id.value;
    expect(second).not.toBe(first);
    expect(await refused(id, "unaffordable")).not.toBe(second);
  });

  test("stays as long as it may have been done, whatever is said of asking again", async () => {
    const id = new AskedId();
    const first = id.value;
    for (const code of ["not-known", "store-gone", "lost", "wrong-password"])
      expect(await refused(id, code)).toBe(first);
    expect(await refused(id, "stale-id")).not.toBe(first);
  });
});

describe("amounts and times", () => {
  test("money has the floor's currency", () => {
    expect(cash(123_450)).toBe("1,234.50");
    floor.welcome = welcome({ currency: "S$" });
    expect(cash(123_450)).toBe("S$1,234.50");
  });

  test.each([
    [0.01058, "1.06\u00a0%"],
    [-0.0124, "−1.24\u00a0%"],
    [0, "0.00\u00a0%"],
    [-0.000_001, "0.00\u00a0%"],
    [1, "100.00\u00a0%"],
  ])("a share of %d is %s", (share, said) => {
    expect(percent(share)).toBe(said);
  });

  test("a share may be said to fewer places", () => {
    expect(percent(0.4586, 0)).toBe("46\u00a0%");
  });

  test.each(["en", "zh"] as const)("the hour after midnight is 00, in %s", (tongue) => {
    language.show(tongue);
    const midnight = Date.parse("2026-01-05T00:05:09+08:00");
    expect(clockTime(midnight)).toBe("00:05:09");
    expect(dayTime(midnight)).toMatch(/00:05$/);
    expect(clockTime(Date.parse("2026-01-05T21:04:30+08:00"))).toBe("21:04:30");
  });

  test("no time is none", () => {
    expect(dayTime(0)).toBe("");
  });
});

describe("what is typed", () => {
  test("an amount is one, and more than nothing", () => {
    expect(amount("1,000", "Least")).toBe(100_000);
    for (const typed of ["", "0", "0.00", "-5", "ten", "12,34"])
      expect(() => amount(typed, "Least")).toThrow(BadAmount);
    expect(() => amount("ten", "Least")).toThrow(/Least/);
  });

  test("limits are from the least to the most, and may be one amount", () => {
    expect(limit("5", "500", "Tie")).toEqual({ min_cents: 500, max_cents: 50_000 });
    expect(limit("5", "5", "Tie")).toEqual({ min_cents: 500, max_cents: 500 });
    expect(() => limit("500", "5", "Tie")).toThrow(BadAmount);
  });

  test("a differential lets somebody begin: the least wager on either hand fits in it", () => {
    const limits =
      (player: number, banker: number) =>
      (name: string): Limit => ({ min_cents: name === "Player" ? player : banker, max_cents: 1e6 });
    expect(differential("100", limits(10_000, 20_000))).toBe(10_000);
    expect(() => differential("99.99", limits(10_000, 20_000))).toThrow(/100\.00/);
    expect(differential("1", () => undefined)).toBe(100);
  });
});

describe("a card as it is typed or scanned", () => {
  function typed(deck: string, keys: string): CardReader {
    const reader = new CardReader(deck);
    for (const key of keys) reader.take(key);
    return reader;
  }

  test.each(["standard", "elements"])("every card of the deck %s can be typed, in either case", (deck) => {
    const { ranks, suits } = printOf(deck);
    for (const rank of ranks) {
      for (const suit of suits) {
        expect(typed(deck, rank + suit).card).toBe(rank + suit);
        expect(typed(deck, rank.toLowerCase() + suit.toUpperCase()).card).toBe(rank + suit);
      }
    }
    expect([ranks.length, suits.length]).toEqual(deck === "elements" ? [13, 5] : [13, 4]);
  });

  test("a ten may come as 10, as a scanner types it", () => {
    expect(typed("standard", "10h").card).toBe("Th");
    expect(typed("standard", "1").card).toBe("");
  });

  test("a rank waits for its suit; another rank takes its place", () => {
    const reader = typed("standard", "9");
    expect([reader.waits, reader.card]).toEqual([true, ""]);
    reader.take("K");
    reader.take("d");
    expect([reader.waits, reader.card]).toEqual([false, "Kd"]);
    reader.take("2");
    expect([reader.card, reader.rank]).toEqual(["", "2"]);
  });

  test("Backspace takes back the suit, then the rank, and then is no part of a card", () => {
    const reader = typed("standard", "9h");
    expect(reader.take("Backspace")).toBe(true);
    expect([reader.rank, reader.suit]).toEqual(["9", ""]);
    expect(reader.take("Backspace")).toBe(true);
    expect(reader.rank).toBe("");
    expect(reader.take("Backspace")).toBe(false);
  });

  test.each(["Enter", "Shift", "x", "h", " ", "0", "F"])("%j is no part of a card of the standard deck", (key) => {
    const reader = new CardReader("standard");
    expect(reader.take(key)).toBe(false);
    expect(reader.rank + reader.suit).toBe("");
  });

  test("a suit of the other deck is none", () => {
    expect([typed("standard", "9g").card, typed("elements", "9h").card]).toEqual(["", ""]);
  });

  test("can be cleared", () => {
    const reader = typed("standard", "9h");
    reader.clear();
    expect([reader.card, reader.waits]).toEqual(["", false]);
  });
});

describe("who may decide", () => {
  const ranks = [
    "dealer",
    "pit-supervisor",
    "pit-manager",
    "assistant-casino-manager",
    "gaming-shift-manager",
    "casino-manager",
    "casino-director",
  ];

  test("is who holds the position that it takes, or one above it", () => {
    for (const [at, position] of ranks.entries()) {
      for (const [needed, takes] of ranks.entries()) expect(holds(position, takes, ranks)).toBe(at >= needed);
    }
  });

  test("is told by the table's own ranks, and by the usual ones while it has none", () => {
    const turned = ["dealer", "pit-manager", "pit-supervisor", "gaming-shift-manager", "assistant-casino-manager"];
    expect(holds("pit-supervisor", "pit-manager", turned)).toBe(true);
    expect(holds("pit-manager", "pit-supervisor", turned)).toBe(false);
    expect(holds("casino-manager", "dealer", turned)).toBe(false);
    expect(holds("pit-manager", "casino-manager", turned)).toBe(false);
    expect(holds("gaming-shift-manager", "pit-manager")).toBe(true);
    expect(holds("casino-director", "pit-manager")).toBe(false);
  });

  test("is nobody without a position of staff", () => {
    for (const position of ["", "patron", "system"]) expect(ranks.some((takes) => holds(position, takes))).toBe(false);
  });

  test("has a title in both languages", () => {
    const english = ranks.map(positionName);
    expect(english).toContain("A Pit Manager");
    expect(positionName("")).toBe("");
    language.show("zh");
    expect(ranks.map(positionName).some((title) => english.includes(title))).toBe(false);
  });

  test("reads what a matter is, whoever has put it", () => {
    expect(matterText({ found: "other", matter: "A chip fell" })).toBe("A chip fell");
    expect(matterText({ found: "extra-cards", matter: "extra-cards" })).toBe("");
    expect(matterText({ found: "wrong-order", matter: "wrong-order: 9f 2g | Se" })).toBe("Player 9f 2g · Banker Se");
    expect(matterText({ found: "dealt-face-up", matter: "dealt-face-up: player" })).toBe("player");
    expect(matterText({ found: "card-seen", matter: "seen before bets open: 7d" })).toBe("");
    expect(matterName("wrong-order: 9f")).toBe("Cards lie in the wrong order: 9f");
    for (const put of ["seen: 7d", "seen before bets open: 7d", "seen before bets close: 7d"])
      expect(matterName(put)).toBe("A card was seen before its turn: 7d");
    expect(matterName("7d 8c was seen before bets closed")).toBe("A card was seen before its turn: 7d 8c");
    expect(matterText({ found: "card-seen", matter: "7d was seen before bets closed" })).toBe("");
    expect(matterText({ found: "card-seen", matter: "It fell" })).toBe("It fell");
    expect([matterName("A chip fell"), matterName("extra-cards")]).toEqual([
      "A chip fell",
      "Too many cards in the shoe",
    ]);
    language.show("zh");
    expect(matterName("wrong-order: 9f")).toBe("牌的次序不对：9f");
    expect([tongueOf("A chip fell"), tongueOf("筹码掉落")]).toEqual(["en", undefined]);
  });

  test("reads wagers by the names of the table", () => {
    expect([wagerLabel(info({ wagers: [wager("Tie")] }), "Tie"), wagerLabel(null, "Tie")]).toEqual(["Tie", "Tie"]);
    language.show("zh");
    expect(wagerLabel(info(), "Tie")).toBe("「Tie」");
    expect(text({ en: "yes", zh: "是" })).toBe("是");
  });
});

describe("an act that is given", () => {
  beforeEach(() => {
    floor.status = "open";
  });

  test("is given once while its answer is awaited", async () => {
    let answer!: () => void;
    const act = vi
      .spyOn(floor, "act")
      .mockImplementation(() => new Promise((resolve) => (answer = () => resolve({ version: 1 }))));
    const deed = new Deed("T1");
    const given = deed.give({ do: "settle" });
    expect(deed.busy).toBe(true);
    expect(await deed.give({ do: "settle" })).toBe(false);
    answer();
    expect([await given, deed.busy, act.mock.calls.length]).toEqual([true, false, 1]);
  });

  test("is not given without a connection: nothing waits to be done later", async () => {
    floor.status = "lost";
    const act = vi.spyOn(floor, "act");
    const deed = new Deed("T1");
    expect(await deed.give({ do: "settle" })).toBe(false);
    expect([deed.refusal, deed.busy, act.mock.calls]).toEqual(["There is no connection: nothing was done", false, []]);
  });

  test("and refused says why; staff are told what is out of turn, in the floor's words", async () => {
    const act = vi.spyOn(floor, "act").mockRejectedValue(new Refusal("out-of-turn", "the totals come first"));
    const deed = new Deed("T1");
    expect(await deed.give({ do: "settle" })).toBe(false);
    expect([deed.refusal, deed.busy]).toEqual(["Not now: the totals come first", false]);
    language.show("zh");
    await deed.give({ do: "settle" });
    expect(deed.refusal).not.toContain("totals");
    expect(deed.detail).toBe("the totals come first");
    act.mockRejectedValue(new Refusal("bets-are-closed", "phase is drawing"));
    await deed.give({ do: "settle" });
    expect([deed.refusal, deed.detail]).toEqual(["已停止下注：未作更改", ""]);
  });

  test("takes away what was said against another", async () => {
    const act = vi.spyOn(floor, "act").mockRejectedValueOnce(new Refusal("bad-count", "416 cards"));
    const [one, other] = [new Deed("T1"), new Deed("T1")];
    await one.give({ do: "settle" });
    expect(one.refusal).toBe("416 cards");
    act.mockResolvedValue({ version: 1 });
    expect(await other.give({ do: "announce" })).toBe(true);
    expect([one.refusal, other.refusal]).toEqual(["", ""]);
  });
});

describe("an errand", () => {
  test("is run once at a time, and says what was said against it", async () => {
    const errand = new Errand();
    let fail!: (error: unknown) => void;
    const work = vi.fn(() => new Promise((_, reject) => (fail = reject)));
    const running = errand.run(work);
    expect([errand.busy, await errand.run(work), work.mock.calls.length]).toEqual([true, false, 1]);
    fail(new Refusal("name-taken", "there is an ann"));
    expect([await running, errand.busy, errand.refusal]).toEqual([false, false, "there is an ann"]);
    expect(await errand.run(() => Promise.resolve())).toBe(true);
    expect([errand.refusal, errand.detail]).toEqual(["", ""]);
  });

  test("that breaks says that it failed", async () => {
    const errand = new Errand();
    expect(await errand.run(() => Promise.reject(new TypeError("x")))).toBe(false);
    expect(errand.refusal).toBe("That did not work: try again");
  });

  test("has the floor's own words beside it where the line says less", () => {
    language.show("zh");
    expect(detailOf(new Refusal("name-taken", "there is an ann"))).toBe("there is an ann");
    expect(detailOf(new Refusal("unaffordable", "12 of 15"))).toBe("");
    expect(detailOf(new Refusal("of-tomorrow", "said already"))).toBe("");
    expect(detailOf(new TypeError("x"))).toBe("");
  });
});

describe("the end that was asked for in a round", () => {
  let done: [string, string][];
  beforeEach(() => {
    done = [];
    floor.status = "open";
    vi.spyOn(floor, "act").mockImplementation((at, act) => {
      done.push([at, act.do]);
      return Promise.resolve({ version: 1 });
    });
    for (const key of ["T1", "T2"]) wishes.forget(key);
  });
  afterEach(() => {
    for (const key of ["T1", "T2"]) wishes.forget(key);
  });

  async function seen(phase: string, round: number): Promise<void> {
    floor.tiles = { ...floor.tiles, T1: tile({ key: "T1", phase, round }) };
    wishes.fulfil();
    await moment();
  }

  test("comes when the round is over, and once", async () => {
    wishes.ask("T1", "shoe", 5, "worn cards");
    await seen("drawing", 5);
    expect([done, wishes.of("T1")]).toEqual([[], "shoe"]);
    await seen("settled", 5);
    expect([done, wishes.of("T1")]).toEqual([[["T1", "end-shoe"]], null]);
    await seen("idle", 5);
    expect(done).toHaveLength(1);
  });

  test("of a table's day ends its shoe first, where one is in", async () => {
    wishes.ask("T1", "close", 5, "worn cards");
    await seen("void", 5);
    expect(done.map(([, act]) => act)).toEqual(["end-shoe", "close-table"]);
    done = [];
    wishes.ask("T1", "close", 5, "worn cards");
    await seen("change-of-shoe", 5);
    expect(done.map(([, act]) => act)).toEqual(["close-table"]);
  });

  test("is not taken for come by what is heard late of the round before", async () => {
    wishes.ask("T1", "close", 6, "worn cards");
    await seen("settled", 5);
    expect([done, wishes.of("T1")]).toEqual([[], "close"]);
  });

  test("is over where the table was closed meanwhile", async () => {
    wishes.ask("T1", "close", 5, "worn cards");
    await seen("closed", 5);
    expect([done, wishes.of("T1")]).toEqual([[], null]);
  });

  test("waits while there is no connection, and until the table is seen", () => {
    wishes.ask("T2", "shoe", 5, "worn cards");
    floor.status = "lost";
    floor.tiles = { T2: tile({ key: "T2", phase: "settled", round: 5 }) };
    wishes.fulfil();
    expect(wishes.of("T2")).toBe("shoe");
    floor.status = "open";
    floor.tiles = {};
    wishes.fulfil();
    expect(wishes.of("T2")).toBe("shoe");
  });

  test("of a shoe that is refused does not close the table, and is said", async () => {
    const act = vi.spyOn(floor, "act").mockRejectedValue(new Refusal("shoe-in-play", "a round is played"));
    wishes.ask("T1", "close", 5, "worn cards");
    await seen("settled", 5);
    expect(act).toHaveBeenCalledTimes(1);
    expect(toasts.text).toMatch(/T1.*a round is played/);
  });
});

describe("where one is", () => {
  afterEach(() => {
    location.hash = "";
    dispatchEvent(new Event("hashchange"));
  });
  const goes = (hash: string): [string, string] => {
    location.hash = hash;
    dispatchEvent(new Event("hashchange"));
    return [section.name, section.table];
  };

  test.each([
    ["", ["floor", ""]],
    ["#books", ["books", ""]],
    ["#table/T1", ["table", "T1"]],
    ["#nowhere/T1", ["floor", "T1"]],
  ] as const)("the address %j is %j", (hash, [name, at]) => {
    expect(goes(hash)).toEqual([name, at]);
  });

  test.each(["T1", "T 1", "a/b", "ü#?%", "桌"])("there is a way to the table %j, whatever it is called", (key) => {
    expect(goes(wayTo("table", key))).toEqual(["table", key]);
  });

  test("there is a way to every section", () => {
    for (const name of ["books", "staff", "personal", "terminals", "audit", "events"] as const)
      expect(goes(wayTo(name))).toEqual([name, ""]);
    expect(goes(wayTo("floor"))).toEqual(["floor", ""]);
  });

  test("an address that was spoilt leads to a table that is not there, and breaks nothing", () => {
    expect(goes("#table/%E0%A4%A")).toEqual(["table", "%E0%A4%A"]);
  });
});

describe("a table at a glance", () => {
  test("weighs its hands: what may be added to the heavier is what is left of the differential", () => {
    expect(weigh(5_000, 3_000, 10_000)).toEqual({ player: 5_000, banker: 3_000, headroom: 8_000 });
    expect(weigh(0, 15_000, 10_000).headroom).toBe(-5_000);
    expect(weigh(5_000, 3_000, 0).headroom).toBeNull();
  });

  test("counts wagers on the hands themselves", () => {
    const state = table({
      stakes: { Player: [700, 2], "Player Pair": [900, 1] },
      info: info({ differential_cents: 1_000 }),
    });
    expect(weights(state)).toEqual({ player: 700, banker: 0, headroom: 300 });
  });

  test("says who deals, and that nobody does while a round is played", () => {
    expect([dealtBy(tile({ dealer: "dan" })), dealtBy(tile({ automatic: true })), dealtBy(tile())]).toEqual([
      "Dealer dan",
      "Automatic",
      "No dealer",
    ]);
    expect(deserted(tile({ phase: "drawing" }))).toBe(true);
    expect(
      [
        tile({ phase: "idle" }),
        tile({ phase: "drawing", taken: true, dealer: "dan" }),
        tile({ phase: "drawing", automatic: true }),
      ].some(deserted),
    ).toBe(false);
  });

  test("knows who is there: by seats and by wagers, each once, in the order of seats", () => {
    const wagers = [
      { number: 1, position: 3, patron: "cat", wager: "Tie", cents: 1 },
      { number: 2, position: 1, patron: "ann", wager: "Tie", cents: 1 },
      { number: 3, position: 3, patron: "cat", wager: "Player", cents: 1 },
    ];
    expect(atTable(staff({ seats: { "10": "jim", "1": "ann" }, wagers }))).toEqual([
      { seat: 1, patron: "ann" },
      { seat: 3, patron: "cat" },
      { seat: 10, patron: "jim" },
    ]);
  });
});

describe("what scrolls on", () => {
  test("is marked on the sides where there is more, until it is gone", () => {
    const observed = new Set<Element>();
    let look!: () => void;
    const disconnect = vi.fn();
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(seen: () => void) {
          look = seen;
        }
        observe = (each: Element): unknown => observed.add(each);
        disconnect = disconnect;
      },
    );
    document.body.innerHTML = "<div><p></p></div>";
    const node = document.querySelector("div")!;
    const at = (scrollLeft: number): string => {
      for (const [name, value] of Object.entries({ scrollLeft, clientWidth: 100, scrollWidth: 300 })) {
        Object.defineProperty(node, name, { configurable: true, value });
      }
      node.dispatchEvent(new Event("scroll"));
      return [...node.attributes]
        .map(({ name }) => name)
        .sort()
        .join();
    };
    const stop = fading(node);
    look();
    expect(observed.size).toBe(2);
    expect([at(0), at(100), at(200)]).toEqual(["data-after", "data-after,data-before", "data-before"]);
    stop();
    expect(at(0)).toBe("data-before");
    expect(disconnect).toHaveBeenCalled();
  });
});

describe("a row that is a stack", () => {
  test("tells of each cell what it is under, and whether there is anything in it, also after a change", async () => {
    document.body.innerHTML = `<div><table><thead><tr><th>Name</th><th> Seen </th><th><span class="unseen">End</span></th></tr>
      </thead><tbody><tr><td>Ann</td><td> </td><td><input></td></tr><tr><td colspan="3">Nothing</td></tr></tbody></table></div>`;
    const node = document.querySelector("div")!;
    const told = (): string[] =>
      Array.from(
        node.querySelectorAll("td"),
        (each) => `${each.dataset.heading}${"blank" in each.dataset ? " -" : ""}`,
      );
    const stop = headed(node);
    expect(told()).toEqual(["Name", "Seen -", "", ""]);
    node.querySelector("th")!.textContent = "姓名";
    node.querySelectorAll("td")[1]!.textContent = "21:04";
    await vi.waitFor(() => expect(told()).toEqual(["姓名", "Seen", "", ""]));
    stop();
    document.body.innerHTML = "<div><table><tbody><tr><td>Ann</td></tr></tbody></table></div>";
    headed(document.querySelector("div")!)();
    expect(document.querySelector("td")!.dataset.heading).toBe("");
  });
});

describe("where one is", () => {
  test("lies in the middle of the row of links, also once one has gone on", async () => {
    let look!: () => void;
    vi.stubGlobal(
      "ResizeObserver",
      class {
        constructor(seen: () => void) {
          look = seen;
        }
        observe = vi.fn();
        disconnect = vi.fn();
      },
    );
    document.body.innerHTML = "<nav><a></a><a></a></nav>";
    const row = document.querySelector("nav")!;
    const [first, second] = row.querySelectorAll("a");
    const measure = (node: Element, values: Record<string, number>): void => {
      for (const [name, value] of Object.entries(values)) Object.defineProperty(node, name, { value });
    };
    measure(row, { offsetLeft: 10, clientWidth: 100 });
    measure(first!, { offsetLeft: 110, offsetWidth: 40 });
    measure(second!, { offsetLeft: 310, offsetWidth: 60 });
    const stop = insight(row);
    look();
    expect(row.scrollLeft).toBe(0);
    first!.setAttribute("aria-current", "page");
    await vi.waitFor(() => expect(row.scrollLeft).toBe(70));
    first!.removeAttribute("aria-current");
    second!.setAttribute("aria-current", "page");
    await vi.waitFor(() => expect(row.scrollLeft).toBe(280));
    stop();
  });
});
