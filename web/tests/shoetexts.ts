import { readFileSync } from "node:fs";

/** A text of a shoe, and what `punto verify` finds in it. */
export interface ShoeCase {
  name: string;
  text: string;
  /** Whether it reads at all. */
  reads: boolean;
  /** Whether it brings rules of its own, by which only the command judges. */
  declared: boolean;
  /** Whether all is right but for payments, which a page cannot know. */
  right: boolean;
  /** Whether nothing is wrong with a payment. */
  paid: boolean;
  /** Where something is wrong; what is wrong with headers is said of line 1. */
  lines: number[];
}

/** All of them: `python -m tools.pages test` has tests/web/shoetexts.py write them. */
export function shoeCases(): ShoeCase[] {
  return JSON.parse(readFileSync("tests/shoetexts.json", "utf8")) as ShoeCase[];
}
