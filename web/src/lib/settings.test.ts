// What a device keeps, how a page looks and sounds, and the short words that it shows.
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { keep, kept } from "./kept";
import { toasts } from "./toasts.svelte";

describe("what is kept", () => {
  test("stays under Punto's own name", () => {
    keep("theme", "dark");
    expect(kept("theme")).toBe("dark");
    expect(localStorage.getItem("punto.theme")).toBe("dark");
    expect(kept("sound")).toBeNull();
  });

  test("a device that refuses storage keeps nothing, and nothing breaks", () => {
    const refuse = (): never => {
      throw new DOMException("", "SecurityError");
    };
    vi.stubGlobal("localStorage", { getItem: refuse, setItem: refuse });
    keep("theme", "dark");
    expect(kept("theme")).toBeNull();
  });
});

describe("short words", () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.advanceTimersByTime(10_000);
    vi.useRealTimers();
  });

  test("go by themselves after a while", () => {
    toasts.show("Paid", "won");
    expect([toasts.text, toasts.shown?.tone]).toEqual(["Paid", "won"]);
    vi.advanceTimersByTime(4_400);
    expect(toasts.text).toBe("Paid");
    vi.advanceTimersByTime(200);
    expect([toasts.text, toasts.shown]).toEqual(["", null]);
  });

  test("the last is what counts, and has all its time", () => {
    toasts.show("one");
    vi.advanceTimersByTime(4_000);
    toasts.show("two");
    vi.advanceTimersByTime(4_000);
    expect(toasts.text).toBe("two");
  });

  test("can be put away, but not in place of others", () => {
    toasts.show("one");
    const first = toasts.shown!.id;
    toasts.show("two");
    toasts.dismiss(first);
    expect(toasts.text).toBe("two");
    toasts.dismiss(toasts.shown!.id);
    expect(toasts.text).toBe("");
  });

  test("are worded anew each time that they are read", () => {
    let words = "English";
    toasts.show(() => words);
    words = "中文";
    expect(toasts.text).toBe("中文");
  });
});

describe("the theme", () => {
  let change: (() => void) | undefined;

  /** A page that is opened on a device that is light or dark. */
  async function opened(
    light: boolean,
  ): Promise<{ theme: typeof import("./theme.svelte").theme; device: { matches: boolean } }> {
    document.head.innerHTML = '<meta name="theme-color" content="">';
    delete document.documentElement.dataset.theme;
    const device = { matches: light, addEventListener: (_: string, listener: () => void) => (change = listener) };
    vi.stubGlobal("matchMedia", () => device);
    vi.resetModules();
    return { theme: (await import("./theme.svelte")).theme, device };
  }
  const bars = (): string => document.querySelector("meta[name=theme-color]")?.getAttribute("content") ?? "";

  afterEach(() => vi.resetModules());

  test("is the device's until a person chooses", async () => {
    const { theme, device } = await opened(true);
    expect([theme.current, document.documentElement.dataset.theme]).toEqual(["light", undefined]);
    const light = bars();
    device.matches = false;
    change?.();
    expect(theme.current).toBe("dark");
    expect(bars()).not.toBe(light);
    theme.choose("light");
    device.matches = false;
    change?.();
    expect([theme.current, document.documentElement.dataset.theme, bars()]).toEqual(["light", "light", light]);
  });

  test("that was chosen is there again, whatever the device is", async () => {
    (await opened(true)).theme.choose("dark");
    const { theme } = await opened(true);
    expect([theme.current, document.documentElement.dataset.theme]).toEqual(["dark", "dark"]);
  });

  test("that nobody knows is none", async () => {
    keep("theme", "pink");
    expect((await opened(false)).theme.current).toBe("dark");
  });
});

describe("sound", () => {
  /** A loudspeaker that only counts. */
  class FakeAudio {
    static made: FakeAudio[] = [];
    state = "suspended";
    currentTime = 0;
    sampleRate = 8_000;
    destination = {};
    tones = 0;
    constructor() {
      FakeAudio.made.push(this);
    }
    resume(): Promise<void> {
      this.state = "running";
      return Promise.resolve();
    }
    #node(): Record<string, unknown> {
      const level = {
        value: 0,
        setValueAtTime: vi.fn(),
        linearRampToValueAtTime: vi.fn(),
        exponentialRampToValueAtTime: vi.fn(),
      };
      const start = (): number => (this.tones += 1);
      return { gain: level, frequency: level, Q: level, start, stop: vi.fn(), connect: (to: unknown) => to };
    }
    createGain = (): unknown => this.#node();
    createOscillator = (): unknown => this.#node();
    createBiquadFilter = (): unknown => this.#node();
    createBufferSource = (): unknown => this.#node();
    createBuffer = (_: number, length: number): unknown => ({ getChannelData: () => new Float32Array(length) });
  }

  async function opened(touched: boolean): Promise<typeof import("./sound.svelte").sound> {
    FakeAudio.made = [];
    vi.stubGlobal("AudioContext", FakeAudio);
    Object.defineProperty(navigator, "userActivation", { configurable: true, value: { hasBeenActive: touched } });
    vi.resetModules();
    return (await import("./sound.svelte")).sound;
  }
  afterEach(() => {
    Reflect.deleteProperty(navigator, "userActivation");
    vi.resetModules();
  });

  test("nothing sounds before the first touch", async () => {
    (await opened(false)).play("chip");
    expect(FakeAudio.made).toEqual([]);
  });

  test("every sound is heard once the page was touched, from one loudspeaker that is awake", async () => {
    const sound = await opened(true);
    for (const name of ["chip", "slide", "turn", "open", "close", "win"] as const) {
      const before = FakeAudio.made[0]?.tones ?? 0;
      sound.play(name);
      expect(FakeAudio.made[0]?.tones).toBeGreaterThan(before);
    }
    expect(FakeAudio.made.map((each) => each.state)).toEqual(["running"]);
  });

  test("a page that was made silent is silent, and stays so", async () => {
    const sound = await opened(true);
    expect(sound.on).toBe(true);
    sound.on = false;
    sound.play("win");
    const again = await opened(true);
    again.play("win");
    expect([again.on, FakeAudio.made]).toEqual([false, []]);
    again.on = true;
    again.play("win");
    expect(FakeAudio.made).toHaveLength(1);
  });
});
