import type { Problem, Routes } from "../wire";
import { Refusal } from "./errors";
import { PROVE_AGAIN, prover } from "./prover.svelte";

type Method = "GET" | "POST" | "PUT" | "DELETE";
type Route = keyof Routes;
/** The addresses that a method has. */
type Path<M extends Method> = { [R in Route]: R extends `${M} ${infer P}` ? P : never }[Route];
type At<M extends Method, P extends Path<M>> = Routes[Extract<Route, `${M} ${P}`>];
/** What goes into an address, a query and a body; nothing where nothing must. */
type Asked<Each> = Omit<Each, "answer">;
/** And what calls the asking off. */
type Called<Each> = Asked<Each> & { signal?: AbortSignal };
type Rest<Each> = object extends Asked<Each> ? [asked?: Called<Each>] : [asked: Called<Each>];

interface Parts {
  at?: Record<string, string | number>;
  query?: Record<string, string | number | boolean | null | undefined>;
  body?: unknown;
  signal?: AbortSignal;
}

// A page that nobody has touched for so long asks of its own accord: that keeps no session from being idle.
const ATTENDED_MS = 10_000;
// Done, and nothing to be told.
const NOTHING = 204;
let touchedAt = performance.now();
for (const kind of ["pointerdown", "keydown", "wheel"]) {
  addEventListener(kind, () => (touchedAt = performance.now()), { capture: true, passive: true });
}

/** An address with its places filled in. */
function address(path: string, { at = {}, query = {} }: Parts): string {
  const filled = path.replace(/\{(\w+)\}/g, (_, place: string) => encodeURIComponent(at[place] ?? ""));
  const asked = Object.entries(query).flatMap(([name, value]) => (value == null ? [] : [[name, String(value)]]));
  return asked.length ? `${filled}?${new URLSearchParams(asked).toString()}` : filled;
}

async function ask(method: Method, path: string, body?: unknown, signal?: AbortSignal): Promise<unknown> {
  const headers: Record<string, string> = body === undefined ? {} : { "content-type": "application/json" };
  if (performance.now() - touchedAt > ATTENDED_MS) headers["punto-unattended"] = "1";
  let response: Response;
  let text: string;
  try {
    const sent = body === undefined ? undefined : JSON.stringify(body);
    response = await fetch(path, { method, headers, body: sent, ...(signal && { signal }) });
    text = await response.text();
  } catch {
    throw new Refusal("lost", "");
  }
  if (response.status === NOTHING) return null;
  const answer = read(text, response.headers.get("content-type") ?? "");
  if (!response.ok) {
    // Whatever answers in the place of the floor may leave out either.
    const problem = answer as Partial<Problem> | null;
    const code = problem?.code ?? "failed";
    // Nobody is told twice by HTTP: the person must look, or ask again.
    throw new Refusal(code === "unknown" ? "not-known" : code, problem?.message ?? "");
  }
  return answer;
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

/** A way of asking: the address says what must be asked, and what is answered. */
function by<M extends Method>(method: M, without?: unknown) {
  return async <P extends Path<M>>(path: P, ...[asked]: Rest<At<M, P>>): Promise<At<M, P>["answer"]> => {
    const parts: Parts = asked ?? {};
    // The floor answers what the schema says that it answers; its own tests hold it to that.
    const asking = (): Promise<unknown> => ask(method, address(path, parts), parts.body ?? without, parts.signal);
    return (await asking().catch(async (error: unknown) => {
      if (!(error instanceof Refusal) || error.code !== PROVE_AGAIN) throw error;
      await prover.need(error);
      return asking();
    })) as At<M, P>["answer"];
  };
}

/** The floor's HTTP side: answers, or a Refusal. */
export const api = { get: by("GET"), post: by("POST", {}), put: by("PUT", {}), delete: by("DELETE") };
