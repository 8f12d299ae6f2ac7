import { Refusal } from "./errors";

// A page that nobody has touched for so long asks of its own accord: that keeps no session from being idle.
const ATTENDED_MS = 10_000;
let touchedAt = performance.now();
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });
}

async function ask<T>(method: string, path: string, body?: unknown): Promise<T> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  if (performance.now() - touchedAt > ATTENDED_MS) headers["punto-unattended"] = "1";
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body) });
    text = await response.text();
  } catch {
    throw new Refusal("lost", "");
  }
  const answer = read(text, response.headers.get("content-type") ?? "");
  if (!response.ok) {
    const problem = answer as { code?: string; message?: string } | null;
    throw new Refusal(problem?.code ?? "failed", problem?.message ?? "");
  }
  return answer as T;
}

function read(text: string, kind: string): unknown {
  if (!kind.includes("json") || !text) return text;
  try {
    return JSON.parse(text);
  } catch {
    // Whatever answered here, it was not the floor.
    throw new Refusal("failed", "");
  }
}

/** The floor's HTTP side: answers, or a Refusal. */
export const api = {
  get: <T>(path: string) => ask<T>("GET", path),
  post: <T>(path: string, body: unknown = {}) => ask<T>("POST", path, body),
  put: <T>(path: string, body: unknown = {}) => ask<T>("PUT", path, body),
  delete: <T>(path: string) => ask<T>("DELETE", path),
};
