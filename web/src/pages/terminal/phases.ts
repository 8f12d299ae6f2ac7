// What phase it is, in words, and what the round came to.
import { money } from "../../lib/money";
import { language, say } from "../../lib/words";
import type { Deadline } from "../../live";
import type { OwnPayment, ShoeState } from "../../wire";
import type { Play } from "./play.svelte";

/** The phases in which the page would else call people to wager, or say that it soon will. */
const CALLS = new Set(["bets-open", "idle", "change-of-shoe"]);

export function phaseTitle(play: Play): string {
  const game = play.view?.state;
  const said = game?.said?.text[language.current] ?? "";
  if (play.down && !game?.outcome) return say("terminal.down");
  const wait = game?.wait?.what;
  if ((wait === "record" || wait === "elsewhere") && !game?.outcome) return say(`terminal.held.${wait}`);
  if (wait === "store" && CALLS.has(play.phase)) return say("terminal.held");
  switch (game?.phase) {
    case "closed":
      return say("terminal.closed");
    case "change-of-shoe":
      return say("terminal.fresh-shoe");
    case "idle":
      if (game.shoe.closed) return say("terminal.revealing");
      return game.shoe.may_cut ? say("terminal.may-cut") : said || say("terminal.soon");
    case "void":
      return say("terminal.void");
    default:
      return said;
  }
}

/** Who contributes to the order of a virtual shoe. */
export function contributorsWords(shoe: ShoeState): string {
  const { contributors: count, beacon } = shoe;
  if (beacon) return say(count ? "terminal.contributors.both" : "terminal.contributors.beacon", { count, beacon });
  return say(count ? "terminal.contributors" : "terminal.contributors.none", { count });
}

/** Why nothing goes on, where the table waits; at a stopped one also what of one's own waits there. */
export function waitWords(play: Play): string {
  const what = play.view?.state.wait?.what;
  if (!what) return "";
  const waiting = what === "record" ? play.waiting : null;
  if (waiting === null) return say(`terminal.wait.${what}`);
  if (waiting === "unknown") return say("terminal.wait.record-unknown");
  return say("terminal.wait.record-stake", { amount: money(waiting) });
}

/** What of one's own went back by a decision in this round: each wager with what is left of it. */
export function returnedWords(play: Play): string {
  const told = (play.view?.own?.returned ?? []).map(({ wager, cents, left_cents: left }) =>
    say(left ? "terminal.returned-part" : "terminal.returned-whole", {
      wager: play.label(wager),
      amount: money(cents),
      left: money(left),
    }),
  );
  return told.length ? say("terminal.returned-now", { what: told.join(say("terminal.comma")) }) : "";
}

/** What one must act within; a pause between rounds is said in words. */
export function phaseClock(play: Play): Deadline | null {
  const clock = play.view?.clock ?? null;
  return clock?.what === "next" ? null : clock;
}

/** What of one's own was paid with the outcome. */
export function paid(play: Play, of: (payment: OwnPayment) => number): number {
  const payments = (play.view?.state.outcome && play.view.own?.payments) || [];
  return payments.reduce((cents, each) => cents + of(each), 0);
}
