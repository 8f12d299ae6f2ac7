import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { FakeSocket, settled, withNetwork, withoutNetwork } from "../../tests/socket";
import { news, own, purse, tile, toldOwn, toldStaff, welcome, whole } from "../../tests/states";
import type { Refusal } from "./errors";
import { floor as only } from "./floor.svelte";

let floor: typeof only;

beforeEach(() => {
  withoutNetwork();
  vi.spyOn(Math, "random").mockReturnValue(0.5);
  sessionStorage.clear();
  // A page has one floor; a test has one of its own.
  floor = new (only.constructor as new () => typeof only)();
});

afterEach(withNetwork);

/** A page that is connected. */
function connected(): FakeSocket {
  floor.connect();
  FakeSocket.last.open();
  return FakeSocket.last;
}

/** Lose the connection, and have another. */
function reconnected(): FakeSocket {
  FakeSocket.last.cut();
  vi.advanceTimersByTime(10_000);
  FakeSocket.last.open();
  return FakeSocket.last;
}

/** What becomes of something that was asked. */
function fate(asked: Promise<unknown>): { answer: unknown; refusal: Refusal | null } {
  const found: { answer: unknown; refusal: Refusal | null } = { answer: undefined, refusal: null };
  asked.then(
    (answer) => (found.answer = answer),
    (refusal: unknown) => (found.refusal = refusal as Refusal),
  );
  return found;
}

describe("connecting", () => {
  test("a page connects to the live address of its own host", () => {
    floor.connect();
    expect(FakeSocket.last.address).toBe(`ws://${location.host}/live`);
    expect(floor.status).toBe("connecting");
    FakeSocket.last.open();
    expect(floor.status).toBe("open");
  });

  test("a page that came by https connects by wss", () => {
    vi.stubGlobal("location", new URL("https://floor.example/tables/T1"));
    floor.connect();
    expect(FakeSocket.last.address).toBe("wss://floor.example/live");
  });

  test("connecting twice makes one connection", () => {
    floor.connect();
    floor.connect();
    FakeSocket.last.open();
    floor.connect();
    expect(FakeSocket.begun).toHaveLength(1);
  });

  test("a lost connection is tried again after 250 ms, twice as long each time, and never later than 5 s", () => {
    connected();
    const waits: number[] = [];
    for (let at = 0; at < 8; at += 1) {
      FakeSocket.last.cut();
      expect(floor.status).toBe("lost");
      const begun = FakeSocket.begun.length;
      let waited = 0;
      while (FakeSocket.begun.length === begun && waited < 20_000) {
        vi.advanceTimersByTime(10);
        waited += 10;
      }
      waits.push(waited);
    }
    expect(waits).toEqual([250, 500, 1_000, 2_000, 4_000, 5_000, 5_000, 5_000]);
  });

  test.each([
    [0, 187.5],
    [1, 312.5],
  ])("waits differ by a quarter, so that not all pages come back at once (%d)", (chance, wait) => {
    vi.spyOn(Math, "random").mockReturnValue(chance);
    connected().cut();
    vi.advanceTimersByTime(wait - 1);
    expect(FakeSocket.begun).toHaveLength(1);
    vi.advanceTimersByTime(2);
    expect(FakeSocket.begun).toHaveLength(2);
  });

  test("once a connection is open again, the next loss is tried again at once", () => {
    connected();
    for (let at = 0; at < 5; at += 1) {
      FakeSocket.last.cut();
      vi.advanceTimersByTime(5_000);
    }
    FakeSocket.last.open();
    const begun = FakeSocket.begun.length;
    FakeSocket.last.cut();
    vi.advanceTimersByTime(251);
    expect(FakeSocket.begun).toHaveLength(begun + 1);
  });

  test("a network that comes back is tried at once, and makes one connection", () => {
    connected();
    dispatchEvent(new Event("offline"));
    expect(floor.status).toBe("lost");
    dispatchEvent(new Event("online"));
    expect(FakeSocket.begun).toHaveLength(2);
    FakeSocket.last.open();
    vi.advanceTimersByTime(4_000);
    expect(FakeSocket.begun).toHaveLength(2);
    expect(floor.status).toBe("open");
  });

  test("what a connection says that was given up does not change how the page stands", () => {
    const old = connected();
    dispatchEvent(new Event("offline"));
    dispatchEvent(new Event("online"));
    FakeSocket.last.open();
    old.cut();
    expect(floor.status).toBe("open");
    vi.advanceTimersByTime(4_000);
    expect(FakeSocket.begun).toHaveLength(2);
  });
});

