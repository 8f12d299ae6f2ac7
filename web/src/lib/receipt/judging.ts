// Whether a receipt is right by what somebody knows of the floor: its keys, and a checkpoint. `punto verify` judges alike.
import { readCheckpoint, standing, type Standing } from "./checkpoint";
import type { Claim, Receipt } from "./receipt";

/** What somebody has from elsewhere, as it was typed. */
export interface Outside {
  keys: string;
  note: string;
  consistency: string;
}

/** Why a receipt is not right by the keys: one is no key, none is behind its signer, its checkpoint is of another. */
export type Doubt = "no-key" | "foreign" | "other-key";

export interface Judgement {
  /** Open: right by itself, but nobody can tell yet whether it agrees with the checkpoint that was given. */
  verdict: "right" | "wrong" | "open";
  doubt: Doubt | null;
  held: Standing | null;
  /** How many heads the checkpoint has that was given. */
  size: number;
}

const VERDICTS: Record<Standing, Judgement["verdict"]> = {
  same: "right",
  joined: "right",
  other: "wrong",
  "other-log": "wrong",
  "bad-proof": "wrong",
  stranger: "wrong",
  "needs-proof": "open",
  "only-signed": "open",
};

/** The keys in a text, whatever stands between them. */
export const keysIn = (text: string): string[] => [...new Set(text.toLowerCase().split(/[\s,;]+/))].filter(Boolean);

function doubtOf(claim: Claim, keys: readonly string[]): Doubt | null {
  if (!keys.every((key) => /^[0-9a-f]{64}$/.test(key))) return "no-key";
  // The checkpoint's key is not enough: a checkpoint covers the head, and only the signer vouches for round and seal.
  if (keys.length && !keys.includes(claim.floor)) return "foreign";
  return claim.checkpointKey && ![claim.floor, ...keys].includes(claim.checkpointKey) ? "other-key" : null;
}

export async function judge(receipt: Receipt, claim: Claim, outside: Outside): Promise<Judgement> {
  const keys = keysIn(outside.keys);
  const doubt = doubtOf(claim, keys);
  if (doubt) return { verdict: "wrong", doubt, held: null, size: 0 };
  if (!outside.note.trim()) return { verdict: "right", doubt, held: null, size: 0 };
  const checkpoint = await readCheckpoint(outside.note, [claim.floor, ...keys]);
  const held = checkpoint ? standing(receipt, checkpoint, outside.consistency) : "stranger";
  return { verdict: VERDICTS[held], doubt, held, size: checkpoint?.size ?? 0 };
}
