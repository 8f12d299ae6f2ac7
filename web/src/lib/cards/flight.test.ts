import { prefersReducedMotion } from "svelte/motion";
import { beforeEach, expect, test, vi } from "vitest";
import { flyFromShoe } from "./flight";

const animate = vi.fn<(frames: Keyframe[], options: KeyframeAnimationOptions) => void>();

beforeEach(() => {
  animate.mockReset();
  document.body.innerHTML =
    '<article data-table="T1"><i data-shoe></i><b id="card"></b></article><article data-table="T2"><b id="other"></b></article>';
  place("[data-shoe]", 500, 20, 40, 60);
  place("#card", 100, 300, 80, 120);
  place("#other", 100, 300, 80, 120);
});

function place(of: string, left: number, top: number, width: number, height: number): void {
  const element = document.querySelector(of)!;
  element.getBoundingClientRect = () => ({ left, top, width, height }) as DOMRect;
  element.animate = animate as unknown as Element["animate"];
}

const begins = (): unknown => animate.mock.lastCall?.[0][0]?.transform;

test("a card flies from the middle of its table's shoe to its own place, when its turn has come", () => {
  flyFromShoe(document.querySelector("#card")!, 250);
  expect(begins()).toMatch(/^translate\(380px, -310px\)/);
  expect(animate.mock.lastCall?.[0].at(-1)).toMatchObject({ transform: "none", opacity: 1 });
  expect(animate.mock.lastCall?.[1]).toMatchObject({ delay: 250, fill: "backwards" });
});

test("a card of a table without a shoe in sight comes from the corner of the screen, not from another's", () => {
  vi.stubGlobal("innerWidth", 1_000);
  flyFromShoe(document.querySelector("#other")!);
  expect(begins()).toMatch(/^translate\(860px, -360px\)/);
});

test("nothing flies where a person wants no motion", () => {
  vi.spyOn(prefersReducedMotion, "current", "get").mockReturnValue(true);
  flyFromShoe(document.querySelector("#card")!);
  expect(animate).not.toHaveBeenCalled();
});
