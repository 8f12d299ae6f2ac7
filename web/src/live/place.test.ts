import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { place, stays } from "./place.svelte";

beforeEach(() => {
  place.go("/");
  document.body.innerHTML = '<a href="/tables/T1"><b>T1</b></a><p>no link</p>';
});
afterEach(() => place.go("/"));

/** Click, and say whether the browser would have followed the link. */
function click(on: string, init: MouseEventInit = {}): boolean {
  const element = document.querySelector(on)!;
  let event!: MouseEvent;
  element.addEventListener("click", (clicked) => stays((event = clicked as MouseEvent)), { once: true });
  element.dispatchEvent(new MouseEvent("click", { cancelable: true, ...init }));
  return !event.defaultPrevented;
}

describe("where the page is", () => {
  test("going somewhere changes the address, and Back goes back", () => {
    place.go("/tables/T1");
    expect([place.path, location.pathname]).toEqual(["/tables/T1", "/tables/T1"]);
    history.replaceState(null, "", "/lobby");
    dispatchEvent(new PopStateEvent("popstate"));
    expect(place.path).toBe("/lobby");
  });
});

describe("a link that stays in the page", () => {
  test("is followed without loading anything", () => {
    expect(click("a")).toBe(false);
    expect(place.path).toBe("/tables/T1");
  });

  test("is found from what lies in it", () => {
    expect(click("b")).toBe(false);
    expect(place.path).toBe("/tables/T1");
  });

  test.each([{ ctrlKey: true }, { metaKey: true }, { shiftKey: true }, { altKey: true }, { button: 1 }])(
    "is left to the browser where a person asks for a new page: %o",
    (init) => {
      expect(click("a", init)).toBe(true);
      expect(place.path).toBe("/");
    },
  );

  test("what is no link is left alone", () => {
    expect(click("p")).toBe(true);
    expect(place.path).toBe("/");
  });
});
