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

export function weights(state: TableState): Weights {
  const player = state.stakes[PLAYER]?.[0] ?? 0;
  const banker = state.stakes[BANKER]?.[0] ?? 0;
  const most = state.info?.differential_cents ?? 0;
  return { player, banker, headroom: most ? most - Math.abs(player - banker) : null };
}
