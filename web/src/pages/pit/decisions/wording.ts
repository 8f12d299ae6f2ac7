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

/** What a rule has follow. */
export function remedyName(remedy: string): string {
  return say(`decision.remedy.${remedy}` as "decision.remedy.refer");
}