describe("silence", () => {
  test("the floor is asked every 5 s whether it is there", () => {
    const socket = connected();
    vi.advanceTimersByTime(5_000);
    expect(socket.of("ping")).toHaveLength(1);
    socket.tell({ t: "pong", n: 0 });
    vi.advanceTimersByTime(5_000);
    expect(socket.of("ping")).toHaveLength(2);
    expect(floor.status).toBe("open");
  });

  test("a connection through which nothing comes for 12 s is given up, and another is made", () => {
    connected();
    vi.advanceTimersByTime(10_000);
    expect(floor.status).toBe("open");
    vi.advanceTimersByTime(5_000);
    expect(floor.status).toBe("lost");
    vi.advanceTimersByTime(1_000);
    expect(FakeSocket.begun).toHaveLength(2);
  });

  test("whatever the floor says shows that it is there", () => {
    const socket = connected();
    for (let at = 0; at < 10; at += 1) {
      vi.advanceTimersByTime(9_000);
      socket.tell({ t: "floor", tiles: [] });
    }
    expect(floor.status).toBe("open");
  });

  test("a connection that took long to open is not taken for silent", () => {
    floor.connect();
    vi.advanceTimersByTime(14_000);
    FakeSocket.last.open();
    vi.advanceTimersByTime(2_000);
    expect(floor.status).toBe("open");
    expect(FakeSocket.last.of("ping")).toHaveLength(1);
  });
});

describe("what goes on", () => {
  test("what a page looks on at is asked for once it is connected, and again after each loss, in its order", () => {
    floor.watch("T1");
    floor.watch("T2", "staff");
    floor.sit("T3", 4);
    floor.watchFloor();
    const asked = [
      { t: "watch", table: "T1", role: "display" },
      { t: "watch", table: "T2", role: "staff" },
      { t: "sit", table: "T3", position: 4 },
      { t: "watch-floor" },
    ];
    expect(connected().sent).toEqual(asked);
    expect(reconnected().sent).toEqual(asked);
    expect(reconnected().sent).toEqual(asked);
  });

  test("a wall of very many tables asks for them no faster than the floor takes it, and loses none", () => {
    const tables = Array.from({ length: 100 }, (_, at) => `T${at}`);
    const socket = connected();
    tables.forEach((table) => floor.watch(table));
    void floor.stake("T1", "Player", 100);
    expect(socket.of("watch").length).toBeLessThan(60);
    expect(socket.of("stake")).toHaveLength(1);
    for (const second of [1, 2]) {
      const before = socket.sent.length;
      vi.advanceTimersByTime(1_000);
      expect(socket.sent.length - before, `second ${second}`).toBeLessThan(60);
    }
    expect(socket.of("watch").map((each) => each.table)).toEqual(tables);
  });

  test("what waited for its turn when the connection was lost is asked for once by the next", () => {
    connected();
    for (let at = 0; at < 100; at += 1) floor.watch(`T${at}`);
    const socket = reconnected();
    vi.advanceTimersByTime(2_500);
    expect(socket.of("watch")).toHaveLength(100);
  });

  test("what is asked for twice is asked for once after a loss", () => {
    connected();
    floor.watch("T1");
    floor.watch("T1");
    expect(reconnected().of("watch")).toHaveLength(1);
  });

  test("a table that was left is not asked for again, and is forgotten", () => {
    const socket = connected();
    floor.sit("T1");
    floor.watch("T1", "staff");
    socket.tell(whole("T1"));
    floor.leave("T1");
    expect(socket.sent.at(-1)).toEqual({ t: "leave", table: "T1" });
    expect(floor.tables["T1"]).toBeUndefined();
    expect(reconnected().sent).toEqual([]);
  });

  test("what was under way when a table was left does not bring it back in part", () => {
    const socket = connected();
    floor.sit("T1");
    socket.tell(whole("T1"));
    floor.leave("T1");
    socket.tell(news("T1", { phase: "bets-closed" }), toldOwn("T1", own()));
    expect(floor.tables["T1"]).toBeUndefined();
  });

  test("a dealer takes a table once: after a loss it is taken from nobody", () => {
    const socket = connected();
    floor.takeTable("T1");
    expect(socket.sent).toEqual([{ t: "take-table", table: "T1" }]);
    expect(reconnected().sent).toEqual([{ t: "take-table", table: "T1", again: true }]);
    floor.handBack("T1");
    expect(FakeSocket.last.sent.at(-1)).toEqual({ t: "hand-back", table: "T1" });
    expect(reconnected().sent).toEqual([]);
  });

  test("how a card bends is shown now or never", () => {
    floor.bend("T1", "player", 0, 0.5, "left");
    expect(connected().sent).toEqual([]);
    floor.bend("T1", "player", 0, 0.6, "left");
    expect(FakeSocket.last.sent).toEqual([
      { t: "bend", table: "T1", side: "player", card: 0, lift: 0.6, edge: "left" },
    ]);
    expect(reconnected().sent).toEqual([]);
  });

  test("those who asked are told how a card bends elsewhere, until they ask no more", () => {
    const socket = connected();
    const lifts: number[] = [];
    const stop = floor.onBend((bent) => lifts.push(bent.lift));
    const bent = { t: "bent", table: "T1", side: "player", card: 0, lift: 0.25, edge: "top" } as const;
    socket.tell(bent);
    stop();
    socket.tell({ ...bent, lift: 0.5 });
    expect(lifts).toEqual([0.25]);
  });
});

