import { afterEach, describe, expect, test, vi } from "vitest";
import { Refusal } from "../../live";
import { bytesOf, hasPasskeys, madePasskey, signedWith, textOf } from "./passkey";

class Shown {
  constructor(
    readonly id: string,
    readonly response: Record<string, ArrayBuffer>,
  ) {}
}

/** A device that answers, or fails, as a test says. */
function device(answer: () => unknown): { create: ReturnType<typeof vi.fn>; get: ReturnType<typeof vi.fn> } {
  const there = { create: vi.fn(async () => answer()), get: vi.fn(async () => answer()) };
  vi.stubGlobal("PublicKeyCredential", Shown);
  vi.stubGlobal("navigator", { credentials: there });
  return there;
}

const part = (text: string): ArrayBuffer => bytesOf(text).buffer;
const asked = { user: "dQ", name: "dan", host: "floor.example", floor: "Marina", challenge: "Y2g", there: ["b2xk"] };

afterEach(() => vi.unstubAllGlobals());

describe("parts in base64 for addresses", () => {
  test("are read and written without a difference", () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, at) => at);
    expect(textOf(bytes.buffer)).not.toMatch(/[+/=]/);
    expect(bytesOf(textOf(bytes.buffer))).toEqual(bytes);
  });
});

describe("a passkey", () => {
  test("is made for the floor's host by a device that knows its person, and not twice on one device", async () => {
    const there = device(() => new Shown("new", { clientDataJSON: part("Y2w"), attestationObject: part("YXQ") }));
    expect(await madePasskey(asked)).toEqual({ id: "new", client_data: "Y2w", attestation: "YXQ" });
    const { publicKey } = there.create.mock.calls[0]![0] as { publicKey: PublicKeyCredentialCreationOptions };
    expect(publicKey.rp).toEqual({ id: "floor.example", name: "Marina" });
    expect(publicKey.authenticatorSelection).toEqual({ residentKey: "required", userVerification: "required" });
    expect(publicKey.excludeCredentials).toHaveLength(1);
  });

  test("signs a challenge, and names nobody to the device", async () => {
    const there = device(
      () => new Shown("mine", { clientDataJSON: part("Y2w"), authenticatorData: part("YXU"), signature: part("c2k") }),
    );
    const signed = await signedWith({ challenge: "Y2g", host: "floor.example" });
    expect(signed).toEqual({ id: "mine", client_data: "Y2w", authenticator_data: "YXU", signature: "c2k" });
    const { publicKey } = there.get.mock.calls[0]![0] as { publicKey: PublicKeyCredentialRequestOptions };
    expect([publicKey.userVerification, publicKey.allowCredentials]).toEqual(["required", undefined]);
  });

  test("that a person does not show, or that is there already, is said in one line", async () => {
    device(() => null);
    await expect(signedWith({ challenge: "Y2g", host: "h" })).rejects.toBeInstanceOf(Refusal);
    device(() => {
      throw new DOMException("no", "NotAllowedError");
    });
    const none = (await signedWith({ challenge: "Y2g", host: "h" }).catch((error: unknown) => error)) as Refusal;
    device(() => {
      throw new DOMException("twice", "InvalidStateError");
    });
    const there = (await madePasskey(asked).catch((error: unknown) => error)) as Refusal;
    expect([none.code, there.code]).toEqual(["passkey", "passkey"]);
    expect(none.message).not.toBe(there.message);
  });

  test.each([
    ["floor.example", true],
    ["localhost", true],
    ["127.0.0.1", false],
    ["[::1]", false],
  ])("on %s: %s", (hostname, may) => {
    vi.stubGlobal("PublicKeyCredential", Shown);
    vi.stubGlobal("location", { hostname });
    expect(hasPasskeys()).toBe(may);
  });
});
