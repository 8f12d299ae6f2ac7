// The log as it is spoken at the table: what patrons hear, and what staff note.
import { money } from "../../lib/money";
import { say } from "../../lib/words";
import type { AnyEvent, Line } from "../../wire";
import { foundName, remedyName } from "../pit/decisions";

export interface Utterance {
  version: number;
  at_ms: number;
  text: string;
  clause: string;
  /** Spoken aloud; what is only noted is quieter. */
  aloud: boolean;
}

/** What a line of the log says, or nothing where it is no announcement. */
export function utterance({ version, at_ms, event }: Line, currency: string): Utterance | null {
  const worded = words(event, currency);
  if (!worded) return null;
  const [text, aloud] = worded;
  return { version, at_ms, text, clause: "clause" in event ? (event.clause ?? "") : "", aloud };
}

function words(event: AnyEvent, currency: string): [string, boolean] | null {
  const amount = (cents: number): string => money(cents, currency);
  switch (event.type) {
    case "bets-opened":
      return [say("dealer.say.open-bets"), true];
    case "bets-reopened":
      return [say("dealer.event.bets-reopened"), true];
    case "bets-closed":
      return [say("dealer.say.close-bets"), true];
    case "totals-announced":
      return [say("dealer.say.totals", { player: event.player, banker: event.banker }), true];
    case "outcome-announced":
      return [say(`dealer.say.${event.winner}`, { player: event.player, banker: event.banker }), true];
    case "round-settled": {
      const won = event.payments.reduce((sum, each) => sum + each.won_cents, 0);
      const lost = event.payments.reduce((sum, each) => sum + (each.result === "lose" ? each.stake_cents : 0), 0);
      return [say("dealer.event.round-settled", { won: amount(won), lost: amount(lost) }), false];
    }
    case "irregularity-found":
      return [`${foundName(event.found)}: ${remedyName(event.remedy)}`, true];
    case "round-voided":
    case "cutting-card-came":
    case "withdrawal-offered":
      return [say(`dealer.event.${event.type}`), true];
    case "differential-met":
    case "offer-closed":
    case "shoe-ended":
    case "settlement-reversed":
    case "cards-rebuilt":
    case "cards-counted":
      return [say(`dealer.event.${event.type}`), false];
    case "differential-exceeded":
      return [
        say("dealer.event.differential-exceeded", {
          side: say(event.heavier),
          amount: amount(event.excess_cents),
        }),
        true,
      ];
    case "cards-offered":
    case "holder-chosen":
      return [say(`dealer.event.${event.type}`, { side: say(event.side), patron: event.patron }), true];
    case "cards-accepted":
    case "cards-refused":
    case "squeeze-permitted":
      return [say(`dealer.event.${event.type}`, { side: say(event.side), patron: event.patron }), false];
    case "first-chosen":
      return [say("dealer.event.first-chosen", { side: say(event.side) }), true];
    case "holder-wanted":
    case "cards-kept":
    case "cards-retrieved":
    case "count-begun":
      return [say(`dealer.event.${event.type}`, { side: say(event.side) }), false];
    case "late-wager":
    case "late-withdrawal":
    case "patron-warned":
      return [say(`dealer.event.${event.type}`, { patron: event.patron }), true];
    case "device-taken":
    case "device-given-up":
      return [say(`dealer.event.${event.type}`, { patron: event.patron }), false];
    case "wager-withdrawn":
      return [say("dealer.event.wager-withdrawn", { patron: event.patron, amount: amount(event.cents) }), false];
    case "wager-removed":
      return [say("dealer.event.wager-removed", { patron: event.patron, amount: amount(event.to_cents) }), true];
    case "method-chosen":
      return [say("dealer.event.method-chosen", { method: event.method }), false];
    case "referred":
      return [say("dealer.event.referred", { matter: event.matter ?? "" }), true];
    case "ruled":
      return [
        say("dealer.event.ruled", { ruling: say(`decision.rule.${event.ruling}`), reason: event.reason ?? "" }),
        true,
      ];
    case "shoe-loaded":
      return [say("dealer.event.shoe-loaded", { shoe: event.shoe }), false];
    case "attested":
      return [say("dealer.event.attested", { act: say(`dealer.act.${event.act}`) }), false];
    default:
      return null;
  }
}
