// The ticket that was asked for last. It stays until its holder has kept it, whatever becomes of page and network; but its
// code does not stay behind on a terminal: two minutes after it was first shown, it goes.
import { keep, kept } from "../../lib/kept";
import { floor, Refusal } from "../../live";
import type { Ticket } from "../../wire";

const ASKED = "ticket";
const SHOWN = "ticket.shown";
const SHOWN_MS = 120_000;

class Collected {
  ticket = $state.raw<Ticket | null>(null);
  /** When the code goes, by this device's clock. */
  until_ms = $state(0);
  #going: ReturnType<typeof setTimeout> | undefined;

  async collect(table: string): Promise<void> {
    if (await this.#askLast(table)) return;
    const id = floor.freshId();
    keep(SHOWN, "");
    keep(ASKED, id);
    await this.#ask(() => floor.collect(table, id));
  }

  /** Whether the ticket that was asked for last has come: only its own id yields its code, so no other takes its place. */
  async #askLast(table: string): Promise<boolean> {
    const id = this.#asked();
    if (!id || this.ticket) return false;
    try {
      await this.#ask(() => floor.collect(table, id, true));
      return true;
    } catch (error) {
      if (isNone(error)) return false;
      throw error;
    }
  }

  /** A ticket of an earlier page, whose code may never have been seen: whether there is one. */
  async recover(table: string): Promise<boolean> {
    const id = this.#asked();
    if (id && !this.ticket) await this.#ask(() => floor.collect(table, id, true)).catch(() => undefined);
    return this.ticket !== null;
  }

  /** Its holder has the code. */
  forget(): void {
    clearTimeout(this.#going);
    keep(ASKED, "");
    keep(SHOWN, "");
    this.ticket = null;
  }

  /** What is asked for again; a ticket that was shown for long enough is not. */
  #asked(): string {
    const shown = Number(kept(SHOWN) ?? 0);
    if (shown && Math.abs(Date.now() - shown) >= SHOWN_MS) this.forget();
    return kept(ASKED) ?? "";
  }

  #show(ticket: Ticket): void {
    const shown = Number(kept(SHOWN) ?? 0) || Date.now();
    keep(SHOWN, String(shown));
    this.ticket = ticket;
    this.until_ms = shown + SHOWN_MS;
    clearTimeout(this.#going);
    this.#going = setTimeout(() => this.forget(), Math.max(0, this.until_ms - Date.now()));
  }

  async #ask(ask: () => Promise<Ticket>): Promise<void> {
    try {
      this.#show(await ask());
    } catch (error) {
      if (isNone(error)) this.forget();
      throw error;
    }
  }
}

/** Whether a refusal says that there is no such ticket, and never will be. */
function isNone(error: unknown): boolean {
  return error instanceof Refusal && (error.code === "bad-ticket" || error.code === "not-written");
}

export const collected = new Collected();
