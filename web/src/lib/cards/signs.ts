// The signs of the suits and elements, each in a square of 100 about its middle.
import type { Suit } from "./notation";

export interface Sign {
  /** The filled shape. */
  fill: string;
  /** Lines of paper left free in the shape. */
  cut?: string;
  cutWidth?: number;
  /** Wide signs are drawn smaller, so that they weigh the same and keep apart. */
  scale?: number;
  colour: string;
}

export const SIGNS: Record<Suit, Sign> = {
  s: {
    fill: "M0-48C9-29 45-9 45 16C45 30 34 38 23 38C14 38 8 34 4 27C5 38 10 44 19 48H-19C-10 44-5 38-4 27C-8 34-14 38-23 38C-34 38-45 30-45 16C-45-9-9-29 0-48Z",
    colour: "var(--print-black)",
  },
  h: {
    fill: "M0 46C-9 29-47 8-47-18C-47-34-35-45-22-45C-12-45-4-39 0-29C4-39 12-45 22-45C35-45 47-34 47-18C47 8 9 29 0 46Z",
    colour: "var(--print-red)",
  },
  d: {
    fill: "M0-49C9-32 22-15 38 0C22 15 9 32 0 49C-9 32-22 15-38 0C-22-15-9-32 0-49Z",
    colour: "var(--print-red)",
  },
  c: {
    fill: "M0-47A22 22 0 0 1 17-11A22 22 0 1 1 4 23C5 36 10 44 19 48H-19C-10 44-5 36-4 23A22 22 0 1 1-17-11A22 22 0 0 1 0-47Z",
    colour: "var(--print-black)",
  },
  f: {
    fill: "M4-49C6-30 38-16 38 15C38 35 21 48 0 48C-21 48-38 35-38 14C-38-3-29-13-24-25C-20-17-17-12-12-9C-13-25-8-40 4-49Z",
    cut: "M1 40C-10 40-17 33-17 23C-17 12-6 8-3-6C6 3 17 12 17 24C17 33 11 40 1 40Z",
    cutWidth: 7,
    colour: "var(--print-fire)",
  },
  g: {
    fill: "M-51-24C-43-10-33-3-22-2C-21-20-12-31 0-31C12-31 21-20 22-2C33-3 43-10 51-24C49 5 40 24 23 33H-23C-40 24-49 5-51-24Z",
    cut: "M-22-2C-14 9 14 9 22-2",
    cutWidth: 7,
    scale: 1.02,
    colour: "var(--print-gold)",
  },
  e: {
    fill: "M-49 38C-38 12-28-34-13-34C-3-34 2-14 8-2C13-11 18-16 24-16C36-16 42 16 49 38Z",
    cut: "M8-2C5 6 2 14-1 23M-40 24H40",
    cutWidth: 6,
    scale: 0.85,
    colour: "var(--print-earth)",
  },
  o: {
    fill: "M0-49C26-34 38-11 34 10C30 28 17 35 4 36L5 49H-5L-4 36C-17 35-30 28-34 10C-38-11-26-34 0-49Z",
    cut: "M0 36V-22M0 20L17 4M0 20L-17 4M0 0L13-13M0 0L-13-13",
    cutWidth: 5,
    colour: "var(--print-wood)",
  },
  w: {
    fill: "M-48 40C-46 2-30-40 8-40C31-40 45-25 45-9C45 4 36 12 25 12C16 12 10 6 10-1C10-7 14-11 19-11C14-17 2-16-3-6C-10 9 2 26 22 27C33 28 42 25 49 20V40Z",
    cut: "M-33 27C-24 21-16 21-8 29C-2 35 8 35 18 36",
    cutWidth: 5,
    scale: 0.9,
    colour: "var(--print-water)",
  },
  "*": {
    fill: "M0-48L13-16L47-14L21 8L29 41L0 23L-29 41L-21 8L-47-14L-13-16Z",
    colour: "var(--print-black)",
  },
};
