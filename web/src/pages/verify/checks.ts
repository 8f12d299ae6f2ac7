// The checks of a shoe, made here: nothing is asked of the floor.
import { cardName, ELEMENT_RANKS, ELEMENT_SUITS, STANDARD_RANKS, STANDARD_SUITS } from "../../lib/cards";
import { numberOf, orderOf, saying, type Coup, type Said, type ShoeText } from "./shoetext";
import { play } from "./tableau";

export type Name = "reads" | "commitment" | "decks" | "cut" | "dealt" | "coups";
export type Result = "right" | "wrong" | "absent";

export interface Check {
  name: Name;
  result: Result;
  said: Said;
  /** Where it is wrong. */
  line?: number;
}

const USUAL_DECKS = 8;
const FEWEST_DECKS = 4;
const MOST_DECKS = 10;
const SEVEN_UP = "7-up";

export async function check(shoe: ShoeText): Promise<Check[]> {
  return [reads(shoe), await sealed(shoe), whole(shoe), cut(shoe), dealt(shoe), coups(shoe)];
}

function reads(shoe: ShoeText): Check {
  const game = shoe.headers.get("game")?.value ?? "";
  const wagers = shoe.coups.reduce((sum, coup) => sum + coup.wagers, 0);
  return { name: "reads", result: "right", said: saying("verify.reads.right", { game, rounds: shoe.coups.length, wagers }) };
}

/** SHA-256 over the format's name, the salt and the order, each on a line of its own. */
async function seal(order: string, salt: string): Promise<string> {
  const bytes = new TextEncoder().encode(`punto shoe 1\n${salt}\n${order}`);
  const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes));
  return Array.from(digest, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

async function sealed(shoe: ShoeText): Promise<Check> {
  const name = "commitment";
  const [order, salt, shown] = ["order", "salt", "commitment"].map((key) => shoe.headers.get(key));
  if (!order || !shown) return { name, result: "absent", said: saying("verify.commitment.absent") };
  if (!globalThis.crypto?.subtle) return { name, result: "absent", said: saying("verify.commitment.insecure") };
  const found = await seal(order.value, salt?.value ?? "");
  if (found === shown.value) return { name, result: "right", said: saying("verify.commitment.right") };
  return { name, result: "wrong", said: saying("verify.commitment.wrong", { found: found.slice(0, 16) }), line: shown.line };
}

/** Every card of one deck: of the elements where one of theirs is there, else the usual. */
export function deckOf(cards: string[]): string[] {
  const elements = cards.some((card) => ELEMENT_SUITS.includes(card[1] ?? " "));
  const [ranks, suits] = elements ? [ELEMENT_RANKS, ELEMENT_SUITS] : [STANDARD_RANKS, STANDARD_SUITS];
  return [...suits].flatMap((suit) => [...ranks].map((rank) => rank + suit));
}

function whole(shoe: ShoeText): Check {
  const name = "decks";
  const order = orderOf(shoe);
  if (!order.length) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const line = shoe.headers.get("order")?.line;
  const decks = numberOf(shoe, "decks", USUAL_DECKS);
  if (decks < FEWEST_DECKS || decks > MOST_DECKS) {
    return { name, result: "wrong", said: saying("verify.decks.count", { decks }), line: shoe.headers.get("decks")?.line };
  }
  const deck = deckOf(order);
  const found = new Map(deck.map((card) => [card, 0]));
  for (const card of order) {
    const count = found.get(card);
    if (count === undefined) return { name, result: "wrong", said: saying("verify.decks.foreign", { card }), line };
    found.set(card, count + 1);
  }
  for (const [card, count] of found) {
    if (count !== decks) return { name, result: "wrong", said: saying("verify.decks.wrong", { card, found: count, expected: decks }), line };
  }
  return { name, result: "right", said: saying("verify.decks.right", { cards: order.length, decks, size: deck.length }) };
}

function cut(shoe: ShoeText): Check {
  const name = "cut";
  const cards = orderOf(shoe).length;
  if (!cards) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const [cut, behind] = [numberOf(shoe, "cut", 0), numberOf(shoe, "behind", 0)];
  if (cut > cards || behind > cards) {
    const line = shoe.headers.get(cut > cards ? "cut" : "behind")?.line;
    return { name, result: "wrong", said: saying("verify.cut.wrong", { cut, behind, cards }), line };
  }
  const said = cut ? saying("verify.cut.right", { cut, behind }) : saying("verify.cut.none", { behind });
  return { name, result: "right", said };
}

/** The order as the cards came: those before the cut go to the back. */
export function asCut(shoe: ShoeText): string[] {
  const order = orderOf(shoe);
  const cut = Math.min(order.length, numberOf(shoe, "cut", 0));
  return [...order.slice(cut), ...order.slice(0, cut)];
}

export const dealtCards = (shoe: ShoeText): { card: string; coup: Coup }[] =>
  shoe.coups.flatMap((coup) => coup.cards.map((card) => ({ card, coup })));

function dealt(shoe: ShoeText): Check {
  const name = "dealt";
  const order = asCut(shoe);
  if (!order.length) return { name, result: "absent", said: saying("verify.commitment.absent") };
  const came = dealtCards(shoe);
  for (const [at, { card, coup }] of came.entries()) {
    const expected = order[at];
    if (expected === card) continue;
    const place = at + 1;
    const said: Said =
      expected === undefined
        ? saying("verify.dealt.over", { place, cards: order.length })
        : () => saying("verify.dealt.wrong", { place, expected: cardName(expected), card: cardName(card) })();
    return { name, result: "wrong", said, line: coup.line };
  }
  return { name, result: "right", said: saying("verify.dealt.right", { dealt: came.length }) };
}

function coups(shoe: ShoeText): Check {
  const name = "coups";
  if (shoe.declared) return { name, result: "absent", said: saying("verify.coups.declared") };
  const permanent7 = shoe.headers.get("game")?.value === SEVEN_UP;
  const wrong = (coup: Coup, said: Said): Check => ({ name, result: "wrong", said, line: coup.line });
  for (const coup of shoe.coups) {
    if (!coup.totals) continue; // void: whatever had come by then
    const played = play(coup.cards, permanent7);
    const round = coup.number;
    if (typeof played === "string") return wrong(coup, saying(`verify.coups.${played}`, { round }));
    if (played.player !== coup.totals[0] || played.banker !== coup.totals[1]) {
      return wrong(coup, saying("verify.coups.totals", { round, player: played.player, banker: played.banker }));
    }
    if (coup.outcome[0] !== played.winner) return wrong(coup, saying("verify.coups.outcome", { round, outcome: played.winner }));
  }
  return { name, result: "right", said: saying("verify.coups.right", { rounds: shoe.coups.length }) };
}
