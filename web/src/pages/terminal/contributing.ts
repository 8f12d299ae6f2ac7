// What this terminal contributes to the order of a virtual shoe: it commits to a secret, and reveals it once all are in.
//
// Secrets follow from one random number of this device and the shoe's commitment, so that a page that is loaded anew, or
// another tab, knows the same. What the page has seen and done stays on the device, and the page that checks the shoe's text
// compares it with the text: what commits to its secret, the digest of all commitments before it revealed, and when.
import { sha256 } from "@noble/hashes/sha2.js";
import { keep, kept } from "../../lib/kept";
import { keepSeen } from "../../lib/shoes";
import { floor } from "../../live";
import type { OwnState, ShoeState } from "../../wire";

const BYTES = 32;
const DEVICE = "contributing";

const hex = (bytes: Uint8Array): string => Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");

const digest = (...lines: string[]): string => hex(sha256(new TextEncoder().encode(lines.join("\n"))));

/** Where storage is refused, the number lasts as long as the page. */
let ofThisPage = "";

function secretOf(shoe: ShoeState): string {
  ofThisPage ||= hex(crypto.getRandomValues(new Uint8Array(BYTES)));
  if (!kept(DEVICE)) keep(DEVICE, ofThisPage);
  return digest("punto secret 1", kept(DEVICE) ?? ofThisPage, shoe.commitment);
}

export class Contributing {
  /** What was asked: once each, for the state that follows comes after the answer. */
  #asked = new Set<string>();

  constructor(readonly table: string) {}

  /** Contribute, or reveal, whichever is due. */
  go(shoe: ShoeState, own: OwnState): void {
    const patron = floor.welcome?.patron ?? "";
    if (!shoe.commitment || !patron || !(own.may_contribute || own.contribution)) return;
    const secret = secretOf(shoe);
    const commitment = digest("punto contribution 1", shoe.commitment, patron, secret);
    if (own.may_contribute) {
      keepSeen(shoe.commitment, { offered: commitment });
      this.#ask({ do: "contribute", shoe: shoe.number, commitment }, shoe);
      return;
    }
    // Another device of this terminal's may have been faster: then that one reveals.
    if (own.contribution?.commitment !== commitment) return;
    keepSeen(shoe.commitment, { offered: commitment, taken: true });
    if (!shoe.closed || own.contribution.revealed) return;
    if (!this.#asked.has(`reveal-contribution ${shoe.commitment}`))
      keepSeen(shoe.commitment, {
        closed: shoe.closed,
        round: shoe.beacon_round,
        at_ms: Date.now(),
        revealed: true,
      });
    this.#ask({ do: "reveal-contribution", shoe: shoe.number, secret }, shoe);
  }

  /** What is refused came too late, or another page of this terminal was faster: either way nothing is left to do. */
  #ask(act: Parameters<typeof floor.act>[1], shoe: ShoeState): void {
    const what = `${act.do} ${shoe.commitment}`;
    if (this.#asked.has(what)) return;
    this.#asked.add(what);
    floor.act(this.table, act).catch(() => {});
  }
}
