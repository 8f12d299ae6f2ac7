// Where the pips lie, as on any card since the sixteenth century; the lower half stands on its head.
import type { Rank } from "./notation";

export const WIDTH = 240;
export const HEIGHT = 336;
export const CORNER = 15;

const LEFT = 80;
const MIDDLE = WIDTH / 2;
const RIGHT = WIDTH - LEFT;
const TOP = 62;
const BOTTOM = HEIGHT - TOP;
const CENTRE = HEIGHT / 2;
const THIRD = (BOTTOM - TOP) / 3;

type Pip = readonly [x: number, y: number];

const both = (...rows: number[]): Pip[] =>
  rows.flatMap((y): Pip[] => [
    [LEFT, y],
    [RIGHT, y],
  ]);
const middle = (...rows: number[]): Pip[] => rows.map((y): Pip => [MIDDLE, y]);

const UPPER = (TOP + CENTRE) / 2;
const LOWER = HEIGHT - UPPER;
const FOUR_ROWS = [TOP, TOP + THIRD, BOTTOM - THIRD, BOTTOM];

export const PIPS: Partial<Record<Rank, Pip[]>> = {
  A: middle(CENTRE),
  "2": middle(TOP, BOTTOM),
  "3": middle(TOP, CENTRE, BOTTOM),
  "4": both(TOP, BOTTOM),
  "5": [...both(TOP, BOTTOM), ...middle(CENTRE)],
  "6": both(TOP, CENTRE, BOTTOM),
  "7": [...both(TOP, CENTRE, BOTTOM), ...middle(UPPER)],
  "8": [...both(TOP, CENTRE, BOTTOM), ...middle(UPPER, LOWER)],
  "9": [...both(...FOUR_ROWS), ...middle(CENTRE)],
  T: [...both(...FOUR_ROWS), ...middle(TOP + THIRD / 2, BOTTOM - THIRD / 2)],
};

export const PIP_SIZE = 44;
export const ACE_SIZE = 118;

export const upsideDown = (y: number): boolean => y > CENTRE + 1;
