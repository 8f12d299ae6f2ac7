import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { readQr } from "../../tests/qr";
import { codewords, correctionOf, pathOf, qrCode } from "./qr";

const receipts = (JSON.parse(readFileSync("../tests/golden/receipts.json", "utf8")) as { receipts: { code: string }[] })
  .receipts;

describe("a QR code", () => {
  // As widely published for HELLO WORLD in version 1 with level M.
  test("has the codewords of the published example", () => {
    const data = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
    expect(codewords("HELLO WORLD", 1, "M")).toEqual(data);
    expect(correctionOf(data, 10)).toEqual([196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
  });

  test("is read again by a reader that shares nothing with the writer", () => {
    for (const { code } of receipts.slice(0, 2)) expect(readQr(qrCode(code).modules)).toBe(code);
  });

  test("of every version is read again", () => {
    const seen = new Set<string>();
    for (const length of [1, 20, 47, 114, 195, 400, 900, 2369, 4296]) {
      const text = Array.from({ length }, (_, place) => "A7 :Z0"[(place * 7 + length) % 6]).join("");
      const code = qrCode(text);
      seen.add(`${code.version}${code.level}`);
      expect(code.size).toBe(4 * code.version + 17);
      expect(readQr(code.modules), `${length} signs`).toBe(text);
    }
    expect(seen.has("40L")).toBe(true);
    expect(seen.size).toBeGreaterThan(6);
  });

  test.each([1, 4, 20])("of ASCII is read again (%i times)", (times) => {
    const text = "otpauth://totp/Punto:greta?secret=ABCDEFGH&issuer=Punto ".repeat(times);
    expect(readQr(qrCode(text).modules)).toBe(text);
  });

  test("holds no other signs, and no more than there is room for", () => {
    expect(() => qrCode("é")).toThrow(RangeError);
    expect(() => qrCode("A".repeat(4297))).toThrow(RangeError);
  });

  test("is one path of just its dark modules", () => {
    const code = qrCode("HELLO WORLD");
    const drawn = [...pathOf(code).matchAll(/M(\d+) (\d+)h(\d+)v1H\1z/g)].reduce(
      (sum, part) => sum + Number(part[3]),
      0,
    );
    expect(drawn).toBe(code.modules.flat().filter(Boolean).length);
  });
});
