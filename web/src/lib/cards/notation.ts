// A card as the server writes it: rank then suit, as in Td or 4g; 7* is the permanent seven; nothing is face down.
import { say } from "../words";

export type Suit = "s" | "h" | "d" | "c" | "f" | "g" | "e" | "o" | "w" | "*";
export type Rank = "A" | "2" | "3" | "4" | "5" | "6" | "7" | "8" | "9" | "T" | "J" | "Q" | "K" | "S" | "L" | "F";

export interface Print {
  rank: Rank;
  suit: Suit;
}

const NOTATION = /^[A2-9TJQKSLF][shdcfgeow*]$/;

export const STANDARD_SUITS = "shdc";
export const ELEMENT_SUITS = "fgeow";
export const STANDARD_RANKS = "A23456789TJQK";
export const ELEMENT_RANKS = "A23456789TSLF";

/** What is printed on a card, or null where the face is not known. */
export function parseCard(card: string): Print | null {
  return NOTATION.test(card) ? { rank: card[0] as Rank, suit: card[1] as Suit } : null;
}

/** What a card is called in the page's language. */
export function cardName(card: string): string {
  const print = parseCard(card);
  if (!print) return say("card.down");
  if (print.suit === "*") return say("card.permanent");
  return say("card.name", { rank: say(`rank.${print.rank}`), suit: say(`suit.${print.suit}`) });
}
