// The last rounds of a table, and each of them step by step.
import { api } from "../../live";
import type { Side, ToldReplay, ToldRound } from "../../wire";

/** The last rounds, newest first. */
export async function lastRounds(table: string, last = 20): Promise<ToldRound[]> {
  const rounds = await api.get("/api/tables/{key}/rounds", { at: { key: table }, query: { last } });
  return rounds.toSorted((a, b) => b.round - a.round);
}

export function replayOf(table: string, round: number): Promise<ToldReplay> {
  return api.get("/api/tables/{key}/rounds/{number}", { at: { key: table, number: round } });
}

/** How the cards lay after so many steps: those drawn by then, face up once they were turned. */
export function lying({ round, steps }: Pick<ToldReplay, "round" | "steps">, count: number): Record<Side, string[]> {
  const final: Record<Side, string[]> = { player: [], banker: [] };
  for (const [side, card] of round.cards) final[side].push(card);
  const hands: Record<Side, string[]> = { player: [], banker: [] };
  for (const { type, side, card } of steps.slice(0, count)) {
    if (!side) continue;
    if (type === "card-drawn") hands[side].push(card);
    else if (type === "cards-exposed") hands[side] = hands[side].map((_, at) => final[side][at] ?? "");
  }
  return hands;
}
