import { language, say } from "../../../lib/words";
import type { TableInfo, Text } from "../../../wire";

/** A phrase in the page's language. */
export function text(both: Text): string {
  return both[language.current];
}

/** What a wager is called at this table. */
export function wagerLabel(info: TableInfo | null, name: string): string {
  const wager = info?.wagers.find((each) => each.name === name);
  return wager ? text(wager.label) : name;
}

/** What a position of staff is called. */
export function positionName(position: string): string {
  return position ? say(`decision.position.${position}` as "decision.position.dealer") : "";
}

/** What was found, in plain words. */
export function foundName(found: string): string {
  return say(`decision.found.${found}` as "decision.found.other");
}

// How the table itself puts cards that were seen, today and in older logs.
const SEEN = /^(?:seen(?: before bets (?:open|close))?: (.+)|(.+) was seen before bets closed)$/;

/** The names of cards that were seen, where the table itself has put the matter so. */
export function seenCards(matter: string): string | undefined {
  const found = SEEN.exec(matter);
  return found?.[1] ?? found?.[2];
}

/** What was said of a matter besides what was found. */
export function matterText({ found, matter }: { found: string; matter: string }): string {
  if (matter === found || seenCards(matter)) return ""; // who decides sees the cards
  if (!matter.startsWith(`${found}: `)) return matter;
  const [player, banker, ...rest] = matter.slice(found.length + 2).split(" | ");
  // The hands as they lie.
  if (player === undefined || banker === undefined || rest.length) return matter.slice(found.length + 2);
  return `${say("player")} ${player} · ${say("banker")} ${banker}`;
}

/** A matter that waits, in a line: what was found, where the table has put it so. */
export function matterName(matter: string): string {
  const seen = seenCards(matter);
  const [head = "", ...rest] = seen ? ["card-seen", seen] : matter.split(": ");
  const found = `decision.found.${head}`;
  const named = say(found as "decision.found.other");
  return named === found ? matter : [named, ...rest].join(language.current === "zh" ? "：" : ": ");
}

/** What the table words in English, or somebody has typed so, is no Chinese. */
export function tongueOf(words: string): "en" | undefined {
  return /^[\x20-\x7e]*$/.test(words) ? "en" : undefined;
}

/** What a rule has follow. */
export function remedyName(remedy: string): string {
  return say(`decision.remedy.${remedy}` as "decision.remedy.refer");
}
