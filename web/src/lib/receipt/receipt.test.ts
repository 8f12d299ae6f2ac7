import { readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test, vi } from "vitest";
import { BadReceipt, checkReceipt, codeOf, isReceipt, judge, readCheckpoint, readReceipt, standing } from ".";
import { bytesOf, fromBase45, fromBase64Url, fromHex, hexOf, toBase45, toBase64Url, unpacked } from "./bytes";
import { verify, verifyHere } from "./ed25519";
import { sha256, sha512 } from "./hashing";
import { isConsistent } from "./merkle";

interface Golden {
  key: string;
  checkpoints: [string, string];
  consistency: string;
  receipts: { name: string; text: string; code: string; claim: Record<string, unknown> }[];
}

interface Verdicts {
  keys: Record<string, string>;
  receipts: Record<string, string>;
  notes: Record<string, string>;
  consistency: string;
  cases: {
    receipt: string;
    keys: string[];
    note: string;
    joined: boolean;
    verdict: string;
    doubt: string;
    held: string;
  }[];
}

const golden = JSON.parse(readFileSync("../tests/golden/receipts.json", "utf8")) as Golden;
const verdicts = JSON.parse(readFileSync("../tests/golden/receipt_verdicts.json", "utf8")) as Verdicts;
const named = (name: string): string => golden.receipts.find((each) => each.name === name)?.text ?? "";
const EARLY = named("a wager in a checkpoint");

describe("a receipt", () => {
  test.each(golden.receipts)("$name: the page finds what the command finds", async ({ text, code, claim }) => {
    const found = await checkReceipt(readReceipt(text));
    const { writer_floor, signer_floor, checkpoint_key, writer, ...rest } = claim;
    delete rest.number;
    const { writerFloor, floor, checkpointKey, writer: name, ...said } = found;
    expect(said).toEqual(rest);
    expect({ writerFloor, floor, checkpointKey }).toEqual({
      writerFloor: writer_floor,
      floor: signer_floor,
      checkpointKey: checkpoint_key,
    });
    expect(writer).toBe(`heads/${name}`);
    expect(codeOf(readReceipt(text))).toBe(code);
    expect(await checkReceipt(readReceipt(code))).toEqual(found);
    expect(readReceipt(`\r\n${text.replaceAll("\n", "\r\n")}`).raw).toEqual(readReceipt(text).raw);
  });

  test("no byte of it can be another", async () => {
    const { raw } = readReceipt(EARLY);
    for (let place = 0; place < raw.length; place += 5) {
      const other = Uint8Array.from(raw);
      other[place]! ^= 1 << (place % 8);
      const text = `PUNTO RECEIPT 1:${toBase45(other)}`;
      await expect(
        (async () => checkReceipt(readReceipt(text)))(),
        `byte ${place} was changed, and nobody noticed`,
      ).rejects.toBeInstanceOf(BadReceipt);
    }
  });

  test.each([
    "",
    "punto receipt 1",
    "punto receipt 2\nAQ",
    "punto receipt 1\n!",
    "punto receipt 1\nAQAA",
    "x".repeat(7000),
  ])("what is none is refused: %j", (text) => expect(() => readReceipt(text)).toThrow(BadReceipt));

  test("lines may be broken anywhere or nowhere, and the bytes have one writing", () => {
    const [mark, ...lines] = EARLY.trim().split("\n");
    const code = lines.join("");
    for (const joined of [`${mark}\n${code}`, `${mark} ${code}`, `${mark}${code}`, [mark, ...lines].join(" ")])
      expect(readReceipt(joined)).toEqual(readReceipt(EARLY));
    expect(() => readReceipt(`${mark}\n${code}=`)).toThrow(BadReceipt);
    expect(isReceipt(EARLY) && isReceipt("PUNTO RECEIPT 1:AB")).toBe(true);
    expect(isReceipt("punto shoe 1")).toBe(false);
  });
});

// `punto verify` must find the same: tests/cli/test_receipts.py reads the same verdicts.
describe("by the keys behind its signer and its checkpoints", () => {
  test.each(Object.entries(verdicts.receipts))("a receipt is judged as the command does: %s", async (name, text) => {
    const receipt = readReceipt(text);
    const claim = await checkReceipt(receipt);
    for (const each of verdicts.cases.filter((one) => one.receipt === name)) {
      const { verdict, doubt, held } = await judge(receipt, claim, {
        keys: each.keys.map((key) => verdicts.keys[key]).join(" "),
        note: verdicts.notes[each.note] ?? "",
        consistency: each.joined ? verdicts.consistency : "",
      });
      expect({ verdict, doubt: doubt ?? "", held: held ?? "" }, JSON.stringify(each)).toEqual({
        verdict: each.verdict,
        doubt: each.doubt,
        held: each.held,
      });
    }
  });

  test("keys may be typed in capitals, and with anything between them", async () => {
    const receipt = readReceipt(verdicts.receipts["signed after the rotation, included before"] ?? "");
    const { first = "", today = "" } = verdicts.keys;
    const keys = ` ${today.toUpperCase()},\n${first};`;
    const found = await judge(receipt, await checkReceipt(receipt), { keys, note: "", consistency: "" });
    expect(found.verdict).toBe("right");
  });
});

