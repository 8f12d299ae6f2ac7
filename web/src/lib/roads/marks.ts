// The roads as the server sends them; columns and rows are counted from 0.

export type Winner = "B" | "P" | "T";
export type Colour = "R" | "B";
export type Derived = "eye" | "small" | "roach";

/** `B`, `P` or `T`, then `b` and `p` for the pairs. */
export type Bead = string;
export type BigMark = [column: number, row: number, winner: "B" | "P", ties: number, pairs: "" | "b" | "p" | "bp"];
export type DerivedMark = [column: number, row: number, colour: Colour];
export type Answers = [eye: Colour | "", small: Colour | "", roach: Colour | ""];
export interface Ask {
  banker: Answers;
  player: Answers;
}

export const ROWS = 6;
/** A cell's height in the drawing. */
export const CELL = 20;
