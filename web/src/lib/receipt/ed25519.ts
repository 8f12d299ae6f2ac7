// Whether an Ed25519 signature is right (RFC 8032): by the browser's own cryptography, or here where it has none.
import { sha512 } from "./hashing";

const P = 2n ** 255n - 19n;
const ORDER = 2n ** 252n + 27742317777372353535851937790883648493n;

const mod = (value: bigint): bigint => ((value % P) + P) % P;

function power(base: bigint, exponent: bigint): bigint {
  let found = 1n;
  for (let square = mod(base), rest = exponent; rest; rest >>= 1n, square = mod(square * square)) {
    if (rest & 1n) found = mod(found * square);
  }
  return found;
}

const D = mod(-121665n * power(121666n, P - 2n));
const ROOT = power(2n, (P - 1n) / 4n);

/** X, Y, Z and XY/Z. */
type Point = readonly [bigint, bigint, bigint, bigint];
const NOTHING: Point = [0n, 1n, 1n, 0n];

function sum([x1, y1, z1, t1]: Point, [x2, y2, z2, t2]: Point): Point {
  const a = mod((y1 - x1) * (y2 - x2));
  const b = mod((y1 + x1) * (y2 + x2));
  const c = mod(2n * t1 * t2 * D);
  const d = mod(2n * z1 * z2);
  const [e, f, g, h] = [b - a, d - c, d + c, b + a];
  return [mod(e * f), mod(g * h), mod(f * g), mod(e * h)];
}

function multiple(point: Point, times: bigint): Point {
  let found = NOTHING;
  for (let each = point, rest = times; rest; rest >>= 1n, each = sum(each, each))
    if (rest & 1n) found = sum(found, each);
  return found;
}

/** The number that bytes mean, the lowest first. */
const numberOf = (bytes: Uint8Array): bigint => bytes.reduceRight((value, byte) => (value << 8n) | BigInt(byte), 0n);

/** The point that 32 bytes mean; null where none does. */
function pointOf(bytes: Uint8Array): Point | null {
  const whole = numberOf(bytes);
  const y = whole & (2n ** 255n - 1n);
  if (y >= P) return null;
  const [u, v] = [mod(y * y - 1n), mod(D * y * y + 1n)];
  let x = mod(u * power(v, 3n) * power(u * power(v, 7n), (P - 5n) / 8n));
  if (mod(v * x * x) === mod(-u)) x = mod(x * ROOT);
  if (mod(v * x * x) !== u) return null;
  const odd = whole >> 255n;
  if (!x && odd) return null;
  if ((x & 1n) !== odd) x = P - x;
  return [x, y, 1n, mod(x * y)];
}

function bytesOf([x, y, z]: Point): Uint8Array {
  const inverse = power(z, P - 2n);
  let rest = mod(y * inverse) | ((mod(x * inverse) & 1n) << 255n);
  return Uint8Array.from({ length: 32 }, () => {
    const byte = Number(rest & 255n);
    rest >>= 8n;
    return byte;
  });
}

const BASE = pointOf(Uint8Array.from({ length: 32 }, (_, place) => (place ? 0x66 : 0x58))) as Point;

/** The check itself, without the browser's help. */
export function verifyHere(key: Uint8Array, signature: Uint8Array, message: Uint8Array): boolean {
  const point = key.length === 32 && signature.length === 64 ? pointOf(key) : null;
  const [r, s] = [signature.slice(0, 32), numberOf(signature.slice(32))];
  if (!point || s >= ORDER) return false;
  const hash = numberOf(sha512(Uint8Array.from([...r, ...key, ...message]))) % ORDER;
  const [x, y, z, t] = multiple(point, hash);
  const found = bytesOf(sum(multiple(BASE, s), [mod(-x), y, z, mod(-t)]));
  return found.every((byte, place) => byte === r[place]);
}

export async function verify(key: Uint8Array, signature: Uint8Array, message: Uint8Array): Promise<boolean> {
  // Pages that did not come by a secure connection have none.
  const { subtle } = (globalThis as { crypto?: Partial<Crypto> }).crypto ?? {};
  if (subtle) {
    try {
      const known = await subtle.importKey("raw", Uint8Array.from(key), "Ed25519", false, ["verify"]);
      return await subtle.verify("Ed25519", known, Uint8Array.from(signature), Uint8Array.from(message));
    } catch {
      // This browser does not know the kind, or takes the key for none: both are found out below.
    }
  }
  return verifyHere(key, signature, message);
}
