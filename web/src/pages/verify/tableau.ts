// The Table of Play, for a coup whose cards are known: who draws, the totals, and who wins.

export interface Played {
  player: number;
  banker: number;
  /** Who wins, then b and p for the pairs of Banker and Player, as roads write it. */
  outcome: string;
}

export type Fault = "more" | "many";

/** Points of Player's third card on which Banker draws, by Banker's total; -1 is that Player stood. */
const BANKER_DRAWS: readonly ReadonlySet<number>[] = [
  [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [-1, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9],
  [-1, 0, 1, 2, 3, 4, 5, 6, 7, 9],
  [-1, 2, 3, 4, 5, 6, 7],
  [-1, 4, 5, 6, 7],
  [6, 7],
  [],
].map((points) => new Set(points));
const PLAYER_STANDS = 6;
const NATURAL = 8;

export function points(card: string): number {
  const rank = card[0] ?? "";
  if (rank === "A") return 1;
  return rank >= "2" && rank <= "9" ? Number(rank) : 0;
}

const total = (cards: string[]): number => cards.reduce((sum, card) => sum + points(card), 0) % 10;

const isPair = ([first, second]: string[]): boolean => first?.[0] === second?.[0];

/** The coup that the cards make, in the order in which they came; or what is wrong with them. */
export function play(cards: string[], permanent7: boolean): Played | Fault {
  const left = [...cards];
  const player = permanent7 ? ["7*"] : [];
  const banker: string[] = [];
  const order = permanent7 ? [banker, player, banker] : [player, banker, player, banker];
  for (const hand of order) {
    const card = left.shift();
    if (card === undefined) return "more";
    hand.push(card);
  }
  const [players, bankers] = [total(player), total(banker)];
  if (players < NATURAL && bankers < NATURAL) {
    let third = -1;
    if (players < PLAYER_STANDS) {
      const card = left.shift();
      if (card === undefined) return "more";
      player.push(card);
      third = points(card);
    }
    if (BANKER_DRAWS[bankers]?.has(third)) {
      const card = left.shift();
      if (card === undefined) return "more";
      banker.push(card);
    }
  }
  if (left.length) return "many";
  const [p, b] = [total(player), total(banker)];
  const winner = p > b ? "P" : b > p ? "B" : "T";
  return { player: p, banker: b, outcome: winner + (isPair(banker) ? "b" : "") + (isPair(player) ? "p" : "") };
}
