// The door: who one is, and what is said to who is not let in.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { toasts } from "../../lib/toasts.svelte";
import { language } from "../../lib/words";
import { Refusal } from "../../live";
import { signOut } from "./leaving";
import { doorLine, identity } from "./me.svelte";
import { positionsToGive, positionTitle, STAFF_POSITIONS } from "./positions";
import "./words";

describe("what is said at the door", () => {
  test.each(["wrong-password", "password-expired", "wrong-proof", "second-needed", "too-fast", "bad-code"])(
    "%s is said in one's own language, without the floor's words",
    (code) => {
      const english = doorLine(new Refusal(code, "the floor's words"));
      expect(english).not.toContain("the floor");
      language.show("zh");
      expect(doorLine(new Refusal(code, "the floor's words"))).not.toBe(english);
    },
  );

  test("a password that will not do says why", () => {
    expect(doorLine(new Refusal("bad-password", "it is too short"))).toBe("This password will not do: it is too short");
  });

  test("anything else is said as everywhere", () => {
    expect(doorLine(new Refusal("store-gone", ""))).toMatch(/^The floor cannot write/);
    expect(doorLine(new TypeError("x"))).toBe("That did not work: try again");
  });
});

describe("who one is", () => {
  const asked: string[] = [];
  let answers: Record<string, unknown>;

  beforeEach(() => {
    asked.length = 0;
    identity.me = null;
    answers = {};
    vi.stubGlobal("fetch", (path: string, { method, body }: RequestInit) => {
      asked.push(`${method} ${path} ${typeof body === "string" ? body : ""}`.trim());
      const answer = answers[path];
      const status = answer instanceof Refusal ? 409 : 200;
      const said = answer instanceof Refusal ? { code: answer.code, message: answer.message } : (answer ?? {});
      return Promise.resolve(
        new Response(JSON.stringify(said), { status, headers: { "content-type": "application/json" } }),
      );
    });
  });
  afterEach(() => {
    identity.me = null;
  });

  test("is what the floor says", async () => {
    answers["/api/me"] = { patron: "ann" };
    await identity.ask();
    expect(identity.me).toMatchObject({ patron: "ann" });
  });

  test("is somebody else once one has signed in, with what the floor says of that", async () => {
    answers["/api/sign-in"] = { staff: "dan" };
    expect(await identity.signIn("dan", "secret")).toMatchObject({ staff: "dan" });
    expect([identity.me?.staff, asked]).toEqual([
      "dan",
      ['POST /api/sign-in {"name":"dan","password":"secret","code":""}'],
    ]);
  });

  test("stays the same where one is not let in", async () => {
    answers["/api/sign-in"] = new Refusal("wrong-password", "");
    await expect(identity.signIn("dan", "guess")).rejects.toMatchObject({ code: "wrong-password" });
    expect(identity.me).toBeNull();
  });

  test.each([
    ["POST /api/sign-out {}", () => identity.signOut()],
    ['POST /api/password {"old":"old","new":"new"}', () => identity.changePassword("old", "new")],
    ['POST /api/enrol {"code":"1234"}', () => identity.enrol("1234")],
  ])("is asked again after %s", async (said, act) => {
    answers["/api/me"] = { patron: "after" };
    await act();
    expect([asked, identity.me?.patron]).toEqual([[said, "GET /api/me"], "after"]);
  });

  test("signing out leads to the door, and is said where it is refused", async () => {
    const assign = vi.fn();
    vi.stubGlobal("location", { assign });
    await signOut();
    expect(assign).toHaveBeenCalledWith("/sign-in");
    answers["/api/sign-out"] = new Refusal("store-gone", "");
    await signOut();
    expect(assign).toHaveBeenCalledTimes(1);
    expect(toasts.shown?.tone).toBe("refused");
  });
});

test("positions are given to others up to one's own", () => {
  expect(positionsToGive("pit-manager")).toEqual(["dealer", "pit-supervisor", "pit-manager"]);
  expect(positionsToGive("gaming-shift-manager")).toEqual(STAFF_POSITIONS);
  expect(positionsToGive("casino-director")).toEqual(STAFF_POSITIONS);
  expect(positionsToGive("")).toEqual([]);
});

test("every position of staff has a title, in both languages", () => {
  const english = STAFF_POSITIONS.map(positionTitle);
  expect(new Set(english).size).toBe(7);
  expect(positionTitle("")).toBe("");
  language.show("zh");
  expect(STAFF_POSITIONS.map(positionTitle).some((title) => english.includes(title))).toBe(false);
});
