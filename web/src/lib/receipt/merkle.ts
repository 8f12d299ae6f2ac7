// The Merkle tree of RFC 6962: where a proof leads.
import { joined, same } from "./bytes";
import { sha256 } from "./hashing";

const LEAF = Uint8Array.of(0);
const NODE = Uint8Array.of(1);

export const leafHash = (data: Uint8Array): Uint8Array => sha256(joined(LEAF, data));
const nodeHash = (left: Uint8Array, right: Uint8Array): Uint8Array => sha256(joined(NODE, left, right));

function bitLength(value: number): number {
  let bits = 0;
  for (let rest = value; rest >= 1; rest = Math.floor(rest / 2)) bits += 1;
  return bits;
}

const shifted = (value: number, by: number): number => Math.floor(value / 2 ** by);
const bitOf = (value: number, place: number): number => shifted(value, place) % 2;

function bitCount(value: number): number {
  let count = 0;
  for (let rest = value; rest >= 1; rest = Math.floor(rest / 2)) count += rest % 2;
  return count;
}

/** Up to which height the sides of two leaves differ. */
function inner(one: number, other: number): number {
  let height = Math.max(bitLength(one), bitLength(other));
  while (height && bitOf(one, height - 1) === bitOf(other, height - 1)) height -= 1;
  return height;
}

export function proofLength(index: number, size: number): number {
  const height = inner(index, size - 1);
  return height + bitCount(shifted(index, height));
}

/** The root to which a proof of just the right length leads from a leaf. */
export function rootOf(leaf: Uint8Array, index: number, size: number, proof: readonly Uint8Array[]): Uint8Array {
  const height = inner(index, size - 1);
  return proof.reduce(
    (found, sibling, level) =>
      level >= height || bitOf(index, level) ? nodeHash(sibling, found) : nodeHash(found, sibling),
    leaf,
  );
}

/** Whether a log of *newer* leaves begins with one of *older* leaves, by the proof and both roots. */
export function isConsistent(
  older: number,
  newer: number,
  oldRoot: Uint8Array,
  newRoot: Uint8Array,
  proof: readonly Uint8Array[],
): boolean {
  if (older === newer) return !proof.length && same(oldRoot, newRoot);
  if (older < 1 || older > newer) return false;
  let level = 0;
  while (!bitOf(older, level)) level += 1;
  const [start, ...siblings] = older === 2 ** level ? [oldRoot, ...proof] : proof;
  const last = shifted(older - 1, level);
  const height = inner(last, shifted(newer - 1, level));
  if (!start || siblings.length !== height + bitCount(shifted(last, height))) return false;
  let [before, after] = [start, start];
  siblings.forEach((sibling, place) => {
    if (place >= height || bitOf(last, place)) {
      [before, after] = [nodeHash(sibling, before), nodeHash(sibling, after)];
    } else after = nodeHash(after, sibling);
  });
  return same(before, oldRoot) && same(after, newRoot);
}