describe("what is asked", () => {
  test("an answer goes to the question with its id, whatever the order of answers", async () => {
    const socket = connected();
    const [one, other] = [fate(floor.buy("T1", 100)), fate(floor.buy("T1", 200))];
    const [first, second] = socket.of("buy");
    socket.tell({ t: "accepted", id: second!.id, version: 2 });
    await settled();
    expect([one.answer, other.answer]).toEqual([undefined, { t: "accepted", id: second!.id, version: 2 }]);
    socket.tell({ t: "accepted", id: first!.id, version: 1 });
    await settled();
    expect(one.answer).toEqual({ t: "accepted", id: first!.id, version: 1 });
  });

  test("what takes two people is answered as proposed, and confirmed or withdrawn by its digest", async () => {
    const socket = connected();
    const proposed = fate(floor.act("T1", { do: "report-stake", number: 1, stake_cents: 500 }));
    const [asked] = socket.of("do");
    socket.tell({ t: "proposed", id: asked!.id, digest: "ab12" });
    await settled();
    expect(proposed.answer).toEqual({ t: "proposed", id: asked!.id, digest: "ab12" });
    void floor.confirm("T1", "ab12");
    void floor.withdraw("T1", "cd34");
    expect(socket.of("confirm")).toMatchObject([{ table: "T1", digest: "ab12" }]);
    expect(socket.of("withdraw")).toMatchObject([{ table: "T1", digest: "cd34" }]);
  });

  test("a refusal has its code, its line and its clause", async () => {
    const socket = connected();
    const asked = fate(floor.redeem("T1", "no code"));
    const id = socket.of("redeem")[0]!.id;
    socket.tell({ t: "refused", id, code: "bad-ticket", message: "no such ticket", clause: "EB4 3.2" });
    await settled();
    expect(asked.refusal).toMatchObject({ code: "bad-ticket", message: "no such ticket", clause: "EB4 3.2" });
    expect(floor.refused).toBeNull();
  });

  test("a refusal of something that awaits no answer is there to be shown", () => {
    connected().tell({ t: "refused", id: "", code: "table-is-full", message: "", clause: "" });
    expect(floor.refused?.code).toBe("table-is-full");
  });

  test("an answer that nobody awaits changes nothing", () => {
    connected().tell(
      { t: "accepted", id: "of an earlier page", version: 1 },
      { t: "refused", id: "another", code: "refused", message: "", clause: "" },
    );
    expect(floor.refused).toBeNull();
  });

  test("what has no answer yet is asked again under the same id, in its order, until it is answered", async () => {
    connected();
    const asked = fate(floor.buy("T1", 100));
    const ticket = fate(floor.collect("T1", "my-ticket"));
    const sent = FakeSocket.last.sent;
    expect(sent).toHaveLength(2);
    expect(reconnected().sent).toEqual(sent);
    expect(reconnected().sent).toEqual(sent);
    const buy = FakeSocket.last.of("buy")[0]!;
    FakeSocket.last.tell({ t: "accepted", id: buy.id, version: 7 });
    await settled();
    expect(asked.answer).toBeDefined();
    expect(ticket.answer).toBeUndefined();
    expect(reconnected().sent).toEqual([{ t: "collect", id: "my-ticket", table: "T1" }]);
  });

  test("what is asked while there is no connection is held until there is one", () => {
    void floor.buy("T1", 100);
    floor.connect();
    void floor.buy("T1", 200);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("buy").map((each) => each.cents)).toEqual([100, 200]);
  });

  test("the page looks on again before it asks again", () => {
    connected();
    void floor.buy("T1", 100);
    floor.sit("T1");
    expect(reconnected().sent.map((each) => each.t)).toEqual(["sit", "buy"]);
  });

  test("a ticket that may have been given already is asked for again, and no other", () => {
    connected();
    void floor.collect("T1", "my-ticket", true);
    expect(FakeSocket.last.sent).toEqual([{ t: "collect", id: "my-ticket", table: "T1", again: true }]);
  });

  test("no two ids are alike, and the later sorts after the earlier", () => {
    const ids = Array.from({ length: 50 }, () => {
      vi.advanceTimersByTime(1);
      return floor.freshId();
    });
    expect(new Set(ids).size).toBe(50);
    expect(ids.toSorted()).toEqual(ids);
    expect(parseInt(ids[0]!.slice(0, 12), 16)).toBe(Date.now() - 49);
    vi.spyOn(crypto, "getRandomValues").mockImplementation((array) => array);
    expect(floor.freshId()).not.toBe(floor.freshId());
  });
});

