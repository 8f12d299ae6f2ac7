// The patron's own claims, and which answers this device has not shown yet.
import { keep, kept } from "../../lib/kept";
import { floor } from "../../live";
import type { OwnClaim } from "../../wire";

const SEEN = "claims-seen";
/** What is closed by staff has an answer; what the patron withdrew has none. */
const ANSWERED = new Set<OwnClaim["outcome"]>(["upheld", "rejected"]);

function read(): { patron: string; claims: number[] } {
  try {
    const found = JSON.parse(kept(SEEN) ?? "") as { patron: string; claims: number[] };
    return Array.isArray(found.claims) ? found : { patron: "", claims: [] };
  } catch {
    // Nothing was kept, or something that is not ours: then no answer was seen.
    return { patron: "", claims: [] };
  }
}

let seen = $state.raw(read());

const isSeen = (claim: number): boolean => seen.patron === floor.welcome?.patron && seen.claims.includes(claim);

export const claims = {
  /** Answers that nobody has looked at on this device. */
  get unread(): OwnClaim[] {
    return floor.claims.filter((each) => ANSWERED.has(each.outcome) && !isSeen(each.claim));
  },
  /** The claim about a round, if there is one. */
  about(table: string, round: number): OwnClaim | null {
    return floor.claims.find((each) => each.table === table && each.round === round) ?? null;
  },
  /** All answers that are here have been shown. */
  see(): void {
    const answered = floor.claims.filter((each) => ANSWERED.has(each.outcome)).map((each) => each.claim);
    if (answered.every(isSeen)) return;
    seen = { patron: floor.welcome?.patron ?? "", claims: answered };
    keep(SEEN, JSON.stringify(seen));
  },
};
