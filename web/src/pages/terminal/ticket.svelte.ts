// The ticket that was asked for last. It stays until its holder has kept it, whatever becomes of page and network.
import { keep, kept } from "../../lib/kept";
import { floor, Refusal } from "../../live";
import type { Ticket } from "../../wire";

const ASKED = "ticket";

class Collected {
  ticket = $state.raw<Ticket | null>(null);

  async collect(table: string): Promise<void> {
    if (await this.#askLast(table)) return;
    const id = floor.freshId();
    keep(ASKED, id);
    await this.#ask(() => floor.collect(table, id));
  }

  /** Whether the ticket that was asked for last has come: only its own id yields its code, so no other takes its place. */
  async #askLast(table: string): Promise<boolean> {
    const id = kept(ASKED);
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
    const id = kept(ASKED);
    if (id && !this.ticket) await this.#ask(() => floor.collect(table, id, true)).catch(() => undefined);
    return this.ticket !== null;
  }

  /** Its holder has the code. */
  forget(): void {
    keep(ASKED, "");
    this.ticket = null;
  }

  async #ask(ask: () => Promise<Ticket>): Promise<void> {
    try {
      this.ticket = await ask();
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
