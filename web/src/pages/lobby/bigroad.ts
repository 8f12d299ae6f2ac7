// The big road of outcomes that come as letters only, as a glance at a table has them. A table's own page is sent its roads.
import type { BigMark } from "../../wire";

const ROWS = 6;

interface Win {
  winner: "B" | "P";
  ties: number;
}

/** Wins in their order, each with the ties after it; the first also has those before it. */
function wins(beads: string): Win[] {
  const found: Win[] = [];
  let waiting = 0;
  for (const bead of beads) {
    const last = found.at(-1);
    if (bead === "B" || bead === "P") {
      found.push({ winner: bead, ties: waiting });
      waiting = 0;
    } else if (last) last.ties += 1;
    else waiting += 1;
  }
  return found;
}

/** A streak goes down until the bottom or a taken cell stops it, then right, and never down again. */
export function bigRoad(beads: string): BigMark[] {
  const taken = new Set<string>();
  const marks: BigMark[] = [];
  let top = 0;
  let column = 0;
  let row = 0;
  let turned = false;
  let before = "";
  for (const { winner, ties } of wins(beads)) {
    if (winner !== before) {
      while (taken.has(`${top} 0`)) top += 1;
      [column, row, turned, before] = [top, 0, false, winner];
    } else {
      turned ||= row + 1 === ROWS || taken.has(`${column} ${row + 1}`);
      if (turned) column += 1;
      else row += 1;
    }
    taken.add(`${column} ${row}`);
    marks.push([column, row, winner, ties, ""]);
  }
  return marks;
}
