// Passkeys as the browser has them, and as the floor reads them: every part in base64 for addresses.
import { say } from "../../lib/words";
import { Refusal } from "../../live";
import type { Challenge, Made, Signed, ToBeMade } from "../../wire";
import "./words";

const TIMEOUT_MS = 120_000;
// ECDSA with P-256, EdDSA and RSA with SHA-256: what devices sign with.
const ALGORITHMS = [-7, -8, -257];

/** Whether this browser can use passkeys on this page: not without TLS, but for localhost, and not where the host is a number. */
export function hasPasskeys(): boolean {
  return "PublicKeyCredential" in window && !/^[\d.]+$|^\[/.test(location.hostname);
}

/** Have the device make a passkey. */
export async function madePasskey(asked: ToBeMade): Promise<Made> {
  const user = { id: bytesOf(asked.user), name: asked.name, displayName: asked.name };
  const publicKey: PublicKeyCredentialCreationOptions = {
    challenge: bytesOf(asked.challenge),
    rp: { id: asked.host, name: asked.floor },
    user,
    pubKeyCredParams: ALGORITHMS.map((alg) => ({ type: "public-key", alg })),
    excludeCredentials: asked.there.map((id) => ({ type: "public-key", id: bytesOf(id) })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    attestation: "none",
    timeout: TIMEOUT_MS,
  };
  const found = await shown(() => navigator.credentials.create({ publicKey }));
  const response = found.response as AuthenticatorAttestationResponse;
  return {
    id: found.id,
    client_data: textOf(response.clientDataJSON),
    attestation: textOf(response.attestationObject),
  };
}

/** Have a passkey sign a challenge; whose it is, the person chooses. */
export async function signedWith({ challenge, host }: Challenge): Promise<Signed> {
  const publicKey: PublicKeyCredentialRequestOptions = {
    challenge: bytesOf(challenge),
    rpId: host,
    userVerification: "required",
    timeout: TIMEOUT_MS,
  };
  const found = await shown(() => navigator.credentials.get({ publicKey }));
  const response = found.response as AuthenticatorAssertionResponse;
  return {
    id: found.id,
    client_data: textOf(response.clientDataJSON),
    authenticator_data: textOf(response.authenticatorData),
    signature: textOf(response.signature),
  };
}

/** What the device has shown. The browser does not say why there is nothing: the person gave up, or has no passkey here. */
async function shown(ask: () => Promise<Credential | null>): Promise<PublicKeyCredential> {
  let found: Credential | null;
  try {
    found = await ask();
  } catch (error) {
    const there = error instanceof DOMException && error.name === "InvalidStateError";
    throw new Refusal("passkey", say(there ? "entrance.passkey.there" : "entrance.passkey.none"));
  }
  if (!(found instanceof PublicKeyCredential)) throw new Refusal("passkey", say("entrance.passkey.none"));
  return found;
}

export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  const raw = atob(text.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(raw, (sign) => sign.charCodeAt(0));
}

export function textOf(bytes: ArrayBuffer): string {
  const raw = Array.from(new Uint8Array(bytes), (each) => String.fromCharCode(each)).join("");
  return btoa(raw).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}
