// The order in which the cards of a virtual shoe came, worked out from what lies open: the floor's own order, permuted by
// what patrons and the beacon contributed, and cut. docs/shoes.md has the protocol; punto.record.shoeorder does the same.
import { sha256 } from "@noble/hashes/sha2.js";
import { header, numberOf, orderOf, type Contribution, type ShoeText } from "./shoetext";

const SECOND = "2";
/** What the commitment of the second protocol is bound to, in this order. */
const BOUND = ["table", "shoe", "game", "rulebook", "digest", "decks", "behind", "beacon", "abandoned-before"];
const WORD_BYTES = 8;
const WORDS = 1n << 64n;

const digest = (...lines: string[]): Uint8Array => sha256(new TextEncoder().encode(lines.join("\n")));

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

export const isSecond = (shoe: ShoeText): boolean => header(shoe, "protocol") === SECOND;

/** What the floor's order and its salt commit to, by the protocol that the text names. */
export function commitmentOf(shoe: ShoeText): string {
  const opened = [header(shoe, "salt"), header(shoe, "order")];
  if (!isSecond(shoe)) return hex(digest("punto shoe 1", ...opened));
  return hex(digest("punto shoe 2", ...BOUND.map((key) => header(shoe, key)), ...opened));
}

/** What commits a patron to a secret, for the shoe of that commitment. */
export const contributionDigest = (shoe: string, patron: string, secret: string): string =>
  hex(digest("punto contribution 1", shoe, patron, secret));

/** All commitments as they stood at the close: a page keeps this before it reveals its secret. */
export const closingDigest = (shoe: ShoeText): string =>
  hex(
    digest(
      "punto contributions 1",
      header(shoe, "commitment"),
      ...shoe.contributions.flatMap(({ patron, commitment }) => [patron, commitment]),
    ),
  );

/** The floor's order as the contributions permute it; without any it stays as it is. */
function permuted(order: string[], shoe: string, contributions: Contribution[], beaconValue: string): string[] {
  if (!contributions.length && !beaconValue) return order;
  const parts = contributions.flatMap(({ patron, secret }) => [patron, secret]);
  const words = stream(digest("punto permutation 1", shoe, ...parts, beaconValue));
  const cards = [...order];
  for (let last = cards.length - 1; last > 0; last--) {
    const place = below(last + 1, words);
    [cards[last], cards[place]] = [cards[place]!, cards[last]!];
  }
  return cards;
}

/** A number below a bound; words that would favour some numbers are passed over. */
function below(bound: number, words: Iterator<bigint, never>): number {
  const size = BigInt(bound);
  const fair = WORDS - (WORDS % size);
  let word = words.next().value;
  while (word >= fair) word = words.next().value;
  return Number(word % size);
}

function* stream(seed: Uint8Array): Generator<bigint, never> {
  for (let counter = 0; ; counter++) {
    const block = new Uint8Array(seed.length + WORD_BYTES);
    block.set(seed);
    new DataView(block.buffer).setBigUint64(seed.length, BigInt(counter));
    const view = new DataView(sha256(block).buffer);
    for (let at = 0; at < view.byteLength; at += WORD_BYTES) yield view.getBigUint64(at);
  }
}

/** The order as the cards came: permuted, and those before the cut at the back. */
export function asDealt(shoe: ShoeText): string[] {
  const order = permuted(orderOf(shoe), header(shoe, "commitment"), shoe.contributions, header(shoe, "beacon-value"));
  const cut = Math.min(order.length, numberOf(shoe, "cut", 0));
  return [...order.slice(cut), ...order.slice(0, cut)];
}