describe("what the floor does not know yet", () => {
  const ANN = { patron: "ann", staff: "" };

  test("keeps its place, and is asked again under the same id until it is known", async () => {
    const socket = connected();
    const asked = fate(floor.buy("T1", 100));
    const [buy] = socket.of("buy");
    socket.tell({ t: "unknown", id: buy!.id });
    await settled();
    expect([asked.answer, asked.refusal, floor.inDoubt]).toEqual([undefined, null, 1]);
    vi.advanceTimersByTime(2_000);
    expect(socket.of("buy")).toEqual([buy, buy]);
    socket.tell({ t: "unknown", id: buy!.id });
    vi.advanceTimersByTime(3_999);
    expect(socket.of("buy")).toHaveLength(2);
    vi.advanceTimersByTime(1);
    expect(socket.of("buy")).toHaveLength(3);
    socket.tell({ t: "accepted", id: buy!.id, version: 7 });
    await settled();
    expect([asked.answer, floor.inDoubt]).toEqual([{ t: "accepted", id: buy!.id, version: 7 }, 0]);
    vi.advanceTimersByTime(60_000);
    expect(socket.of("buy")).toHaveLength(3);
  });

  test("is refused once it is known that it was never written", async () => {
    const socket = connected();
    const asked = fate(floor.buy("T1", 100));
    const { id } = socket.of("buy")[0]!;
    socket.tell({ t: "unknown", id }, { t: "refused", id, code: "not-written", message: "", clause: "" });
    await settled();
    expect([asked.refusal?.code, floor.inDoubt]).toEqual(["not-written", 0]);
  });

  test.each(["store-gone", "closing", "too-fast"])("is not settled by a refusal of asking again: %s", async (code) => {
    const socket = connected();
    const asked = fate(floor.buy("T1", 100));
    const { id } = socket.of("buy")[0]!;
    reconnected().tell({ t: "refused", id, code, message: "", clause: "" });
    await settled();
    expect([asked.refusal, floor.inDoubt]).toEqual([null, 1]);
    FakeSocket.last.tell({ t: "accepted", id, version: 7 });
    await settled();
    expect(asked.answer).toBeDefined();
  });

  test("what was asked once and refused by a store that is away is refused", async () => {
    const socket = connected();
    const asked = fate(floor.buy("T1", 100));
    const { id } = socket.of("buy")[0]!;
    socket.tell({ t: "refused", id, code: "store-gone", message: "", clause: "" });
    await settled();
    expect(asked.refusal?.code).toBe("store-gone");
  });

  test("a stake in doubt is asked again in another round too: it counts in its own or not at all", () => {
    const socket = connected();
    socket.tell(whole("T1", { round: 5 }));
    void floor.stake("T1", "Tie", 500);
    const [stake] = socket.of("stake");
    socket.tell({ t: "unknown", id: stake!.id });
    const again = reconnected();
    again.tell(whole("T1", { round: 6 }));
    expect(again.of("stake")).toEqual([stake]);
  });

  test("what is asked twice under one id is one question", async () => {
    const socket = connected();
    const both = [fate(floor.collect("T1", "my-ticket")), fate(floor.collect("T1", "my-ticket", true))];
    expect(socket.of("collect")).toHaveLength(1);
    socket.tell({ t: "ticket", id: "my-ticket", code: "X", cents: 5 });
    await settled();
    expect(both.map((each) => each.answer)).toHaveLength(2);
    expect(both[0]!.answer).toBe(both[1]!.answer);
  });

  test("a page that is loaded anew asks again, under the same ids, as the same person, and not for ever", () => {
    const load = (who: Partial<typeof ANN>, ms = 0): FakeSocket => {
      vi.advanceTimersByTime(ms);
      floor = new (only.constructor as new () => typeof only)();
      const socket = connected();
      socket.tell(welcome({ ...ANN, ...who }));
      return socket;
    };
    const first = load(ANN);
    first.tell(whole("T1", { round: 5 }));
    void floor.buy("T1", 100);
    void floor.stake("T1", "Tie", 500);
    void floor.collect("T1", "my-ticket");
    void floor.redeem("T1", "ABCD-EFGH");
    expect(JSON.stringify(sessionStorage)).not.toContain("ABCD");
    const [[buy], [stake]] = [first.of("buy"), first.of("stake")];
    const second = load(ANN);
    expect([second.of("buy"), second.of("collect"), second.of("redeem")]).toEqual([[buy], [], []]);
    second.tell(whole("T1", { round: 5 }));
    expect(second.of("stake")).toEqual([stake]);
    second.tell({ t: "accepted", id: stake!.id, version: 8 });
    expect(load({ patron: "bob" }).of("buy")).toEqual([]);
    void floor.act("T1", { do: "close-table" });
    sessionStorage.setItem(
      "punto.unanswered",
      JSON.stringify([{ message: buy, round: 0, who: "ann\n", at_ms: Date.now() }]),
    );
    expect(load(ANN, 600_000).of("buy")).toEqual([]);
    sessionStorage.setItem("punto.unanswered", "broken");
    expect(load(ANN).sent).toEqual([]);
  });

  test("a floor that is run elsewhere is said to be, and looked for", () => {
    connected().tell({ t: "ended", code: "elsewhere", message: "" });
    expect([floor.elsewhere, floor.ended]).toEqual([true, null]);
    reconnected();
    expect(floor.elsewhere).toBe(false);
  });
});

