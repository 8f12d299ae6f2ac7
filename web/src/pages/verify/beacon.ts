// Signatures of public beacons: those of drand's unchained networks on G1 (BLS12-381, RFC 9380).
import { bls12_381 as bls } from "@noble/curves/bls12-381.js";
import { sha256 } from "@noble/hashes/sha2.js";

const DOMAIN = "BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_";
const SIGNATURE = /^[0-9a-f]{96}$/;
const KEY = /^[0-9a-f]{192}$/;
const MOST_ROUNDS = 1n << 63n;

/** Whether a signature is the value of a beacon's round. */
export function isSigned(key: string, round: bigint, signature: string): boolean {
  if (!KEY.test(key) || !SIGNATURE.test(signature) || round <= 0n || round >= MOST_ROUNDS) return false;
  const bytes = new Uint8Array(8);
  new DataView(bytes.buffer).setBigUint64(0, round);
  const { shortSignatures } = bls;
  try {
    const message = shortSignatures.hash(sha256(bytes), DOMAIN);
    return shortSignatures.verify(bls.G1.Point.fromHex(signature), message, bls.G2.Point.fromHex(key));
  } catch {
    return false; // no point of the curve, or none of the right group
  }
}
