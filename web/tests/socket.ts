// A connection that a test opens, speaks through and cuts; and a floor behind it that says what it is told to.
import { vi } from "vitest";
import type { AnyAsk, AnyTell } from "../src/wire";

export class FakeSocket {
  static readonly CONNECTING = 0;
  static readonly OPEN = 1;
  static readonly CLOSING = 2;
  static readonly CLOSED = 3;
  /** Every connection that the page has begun, oldest first. */
  static begun: FakeSocket[] = [];

  readyState = FakeSocket.CONNECTING;
  readonly address: string;
  /** What the page has sent, in its order. */
  readonly sent: AnyAsk[] = [];
  onopen: (() => void) | null = null;
  onmessage: ((event: { data: string }) => void) | null = null;
  onclose: (() => void) | null = null;

  constructor(address: string | URL) {
    this.address = String(address);
    FakeSocket.begun.push(this);
  }

  send(text: string): void {
    if (this.readyState !== FakeSocket.OPEN) throw new Error("sent over a connection that is not open");
    this.sent.push(JSON.parse(text) as AnyAsk);
  }

  /** The page hangs up; a network that is gone never confirms it. */
  close(): void {
    this.readyState = FakeSocket.CLOSING;
  }

  open(): void {
    this.readyState = FakeSocket.OPEN;
    this.onopen?.();
  }

  /** The floor says these things in one frame. */
  tell(...messages: AnyTell[]): void {
    this.onmessage?.({ data: JSON.stringify(messages) });
  }

  /** The connection is lost. */
  cut(): void {
    this.readyState = FakeSocket.CLOSED;
    this.onclose?.();
  }

  /** What was sent of one kind. */
  of<T extends AnyAsk["t"]>(t: T): Extract<AnyAsk, { t: T }>[] {
    return this.sent.filter((each): each is Extract<AnyAsk, { t: T }> => each.t === t);
  }

  static get last(): FakeSocket {
    const socket = FakeSocket.begun.at(-1);
    if (!socket) throw new Error("no connection was begun");
    return socket;
  }
}

const listening: Parameters<typeof addEventListener>[] = [];

/** From here on pages connect through fake sockets, and their clock goes on when the test says so. */
export function withoutNetwork(): void {
  FakeSocket.begun = [];
  vi.useFakeTimers({ now: Date.UTC(2026, 0, 5, 20, 0) });
  vi.stubGlobal("WebSocket", FakeSocket);
  const listen = globalThis.addEventListener.bind(globalThis);
  vi.spyOn(globalThis, "addEventListener").mockImplementation((...to: Parameters<typeof addEventListener>) => {
    listening.push(to);
    listen(...to);
  });
}

/** Pages of this test hear nothing of the next, and time is the machine's again. */
export function withNetwork(): void {
  for (const [kind, listener, options] of listening.splice(0)) globalThis.removeEventListener(kind, listener, options);
  vi.useRealTimers();
}

/** Let what was promised come about. */
export async function settled(): Promise<void> {
  await vi.advanceTimersByTimeAsync(0);
}
