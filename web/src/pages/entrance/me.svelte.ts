// Who one is here, as the floor says.
import { api, Refusal, lineOf } from "../../live";
import { say } from "../../lib/words";
import type { Me } from "../../wire";
import { signedWith } from "./passkey";

const LINES = {
  "wrong-password": "entrance.wrong-password",
  "password-expired": "entrance.password-expired",
  "wrong-proof": "entrance.wrong-proof",
  "second-needed": "entrance.second-needed",
  "too-fast": "entrance.too-fast",
  "bad-code": "entrance.bad-code",
} as const;

/** What went wrong at the door, in one line. */
export function doorLine(error: unknown): string {
  if (error instanceof Refusal) {
    const known: Partial<Record<string, (typeof LINES)[keyof typeof LINES]>> = LINES;
    const key = known[error.code];
    if (key) return say(key);
    if (error.code === "bad-password") return say("entrance.bad-password", { why: error.message });
  }
  return lineOf(error);
}

class Identity {
  me = $state<Me | null>(null);

  async ask(): Promise<void> {
    this.me = await api.get("/api/me");
  }

  async signIn(name: string, password: string, code = ""): Promise<Me> {
    this.me = await api.post("/api/sign-in", { body: { name, password, code } });
    return this.me;
  }

  async signInWithPasskey(): Promise<Me> {
    const signed = await signedWith(await api.post("/api/sign-in/challenge"));
    this.me = await api.post("/api/sign-in/passkey", { body: signed });
    return this.me;
  }

  async comeBack(name: string, code: string, password: string): Promise<void> {
    this.me = await api.post("/api/sign-in/way-back", { body: { name, code, password } });
  }

  async signOut(): Promise<void> {
    await api.post("/api/sign-out");
    await this.ask();
  }

  async changePassword(old: string, next: string): Promise<void> {
    await api.post("/api/password", { body: { old, new: next } });
    await this.ask();
  }

  async enrol(code: string): Promise<void> {
    await api.post("/api/enrol", { body: { code } });
    await this.ask();
  }
}

export const identity = new Identity();
