import { money } from "../../../../lib/money";
import { say } from "../../../../lib/words";
import type { Prospect } from "../../../../wire";

/** What a wager comes to at settlement, in words, or what that depends on. */
export function prospectWords(prospect: Prospect, currency: string): string {
  if (prospect.depends_on) return say(`decision.foresight.depends.${prospect.depends_on}`);
  const gained = (prospect.paid_cents ?? 0) - prospect.stake_cents;
  const amount = money(Math.abs(gained), currency);
  const result =
    gained > 0
      ? say("decision.foresight.wins", { amount })
      : gained < 0
        ? say("decision.foresight.loses", { amount })
        : say("decision.foresight.pushes");
  return prospect.stated ? say("decision.foresight.stated", { result }) : result;
}
