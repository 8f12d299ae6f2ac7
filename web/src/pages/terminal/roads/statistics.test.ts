import { flushSync, mount, unmount } from "svelte";
import { expect, test } from "vitest";
import { table } from "../../../../tests/states";
import Statistics from "./Statistics.svelte";

test("counts, pairs and chances stand under the hand that they are of", () => {
  const roads = { ...table().roads, bead: ["B", "Bp", "P", "Tb", "B", "Bb"] as never };
  const chances = { player: 0.446247, banker: 0.458597, tie: 0.095156 };
  const shown = mount(Statistics, { target: document.body, props: { game: table({ roads, chances }) } });
  flushSync();
  const rows = [...document.querySelectorAll("tr")].map((row) =>
    [...row.children].map((cell) => cell.textContent.replaceAll(/\s+/g, " ").trim()),
  );
  void unmount(shown);
  expect(rows[0]!.slice(1).map((cell) => cell.replace(/.$/, ""))).toEqual(["Banker", "Player", "Tie"]);
  expect(rows.slice(1).map((row) => row.slice(1))).toEqual([
    ["4 66.7%", "1 16.7%", "1 16.7%"],
    ["2", "1", ""],
    ["45.86%", "44.62%", "9.52%"],
  ]);
});
