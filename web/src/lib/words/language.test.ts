import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";

/** A page that is opened: on a floor of these languages, by a browser that likes those. */
async function opened(offered: string, liked: string[]): Promise<typeof import("./language.svelte").language> {
  document.head.innerHTML = offered ? `<meta name="punto-languages" content="${offered}">` : "";
  vi.spyOn(navigator, "languages", "get").mockReturnValue(liked);
  vi.resetModules();
  return (await import("./language.svelte")).language;
}

beforeEach(() => localStorage.clear());
afterEach(() => vi.resetModules());

describe("the first language", () => {
  test.each([
    ["", ["en-SG"], "en"],
    ["", ["zh-CN", "en"], "zh"],
    ["", ["fr-FR", "zh-TW"], "zh"],
    ["", ["fr-FR"], "en"],
    ["zh en", ["fr-FR"], "zh"],
    ["en", ["zh-CN"], "en"],
    ["zh", ["en-GB"], "zh"],
    ["xx", ["en-GB"], "en"],
  ])("on a floor that offers %j a browser that likes %j sees %s", async (offered, liked, first) => {
    expect((await opened(offered, liked)).current).toBe(first);
    expect(document.documentElement.lang).toBe(first === "zh" ? "zh-Hans" : "en");
  });

  test("what was chosen on this device comes before what the browser likes", async () => {
    (await opened("", ["en"])).choose("zh");
    expect((await opened("", ["en"])).current).toBe("zh");
  });

  test("what was chosen where it is not offered does not count", async () => {
    (await opened("", ["en"])).choose("zh");
    expect((await opened("en", ["en"])).current).toBe("en");
  });
});

describe("changing it", () => {
  test("the other language is the one that is not shown, and none where there is one only", async () => {
    const language = await opened("", ["en"]);
    expect(language.other).toBe("zh");
    language.choose("zh");
    expect([language.current, language.other, document.documentElement.lang]).toEqual(["zh", "en", "zh-Hans"]);
    expect((await opened("en", ["en"])).other).toBeNull();
  });

  test("a language that the floor does not offer is neither chosen nor shown", async () => {
    const language = await opened("en", ["en"]);
    language.choose("zh");
    language.show("zh");
    expect(language.current).toBe("en");
    expect(localStorage.getItem("punto.language")).toBeNull();
  });

  test("a language that is shown for now is not kept", async () => {
    (await opened("", ["en"])).show("zh");
    expect((await opened("", ["en"])).current).toBe("en");
  });

  test("a device that refuses storage still changes its language", async () => {
    const language = await opened("", ["en"]);
    vi.stubGlobal("localStorage", {
      setItem: () => {
        throw new DOMException("", "QuotaExceededError");
      },
    });
    language.choose("zh");
    expect(language.current).toBe("zh");
  });
});
