// A card comes from the shoe with its back up, lies, and only then turns.
import { flushSync, mount, unmount } from "svelte";
import { prefersReducedMotion } from "svelte/motion";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { reactive } from "../../../../tests/reactive.svelte";
import { Card } from "../../../lib/cards";
import { sound } from "../../../lib/sound.svelte";
import Dealt from "./Dealt.svelte";

/** The animations that were begun, each to be finished by the test. */
let begun: { frames: Keyframe[]; onfinish?: () => void; cancel: () => void }[] = [];
let mounted: object | undefined;

beforeEach(() => {
  begun = [];
  vi.useFakeTimers();
  vi.spyOn(sound, "play").mockImplementation(() => undefined);
  Element.prototype.animate = function (frames) {
    const animation = { frames: frames as Keyframe[], cancel: vi.fn() };
    begun.push(animation);
    return animation as unknown as Animation;
  };
});

afterEach(() => {
  if (mounted) void unmount(mounted);
  mounted = undefined;
  Reflect.deleteProperty(Element.prototype, "animate");
});

/** What is printed on the card, whatever the ids of its patterns. */
const print = (): string => document.querySelector("svg > g")!.innerHTML.replaceAll(/[\w-]+-(lattice|dye)/g, "$1");
const turning = (): typeof begun => begun.filter(({ frames }) => /rotateY/.test(String(frames[0]?.transform)));

function printed(card: string): string {
  const shown = mount(Card, { target: document.body, props: { card } });
  flushSync();
  const found = print();
  void unmount(shown);
  return found;
}

function wait(ms: number): void {
  vi.advanceTimersByTime(ms);
  flushSync();
}

test("a fresh card shows its back until it lies, 400 ms later, and its face once it stands on edge", () => {
  const [back, face] = [printed(""), printed("9h")];
  expect(face).not.toBe(back);
  mounted = mount(Dealt, { target: document.body, props: { card: "9h", fresh: true } });
  flushSync();
  wait(399);
  expect(print()).toBe(back);
  expect(document.querySelector("svg")!.getAttribute("aria-label")).not.toMatch(/nine/i);
  expect(turning()).toEqual([]);
  expect(vi.mocked(sound.play).mock.calls).toEqual([["slide"]]);
  wait(1);
  expect(turning()).toHaveLength(1);
  expect(print()).toBe(back);
  turning()[0]!.onfinish!();
  flushSync();
  expect(print()).toBe(face);
  expect(turning()).toHaveLength(2);
});

test("a card that was there before shows its face at once", () => {
  const face = printed("9h");
  mounted = mount(Dealt, { target: document.body, props: { card: "9h", fresh: false } });
  flushSync();
  expect(print()).toBe(face);
});

test("for who asks for less motion a card shows its face at once, and nothing moves", () => {
  const face = printed("9h");
  vi.spyOn(prefersReducedMotion, "current", "get").mockReturnValue(true);
  mounted = mount(Dealt, { target: document.body, props: { card: "9h", fresh: true } });
  flushSync();
  expect(print()).toBe(face);
  expect(begun).toEqual([]);
});

test.each([
  [true, 0],
  [false, 1],
])("a card that is turned by somebody turns before the eyes, unless less motion is asked for: %s", (less, times) => {
  vi.spyOn(prefersReducedMotion, "current", "get").mockReturnValue(less);
  const props = reactive({ card: "" });
  mounted = mount(Card, { target: document.body, props });
  flushSync();
  props.card = "9h";
  flushSync();
  expect(turning()).toHaveLength(times);
});
