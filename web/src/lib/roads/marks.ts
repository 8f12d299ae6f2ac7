/** The derived roads, by the name of their field. */
export type Derived = "eye" | "small" | "roach";

export const ROWS = 6;
/** A cell's height in the drawing. */
export const CELL = 20;
