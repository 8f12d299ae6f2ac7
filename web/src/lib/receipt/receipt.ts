// A receipt: read from its text, and checked here, hash by hash and signature by signature. Nobody is asked.
import {
  BadReceipt,
  base64Of,
  bytesOf,
  fromBase45,
  fromBase64Url,
  hexOf,
  joined,
  Reader,
  textOf,
  toBase45,
  toBase64Url,
  unpacked,
} from "./bytes";
import { verify } from "./ed25519";
import { sha256 } from "./hashing";
import { leafHash, proofLength, rootOf } from "./merkle";

const MARK = "punto receipt 1";
const CODE = "PUNTO RECEIPT 1:";
const LONGEST = 6000;
const MOST_COMMANDS = 2 ** 20;
const [SEAL, SIGNER, OTHER_FLOOR, INCLUSION, OTHER_KEY, OTHER_LOG] = [1, 2, 4, 8, 16, 32];

interface Certificate {
  key: Uint8Array;
  floor: Uint8Array;
  at_ms: number;
  signature: Uint8Array;
}

/** What the entry says, as far as it matters. */
interface Logged {
  at_ms: number;
  by: { name: string };
  command: string;
  event: {
    type: string;
    patron: string;
    wager?: string;
    number?: number;
    stake_cents?: number;
    from_cents?: number;
    to_cents?: number;
    cents?: number;
  };
}

export interface Receipt {
  raw: Uint8Array;
  logged: Logged;
  table: string;
  /** The bytes that the head's writer signed, and what they were signed after. */
  statement: Uint8Array;
  headBefore: Uint8Array;
  headSignature: Uint8Array;
  head: number;
  writer: Certificate;
  signer: Certificate;
  round: number;
  seal: { shoe: number; commitment: string } | null;
  signed: Uint8Array;
  signature: Uint8Array;
  inclusion: { size: number; root: Uint8Array; key: Uint8Array; log: string; signature: Uint8Array } | null;
}

/** What a receipt proves. */
export interface Claim {
  kind: "wager" | "stake" | "ticket" | "cash-out";
  table: string;
  patron: string;
  by: string;
  at_ms: number;
  cents: number;
  from_cents: number;
  wager: string;
  round: number;
  shoe: number;
  seal: string;
  command: string;
  writer: string;
  head: number;
  /** The floor's key that has certified who signed the receipt, and the one that has certified who signed the head. */
  floor: string;
  writerFloor: string;
  /** How many heads the checkpoint has that includes it, and who signed that; 0 while it is only signed. */
  checkpoint: number;
  checkpointKey: string;
}

const KINDS: Record<string, Claim["kind"]> = {
  "wager-placed": "wager",
  "wager-changed": "stake",
  "credits-cashed-out": "cash-out",
};

export const isReceipt = (text: string): boolean => /^\s*punto receipt/i.test(text);

/** The text of a receipt as a QR code holds it. */
export const codeOf = (receipt: Receipt): string => CODE + toBase45(receipt.raw);

export function readReceipt(text: string): Receipt {
  const written = text.trim();
  if (text.length > LONGEST) throw new BadReceipt("reads");
  if (written.startsWith(CODE)) return decoded(fromBase45(written.slice(CODE.length)));
  if (!written.startsWith(MARK)) throw new BadReceipt("reads");
  // Wherever the text went, its lines may have been broken anew, or joined.
  const code = written.slice(MARK.length).replace(/\s/g, "");
  const raw = fromBase64Url(code);
  if (toBase64Url(raw) !== code) throw new BadReceipt("reads");
  return decoded(raw);
}

function decoded(raw: Uint8Array): Receipt {
  const reader = new Reader(raw);
  const [version, flags] = [reader.byte(), reader.byte()];
  const has = (flag: number): boolean => (flags & flag) !== 0;
  const orphan = ((has(OTHER_KEY) || has(OTHER_LOG)) && !has(INCLUSION)) || (has(OTHER_FLOOR) && !has(SIGNER));
  if (version !== 1 || flags >= 2 * OTHER_LOG || orphan) throw new BadReceipt("reads");
  const table = textOf(reader.take(reader.byte()));
  const [entry, before] = [reader.number(), reader.hash()];
  const body = unpacked(reader.take(reader.number()));
  const [commands, index] = [reader.number(), reader.number()];
  if (index >= commands || commands > MOST_COMMANDS) throw new BadReceipt("reads");
  const path = reader.hashes(proofLength(index, commands));
  const [head, at_ms, moves] = [reader.number(), reader.number(), reader.hash()];
  const [headBefore, headSignature] = [reader.hash(), reader.take(64)];
  const writer = certificate(reader, reader.hash());
  const signer = has(SIGNER) ? certificate(reader, has(OTHER_FLOOR) ? reader.hash() : writer.floor) : writer;
  const round = reader.number();
  const seal = has(SEAL) ? { shoe: reader.number(), commitment: hexOf(reader.hash()) } : null;
  const signed = raw.slice(0, reader.at);
  // The path to a checkpoint came later: whoever signed did not know of it.
  signed[1] = flags & (SEAL | SIGNER | OTHER_FLOOR);
  const signature = reader.take(64);
  const logged = loggedOf(body);
  const hash = entryHash(before, `table/${table}`, entry, logged.command, body);
  const root = rootOf(leafHash(hash), index, commands, path);
  const statement = bytesOf(
    `{"writer":"${nameOf(writer)}","number":${head},"at_ms":${at_ms},"commands":${commands},` +
      `"root":"${base64Of(root)}","moves":"${base64Of(moves)}"}`,
  );
  const inclusion = has(INCLUSION)
    ? included(reader, statement, has(OTHER_KEY) ? null : signer.floor, has(OTHER_LOG))
    : null;
  reader.end();
  return {
    ...{ raw, logged, table, statement, headBefore, headSignature, head, writer, signer, round, seal },
    ...{ signed, signature, inclusion },
  };
}

