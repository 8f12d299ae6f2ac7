// What this terminal contributes to the order of a virtual shoe: it commits to a secret, and reveals it once all are in.
//
// The secret is kept on this device until it is revealed, so that a page that is loaded anew does not withhold it. What
// commits to it stays, so that the page that checks the shoe's text sees whether the text has it.
import { sha256 } from "@noble/hashes/sha2.js";
import { forget, keep, kept } from "../../lib/kept";
import { floor } from "../../live";
import type { OwnState, ShoeState } from "../../wire";

const SECRET_BYTES = 32;

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

/** What commits a patron to a secret, for the shoe of that commitment (docs/shoes.md). */
function digest(shoe: string, patron: string, secret: string): string {
  return hex(sha256(new TextEncoder().encode(["punto contribution 1", shoe, patron, secret].join("\n"))));
}

const secretOf = (shoe: ShoeState): string => `secret ${shoe.commitment}`;

export class Contributing {
  /** What was asked: once each, for the state that follows comes after the answer. */
  #asked = new Set<string>();

  constructor(readonly table: string) {}

  /** Contribute, or reveal, whichever is due. */
  go(shoe: ShoeState, own: OwnState): void {
    const patron = floor.welcome?.patron ?? "";
    if (!shoe.commitment || !patron) return;
    if (own.may_contribute) this.#commit(shoe, patron);
    else if (shoe.closed && own.contribution && !own.contribution.revealed) this.#reveal(shoe);
  }

  #commit(shoe: ShoeState, patron: string): void {
    const secret = kept(secretOf(shoe)) ?? hex(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)));
    keep(secretOf(shoe), secret);
    const commitment = digest(shoe.commitment, patron, secret);
    keep(`contribution ${shoe.commitment}`, commitment);
    this.#ask({ do: "contribute", shoe: shoe.number, commitment }, shoe);
  }

  #reveal(shoe: ShoeState): void {
    const secret = kept(secretOf(shoe));
    // Another device of this terminal's has it.
    if (!secret) return;
    this.#ask({ do: "reveal-contribution", shoe: shoe.number, secret }, shoe, () => forget(secretOf(shoe)));
  }

  /** What is refused came too late, or another page of this terminal was faster: either way nothing is left to do. */
  #ask(act: Parameters<typeof floor.act>[1], shoe: ShoeState, done = (): void => {}): void {
    const what = `${act.do} ${shoe.commitment}`;
    if (this.#asked.has(what)) return;
    this.#asked.add(what);
    floor.act(this.table, act).then(done, () => {});
  }
}
