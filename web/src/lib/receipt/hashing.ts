// SHA-256 and SHA-512 (FIPS 180-4), for pages that the browser gives no cryptography, and where waiting is a bother.

const WORD = (1n << 64n) - 1n;

function primes(count: number): bigint[] {
  const found: bigint[] = [];
  for (let each = 2n; found.length < count; each += 1n) if (found.every((prime) => each % prime)) found.push(each);
  return found;
}

/** The largest number whose power is no larger. */
function root(value: bigint, power: bigint): bigint {
  let [low, high] = [0n, 1n << 72n];
  while (low < high) {
    const middle = (low + high + 1n) / 2n;
    if (middle ** power <= value) low = middle;
    else high = middle - 1n;
  }
  return low;
}

// The first bits behind the point: of cube roots for the rounds, of square roots to begin with.
const ROUNDS_512 = primes(80).map((prime) => root(prime << 192n, 3n) & WORD);
const START_512 = primes(8).map((prime) => root(prime << 128n, 2n) & WORD);
const ROUNDS_256 = Int32Array.from(ROUNDS_512.slice(0, 64), (each) => Number(each >> 32n) | 0);
const START_256 = Int32Array.from(START_512, (each) => Number(each >> 32n) | 0);

/** A message with its end: a bit, zeros, and how many bits it has. */
function padded(message: Uint8Array, block: number): Uint8Array {
  const size = Math.ceil((message.length + 1 + block / 8) / block) * block;
  const whole = new Uint8Array(size);
  whole.set(message);
  whole[message.length] = 0x80;
  const view = new DataView(whole.buffer);
  view.setUint32(size - 8, Math.floor(message.length / 2 ** 29));
  view.setUint32(size - 4, (message.length << 3) >>> 0);
  return whole;
}

const turned = (word: number, by: number): number => (word >>> by) | (word << (32 - by));

export function sha256(message: Uint8Array): Uint8Array {
  const whole = padded(message, 64);
  const view = new DataView(whole.buffer);
  const state = START_256.slice();
  const words = new Int32Array(64);
  const word = (place: number): number => words[place] ?? 0;
  for (let from = 0; from < whole.length; from += 64) {
    for (let place = 0; place < 64; place += 1) {
      if (place < 16) {
        words[place] = view.getInt32(from + 4 * place);
        continue;
      }
      const [early, late] = [word(place - 15), word(place - 2)];
      const small = turned(early, 7) ^ turned(early, 18) ^ (early >>> 3);
      const large = turned(late, 17) ^ turned(late, 19) ^ (late >>> 10);
      words[place] = word(place - 16) + small + word(place - 7) + large;
    }
    let [a, b, c, d, e, f, g, h] = [...state] as [number, number, number, number, number, number, number, number];
    for (let place = 0; place < 64; place += 1) {
      const mixed = (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g));
      const first = (h + mixed + (ROUNDS_256[place] ?? 0) + word(place)) | 0;
      const second = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) | 0, c, b, a, (first + second) | 0];
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => (state[place] = (state[place] ?? 0) + each));
  }
  const digest = new DataView(new ArrayBuffer(32));
  state.forEach((each, place) => digest.setInt32(4 * place, each));
  return new Uint8Array(digest.buffer);
}

const turned64 = (word: bigint, by: bigint): bigint => ((word >> by) | (word << (64n - by))) & WORD;

export function sha512(message: Uint8Array): Uint8Array {
  const whole = padded(message, 128);
  const view = new DataView(whole.buffer);
  const state = [...START_512];
  const words: bigint[] = [];
  const word = (place: number): bigint => words[place] ?? 0n;
  for (let from = 0; from < whole.length; from += 128) {
    for (let place = 0; place < 80; place += 1) {
      if (place < 16) {
        words[place] = view.getBigUint64(from + 8 * place);
        continue;
      }
      const [early, late] = [word(place - 15), word(place - 2)];
      const small = turned64(early, 1n) ^ turned64(early, 8n) ^ (early >> 7n);
      const large = turned64(late, 19n) ^ turned64(late, 61n) ^ (late >> 6n);
      words[place] = (word(place - 16) + small + word(place - 7) + large) & WORD;
    }
    let [a, b, c, d, e, f, g, h] = state as [bigint, bigint, bigint, bigint, bigint, bigint, bigint, bigint];
    for (let place = 0; place < 80; place += 1) {
      const mixed = (turned64(e, 14n) ^ turned64(e, 18n) ^ turned64(e, 41n)) + ((e & f) ^ ((e ^ WORD) & g));
      const first = h + mixed + (ROUNDS_512[place] ?? 0n) + word(place);
      const second = (turned64(a, 28n) ^ turned64(a, 34n) ^ turned64(a, 39n)) + ((a & b) ^ (a & c) ^ (b & c));
      [h, g, f, e, d, c, b, a] = [g, f, e, (d + first) & WORD, c, b, a, (first + second) & WORD];
    }
    [a, b, c, d, e, f, g, h].forEach((each, place) => (state[place] = ((state[place] ?? 0n) + each) & WORD));
  }
  const digest = new DataView(new ArrayBuffer(64));
  state.forEach((each, place) => digest.setBigUint64(8 * place, each));
  return new Uint8Array(digest.buffer);
}
