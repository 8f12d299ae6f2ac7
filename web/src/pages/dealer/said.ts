// The log as it is spoken at the table: what patrons hear, and what staff note.
import { cardName } from "../../lib/cards";
import { money } from "../../lib/money";
import { say } from "../../lib/words";
import type { AnyEvent, Line } from "../../wire";
import { foundName, remedyName, seenCards } from "../pit/decisions";

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
      if (event.deferred) return [say("dealer.said.deferred", { found: foundName(event.found) }), true];
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
    case "wager-placed":
      if (!event.same_moment_as) return null;
      return [
        say("dealer.said.same-moment", { patron: event.patron, wager: event.number, other: event.same_moment_as }),
        false,
      ];
    case "wager-withdrawn":
      return [say("dealer.event.wager-withdrawn", { patron: event.patron, amount: amount(event.cents) }), false];
    case "wager-removed":
      return [say("dealer.event.wager-removed", { patron: event.patron, amount: amount(event.to_cents) }), true];
    case "method-chosen":
      return [say("dealer.event.method-chosen", { method: event.method }), false];
    case "referred":
      return [say("dealer.event.referred", { matter: matterOf(event) }), true];
    case "ruled":
      return [ruled(event, amount), true];
    case "report-kept":
      return [say("dealer.event.report-kept", { found: foundName(event.found) }), false];
    case "report-taken-up":
      return [
        say(event.dropped ? "dealer.said.dropped" : "dealer.event.report-taken-up", { found: foundName(event.found) }),
        false,
      ];
    case "terminals-failed":
    case "terminals-restored":
      return [say(`dealer.event.${event.type}`, { terminals: event.terminals.join(say("dealer.comma")) }), true];
    case "dealer-stood-in":
      return [say("dealer.event.dealer-stood-in"), true];
    case "shoe-loaded":
      return [say("dealer.event.shoe-loaded", { shoe: event.shoe }), false];
    case "shoe-kept": {
      const kept = say("dealer.event.shoe-kept", { reason: event.reason ?? "" });
      const counted = event.counted;
      return [typeof counted === "number" ? `${kept} ${say("dealer.said.counted", { count: counted })}` : kept, true];
    }
    case "attested": {
      const act = say(`dealer.act.${event.act}`);
      return event.wager
        ? [say("dealer.said.attested-wager", { wager: event.wager, act }), false]
        : [say("dealer.event.attested", { act }), false];
    }
    default:
      return null;
  }
}

// How the table itself words a matter, in English; what was found is then said in the page's own words.
const OF_THE_TABLE = /^(the game was interrupted|the dealing device was reset|wager \d+ is )/;

/** What was referred: what was found, and what somebody noted of it. */
function matterOf({ found, matter = "" }: Extract<AnyEvent, { type: "referred" }>): string {
  if (found === "other") return matter;
  const noted =
    matter && matter !== found && !matter.startsWith(`${found}: `) && !OF_THE_TABLE.test(matter) && !seenCards(matter);
  return noted ? `${foundName(found)}${say("dealer.stop")}${matter}` : foundName(found);
}

type Ruled = Extract<AnyEvent, { type: "ruled" }>;

/** A decision with all its parts: the round, then money, then cards; the reason comes last. */
function ruled(event: Ruled, amount: (cents: number) => string): string {
  const cards = (names: string): string => names.split(" ").map(cardName).join(say("dealer.comma"));
  const next = event.burnt_next ?? 0;
  const parts = [
    say(`decision.rule.${event.ruling}`),
    ...(event.returns ?? []).map((each) =>
      say("dealer.said.part", { patron: each.patron, amount: amount(each.cents) }),
    ),
    ...(event.results ?? []).map(stated),
    ...(event.burnt ? [say("dealer.said.burnt", { cards: cards(event.burnt) })] : []),
    ...(next === 1 ? [say("dealer.said.burnt-next.one")] : []),
    ...(next > 1 ? [say("dealer.said.burnt-next", { count: next })] : []),
    ...(event.played ? [say("dealer.said.played", { cards: cards(event.played) })] : []),
    ...(event.shoe ? [say(`dealer.said.shoe.${event.shoe}`)] : []),
  ];
  return say("dealer.event.ruled", { ruling: parts.join(say("dealer.stop")), reason: event.reason ?? "" });
}

function stated({ number: wager, result, pays }: NonNullable<Ruled["results"]>[number]): string {
  if (result !== "win") return say("dealer.said.result.lose", { wager });
  return pays ? say("dealer.said.result.win-at", { wager, odds: pays }) : say("dealer.said.result.win", { wager });
}
