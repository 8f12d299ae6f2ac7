// The roads with one more mark: what they would add, should a hand win next. The marks are the floor's; only where they
// would lie is found here.
import type { Derived } from "../../../lib/roads";
import type { Colour, DerivedMark, Roads, Side } from "../../../wire";

const ROWS = 6;

type Cell = readonly [column: number, row: number, ...rest: unknown[]];

/** Down while a streak lasts, aside once that is barred; a new streak begins at the top of the next column. */
function next(cells: readonly Cell[], goesOn: boolean): [column: number, row: number] {
  const last = cells.at(-1);
  if (!last) return [0, 0];
  const taken = new Set(cells.map(([column, row]) => `${column} ${row}`));
  const [column, row, kind] = last;
  if (goesOn) {
    // Streaks alternate: a mark of the same kind before the last is of the same streak.
    const before = cells.at(-2);
    const turned = before?.[2] === kind && before?.[1] === row;
    const barred = turned || row + 1 === ROWS || taken.has(`${column} ${row + 1}`);
    return barred ? [column + 1, row] : [column, row + 1];
  }
  let begins = cells.reduce((most, [each, at]) => (at === 0 ? Math.max(most, each) : most), 0) + 1;
  while (taken.has(`${begins} 0`)) begins += 1;
  return [begins, 0];
}

function derived(cells: DerivedMark[], colour: Colour | null): DerivedMark[] {
  if (!colour) return cells;
  return [...cells, [...next(cells, cells.at(-1)?.[2] === colour), colour]];
}

export type Shown = Pick<Roads, "big" | Derived>;

export function asked(roads: Roads, side: Side | null): Shown {
  if (!side) return roads;
  const { big, eye, small, roach } = roads;
  const winner = side === "banker" ? "B" : "P";
  const answers = roads.ask[side];
  return {
    big: [...big, [...next(big, big.at(-1)?.[2] === winner), winner, 0, ""]],
    eye: derived(eye, answers[0]),
    small: derived(small, answers[1]),
    roach: derived(roach, answers[2]),
  };
}
