// What a wager pays, in the few characters that fit on the felt; the pay table says the rest.
import { language, say } from "../../lib/words";
import type { PayRow, WagerInfo } from "../../wire";

const ODDS = /^([\d.]+) to ([\d.]+)$/;

/** `12 to 1` → `12:1`; a push is said in words. */
export function short(odds: string): string {
  const match = ODDS.exec(odds);
  return match ? `${match[1]}:${match[2]}` : say("terminal.push");
}

/** `12 to 1`, as it is spoken. */
export function spoken(odds: string): string {
  const match = ODDS.exec(odds);
  return match ? say("terminal.odds", { wins: match[1] ?? "", per: match[2] ?? "" }) : say("terminal.push");
}

const value = (odds: string): number => {
  const match = ODDS.exec(odds);
  return match ? Number(match[1]) / Number(match[2]) : 0;
};

const wins = (row: PayRow): boolean => ODDS.test(row.odds);

/** The rule of a wager, without its exceptions: rows are tried in order, so the rule comes last. */
export function usual(wager: WagerInfo): string {
  return wager.pays.findLast(wins)?.odds ?? "";
}

/** What pays otherwise, or nothing, before the rule is come to. After it hands push on a tie, as everybody knows. */
function exceptions(wager: WagerInfo): PayRow[] {
  if (wager.group !== "main") return wager.pays.filter((row) => !wins(row));
  return wager.pays.slice(0, wager.pays.findLastIndex(wins)).filter((row) => row.odds !== usual(wager));
}

/** All that a wager pays, from the least. */
function scale(wager: WagerInfo): string[] {
  return [...new Set(wager.pays.filter(wins).map((row) => row.odds))].sort((a, b) => value(a) - value(b));
}

/** What is printed large, and what beside it: a wager on a hand pays by a rule with exceptions, the others by a scale. */
export function printed(wager: WagerInfo): { odds: string; also: string[] } {
  if (wager.group === "main") {
    return { odds: short(usual(wager)), also: [...new Set(exceptions(wager).map((row) => short(row.odds)))] };
  }
  const all = scale(wager);
  const least = all[0];
  const most = all.at(-1);
  if (!least || !most) return { odds: "", also: [] };
  if (all.length === 1) return { odds: short(least), also: [] };
  const mark = all.length === 2 ? " / " : "–";
  return { odds: `${short(least).replace(/:1$/, "")}${mark}${short(most)}`, also: [] };
}

/** What a wager pays, for ears: its rule or its scale, then every exception. */
export function pays(wager: WagerInfo): string {
  const all = wager.group === "main" ? [usual(wager)] : scale(wager);
  const but = exceptions(wager).map((row) =>
    say("terminal.pays-when", { odds: spoken(row.odds), when: row.when[language.current] }),
  );
  return [all.map(spoken).join(say("terminal.or")), ...but].join(say("terminal.comma"));
}