const nameOf = ({ key }: Certificate): string => hexOf(key).slice(0, 16);

function certificate(reader: Reader, floor: Uint8Array): Certificate {
  return { key: reader.hash(), floor, at_ms: reader.number(), signature: reader.take(64) };
}

function included(
  reader: Reader,
  statement: Uint8Array,
  known: Uint8Array | null,
  other: boolean,
): Receipt["inclusion"] {
  const [size, index] = [reader.number(), reader.number()];
  if (index >= size) throw new BadReceipt("reads");
  const path = reader.hashes(proofLength(index, size));
  const key = known ?? reader.hash();
  // The log is named after the floor's first key, which may be another by now.
  const own = hexOf(key).slice(0, 16);
  const log = other ? hexOf(reader.take(8)) : own;
  if (other && log === own) throw new BadReceipt("reads");
  return { size, root: rootOf(leafHash(statement), index, size, path), key, log, signature: reader.take(64) };
}

function loggedOf(body: Uint8Array): Logged {
  let found: Partial<Logged> | null;
  try {
    found = JSON.parse(textOf(body)) as Partial<Logged> | null;
  } catch {
    throw new BadReceipt("kind");
  }
  const event = found?.event;
  const told = typeof event?.patron === "string" && typeof found?.command === "string" && found.by !== undefined;
  if (!event || !told || !(event.type in KINDS)) throw new BadReceipt("kind");
  return found as Logged;
}

function entryHash(before: Uint8Array, stream: string, version: number, command: string, body: Uint8Array): Uint8Array {
  const [name, id] = [bytesOf(stream), bytesOf(command)];
  const header = new DataView(new ArrayBuffer(12));
  header.setBigUint64(0, BigInt(version));
  header.setUint16(8, name.length);
  header.setUint16(10, id.length + 1);
  return sha256(joined(bytesOf("punto entry 2\0"), before, new Uint8Array(header.buffer), name, id, body));
}

/** The name of a log, which begins as the floor's first key does. */
export const originOf = (log: string): string => `punto/${log}`;

/** The text of a checkpoint, which the floor signs. */
export function checkpointText(log: string, size: number, root: Uint8Array): string {
  return `${originOf(log)}\n${size}\n${base64Of(root)}\n`;
}

async function isCertified(each: Certificate): Promise<boolean> {
  const said = `{"writer":"${nameOf(each)}","key":"${hexOf(each.key)}","floor":"${hexOf(each.floor)}","at_ms":${each.at_ms}}`;
  return verify(each.floor, each.signature, bytesOf(`punto writer 1\0${said}`));
}

/** What a receipt proves; BadReceipt where anything in it is not as it was signed. */
export async function checkReceipt(receipt: Receipt): Promise<Claim> {
  const { writer, signer, logged, inclusion } = receipt;
  if (!(await isCertified(writer)) || !(await isCertified(signer))) throw new BadReceipt("certificate");
  const head = joined(bytesOf("punto head 2\0"), receipt.headBefore, receipt.statement);
  if (!(await verify(writer.key, receipt.headSignature, head))) throw new BadReceipt("head");
  const whole = joined(bytesOf("punto receipt 1\0"), receipt.signed);
  if (!(await verify(signer.key, receipt.signature, whole))) throw new BadReceipt("signature");
  if (inclusion) {
    const text = bytesOf(checkpointText(inclusion.log, inclusion.size, inclusion.root));
    if (!(await verify(inclusion.key, inclusion.signature, text))) throw new BadReceipt("checkpoint");
  }
  const { event } = logged;
  const kind = KINDS[event.type] ?? "wager";
  return {
    kind: kind === "cash-out" && logged.command.startsWith("ticket-") ? "ticket" : kind,
    table: receipt.table,
    patron: event.patron,
    by: logged.by.name,
    at_ms: logged.at_ms,
    cents: event.stake_cents ?? event.to_cents ?? event.cents ?? 0,
    from_cents: event.from_cents ?? 0,
    wager: event.wager ?? "",
    round: receipt.round,
    shoe: receipt.seal?.shoe ?? 0,
    seal: receipt.seal?.commitment ?? "",
    command: logged.command,
    writer: nameOf(writer),
    head: receipt.head,
    floor: hexOf(signer.floor),
    writerFloor: hexOf(writer.floor),
    checkpoint: inclusion?.size ?? 0,
    checkpointKey: inclusion ? hexOf(inclusion.key) : "",
  };
}
