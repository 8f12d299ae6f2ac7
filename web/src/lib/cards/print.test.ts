import { afterEach, describe, expect, test } from "vitest";
import { language } from "../words";
import { CHARACTERS, FIGURES } from "./figures";
import {
  cardName,
  ELEMENT_RANKS,
  ELEMENT_SUITS,
  parseCard,
  STANDARD_RANKS,
  STANDARD_SUITS,
  type Rank,
  type Suit,
} from "./notation";
import { HEIGHT, PIPS, upsideDown, WIDTH } from "./pips";
import { SIGNS } from "./signs";

const deck = (ranks: string, suits: string): string[] =>
  Array.from(suits).flatMap((suit) => Array.from(ranks, (rank) => rank + suit));
const STANDARD = deck(STANDARD_RANKS, STANDARD_SUITS);
const ELEMENTS = deck(ELEMENT_RANKS, ELEMENT_SUITS);
const ALL = [...STANDARD, ...ELEMENTS];

afterEach(() => {
  language.choose("en");
});

describe("notation", () => {
  test("a deck has 52 cards, and one of the elements 65", () => {
    expect([new Set(STANDARD).size, new Set(ELEMENTS).size]).toEqual([52, 65]);
  });

  test("a card is its rank, then its suit", () => {
    for (const card of ALL) expect(parseCard(card)).toEqual({ rank: card[0], suit: card[1] });
    expect(parseCard("7*")).toEqual({ rank: "7", suit: "*" });
  });

  test.each(["", "?", "1s", "10s", "sA", "As ", "AS", "as", "Ax", "Asd"])("%j has no face that is known", (card) => {
    expect(parseCard(card)).toBeNull();
  });

  test.each(["en", "zh"] as const)("every card has a name of its own in %s, and none is face down", (tongue) => {
    language.choose(tongue);
    const names = [...ALL, "7*"].map(cardName);
    expect(new Set(names).size).toBe(names.length);
    expect(names).not.toContain(cardName(""));
    for (const name of names) expect(name).not.toMatch(/[{}.]|rank|suit/);
  });

  test("names are as people say them", () => {
    expect(["Td", "As", "4g", "Fw", "7*", ""].map(cardName)).toEqual([
      "Ten of diamonds",
      "Ace of spades",
      "Four of gold",
      "Fuk of water",
      "Permanent seven",
      "Face down",
    ]);
  });
});

describe("pips", () => {
  const RANKS = Array.from("A23456789T") as Rank[];

  test("a card has as many pips as its rank says", () => {
    expect(RANKS.map((rank) => PIPS[rank]?.length)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
  });

  test.each(RANKS)("the pips of %s lie on the card, apart, and alike at the left and the right", (rank) => {
    const pips = PIPS[rank]!;
    const places = new Set(pips.map(([x, y]) => `${x} ${y}`));
    expect(places.size).toBe(pips.length);
    for (const [x, y] of pips) {
      expect(x > 0 && x < WIDTH && y > 0 && y < HEIGHT).toBe(true);
      expect(places.has(`${WIDTH - x} ${y}`)).toBe(true);
    }
  });

  test.each(RANKS.filter((rank) => rank !== "7"))("%s looks the same upside down", (rank) => {
    const places = new Set(PIPS[rank]!.map(([x, y]) => `${x.toFixed(3)} ${y.toFixed(3)}`));
    for (const [x, y] of PIPS[rank]!)
      expect(places.has(`${(WIDTH - x).toFixed(3)} ${(HEIGHT - y).toFixed(3)}`)).toBe(true);
  });

  test("as many pips stand on their heads as on a printed card", () => {
    const onTheirHeads = RANKS.map((rank) => PIPS[rank]!.filter(([, y]) => upsideDown(y)).length);
    expect(Object.fromEntries(RANKS.map((rank, place) => [rank, onTheirHeads[place]]))).toEqual({
      A: 0,
      2: 1,
      3: 1,
      4: 2,
      5: 2,
      6: 2,
      7: 2,
      8: 3,
      9: 4,
      T: 5,
    });
  });

  test("a pip in the upper half, or in the middle, never stands on its head", () => {
    for (const [, y] of Object.values(PIPS).flat()) if (upsideDown(y)) expect(y).toBeGreaterThan(HEIGHT / 2);
    expect(upsideDown(HEIGHT / 2)).toBe(false);
  });
});

describe("the index", () => {
  test("every rank has a figure or a character of its own, and none has both", () => {
    const ranks = [...new Set(STANDARD_RANKS + ELEMENT_RANKS)] as Rank[];
    const drawn = ranks.map((rank) => FIGURES[rank]?.stroke ?? CHARACTERS[rank]);
    expect(drawn).not.toContain(undefined);
    expect(new Set(drawn).size).toBe(ranks.length);
    for (const rank of ranks) expect(rank in FIGURES && rank in CHARACTERS).toBe(false);
    expect(CHARACTERS).toEqual({ S: "寿", L: "禄", F: "福" });
  });

  /** The points that absolute moves, lines and curves go through or are drawn to. */
  function points(stroke: string): [number, number][] {
    const found: [number, number][] = [];
    let [x, y] = [0, 0];
    for (const [, command = "", rest = ""] of stroke.matchAll(/([MLHVCZ])([^MLHVCZ]*)/g)) {
      const numbers = (rest.match(/-?[\d.]+/g) ?? []).map(Number);
      const pairs =
        command === "H"
          ? numbers.map((each) => [each, y])
          : command === "V"
            ? numbers.map((each) => [x, each])
            : numbers.flatMap((each, at) => (at % 2 ? [[numbers[at - 1]!, each]] : []));
      for (const [px = NaN, py = NaN] of pairs) found.push(([x, y] = [px, py]));
    }
    return found;
  }

  test.each(Object.entries(FIGURES))("%s is drawn within its width, 52 high", (_, { stroke, width }) => {
    const drawn = points(stroke);
    expect(drawn.length).toBeGreaterThan(1);
    for (const [x, y] of drawn) expect(x >= 0 && x <= width && y >= 0 && y <= 53).toBe(true);
    expect(Math.min(...drawn.map(([, y]) => y))).toBe(1);
    expect(Math.max(...drawn.map(([, y]) => y))).toBeGreaterThanOrEqual(51);
  });
});

describe("signs", () => {
  test("every suit has a sign of its own", () => {
    const suits = Array.from(`${STANDARD_SUITS}${ELEMENT_SUITS}*`) as Suit[];
    expect(new Set(suits.map((suit) => SIGNS[suit].fill)).size).toBe(10);
  });

  test("hearts and diamonds are red, spades and clubs black, and each element has its own colour", () => {
    const colours = Array.from("shdc" + ELEMENT_SUITS).map((suit) =>
      SIGNS[suit as Suit].colour.replace(/var\(--print-(.*)\)/, "$1"),
    );
    expect(colours).toEqual(["black", "red", "red", "black", "fire", "gold", "earth", "wood", "water"]);
  });
});
