// What a receipt proves, in one sentence.
import { money } from "../money";
import { language, say } from "../words";
import type { Claim } from "./receipt";
import "./words";

const TAGS = { en: "en-GB", zh: "zh-Hans" } as const;

/** A moment as people write it, where the reader is. */
export function moment(at_ms: number): string {
  return new Intl.DateTimeFormat(TAGS[language.current], { dateStyle: "medium", timeStyle: "medium" }).format(at_ms);
}

export function sentence(claim: Claim, currency = "", label: (wager: string) => string = (wager) => wager): string {
  return say(`receipt.proves.${claim.kind}`, {
    patron: claim.patron,
    amount: money(claim.cents, currency),
    before: money(claim.from_cents, currency),
    wager: claim.wager ? label(claim.wager) : say("receipt.some-wager"),
    table: claim.table,
    round: claim.round,
    when: moment(claim.at_ms),
  });
}
