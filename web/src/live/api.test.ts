import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { withNetwork, withoutNetwork } from "../../tests/socket";
import type { Refusal } from "./errors";

let api: typeof import("./api").api;
const fetched = vi.fn<typeof fetch>();

function answers(body: string | null, init: ResponseInit & { type?: string } = {}): void {
  const headers = init.type ? { "content-type": init.type } : undefined;
  fetched.mockImplementation(() => Promise.resolve(new Response(body, { ...init, headers })));
}

const JSON_TYPE = "application/json";

/** What was asked last: of whom, and how. */
function asked(): [unknown, RequestInit & { headers: Record<string, string> }] {
  return fetched.mock.lastCall as unknown as [unknown, RequestInit & { headers: Record<string, string> }];
}

async function refusalOf(asking: Promise<unknown>): Promise<Refusal> {
  const error = await asking.then(
    () => null,
    (error: unknown) => error,
  );
  const { Refusal } = await import("./errors");
  expect(error).toBeInstanceOf(Refusal);
  return error as Refusal;
}

beforeEach(async () => {
  withoutNetwork();
  vi.resetModules();
  fetched.mockReset();
  vi.stubGlobal("fetch", fetched);
  ({ api } = await import("./api"));
});
afterEach(withNetwork);

describe("a store that hangs", () => {
  test("is told in plain words: nothing was done, or nobody knows yet", async () => {
    answers('{"code":"store-gone","message":"the floor cannot write just now"}', { status: 503, type: JSON_TYPE });
    expect((await refusalOf(api.post("/api/guest"))).line).toBe(
      "The floor cannot write just now: nothing was accepted",
    );
    answers('{"code":"unknown","message":"ask again"}', { status: 503, type: JSON_TYPE });
    expect((await refusalOf(api.post("/api/guest"))).line).toContain("this may be done: look whether it is");
  });
});

describe("asking", () => {
  test("a question has no body, and an order has one of JSON", async () => {
    answers("{}", { type: JSON_TYPE });
    await api.get("/api/me");
    expect(asked()).toEqual(["/api/me", { method: "GET", headers: {}, body: undefined }]);
    await api.post("/api/sign-in", { body: { name: "ann", password: "old" } });
    expect(asked()).toEqual([
      "/api/sign-in",
      { method: "POST", headers: { "content-type": JSON_TYPE }, body: '{"name":"ann","password":"old"}' },
    ]);
    await api.post("/api/sign-out");
    expect(asked()[1].body).toBe("{}");
    await api.put("/api/terminals/{name}", { at: { name: "T1" }, body: { label: "by the door" } });
    expect([asked()[1].method, asked()[1].body]).toEqual(["PUT", '{"label":"by the door"}']);
    await api.delete("/api/sessions/{session}", { at: { session: "1" } });
    expect([asked()[1].method, asked()[1].body]).toEqual(["DELETE", undefined]);
  });

  test("whatever goes into an address stays in its place", async () => {
    answers("{}", { type: JSON_TYPE });
    await api.get("/api/tables/{key}/shoes/{number}", { at: { key: "a/b?c#d {e}", number: 7 } });
    expect(asked()[0]).toBe("/api/tables/a%2Fb%3Fc%23d%20%7Be%7D/shoes/7");
    await api.get("/api/tables/{key}/rounds", { at: { key: "T1" }, query: { last: 3, before: null } });
    expect(asked()[0]).toBe("/api/tables/T1/rounds?last=3");
    await api.get("/api/terminals", { query: { guests: false } });
    expect(asked()[0]).toBe("/api/terminals?guests=false");
    await api.get("/api/books", { query: { by: "day", table: "a&b" } });
    expect(asked()[0]).toBe("/api/books?by=day&table=a%26b");
  });

  test("what is asked can be called off", async () => {
    answers("[]", { type: JSON_TYPE });
    const { signal } = new AbortController();
    await api.get("/api/tables", { signal });
    expect(asked()[1].signal).toBe(signal);
  });

  test("JSON is read, other text is left as it is, and nothing is nothing", async () => {
    answers('{"patron": "ann"}', { type: "application/json; charset=utf-8" });
    expect(await api.get("/api/me")).toEqual({ patron: "ann" });
    answers("punto shoe 1\n", { type: "text/plain" });
    expect(await api.get("/api/tables/{key}/shoes/{number}", { at: { key: "T1", number: 1 } })).toBe("punto shoe 1\n");
    answers(null, { status: 204 });
    expect(await api.post("/api/sign-out")).toBeNull();
  });
});

describe("what is refused", () => {
  test("has the floor's code and words", async () => {
    answers('{"code": "wrong-password", "message": "no"}', { status: 403, type: "application/problem+json" });
    expect(await refusalOf(api.post("/api/guest"))).toMatchObject({ code: "wrong-password", message: "no" });
  });

  test.each([
    ["<html>Bad gateway</html>", "text/html"],
    ["", JSON_TYPE],
    ["{}", JSON_TYPE],
    ["null", JSON_TYPE],
    ["{broken", JSON_TYPE],
  ])("by something that is no floor has failed: %j", async (body, type) => {
    answers(body, { status: 502, type });
    expect((await refusalOf(api.get("/api/me"))).code).toBe("failed");
  });

  test("a floor that cannot be reached is lost, and so is an answer that breaks off", async () => {
    fetched.mockRejectedValue(new TypeError("Failed to fetch"));
    expect((await refusalOf(api.get("/api/me"))).code).toBe("lost");
    const broken = new ReadableStream({ start: (stream) => stream.error(new TypeError("network error")) });
    fetched.mockResolvedValue(new Response(broken, { headers: { "content-type": JSON_TYPE } }));
    expect((await refusalOf(api.get("/api/me"))).code).toBe("lost");
  });
});

describe("a page that nobody attends", () => {
  const unattended = async (): Promise<boolean> => {
    answers("{}", { type: JSON_TYPE });
    await api.get("/api/me");
    return asked()[1].headers["punto-unattended"] === "1";
  };

  test("says so once nobody has touched it for 10 s", async () => {
    expect(await unattended()).toBe(false);
    vi.advanceTimersByTime(10_000);
    expect(await unattended()).toBe(false);
    vi.advanceTimersByTime(1);
    expect(await unattended()).toBe(true);
  });

  test.each(["pointerdown", "keydown", "wheel"])("is attended again by a %s", async (kind) => {
    vi.advanceTimersByTime(60_000);
    expect(await unattended()).toBe(true);
    dispatchEvent(new Event(kind));
    expect(await unattended()).toBe(false);
  });

  test("is not attended by what merely moves over it", async () => {
    vi.advanceTimersByTime(60_000);
    dispatchEvent(new Event("pointermove"));
    expect(await unattended()).toBe(true);
  });
});
