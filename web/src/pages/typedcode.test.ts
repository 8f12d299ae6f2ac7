import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { Refusal } from "../live";
import { TypedCode } from "./typedcode.svelte";

const CODE = "ABCD-EFGH";

describe("the code of a ticket that somebody types", () => {
  let code: TypedCode;

  beforeEach(() => {
    vi.useFakeTimers();
    code = new TypedCode();
    code.text = CODE;
  });
  afterEach(() => vi.useRealTimers());

  test("goes when nobody has typed for two minutes", () => {
    vi.advanceTimersByTime(119_000);
    code.text += "-JKLM";
    vi.advanceTimersByTime(119_000);
    expect(code.text).toBe(`${CODE}-JKLM`);
    vi.advanceTimersByTime(1_000);
    expect(code.text).toBe("");
  });

  test("goes once it was redeemed, and what was typed meanwhile stays", async () => {
    expect(await code.use((used) => Promise.resolve(used))).toBe(CODE);
    expect(code.text).toBe("");
    code.text = CODE;
    await code.use(() => {
      code.text = "another";
      return Promise.resolve();
    });
    expect(code.text).toBe("another");
  });

  test("goes once it was refused for good", async () => {
    const refused = code.use(() => Promise.reject(new Refusal("bad-ticket", "")));
    await expect(refused).rejects.toThrow(Refusal);
    expect(code.text).toBe("");
  });

  test.each(["too-fast", "store-gone", "not-known", "lost"])("stays to be tried again after %s", async (why) => {
    await expect(code.use(() => Promise.reject(new Refusal(why, "")))).rejects.toThrow(Refusal);
    expect(code.text).toBe(CODE);
  });
});
