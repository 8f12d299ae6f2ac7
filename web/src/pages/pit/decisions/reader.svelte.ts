import { ELEMENT_RANKS, ELEMENT_SUITS, STANDARD_RANKS, STANDARD_SUITS } from "../../../lib/cards";

/** A card that lies face down, and that nobody has seen. */
export const UNSEEN = "?";

export interface Print {
  ranks: readonly string[];
  suits: readonly string[];
}

/** The ranks and suits of a deck, as the floor names it. */
export function printOf(deck: string): Print {
  const elements = deck === "elements";
  return {
    ranks: [...(elements ? ELEMENT_RANKS : STANDARD_RANKS)],
    suits: [...(elements ? ELEMENT_SUITS : STANDARD_SUITS)],
  };
}

/**
 * A card as it is typed, by hand or by a scanner: rank, then suit, in either case; a ten may come as 10.
 * What a scanner types and what a person types are the same keys, so there is nothing to tell apart.
 */
export class CardReader {
  rank = $state("");
  suit = $state("");
  readonly #print: Print;

  constructor(deck: string) {
    this.#print = printOf(deck);
  }

  /** The card, once it is complete. */
  get card(): string {
    return this.rank && this.suit ? this.rank + this.suit : "";
  }

  /** Whether a rank waits for its suit. */
  get waits(): boolean {
    return this.rank !== "" && this.suit === "";
  }

  clear(): void {
    this.rank = "";
    this.suit = "";
  }

  /** Take a key; whether it was part of a card. */
  take(key: string): boolean {
    if (key === "Backspace" && this.rank) {
      if (this.suit) this.suit = "";
      else this.rank = "";
      return true;
    }
    if (key.length !== 1) return false;
    if (this.rank === "1") {
      this.rank = key === "0" ? "T" : "";
      return true;
    }
    if (this.waits && this.#print.suits.includes(key.toLowerCase())) {
      this.suit = key.toLowerCase();
      return true;
    }
    const rank = key.toUpperCase();
    if (rank === "1" || this.#print.ranks.includes(rank)) {
      this.rank = rank;
      this.suit = "";
      return true;
    }
    return false;
  }
}