describe("a stake is for its round", () => {
  test("a stake says for which round it is", () => {
    const socket = connected();
    socket.tell(whole("T1", { round: 5 }));
    void floor.stake("T1", "Tie", 500);
    expect(socket.of("stake")[0]).toMatchObject({ table: "T1", wager: "Tie", cents: 500, round: 5 });
  });

  test("in the same round it is asked again under its id, once the table is seen again", () => {
    connected().tell(whole("T1", { round: 5 }));
    void floor.stake("T1", "Tie", 500);
    const [first] = FakeSocket.last.of("stake");
    const again = reconnected();
    expect(again.of("stake")).toEqual([]);
    again.tell(whole("T2", { round: 5 }));
    expect(again.of("stake")).toEqual([]);
    again.tell(whole("T1", { round: 5 }));
    expect(again.of("stake")).toEqual([first]);
  });

  test.each([4, 6])("in another round (%d) it is never asked again, and the patron is told", async (round) => {
    connected().tell(whole("T1", { round: 5 }));
    const asked = fate(floor.stake("T1", "Tie", 500));
    reconnected().tell(whole("T1", { round }));
    await settled();
    expect(asked.refusal?.code).toBe("round-over");
    expect(FakeSocket.last.of("stake")).toEqual([]);
    reconnected().tell(whole("T1", { round: 5 }));
    expect(FakeSocket.last.of("stake")).toEqual([]);
  });

  test("stakes made while the connection is lost wait for their round too", () => {
    connected().tell(whole("T1", { round: 5 }));
    FakeSocket.last.cut();
    void floor.stake("T1", "Tie", 500);
    void floor.stake("T1", "Player", 700);
    vi.advanceTimersByTime(1_000);
    FakeSocket.last.open();
    expect(FakeSocket.last.of("stake")).toEqual([]);
    FakeSocket.last.tell(whole("T1", { round: 5 }));
    expect(FakeSocket.last.of("stake").map((each) => each.wager)).toEqual(["Tie", "Player"]);
  });

  test("one table's round decides nothing at another", async () => {
    connected().tell(whole("T1", { round: 5 }), whole("T2", { round: 9 }));
    const asked = fate(floor.stake("T1", "Tie", 500));
    reconnected().tell(whole("T2", { round: 10 }));
    await settled();
    expect(asked.refusal).toBeNull();
  });

  test.each([
    { do: "announce" },
    { do: "draw-card" },
    { do: "settle" },
    { do: "close-bets" },
    { do: "rule", ruling: "void", reason: "so" },
  ] as const)("an act of a round, such as $do, is given in that round or not at all", async (act) => {
    connected().tell(whole("T1", { round: 5 }));
    const asked = fate(floor.act("T1", act));
    expect(FakeSocket.last.of("do")).toHaveLength(1);
    const again = reconnected();
    expect(again.of("do")).toEqual([]);
    again.tell(whole("T1", { round: 6 }));
    await settled();
    expect(asked.refusal?.code).toBe("round-over");
    expect(again.of("do")).toEqual([]);
  });

  test.each([
    { do: "end-shoe" },
    { do: "load-shoe" },
    { do: "open-bets" },
    { do: "close-table" },
    { do: "buy-in", cents: 100 },
    { do: "cash-out", cents: 100 },
  ] as const)("an act that means the same in any round, such as $do, is asked again at once", (act) => {
    connected().tell(whole("T1", { round: 5 }));
    void floor.act("T1", act);
    const given = FakeSocket.last.of("do");
    expect(reconnected().of("do")).toEqual(given);
  });
});

