import { beforeEach, describe, expect, test } from "vitest";
import { isFree, isLost, isSqueezing, toLayout, toOffer } from "./focus";

beforeEach(() => {
  document.body.innerHTML = `
    <article data-table="T1">
      <div class="offer"><button id="hidden">Take</button><button id="offer">Take</button></div>
      <button data-wager="Tie" id="tie"></button><button data-wager="Player" id="player"></button>
    </article>
    <article data-table="T 2"><button data-wager="Tie" id="other"></button></article>
    <dialog open><button id="in-dialog"></button></dialog>`;
  Element.prototype.checkVisibility = function (): boolean {
    return this.id !== "hidden";
  };
});

const focus = (id: string): void => document.getElementById(id)!.focus();
const focused = (): string => document.activeElement?.id ?? "";

describe("the focus", () => {
  test("is lost where nothing has it, or what has it is gone, unseen or can do nothing", () => {
    (document.activeElement as HTMLElement | null)?.blur();
    expect(isLost()).toBe(true);
    focus("tie");
    expect(isLost()).toBe(false);
    document.getElementById("tie")!.setAttribute("disabled", "");
    expect(isLost()).toBe(true);
    focus("hidden");
    expect(isLost()).toBe(true);
    document.getElementById("hidden")!.remove();
    expect(isLost()).toBe(true);
  });

  test("may be taken by its own table, by any where nobody has it, and by none out of a dialog or from another", () => {
    (document.activeElement as HTMLElement | null)?.blur();
    expect(isFree("T1")).toBe(true);
    focus("tie");
    expect([isFree("T1"), isFree("T 2")]).toEqual([true, false]);
    focus("in-dialog");
    expect([isFree("T1"), isFree("T 2")]).toEqual([false, false]);
  });

  test("goes to the first offer that is in sight, where there is one", () => {
    expect(toOffer("T1")).toBe(true);
    expect(focused()).toBe("offer");
    expect(toOffer("T 2")).toBe(false);
    expect(focused()).toBe("offer");
  });

  test("goes to the layout only where it is lost: to Player first, whatever a table is called", () => {
    focus("in-dialog");
    toLayout("T1");
    expect(focused()).toBe("in-dialog");
    document.getElementById("in-dialog")!.blur();
    toLayout("T1");
    expect(focused()).toBe("player");
    document.getElementById("player")!.blur();
    toLayout("T 2");
    expect(focused()).toBe("other");
  });

  test("goes to a card that is being squeezed before the layout, and is not taken out of the hand", () => {
    (document.activeElement as HTMLElement | null)?.blur();
    document
      .querySelector("article")!
      .insertAdjacentHTML("beforeend", '<div class="squeezing"><i role="slider" tabindex="0" id="card"></i></div>');
    expect(isSqueezing()).toBe(false);
    toLayout("T1");
    expect([focused(), isSqueezing()]).toEqual(["card", true]);
  });
});
