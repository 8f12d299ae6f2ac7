// The bytes of a receipt, as docs/record.md lays them out: numbers, packed bodies, base64 and base45.

/** What is wrong with a text or with what it claims: the key of its words. */
export type Fault = "reads" | "kind" | "certificate" | "head" | "signature" | "checkpoint";

export class BadReceipt extends Error {
  constructor(readonly fault: Fault) {
    super(fault);
  }
}

const SAFE = BigInt(Number.MAX_SAFE_INTEGER);
const HASH = 32;
const LONGEST_BODY = 4096;

// What a byte from 1 on stands for in a body.
const WORDS = [
  '{"at_ms":',
  ',"by":{"name":"',
  '","position":"patron"},"command":"',
  '","event":{"type":"wager-placed","number":',
  '","event":{"type":"wager-changed","number":',
  '","event":{"type":"credits-cashed-out","patron":"',
  ',"patron":"',
  '","wager":"',
  '","stake_cents":',
  ',"position":',
  '},"asked":',
  '","from_cents":',
  ',"to_cents":',
  '","cents":',
  ',"for_patron":true',
  '","position":"',
  '"},"command":"',
  ',"wager":"',
  ',"same_moment_as":',
  "ticket-",
  "desk-",
];
const HEX = 30;
const COPY = 31;

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);
export const hexOf = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
export const base64Of = (bytes: Uint8Array): string => btoa(String.fromCharCode(...bytes));

export function fromHex(text: string): Uint8Array {
  return Uint8Array.from(text.match(/../g) ?? [], (pair) => parseInt(pair, 16));
}

export function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((sum, each) => sum + each.length, 0));
  let from = 0;
  for (const each of parts) {
    whole.set(each, from);
    from += each.length;
  }
  return whole;
}

export const same = (one: Uint8Array, other: Uint8Array): boolean =>
  one.length === other.length && one.every((byte, place) => byte === other[place]);

export function textOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new BadReceipt("reads");
  }
}

/** Bytes that are read from the first to the last. */
export class Reader {
  at = 0;

  constructor(readonly raw: Uint8Array) {}

  take(count: number): Uint8Array {
    if (count > this.raw.length - this.at) throw new BadReceipt("reads");
    this.at += count;
    return this.raw.slice(this.at - count, this.at);
  }

  byte(): number {
    return this.take(1)[0] ?? 0;
  }

  /** A whole number, seven bits a byte, in no more bytes than it needs. */
  number(): number {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = this.byte();
      value |= BigInt(byte & 0x7f) << shift;
      if (byte & 0x80) continue;
      if (value > SAFE || (shift && !byte)) throw new BadReceipt("reads");
      return Number(value);
    }
  }

  hash(): Uint8Array {
    return this.take(HASH);
  }

  hashes(count: number): Uint8Array[] {
    return Array.from({ length: count }, () => this.hash());
  }

  end(): void {
    if (this.at !== this.raw.length) throw new BadReceipt("reads");
  }
}

/** The body of an entry from its packed form. */
export function unpacked(raw: Uint8Array): Uint8Array {
  const body: number[] = [];
  const reader = new Reader(raw);
  while (reader.at < raw.length) {
    const code = reader.byte();
    if (code >= 32) body.push(code);
    else if (code === HEX) body.push(...bytesOf(hexOf(reader.take(reader.byte()))));
    else if (code === COPY) {
      const [distance, length] = [reader.number(), reader.byte()];
      if (!distance || distance > body.length || length > distance) throw new BadReceipt("reads");
      const first = body.length - distance;
      body.push(...body.slice(first, first + length));
    } else {
      const word = WORDS[code - 1];
      if (word === undefined) throw new BadReceipt("reads");
      body.push(...bytesOf(word));
    }
    if (body.length > LONGEST_BODY) throw new BadReceipt("reads");
  }
  return Uint8Array.from(body);
}

// Texts

export function toBase64Url(bytes: Uint8Array): string {
  return base64Of(bytes).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

export function fromBase64(text: string): Uint8Array {
  try {
    return Uint8Array.from(atob(text), (sign) => sign.charCodeAt(0));
  } catch {
    throw new BadReceipt("reads");
  }
}

export function fromBase64Url(text: string): Uint8Array {
  if (!/^[\w-]*$/.test(text)) throw new BadReceipt("reads");
  return fromBase64(text.replaceAll("-", "+").replaceAll("_", "/"));
}

const SIGNS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:";

/** Bytes in the signs of a QR code's alphanumeric mode (RFC 9285). */
export function toBase45(bytes: Uint8Array): string {
  let text = "";
  for (let place = 0; place < bytes.length; place += 2) {
    const pair = place + 1 < bytes.length;
    let value = pair ? (bytes[place] ?? 0) * 256 + (bytes[place + 1] ?? 0) : (bytes[place] ?? 0);
    for (let sign = 0; sign < (pair ? 3 : 2); sign += 1) {
      text += SIGNS[value % 45];
      value = Math.floor(value / 45);
    }
  }
  return text;
}

export function fromBase45(text: string): Uint8Array {
  const bytes: number[] = [];
  for (let place = 0; place < text.length; place += 3) {
    const values = Array.from(text.slice(place, place + 3), (sign) => SIGNS.indexOf(sign));
    const value = values.reduceRight((sum, each) => sum * 45 + each, 0);
    if (values.length < 2 || values.includes(-1) || value >= 256 ** (values.length - 1)) throw new BadReceipt("reads");
    if (values.length === 3) bytes.push(value >> 8);
    bytes.push(value & 255);
  }
  return Uint8Array.from(bytes);
}