describe("what is told", () => {
  test("a table is told whole, and then what changes", () => {
    const socket = connected();
    socket.tell(whole("T1", { phase: "bets-open", round: 3, patrons: 2 }));
    socket.tell(news("T1", { phase: "bets-closed" }));
    expect(floor.tables["T1"]?.state).toMatchObject({ phase: "bets-closed", round: 3, patrons: 2 });
    socket.tell(whole("T1", { phase: "idle", round: 4, patrons: 0 }));
    expect(floor.tables["T1"]?.state).toMatchObject({ phase: "idle", round: 4, patrons: 0 });
  });

  test("one's own part and the staff's are kept when a table is told whole again, and change in parts", () => {
    const socket = connected();
    socket.tell(whole("T1"), toldOwn("T1", own({ seat: 3 })), toldStaff("T1", { device: "ann" }));
    socket.tell(toldOwn("T1", { device: true }), toldStaff("T1", { unread: 2 }), whole("T1"));
    expect(floor.tables["T1"]?.own).toMatchObject({ seat: 3, device: true });
    expect(floor.tables["T1"]?.staff).toMatchObject({ device: "ann", unread: 2 });
  });

  test("tables do not mix", () => {
    connected().tell(whole("T1", { round: 1 }), whole("T2", { round: 2 }), news("T2", { phase: "void" }));
    expect(floor.tables["T1"]?.state).toMatchObject({ round: 1, phase: "bets-open" });
    expect(floor.tables["T2"]?.state).toMatchObject({ round: 2, phase: "void" });
  });

  test("a countdown begins when it is told, goes on while other things change, and ends when there is none", () => {
    const socket = connected();
    const clock = { what: "bets", remaining_ms: 9_000, total_ms: 15_000, at_ms: 1_000, side: null } as const;
    socket.tell(whole("T1", { clock }));
    const ends = performance.now() + 9_000;
    expect(floor.tables["T1"]?.clock).toEqual({ what: "bets", at: ends, total_ms: 15_000, side: null });
    vi.advanceTimersByTime(1_000);
    socket.tell(news("T1", { patrons: 4 }));
    expect(floor.tables["T1"]?.clock?.at).toBe(ends);
    socket.tell(news("T1", { clock: null }));
    expect(floor.tables["T1"]?.clock).toBeNull();
  });

  test("a floor that was started anew has another clock, and no countdown is short for it", () => {
    const clock = { what: "bets", remaining_ms: 9_000, total_ms: 15_000, at_ms: 5_000_000, side: null } as const;
    connected().tell(whole("T1", { clock }));
    reconnected().tell(whole("T1", { clock: { ...clock, at_ms: 10 } }));
    expect(floor.tables["T1"]?.clock?.at).toBe(performance.now() + 9_000);
  });

  test("the welcome and the purse are told with when they came", () => {
    const socket = connected();
    vi.advanceTimersByTime(700);
    socket.tell(welcome({ now_ms: 42 }));
    const at = performance.now();
    vi.advanceTimersByTime(300);
    socket.tell({ t: "purse", purse: purse({ credits_cents: 77 }) });
    expect([floor.welcome?.now_ms, floor.welcomedAt]).toEqual([42, at]);
    expect([floor.purse?.credits_cents, floor.pursedAt]).toEqual([77, at + 300]);
  });

  test("of the floor, tables come that have changed; the others stay", () => {
    const socket = connected();
    socket.tell({ t: "floor", tiles: [tile({ key: "T1" }), tile({ key: "T2" })] });
    socket.tell({ t: "floor", tiles: [tile({ key: "T2", phase: "void" })] });
    expect(Object.values(floor.tiles).map(({ key, phase }) => [key, phase])).toEqual([
      ["T1", "idle"],
      ["T2", "void"],
    ]);
  });
});

