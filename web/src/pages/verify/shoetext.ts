// A shoe as a portable text, read as punto.record.shoefile reads it.
import type { Key, Params } from "../../lib/words";
import { say } from "../../lib/words";

/** Something to say, in whatever language the page is in when it is said. */
export type Said = () => string;

export function saying<K extends Key>(
  key: K,
  ...filled: Parameters<typeof say<K>> extends [K, ...infer Rest] ? Rest : never
): Said {
  return () => (say as (key: Key, params?: Params<Key>) => string)(key, filled[0] as Params<Key> | undefined);
}

/** The text does not read; the line says where, and what was expected. */
export class BadText extends Error {
  constructor(readonly said: Said) {
    super("the text of a shoe does not read");
  }
}

export interface Bet {
  patron: string;
  wager: string;
  stake_cents: bigint;
  /** How much of the stake was settled, as a rule all of it. */
  counted_cents: bigint;
  result: string;
  paid_cents: bigint;
}

export interface Coup {
  number: number;
  cards: string[];
  totals: [number, number] | null;
  outcome: string;
  /** By which clause it is void; null where it is not. */
  void: string | null;
  bets: Bet[];
  line: number;
}

/** What a patron has contributed to the order: what commits to a secret, and the secret, empty while it is not revealed. */
export interface Contribution {
  patron: string;
  commitment: string;
  secret: string;
  line: number;
}

export interface ShoeText {
  headers: Map<string, { value: string; line: number }>;
  contributions: Contribution[];
  coups: Coup[];
  declared: boolean;
}

const MARK = "punto shoe 1";
const HEADERS = new Set(
  (
    "table shoe game rulebook digest decks unit demonstration opened protocol commitment salt beacon contributions-closed " +
    "beacon-round beacon-value abandoned-before cut cut-at first-bets behind ended order"
  ).split(" "),
);
const CONTRIBUTION = "contribution";
const MOST_CONTRIBUTIONS = 999;
/** A secret, or what commits to one. */
const HEX = /^[0-9a-f]{64}$/;
// Space, and what is part of a word, is what Python takes for it: a browser's own \s, \b and trim() differ.
const BLANK = "\\t-\\r\\x1c-\\x20\\x85\\xa0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000";
const BLANKS = new RegExp(`[${BLANK}]+`, "u");
const AROUND = new RegExp(`^[${BLANK}]+|[${BLANK}]+$`, "gu");
const ROUND = new RegExp(
  `^(\\d{1,9})[${BLANK}]+((?:[^${BLANK}=;]+[${BLANK}]+)*)=[${BLANK}]*` +
    `(void(?![\\p{L}\\p{N}_])[^;]*|(\\d)-(\\d)[${BLANK}]+([BPTbp]+)[${BLANK}]*)((?:;[^;]*)*)$`,
  "u",
);
const CARD = /^(10|[A2-9TJQKSLFatjqkslf])([shdcfgeow])$/;
const AMOUNT = /^(\d{1,14})\.(\d\d)$/;

const trim = (text: string): string => text.replace(AROUND, "");

export const wordsOf = (text: string): string[] => text.split(BLANKS).filter(Boolean);

export function readShoe(text: string): ShoeText {
  const lines = content(text);
  const first = lines.shift();
  if (!first) throw new BadText(saying("verify.bad.empty"));
  if (first.text !== MARK) throw new BadText(saying("verify.bad.mark"));
  const shoe: ShoeText = { headers: new Map(), contributions: [], coups: [], declared: false };
  for (const { text, line } of lines) {
    if (/^\d/.test(text)) shoe.coups.push(coup(text, line));
    else if (text.startsWith("|") && !shoe.coups.length) shoe.declared = true;
    else addHeader(shoe, text, line);
  }
  if (!shoe.headers.get("game")?.value) throw new BadText(saying("verify.bad.game"));
  for (const key of shoe.headers.get("order")?.value ? ["decks", "cut", "behind"] : ["decks"]) {
    const { value, line } = shoe.headers.get(key) ?? { value: "0", line: 0 };
    if (!/^\d{1,9}$/.test(value))
      throw new BadText(saying("verify.bad.number", { line, key, value: value.slice(0, 40) }));
  }
  return shoe;
}