describe("a checkpoint from elsewhere", () => {
  const [old, later] = golden.checkpoints;

  test("agrees with the receipt, by its size or by a proof", async () => {
    const receipt = readReceipt(EARLY);
    const { floor } = await checkReceipt(receipt);
    const [before, after] = [await readCheckpoint(old, [floor]), await readCheckpoint(later, [golden.key])];
    if (!before || !after) throw new Error("the checkpoints do not read");
    expect(standing(receipt, before, "")).toBe("same");
    expect(standing(receipt, after, "")).toBe("needs-proof");
    expect(standing(receipt, after, golden.consistency)).toBe("joined");
    expect(standing(readReceipt(named("a wager in a later checkpoint")), before, golden.consistency)).toBe("joined");
    expect(standing(readReceipt(named("a wager, only signed")), before, "")).toBe("only-signed");
    expect(standing(receipt, { ...before, root: after.root }, "")).toBe("other");
    const lines = golden.consistency.trim().split("\n");
    const cut = lines.slice(0, -1).join("\n");
    const turned = [...lines.slice(0, 3), lines[4], lines[3], ...lines.slice(5)].join("\n");
    expect([cut, turned].map((proof) => standing(receipt, after, proof))).toEqual(["bad-proof", "bad-proof"]);
    expect(standing(receipt, after, golden.consistency.replace("from ", "from 1"))).toBe("needs-proof");
  });

  test("of another floor, or forged, is none", async () => {
    expect(await readCheckpoint(old, ["0".repeat(64)])).toBeNull();
    expect(await readCheckpoint(old.replace("\n", "\n1"), [golden.key])).toBeNull();
    expect(await readCheckpoint(later.split("\n\n")[1] ?? "", [golden.key])).toBeNull();
    expect(await readCheckpoint("", [golden.key])).toBeNull();
  });
});

describe("what it rests on", () => {
  // FIPS 180-4, the examples of its authors; RFC 8032, 7.1, the second and third test.
  test("hashes are those of their specification", () => {
    expect(hexOf(sha256(bytesOf("abc")))).toBe("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    expect(hexOf(sha512(bytesOf("abc"))).slice(0, 64)).toBe(
      "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a",
    );
  });

  test("hashes are the browser's, whatever is hashed", async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (message) => {
        const bytes = Uint8Array.from(message);
        const browsers = await Promise.all(["SHA-256", "SHA-512"].map((each) => crypto.subtle.digest(each, bytes)));
        expect([sha256(message), sha512(message)].map(hexOf)).toEqual(
          browsers.map((each) => hexOf(new Uint8Array(each))),
        );
      }),
      { numRuns: 40 },
    );
  });

  const SIGNED = [
    [
      "3d4017c3e843895a92b70aa74d1b7ebc9c982ccf2ec4968cc0cd55f12af4660c",
      "92a009a9f0d4cab8720e820b5f642540a2b27b5416503f8fb3762223ebdb69da085ac1e43e15996e458f3613d0f11d8c387b2eaeb4302aeeb00d291612bb0c00",
      "72",
    ],
    [
      "fc51cd8e6218a1a38da47ed00230f0580816ed13ba3303ac5deb911548908025",
      "6291d657deec24024827e69c3abe01a30ce548a284743a445e3680d7db5ac3ac18ff9b538d16f290ae67f760984dc6594a7c15e9716ed28dc027beceea1ec40a",
      "af82",
    ],
  ] as const;

  test.each(SIGNED)("signatures are those of their specification", async (key, signature, message) => {
    const parts = [fromHex(key), fromHex(signature), fromHex(message)] as const;
    expect(verifyHere(...parts)).toBe(true);
    expect(await verify(...parts)).toBe(true);
    vi.stubGlobal("crypto", undefined);
    expect(await verify(...parts)).toBe(true);
    vi.unstubAllGlobals();
    for (const place of [0, 31, 32, 63]) {
      const other = Uint8Array.from(parts[1]);
      other[place]! ^= 4;
      expect(verifyHere(parts[0], other, parts[2])).toBe(false);
    }
    expect(verifyHere(parts[0], parts[1], bytesOf("another"))).toBe(false);
    expect(
      verifyHere(
        parts[0].map(() => 255),
        parts[1],
        parts[2],
      ),
    ).toBe(false);
    // The same signature with the order of the base point added: a second form of it, which is refused.
    const order = fromHex("edd3f55c1a631258d69cf7a2def9de1400000000000000000000000000000010");
    const malleable = Uint8Array.from(parts[1]);
    for (let place = 32, carry = 0; place < 64; place += 1) {
      const sum = (malleable[place] ?? 0) + (order[place - 32] ?? 0) + carry;
      [malleable[place], carry] = [sum & 255, sum >> 8];
    }
    expect(verifyHere(parts[0], malleable, parts[2])).toBe(false);
  });

  test("texts come back, and bounds hold", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
        expect(fromBase45(toBase45(bytes))).toEqual(Uint8Array.from(bytes));
        expect(fromBase64Url(toBase64Url(bytes))).toEqual(Uint8Array.from(bytes));
      }),
      { numRuns: 50 },
    );
    expect(toBase45(bytesOf("Hello!!"))).toBe("%69 VD92EX0");
    for (const bad of [[0], [29], [30, 2, 1], [31], [97, 31, 2, 1], [97, 98, 31, 1, 2]]) {
      expect(() => unpacked(Uint8Array.from(bad)), String(bad)).toThrow(BadReceipt);
    }
    expect(() => fromBase45("GGW")).toThrow(BadReceipt);
    expect(isConsistent(0, 5, new Uint8Array(32), new Uint8Array(32), [])).toBe(false);
  });
});
