// What a wager pays, in the few characters that fit on the felt; the pay table says the rest.
import { say } from "../../lib/words";
import type { WagerInfo } from "../../wire";

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

function winning(wager: WagerInfo): string[] {
  return [...new Set(wager.pays.map((row) => row.odds).filter((odds) => ODDS.test(odds)))];
}

/** The rule of a wager, without its exceptions: rows are tried in order, so the rule comes last. */
export function usual(wager: WagerInfo): string {
  return winning(wager).at(-1) ?? "";
}

/** What is printed large, and what beside it: a wager on a hand pays by a rule with exceptions, the others by a scale. */
export function printed(wager: WagerInfo): { odds: string; also: string[] } {
  const all = winning(wager);
  if (wager.group === "main") {
    const rule = usual(wager);
    return { odds: short(rule), also: all.filter((odds) => odds !== rule).map(short) };
  }
  const scale = [...all].sort((a, b) => value(a) - value(b));
  const least = scale[0];
  const most = scale.at(-1);
  if (!least || !most) return { odds: "", also: [] };
  if (scale.length === 1) return { odds: short(least), also: [] };
  const mark = scale.length === 2 ? " / " : "–";
  return { odds: `${short(least).replace(/:1$/, "")}${mark}${short(most)}`, also: [] };
}

/** What a wager pays, for ears. */
export function pays(wager: WagerInfo): string {
  const all = wager.group === "main" ? [usual(wager)] : winning(wager);
  return all.map(spoken).join(say("terminal.or"));
}