function content(text: string): { text: string; line: number }[] {
  return (
    text
      .replace(/^\ufeff/, "")
      // eslint-disable-next-line no-control-regex -- punto verify parts lines at these too, as Python does
      .split(/\r\n|[\n\v\f\r\x1c-\x1e\x85\u2028\u2029]/)
      .map((line, at) => ({ text: line.startsWith("|") ? line : trim(line.split("#")[0] ?? ""), line: at + 1 }))
      .filter(({ text }) => text)
  );
}

function addHeader(shoe: ShoeText, text: string, line: number): void {
  const key = text.split(" ", 1)[0] ?? "";
  const value = trim(text.slice(key.length));
  if (key === CONTRIBUTION && !shoe.coups.length && shoe.contributions.length < MOST_CONTRIBUTIONS) {
    shoe.contributions.push(contribution(text.slice(key.length + 1), line));
    return;
  }
  if (!HEADERS.has(key) || shoe.headers.has(key) || shoe.coups.length) {
    throw new BadText(saying("verify.bad.header", { line, key: key.slice(0, 40) }));
  }
  if (key === "order") cardsOf(value, line);
  shoe.headers.set(key, { value, line });
}

function contribution(text: string, line: number): Contribution {
  const [patron = "", commitment = "", secret, ...more] = text.split(" / ").map(trim);
  const fits = patron && HEX.test(commitment) && (secret === undefined || HEX.test(secret)) && !more.length;
  if (!fits) throw new BadText(saying("verify.bad.contribution", { line }));
  return { patron, commitment, secret: secret ?? "", line };
}

function coup(text: string, line: number): Coup {
  const match = ROUND.exec(text);
  if (!match) throw new BadText(saying("verify.bad.round", { line }));
  const [, number, cards, came = "", player, banker, outcome, wagers = ""] = match;
  return {
    number: Number(number),
    cards: cardsOf(cards ?? "", line),
    totals: player === undefined ? null : [Number(player), Number(banker)],
    outcome: outcome ?? "",
    void: player === undefined ? trim(came.slice("void".length)) : null,
    bets: wagers
      .split(";")
      .slice(1)
      .map((bet) => betOf(bet, line)),
    line,
  };
}

function betOf(text: string, line: number): Bet {
  const fields = text.split(" / ").map(trim);
  const [patron = "", wager = "", stake = "", result = "", paid = ""] = fields;
  if (fields.length !== 5 || !patron) throw new BadText(saying("verify.bad.wager", { line }));
  const [counted = "", whole] = split(stake, " of ");
  return {
    patron,
    wager: wager.replace(/%([0-9A-F]{2})/g, (_, code: string) => String.fromCharCode(parseInt(code, 16))),
    stake_cents: centsOf(whole || counted, line),
    counted_cents: centsOf(counted, line),
    result,
    paid_cents: centsOf(paid, line),
  };
}

/** What stands before a mark, and what after its first. */
function split(text: string, mark: string): [string, string] {
  const at = text.indexOf(mark);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + mark.length)];
}

function centsOf(text: string, line: number): bigint {
  const match = AMOUNT.exec(text);
  if (!match) throw new BadText(saying("verify.bad.amount", { line, amount: text.slice(0, 40) }));
  return BigInt(`${match[1]}${match[2]}`);
}

function cardsOf(text: string, line: number): string[] {
  return wordsOf(text).map((token) => {
    const match = CARD.exec(token);
    if (!match) throw new BadText(saying("verify.bad.card", { line, card: token.slice(0, 12) }));
    return (match[1] === "10" ? "T" : match[1]!.toUpperCase()) + match[2]!;
  });
}

export const numberOf = (shoe: ShoeText, key: string, usual: number): number =>
  Number(shoe.headers.get(key)?.value ?? usual);

export const orderOf = (shoe: ShoeText): string[] =>
  cardsOf(shoe.headers.get("order")?.value ?? "", shoe.headers.get("order")?.line ?? 0);

/** The value of a header; empty where there is none. */
export const header = (shoe: ShoeText, key: string): string => shoe.headers.get(key)?.value ?? "";
