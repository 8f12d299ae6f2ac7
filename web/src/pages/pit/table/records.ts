// Rounds of the record, as the floor tells them.
export type { ToldRound, ToldStep, ToldWager } from "../../../live/record";
import type { ToldRound, ToldStep } from "../../../live/record";

export interface ToldReplay {
  table: string;
  game: string;
  rulebook: string;
  round: ToldRound;
  steps: ToldStep[];
}
