// A checkpoint from elsewhere, and whether a receipt agrees with it.
import { base64Of, bytesOf, fromBase64, fromHex, hexOf, joined, same } from "./bytes";
import { verify } from "./ed25519";
import { sha256 } from "./hashing";
import { isConsistent } from "./merkle";
import { originOf, type Receipt } from "./receipt";

export interface Checkpoint {
  /** The name of the log. */
  origin: string;
  size: number;
  root: Uint8Array;
  key: string;
  /** Who else has signed, by name; their keys are not known here. */
  cosigned: string[];
}

/** How a receipt stands to a checkpoint; a stranger is none that the floor has signed. */
export type Standing =
  "same" | "joined" | "other" | "other-log" | "needs-proof" | "bad-proof" | "only-signed" | "stranger";

/** The checkpoint in a signed note of one of these keys; null where the note is none of theirs. */
export async function readCheckpoint(note: string, keys: readonly string[]): Promise<Checkpoint | null> {
  const whole = note.replaceAll("\r\n", "\n").trim() + "\n";
  const end = whole.lastIndexOf("\n\n");
  const text = whole.slice(0, end + 1);
  const [origin = "", size = "", root = ""] = text.split("\n");
  if (end < 0 || !/^(0|[1-9]\d{0,15})$/.test(size)) return null;
  const lines = whole
    .slice(end + 2)
    .split("\n")
    .filter(Boolean);
  const names = lines.map((line) => line.split(" ")[1] ?? "");
  for (const key of keys) {
    // A log keeps the name that it has from the floor's first key, whichever key signs for it by now.
    if (!/^[0-9a-f]{64}$/.test(key)) continue;
    const raw = fromHex(key);
    const id = sha256(joined(bytesOf(`${origin}\n`), Uint8Array.of(1), raw)).slice(0, 4);
    for (const line of lines) {
      const [dash, name, code = ""] = line.split(" ");
      if (dash !== "—" || name !== origin) continue;
      try {
        const signature = fromBase64(code);
        if (!same(signature.slice(0, 4), id) || !(await verify(raw, signature.slice(4), bytesOf(text)))) continue;
        const cosigned = names.filter((each) => each && each !== origin);
        return { origin, size: Number(size), root: fromBase64(root), key, cosigned };
      } catch {
        continue;
      }
    }
  }
  return null;
}

/** The proof that one log begins with another, as the floor serves it; null where the text is none. */
export function readConsistency(text: string): { from: number; to: number; proof: Uint8Array[] } | null {
  const [mark, from = "", to = "", ...lines] = text.replaceAll("\r\n", "\n").trim().split("\n");
  const [first, last] = [/^from (\d{1,15})$/.exec(from), /^to (\d{1,15})$/.exec(to)];
  if (mark !== "punto consistency 1" || !first || !last) return null;
  try {
    const proof = lines.map(fromBase64);
    if (proof.some((each, place) => each.length !== 32 || base64Of(each) !== lines[place])) return null;
    return { from: Number(first[1]), to: Number(last[1]), proof };
  } catch {
    return null;
  }
}

export function standing(receipt: Receipt, outside: Checkpoint, consistency: string): Standing {
  const own = receipt.inclusion;
  if (!own) return "only-signed";
  if (outside.origin !== originOf(own.log)) return "other-log";
  if (own.size === outside.size) return hexOf(own.root) === hexOf(outside.root) ? "same" : "other";
  const given = readConsistency(consistency);
  const [older, newer] = own.size < outside.size ? [own, outside] : [outside, own];
  if (!given || given.from !== older.size || given.to !== newer.size) return "needs-proof";
  return isConsistent(older.size, newer.size, older.root, newer.root, given.proof) ? "joined" : "bad-proof";
}