describe("the end", () => {
  test("a page that was ended stays so: it does not come back by itself", () => {
    const socket = connected();
    socket.tell({ t: "ended", code: "replaced", message: "another device" });
    expect(floor.ended).toEqual({ code: "replaced", message: "another device" });
    socket.cut();
    expect(floor.status).toBe("ended");
    vi.advanceTimersByTime(60_000);
    floor.connect();
    dispatchEvent(new Event("online"));
    expect(FakeSocket.begun).toHaveLength(1);
  });

  test("a floor that closes is waited for, and what was asked is asked again when it opens", () => {
    const socket = connected();
    void floor.buy("T1", 100);
    socket.tell({ t: "ended", code: "stopping", message: "" });
    expect(floor.stopped).toBe(true);
    expect(floor.ended).toBeNull();
    const again = reconnected();
    expect(floor.stopped).toBe(false);
    expect(again.of("buy")).toHaveLength(1);
  });
});

describe("what is told of the whole floor", () => {
  test("claims, the queue of claims and alarms are those that were told last", () => {
    const socket = connected();
    const claim = {
      claim: 1,
      table: "T1",
      round: 3,
      shoe: 1,
      about: "stake",
      outcome: "open",
      remaining_ms: 5,
    } as const;
    socket.tell({ t: "claims", claims: [claim] });
    expect(floor.claims).toEqual([claim]);
    socket.tell({ t: "claim-queue", claims: [], open: 2, overdue: 1 });
    expect(floor.claimQueue).toMatchObject({ claims: [], open: 2, overdue: 1 });
    expect(floor.claimQueue.told).toBe(performance.now());
    const alarm = {
      what: "audit",
      text: { en: "The last audit found something wrong", zh: "上次审计发现不符" },
    } as const;
    socket.tell({ t: "alarms", alarms: [alarm] });
    expect(floor.alarms).toEqual([alarm]);
    socket.tell({ t: "alarms", alarms: [] });
    expect(floor.alarms).toEqual([]);
  });
});
