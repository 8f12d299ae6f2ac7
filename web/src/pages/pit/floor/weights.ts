// How the wagers on the two hands weigh against each other.
import type { TableState } from "../../../wire";

export interface Weights {
  player: number;
  banker: number;
  /** What may still be added to the heavier hand; null where no differential is set. */
  headroom: number | null;
}

/** The wagers on the hands themselves, as rulebooks call them. */
const [PLAYER, BANKER] = ["Player", "Banker"];

/** Those of a table that is watched. */
export function weights(state: TableState): Weights {
  return weigh(state.stakes[PLAYER]?.[0] ?? 0, state.stakes[BANKER]?.[0] ?? 0, state.info?.differential_cents ?? 0);
}

export function weigh(player: number, banker: number, most: number): Weights {
  return { player, banker, headroom: most ? most - Math.abs(player - banker) : null };
}
