// What a decision would do, asked while it is made.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { moment } from "../../../../../tests/patron";
import { api, Refusal } from "../../../../live";
import type { Foresight } from "../../../../wire";
import { Foreseeing } from "./foresight.svelte";
import type { Decided } from "./parts";
import "../words";

const VOID: Decided = { do: "rule", ruling: "void", matter: 1, round: 2 };
const GOES_ON: Decided = { do: "rule", ruling: "continue", matter: 1, round: 2 };

const answer = (phase: Foresight["phase"]): Foresight => ({
  phase,
  player: [],
  banker: [],
  discarded: [],
  discarded_next: 0,
  next: [],
  shoe_replaced: false,
  more_to_decide: false,
  money: [],
});

describe("what a decision would do", () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  test("is asked a moment after the last change, and once", async () => {
    const post = vi.spyOn(api, "post").mockResolvedValue(answer("void"));
    const foreseeing = new Foreseeing("T1");
    foreseeing.ask(GOES_ON);
    vi.advanceTimersByTime(200);
    foreseeing.ask(VOID);
    vi.advanceTimersByTime(299);
    expect(post).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(1);
    expect(post).toHaveBeenCalledOnce();
    expect(post.mock.calls[0]).toMatchObject([
      "/api/tables/{key}/foresight",
      { at: { key: "T1" }, body: { ...VOID, reason: "…" } },
    ]);
    expect([foreseeing.is(VOID), foreseeing.is(GOES_ON), foreseeing.is(null)]).toEqual([true, false, false]);
    expect(foreseeing.answer?.phase).toBe("void");
  });

  test("is not answered late: what is asked anew calls the rest off", async () => {
    const answers: ((said: Foresight) => void)[] = [];
    const signals: AbortSignal[] = [];
    vi.spyOn(api, "post").mockImplementation((_, asked) => {
      signals.push((asked as { signal: AbortSignal }).signal);
      return new Promise<Foresight>((resolve) => answers.push(resolve));
    });
    const foreseeing = new Foreseeing("T1");
    foreseeing.ask(GOES_ON);
    await vi.advanceTimersByTimeAsync(300);
    foreseeing.ask(VOID);
    await vi.advanceTimersByTimeAsync(300);
    expect(signals.map((signal) => signal.aborted)).toEqual([true, false]);
    answers[1]!(answer("void"));
    answers[0]!(answer("drawing"));
    await vi.advanceTimersByTimeAsync(0);
    expect([foreseeing.answer?.phase, foreseeing.is(VOID)]).toEqual(["void", true]);
  });

  test("counts no longer once it is asked again, and stays in sight until then", async () => {
    vi.spyOn(api, "post").mockResolvedValue(answer("void"));
    const foreseeing = new Foreseeing("T1");
    foreseeing.ask(VOID);
    await vi.advanceTimersByTimeAsync(300);
    foreseeing.ask(VOID);
    expect([foreseeing.is(VOID), foreseeing.answer?.phase]).toEqual([false, "void"]);
    foreseeing.clear();
    expect(foreseeing.answer).toBeNull();
    await vi.advanceTimersByTimeAsync(300);
    expect(foreseeing.answer).toBeNull();
  });

  test("is told why it cannot be", async () => {
    vi.spyOn(api, "post").mockRejectedValue(new Refusal("bad-count", "3 cards were counted"));
    const foreseeing = new Foreseeing("T1");
    foreseeing.ask(VOID);
    await vi.advanceTimersByTimeAsync(300);
    expect([foreseeing.refusal, foreseeing.answer, foreseeing.is(VOID)]).toEqual(["3 cards were counted", null, true]);
  });

  test("is told nothing by a call that was called off", async () => {
    vi.spyOn(api, "post").mockRejectedValue(new Refusal("lost", ""));
    const foreseeing = new Foreseeing("T1");
    foreseeing.ask(VOID);
    vi.advanceTimersByTime(300);
    foreseeing.stop();
    vi.useRealTimers();
    await moment();
    expect([foreseeing.refusal, foreseeing.is(VOID)]).toEqual(["", false]);
  });
});
