// The record of a table's rounds, as the floor's HTTP side tells it.
import type { CardState, Side, Text, Winner } from "../wire";

export interface ToldWager {
  number: number;
  patron: string;
  wager: string;
  stake_cents: number;
  result: string;
  paid_cents: number;
  clause: string;
  odds: string;
  why: Text;
}

export interface ToldRound {
  round: number;
  shoe: number;
  at_ms: number;
  state: string;
  cards: CardState[];
  player: number | null;
  banker: number | null;
  winner: Winner | null;
  clause: string;
  wagers: ToldWager[];
}

export interface ToldStep {
  version: number;
  at_ms: number;
  by: string;
  position: string;
  type: string;
  said: Text;
  clause: string;
  side: Side | null;
  card: string;
}
