// A shoe as a portable text, read as punto.record.shoefile reads it.
import type { Key, Params } from "../../lib/words";
import { say } from "../../lib/words";

/** Something to say, in whatever language the page is in when it is said. */
export type Said = () => string;

export function saying<K extends Key>(key: K, ...filled: Parameters<typeof say<K>> extends [K, ...infer Rest] ? Rest : never): Said {
  return () => (say as (key: Key, params?: Params<Key>) => string)(key, filled[0] as Params<Key> | undefined);
}

/** The text does not read; the line says where, and what was expected. */
export class BadText extends Error {
  constructor(readonly said: Said) {
    super("the text of a shoe does not read");
  }
}

export interface Coup {
  number: number;
  cards: string[];
  totals: [number, number] | null;
  outcome: string;
  wagers: number;
  line: number;
}

export interface ShoeText {
  headers: Map<string, { value: string; line: number }>;
  coups: Coup[];
  declared: boolean;
}

const MARK = "punto shoe 1";
const HEADERS = new Set(
  "table shoe game rulebook digest decks unit opened commitment salt cut behind order".split(" "),
);
const NUMBERS = ["decks", "cut", "behind"];
const ROUND = /^(\d{1,9})\s+((?:[^\s=;]+\s+)*)=\s*(void\b[^;]*|(\d)-(\d)\s+([BPTbp]+)\s*)((?:;[^;]*)*)$/;
const CARD = /^[A2-9TJQKSLF][shdcfgeow]$/;

export function readShoe(text: string): ShoeText {
  const lines = content(text);
  const first = lines.shift();
  if (!first) throw new BadText(saying("verify.bad.empty"));
  if (first.text !== MARK) throw new BadText(saying("verify.bad.mark"));
  const shoe: ShoeText = { headers: new Map(), coups: [], declared: false };
  for (const { text, line } of lines) {
    if (/^\d/.test(text)) shoe.coups.push(coup(text, line));
    else if (text.startsWith("|") && !shoe.coups.length) shoe.declared = true;
    else header(shoe, text, line);
  }
  if (!shoe.headers.get("game")?.value) throw new BadText(saying("verify.bad.game"));
  return shoe;
}

function content(text: string): { text: string; line: number }[] {
  return text
    .replace(/^\ufeff/, "")
    .split(/\r\n|\r|\n/)
    .map((line, at) => ({ text: line.startsWith("|") ? line : (line.split("#")[0] ?? "").trim(), line: at + 1 }))
    .filter(({ text }) => text);
}

function header(shoe: ShoeText, text: string, line: number): void {
  const key = text.split(" ", 1)[0] ?? "";
  const value = text.slice(key.length).trim();
  if (!HEADERS.has(key) || shoe.headers.has(key) || shoe.coups.length) {
    throw new BadText(saying("verify.bad.header", { line, key: key.slice(0, 40) }));
  }
  if (NUMBERS.includes(key) && !/^\d{1,9}$/.test(value)) {
    throw new BadText(saying("verify.bad.number", { line, key, value: value.slice(0, 40) }));
  }
  if (key === "order") cardsOf(value, line);
  shoe.headers.set(key, { value, line });
}

function coup(text: string, line: number): Coup {
  const match = ROUND.exec(text);
  if (!match) throw new BadText(saying("verify.bad.round", { line }));
  const [, number, cards, , player, banker, outcome, wagers] = match;
  const bets = (wagers ?? "").split(";").slice(1);
  if (bets.some((bet) => bet.split(" / ").length !== 5)) throw new BadText(saying("verify.bad.wager", { line }));
  return {
    number: Number(number),
    cards: cardsOf(cards ?? "", line),
    totals: player === undefined ? null : [Number(player), Number(banker)],
    outcome: outcome ?? "",
    wagers: bets.length,
    line,
  };
}

function cardsOf(text: string, line: number): string[] {
  const cards = text.split(/\s+/).filter(Boolean);
  const bad = cards.find((card) => !CARD.test(card));
  if (bad !== undefined) throw new BadText(saying("verify.bad.card", { line, card: bad.slice(0, 12) }));
  return cards;
}

export const numberOf = (shoe: ShoeText, key: string, usual: number): number =>
  Number(shoe.headers.get(key)?.value ?? usual);

export const orderOf = (shoe: ShoeText): string[] => (shoe.headers.get("order")?.value ?? "").split(/\s+/).filter(Boolean);
