// What phase it is, in words, and what the round came to.
import { language, say } from "../../lib/words";
import type { Deadline } from "../../live";
import type { OwnPayment } from "../../wire";
import type { Play } from "./play.svelte";

export function phaseTitle(play: Play): string {
  const game = play.view?.state;
  const said = game?.said?.text[language.current] ?? "";
  switch (game?.phase) {
    case "closed":
      return say("terminal.closed");
    case "change-of-shoe":
      return say("terminal.fresh-shoe");
    case "idle":
      return game.shoe.may_cut ? say("terminal.may-cut") : said || say("terminal.soon");
    case "void":
      return say("terminal.void");
    default:
      return said;
  }
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
