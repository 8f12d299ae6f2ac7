// The figures of the index, drawn as single strokes so that a card looks alike on every device; 52 high, from 0.
import type { Rank } from "./notation";

export interface Figure {
  stroke: string;
  width: number;
}

export const FIGURES: Partial<Record<Rank, Figure>> = {
  A: { stroke: "M1 51L19 1L37 51M7.5 35H30.5", width: 38 },
  "2": { stroke: "M3 15C4 6 10 1 18 1C27 1 33 7 33 15C33 22 29 27 22 33L3 51H35", width: 36 },
  "3": { stroke: "M4 1H32L17 20C28 20 34 27 34 35C34 45 27 51 18 51C10 51 4 47 2 40", width: 36 },
  "4": { stroke: "M27 51V1L2 37H37", width: 38 },
  "5": { stroke: "M31 1H8L5 24C9 21 13 19 18 19C28 19 34 26 34 35C34 45 27 51 18 51C10 51 4 47 2 41", width: 36 },
  "6": {
    stroke: "M27 1C12 8 2 19 2 34C2 44 9 51 18 51C28 51 34 44 34 35C34 26 28 20 19 20C11 20 5 24 3 30",
    width: 36,
  },
  "7": { stroke: "M2 1H34C24 15 16 32 13 51", width: 35 },
  "8": {
    stroke:
      "M18 23C10 23 5 19 5 12C5 5 10 1 18 1C26 1 31 5 31 12C31 19 26 23 18 23C8 23 2 29 2 37C2 46 9 51 18 51C27 51 34 46 34 37C34 29 28 23 18 23Z",
    width: 36,
  },
  "9": { stroke: "M9 51C24 44 34 33 34 18C34 8 27 1 18 1C8 1 2 8 2 17C2 26 8 32 17 32C25 32 31 28 33 22", width: 36 },
  T: { stroke: "M1 10L11 1V51M37 1C29 1 24 9 24 26C24 43 29 51 37 51C45 51 50 43 50 26C50 9 45 1 37 1Z", width: 51 },
  J: { stroke: "M12 1H31M24 1V36C24 46 19 51 12 51C6 51 2 47 1 41", width: 32 },
  Q: { stroke: "M20 1C9 1 2 11 2 26C2 41 9 51 20 51C31 51 38 41 38 26C38 11 31 1 20 1ZM23 36L38 53", width: 40 },
  K: { stroke: "M4 1V51M34 1L5 33M14 23L36 51", width: 38 },
};

/** The three picture cards of the element deck carry their character instead. */
export const CHARACTERS: Partial<Record<Rank, string>> = { S: "寿", L: "禄", F: "福" };
